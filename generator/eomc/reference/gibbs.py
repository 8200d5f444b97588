"""The Gibbs function from numbers: S = sum of m a.a / 2 + alpha.I.alpha / 2 + alpha.(dH/dt - I.alpha).

With H = I.w the last factor is w x H; where masses and inertias grow, it holds I'.w, too, and m'v.a belongs to S.

Source: P. Appell, Sur une forme generale des equations de la dynamique, *J. reine angew. Math.* 121 (1900).
"""

from __future__ import annotations

import numpy as np

from eomc.reference.arrays import product
from eomc.reference.instant import Instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane

__all__ = ["gibbs_function"]


def gibbs_function(kane: Kane, instant: Instant, speed_rates: Array) -> Array:
    """Return S (k,) [J/s^2] for u' = `speed_rates` (k, n)."""
    moving, _, values = kane.moving(instant)
    given = kane.given_accelerations(moving, values)
    total = np.zeros(moving.states)
    for body in kane.construction.bodies:
        velocity, partials = moving.velocity(body.centre)
        mass = moving.mass(body)
        left = moving.clock.rate(velocity).value
        if body.centre.acceleration is not None:
            left = moving.rotations.vector(body.centre.acceleration, given).value
        acceleration = left + np.einsum("kir,kr->ki", partials.value, speed_rates)
        growth = moving.clock.rate(mass).value * velocity.value
        total += np.einsum("ki,ki->k", 0.5 * mass.value * acceleration + growth, acceleration)
        if body.rotation is None:
            continue
        velocity, partials = moving.angular_velocity(body.rotation.angular_velocity)
        root = body.rotation.inertia.root or body.rotation.angular_velocity.root
        inertia = moving.central_inertia(body, body.rotation)
        derived = moving.rotations.rate(root, velocity, moving.clock).value
        momentum = moving.rotations.rate(root, product(inertia, velocity, "ij", "j", "i"), moving.clock).value
        left = derived
        if body.rotation.acceleration is not None:
            left = moving.rotations.vector(body.rotation.acceleration, given).value
        acceleration = left + np.einsum("kir,kr->ki", partials.value, speed_rates)
        turning = np.einsum("kij,kj->ki", inertia.value, 0.5 * acceleration - derived) + momentum
        total += np.einsum("ki,ki->k", turning, acceleration)
    return total
