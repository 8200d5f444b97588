"""Libraries of FMUs: made again from their sources, and the names that they have for others."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def make_silently(strict: Mapping[str, list[str]], sources: Path, files: Sequence[str], to: Path) -> dict[str, Path]:
    """Return the libraries that the compilers make of files in a folder; not one of them has a word."""
    made = {compiler: to / f"{compiler}.so" for compiler in strict}
    for compiler, command in strict.items():
        done = subprocess.run(
            [*command, "-O2", "-fPIC", "-shared", *files, "-o", made[compiler], "-lm"],
            cwd=sources, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    return made


def declared(header: Path, mark: str) -> set[str]:
    """Return the names of the functions that a header declares behind a mark."""
    lines = header.read_text().splitlines()
    return {line.split("(")[0].split()[-1].lstrip("*") for line in lines if line.startswith(mark)}


def defined(path: Path, flag: str = "-D") -> set[str]:
    """Return the names that a library defines for others; with -g those of an object."""
    listed = subprocess.run(["nm", flag, "--defined-only", path], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in listed.stdout.splitlines()}
