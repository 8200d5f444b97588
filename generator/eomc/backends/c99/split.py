"""Tableau -> SplitView: a step that is made of parts of the motion in turn."""

from __future__ import annotations

from eomc.backends.c99.inlined import is_small
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.backends.c99.step_views import SplitView
from eomc.ir.method import SecondHalf
from eomc.ir.operations import OperationCounts
from eomc.ir.program import Program
from eomc.passes.rates import RATES
from eomc.passes.splitting import FORCES
from eomc.tableaus import Tableau

__all__ = ["HOW", "split_cost", "split_view"]

HOW = (
    "Coordinates drift along q' at constant speeds or momenta; these are kicked at constant coordinates, in turn.",
    "It is symmetric, and symplectic where Hamilton's equations are those of the model.",
)
"""Said in the header."""


def split_view(tableau: Tableau, scope: Scope, program: Program) -> SplitView:
    """Return what the template places of a splitting."""
    times = tableau.times(projected=False)
    count = program.coordinates
    return SplitView(
        second="momenta" if program.method.second is SecondHalf.MOMENTA else "speeds",
        kicks=len(tableau.b),
        drifts=", ".join(f"REAL({number(share)})" for share in tableau.drifts),
        lengths=", ".join(f"REAL({number(share)})" for share in tableau.b),
        shares=", ".join(f"REAL({number(share)})" for share in tableau.c),
        places=", ".join(str(times.index(share)) for share in tableau.c),
        rates=RATES,
        forces=FORCES,
        drifted=_moved(scope, count, 0),
        kicked=_moved(scope, count, count),
    )


def split_cost(tableau: Tableau, coordinates: int, rates: OperationCounts, forces: OperationCounts) -> OperationCounts:
    """Return what a step takes."""
    kicks = len(tableau.b)
    moves = 2 * kicks + 1
    moved = OperationCounts(additions=1, multiplications=1) * (coordinates * moves) + OperationCounts(
        multiplications=moves
    )
    times = OperationCounts(additions=1, multiplications=1) * kicks
    return rates * (kicks + 1) + forces * kicks + moved + times


def _moved(scope: Scope, count: int, first: int) -> tuple[str, ...]:
    """Return the lines by which so many states, from the first on, go along what was evaluated last."""
    if is_small(scope):
        return tuple(f"work->y[{first + i}] += length * work->k[0][{i}];" for i in range(count))
    place = f"{first} + i" if first else "i"
    return (f"for (i = 0; i < {count}; ++i) {{", f"    work->y[{place}] += length * work->k[0][i];", "}")
