"""Speeds from given values of q' and u together: K_u u + K_q q' + k = 0, the kinematical equations, are met by all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from eomc.analysis.assembly import power_of_two
from eomc.derivation.problem import Problem
from eomc.errors import ModelError
from eomc.ir.elimination import least_squares, pivots_by_preference
from eomc.ir.interpreter import Sample
from eomc.passes.differentiate import jacobian

_AGREED = 1e-6  # what values typed by hand may leave of an equation, beside its terms


def speeds_from_rates(
    problem: Problem,
    at_rest: Sample,
    scales: Sequence[float],
    names: Sequence[str],
    wishes: Sequence[Mapping[str, float]],
) -> list[float]:
    """Return u that meet as many wishes as the kinematical equations leave free.

    Parameters
    ----------
    problem, at_rest
        The model, and the values of its graph at u = 0 and q' = 0.
    scales, names
        Of the unknowns, u and then q'.
    wishes
        Values by name of an unknown. All of the first ones are met, of the others those that do not contradict the
        ones before them.

    Raises
    ------
    ModelError
        The first ones contradict each other.
    """
    nodes = jacobian(problem.graph, problem.kinematics.equations, [*problem.motion, *problem.kinematics.unknowns])
    slopes = [at_rest.vector(row) for row in nodes]
    offsets = at_rest.vector(problem.kinematics.equations)
    rows, right = [], []
    for row, offset in zip(slopes, offsets, strict=True):
        scaled = [x * scale for x, scale in zip(row, scales, strict=True)]
        weight = power_of_two(max(map(abs, scaled)) or 1.0)
        rows.append([x / weight for x in scaled])
        right.append(-offset / weight)
    tiers = [list(range(len(rows)))]
    for values in wishes:
        wished = [k for k, name in enumerate(names) if math.isfinite(values.get(name, math.nan))]
        tiers.append(list(range(len(rows), len(rows) + len(wished))))
        rows += [[float(j == k) for j in range(len(names))] for k in wished]
        right += [values[names[k]] / scales[k] for k in wished]
    chosen = sorted(pivots_by_preference(list(zip(*rows, strict=True)), tiers))  # independent equations
    found = [
        x * scale
        for x, scale in zip(least_squares([rows[i] for i in chosen], [right[i] for i in chosen]), scales, strict=True)
    ]
    given = [wishes[0].get(name, x) for name, x in zip(names, found, strict=True)]
    for row, offset in zip(slopes, offsets, strict=True):
        terms = [offset, *(a * x for a, x in zip(row, given, strict=True))]
        if abs(math.fsum(terms)) > _AGREED * math.fsum(map(abs, terms)):
            involved = {name for name, a in zip(names, row, strict=True) if a and name in wishes[0]}
            listed = involved if len(involved) > 1 else set(wishes[0])
            words = [f"{name} = {wishes[0][name]:g}" for name in names if name in listed]
            raise ModelError(
                f"{problem.model.name}: the initial values {', '.join(words)} contradict each other: they do not meet "
                "the kinematical equations together; take one of them out"
            )
    return given[: len(problem.motion)]
