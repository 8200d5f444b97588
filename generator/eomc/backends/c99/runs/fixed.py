"""Tableau -> FixedView: runs in the fixed steps of the model's own scheme, between which cubic polynomials go."""

from __future__ import annotations

from fractions import Fraction

from eomc.backends.c99.layout import Line
from eomc.backends.c99.runs.shared import COUNT, static_signature
from eomc.backends.c99.runs.views import FixedView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.backends.c99.variables import documented
from eomc.tableaus import Tableau

DENSE_ORDER = 3


def fixed_view(tableau: Tableau, scope: Scope, projected: bool) -> FixedView:
    """Return what the template places of a scheme; steps may end with a projection."""
    return FixedView(
        step_signature=static_signature("take_step", ("h",), tableau.name, scope),
        shares=tuple(f"REAL({number(Fraction(share))})" for share in tableau.times(projected)),
    )


def fixed_members(tableau: Tableau, scope: Scope, projected: bool) -> tuple[str, ...]:
    """Return the members of the struct of a run."""
    real, size, inputs = f"{scope.prefix}_real", f"{scope.macro}_NX", len(tableau.times(projected))
    lines = [
        Line(f"    {scope.prefix}_run at;", "where it is"),
        Line(f"    {real} k[2][{size}];", "slopes at the ends of the step"),
        Line(f"    {real} seen;", "latest time at which the step is looked at"),
        Line(f"    {real} since;", "time from which steps are counted"),
        Line(f"    {COUNT} count;", "of these steps"),
    ]
    if scope.inputs:
        lines.append(Line(f"    {scope.prefix}_inputs r[{inputs}];", "inputs of the step"))
    return documented(lines)


def fixed_reals(tableau: Tableau, scope: Scope, projected: bool) -> int:
    """Return how many reals these are, beside those of where it is."""
    return 2 * len(scope.states) + 3 + len(scope.inputs) * len(tableau.times(projected))
