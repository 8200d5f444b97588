"""Plots of trajectories, with matplotlib; no window is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from eomc.binding.scales import level
from eomc.binding.vectors import Array
from eomc.errors import OutputError, UsageError
from eomc.files import path_of, whole

if TYPE_CHECKING:
    from eomc.binding.figures import ShownFigure


_STYLES = ("-", "--", ":", "-.")

_LINES_IN_ONE_COLUMN = 8
"""Legend entries that fit beside one panel."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A column of a trajectory as a person sees it."""

    name: str
    unit: str
    group: str  # Coordinates, Speeds, Momenta, Extra states, Outputs

    @property
    def label(self) -> str:
        """Name and unit."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


Columns: TypeAlias = Sequence[tuple[Quantity, Array]]


def draw(
    title: str,
    t: Array,
    columns: Columns,
    path: str | os.PathLike[str] | None,
    scales: Mapping[str, float],
    eps: float,
) -> ShownFigure:
    """Draw one panel per kind of quantity and unit, over a common time axis; what is level to rounding is a line."""
    panels = _panels(columns)
    figure = _new_figure(9.0, 0.9 + 2.2 * len(panels))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    figure.suptitle(title)
    for axis, ((group, unit), curves) in zip(axes, panels.items(), strict=True):
        for k, (name, values) in enumerate(curves):
            style = _STYLES[k // 10 % len(_STYLES)]  # matplotlib has ten colours
            axis.plot(t, values, style, label=name, linewidth=1.2)
        axis.set_ylabel(f"{group} [{unit}]" if unit else group)
        axis.grid(True, linewidth=0.4, alpha=0.6)
        axis.margins(x=0.0)
        if (limits := level([values for _, values in curves], unit, scales, eps)) is not None:
            axis.set_ylim(*limits)
        wide = 1 + (len(curves) - 1) // _LINES_IN_ONE_COLUMN
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, ncols=wide)
    axes[-1].set_xlabel("t [s]")
    return _written(figure, path)


def draw_phase(
    title: str,
    across: tuple[Quantity, Array],
    upwards: tuple[Quantity, Array],
    path: str | os.PathLike[str] | None,
    scales: Mapping[str, float],
    eps: float,
    *,
    dots: bool,
) -> ShownFigure:
    """Draw one quantity over another: a curve, or dots of a section. Two lengths have one scale."""
    figure = _new_figure(6.0, 5.0)
    axis = figure.subplots()
    figure.suptitle(title)
    axis.plot(across[1], upwards[1], **_pen(dots))
    axis.set_xlabel(across[0].label)
    axis.set_ylabel(upwards[0].label)
    axis.grid(True, linewidth=0.4, alpha=0.6)
    for limit, (quantity, values) in ((axis.set_xlim, across), (axis.set_ylim, upwards)):
        if (limits := level([values], quantity.unit, scales, eps)) is not None:
            limit(*limits)
    if across[0].unit == upwards[0].unit == "m":
        axis.set_aspect("equal", adjustable="datalim")
    return _written(figure, path)


def draw_many(
    title: str, across: str, panels: Sequence[tuple[str, Array, Array]], path: str | os.PathLike[str] | None
) -> ShownFigure:
    """Draw dots of many runs, a panel for each name with what it is drawn over and what it is."""
    figure = _new_figure(8.0, 0.9 + 3.6 * len(panels))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    figure.suptitle(title)
    for axis, (name, x, y) in zip(axes, panels, strict=True):
        axis.plot(x.ravel(), y.ravel(), **_pen(dots=True))
        axis.set_ylabel(name)
        axis.grid(True, linewidth=0.4, alpha=0.6)
    axes[-1].set_xlabel(across)
    return _written(figure, path)


def two_names(owner: str, phase: object) -> tuple[object, object]:
    """Return the names of a phase picture.

    Raises
    ------
    UsageError
        They are not two.
    """
    if not isinstance(phase, (tuple, list)) or len(phase) != 2:
        raise UsageError(f"{owner}: phase= takes two names, not {phase!r}")
    return phase[0], phase[1]


def _pen(dots: bool) -> dict[str, Any]:
    """Return how matplotlib draws dots or a curve."""
    return {"linestyle": "none", "marker": ".", "markersize": 2.0} if dots else {"linewidth": 1.0}


def _new_figure(width: float, height: float) -> ShownFigure:
    try:
        from eomc.binding.figures import new_figure
    except ImportError as error:
        raise OutputError("plots need matplotlib: pip install 'eomc[plot]'") from error
    return new_figure(width, height)


def _written(figure: ShownFigure, path: str | os.PathLike[str] | None) -> ShownFigure:
    """Return a figure, which has a file where a path is given."""
    if path is not None:
        target = path_of(path)
        try:
            with whole(target if target.suffix else target.with_name(f"{target.name}.png")) as place:
                figure.savefig(place, dpi=120)
        except (OSError, ValueError) as error:
            raise OutputError(f"the plot cannot be written to {os.fspath(path)!r}: {error}") from error
    return figure


def _panels(columns: Columns) -> dict[tuple[str, str], list[tuple[str, Array]]]:
    """Group what shares an axis, in order of appearance."""
    panels: dict[tuple[str, str], list[tuple[str, Array]]] = {}
    for quantity, values in columns:
        panels.setdefault((quantity.group, quantity.unit), []).append((quantity.name, values))
    return panels
