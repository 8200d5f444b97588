"""Potential energy of the weights: V = -sum of m g . r, with r from a point at rest.

A point whose velocity was set to zero need not be at rest: the contact point of a rolling disk moves on along the
disk. An origin will do if the power of the weight is -dV/dt, which is asked at a few states.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eomc.reference.jets import Array
from eomc.reference.moving import Moving


def choose_origins(moving: Moving) -> list[int] | None:
    """Return for each body which of its possible origins to take, None where a body has none.

    Bodies that positions connect have the same possible origins, in the same order, and share one.
    """
    construction = moving.construction
    if construction.gravity is None:
        return []
    gravity = moving.gravity()
    heights = construction.heights.run(moving.environment)
    suitable: list[list[bool]] = []
    for body, candidates in zip(construction.bodies, construction.origins, strict=True):
        power = np.einsum("ki,ki->k", gravity, moving.velocity(body.centre)[0].value)
        rates = [moving.clock.rate(moving.rotations.sum(forms, heights)).value for forms in candidates]
        sinking = [np.einsum("ki,ki->k", gravity, rate) for rate in rates]
        suitable.append([bool(np.all(np.abs(s - power) <= 1e-9 * (1.0 + np.abs(power)))) for s in sinking])
    chosen = []
    for component in construction.components:
        members = [fits for fits, other in zip(suitable, construction.components, strict=True) if other == component]
        common = [index for index in range(len(members[0])) if all(fits[index] for fits in members)]
        if not common:
            return None
        chosen.append(common[0])
    return chosen


def potential_of_weights(moving: Moving, origins: Sequence[int]) -> Array:
    """Return the potential energy of the weights (k,)."""
    construction = moving.construction
    energy = np.zeros(moving.states)
    if construction.gravity is None:
        return energy
    gravity = moving.gravity()
    heights = construction.heights.run(moving.environment)
    for body, candidates, index in zip(construction.bodies, construction.origins, origins, strict=True):
        position = moving.rotations.sum(candidates[index], heights).value
        energy -= moving.mass(body).value[:, 0] * np.einsum("ki,ki->k", gravity, position)
    return energy
