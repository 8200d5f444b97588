"""Reactions: what acts along the auxiliary speeds, that they stay zero.

An auxiliary speed u_r moves what is held, and its equation of motion F_r + F*_r + R_r = 0 gives R_r, the generalized
force of what holds it: the component of a force along the direction in which u_r moves its point, or of a torque.

Source: T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications* (1985), sec. 4.9.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from eomc.reference.instant import Instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane

__all__ = ["Reactions"]


class Reactions:
    """The equations of the auxiliary speeds, beside the motion by `kane`."""

    def __init__(self, kane: Kane) -> None:
        self.kane = kane
        self.bridging = Kane(kane.model, bridging=True)
        self.auxiliary = self.kane.system.auxiliary_speeds
        places = {u: index for index, u in enumerate(self.bridging.speeds)}
        self._kept = [places[u] for u in self.kane.speeds]
        self._held = [places[u] for u in self.auxiliary]

    def at(self, instant: Instant) -> Array:
        """Return R (k, number of auxiliary speeds) in the motion that the loads and the constraints make."""
        solution = self.kane.solve(instant)
        speeds, rates = (np.zeros((instant.states, len(self.bridging.speeds))) for _ in range(2))
        speeds[:, self._kept], rates[:, self._kept] = instant.speeds, solution.speed_rates
        moving, _, values = self.bridging.moving(dataclasses.replace(instant, speeds=speeds))
        matrix, bias = self.bridging.inertia_forces(moving, values)
        total = moving.generalized_forces() - bias - np.einsum("krs,ks->kr", matrix, rates)
        if solution.multipliers is not None:
            jacobian = self.kane.constraints.rows(moving.environment, moving.clock, moving.states).jacobian
            total = total - np.einsum("kmr,km->kr", jacobian, solution.multipliers)
        return np.asarray(-total[:, self._held], dtype=np.float64)
