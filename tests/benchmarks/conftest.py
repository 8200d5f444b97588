"""The harness of `make bench` without the peers: its modules lie beside the scripts in benchmarks/."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
