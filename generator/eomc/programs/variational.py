"""The motion together with one of its changes: x' = f(t, x, r, p) and (dx)' = df/dx dx + df/dp dp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.ir.equations import NO_MATRICES, Constraints, Energetics, EquationsOfMotion, Motion
from eomc.ir.program import Variable
from eomc.ir.symbols import Symbol
from eomc.programs.derivatives import chosen_parameters
from eomc.solving.variations import variations


def variational_equations(equations: EquationsOfMotion, named: Sequence[str]) -> EquationsOfMotion:
    """Return equations of the state and its change along one direction, on a graph of their own.

    States are followed by their changes, parameters by those of the chosen ones. What else the equations have is left
    out.

    Parameters
    ----------
    equations
        Of the motion.
    named
        Parameters that change; () for none.

    Raises
    ------
    UsageError
        A name that is no parameter.
    """
    graph = equations.graph.copy()
    chosen = chosen_parameters("sensitivities", equations, named) if named else ()
    states, parameters = equations.states, equations.parameters
    changes = _changes(states, len(states))
    directions = _changes(chosen, len(parameters))
    direction = {
        graph.symbol(one.symbol): graph.symbol(change.symbol)
        for one, change in zip((*states, *chosen), (*changes, *directions), strict=True)
    }
    rates, systems = variations(graph, equations.motion.derivative, direction, equations.systems)
    return replace(
        equations,
        graph=graph,
        summary=f"{equations.summary}, and changes of the motion",
        states=(*states, *changes),
        parameters=(*parameters, *directions),
        motion=Motion((), NO_MATRICES, (), (), extra_rates=(*equations.motion.derivative, *rates)),
        constraints=Constraints(),
        energetics=Energetics(),
        outputs=(),
        systems=(*equations.systems, *systems),
    )


def _changes(variables: Sequence[Variable], first: int) -> tuple[Variable, ...]:
    """Return the changes of variables, numbered after as many others."""
    return tuple(
        Variable(
            Symbol(one.symbol.role, first + k, f"d {one.name}"), f"d {one.name}", one.unit, f"change of {one.name}"
        )
        for k, one in enumerate(variables)
    )
