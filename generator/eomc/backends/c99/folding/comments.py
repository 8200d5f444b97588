"""Comments that are too wide: their words go on below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eomc.backends.c99.folding.width import WIDTH

_INNER = re.compile(r"(?P<margin> *(?:/\*\*?|\*)? *)(?P<lead>(?:@\w+(?:\[\w+\])? +|[A-Z]\w*: +|[-o] +)?)(?P<text>.*)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def ends_open(line: str, within: bool) -> bool:
    """Whether a comment goes on behind a line; `within`: whether it begins in one."""
    bare = line if within or '"' not in line else _STRING.sub("", line)
    return bare.rfind("/*") > bare.rfind("*/") if "/*" in bare or "*/" in bare else within


def is_open_before(lines: Sequence[str], begin: int, end: int, within: bool) -> bool:
    """Whether line `end` begins in a comment; `within`: whether line `begin` does."""
    last = end
    while last > begin:  # that with a mark which is in no string tells alone
        last -= 1
        line = lines[last]
        if "*" in line and ("/*" in line or "*/" in line) and '"' not in line:
            break
    for line in lines[last:end]:
        within = ends_open(line, within)
    return within


def parted(line: str) -> tuple[str, str]:
    """Return what stands before the comment that ends a line, and the comment; either may be empty."""
    text = line.rstrip()
    if not text.endswith("*/"):
        return line, ""
    bare = _STRING.sub(lambda found: "_" * len(found[0]), text)
    begin = bare.rfind("/*")
    return ("", line) if not line[:begin].strip() else (line[:begin], line[begin:])


def alone(line: str) -> list[str]:
    """Return the lines of a comment that has a line for itself."""
    indent = line[: len(line) - len(line.lstrip())]
    text = line.strip()
    mark = "/**" if text.startswith("/**") else "/*"
    words = text[len(mark) : -2].strip()
    return [indent + mark, *_wrapped(words, f"{indent} * ", f"{indent} * "), f"{indent} */"]


def continued(line: str, following: str) -> tuple[str, str, bool]:
    """Return a line inside of a comment without the words that do not fit, those, and whether they begin the next line.

    Parameters
    ----------
    line
        Too wide.
    following
        The next line; it takes the words where it goes on with the same paragraph.
    """
    found = _INNER.fullmatch(line)
    if found is None:
        return line, "", False
    opened = "* " if following.lstrip().startswith("*") else "  "
    margin = re.sub(r"/\*\*? *", f" {opened}", found["margin"]) + " " * len(found["lead"])
    first, *rest = _wrapped(found["text"], found["margin"] + found["lead"], margin)
    if not rest:
        return first, "", False
    left = " ".join(one[len(margin) :] for one in rest)
    goes_on = following.startswith(margin) and following[len(margin) :][:1].islower()
    return first, margin + left + (f" {following[len(margin) :]}" if goes_on else ""), goes_on


def beside(code: str, comment: str) -> list[str] | None:
    """Return the lines of code with the comment in a column of its own; None where it stands better above."""
    in_column = code.endswith("  ") or comment.startswith("/**<") or code.lstrip().startswith("}")
    if not in_column and not code.rstrip().endswith(","):
        return None
    mark = "/**<" if comment.startswith("/**<") else "/*"
    words = comment.rstrip()[len(mark) : -2].strip()
    below = " " * len(code) + (" *   " if mark == "/**<" else " * ")
    *lines, last = _wrapped(f"{words} */", f"{code}{mark} ", below)
    return [*lines, last]


def _wrapped(text: str, first: str, others: str) -> list[str]:
    """Return words in lines, the first of which begins with `first`; a word that is wider than a line has its own."""
    lines, line = [], first
    empty = True
    for word in text.split(" "):
        if not empty and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, empty = others, True
        line += word if empty else f" {word}"
        empty = False
    return [*lines, line]
