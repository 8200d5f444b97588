"""What is a change of size one of a coordinate or a speed, in its own unit.

A coordinate's range says it. Without one, angles and plain numbers change by 1, and what has a unit by the largest
parameter of that unit. A speed's scale is that of the coordinates which it moves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from eomc.analysis.assembly import power_of_two
from eomc.derivation.problem import Problem
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Symbol
from eomc.model.names import name_of
from eomc.passes.differentiate import jacobian

_WITHOUT_UNIT = ("", "1", "rad")


def coordinate_scales(problem: Problem, numbers: Mapping[Symbol, float]) -> list[float]:
    """Return a power of two for each coordinate; `numbers` are the values of the parameters."""
    largest: dict[str, float] = {}
    for variable in problem.symbols.parameters:
        size = abs(numbers[variable.symbol])
        if math.isfinite(size):
            largest[variable.unit] = max(size, largest.get(variable.unit, 0.0))
    ranges = {name_of(bounds.symbol): max(abs(bounds.low), abs(bounds.high)) for bounds in problem.model.ranges}
    scales = []
    for state in problem.symbols.states[: len(problem.q)]:
        scale = ranges.get(state.name)
        if scale is None:
            scale = 1.0 if state.unit in _WITHOUT_UNIT else largest.get(state.unit, 0.0)
        scales.append(power_of_two(scale) if 0.0 < scale < math.inf else 1.0)
    return scales


def speed_scales(problem: Problem, sample: Sample, coordinates: list[float]) -> list[float]:
    """Return a power of two for each speed: together they move coordinates by about their scales in one unit of time.

    A speed that moves no coordinate has the scale 1.
    """
    rows = jacobian(problem.graph, problem.rates, problem.motion)
    scales = []
    for k in range(len(problem.motion)):
        slopes = [abs(sample[row[k]]) / scale for row, scale in zip(rows, coordinates, strict=True)]
        fastest = max((x for x in slopes if math.isfinite(x)), default=0.0)
        scales.append(1.0 / power_of_two(fastest) if fastest > 0.0 else 1.0)
    return scales
