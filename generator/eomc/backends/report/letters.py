"""Greek letters by their names, and words that stand for them."""

from __future__ import annotations

import re
from collections.abc import Callable

GREEK = {
    "alpha": "\u03b1", "beta": "\u03b2", "gamma": "\u03b3", "delta": "\u03b4", "epsilon": "\u03b5", "zeta": "\u03b6",
    "eta": "\u03b7", "theta": "\u03b8", "iota": "\u03b9", "kappa": "\u03ba", "lambda": "\u03bb", "mu": "\u03bc",
    "nu": "\u03bd", "xi": "\u03be", "pi": "\u03c0", "rho": "\u03c1", "sigma": "\u03c3", "tau": "\u03c4",
    "upsilon": "\u03c5", "phi": "\u03c6", "chi": "\u03c7", "psi": "\u03c8", "omega": "\u03c9",
    "Gamma": "\u0393", "Delta": "\u0394", "Theta": "\u0398", "Lambda": "\u039b", "Xi": "\u039e", "Pi": "\u03a0",
    "Sigma": "\u03a3", "Upsilon": "\u03a5", "Phi": "\u03a6", "Psi": "\u03a8", "Omega": "\u03a9",
}  # fmt: skip
"""Letters that have a command of their own in LaTeX."""

_OTHERS = {"lam": "lambda", "lamda": "lambda"}  # lambda is a word of Python

_SHORTEST = 3
"""Letters of a name that is seen behind another letter: upsi is u with psi, but smu is a word."""

_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]+(?![A-Za-z])")


def greek(word: str) -> str | None:
    """Return the name of the Greek letter that a word is, None for other words."""
    return word if word in GREEK else _OTHERS.get(word)


def with_greek_subscript(word: str) -> tuple[str, str] | None:
    """Return the letter and the Greek name behind it, as in upsi, the speed that goes with psi."""
    if greek(word) is None and len(word) > _SHORTEST and greek(word[1:]) is not None:
        return word[0], word[1:]
    return None


def with_greek(text: str, spell: Callable[[str], str]) -> str:
    """Return words with the names of Greek letters spelled as letters."""
    return _WORD.sub(lambda match: spell(letter) if (letter := greek(match[0])) else match[0], text)
