"""The recursions over one joint as sections of formulas, for the kinds of joints that occur.

Luh, Walker & Paul (1980) outwards; composite bodies after Walker & Orin (1982), articulated bodies after Featherstone
(2008), section 7.3, both in blocks of 3 x 3. What a tree does not have, joints that slide, rotors, loads on links, is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from eomc.backends.report.recursion.algebra import (
    Cross,
    Formula,
    Number,
    Product,
    minus,
    plus,
    renamed,
    without,
)
from eomc.backends.report.recursion.articulated import articulated
from eomc.backends.report.recursion.composite import composite
from eomc.backends.report.recursion.features import Features
from eomc.backends.report.recursion.motions import joints
from eomc.backends.report.recursion.sections import Section, Step, into, s


def sections(features: Features, algorithm: str) -> list[Section]:
    """Return the recursion of a tree by an algorithm, ``composite`` or ``articulated``."""
    found = [joints(features), _outwards(features)]
    found += articulated(features) if algorithm == "articulated" else composite(features)
    found.append(_emitted(features))
    return [Section(one.title, one.order, tuple(_fitted(one.steps, features))) for one in found]


def _fitted(steps: Iterable[Step], features: Features) -> Iterable[Step]:
    """Return steps without what the tree does not have."""
    gone = {"J"} if not features.rotors else set()
    gone |= {"F", "N"} if not features.link_loads else set()
    gone |= set() if features.sliding else {"psi", "vj"}
    gone |= set() if features.turning else {"phi", "wj"}
    own = {"phi": "e", "psi": "e"} if len(features.kinds) == 1 and features.simple else {}
    for step in steps:
        if isinstance(step, str):
            yield step
            continue
        right = without(step.right, frozenset(gone))
        if step.left.name not in gone:
            yield Formula(step.left, renamed(right, own))


def _emitted(features: Features) -> Section:
    """Return what the C makes of it."""
    steps: list[Step] = [
        "all this is written out in components, without what is zero: each joint's axis is the z of its body, origins "
        "slide along axes, and mass whose motion a joint does not change is counted to the body before",
    ]
    if "free" in features.kinds:
        steps.append(
            "of a free joint on the ground the acceleration less gravity is solved for, so that neither its place nor "
            "its velocity enters the others"
        )
    return Section("In the C", "", tuple(steps))


def _outwards(features: Features) -> Section:
    before = into(s("w", "p"))
    spread = plus(s("c", "p"), Cross(s("b", "p"), s("r")), Cross(s("w", "p"), Cross(s("w", "p"), s("r"))))
    slide = Cross(plus(Product(Number(2), before), s("wj")), s("vj"))
    force = plus(Product(s("m"), s("c")), Cross(s("b"), s("h")), Cross(s("w"), Cross(s("w"), s("h"))))
    moment = plus(Product(s("I"), s("b")), Cross(s("w"), Product(s("I"), s("w"))), Cross(s("h"), s("c")))
    steps: list[Step] = [
        Formula(s("w"), plus(before, s("wj"))),
        Formula(s("b"), plus(into(s("b", "p")), Cross(before, s("wj")))),
        Formula(s("c"), plus(into(spread), slide)),
        Formula(s("f"), minus(force, s("F"))),
        Formula(s("n"), minus(moment, s("N"))),
    ]
    if not features.turning:
        steps = [
            Formula(s("c"), into(s("c", "p"))),
            Formula(s("f"), minus(Product(s("m"), s("c")), s("F"))),
            Formula(s("n"), minus(Cross(s("h"), s("c")), s("N"))),
        ]
    started = "at the ground {w}, {b} are zero and {c} is -{g}: there the acceleration is that against free fall"
    return Section("Outwards, from the ground to the ends: Newton-Euler with u' = 0", "outwards", (started, *steps))
