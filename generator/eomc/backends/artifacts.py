"""A file that is to be written: its place, its text and what it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """One emitted file; nothing is written yet."""

    path: str  # relative, with forward slashes: "rolling_disk.c"
    text: str
    kind: str  # header, source, main, makefile, readme
