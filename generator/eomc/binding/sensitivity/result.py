"""What `Simulator.sensitivities` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import Array, name_of_key, unknown_name
from eomc.errors import UsageError
from eomc.wording import counted


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sensitivities:
    """A motion, and how it depends on its start and on parameters.

    ``s["theta", "l"]`` is the derivative of the state or output theta by the parameter l at each point, (n,), and
    ``s["theta", "omega"]`` that by the value of the state omega at the start. Units are those of the one over those of
    what it is differentiated by.

    Notes
    -----
    `trajectory` is the run. `dx_dx0` (n, nx, nx) and `dx_dp` (n, nx, np) are derivatives of its states by its start
    and by `parameters`, `dy_dx0` and `dy_dp` those of outputs, `dt_dx0` and `dt_dp` those of the times of events;
    `states` are names.

    Examples
    --------
    >>> import eomc
    >>> sim = eomc.compile(eomc.load("simple_pendulum")).load()
    >>> found = sim.sensitivities(t_end=0.1, by=["L"])
    >>> found.dx_dp.shape[1:], found["theta", "L"].shape == found.trajectory.t.shape
    ((2, 1), True)
    """

    trajectory: Trajectory
    dx_dx0: NDArray[np.float64]  # (n, nx, nx): [k, i, j] is that of state i at point k by state j at the start
    dx_dp: NDArray[np.float64]  # (n, nx, np): by the parameters that were chosen, the start held
    dy_dx0: NDArray[np.float64]  # (n, ny, nx): of the outputs
    dy_dp: NDArray[np.float64]  # (n, ny, np)
    dt_dx0: NDArray[np.float64]  # (events, nx): of the times of `trajectory.events` [s]
    dt_dp: NDArray[np.float64]  # (events, np)
    states: tuple[str, ...]
    parameters: tuple[str, ...]  # those that were chosen

    def __getitem__(self, names: Any) -> Array:
        """Return the derivative of one state or output by the start of a state, or by a parameter: shape (n,).

        Raises
        ------
        UsageError
            There is no state, output or parameter of this name, or it was not chosen.
        """
        own, model = self.trajectory.names, self.trajectory.model  # states, then outputs
        if not isinstance(names, tuple) or len(names) != 2:
            raise UsageError(f"{model}: give a state or output, and what it is differentiated by: found['x', 'm']")
        of, by = map(name_of_key, names)
        if of not in own:
            raise unknown_name(model, "state or output", of, own)
        if by not in (*self.states, *self.parameters):
            raise unknown_name(model, "state or parameter", by, (*self.states, *self.parameters))
        if by in self.parameters:
            return np.hstack([self.dx_dp, self.dy_dp])[:, own.index(of), self.parameters.index(by)]
        return np.hstack([self.dx_dx0, self.dy_dx0])[:, own.index(of), self.states.index(by)]

    def __repr__(self) -> str:
        by = f"{counted(len(self.states), 'state')} and {counted(len(self.parameters), 'parameter')}"
        return f"<eomc.Sensitivities of {self.trajectory.model}: {counted(len(self.trajectory), 'point')}, by {by}>"
