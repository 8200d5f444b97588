"""Program -> program: with the functions that steps of schemes call; what a scheme cannot step is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.errors import UnsupportedError
from eomc.ir.program import STEP_JACOBIAN, Program
from eomc.passes.rates import with_rates
from eomc.passes.splitting import with_split
from eomc.tableaus import Tableau

__all__ = ["stepped"]


def stepped(program: Program, tableaus: Sequence[Tableau]) -> Program:
    """Return the program with the functions that the steps of some schemes call, of which the first is derived.

    Raises
    ------
    UnsupportedError
        A scheme cannot serve the program; the message says why.
    """
    called = program
    for tableau in tableaus:
        _refuse_unserved(program, tableau, derived=tableau is tableaus[0])
        if tableau.drifts:
            called = _with(called, with_split(program, tableau.name))
        elif tableau.semi_implicit:
            called = _with(called, with_rates(program))
        else:
            pass  # all that it calls is there
    return called


def _with(program: Program, other: Program) -> Program:
    """Return a program with the functions of another that it lacks."""
    there = {function.name for function in program.functions}
    further = tuple(function for function in other.functions if function.name not in there)
    return replace(program, functions=(*program.functions, *further))


def _refuse_unserved(program: Program, tableau: Tableau, derived: bool) -> None:
    """Refuse what a scheme cannot step, or not derive where it is `derived`."""
    symmetric = not tableau.explicit
    if symmetric and program.projected:
        raise UnsupportedError(
            f"{program.name} has no step of {tableau.name} with stabilization='projection': a projection after a step "
            "would cost its symmetry; use stabilization='none' or 'baumgarte', or integrator rk4"
        )
    if symmetric and derived and STEP_JACOBIAN in program.further:
        how = "found by iteration" if tableau.implicit else "made of parts of the motion"
        raise UnsupportedError(
            f"{STEP_JACOBIAN}: a step of {tableau.name} is {how}, which is not differentiated; use integrator rk4"
        )
