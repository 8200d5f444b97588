"""Pages in Markdown as programs: their blocks, and those of Python run as one session."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return language and text of each fenced block that names one, in order."""
    return _BLOCK.findall(text)


def blocks_of(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language, in order."""
    return [block for kind, block in blocks(text) if kind == language]


def run_python(page: Path) -> dict[str, Any]:
    """Run a page's blocks of Python, and return what they have named."""
    names: dict[str, Any] = {}
    for block in blocks_of(page.read_text(encoding="utf-8"), "python"):
        exec(compile(block, str(page), "exec"), names)
    return names
