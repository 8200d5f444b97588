"""Tableau -> FixedView: runs in fixed steps, between whose ends polynomials go that err no more than the steps.

Cubic ones, with the states and slopes at both ends, err by h^4, as schemes of order 4 do over a run. Quintic ones have
the slopes at two times within the step, too, each evaluated at the polynomial that was known before: from the cubic one
they err by h^5, and from that by h^6 (Enright, Jackson, Norsett and Thomsen, *Interpolants for Runge-Kutta formulas*,
1986). The times are symmetric, as the step may be.
"""

from __future__ import annotations

from fractions import Fraction

from eomc.backends.c99.layout import declaration
from eomc.backends.c99.runs.shared import COUNT, SEEN, Member, given, static_signature
from eomc.backends.c99.runs.views import FixedView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.tableaus import Tableau


def dense_order(tableau: Tableau) -> int:
    """Return the degree of the polynomials between the ends of steps."""
    return 3 if tableau.order <= 4 else 5


def fixed_view(tableau: Tableau, scope: Scope, projected: bool) -> FixedView:
    """Return what the template places of a scheme; steps may end with a projection."""
    return FixedView(
        step_signature=static_signature("take_step", ("h",), tableau.name, scope),
        advance_signature=declaration(
            f"static {scope.prefix}_status advance_to(",
            (f"{scope.prefix}_real t_limit", "int counted", *given(scope), f"{scope.prefix}_{tableau.name} *run"),
        ),
        bend_signature=static_signature("bend", ("h",), tableau.name, scope),
        shares=tuple(f"REAL({number(Fraction(share))})" for share in tableau.times(projected)),
        implicit=tableau.implicit,
        quintic=dense_order(tableau) > 3,
    )


def fixed_members(tableau: Tableau, scope: Scope, projected: bool, events: bool) -> list[Member]:
    """Return the members of the struct of a run, beside where it is; `events` may end its steps."""
    n, size, times = len(scope.states), f"{scope.macro}_NX", len(tableau.times(projected))
    members = [
        Member(f"k[2][{size}]", 2 * n, "slopes at the ends of the step"),
        Member(f"change[{size}]", n, "of the state in it"),
        SEEN,
        Member("since", 1, "time from which steps are counted"),
        Member("count", 1, "of these steps", COUNT),
    ]
    if events:
        members.append(Member("goal", 1, "time from which on the step is whole; an event may end it before"))
    if dense_order(tableau) > 3:
        members += [
            Member(f"y[{size}]", n, "state within the step"),
            Member(f"inner[2][{size}]", 2 * n, "slopes within the step"),
            Member(f"bend[2][{size}]", 2 * n, "terms of order 4 and 5 of the polynomial"),
        ]
    if tableau.implicit:
        stages = len(tableau.b)
        members += [
            Member(f"slopes[{stages}][{size}]", stages * n, "of the stages of the last step"),
            Member(f"low[{size}]", n, "what x lacks by rounding"),
            Member("taken", 1, "length of the step whose slopes these are; 0 for none"),
        ]
    if scope.inputs:
        inputs = times * len(scope.inputs)
        members.append(Member(f"r[{times}]", inputs, "inputs of the step", f"{scope.prefix}_inputs"))
    return members
