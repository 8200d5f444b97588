"""The rates of the coordinates alone: what a semi-implicit step evaluates a second time."""

from __future__ import annotations

from dataclasses import replace

from eomc.errors import UnsupportedError
from eomc.ir.program import Function, Program
from eomc.ir.symbols import Role, Symbol

RATES = "rates"
"""Name of the function."""


def with_rates(program: Program) -> Program:
    """Return the program with a function of the rates q' of its coordinates, the first results of ``rhs``.

    Raises
    ------
    UnsupportedError
        No rate of a coordinate depends on anything but coordinates, inputs and time: the step would be Euler's.
    """
    rhs, count = program.functions[0], program.coordinates
    outputs = rhs.outputs[:count]
    symbols = (program.graph.data[node] for node in program.graph.reachable(outputs))
    if not any(isinstance(s, Symbol) and s.role is Role.STATE and s.index >= count for s in symbols):
        raise UnsupportedError(
            f"{program.name} has no semi-implicit step: no rate of a coordinate depends on a speed, so that there is "
            "nothing to take at the new ones; use integrator euler"
        )
    rates = Function(
        name=RATES,
        title="Rates q' of the coordinates",
        outputs=outputs,
        output_names=tuple(state.name for state in program.states[:count]),
        shape=(count,),
        blocks=rhs.blocks,
    )
    return replace(program, functions=(*program.functions, rates))
