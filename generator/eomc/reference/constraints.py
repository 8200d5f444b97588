"""Constraints in numbers: their rows J v + b = 0 with J' v + b', and the motion under them from singular values.

v = J^+ c + N z with J N = 0, and N^T M N z = N^T (f - M J^+ c): the null-space method in its plainest form
(J. Garcia de Jalon and E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems* (1994)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy

from eomc.model import Hamiltonian, Model, bounds_of
from eomc.reference.arrays import stack
from eomc.reference.clock import Clock
from eomc.reference.instant import Instant
from eomc.reference.jets import Array, Jet
from eomc.reference.plan import Plan

_NEGLIGIBLE = 1e-9  # a singular value beside the largest, rows of J having unit maximum, or an entry beside its row


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows g = J v + b = 0 at k states."""

    residuals: Jet  # g (k, m)
    jacobian: Array  # J (k, m, n)
    rates: Array  # J' v + b' (k, m)


class Constraints:
    """The configuration and velocity constraints of a model."""

    def __init__(self, model: Model) -> None:
        bound = None if isinstance(model.dynamics, Hamiltonian) else model.dynamics
        configuration = bound.configuration_constraints if bound else ()
        velocity = bound.velocity_constraints if bound else ()
        self.model = model
        self.configuration, self.velocity = Plan(), Plan()
        self._configuration_places = [self.configuration.add(expression) for expression in configuration]
        self._velocity_places = [self.velocity.add(expression) for expression in velocity]
        self.adds_rates: list[int] | None = None  # configuration constraints whose rates are rows of their own
        self.nonholonomic: list[int] = []  # velocity constraints that are no rates of configuration constraints

    def __bool__(self) -> bool:
        return bool(self._configuration_places or self._velocity_places)

    @property
    def plans(self) -> list[Plan]:
        """Return what the motion under the constraints rests on."""
        return [self.configuration, self.velocity]

    @property
    def names(self) -> list[str]:
        """Return the keys of the rows, as the multipliers are named after them."""
        rows = [f"velocity_{k}" for k in range(len(self._velocity_places))]
        return rows + [f"configuration_{k}" for k in self.adds_rates or ()]

    def positions(self, environment: Mapping[sympy.Basic, Jet], states: int) -> Jet:
        """Return the residuals of the configuration constraints (k, mc)."""
        results = self.configuration.run(environment) if self._configuration_places else []
        return stack([results[place].expanded((states,)) for place in self._configuration_places], (states,))

    def velocities(self, environment: Mapping[sympy.Basic, Jet], states: int) -> Jet:
        """Return the residuals of the velocity constraints (k, mv)."""
        results = self.velocity.run(environment) if self._velocity_places else []
        return stack([results[place].expanded((states,)) for place in self._velocity_places], (states,))

    def rows(self, environment: Mapping[sympy.Basic, Jet], clock: Clock, states: int) -> Rows:
        """Return the rows: velocity constraints, then the rates of configuration constraints that say more.

        `adds_rates` and `nonholonomic` are found at the states of the first call: use a random instant for it.
        """
        configuration, velocity = self.positions(environment, states), self.velocities(environment, states)
        block, count = clock.seeds.speed_block, len(clock.seeds.speeds)
        rates = clock.rate(configuration) if self._configuration_places else configuration
        slopes = velocity.partials(block, count) if self._velocity_places else np.zeros((states, 0, count))
        more = rates.partials(block, count) if self._configuration_places else np.zeros((states, 0, count))
        if self.adds_rates is None:
            at = np.stack([np.broadcast_to(environment[u].value, (states,)) for u in clock.seeds.speeds], axis=-1)
            given, made = _affine(slopes, velocity.value, at), _affine(more, rates.value, at)
            self.adds_rates = _choose(given, made, _sizes_of_rates(configuration, clock))
            self.nonholonomic = _choose(made, given, np.zeros_like(given))
        kept = self.adds_rates
        residuals = stack(
            [*(velocity[:, k] for k in range(velocity.value.shape[1])), *(rates[:, k] for k in kept)], (states,)
        )
        second = clock.rate(rates).value[:, kept] if kept else np.zeros((states, 0))
        first = clock.rate(velocity).value if self._velocity_places else np.zeros((states, 0))
        return Rows(residuals, np.concatenate([slopes, more[:, kept]], axis=1), np.concatenate([first, second], axis=1))


def _affine(slopes: Array, values: Array, speeds: Array) -> Array:
    """Return J and behind it b (k, m, n + 1), from J and J v + b."""
    return np.concatenate([slopes, (values - np.einsum("kmn,kn->km", slopes, speeds))[..., None]], axis=2)


