"""Plots of trajectories. The only module that knows matplotlib; it never opens a window."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from eomc.errors import OutputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from eomc.binding.trajectory import Quantity, Trajectory

__all__ = ["draw"]

_STYLES = ("-", "--", ":", "-.")

_LINES_IN_ONE_COLUMN = 8
"""Legend entries that fit beside one panel."""


def draw(trajectory: Trajectory, path: str | os.PathLike[str] | None) -> Figure:
    """Draw one panel per kind of quantity and unit, over a common time axis."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise OutputError("plots need matplotlib: pip install 'eomc[plot]'") from error

    panels = _panels(trajectory.quantities)
    figure = Figure(figsize=(9.0, 0.9 + 2.2 * len(panels)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    figure.suptitle(f"{trajectory.model} ({trajectory.method})")
    for axis, ((group, unit), quantities) in zip(axes, panels.items(), strict=True):
        for k, quantity in enumerate(quantities):
            style = _STYLES[k // 10 % len(_STYLES)]  # matplotlib has ten colours
            axis.plot(trajectory.t, trajectory[quantity.name], style, label=quantity.name, linewidth=1.2)
        axis.set_ylabel(f"{group} [{unit}]" if unit else group)
        axis.grid(True, linewidth=0.4, alpha=0.6)
        axis.margins(x=0.0)
        columns = 1 + (len(quantities) - 1) // _LINES_IN_ONE_COLUMN
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, ncols=columns)
    axes[-1].set_xlabel("t [s]")
    if path is not None:
        try:
            figure.savefig(path, dpi=120)
        except (OSError, ValueError) as error:
            raise OutputError(f"the plot cannot be written to {os.fspath(path)!r}: {error}") from error
    return figure


def _panels(quantities: tuple[Quantity, ...]) -> dict[tuple[str, str], list[Quantity]]:
    """Group quantities that share an axis, in order of appearance."""
    panels: dict[tuple[str, str], list[Quantity]] = {}
    for quantity in quantities:
        panels.setdefault((quantity.group, quantity.unit), []).append(quantity)
    return panels
