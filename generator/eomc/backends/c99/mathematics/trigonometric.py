"""Records of sin, cos, sincos and tan."""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import OwnFunction

__all__ = ["TRIGONOMETRIC"]

TRIGONOMETRIC: tuple[OwnFunction, ...] = ()
