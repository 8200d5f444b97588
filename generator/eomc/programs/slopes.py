"""Derivatives of what interrupts a motion, and of what ends its steps: what sensitivities along a run take."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.ir.equations import EquationsOfMotion
from eomc.ir.program import Block, Function, OutputArray
from eomc.programs.derivatives import chosen_parameters
from eomc.programs.results import returns
from eomc.solving.jacobian import sparse_jacobian


def derivatives_of(
    name: str, make: Callable[[EquationsOfMotion], Function | None], kept: int | None = None
) -> Callable[[EquationsOfMotion, Sequence[str]], Function | None]:
    """Return what makes the derivatives of a function's results by time, states, inputs and named parameters.

    Parameters
    ----------
    name
        Of the function of these derivatives.
    make
        Makes the function that is differentiated.
    kept
        Number of its results that are, counted as a slice counts them; None for all.
    """

    def made(equations: EquationsOfMotion, named: Sequence[str]) -> Function | None:
        function = make(equations)
        if function is None:
            return None
        graph, chosen = equations.graph, chosen_parameters(name, equations, named) if named else ()
        variables = (*equations.states, *equations.inputs)
        symbols = [equations.time, *(one.symbol for one in variables), *(one.symbol for one in chosen)]
        leaves = [graph.symbol(one) for one in symbols]
        rows = sparse_jacobian(graph, function.outputs[:kept], leaves, equations.systems, equations.rules)
        outputs = tuple([entry for row in rows for entry in row])
        names = ", ".join(["t", *(one.name for one in (*variables, *chosen))])
        entries = Block("derivatives", tuple([("", entry) for entry in outputs if entry != graph.zero]))
        return returns(
            outputs,
            blocks=(*equations.blocks, entries),
            details=(f"D[i {len(symbols)} + j] is the derivative of result i; by {names}.",),
            arrays=(OutputArray("D", "derivatives of the results", (len(rows), len(symbols))),),
            chosen=tuple(one.name for one in chosen),
            checks=(*function.checks, *equations.checks_of_rules()),
        )

    return made
