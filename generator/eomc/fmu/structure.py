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


def structure_of(program: Program, variables: Variables, run: Program) -> Structure:
    """Return the dependencies of rates and outputs, while a model moves and at its start.

    Where the time is a variable, it and parameters that are tuned are known while the model moves, too. Rates and
    outputs are those of `program`, the functions of events those of `run`, which may have fewer parameters.
    """
    function = outputs_of(program)
    outputs = function.outputs if function else ()
    moving = (*variables.states, *variables.inputs)
    first = (*moving, *variables.parameters)
    if variables.time is not None:
        moving = first = (*first, variables.time)

    def rows(
        unknowns: Sequence[ScalarVariable], nodes: Sequence[Node], known: Sequence[ScalarVariable], of: Program
    ) -> Rows:
        symbols = dict(zip(variables.states, of.states, strict=True))
        symbols |= dict(zip(variables.inputs, of.inputs, strict=True))
        symbols |= dict(zip(variables.parameters, of.parameters, strict=False))
        places = {variable: one.symbol for variable, one in symbols.items()}
        if variables.time is not None:
            places[variables.time] = of.time
        there = [variable for variable in known if variable in places]
        found = dependencies(of.graph, nodes, [places[variable] for variable in there])
        return tuple((unknown, tuple(there[k] for k in row)) for unknown, row in zip(unknowns, found, strict=True))

    rates = program.functions[0].outputs
    watched = [
        node
        for function in run.functions
        for node, kind in zip(function.outputs, function.kinds, strict=False)
        if not kind.timed
    ]
    own = tuple((state, (state,)) for state in variables.states)
    return Structure(
        rows(variables.outputs, outputs, moving, program) if function else own,
        rows(variables.rates, rates, moving, program),
        rows((*variables.rates, *variables.outputs), (*rates, *outputs), first, program),
        rows(variables.indicators, watched if variables.indicators else (), moving, run),
    )
