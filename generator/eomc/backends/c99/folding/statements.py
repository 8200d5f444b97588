"""Statements that are too wide: they break where fewest brackets are open, and an operator leads what follows."""

from __future__ import annotations

import re
from typing import NamedTuple

from eomc.backends.c99.folding.width import WIDTH

_STEP = 4
_LEFT = 60  # what a bracket opens stands below it up to this column, else by one step to the right of the statement
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\w+|\S')
_OPERATORS = frozenset("+ - * / % && || ? : < > <= >= == != & | ^ << >>".split())


class _Break(NamedTuple):
    """A place at which a line may end."""

    at: int  # where the next one begins
    rank: int  # the less, the better
    column: int  # at which it is placed
    open_at: list[int]  # the columns of the brackets that are open there


def folded_statement(line: str, joined: bool) -> list[str]:
    """Return the lines of one; it goes on with a statement where it is `joined` to the line before."""
    indent = len(line) - len(line.lstrip())
    base = indent if joined else indent + _STEP
    lines: list[str] = []
    text, column = line.strip(), indent
    open_at: list[int] = []
    while column + len(text) > WIDTH:
        best = _best_break(text, column, base, open_at)
        if best is None:
            parts = _string_parted(text, WIDTH - column)
            if parts is None:
                break
            first, text = parts
            lines.append(" " * column + first)
            continue
        lines.append(" " * column + text[: best.at].rstrip())
        text, column, open_at = text[best.at :], best.column, best.open_at
    return [*lines, " " * column + text]


def _best_break(text: str, column: int, base: int, open_at: list[int]) -> _Break | None:
    """Return the place within the width at which a text at a column breaks: the last of those with the least rank.

    Parameters
    ----------
    text, column
        What is left of a statement, and where it stands.
    base
        The column of what no bracket holds.
    open_at
        The columns of the brackets that are open before it.
    """
    stack = list(open_at)
    best: _Break | None = None
    before, end = "", 0
    for found in _TOKEN.finditer(text):
        if column + end > WIDTH:
            break
        token, at = found[0], found.start()
        spaced = at > end and at > 0
        held = 4 * len(stack)
        if before == "(" and token != ")" and (best is None or held + 3 <= best.rank):
            hanging = min(stack[-1], base + _STEP)
            best = _Break(at, held + 3, hanging, [*stack[:-1], hanging])
        if spaced and (best is None or held <= best.rank):
            place = _rank_between(before, text, at)
            if place is not None and (best is None or held + place <= best.rank):
                best = _Break(at, held + place, stack[-1] if stack else base, list(stack))
        if token in ("(", "[", "{"):
            below = column + found.end()
            stack.append(below if below <= _LEFT else base + _STEP * (len(stack) > 0))
        elif token in (")", "]", "}") and stack:
            stack.pop()
        before, end = token, found.end()
    return best


def _string_parted(text: str, room: int) -> tuple[str, str] | None:
    """Return a text in two, behind the last blank or comma that has room in a string."""
    for found in reversed(list(_TOKEN.finditer(text))):
        within = (found.start() + 1, min(found.end(), room - 1))
        last = max(text.rfind(mark, *within) for mark in " ,") if found[0].startswith('"') else -1
        if last >= 0:
            return f'{text[: last + 1]}"', f'"{text[last + 1 :]}'
    return None


def _rank_between(before: str, text: str, at: int) -> int | None:
    """Return how well a line ends between a token and what follows, as many brackets held; None where it must not."""
    if before in (",", ";"):
        return 0
    if text[at : at + 3].split(" ", 1)[0] in _OPERATORS:  # none has three characters
        return 1
    if before == "=":
        return 4  # no better than behind the first comma in a bracket
    return 2 if before.endswith('"') or text[at] == '"' else None
