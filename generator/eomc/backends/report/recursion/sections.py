"""Sections of formulas, and what several of them hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from eomc.backends.report.recursion.algebra import (
    Cross,
    Dot,
    Expression,
    Formula,
    Over,
    Product,
    Sum,
    Sym,
    Transposed,
    plus,
)
from eomc.backends.report.recursion.features import Features

Step: TypeAlias = Formula | str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the recursion: over which joints, in which order, and what is done at each."""

    title: str
    order: str  # a key of tests and of nobody else: outwards, inwards, columns, factors
    steps: tuple[Step, ...]


def s(name: str, index: str = "i") -> Sym:
    """Return a quantity."""
    return Sym(name, index)


def turned(index: str, of: Expression) -> Product:
    """Return a vector or tensor of a body in axes of p."""
    return Product(s("R", index), of)


def into(of: Expression) -> Product:
    """Return a vector of p in axes of the body."""
    return Product(Transposed(s("R")), of)


def by_rate(moment: Sym, force: Sym) -> Expression:
    """Return what a wrench does along a unit motion."""
    return plus(Dot(s("phi"), moment), Dot(s("psi"), force))


def carried(force: str, moment: str) -> tuple[Expression, Expression]:
    """Return what joints c transmit: R f, and R n + r x R f."""
    out = turned("c", s(force, "c"))
    return Over("c", out), Over("c", plus(turned("c", s(moment, "c")), Cross(s("r", "c"), out)))


def terms_of(given: Expression) -> list[Expression]:
    """Return the terms of a sum."""
    return [term for _, term in given.terms] if isinstance(given, Sum) else [given]


def outside(features: Features) -> list[Step]:
    """Return what is said of speeds in axes of what carries the joint."""
    if not features.outer:
        return []
    told: list[Step] = [
        "where speeds are in axes of the link that carries the joint, {ud_i} and {tau_i} are still in those of the "
        "body: turned by R and back by P they belong to the speeds, of an origin after {wj_i} x {vj_i} joins {ud_i}"
    ]
    if features.rotors_outside:
        told.append("a rotor goes with the speeds: the {tau_i} of such an origin is less by {J_i} ({wj_i} x {vj_i})")
    return told