def _sizes_of_rates(residuals: Jet, clock: Clock) -> Array:
    """Return the sizes of the terms of J and b (k, m, n + 1) that rates of residuals have."""
    seeds = clock.seeds
    partials = np.abs(residuals.partials(slice(None), len(seeds.symbols)))
    moving = np.abs(clock.rates.partials(seeds.speed_block, len(seeds.speeds)))
    moving = np.concatenate([moving, np.abs(clock.rates.value)[..., None]], axis=2)
    return np.asarray(np.einsum("kms,ksn->kmn", partials, moving))


def _choose(own: Array, new: Array, sizes: Array) -> list[int]:
    """Return the `new` rows that are neither zero beside the sizes of their terms nor made of our `own`."""
    chosen = []
    for index in range(new.shape[1]):
        row = new[:, index]
        finite = [k for k in range(len(row)) if np.all(np.isfinite(row[k])) and np.all(np.isfinite(own[k]))]
        if all(np.all(np.abs(row[k]) <= _NEGLIGIBLE * sizes[k, index]) for k in finite):
            continue

        def rest(k: int, row: Array = row) -> float:
            factors = np.linalg.lstsq(own[k].T, row[k], rcond=None)[0]
            return float(np.max(np.abs(own[k].T @ factors - row[k])))

        if own.shape[1] and all(rest(k) <= _NEGLIGIBLE * np.max(np.abs(row[k])) for k in finite):
            continue
        chosen.append(index)
    return chosen


def random_instant(model: Model, speeds: int) -> Instant:
    """Return three states off all constraints, with parameters of their own: what follows there follows everywhere."""
    generator = np.random.default_rng(5)
    low, high = np.array(bounds_of(model, model.coordinates)).reshape(-1, 2).T
    values = np.array([p.value for p in model.parameters], dtype=np.float64)
    moved = np.where(values == 0.0, 0.1, values) * generator.uniform(0.8, 1.2, (3, len(values)))
    return Instant(
        generator.uniform(0.1, 2.0, 3),
        generator.uniform(low, high, (3, len(low))),
        generator.uniform(-1.0, 1.0, (3, speeds)),
        generator.uniform(0.1, 1.0, (3, len(model.extra_states))),
        generator.uniform(-1.0, 1.0, (3, len(model.inputs))),
        moved,
    )


def constrained(matrix: Array, force: Array, jacobian: Array, wanted: Array) -> tuple[Array, Array]:
    """Return v (k, n) and lambda (k, m) of M v + J^T lambda = f, J v = c; lambda of least norm, NaN where singular.

    The unknowns are measured in the metric of M, in which all have one unit: no unit decides which rows are redundant.
    """
    states, m, n = jacobian.shape
    solution, multipliers = np.full((states, n), np.nan), np.full((states, m), np.nan)
    for k in range(states):
        parts = (matrix[k], force[k], jacobian[k], wanted[k])
        if not all(np.all(np.isfinite(part)) for part in parts):
            continue
        free, (measures, peaks, left, sizes, turned) = free_directions(matrix[k], jacobian[k])
        rank = n - free.shape[1]
        particular = measures * (turned[:rank].T @ ((left[:, :rank].T @ (wanted[k] / peaks)) / sizes[:rank]))
        reduced = free.T @ matrix[k] @ free
        try:
            motion = np.linalg.solve(reduced, free.T @ (force[k] - matrix[k] @ particular))
        except np.linalg.LinAlgError:
            continue
        solution[k] = particular + free @ motion
        rest = (turned[:rank] @ (measures * (force[k] - matrix[k] @ solution[k]))) / sizes[:rank]
        if rank == m:
            multipliers[k] = (left @ rest) / peaks
        else:  # of least norm: a combination of the columns of J
            scaled = peaks[:, None] * left[:, :rank]
            columns = np.linalg.qr(scaled)[0]
            multipliers[k] = columns @ np.linalg.solve(scaled.T @ columns, rest)
    return solution, multipliers


def free_directions(matrix: Array, jacobian: Array) -> tuple[Array, tuple[Array, Array, Array, Array, Array]]:
    """Return N (n, n - rank) with J N = 0, in the units of the metric of M, and what it was made of.

    These are the units of the unknowns and of the rows, and the singular vectors and values of J in them.
    """
    diagonal = np.diag(matrix)
    measures = np.where(diagonal > 0.0, diagonal, 1.0) ** -0.5
    rows = jacobian * measures
    peaks = np.max(np.abs(rows), axis=1, initial=0.0)
    peaks = np.where(peaks > 0.0, peaks, 1.0)
    left, sizes, turned = np.linalg.svd(rows / peaks[:, None])
    rank = int(np.sum(sizes > _NEGLIGIBLE * max(sizes, default=0.0)))
    return measures[:, None] * turned[rank:].T, (measures, peaks, left, sizes, turned)
