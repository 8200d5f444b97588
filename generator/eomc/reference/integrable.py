"""Whether the kinetic energy gives the inertia forces: at random states, Lagrange's beside those of momentum.

d/dt(dT/dq') - dT/dq are the inertia forces along q' only where the bodies' velocities are rates of positions, and where
inertias turn with their bodies. With dq'/du = P, both at u' = 0: P^T (d/dt(dT/dq') - dT/dq) = -F*.
"""

from __future__ import annotations

import numpy as np

from eomc.errors import UnsupportedError
from eomc.model import Model
from eomc.reference.arrays import stack
from eomc.reference.constraints import random_instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.momenta import BodyMomenta, Wanted

_TOLERANCE = 1e-8
_ROUNDING = 1e-3
_SUPPOSED = 0.37  # for time derivatives of signals that nobody gave: the same for both


def refuse_other_velocities(model: Model, source: BodyMomenta, method: str) -> None:
    """Raise UnsupportedError where the momenta of a system of bodies do not give its motion."""
    kane = Kane(model)
    kane.setting.supposed = source.setting.supposed = _SUPPOSED
    try:
        with np.errstate(all="ignore"):
            by_energy, by_momentum, size = _inertia_forces(model, source, kane)
    finally:
        source.setting.supposed = None
    if np.any(np.abs(by_energy - by_momentum) > _TOLERANCE * size):
        raise UnsupportedError(
            f"model {model.name!r}: the velocities of its bodies are no rates of positions, or inertias do not turn "
            f"with them, so that {method} does not give the motion: use kane"
        )


def _inertia_forces(model: Model, source: BodyMomenta, kane: Kane) -> tuple[Array, Array, Array]:
    """Return both over the speeds (k, n), and the size of their terms."""
    instant = random_instant(model, len(kane.speeds))
    moving, environment, values = kane.moving(instant)
    rates = stack([environment[symbol] for symbol in kane.setting.rates], (instant.states,))
    second = moving.clock.rate(rates).value
    matrix, inertia = kane.inertia_forces(moving, values)
    at = source.at(instant, rates.value, Wanted.EVERYTHING)
    assert at.moving is not None
    terms = [np.einsum("krs,ks->kr", at.matrix, second), at.bias, -source.slopes_of_kinetic_energy(at.moving)]
    turned = [np.einsum("krs,kr->ks", moving.rate_partials, term) for term in terms]
    shares = [np.einsum("krs,kr->ks", np.abs(moving.rate_partials), np.abs(term)) for term in terms]
    # where all terms cancel within, what is left is rounding of products of velocities and partial velocities
    inner = np.sqrt(np.abs(np.einsum("krr->kr", matrix)) * 2.0 * np.abs(at.function[:, None]))
    return np.asarray(sum(turned)), inertia, np.asarray(sum(shares) + np.abs(inertia) + _ROUNDING * inner)
