"""What an ensemble returns: points, reductions and statuses, by trajectory."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eomc.binding.ensemble.cell import ensemble_cell
from eomc.binding.ensemble.given import Given
from eomc.binding.plotting import Quantity, draw_many, two_names
from eomc.binding.vectors import name_of_key, unknown_name
from eomc.errors import UsageError
from eomc.model.arguments import number_of
from eomc.wording import counted

if TYPE_CHECKING:
    from eomc.binding.figures import ShownFigure


class Status(IntEnum):
    """How a trajectory ended: as the emitted C says it."""

    UNFINISHED = -1  # it was interrupted
    FINISHED = 0
    SINGULAR = 1  # a linear system has no unique solution
    OPEN = 2  # the constraints cannot be met
    EVENT = 3  # an event has ended it, as it says
    DIVERGED = 4  # the state left the finite numbers
    STEP_TOO_SMALL = 5  # no step meets the tolerance
    TOO_MANY_STEPS = 6  # that were tried
    TOO_MANY_EVENTS = 8  # at one instant, without an end
    NOT_CONVERGED = 9  # an implicit step was not found


WORDS = MappingProxyType(
    {
        Status.SINGULAR: "singular",
        Status.OPEN: "off the constraints",
        Status.DIVERGED: "diverged",
        Status.STEP_TOO_SMALL: "met no tolerance",
        Status.TOO_MANY_STEPS: "tried too many steps",
        Status.TOO_MANY_EVENTS: "met too many events",
    }
)
"""What a warning calls them."""


class EnsembleInterrupt(KeyboardInterrupt):
    """An ensemble was interrupted from the keyboard.

    Attributes
    ----------
    ensemble
        What was finished; the other trajectories are `UNFINISHED` and NaN.
    """

    ensemble: Ensemble


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ensemble:
    """Many runs of one model.

    ``ensemble["theta"]`` is a state of all trajectories, shape (k, n), or (k,) where the last points alone are kept;
    ``ensemble["theta", "maximum"]`` what it was reduced to, shape (k,).

    Notes
    -----
    `model` and `method` tell of what. `t` are the times of the points (n,) and `x` the states (k, n, nx), in the
    order of `state_names`; `status` and `t_failed` say for each trajectory whether and when it ended early; `given`
    are the parameters, in the order of `parameter_names`, and `reduced` the results of `reduce`. `units` has those of
    states, outputs and parameters by name, of those that have one.

    Examples
    --------
    >>> import eomc
    >>> sim = eomc.compile(eomc.load("simple_pendulum")).load()
    >>> runs = sim.ensemble(parameters={"L": [0.5, 1.0, 2.0]}, t_end=0.1, dt=0.01)
    >>> runs.x.shape
    (3, 11, 2)
    """

    model: str
    method: str
    t: NDArray[np.float64]  # (n,) [s]: times of the points that are kept
    x: NDArray[np.float64]  # (k, n, nx), or (k, nx) where the last points are kept; NaN from its end on
    status: NDArray[np.int8]  # (k,), values of `Status`
    t_failed: NDArray[np.float64]  # (k,) [s]: where it ended before t_end, NaN where it did not
    given: Given  # parameters
    reduced: Mapping[tuple[str, str], NDArray[np.float64]]  # name, kind -> (k,); NaN for one that failed
    state_names: tuple[str, ...] = field(default=())
    parameter_names: tuple[str, ...] = field(default=())
    units: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def parameters(self) -> NDArray[np.float64]:
        """Parameters of each trajectory, (k, np), or (1, np) where all have the same; made anew when asked for."""
        return self.given.rows

    def __getitem__(self, name: object) -> NDArray[np.float64]:
        """Return a state of all trajectories, or what a quantity was reduced to.

        Raises
        ------
        UsageError
            No state has this name, or nothing was reduced so.
        """
        if isinstance(name, tuple):
            told = ", ".join(map(name_of_key, name))
            known = {f"{of}, {kind}": values for (of, kind), values in self.reduced.items()}
            if told not in known:
                raise unknown_name(self.model, "reduction", told, list(known))
            return known[told]
        key = name_of_key(name)
        if key not in self.state_names:
            raise unknown_name(self.model, "state", key, self.state_names)
        return self.x[..., self.state_names.index(key)]

    def plot(
        self,
        *names: str,
        over: str | None = None,
        phase: tuple[str, str] | None = None,
        after: float = -math.inf,
        path: str | os.PathLike[str] | None = None,
    ) -> ShownFigure:
        """Draw the points of all trajectories as dots, and return the figure.

        Points that are a period of the motion's driving apart, ``keep=n``, make a bifurcation picture of states over a
        parameter, and a Poincaré section of one state over another.

        Parameters
        ----------
        names
            States, a panel each, which are drawn `over` a parameter.
        over
            Name of a parameter.
        phase
            Instead of these, two states: the second is drawn over the first.
        after
            Points of earlier times [s] are left out: the motion has to settle.
        path
            The figure is also written there, in the format of its ending.

        Raises
        ------
        OutputError
            matplotlib is not installed, or the file cannot be written.
        UsageError
            An unknown name, no points, or neither `over` nor `phase`.
        """
        if (over is None) == (phase is None) or (phase is None) == (not names):
            raise UsageError(f"{self.model}: give names of states and over=, the name of a parameter, or phase=(a, b)")
        after = number_of("after", after, UsageError) if after != -math.inf else after
        kept = np.flatnonzero(self.t >= after)
        if not len(kept):
            raise UsageError(f"{self.model}: no points are kept from t = {after:g} s on")
        title = f"{self.model} ({self.method})"
        if phase is not None:
            across, upwards = map(name_of_key, two_names(self.model, phase))
            dots = self._kept(across, kept), self._kept(upwards, kept)
            return draw_many(title, self._label(across), [(self._label(upwards), *dots)], path)
        parameter = name_of_key(over)
        if parameter not in self.parameter_names:
            raise unknown_name(self.model, "parameter", parameter, self.parameter_names)
        values = self.given.rows[:, self.parameter_names.index(parameter)]
        panels = []
        for name in map(name_of_key, names):
            y = self._kept(name, kept)
            panels.append((self._label(name), np.broadcast_to(values[:, None], y.shape), y))
        return draw_many(title, self._label(parameter), panels, path)

    def _label(self, name: str) -> str:
        """Return a name with its unit, as an axis has it."""
        return Quantity(name, self.units.get(name, ""), "").label

    def _kept(self, name: str, kept: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return a state at some of the points, (k, n)."""
        return self[name].reshape(len(self), -1)[:, kept]

    def __repr__(self) -> str:
        span = f"{counted(len(self), 'trajectory', 'trajectories')}, {counted(len(self.t), 'point')} each"
        failed = int(np.isin(self.status, (Status.FINISHED, Status.EVENT), invert=True).sum())
        return f"<eomc.Ensemble of {self.model} ({self.method}): {span}{f', {failed} failed' if failed else ''}>"

    def _repr_html_(self) -> str:
        """Return how trajectories ended, and least, mean and greatest of what is kept, for a notebook."""
        counts = {one: int(np.count_nonzero(self.status == one)) for one in Status}
        ends = {WORDS.get(one, one.name.lower().replace("_", " ")): count for one, count in counts.items() if count}
        last = self.x if self.x.ndim == 2 else self.x[:, -1] if len(self.t) else None
        about = f"by {self.method}, {counted(len(self.t), 'point')} each"
        return ensemble_cell(self.model, about, ends, self.state_names, last, self.reduced, self.units)


def told_failures(status: NDArray[np.int8]) -> str:
    """Say how many trajectories failed, and how; "" for none."""
    counts = {one: int(np.count_nonzero(status == one)) for one in WORDS}
    failed = sum(counts.values())
    if not failed:
        return ""
    kinds = ", ".join(f"{count} {WORDS[one]}" for one, count in counts.items() if count)
    return f"{failed} of {counted(len(status), 'trajectory', 'trajectories')} ended early: {kinds}"
