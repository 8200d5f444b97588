"""Which symbols may stand where: constraints on configuration or on velocity, energies, gravity."""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from eomc.errors import ModelError
from eomc.model.linearity import nonlinear_symbols
from eomc.model.vocabulary import excerpt
from eomc.model.walking import mentions


def check_free_of(expression: sympy.Basic, symbols: Iterable[sympy.Basic], what: str, remedy: str) -> None:
    """Raise ModelError if one of `symbols` occurs in `expression`."""
    found = mentions(expression, set(symbols))
    if found:
        raise ModelError(f"{what} contains {found[0]}: {remedy}")


def check_configuration_constraints(
    constraints: Iterable[sympy.Expr], coordinates: Iterable[sympy.Expr], motion: Iterable[sympy.Expr]
) -> None:
    """Raise ModelError unless `constraints` hold some of `coordinates`, but no `motion`: speeds, derivatives."""
    moving, places = set(motion), set(coordinates)
    for number, constraint in enumerate(constraints, 1):
        remedy = "a constraint on velocities belongs in velocity_constraints"
        check_free_of(constraint, moving, f"configuration constraint {number}", remedy)
        if not mentions(constraint, places):
            raise ModelError(
                f"configuration constraint {number}, {excerpt(constraint)} = 0, holds no coordinate, so that it is "
                f"true or false whatever moves: take it out"
            )


def check_velocity_constraints(constraints: Iterable[sympy.Expr], motion: Iterable[sympy.Expr]) -> None:
    """Raise ModelError unless each of `constraints` contains some of `motion`, linearly."""
    moving = set(motion)
    for number, constraint in enumerate(constraints, 1):
        if not mentions(constraint, moving):
            raise ModelError(
                f"no generalized speed appears in velocity constraint {number}; is it a configuration constraint? "
                f"Then give it in configuration_constraints, and its time derivative here"
            )
        nonlinear = nonlinear_symbols(constraint, moving)
        if nonlinear:
            raise ModelError(
                f"velocity constraint {number} is not linear in {', '.join(map(str, nonlinear))}: only constraints "
                f"linear in the speeds can be served"
            )
