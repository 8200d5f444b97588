"""One thing that was looked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A thing and what was found of it."""

    name: str
    is_needed: bool  # by a normal use: derive, emit, compile, call from Python
    is_there: bool  # and works
    found: str  # versions and places; where it is not there, what is wrong
    remedy: str = ""  # how to get it; "" where it is there
