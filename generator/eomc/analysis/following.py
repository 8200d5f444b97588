"""The energy balance of a run, followed while it is made: block by block, so that no more than one block is kept.

The work is the integral of the power by the stages of the steps, as in `eomc.analysis.balance`. Here nothing is
allowed for kinks and jumps of the forces, and a run is only called off where it is so by far: by more than 1e-3 of the
energy turned over, the share beyond which `eomc.analysis.balance` says that nothing can be told.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping

import numpy as np

from eomc.analysis.balance import WORTH, grown, least_tolerance, stages
from eomc.analysis.contract import Built
from eomc.binding.vectors import Array


class Followed:
    """What becomes of the energy of a run, all in J; an object is what `Simulator.simulate` takes as ``follow``.

    The run takes the steps of the build's own scheme.

    Attributes
    ----------
    defect
        Largest |E - E(0) - work| so far.
    seconds
        The time that following took.
    """

    def __init__(self, build: Built, parameters: Mapping[str, float] | Array | None = None) -> None:
        self._simulator = build.load()
        scheme = build.integrator.staged
        assert scheme is not None
        self._scheme = scheme
        self._parameters = parameters
        self._name = build.equations.energetics.powers[-1].name
        self._least = least_tolerance(build.real)
        self._worth = WORTH
        self._first: float | None = None
        self._work = 0.0
        self._bounds: dict[str, tuple[float, float]] = {}
        self.defect = 0.0
        self.seconds = 0.0

    @staticmethod
    def can(build: Built) -> bool:
        """Whether the energy of a model and its power are known, and the steps have stages to follow."""
        known = not build.equations.energetics.no_power and any(one.name == "power" for one in build.program.functions)
        return known and build.integrator.staged is not None

    def __call__(self, t: Array, x: Array, r: Array, taken: Array) -> None:
        """Take states and inputs at the ends of some steps, and the inputs that these take."""
        begin = time.perf_counter()
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):  # the run tells singular states
            self._take(t, x, r, np.broadcast_to(taken, (len(t) - 1, *taken.shape[1:])))
        self.seconds += time.perf_counter() - begin

    def _take(self, t: Array, x: Array, r: Array, taken: Array) -> None:
        simulator, times = self._simulator, self._simulator.input_times
        energies = simulator.energy(t, x, r, self._parameters)
        given = [taken[:, times.index(share)] for share in self._scheme.c]
        places = stages(simulator, self._scheme, t, x, given, self._parameters)
        work = self._work + grown(self._scheme, t, [simulator.power(*at)[self._name] for at in places])
        energy = energies[self._name]
        standing = np.diff(t) == 0.0  # what an event makes of the energy is no error of the run
        work = work + np.append(0.0, np.cumsum(np.where(standing, np.diff(energy), 0.0)))
        if self._first is None:
            self._first = float(energy[0])
        self.defect = float(np.maximum(self.defect, np.abs(energy - self._first - work).max()))  # keeps NaN
        self._work = float(work[-1])
        parts: dict[str, Array] = {part: energies[part] for part in ("kinetic", "potential") if part in energies}
        parts = parts or {self._name: energy}
        for part, values in (*parts.items(), ("work", work)):
            low, high = self._bounds.get(part, (np.inf, -np.inf))
            self._bounds[part] = min(low, float(values.min())), max(high, float(values.max()))

    @property
    def turnover(self) -> float:
        """The energy turned over: the largest T, change of V, or work."""
        return max(
            max(abs(low), abs(high)) if part in ("kinetic", "work") else high - low
            for part, (low, high) in self._bounds.items()
        )

    @property
    def is_off(self) -> bool:
        """Whether the change of energy is far from the work; NaN is."""
        if self._first is None:
            return False
        sizes = [max(abs(low), abs(high)) for part, (low, high) in self._bounds.items() if part != "work"]
        return not self.defect <= max(self._worth * self.turnover, self._least * max(sizes))
