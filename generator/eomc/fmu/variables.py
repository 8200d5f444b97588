"""The variables of a description, from the model and its program: never from the C, whose structs may have fillings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eomc.fmu.names import rate, structured
from eomc.fmu.units import rate_unit, unit_name
from eomc.model.names import name_of

if TYPE_CHECKING:
    from eomc.ir.program import EventKind, Function, Program, Variable
    from eomc.model.model import Model


@dataclass(frozen=True, slots=True)
class ScalarVariable:
    """A variable; `reference` is its value reference and, counted from 1, its place."""

    name: str
    reference: int
    causality: str
    variability: str
    initial: str  # empty for inputs, which have none
    description: str
    unit: str
    shown: str = ""  # another unit, as it was written; empty for that of SI
    start: float | None = None
    nominal: float | None = None
    bounds: tuple[float, float] | None = None
    derivative_of: int | None = None  # the reference of a state

    @property
    def index(self) -> int:
        """Its place, counted from 1."""
        return self.reference + 1


@dataclass(frozen=True, slots=True)
class Variables:
    """All variables by kind, in the order of their references."""

    states: tuple[ScalarVariable, ...]
    rates: tuple[ScalarVariable, ...]
    inputs: tuple[ScalarVariable, ...]
    parameters: tuple[ScalarVariable, ...]
    outputs: tuple[ScalarVariable, ...]  # of the model; where it names none, its states are outputs
    time: ScalarVariable | None = None  # where the standard has it among the variables
    indicators: tuple[ScalarVariable, ...] = ()  # of events, likewise

    def __iter__(self) -> Iterator[ScalarVariable]:
        for kind in (self.states, self.rates, self.inputs, self.parameters, self.outputs):
            yield from kind
        if self.time is not None:
            yield self.time
        yield from self.indicators

    @property
    def given_out(self) -> tuple[ScalarVariable, ...]:
        """Those of causality output."""
        return self.outputs or self.states


def outputs_of(program: Program) -> Function | None:
    """Return the function of the model's outputs; None without any."""
    return next((function for function in program.functions if function.name == "outputs"), None)


def variables_of(
    model: Model,
    program: Program,
    gains: Sequence[float],
    kinds: Sequence[EventKind],
    *,
    fixed: Container[str],
    timed: bool,
) -> Variables:
    """Return the variables of a model.

    Parameters
    ----------
    model
        The model.
    program
        Of its rates and outputs.
    gains
        At which the last parameters of that start.
    kinds
        What is fixed of the events.
    fixed
        Parameters that are not to change in the course of a run.
    timed
        Whether the standard has the time and indicators of events among the variables.
    """
    ranges = {name_of(bounds.symbol): (bounds.low, bounds.high) for bounds in model.ranges}
    written = _written(model)
    function = outputs_of(program)
    nx, nr, np = len(program.states), len(program.inputs), len(program.parameters)

    def shown(variable: Variable) -> str:
        text = written.get(variable.name, "")
        return "" if text == variable.unit else unit_name(text)

    states = tuple(
        ScalarVariable(
            structured(state.name), k, "local" if function else "output", "continuous", "exact", state.description,
            unit_name(state.unit), shown(state), start=state.value, nominal=_nominal(ranges.get(state.name)),
        )
        for k, state in enumerate(program.states)
    )  # fmt: skip
    rates = tuple(
        ScalarVariable(
            rate(structured(state.name)), nx + k, "local", "continuous", "calculated", f"rate of {state.name}",
            unit_name(rate_unit(state.unit)), derivative_of=k,
        )
        for k, state in enumerate(program.states)
    )  # fmt: skip
    inputs = tuple(
        ScalarVariable(
            structured(one.name), 2 * nx + k, "input", "continuous", "", one.description, unit_name(one.unit),
            shown(one), start=one.value, bounds=_bounds(ranges.get(one.name), one.value),
        )
        for k, one in enumerate(program.inputs)
    )  # fmt: skip
    parameters = tuple(
        ScalarVariable(
            structured(one.name), 2 * nx + nr + k, "parameter", "fixed" if one.name in fixed else "tunable", "exact",
            one.description, unit_name(one.unit), shown(one), start=one.value,
            bounds=_bounds(ranges.get(one.name), one.value),
        )
        for k, one in enumerate(program.parameters)
    )  # fmt: skip
    given = len(parameters) - len(gains)
    parameters = (
        *parameters[:given],
        *(replace(one, start=gain) for one, gain in zip(parameters[given:], gains, strict=True)),
    )
    texts = {output.name: output for output in model.outputs}
    outputs = tuple(
        ScalarVariable(
            structured(name), 2 * nx + nr + np + k, "output", "continuous", "calculated", texts[name].description,
            unit_name(texts[name].unit),
        )
        for k, name in enumerate(function.output_names if function else ())
    )  # fmt: skip
    made = Variables(states, rates, inputs, parameters, outputs)
    if not timed:
        return made
    names = {one.name for one in made}
    time = ScalarVariable(_free("time", names), len([*made]), "independent", "continuous", "", "time", "s")
    watched = [kind for kind in kinds if not kind.timed]
    indicators = tuple(
        ScalarVariable(
            _free(structured(f"indicator of {kind.name}"), names), time.reference + 1 + k, "local", "continuous",
            "calculated", f"changes its sign where {kind.name} happens", "",
        )
        for k, kind in enumerate(watched)
    )  # fmt: skip
    return replace(made, time=time, indicators=indicators)


def _free(name: str, taken: Container[str]) -> str:
    """Return a name that no other variable has."""
    numbered = (f"{name}{number}" for number in itertools.count(2))
    return next(one for one in itertools.chain([name], numbered) if one not in taken)


def _written(model: Model) -> dict[str, str]:
    """Return the units that were written of states, inputs and parameters, by name."""
    found = {one.name: one.written for one in model.parameters}
    found.update({one.name: one.written for one in model.inputs})
    found.update({name_of(one.symbol): one.written for one in model.meanings})
    return found


def _nominal(bounds: tuple[float, float] | None) -> float | None:
    """Return the size of what lies between bounds, where there are any that have one."""
    size = max(map(abs, bounds)) if bounds else 0.0
    return size if 0.0 < size < math.inf else None


def _bounds(bounds: tuple[float, float] | None, start: float) -> tuple[float, float] | None:
    """Return the bounds of what is given, unless it begins outside of them."""
    return bounds if bounds and bounds[0] <= start <= bounds[1] else None
