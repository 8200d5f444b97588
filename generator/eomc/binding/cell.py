"""A trajectory and a simulator as a notebook shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from eomc.binding.hits import Hit
from eomc.binding.plotting import Quantity
from eomc.binding.vectors import Array
from eomc.cells import Markup, number, page, sentence, sparkline, table
from eomc.ir.program import Variable
from eomc.wording import counted

_POINTS = 80
"""Intervals of time of a curve, each with its least and its greatest value."""


def trajectory_cell(
    model: str, method: str, t: Array, columns: Sequence[tuple[Quantity, Array]], events: Sequence[Hit]
) -> Markup:
    """Return first, last, least and greatest of each quantity, and its curve."""

    def rows() -> Iterator[tuple[str, str, float | str, float | str, float | str, float | str, str]]:
        for quantity, values in columns:
            finite = values[np.isfinite(values)]
            ends = (float(values[0]), float(values[-1])) if len(values) else ("", "")
            span = (float(finite.min()), float(finite.max())) if len(finite) else ("", "")
            curve = sparkline(f"{quantity.name} over time", thinned(t, values))
            yield quantity.name, quantity.unit, *ends, *span, curve

    when = f", t = {number(t[0])} ... {number(t[-1])} s" if len(t) else ""
    happened = Counter(hit.name for hit in events)
    told = ", ".join(f"{name} {counted(times, 'time')}" for name, times in happened.items())
    return page(
        "eomc.Trajectory",
        model,
        f"by {method}, {counted(len(t), 'point')}{when}",
        table("", ("", "unit", "first", "last", "least", "greatest", "over time"), rows(), len(columns)),
        sentence(f"events: {told}" if told else ""),
    )


def thinned(t: Array, values: Array) -> list[tuple[float, float]]:
    """Return a curve's points, of many those that a small picture shows: in each interval the least and the greatest.

    An interval in which a value is not finite has a gap.
    """
    if len(t) <= 2 * _POINTS:
        return list(zip(t.tolist(), values.tolist(), strict=True))
    points = []
    for rows in np.array_split(np.arange(len(t)), _POINTS):
        part = values[rows]
        kept = sorted({int(np.argmin(part)), int(np.argmax(part))})  # a NaN is the least and the greatest
        points += [(float(t[rows[k]]), float(part[k])) for k in kept]
    return points


def simulator_cell(
    name: str,
    about: str,
    states: Sequence[tuple[Variable, float]],
    inputs: Sequence[Variable],
    parameters: Sequence[Variable],
    functions: Sequence[str],
) -> Markup:
    """Return states with initial values, inputs and parameters with default ones, and the functions.

    Parameters
    ----------
    name, about
        The model's, and in which form it is.
    states
        With their initial values.
    inputs, parameters, functions
        As the program has them.
    """
    headings = ("name", "unit", "meaning")

    def defaults(what: str, listed: Sequence[Variable]) -> Markup:
        rows = ((one.name, float(one.value), one.unit, one.description) for one in listed)
        return table(what, ("name", "default", *headings[1:]), rows, len(listed))

    initial = ((one.name, float(value), one.unit, one.description) for one, value in states)
    return page(
        "eomc.Simulator",
        name,
        about,
        table("states", ("name", "initial", *headings[1:]), initial, len(states)),
        defaults("inputs", inputs),
        defaults("parameters", parameters),
        sentence(f"functions: {', '.join(functions)}"),
    )
