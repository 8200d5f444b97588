"""What follows from what: rates and outputs, and the states, inputs and parameters in their expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.fmu.dependencies import dependencies
from eomc.fmu.variables import ScalarVariable, Variables, outputs_of

if TYPE_CHECKING:
    from eomc.ir.program import Program

Rows = tuple[tuple[ScalarVariable, tuple[ScalarVariable, ...]], ...]
"""Unknowns, and the knowns of each."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The dependencies that a description lists."""

    outputs: Rows  # by states and inputs
    rates: Rows
    initial: Rows  # rates and outputs, by parameters too


def structure_of(program: Program, variables: Variables) -> Structure:
    """Return the dependencies of rates and outputs, while a model moves and at its start."""
    function = outputs_of(program)
    outputs = function.outputs if function else ()
    known = (*variables.states, *variables.inputs)
    symbols = (*program.states, *program.inputs)

    def rows(
        unknowns: Sequence[ScalarVariable], found: Sequence[tuple[int, ...]], of: Sequence[ScalarVariable]
    ) -> Rows:
        return tuple((unknown, tuple(of[k] for k in row)) for unknown, row in zip(unknowns, found, strict=True))

    first = dependencies(program, (*program.functions[0].outputs, *outputs), (*symbols, *program.parameters))
    own = dependencies(program, outputs, symbols) if function else [(k,) for k in range(len(program.states))]
    return Structure(
        rows(variables.given_out, own, known),
        rows(variables.rates, dependencies(program, program.functions[0].outputs, symbols), known),
        rows((*variables.rates, *variables.outputs), first, (*known, *variables.parameters)),
    )
