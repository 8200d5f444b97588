"""The recursions over one joint as sections of formulas, for the kinds of joints that occur.

Luh, Walker & Paul (1980) outwards; composite bodies after Walker & Orin (1982), articulated bodies after Featherstone
(2008), section 7.3, both in blocks of 3 x 3. What a tree does not have, joints that slide, rotors, loads on links, is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from eomc.backends.report.recursion.algebra import (
    ZERO,
    Call,
    Cross,
    Dot,
    Dyad,
    Expression,
    Formula,
    Number,
    Over,
    Product,
    Quotient,
    Skew,
    Sum,
    Sym,
    Transposed,
    minus,
    plus,
    renamed,
    without,
)

Step: TypeAlias = Formula | str


@dataclass(frozen=True, slots=True, order=True)
class Variant:
    """A kind of joint: revolute, prismatic, ball or free, the last two by angles or a quaternion.

    The speeds of these are in axes of the body, or `outside`, of the link that carries the joint.
    """

    kind: str
    angles: bool = False
    outside: bool = False

    @property
    def words(self) -> str:
        """What stands above its formulas."""
        if self.kind in ("revolute", "prismatic"):
            return f"{self.kind}, with the speed u = q':"
        number = "three speeds" if self.kind == "ball" else "six speeds, those of the origin first,"
        by = "angles" if self.angles else "a quaternion"
        axes = "the link that carries it" if self.outside else "the body"
        return f"{self.kind}, by {by}, with {number} in axes of {axes}:"


@dataclass(frozen=True, slots=True)
class Features:
    """What a tree has: kinds of joints, and the rest."""

    variants: tuple[Variant, ...]
    rotors: bool = False
    link_loads: bool = False
    followers: bool = False
    constrained: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of joints."""
        return frozenset(one.kind for one in self.variants)

    @property
    def outer(self) -> bool:
        """Whether speeds are in axes of what carries the joint."""
        return any(one.outside for one in self.variants)

    @property
    def turning(self) -> bool:
        """Whether a joint turns."""
        return self.kinds != {"prismatic"}

    @property
    def sliding(self) -> bool:
        """Whether a joint slides."""
        return not self.kinds.isdisjoint({"prismatic", "free"})

    @property
    def simple(self) -> bool:
        """Whether all joints have one speed."""
        return self.kinds <= {"revolute", "prismatic"}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the recursion: over which joints, in which order, and what is done at each."""

    title: str
    order: str  # a key of tests and of nobody else: outwards, inwards, columns, factors
    steps: tuple[Step, ...]


def s(name: str, index: str = "i") -> Sym:
    """Return a quantity."""
    return Sym(name, index)


def _turned(index: str, of: Expression) -> Product:
    return Product(s("R", index), of)


def _into(of: Expression) -> Product:
    return Product(Transposed(s("R")), of)


def sections(features: Features, algorithm: str) -> list[Section]:
    """Return the recursion of a tree by an algorithm, ``composite`` or ``articulated``."""
    found = [_joints(features), _outwards(features)]
    found += _articulated(features) if algorithm == "articulated" else _composite(features)
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


# -- the joint -------------------------------------------------------------------------------------------------------


def _joints(features: Features) -> Section:
    several = len(features.kinds) > 1 or not features.simple
    steps = [step for one in features.variants for step in (one.words, *motion(one, several))]
    return Section("A joint i on body p", "outwards", tuple(steps))


def motion(variant: Variant, several: bool = True) -> list[Step]:
    """Return how a joint moves its body; with `several` kinds, its unit motions phi and psi too."""
    if variant.kind == "revolute":
        own: list[Step] = [
            Formula(s("R"), Product(s("C"), Call("turn", (s("e"), s("q"))))),
            Formula(s("r"), s("d")),
            Formula(s("wj"), Product(s("e"), s("u"))),
        ]
        return own + [Formula(s("vj"), ZERO), Formula(s("phi"), s("e")), Formula(s("psi"), ZERO)] * several
    if variant.kind == "prismatic":
        own = [
            Formula(s("R"), s("C")),
            Formula(s("r"), plus(s("d"), Product(Product(s("C"), s("e")), s("q")))),
            Formula(s("vj"), Product(s("e"), s("u"))),
        ]
        return own + [Formula(s("wj"), ZERO), Formula(s("phi"), ZERO), Formula(s("psi"), s("e"))] * several
    inside = Product(Transposed(s("R")), s("P"))
    turning, moving = (Product(inside, one) if variant.outside else one for one in (s("u"), s("v")))
    steps: list[Step] = [Formula(s("R"), Product(s("C"), Call("turn", (s("q"),)))), Formula(s("wj"), turning)]
    if variant.angles:
        steps.append(Formula(s("wj"), Call("angular", (s("q"), s("qd")))))
    else:
        steps.append(Formula(s("qd"), Call("half", (s("q"), s("wj")))))
    if variant.kind == "ball":
        told = "{phi_i} is one of the three unit vectors of the body, {psi_i} is zero"
        return [*steps, Formula(s("r"), s("d")), Formula(s("vj"), ZERO), told]
    return [
        *steps,
        Formula(s("r"), plus(s("d"), Product(s("P"), s("s")))),
        Formula(s("vj"), moving),
        Formula(s("sd"), Product(Transposed(s("P")), _turned("i", s("vj")))),
        "{psi_i} is a unit vector of the body for the first three speeds, {phi_i} for the others, the other one zero",
    ]


# -- Newton and Euler ------------------------------------------------------------------------------------------------


def _outwards(features: Features) -> Section:
    before = _into(s("w", "p"))
    spread = plus(s("c", "p"), Cross(s("b", "p"), s("r")), Cross(s("w", "p"), Cross(s("w", "p"), s("r"))))
    slide = Cross(plus(Product(Number(2), before), s("wj")), s("vj"))
    force = plus(Product(s("m"), s("c")), Cross(s("b"), s("h")), Cross(s("w"), Cross(s("w"), s("h"))))
    moment = plus(Product(s("I"), s("b")), Cross(s("w"), Product(s("I"), s("w"))), Cross(s("h"), s("c")))
    steps: list[Step] = [
        Formula(s("w"), plus(before, s("wj"))),
        Formula(s("b"), plus(_into(s("b", "p")), Cross(before, s("wj")))),
        Formula(s("c"), plus(_into(spread), slide)),
        Formula(s("f"), minus(force, s("F"))),
        Formula(s("n"), minus(moment, s("N"))),
    ]
    if not features.turning:
        steps = [
            Formula(s("c"), _into(s("c", "p"))),
            Formula(s("f"), minus(Product(s("m"), s("c")), s("F"))),
            Formula(s("n"), minus(Cross(s("h"), s("c")), s("N"))),
        ]
    started = "at the ground {w}, {b} are zero and {c} is -{g}: there the acceleration is that against free fall"
    return Section("Outwards, from the ground to the ends: Newton-Euler with u' = 0", "outwards", (started, *steps))


def _by_rate(moment: Sym, force: Sym) -> Expression:
    return plus(Dot(s("phi"), moment), Dot(s("psi"), force))


def _carried(force: str, moment: str) -> tuple[Expression, Expression]:
    """Return what joints c transmit: R f, and R n + r x R f."""
    out = _turned("c", s(force, "c"))
    return Over("c", out), Over("c", plus(_turned("c", s(moment, "c")), Cross(s("r", "c"), out)))


# -- articulated bodies ----------------------------------------------------------------------------------------------


def _articulated(features: Features) -> list[Section]:
    force, moment = _carried("fa", "na")
    again = "of several rates the last comes first, and the next finds what it leaves as articulated inertia"

    def tensor(name: str) -> Product:
        return _turned("c", Product(s(name, "c"), Transposed(s("R", "c"))))

    arm, half = Skew(s("r", "c")), Quotient(Number(1), Number(2))
    moved = plus(Product(arm, Transposed(s("K", "c"))), Product(s("K", "c"), Transposed(arm)))
    inwards: list[Step] = [
        "c stands for each joint on the body",
        Formula(s("IA"), plus(s("I"), Over("c", plus(tensor("Ia"), moved)))),
        Formula(s("HA"), plus(Skew(s("h")), Over("c", plus(tensor("Ha"), Product(arm, tensor("Ma")))))),
        Formula(s("MA"), plus(Product(s("m"), s("one", "")), Over("c", tensor("Ma")))),
        Formula(s("fA"), plus(s("f"), force)),
        Formula(s("nA"), plus(s("n"), moment)),
        Formula(s("k"), plus(Product(s("IA"), s("phi")), Product(s("HA"), s("psi")))),
        Formula(s("l"), plus(Product(Transposed(s("HA")), s("phi")), Product(s("MA"), s("psi")))),
        Formula(s("D"), plus(_by_rate(s("k"), s("l")), s("J"))),
        Formula(s("T"), minus(s("tau"), *_each(_by_rate(s("nA"), s("fA"))))),
        Formula(s("Ia"), minus(s("IA"), Quotient(Dyad(s("k"), s("k")), s("D")))),
        Formula(s("Ha"), minus(s("HA"), Quotient(Dyad(s("k"), s("l")), s("D")))),
        Formula(s("Ma"), minus(s("MA"), Quotient(Dyad(s("l"), s("l")), s("D")))),
        Formula(s("fa"), plus(s("fA"), Quotient(Product(s("T"), s("l")), s("D")))),
        Formula(s("na"), plus(s("nA"), Quotient(Product(s("T"), s("k")), s("D")))),
        Formula(
            s("K", "i"),
            plus(
                _turned("i", Product(s("Ha"), Transposed(s("R")))),
                Product(half, Product(Skew(s("r")), _turned("i", Product(s("Ma"), Transposed(s("R")))))),
            ),
        ),
        *([] if features.simple else [again]),
    ]
    reached = "at the ground {al} and {a} are zero"
    before = [
        Formula(s("al"), _into(s("al", "p"))),
        Formula(s("a"), _into(plus(s("a", "p"), Cross(s("al", "p"), s("r"))))),
    ]
    solved = Quotient(minus(s("T"), Dot(s("k"), s("al-")), Dot(s("l"), s("a-"))), s("D"))
    outwards: list[Step] = [
        reached,
        *(Formula(s(f"{one.left.name}-"), one.right) for one in before),
        Formula(s("ud"), solved),
        Formula(s("al"), plus(s("al-"), Product(s("phi"), s("ud")))),
        Formula(s("a"), plus(s("a-"), Product(s("psi"), s("ud")))),
        *([] if features.simple else ["of several rates the first comes first and adds to {al_i} and {a_i}"]),
        *_outer(features),
    ]
    return [
        Section("Inwards, from the ends to the ground: articulated bodies", "inwards", tuple(inwards)),
        Section("Outwards again: accelerations", "outwards", tuple(outwards)),
    ]


def _each(given: Expression) -> list[Expression]:
    """Return the terms of a sum."""
    return [term for _, term in given.terms] if isinstance(given, Sum) else [given]


def _outer(features: Features) -> list[Step]:
    if not features.outer:
        return []
    return [
        "where speeds are in axes of the link that carries the joint, {ud_i} and {tau_i} are still in those of the "
        "body: turned by R and back by P they belong to the speeds, of an origin after {wj_i} x {vj_i} joins {ud_i}"
    ]


# -- composite bodies ------------------------------------------------------------------------------------------------


def _composite(features: Features) -> list[Section]:
    force, moment = _carried("fC", "nC")
    turned, arm = _turned("c", s("hC", "c")), Skew(s("r", "c"))
    inertia = minus(
        _turned("c", Product(s("IC", "c"), Transposed(s("R", "c")))),
        Product(Skew(turned), arm),
        Product(arm, Skew(turned)),
        Product(s("mC", "c"), Product(arm, arm)),
    )
    inwards: list[Step] = [
        "c stands for each joint on the body",
        Formula(s("mC"), plus(s("m"), Over("c", s("mC", "c")))),
        Formula(s("hC"), plus(s("h"), Over("c", plus(turned, Product(s("mC", "c"), s("r", "c")))))),
        Formula(s("IC"), plus(s("I"), Over("c", inertia))),
        Formula(s("fC"), plus(s("f"), force)),
        Formula(s("nC"), plus(s("n"), moment)),
    ]
    out = _turned("k", s("Y", "ik"))
    columns: list[Step] = [
        Formula(s("Y", "ii"), plus(Cross(s("phi"), s("hC")), Product(s("mC"), s("psi")))),
        Formula(s("Z", "ii"), plus(Product(s("IC"), s("phi")), Cross(s("hC"), s("psi")))),
        Formula(s("M", "ii"), plus(_by_rate(s("Z", "ii"), s("Y", "ii")), s("J"))),
        "and from there to the ground, k being the joint on body j by which it carries i",
        Formula(s("Y", "ij"), out),
        Formula(s("Z", "ij"), plus(_turned("k", s("Z", "ik")), Cross(s("r", "k"), out))),
        Formula(s("M", "ij"), plus(Dot(s("phi", "j"), s("Z", "ij")), Dot(s("psi", "j"), s("Y", "ij")))),
    ]
    if not features.simple:
        columns.append("a joint of several rates has a row and a column for each, and its rates read the same wrench")
    right = minus(s("tau"), *_each(_by_rate(s("nC"), s("fC"))))
    steps = [
        Section("Inwards, from the ends to the ground: composite bodies", "inwards", tuple(inwards)),
        Section("Columns of the mass matrix", "columns", tuple(columns)),
    ]
    return [*steps, *_solved(features, right)]


def _solved(features: Features, right: Expression) -> list[Section]:
    if features.constrained:
        told = "{M} u' + J^T {lam} = {x} is solved with the constraints' J, which acts beside the joints"
        return [Section("Solution", "factors", (Formula(s("x"), right), told))]
    if features.followers:
        told = ("the speeds of all joints are G times those that follow none, with the factor of each follower in G: "
                "G^T M G and G^T x stand in the places of M and x below")  # fmt: skip
    else:
        told = "d stands for each rate further out on the tree than i, j for each before it"
    below = Over("d", Product(s("L", "di"), Product(s("D", "d"), s("L", "di"))))
    across = Over("d", Product(s("L", "di"), Product(s("D", "d"), s("L", "dj"))))
    inwards: list[Step] = [
        told,
        Formula(s("D"), minus(s("M", "ii"), below)),
        Formula(s("L", "ij"), Quotient(minus(s("M", "ij"), across), s("D"))),
        Formula(s("x"), minus(right, Over("d", Product(s("L", "di"), s("x", "d"))))),
    ]
    found = minus(Quotient(s("x"), s("D")), Over("j", Product(s("L", "ij"), s("ud", "j"))))
    return [
        Section("Inwards: M = L^T D L, without other zeros than those of M", "factors", tuple(inwards)),
        Section("Outwards: accelerations", "solution", (Formula(s("ud"), found), *_outer(features))),
    ]
