"""Lines of C: wrapping, and comments aligned at the end."""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eomc.backends.ascii import plain

_SIGNS = ("+ ", "- ", "* ", "/ ", "? ", ": ", "&&", "||", "< ", "<=")

WIDTH = 110
"""Columns; a line breaks where the fewest parentheses are open."""


class Line(NamedTuple):
    """A line of code with a remark at its end, before alignment."""

    code: str
    remark: str = ""


def declaration(head: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """Return a declaration with one argument per line, aligned.

    Examples
    --------
    >>> declaration("int f(", ["int a", "int b"])
    ('int f(int a,', '      int b)')
    """
    starts = itertools.chain([head], itertools.repeat(" " * len(head)))
    ends = itertools.chain([","] * (len(arguments) - 1), [")"])
    return tuple(f"{start}{argument}{end}" for start, argument, end in zip(starts, arguments, ends, strict=False))


def comment(text: str) -> str:
    """Return text that may stand inside a C comment."""
    text = plain(text)
    if "/" in text:
        text = text.replace("*/", "* /").replace("/*", "/ *")
    if "??" in text:
        text = re.sub(r"\?(?=\?)", "? ", text)
    return f"{text} " if text.endswith("\\") else text


def doc(text: str) -> str:
    r"""Return text that may stand inside a doxygen comment: no command and no tag begins in it.

    Examples
    --------
    >>> doc(r"\theta of <body>")
    '\\\\theta of < body>'
    """
    text = comment(text).replace("\\", "\\\\").replace("@", "\\@")
    if "<" not in text:
        return text
    return "".join(
        f"{character} " if character == "<" and text[i + 1 : i + 2].strip(" =-0123456789.") else character
        for i, character in enumerate(text)
    )


def align(lines: Sequence[tuple[str, str]]) -> list[str]:
    """Return lines of code whose remarks stand in one column."""
    column = _column([line for line in lines if line[1]])
    return [f"{code:<{column}} /* {remark} */" if remark else code for code, remark in lines]


def _column(remarked: Sequence[tuple[str, str]]) -> int:
    """Return the width of code before remarks that stand in one column; 0 where they have no room for that."""
    widest = max([len(code) for code, _ in remarked], default=0)
    longest = max([len(remark) for _, remark in remarked], default=0)
    return 0 if widest + longest + 7 > WIDTH + 10 else widest


def wrap(code: str, *, indent: int = 4, width: int = WIDTH) -> list[str]:
    """Return a statement in lines of bounded length, the later ones indented further."""
    if len(code) <= width:
        return [code]
    lines: list[str] = []
    rest = code
    lead = ""
    while len(lead) + len(rest) > width:
        place = _best_break(rest, width - len(lead))
        if place < 0:
            break
        lines.append(lead + rest[:place].rstrip())
        rest = rest[place:].lstrip()
        lead = " " * (indent + _leading(code))
    lines.append(lead + rest)
    return lines


def _leading(code: str) -> int:
    return len(code) - len(code.lstrip(" "))


def _best_break(code: str, room: int) -> int:
    """Return where to break: before an operator or after a comma, as shallow and then as far right as possible."""
    depth = 0
    best, best_depth = -1, 0
    start = _leading(code)
    for position in range(start, min(len(code), room + 1)):
        character = code[position]
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == " " and position > start and position >= room // 3:
            follows_comma = code[position - 1] == ","
            before_sign = code[position + 1 : position + 3] in _SIGNS
            if (follows_comma or before_sign) and (best < 0 or depth <= best_depth):
                best, best_depth = position, depth
    return best


def wrap_words(text: str, width: int) -> list[str]:
    """Return prose in lines; a word that is too long stands alone."""
    return textwrap.wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False) or [""]


class Text:
    """Lines of a function's body: blank lines only between others, remarks of neighbours in one column."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._lines: list[str] = []
        self._remarks: list[tuple[int, str]] = []  # of lines by their numbers, which are not aligned yet
        self._parted = False  # a blank line is due
        self._headed = False  # the last line is a heading, below which there is none
        self.add(*lines)

    def add(self, *lines: str) -> None:
        """Add lines as they are; "" parts what is before from what follows."""
        self._align()
        for line in lines:
            if line:
                self._append(line)
            else:
                self.part()

    def part(self) -> None:
        """Part what is before from what follows by a blank line."""
        self._align()
        self._parted = not self._headed

    def head(self, title: str) -> None:
        """Say in a line of its own what follows."""
        self._align()
        self._append(f"    /* {comment(title)} */")
        self._headed = True

    def state(self, code: str, remark: str = "") -> None:
        """Add a statement with its remark; one that has to be wrapped breaks the column."""
        if len(code) > WIDTH and len(wrapped := wrap(code)) > 1:
            if remark:
                self.head(remark)
            self.add(*wrapped)
            return
        self._append(code)
        if remark and (told := comment(remark)):
            self._remarks.append((len(self._lines) - 1, told))

    def finished(self) -> tuple[str, ...]:
        """Return all lines."""
        self._align()
        return tuple(self._lines)

    def _align(self) -> None:
        """Put the remarks of neighbours behind their lines."""
        if self._remarks:
            lines = self._lines
            column = _column([(lines[number], remark) for number, remark in self._remarks])
            for number, remark in self._remarks:
                lines[number] = f"{lines[number]:<{column}} /* {remark} */"
            self._remarks = []

    def _append(self, line: str) -> None:
        if self._parted and self._lines:
            self._lines.append("")
        self._lines.append(line)
        self._parted = self._headed = False
