"""The energies of a motion over time."""

from __future__ import annotations

import numpy as np

from eomc.binding import Trajectory
from eomc.binding.scales import level
from eomc.binding.vectors import Array
from eomc.report.chart import chart

_NAMES = {"jacobi": "Jacobi integral"}


def energies(trajectory: Trajectory) -> str:
    """Return the energies as curves, and how far the total one goes; "" where the energy is not known.

    Parameters
    ----------
    trajectory
        What `Simulator.simulate` returns.
    """
    found = trajectory.energies
    if not found:
        return ""
    shown = {_NAMES.get(name, name): values for name, values in found.items() if not _is_twice(name, found)}
    finite = np.concatenate([values[np.isfinite(values)] for values in shown.values()])
    scale = float(np.abs(finite).max(initial=0.0))
    eps = float(np.finfo(np.float32 if trajectory.real == "float" else np.float64).eps)
    limits = level(list(shown.values()), "J", {"J": scale}, eps)
    return chart(told(found, scale), "J", trajectory.t, shown, limits)


def told(found: dict[str, Array], scale: float) -> str:
    """Return where the total energy begins and ends, and how far it goes in between."""
    total = found.get("total", next(iter(found.values())))
    finite = total[np.isfinite(total)]
    if not len(finite):
        return "The energy is no finite number."
    away = float(np.abs(finite - finite[0]).max())
    share = f", {away / scale:.1e} of the largest energy" if scale else ""
    ends = f"{finite[0]:.6g} J at first, {finite[-1]:.6g} J at last"
    return f"Total energy {ends}, at most {away:.2g} J from the first{share}."


def _is_twice(name: str, found: dict[str, Array]) -> bool:
    """Whether the Jacobi integral is the total energy, to the rounding of both."""
    if name != "jacobi" or "total" not in found:
        return False
    apart = np.abs(found["jacobi"] - found["total"])
    size = np.abs(found["total"]) + sum(np.abs(values) for values in found.values())
    return not bool((apart > 1e-12 * size).any())
