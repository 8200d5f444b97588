"""The Gibbs function from numbers: S = sum of m a.a / 2 + alpha.I.alpha / 2 + alpha.(dI/dt).w.

The inertia of a rigid body turns with it, dI/dt = w x I - I x w, so that the last term is alpha.(w x H). Where masses
and inertias grow, dI/dt holds that, too, and m' v.a belongs to S. Appell's equations dS/du'_r = F_r take their matrix
and their bias from the derivatives of S, which is differentiated as a jet over u'.

Source: P. Appell, Sur une forme generale des equations de la dynamique, *J. reine angew. Math.* 121 (1900).
"""

from __future__ import annotations

import numpy as np
import sympy

from eomc.reference.arrays import dot, matvec, multiplied, product, stack
from eomc.reference.instant import Instant
from eomc.reference.jets import Array, Jet, constant, seed
from eomc.reference.kane import Kane
from eomc.reference.moving import Moving

_HALF = constant(0.5)


class GibbsAppell(Kane):
    """Gibbs-Appell's equations of bodies, with the state q, u."""

    def inertia_forces(self, moving: Moving, values: dict[sympy.Basic, Array]) -> tuple[Array, Array]:
        """Return M = d2S/du'2 (k, n, n) and c = dS/du' at u' = 0 (k, n)."""
        count = len(self.speeds)
        still = np.zeros(moving.states)
        rates = stack([seed(still, index, count, 2) for index in range(count)], (moving.states,))
        slopes = _of_accelerations(self, moving, values, rates).derivative(slice(0, count), count)
        return slopes.partials(slice(0, count), count), slopes.value


def gibbs_function(kane: Kane, instant: Instant, speed_rates: Array) -> Array:
    """Return S (k,) [J/s^2] for u' = `speed_rates` (k, n)."""
    moving, _, values = kane.moving(instant)
    return _of_accelerations(kane, moving, values, constant(speed_rates)).expanded((moving.states,)).value


def _of_accelerations(kane: Kane, moving: Moving, values: dict[sympy.Basic, Array], speed_rates: Jet) -> Jet:
    """Return S (k,) as a function of u' (k, n)."""
    given = kane.given_accelerations(moving, values)
    total = constant(np.zeros(moving.states))
    for body in kane.construction.bodies:
        velocity, partials = moving.velocity(body.centre)
        left = moving.clock.rate(velocity).value
        if body.centre.acceleration is not None:
            left = moving.rotations.vector(body.centre.acceleration, given).value
        acceleration = _with_rates(left, partials, speed_rates)
        mass = moving.mass(body)
        growth = constant(moving.clock.rate(mass).value * velocity.value)
        total = total + dot(_HALF * constant(mass.value) * acceleration + growth, acceleration)
        if body.rotation is None:
            continue
        velocity, partials = moving.angular_velocity(body.rotation.angular_velocity)
        root = body.rotation.inertia.root or body.rotation.angular_velocity.root
        left = moving.rotations.rate(root, velocity, moving.clock).value
        if body.rotation.acceleration is not None:
            left = moving.rotations.vector(body.rotation.acceleration, given).value
        acceleration = _with_rates(left, partials, speed_rates)
        inertia = moving.central_inertia(body, body.rotation)
        spin = velocity.value
        gyroscopic = multiplied(moving.clock.rate(inertia).value, spin)
        if root is not None:  # the components are those of a frame that turns
            turning = moving.rotations.vector(moving.construction.frames.angular_velocity(root)).value
            gyroscopic = gyroscopic + np.cross(turning, multiplied(inertia.value, spin))
            gyroscopic = gyroscopic - multiplied(inertia.value, np.cross(turning, spin))
        total = total + dot(_HALF * matvec(constant(inertia.value), acceleration) + constant(gyroscopic), acceleration)
    return total


def _with_rates(left: Array, partials: Jet, speed_rates: Jet) -> Jet:
    """Return an acceleration (k, 3): what is left of it at u' = 0, and what u' adds."""
    states, count = speed_rates.value.shape
    slopes = constant(np.broadcast_to(partials.value, (states, 3, count)))
    return constant(left) + product(slopes, speed_rates, "ij", "j", "i")
