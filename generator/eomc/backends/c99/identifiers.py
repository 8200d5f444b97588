"""Names of a model -> C identifiers: valid, ASCII, unique, 31 characters at most, clear of C, C++ and libm words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from eomc.backends.ascii import spell
from eomc.backends.c99.reserved import is_reserved

LONGEST = 31
"""Characters that C99 promises to tell apart in any identifier."""

LONGEST_MODEL = 28
"""So that `<MODEL>_X_<NAME>` stays within the 63 characters that are significant inside a file."""

_MODEL_RESERVED = frozenset(
    """
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg stdbool stddef stdint
    stdio stdlib string tgmath time wchar wctype main all run test clean makefile readme advance print real int dbl flt
    """.split()
)
_LATEX = re.compile(r"\\(?:mathrm|mathbf|text|left|right|operatorname)\b")


def clean(name: str) -> str:
    r"""Return a name with the characters of a C identifier only; it may still be a reserved word.

    Examples
    --------
    >>> clean("x_{1}"), clean(r"\theta_0"), clean("two words"), clean("1x"), clean("q'"), clean("")
    ('x_1', 'theta_0', 'two_words', 'v_1x', 'q_prime', 'v')
    """
    text = spell(_LATEX.sub("", name)).replace("'", "_prime").replace('"', "_prime_prime")
    text = re.sub(r"[^0-9A-Za-z_]+", "_", text)
    text = re.sub(r"_+", "_", text).strip("_")
    if not text:
        return "v"
    if name.endswith("_"):
        text += "_"
    return f"v_{text}" if text[0].isdigit() else text


def distinct(
    names: Sequence[str],
    *,
    prefix: str = "",
    longest: int = LONGEST,
    ignore_case: bool = False,
    alone: bool = True,
    taken: Iterable[str] = (),
) -> tuple[str, ...]:
    """Return a C identifier for every name, all different.

    Parameters
    ----------
    names
        The model's names, in order; a name that is fine as it is keeps its spelling.
    prefix
        What our own external names begin with: names that begin with it too are changed.
    longest
        Characters that may be significant.
    ignore_case
        Whether the identifiers must also differ in capitals.
    alone
        Whether they stand alone; not when something of ours is put before them.
    taken
        Identifiers that something else has already.
    """
    words = [_unreserved(clean(name), prefix) if alone else clean(name) for name in names]
    fine = {name for name, word in zip(names, words, strict=True) if len(name) <= longest and name == word}
    used = {_key(word, ignore_case) for word in taken}
    result = []
    for name, base in zip(names, words, strict=True):
        candidate, number = base[:longest], 1
        while _key(candidate, ignore_case) in used or (candidate != name and candidate in fine):
            number += 1
            suffix = f"_{number}"
            candidate = base[: longest - len(suffix)].rstrip("_") + suffix
        used.add(_key(candidate, ignore_case))
        result.append(candidate)
    return tuple(result)


def local_names(identifiers: Sequence[str], arguments: Iterable[str]) -> tuple[str, ...]:
    """Return names for local variables: the identifiers, set apart from the arguments by an underscore at the end."""
    blocked = set(arguments)
    used = set(identifiers) | blocked
    result = []
    for identifier in identifiers:
        marked = itertools.chain([f"{identifier}_"], (f"{identifier}_{number}" for number in itertools.count(2)))
        candidate = next(one for one in marked if one not in used) if identifier in blocked else identifier
        used.add(candidate)
        result.append(candidate)
    return tuple(result)


def model_identifier(name: str) -> str:
    """Return the prefix of everything external; also the name of the files and of the program."""
    identifier = clean(name)[:LONGEST_MODEL].rstrip("_")
    if is_reserved(identifier) or identifier.lower() in _MODEL_RESERVED:
        identifier = f"{identifier}_model"
    return identifier


def link_name(head: str, mark: str, bits: int, interface: str) -> str:
    """Return what the linker knows something by: `LONGEST` characters at most, by precision and version."""
    end = f"{mark}_f{bits}_{interface[2:10]}"
    return f"{head[: LONGEST - len(end)].rstrip('_')}{end}"


def _unreserved(word: str, prefix: str) -> str:
    """Return the word, with an underscore at its end where it would mean something else in C."""
    ours = prefix and word.lower().startswith(f"{prefix.lower()}_")
    return f"{word}_" if is_reserved(word) or ours else word


def temporary_prefix(letters: Sequence[str], names: Iterable[str]) -> str:
    """Return the first prefix that, followed by a number, is none of the names; none has two underscores in a row."""
    spoken = list(names)
    for letter in letters:
        pattern = re.compile(re.escape(letter) + r"\d+")
        if not any(pattern.fullmatch(name) for name in spoken):
            return letter
    return f"{letters[0]}__"


def _key(name: str, ignore_case: bool) -> str:
    return name.upper() if ignore_case else name
