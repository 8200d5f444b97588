"""A scalar expression of a model: where it stands, what it is for, in what it is measured there."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, NamedTuple

import sympy

from eomc.model import geometry


class Role(enum.Enum):
    """What an expression is for; motion is what the derivation differentiates with respect to time.

    Accelerations that the user set, loads, rates of extra states, and outputs may hold u' and q''; outputs z', too.
    """

    MOTION = "motion"
    ACCELERATION = "acceleration"
    LOAD = "load"
    FORCE = "force"
    RATE = "rate"
    OUTPUT = "output"


class Measured(NamedTuple):
    """In what an expression is measured by its place: a unit, times that of a symbol, by powers of another's."""

    unit: str = ""  # of SI; empty where the terms must agree with each other alone
    times: sympy.Basic | None = None
    per: tuple[sympy.Basic, ...] = ()


ALIKE = Measured()
"""Of expressions whose terms must agree, whatever they are."""

PURE = Measured("1")
"""Of numbers without a unit."""


class Place(NamedTuple):
    """One scalar expression, where it stands ("load 2 on Q") and what it is for."""

    expression: sympy.Basic
    label: str
    role: Role
    rates: int = 0  # how many times the accelerations differentiate it with respect to time
    needed: bool = True  # else its symbols may lack a value
    measured: Measured = ALIKE
    axis: str = ""  # of a component of a vector: along what it is, "N.x"

    @property
    def words(self) -> str:
        """The label, with the axis of a component."""
        return f"{self.label} along {self.axis}" if self.axis else self.label


def numbered(
    expressions: tuple[sympy.Expr, ...], what: str, role: Role, rates: int = 0, measured: Measured = ALIKE
) -> Iterator[Place]:
    """Yield the places of expressions in a list."""
    for number, expression in enumerate(expressions, 1):
        yield Place(expression, f"{what} {number}", role, rates, measured=measured)


def of_vector(vector: Any, label: str, role: Role, unit: str, rates: int = 0) -> Iterator[Place]:
    """Yield the places of the components of a vector, but for zeros."""
    measured = Measured(unit)
    for components, frame in vector.args:
        name = str(frame)
        for axis, entry in zip("xyz", geometry.components_of(components), strict=False):
            if entry is sympy.S.Zero:
                continue
            yield Place(entry, label, role, rates, measured=measured, axis=f"{name}.{axis}")
