"""What follows from what: rates and outputs, and the states, inputs and parameters in their expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.fmu.dependencies import dependencies
from eomc.fmu.variables import ScalarVariable, Variables, outputs_of

if TYPE_CHECKING:
    from eomc.ir.graph import Node
    from eomc.ir.program import Program

Rows = tuple[tuple[ScalarVariable, tuple[ScalarVariable, ...]], ...]
"""Unknowns, and the knowns of each."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The dependencies that a description lists."""

    outputs: Rows  # while the model moves
    rates: Rows
    initial: Rows  # rates and outputs, at the start
    indicators: Rows


def structure_of(program: Program, variables: Variables) -> Structure:
    """Return the dependencies of rates and outputs, while a model moves and at its start.

    Where the time is a variable, it and parameters that are tuned are known while the model moves, too.
    """
    function = outputs_of(program)
    outputs = function.outputs if function else ()
    moving = (*variables.states, *variables.inputs)
    symbols = [one.symbol for one in (*program.states, *program.inputs, *program.parameters)]
    first = (*moving, *variables.parameters)
    if variables.time is not None:
        symbols.append(program.time)
        moving = first = (*first, variables.time)

    def rows(unknowns: Sequence[ScalarVariable], nodes: Sequence[Node], known: Sequence[ScalarVariable]) -> Rows:
        found = dependencies(program, nodes, symbols[: len(known)])
        return tuple((unknown, tuple(known[k] for k in row)) for unknown, row in zip(unknowns, found, strict=True))

    rates = program.functions[0].outputs
    watched = [
        node
        for function in program.functions
        for node, kind in zip(function.outputs, function.kinds, strict=False)
        if not kind.timed
    ]
    own = tuple((state, (state,)) for state in variables.states)
    return Structure(
        rows(variables.outputs, outputs, moving) if function else own,
        rows(variables.rates, rates, moving),
        rows((*variables.rates, *variables.outputs), (*rates, *outputs), first),
        rows(variables.indicators, watched if variables.indicators else (), moving),
    )
