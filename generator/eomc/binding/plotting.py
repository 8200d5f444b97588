"""Plots of trajectories, with matplotlib; no window is opened."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.binding.vectors import Array
from eomc.errors import OutputError

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


def draw(
    title: str, t: Array, columns: Sequence[tuple[Quantity, Array]], path: str | os.PathLike[str] | None
) -> ShownFigure:
    """Draw one panel per kind of quantity and unit, over a common time axis."""
    try:
        from eomc.binding.figures import new_figure
    except ImportError as error:
        raise OutputError("plots need matplotlib: pip install 'eomc[plot]'") from error

    panels = _panels(columns)
    figure = new_figure(9.0, 0.9 + 2.2 * len(panels))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    figure.suptitle(title)
    for axis, ((group, unit), curves) in zip(axes, panels.items(), strict=True):
        for k, (name, values) in enumerate(curves):
            style = _STYLES[k // 10 % len(_STYLES)]  # matplotlib has ten colours
            axis.plot(t, values, style, label=name, linewidth=1.2)
        axis.set_ylabel(f"{group} [{unit}]" if unit else group)
        axis.grid(True, linewidth=0.4, alpha=0.6)
        axis.margins(x=0.0)
        wide = 1 + (len(curves) - 1) // _LINES_IN_ONE_COLUMN
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, ncols=wide)
    axes[-1].set_xlabel("t [s]")
    if path is not None:
        try:
            figure.savefig(path, dpi=120)
        except (OSError, ValueError) as error:
            raise OutputError(f"the plot cannot be written to {os.fspath(path)!r}: {error}") from error
    return figure


def _panels(columns: Sequence[tuple[Quantity, Array]]) -> dict[tuple[str, str], list[tuple[str, Array]]]:
    """Group what shares an axis, in order of appearance."""
    panels: dict[tuple[str, str], list[tuple[str, Array]]] = {}
    for quantity, values in columns:
        panels.setdefault((quantity.group, quantity.unit), []).append((quantity.name, values))
    return panels
