"""Inverse dynamics from numbers: the forces along directions B with which the motion has accelerations v'.

With J N = 0 the equations along what is free are N^T (M v' - f) = N^T B a, whatever the constraints' forces; a is of
least norm among the solutions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from eomc.errors import UsageError
from eomc.model import MechanicalSystem, Model, name_of
from eomc.reference.constraints import constrained, free_directions
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.instant import Balance, Instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.method import Method

_NEAR = 1e-7  # accelerations that break a constraint by more, beside its terms, are none; so are forces


def inverse_dynamics(model: Model, method: Method, instant: Instant, named: Sequence[str]) -> dict[str, Array]:
    """Return forces by name (k,), NaN where there are none; `named` are the inputs and motion variables along which."""
    assert instant.accelerations is not None
    speeds, dependent = motion_variables(model, method)
    names = list(named) or [name for name in speeds if name not in dependent]
    inputs = [r.name for r in model.inputs]
    acting = [name for name in names if name in inputs]
    given = np.array(instant.inputs)
    given[:, [inputs.index(name) for name in acting]] = 0.0
    balance = method.balance(dataclasses.replace(instant, inputs=given))
    columns = []
    for name in names:
        if name in acting:
            unit = given.copy()
            unit[:, inputs.index(name)] = 1.0
            columns.append(method.balance(dataclasses.replace(instant, inputs=unit)).forcing - balance.forcing)
        elif name in speeds:
            columns.append(np.broadcast_to(np.array(speeds) == name, balance.forcing.shape).astype(float))
        else:
            raise UsageError(f"{model.name}: {name} is neither an input nor a speed")
    forces = _along(balance, instant.accelerations, np.stack(columns, axis=-1))
    return {name if name in acting else f"tau_{name}": forces[:, i] for i, name in enumerate(names)}


def motion_variables(model: Model, method: Method) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the variables that have accelerations, and of those that are named dependent."""
    dynamics = model.dynamics
    if isinstance(method, Kane):
        named = dynamics.dependent_speeds if isinstance(dynamics, MechanicalSystem) else ()
        return method.speed_names, tuple(map(name_of, named))
    if isinstance(method, HamiltonOfFunction):
        return method.speed_names, ()
    return tuple(f"{name_of(q)}_d" for q in model.coordinates), ()


def admissible_accelerations(balance: Balance, generator: np.random.Generator) -> Array:
    """Return accelerations (k, n) that the constraints admit, of size 1 where these leave a choice."""
    sizes = np.abs(np.einsum("kii->ki", balance.matrix))
    forces = np.where(sizes > 0.0, sizes, 1.0) * generator.uniform(-1.0, 1.0, sizes.shape)
    return constrained(balance.matrix, forces, balance.jacobian, balance.wanted)[0]


def _along(balance: Balance, accelerations: Array, actuation: Array) -> Array:
    """Return the forces a (k, number of columns of B)."""
    forces = np.full((len(actuation), actuation.shape[2]), np.nan)
    for k, (matrix, forcing, jacobian) in enumerate(
        zip(balance.matrix, balance.forcing, balance.jacobian, strict=True)
    ):
        given, columns = accelerations[k], actuation[k]
        size = np.abs(jacobian).sum(axis=1) * np.max(np.abs(given), initial=0.0) + np.abs(balance.wanted[k])
        admitted = np.all(np.abs(jacobian @ given - balance.wanted[k]) <= _NEAR * size)
        if not (admitted and np.all(np.isfinite(matrix)) and np.all(np.isfinite(forcing))):
            continue
        free = free_directions(np.eye(len(matrix)), jacobian)[0]  # orthonormal: no mass decides what is the least
        missing = free.T @ (matrix @ given - forcing)
        found, _, rank, _ = np.linalg.lstsq(free.T @ columns, missing, rcond=1e-9)
        size = np.abs(free.T) @ (np.abs(matrix) @ np.abs(given) + np.abs(forcing))
        if rank == len(missing) or np.all(np.abs(free.T @ columns @ found - missing) <= _NEAR * size):
            forces[k] = found
    return forces
