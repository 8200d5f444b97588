"""What a simulator knows along a run and nobody needs in every run: evaluated when it is first asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.evaluation import Evaluator
from eomc.binding.vectors import Array
from eomc.errors import UsageError
from eomc.pictures import Motion, refuse_empty, sampled
from eomc.scenery import scene


class Along:
    """Functions of a simulator at the points of a run. A pickle of it holds their values, no simulator.

    Parameters
    ----------
    evaluator
        What evaluates.
    t, x, inputs, parameters
        Of the run, as `Trajectory` has them.
    before
        Inputs at the end of the step that leads to each point, where they jump there: sampled inputs; else None.
    """

    def __init__(self, evaluator: Evaluator, t: Array, x: Array, inputs: Array, parameters: Array, before: Any) -> None:
        self._evaluator = evaluator
        self.speed = evaluator.model.run.speed  # of a picture, where nothing is said
        self._point = t, x, inputs, parameters
        self._before = before

    @cached_property
    def slopes(self) -> tuple[Array, Array]:
        """The rates dx/dt after each point and before it, both of shape (n, nx); NaN where there are none."""
        t, x, inputs, parameters = self._point
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            after = self._evaluator.evaluate("rhs", t, x, inputs, parameters)
            if self._before is None:
                return after, after
            return after, self._evaluator.evaluate("rhs", t, x, self._before, parameters)

    @cached_property
    def energies(self) -> dict[str, Array]:
        """The energies [J] by name, (n,) each; none of a model whose energy is not known."""
        if "energy" not in self._evaluator.functions:
            return {}
        t, x, inputs, parameters = self._point
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            return self._evaluator.by_name("energy", t, x, inputs, parameters)

    def motion(self, begin: float, end: float, states: Callable[[Array], Array], follow: str | None = None) -> Motion:
        """Return the motion in key frames; inputs go linearly between the points."""
        if not hasattr(self, "_evaluator"):  # which `__getstate__` leaves out
            raise UsageError(
                "a trajectory that was pickled has no simulator, and so no poses: animate it where it was computed"
            )
        t, _, inputs, parameters = self._point
        model, names = self._evaluator.model, self._evaluator.parameter_names
        known = {one.name for one in model.parameters}
        values = {name: value for name, value in zip(names, parameters.tolist(), strict=True) if name in known}
        drawn = scene(model, values)
        refuse_empty(drawn)  # before there is the word that such a model has no function of poses
        evaluator = self._evaluator.having("poses")  # runs by another integrator are compiled without

        def poses(times: Array) -> Array:
            between = np.stack([np.interp(times, t, column) for column in inputs.T], axis=1) if inputs.size else None
            return evaluator.evaluate("poses", times, states(times), between, parameters)

        return sampled(drawn, poses, begin, end, follow)

    def __getstate__(self) -> dict[str, Any]:
        return {"slopes": self.slopes, "energies": self.energies, "speed": self.speed}
