"""A controller in the loop of a run: called at its sample times, its inputs held from one to the next.

Sample times are ``t0 + k h``, k = 0, 1, ..., those before the end of the run; the last interval may be shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from eomc.binding.grids import TimeGrid, time_grid
from eomc.binding.sources import Sources
from eomc.binding.vectors import Array, Real, Values
from eomc.errors import UsageError
from eomc.model.arguments import quoted

Controller: TypeAlias = Callable[[float, Array], Values]
"""Takes a time [s] and the state (nx,) then, and returns inputs by name, or all of them in order, (nr,)."""


class Controlling(NamedTuple):
    """A controller as it is given."""

    controller: Controller
    sample_time: float


def controlling(controller: Any, sample_time: Any) -> Controlling | None:
    """Return a controller and its sample time, or None where there is none.

    Raises
    ------
    UsageError
        It cannot be called, or one of the two is missing.
    """
    if controller is None:
        if sample_time is not None:
            raise UsageError("sample_time is that of a controller: give controller=, a function of t and x, too")
        return None
    if not callable(controller):
        raise UsageError(f"controller must be a function of t and x that returns inputs, not {quoted(controller)}")
    if sample_time is None:
        raise UsageError("a controller is called at sample times: give sample_time=, the seconds from one to the next")
    return Controlling(controller, sample_time)


class Control:
    """What a controller says in one run, recorded sample by sample.

    Parameters
    ----------
    controller
        What is called; None where a record is replayed.
    samples
        Its intervals.
    sources
        Makes values of what it returns.
    rows
        A record of what it returned: NaN where it said nothing of an input.

    Attributes
    ----------
    samples, rows
        The same; rows, (nr,) each, as they come.
    raised
        What the controller, or the check of what it returned, has raised.
    """

    def __init__(
        self, controller: Controller | None, samples: TimeGrid, sources: Sources, rows: list[Array] | None = None
    ) -> None:
        self._controller = controller
        self.samples = samples
        self._sources = sources
        self._silent = np.full(len(sources.names), np.nan)
        self._taken = 0
        self.rows: list[Array] = [] if rows is None else rows
        self.raised: BaseException | None = None

    def replayed(self) -> Control:
        """Return what says the same again, as far as this has come, and calls nobody."""
        return Control(None, self.samples, self._sources, self.rows)

    @classmethod
    def of(cls, given: Controlling, t0: float, t_end: float, sources: Sources) -> Control:
        """Return the control of a run."""
        return cls(given.controller, time_grid(t0, t_end, given.sample_time, "sample_time"), sources)

    @property
    def ends(self) -> Iterator[float]:
        """Where the intervals end."""
        return (self.samples.time(k + 1) for k in range(self.samples.total))

    def sample(self, x: Real) -> bool:
        """Go on to the next sample, at the state x; False where the run ends instead."""
        if self._taken == len(self.rows):
            if self._controller is None:
                return False
            t = self.samples.time(self._taken)
            try:
                values = self._controller(t, np.array(x, dtype=np.float64))
                row = self._sources.returned(values, t, "the controller", self._silent)
            except BaseException as error:  # Ctrl-C, too: what the run has come to is kept
                self.raised = error
                return False
            self.rows.append(np.array(row))  # the controller may write into its own array again
        self._taken += 1
        return True

    def now(self, rows: Array) -> Array:
        """Return inputs, (..., nr), with what is held now in the place of what is given beside."""
        held = self.rows[self._taken - 1]
        return np.where(np.isnan(held), rows, held)

    def over(self, rows: Array, t: Array, before: bool = False, real: type[np.floating[Any]] = np.float64) -> Array:
        """Return inputs at some times, (k, nr), with what was held then in the place of what is given beside.

        Parameters
        ----------
        rows, t
            What is given beside, and the times.
        before
            Whether a sample at such a time is still to come.
        real
            In which the run has kept its times.
        """
        if not self.rows:
            return rows
        taken = self.samples.times(np.arange(len(self.rows))).astype(real)
        k = np.searchsorted(taken, t, side="left" if before else "right") - 1
        held = np.array(self.rows)[np.maximum(k, 0)]
        return np.where(np.isnan(held), rows, held)
