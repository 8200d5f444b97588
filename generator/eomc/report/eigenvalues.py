"""Eigenvalues of small motions about the start of a run, where that is an equilibrium or a steady motion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eomc.analysis.contract import Built
from eomc.analysis.linearization import Linearization, linearize
from eomc.backends.render import render
from eomc.binding import Trajectory
from eomc.errors import EomcError
from eomc.model import name_of


@dataclass(frozen=True, slots=True)
class Mode:
    """One eigenvalue or a pair: s [1/s], |s| [rad/s] and the damping ratio -Re s/|s|, "" where it is zero."""

    s: str
    frequency: str
    damping: str


@dataclass(frozen=True, slots=True)
class ModesView:
    """The `m` of the template."""

    about: str  # equilibrium or steady motion
    states: tuple[str, ...]
    rows: tuple[Mode, ...]


def modes(build: Built, trajectory: Trajectory) -> str:
    """Return the eigenvalues at the start of a motion; "" where it is no steady one, or has no derivative.

    Parameters
    ----------
    build
        What `eomc.compile` returns.
    trajectory
        Of it; its first state, inputs and parameters are taken.
    """
    try:
        found = linearize(
            build,
            trajectory.x[0],
            inputs=trajectory.inputs[0] if trajectory.inputs.size else None,
            parameters=trajectory.parameters,
            t=float(trajectory.t[0]),
        )
    except EomcError:
        return ""
    if found.unsteady or not len(found.A):
        return ""
    rates = dict(zip(found.state_names, found.rates.tolist(), strict=True))
    moves = any(rates.get(name_of(coordinate), 0.0) for coordinate in build.model.coordinates)
    about = "a steady motion" if moves else "an equilibrium"
    return render("report/modes.html.jinja", ModesView(about, found.state_names, tuple(_rows(found))))


def _rows(found: Linearization) -> Iterator[Mode]:
    """Yield eigenvalues, two that are conjugate in one row."""
    for s in found.eigenvalues.tolist():
        if s.imag < 0.0:
            continue
        size = abs(s)
        pair = f" ± {s.imag:.6g}i" if s.imag else ""
        yield Mode(f"{s.real + 0.0:.6g}{pair}", f"{size:.6g}", f"{-s.real / size + 0.0:.6g}" if size else "")
