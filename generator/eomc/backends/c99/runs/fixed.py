"""Tableau -> FixedView: runs in the fixed steps of the model's own scheme, between which cubic polynomials go."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.backends.c99.implicit import ahead
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
        ahead=tuple(map(_sum, ahead(tableau))) if tableau.implicit else (),
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
    if tableau.implicit:
        lines += [
            Line(f"    {real} slopes[{len(tableau.b)}][{size}];", "of the stages of the last step"),
            Line(f"    {real} low[{size}];", "what x lacks by rounding"),
            Line(f"    {real} taken;", "length of the step whose slopes these are; 0 for none"),
        ]
    if scope.inputs:
        lines.append(Line(f"    {scope.prefix}_inputs r[{inputs}];", "inputs of the step"))
    return documented(lines)


def fixed_reals(tableau: Tableau, scope: Scope, projected: bool) -> int:
    """Return how many reals these are, beside those of where it is."""
    vectors = 2 + (len(tableau.b) + 1 if tableau.implicit else 0)
    return vectors * len(scope.states) + 3 + tableau.implicit + len(scope.inputs) * len(tableau.times(projected))


def _sum(weights: Sequence[Fraction]) -> str:
    """Return a weighted sum of the slopes of the stages in state i."""
    return " + ".join(f"(REAL({number(weight)}) * before[{stage}])" for stage, weight in enumerate(weights))
