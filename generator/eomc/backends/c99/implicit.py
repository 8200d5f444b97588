"""Tableau -> ImplicitView: a step whose slopes follow from each other.

The slopes are found anew, stage by stage, each from the newest of all, until no change falls any more: what is left is
rounding. Iterating until changes are small would leave an error of one sign, which adds up over steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from eomc.backends.c99.inlined import SLOPES, is_small
from eomc.backends.c99.layout import declaration
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.backends.c99.step_views import ImplicitView
from eomc.ir.operations import OperationCounts
from eomc.tableaus import Tableau

__all__ = ["HOW", "ROUNDS", "implicit_cost", "implicit_view"]

ROUNDS = 50
"""After so many, slopes whose changes still fall count as not found: with a third less each time they would be."""

STATUS = "NOT_CONVERGED"
"""What such a step returns."""

HOW = (
    "The slopes of its stages follow from each other. They are found by iteration, until what changes is rounding.",
    "It is symmetric, and symplectic where Hamilton's equations are those of the model.",
)
"""Said in the header."""


def implicit_view(tableau: Tableau, scope: Scope, inlined: bool) -> ImplicitView:
    """Return what the template places of an implicit scheme; the state derivative may have a static function."""
    prefix, macro = scope.prefix, scope.macro
    times = tableau.times(projected=False)
    arguments = (
        f"{prefix}_real t",
        f"{prefix}_real h",
        f"const {prefix}_inputs *const r[{len(times)}]",
        "int known",
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
        f"{prefix}_real k[{len(tableau.b)}][{macro}_NX]",
        f"{prefix}_real low[{macro}_NX]",
        f"{prefix}_real x[{macro}_NX]",
    )
    along = " + ".join(f"(a[stage][{slope}] * k[{slope}][i])" for slope in range(len(tableau.b)))
    return ImplicitView(
        signature=declaration(f"{prefix}_status {prefix}_{tableau.name}_step_on(", arguments),
        stages=len(tableau.b),
        middle=len(tableau.b) // 2,
        shares=", ".join(_literal(share) for share in times),
        weights=tuple(", ".join(_literal(weight) for weight in row) for row in tableau.a),
        slopes=SLOPES if inlined else f"{prefix}_rhs",
        ahead=tuple(map(_sum, _ahead(tableau))),
        state=_for_each_state((f"work->y[i] = x[i] + (low[i] + (h * ({along})));",), scope),
        renewed=_for_each_state(
            (
                "work->change[i] = larger(work->change[i], size_of(work->slope[i] - k[stage][i]));",
                "k[stage][i] = work->slope[i];",
            ),
            scope,
        ),
        change=" + ".join(f"({_literal(weight)} * k[{slope}][i])" for slope, weight in enumerate(tableau.b)),
        rounds=ROUNDS,
    )


def _ahead(tableau: Tableau) -> tuple[tuple[Fraction, ...], ...]:
    """Return weights of the slopes of a step that make those of the next, of the same length: a polynomial goes on."""
    c = tableau.c

    def weight(x: Fraction, j: int) -> Fraction:
        others = [node for i, node in enumerate(c) if i != j]
        return math.prod(((x - node) / (c[j] - node) for node in others), start=Fraction(1))

    return tuple(tuple(weight(1 + x, j) for j in range(len(c))) for x in c)


def _sum(weights: Sequence[Fraction]) -> str:
    """Return a weighted sum of the slopes of the stages in state i."""
    return " + ".join(f"({_literal(weight)} * before[{stage}])" for stage, weight in enumerate(weights))


def implicit_cost(tableau: Tableau, states: int, rhs: OperationCounts) -> tuple[OperationCounts, OperationCounts]:
    """Return what a step takes beside its rounds, and in each of them."""
    stages = len(tableau.b)
    along = OperationCounts(additions=1 + stages, multiplications=1 + stages)
    time = OperationCounts(additions=1, multiplications=1)
    change = OperationCounts(additions=2, others=2)
    found = OperationCounts(additions=4, multiplications=4, others=6)
    added = OperationCounts(additions=5)
    once = rhs + time + (along + found + added) * states + OperationCounts(additions=1, others=1)
    each = (rhs + time) * stages
    each += ((along + change) * stages + OperationCounts(others=2)) * states
    return once, each


def _for_each_state(statements: Sequence[str], scope: Scope) -> tuple[str, ...]:
    """Return the lines that do for every state what statements do for state i: few states have their own."""
    if is_small(scope):
        return tuple(one.replace("[i]", f"[{i}]") for i in range(len(scope.states)) for one in statements)
    return (f"for (i = 0; i < {scope.macro}_NX; ++i) {{", *(f"    {one}" for one in statements), "}")


def _literal(value: Fraction | int) -> str:
    return f"REAL({number(value)})"
