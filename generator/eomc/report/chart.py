"""Curves over time as SVG in the colours of the page: no script, as many points as are seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from eomc.backends.render import render
from eomc.binding.vectors import Array
from eomc.pictures.colours import PALETTE

WIDE, HIGH = 1280, 420
"""Units of the drawing; a page shows two of them as a pixel."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 130, 20, 20, 50  # what is left for numbers
_COLUMNS = 160
_TICKS = 5
_EDGE = 0.04  # of the height, free above and below the curves
_DASHES = ("", "26 8", "6 8", "26 8 6 8")


@dataclass(frozen=True, slots=True)
class Tick:
    """A number at an axis."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve with its name."""

    name: str
    path: str
    colour: str
    dashes: str


@dataclass(frozen=True, slots=True)
class ChartView:
    """The `m` of the template: places in units of the drawing."""

    words: str
    unit: str
    wide: int
    high: int
    left: int
    right: int
    top: int
    bottom: int
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    curves: tuple[Curve, ...]


def chart(
    words: str, unit: str, t: Array, curves: Mapping[str, Array], limits: tuple[float, float] | None = None
) -> str:
    """Return curves over time as a figure; "" where no value is finite.

    Parameters
    ----------
    words
        What is seen, for those who do not see it.
    unit
        Of the curves.
    t, curves
        Times [s], shape (n,), and values by name, (n,) each; where one is no finite number its curve has a gap.
    limits
        Of the axis; by default those of the curves.
    """
    finite = np.concatenate([values[np.isfinite(values)] for values in curves.values()] or [np.empty(0)])
    if not len(finite) or not len(t):
        return ""
    low, high = limits or (float(finite.min()), float(finite.max()))
    if not high > low:
        low, high = low - (abs(low) or 1.0), high + (abs(high) or 1.0)
    edge = high * _EDGE - low * _EDGE
    if math.isfinite(high + edge) and math.isfinite(low - edge):
        low, high = low - edge, high + edge
    begin, end = float(t[0]), float(t[-1])
    if not end > begin:
        end = begin + 1.0
    right, bottom = WIDE - _RIGHT, HIGH - _BOTTOM

    def x(time: float) -> int:
        return round(_LEFT + (right - _LEFT) * (time - begin) / (end - begin))

    def y(value: float) -> int:
        share = (value / 2 - low / 2) / (high / 2 - low / 2)  # the whole may be more than a double holds
        return round(bottom + (_TOP - bottom) * share)

    drawn = tuple(
        Curve(name, _path([(x(at), y(v)) if math.isfinite(v) else None for at, v in thinned(t, values)]), *_pen(k))
        for k, (name, values) in enumerate(curves.items())
    )
    view = ChartView(
        words,
        unit,
        WIDE,
        HIGH,
        _LEFT,
        right,
        _TOP,
        bottom,
        tuple(Tick(x(v), f"{v:g}") for v in ticks(begin, end)),
        tuple(Tick(y(v), f"{v:g}") for v in ticks(low, high)),
        drawn,
    )
    return render("report/chart.html.jinja", view)


def thinned(t: Array, values: Array, columns: int = _COLUMNS) -> list[tuple[float, float]]:
    """Return a curve's points, of many those that are seen: in each column the first, the least and the greatest."""
    if len(t) <= 2 * columns:
        return list(zip(t.tolist(), values.tolist(), strict=True))
    points = []
    for rows in np.array_split(np.arange(len(t)), columns):
        part = values[rows]
        kept = sorted({int(np.argmin(part)), int(np.argmax(part))})  # a NaN is the least and the greatest
        points += [(float(t[rows[k]]), float(part[k])) for k in kept]
    return [(float(t[0]), float(values[0])), *points, (float(t[-1]), float(values[-1]))]


def ticks(low: float, high: float, most: int = _TICKS) -> list[float]:
    """Return round numbers between two: multiples of 1, 2 or 5 times a power of ten, no more than are wanted.

    Examples
    --------
    >>> ticks(0.0, 10.0), ticks(-0.3, 0.25)
    ([0.0, 5.0, 10.0], [-0.2, 0.0, 0.2])
    """
    rough = high / most - low / most
    if not rough > 0.0:
        return [low]
    power = math.floor(math.log10(rough))
    for factor, more in ((1, 0), (2, 0), (5, 0), (1, 1), (2, 1), (5, 1)):
        step = factor * 10.0 ** (power + more)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if step and last - first < most:
            digits = max(0, -(power + more))
            return [round(k * step, min(digits, 300)) + 0.0 for k in range(first, last + 1)]
    return []


def _pen(number: int) -> tuple[str, str]:
    """Return the colour and the dashes of a curve."""
    return PALETTE[number % len(PALETTE)], _DASHES[number // len(PALETTE) % len(_DASHES)]


def _path(points: Sequence[tuple[int, int] | None]) -> str:
    """Return a path in steps from point to point; it begins anew after a gap."""
    text, before = "", None
    for point in points:
        if point is None:
            before = None
            continue
        if before is None:
            text += f"M{point[0]} {point[1]}l0 0"  # a single point is a dot
        elif point != before:
            dx, dy = point[0] - before[0], point[1] - before[1]
            text += f"l{dx}{dy}" if dy < 0 else f"l{dx} {dy}"
        before = point
    return escape(text)
