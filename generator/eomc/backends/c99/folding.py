"""Heads of functions that are too long for a line: one parameter in each, below each other."""

from __future__ import annotations

import re

from eomc.backends.render import render

WIDTH = 120

_HEAD = re.compile(r"(?P<head>(?:static |typedef )[\w *]*(?:\(\*\w+\)|\w+)\()(?P<parameters>[^;{}]*)(?P<end>\);?)")


def drawn(template: str, view: object) -> str:
    """Return the text of a template of C; see `eomc.backends.render.render`."""
    return folded(render(template, view))


def folded(text: str) -> str:
    """Return C in which no head of a static function or of a type of functions is wider than `WIDTH`.

    Parameters
    ----------
    text
        Whole lines. Only heads that stand in one line, from its beginning to its end, are looked at.
    """
    return "\n".join(_folded(line) if len(line) > WIDTH else line for line in text.split("\n"))


def _folded(line: str) -> str:
    found = _HEAD.fullmatch(line)
    if found is None:
        return line
    head = found["head"]
    parameters = found["parameters"].split(", ")  # none of them is a function
    return head + (",\n" + " " * len(head)).join(parameters) + found["end"]
