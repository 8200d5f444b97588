"""Lagrange's equations of the second kind, d/dt (dL/dq') = dL/dq + Q, from numbers; and Hamilton's from the same L.

Lagrange: M q'' = dL/dq + Q - c with M = d2L/dq'2 and c = d/dt (dL/dq') at q'' = 0. Hamilton: q' from p = dL/dq',
p' = dL/dq + Q.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import sympy

from eomc.errors import UnsupportedError
from eomc.model import MechanicalSystem, Model, name_of
from eomc.reference.arrays import solve_values, stack
from eomc.reference.clock import MissingRateError
from eomc.reference.constraints import Rows, constrained, random_instant
from eomc.reference.instant import Balance, Instant, Solution, accelerations_by_symbol
from eomc.reference.jets import Array
from eomc.reference.momenta import (
    BodyMomenta,
    LagrangianMomenta,
    Momenta,
    MomentumSource,
    Wanted,
    rates_from_momenta,
)

_MASS_MATRIX = "the mass matrix"


def momentum_source(model: Model) -> MomentumSource:
    """Return where the momenta of a model of bodies or of a Lagrangian come from."""
    return BodyMomenta(model) if isinstance(model.dynamics, MechanicalSystem) else LagrangianMomenta(model)


class _ByEnergy(ABC):
    """Equations from momenta: those of a Lagrangian or of bodies."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.source = momentum_source(model)
        self.setting = self.source.setting

    @abstractmethod
    def momenta(self, instant: Instant) -> Momenta:
        """Return the momenta at the states."""

    def constraint_values(self, instant: Instant) -> tuple[Array, Array]:
        """Return the residuals of the configuration (k, m) and the velocity constraints (k, n)."""
        at, constraints = self.momenta(instant), self.source.constraints
        positions = constraints.positions(at.environment, instant.states)
        return positions.value, constraints.velocities(at.environment, instant.states).value


