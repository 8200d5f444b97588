"""Program -> program: with the functions that a step of a scheme calls; what a scheme cannot step is refused."""

from __future__ import annotations

from eomc.errors import UnsupportedError
from eomc.ir.program import STEP_JACOBIAN, Program
from eomc.passes.rates import with_rates
from eomc.passes.splitting import with_split
from eomc.tableaus import Tableau

__all__ = ["stepped"]


def stepped(program: Program, tableau: Tableau) -> Program:
    """Return the program with the functions that a step calls.

    Raises
    ------
    UnsupportedError
        The scheme cannot serve the program; the message says why.
    """
    symmetric = not tableau.explicit
    if symmetric and program.projected:
        raise UnsupportedError(
            f"{program.name} has no step of {tableau.name} with stabilization='projection': a projection after a step "
            "would cost its symmetry; use stabilization='none' or 'baumgarte', or integrator rk4"
        )
    if symmetric and STEP_JACOBIAN in program.further:
        how = "found by iteration" if tableau.implicit else "made of parts of the motion"
        raise UnsupportedError(
            f"{STEP_JACOBIAN}: a step of {tableau.name} is {how}, which is not differentiated; use integrator rk4"
        )
    if tableau.drifts:
        return with_split(program, tableau.name)
    return with_rates(program) if tableau.semi_implicit else program
