"""Steps by power series: that of a change of the motion is the derivative of that of the motion, order by order.

x(t + h) = sum x_k h^k, and the terms of dx solve (dx)' = df/dx dx + df/dp dp in the same way: the variational
equations have series of their own, which are computed beside those of the motion, for one direction at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.bodies import Bodies
from eomc.binding.calls import ConstantsCache, real_type
from eomc.binding.contract import Compiled
from eomc.binding.loading import open_build
from eomc.binding.sensitivity.dividing import Allowed
from eomc.binding.sensitivity.reached import Reached, Steps
from eomc.binding.vectors import Array, NamedVector
from eomc.errors import SingularSystemError, StepError
from eomc.ir.remedies import cause

_SINGULAR = 1  # of eomc_expand
_LARGEST = 1e-6


class Variations:
    """Power series of a motion and of its changes, in C.

    Parameters
    ----------
    build
        Has the motion with one of its changes: `Compiled.with_variations`.
    """

    def __init__(self, build: Compiled) -> None:
        program = build.program
        self._library = open_build(build)
        self._name, self._states = program.name, len(program.states) // 2
        self._parameters = NamedVector.of("parameter", program.name, program.parameters, self._library.real)
        self._constants = ConstantsCache(self._library, self._parameters, Bodies(build, self._parameters))
        self._order = build.integrator.order

    def over(self, steps: Steps, parameters: Array, allowed: Allowed) -> Reached:
        """Return the ends of steps, and their derivatives by the states from which they went and by parameters.

        A step that is too long for a change of the motion, as one from an equilibrium may be, is divided for it.

        Parameters
        ----------
        steps
            With inputs at their beginnings and ends, between which these are lines.
        parameters
            Of the motion, (np,).
        allowed
            How far steps may be off. Terms of changes may be larger by the order squared: a derivative by where a
            singularity is has so much larger ones.

        Raises
        ------
        SingularSystemError
            The accelerations are not determined where a step begins.
        StepError
            A change needs steps that are shorter by many orders.
        """
        n, chosen = self._states, len(self._parameters) - len(parameters)
        count = len(steps.t)
        if not count:
            return Reached(steps.x, np.zeros((0, n, n + chosen)))
        starts = np.zeros((n, count, 2 * n))
        starts[:, :, :n] = steps.x
        starts[:, :, n:] = np.eye(n)[:, None]
        still = np.concatenate([parameters, np.zeros(chosen)])
        by_states = self._expanded(steps, starts, still, (np.abs(steps.x) + allowed.nothing).T, allowed)
        by = np.empty((count, n, n + chosen))
        by[:, :, :n] = by_states[:, :, n:].transpose(1, 2, 0)
        starts[:, :, n:] = 0.0
        for j in range(chosen):
            moving = still.copy()
            moving[len(parameters) + j] = 1.0
            scale = np.full(count, allowed.scales[j])
            by[:, :, n + j] = self._expanded(steps, starts[:1], moving, scale, allowed)[0, :, n:]
        return Reached(by_states[0, :, :n].copy(), by)

    def _expanded(self, steps: Steps, starts: Array, parameters: Array, scales: Array, allowed: Allowed) -> Array:
        """Return where motions and changes (m, k, 2 nx), of these scales (m, k), are after each of k steps."""
        library, shape = self._library, starts.shape
        real: Any = real_type(library)
        rows = shape[0] * shape[1]
        slopes = (steps.r[:, 1] - steps.r[:, 0]) / steps.h[:, None]
        given = np.stack([np.broadcast_to(steps.r[:, 0], slopes.shape), slopes], axis=1).reshape(shape[1], -1)
        inputs = np.zeros((rows, max(1, given.shape[1])), dtype=real)
        inputs[:, : given.shape[1]] = np.tile(given, (shape[0], 1))
        t, h = (np.tile(one, shape[0]) for one in (steps.t, steps.h))
        x = np.array(starts.reshape(rows, -1), dtype=real)
        constants = self._constants.of(parameters)
        work = np.zeros(library.model.work_size, dtype=np.uint8)
        series = np.empty(library.lib.eomc_series_size(), dtype=real)
        tolerance = min(self._order**2 * allowed.rtol, _LARGEST)
        failed, scratch = library.ffi.new("int64_t *"), library.pointer(work, "void *")
        status = library.lib.eomc_expand(
            rows, library.pointer(t, "double *"), library.pointer(h, "double *"), library.pointer(inputs),
            library.pointer(np.ascontiguousarray(scales), "double *"), library.pointer(allowed.nothing, "double *"),
            tolerance, constants.pointer, scratch, library.pointer(series), library.pointer(x), failed,
        )  # fmt: skip
        where = f"{self._name}: sensitivities: at t = {t[failed[0]]:.9g}"
        if status == _SINGULAR:
            raise SingularSystemError(f"{where} {cause(library.label(scratch))}")
        if status != 0:
            raise StepError(
                f"{where} changes of the motion need steps that are shorter than its own by many orders: take rodas5p"
            )
        return x.astype(np.float64, copy=False).reshape(shape)
