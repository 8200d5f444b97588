"""Coordinates that a constraint holds at the length of one together, as a quaternion's."""

from __future__ import annotations

import sympy

from eomc.model.model import Model


def unit_coordinates(model: Model) -> list[tuple[sympy.Expr, ...]]:
    """Return the coordinates in each configuration constraint c (q_a^2 + q_b^2 + ... - 1) = 0, c a number."""
    found = []
    for equation in getattr(model.dynamics, "configuration_constraints", ()):
        held = tuple(q for q in model.coordinates if equation.has(q))
        norm = sympy.Add(*(q**2 for q in held), -1)
        factor = equation.xreplace(dict.fromkeys(held, sympy.S.Zero))
        if len(held) > 1 and factor.is_number and sympy.expand(equation + factor * norm) == 0:
            found.append(held)
    return found
