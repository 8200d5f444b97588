"""Heads of functions that are too long for a line: one parameter in each, below each other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from eomc.backends.c99.folding.width import WIDTH, wide_lines

_HEAD = re.compile(r"(?P<head>(?:static |typedef )[\w *]*(?:\(\*\w+\)|\w+)\()(?P<parameters>[^;{}]*)(?P<end>\);?)")
_BEGUN = re.compile(r"(?P<head>\w[\w *]*\()(?P<parameter>[^;{}()]+,)")


def folded_heads(lines: list[str], wide: Sequence[int]) -> tuple[list[str], list[int]]:
    """Return lines of C in which heads of functions fit, and the numbers of the lines that are still too wide.

    Heads of one line are folded as well as those that the templates broke. Parameters stand below the first one, or,
    where there is no room, below the function by one step to the right.

    Parameters
    ----------
    wide
        The numbers of the lines that are too wide.
    """
    done: list[str] = []
    left: list[int] = []  # numbers of lines in `done`
    position = 0

    def keep(end: int) -> None:
        between = wide[bisect_left(wide, position) : bisect_left(wide, end)]
        left.extend([len(done) + number - position for number in between])
        done.extend(lines[position:end])

    for wanted in _beginnings(lines, wide):
        if wanted < position:
            continue  # it belongs to the head before
        keep(wanted)
        position = wanted
        head = _head_at(lines, position)
        if head is None:
            continue
        function, parameters, count = head
        below = _below(function, parameters)
        left += [len(done) + number for number in wide_lines(below)]
        done += below
        position += count
    keep(len(lines))
    return done, left


def _beginnings(lines: Sequence[str], wide: Sequence[int]) -> Iterator[int]:
    """Yield the lines with which a head may begin that has a wide line: this, and those before it which go on."""
    position = 0
    for number in wide:
        first = number
        while first > position and lines[first - 1].endswith(","):
            first -= 1
        yield from (i for i in range(first, number) if "(" in lines[i])
        yield number
        position = number + 1


def _head_at(lines: list[str], position: int) -> tuple[str, list[str], int] | None:
    """Return the head that begins there and is too wide, its parameters with what ends them, and its lines."""
    line = lines[position]
    if len(line) > WIDTH:
        found = _HEAD.fullmatch(line)
        if found is not None:
            parameters = found["parameters"].split(", ")  # none of them is a function
            ended = [f"{one}," for one in parameters[:-1]]
            return found["head"], [*ended, parameters[-1] + found["end"]], 1
    begun = _BEGUN.fullmatch(line)
    if begun is None:
        return None
    indent = " " * len(begun["head"])
    end = position + 1
    while end < len(lines) and lines[end].startswith(indent) and lines[end - 1].endswith(","):
        end += 1
    if max(map(len, lines[position:end])) <= WIDTH or lines[end - 1].endswith(","):
        return None
    texts = " ".join([begun["parameter"], *(one.strip() for one in lines[position + 1 : end])])
    parts = texts.split(", ")
    return begun["head"], [*(f"{one}," for one in parts[:-1]), parts[-1]], end - position


def _below(function: str, parameters: list[str]) -> list[str]:
    """Return the lines of a head."""
    indent = " " * len(function)
    if all(len(indent + one) <= WIDTH for one in parameters):
        return [function + parameters[0], *(indent + one for one in parameters[1:])]
    return [function, *("    " + one for one in parameters)]
