"""The short form of a tree's equations: its joints in a table, and the recursion over one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eomc.backends.report.compose import Equation, Line, Part, Sentence, Table, Written
from eomc.backends.report.recursion.algebra import Call, Expression, Formula, Sym, parts_of
from eomc.backends.report.recursion.features import Features, Variant
from eomc.backends.report.recursion.sections import Section
from eomc.backends.report.recursion.spelled import LATEX, MATHML, TEXT, Language, pieces, symbol
from eomc.backends.report.recursion.steps import sections
from eomc.backends.report.recursion.symbols import FUNCTIONS, WORDS

__all__ = ["Features", "ListedJoint", "ShortForm", "Variant", "written"]

_LANGUAGES = {"text": TEXT, "latex": LATEX, "html": MATHML}
_NAMED = re.compile(r"\{([^{}_]+)(?:_(\w+))?\}")

_BODIES = "body i is what joint i carries, with all links fixed to it; p is the body before it, 0 the ground"

_MOST, _FIRST, _LAST = 60, 24, 6
"""Joints that are listed, and those of more."""


@dataclass(frozen=True, slots=True)
class ListedJoint:
    """A joint that moves: its number, that of the joint before it (0: the ground), and what is said of it."""

    number: int
    before: int
    name: str
    kind: str
    axis: str
    body: str
    mass: str


@dataclass(frozen=True, slots=True)
class ShortForm:
    """What the short form of a tree is made of."""

    joints: tuple[ListedJoint, ...]
    features: Features
    algorithm: str  # composite or articulated
    why: str


def written(given: ShortForm, language: str) -> list[Written]:
    """Return the sections in a language, ``text``, ``latex`` or ``html``."""
    spelling = _LANGUAGES[language]
    steps = sections(given.features, given.algorithm)
    body = [Written(one.title, tuple(_line(step, spelling) for step in one.steps)) for one in steps]
    return [Written("Joints", tuple(_joints(given.joints))), *body, Written("Words", (_words(steps, spelling),))]


def _joints(joints: Sequence[ListedJoint]) -> Iterator[Line]:
    count = len(joints)
    kept = joints if count <= _MOST else (*joints[:_FIRST], *joints[-_LAST:])
    rows = [(str(j.number), str(j.before), j.name, j.kind, j.axis, j.body, j.mass) for j in kept]
    if count > _MOST:
        rows.insert(_FIRST, ("...", "...", f"{count - len(kept)} more", "", "", "", ""))
    head = ("i", "p", "joint", "kind", "axis", "body", "mass [kg]")
    yield Sentence((Part(_BODIES, False),))
    yield Table(head, tuple(tuple(Part(cell, False) for cell in row) for row in rows))


def _line(step: Formula | str, language: Language) -> Line:
    if isinstance(step, str):
        return Sentence(tuple(_parts(step, language)))
    return Equation(symbol(step.left, language), pieces(step.right, language), "")


def _parts(sentence: str, language: Language) -> Iterator[Part]:
    """Return words and the symbols between them, which stand in braces."""
    end = 0
    for match in _NAMED.finditer(sentence):
        if match.start() > end:
            yield Part(sentence[end : match.start()], False)
        yield Part(symbol(Sym(match[1], match[2] or ""), language), True)
        end = match.end()
    if end < len(sentence):
        yield Part(sentence[end:], False)


def _words(steps: Sequence[Section], language: Language) -> Table:
    """Return what each symbol and function means, in the order in which they come."""
    seen: dict[str, None] = {}
    for section in steps:
        for step in section.steps:
            for one in _parts_of(step):
                if isinstance(one, Sym):
                    seen.setdefault(one.name)
                elif isinstance(one, Call):
                    seen.setdefault(f"{one.name}()")
    rows = []
    for name in seen:
        if name.endswith("()"):
            rows.append((Part(name, False), Part(FUNCTIONS[name[:-2]], False)))
        else:
            rows.append((Part(symbol(Sym(name, ""), language), True), Part(WORDS[name].meaning, False)))
    return Table((), tuple(rows))


def _parts_of(step: Formula | str) -> Iterator[Expression]:
    if isinstance(step, str):
        yield from (Sym(match[1]) for match in _NAMED.finditer(step))
    else:
        yield step.left
        yield from parts_of(step.right)
