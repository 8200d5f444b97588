"""Modules of this folder import each other by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mpmath import mp

sys.path.insert(0, str(Path(__file__).parent))

from remez import PREC


@pytest.fixture(autouse=True)
def precision_of_mpmath() -> Iterator[None]:
    """Work with the bits that this folder needs, whatever another test has left."""
    with mp.workprec(PREC):
        yield