class Lagrange(_ByEnergy):
    """Lagrange's equations with the state q, q'."""

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        return tuple(name_of(symbol) for symbol in self.source.setting.rates)

    def momenta(self, instant: Instant) -> Momenta:
        """Return the momenta at the states."""
        return self.source.at(instant, instant.speeds, Wanted.VALUE)

    def solve(self, instant: Instant, accelerations: bool = True) -> Solution:
        """Return the motion; the accelerations are what is solved for."""
        at = self.source.at(instant, instant.speeds)
        forcing = at.drive - at.bias
        second, multipliers, forces = _accelerations(self.source, at, forcing)
        values = _with_accelerations(self.source, at, second)
        return Solution(instant.speeds, second, second, at.matrix + at.following, forcing, values, multipliers, forces)

    def balance(self, instant: Instant) -> Balance:
        """Return the equations of q'', before they are solved."""
        return _balance(self.source, instant, self.source.at(instant, instant.speeds), instant.speeds)

    def configuration_constraints(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates (k, m, nq)."""
        environment, _ = self.setting.environment(instant, instant.speeds, 1)
        residuals = self.source.constraints.positions(environment, instant.states)
        return residuals.value, residuals.partials(self.setting.seeds.coordinate_block, len(self.model.coordinates))

    def velocity_constraint_matrix(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) of the rows and their derivatives with respect to q' (k, m, nq)."""
        if not self.source.constraints:
            return np.zeros((instant.states, 0)), np.zeros((instant.states, 0, instant.speeds.shape[1]))
        rows = _rows(self.source, self.momenta(instant))
        return rows.residuals.value, rows.jacobian

    def speeds_from_rates(self, instant: Instant, rates: Array) -> Array:
        """Return the state's second part from q'."""
        return rates


class HamiltonOfMomenta(_ByEnergy):
    """Hamilton's equations with the state q, p, the momenta being those of a Lagrangian or of bodies."""

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        return tuple(f"p_{name_of(q)}" for q in self.model.coordinates)

    def momenta(self, instant: Instant) -> Momenta:
        """Return the momenta at the states; their value is the state's own p up to rounding."""
        return self._canonical(instant, Wanted.VALUE)[0]

    def solve(self, instant: Instant, accelerations: bool = False) -> Solution:
        """Return the motion; q'' and the forcing M q'' only where `accelerations` are asked for, else NaN."""
        wanted = Wanted.EVERYTHING if accelerations else Wanted.DRIVE
        at, drive, multipliers, forces = self._canonical(instant, wanted)
        rates = np.stack([at.values[symbol] for symbol in self.setting.rates], axis=-1)
        if not accelerations:
            unknown = np.full_like(rates, np.nan)
            return Solution(rates, drive, unknown, at.matrix, unknown, at.values, multipliers, forces)
        forcing = at.drive - at.bias
        second, _, _ = _accelerations(self.source, at, forcing)
        values = _with_accelerations(self.source, at, second)
        return Solution(rates, drive, second, at.matrix, forcing, values, multipliers, forces)

    def balance(self, instant: Instant) -> Balance:
        """Return Lagrange's equations of q'', before they are solved, at the q' of the momenta."""
        at = self._canonical(instant, Wanted.EVERYTHING)[0]
        rates = np.stack([at.values[symbol] for symbol in self.setting.rates], axis=-1)
        return _balance(self.source, instant, at, rates)

    def _canonical(self, instant: Instant, wanted: Wanted) -> tuple[Momenta, Array, Array | None, Array | None]:
        """Return the momenta, p', and the multipliers with the forces that they stand for, where there are any."""
        _, at = rates_from_momenta(self.source, instant, instant.speeds, wanted)
        return at, at.drive, None, None

    def speeds_from_rates(self, instant: Instant, rates: Array) -> Array:
        """Return the state's second part from q'."""
        return self.source.at(instant, rates, Wanted.VALUE).value


class HamiltonWithMultipliers(HamiltonOfMomenta):
    """q' from p = dL/dq', p' = dL/dq + Q - J^T lambda with the lambda of Lagrange's equations."""

    def _canonical(self, instant: Instant, wanted: Wanted) -> tuple[Momenta, Array, Array | None, Array | None]:
        if wanted is Wanted.VALUE:
            return super()._canonical(instant, wanted)
        _, at = rates_from_momenta(self.source, instant, instant.speeds, Wanted.EVERYTHING)
        _, multipliers, forces = _accelerations(self.source, at, at.drive - at.bias)
        assert forces is not None
        return at, at.drive + forces, multipliers, forces


class HamiltonOfDependentCoordinates(HamiltonOfMomenta):
    """q' and sigma from p = dL/dq' + J^T sigma and J q' + b = 0, p' = dL/dq + Q + d(sigma^T (J q' + b))/dq."""

    def _canonical(self, instant: Instant, wanted: Wanted) -> tuple[Momenta, Array, Array | None, Array | None]:
        rest = self.source.at(instant, np.zeros_like(instant.speeds), Wanted.VALUE)
        rows = _rows(self.source, rest)
        if self.source.constraints.nonholonomic:
            number = self.source.constraints.nonholonomic[0] + 1
            raise UnsupportedError(
                f"velocity constraint {number} of model {self.model.name!r} is not the time derivative of a "
                "configuration constraint: use hamilton-multipliers, lagrange or kane"
            )
        rates, sigma = constrained(rest.matrix, instant.speeds - rest.value, rows.jacobian, -rows.residuals.value)
        at = self.source.at(instant, rates, wanted)
        slopes = _rows(self.source, at).residuals.partials(self.setting.seeds.coordinate_block, rates.shape[1])
        return at, at.drive + np.einsum("km,kmn->kn", sigma, slopes), sigma, None


def _rows(source: MomentumSource, at: Momenta) -> Rows:
    constraints = source.constraints
    if constraints.adds_rates is None:
        instant = random_instant(source.model, len(source.setting.rates))
        scouts = source.at(instant, instant.speeds, Wanted.VALUE)
        constraints.rows(scouts.environment, scouts.clock, instant.states)
    return constraints.rows(at.environment, at.clock, len(at.value))


def _balance(source: MomentumSource, instant: Instant, at: Momenta, rates: Array) -> Balance:
    jacobian, wanted = np.zeros((len(rates), 0, rates.shape[1])), np.zeros((len(rates), 0))
    if source.constraints:
        rows = _rows(source, at)
        jacobian, wanted = rows.jacobian, -rows.rates
    return Balance(at.matrix + at.following, at.drive - at.bias, *source.apart(instant, at, rates), jacobian, wanted)


def _accelerations(source: MomentumSource, at: Momenta, forcing: Array) -> tuple[Array, Array | None, Array | None]:
    """Return q'', lambda and -J^T lambda."""
    matrix = at.matrix + at.following
    if not source.constraints:
        return solve_values(matrix, forcing[..., None], _MASS_MATRIX)[..., 0], None, None
    rows = _rows(source, at)
    second, multipliers = constrained(matrix, forcing, rows.jacobian, -rows.rates)
    return second, multipliers, -np.einsum("kmn,km->kn", rows.jacobian, multipliers)


def _with_accelerations(source: MomentumSource, at: Momenta, second: Array) -> dict[sympy.Basic, Array]:
    """Return everything that an output may name at q'' (k, n): u' is du/dt at constant q' and what q'' adds."""
    jets = stack([at.environment[u] for u in source.model.speeds], (len(second),))
    partials = jets.partials(source.setting.seeds.speed_block, second.shape[1])
    try:
        bias = at.clock.rate(jets).value
    except MissingRateError:  # of an input in u(q', q, t): the motion itself may do without
        return at.values | accelerations_by_symbol(source.model, (), second, second)
    speed_rates = bias + np.einsum("kin,kn->ki", partials, second)
    return at.values | accelerations_by_symbol(source.model, source.model.speeds, speed_rates, second)
