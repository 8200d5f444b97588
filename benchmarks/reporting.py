"""Plain aligned tables, and one line about the machine on which they were made."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import version

__all__ = ["print_machine", "print_table"]


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text, the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, ["-" * width for width in widths], *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())


def print_machine() -> None:
    """Print what the figures depend on: a busy machine makes all of them larger, ratios less so."""
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False).stdout.splitlines()
    load = os.getloadavg()[0]
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}; Python {platform.python_version()}, "
        f"sympy {version('sympy')}; {compiler[0] if compiler else 'no cc'}\n"
    )
