"""Composite bodies in blocks of 3 x 3, after Walker and Orin (1982), and the factors of their mass matrix."""

from __future__ import annotations

from eomc.backends.report.recursion.algebra import (
    Cross,
    Dot,
    Expression,
    Formula,
    Over,
    Product,
    Quotient,
    Skew,
    Transposed,
    minus,
    plus,
)
from eomc.backends.report.recursion.features import Features
from eomc.backends.report.recursion.sections import Section, Step, by_rate, carried, outside, s, terms_of, turned


def composite(features: Features) -> list[Section]:
    """Return the way inwards, the columns of M, and the solution."""
    force, moment = carried("fC", "nC")
    first, arm = turned("c", s("hC", "c")), Skew(s("r", "c"))
    inertia = minus(
        turned("c", Product(s("IC", "c"), Transposed(s("R", "c")))),
        Product(Skew(first), arm),
        Product(arm, Skew(first)),
        Product(s("mC", "c"), Product(arm, arm)),
    )
    inwards: list[Step] = [
        "c stands for each joint on the body",
        Formula(s("mC"), plus(s("m"), Over("c", s("mC", "c")))),
        Formula(s("hC"), plus(s("h"), Over("c", plus(first, Product(s("mC", "c"), s("r", "c")))))),
        Formula(s("IC"), plus(s("I"), Over("c", inertia))),
        Formula(s("fC"), plus(s("f"), force)),
        Formula(s("nC"), plus(s("n"), moment)),
    ]
    out = turned("k", s("Y", "ik"))
    columns: list[Step] = [
        Formula(s("Y", "ii"), plus(Cross(s("phi"), s("hC")), Product(s("mC"), s("psi")))),
        Formula(s("Z", "ii"), plus(Product(s("IC"), s("phi")), Cross(s("hC"), s("psi")))),
        Formula(s("M", "ii"), plus(by_rate(s("Z", "ii"), s("Y", "ii")), s("J"))),
        "and from there to the ground, k being the joint on body j by which it carries i",
        Formula(s("Y", "ij"), out),
        Formula(s("Z", "ij"), plus(turned("k", s("Z", "ik")), Cross(s("r", "k"), out))),
        Formula(s("M", "ij"), plus(Dot(s("phi", "j"), s("Z", "ij")), Dot(s("psi", "j"), s("Y", "ij")))),
    ]
    if not features.simple:
        columns.append("a joint of several rates has a row and a column for each, and its rates read the same wrench")
    right = minus(s("tau"), *terms_of(by_rate(s("nC"), s("fC"))))
    steps = [
        Section("Inwards, from the ends to the ground: composite bodies", "inwards", tuple(inwards)),
        Section("Columns of the mass matrix", "columns", tuple(columns)),
    ]
    return [*steps, *_solved(features, right)]


def _solved(features: Features, right: Expression) -> list[Section]:
    """Return how u' is found from M and the right side."""
    if features.constrained:
        told = "{M} u' + J^T {lam} = {x} is solved with the constraints' J, which acts beside the joints"
        return [Section("Solution", "factors", (Formula(s("x"), right), told, *outside(features)))]
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
        Section("Outwards: accelerations", "solution", (Formula(s("ud"), found), *outside(features))),
    ]
