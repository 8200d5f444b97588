"""How wide emitted C is."""

from __future__ import annotations

WIDTH = 120
