"""States of a method from coordinates and speeds: given, initial or random, and admissible under the constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.errors import ModelError, UsageError
from eomc.model import DEFAULT_RANGE, Hamiltonian, MechanicalSystem, Model, name_of
from eomc.reference.arrays import product, reshaped, solve_values, stack
from eomc.reference.instant import Instant
from eomc.reference.jets import Array, constant
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta, Lagrange
from eomc.reference.method import Method

__all__ = ["Given", "States"]

Given: TypeAlias = Mapping[str | sympy.Expr, float]

_TOLERANCE = 1e-12
_ROUNDS = 100


class States:
    """Makes states (k, nx) of `method`."""

    def __init__(self, model: Model, method: Method, inputs: Array, parameters: Array) -> None:
        self.model = model
        self.method = method
        self.inputs = inputs
        self.parameters = parameters
        self.kane: Kane | None = None
        if isinstance(model.dynamics, MechanicalSystem):
            self.kane = method if isinstance(method, Kane) else Kane(model)
        self.speeds = model.speeds if self.kane is None else self.kane.speeds
        self._rates = [sympy.Derivative(q, model.time) for q in model.coordinates]

    def state(self, coordinates: Given, speeds: Given, extra: Given, time: float) -> Array:
        """Return the state (nx,) for the given values; what is not given has its initial value (or 0).

        Raises
        ------
        UsageError
            A name is not known, or rates q' are asked for that the speeds cannot give.
        ModelError
            The constraints cannot be met from these coordinates.
        """
        initial = dict(self.model.initial)
        given_q = _resolved(coordinates, self.model.coordinates, "coordinate")
        possible = self.speeds if isinstance(self.model.dynamics, Hamiltonian) else (*self.speeds, *self._rates)
        given_u = _resolved(speeds, possible, "speed")
        given_z = _resolved(extra, tuple(z.symbol for z in self.model.extra_states), "extra state")
        q = np.array([[given_q.get(s, initial.get(s, 0.0)) for s in self.model.coordinates]])
        u = np.array([[given_u.get(s, initial.get(s, 0.0)) for s in self.speeds]])
        z = np.array([[given_z.get(e.symbol, initial.get(e.symbol, 0.0)) for e in self.model.extra_states]])
        instant = self._instant(q.reshape(1, -1), u.reshape(1, -1), z.reshape(1, -1), time)
        instant = self._with_coordinates(instant)
        if self.kane is not None:
            instant = self._with_rates(instant, given_u, initial)
        instant = self._with_speeds(instant)
        if not self._admissible(instant)[0]:
            raise ModelError(
                f"model {self.model.name!r}: the constraints cannot be met from these coordinates (residual "
                f"{self._residual(instant)[0]:.1e}): start nearer to a possible configuration"
            )
        state: Array = self._state(instant)[0]
        return state

    def random(self, generator: np.random.Generator, count: int, time: float) -> Array:
        """Return admissible states (count, nx) drawn from the model's ranges.

        Raises
        ------
        ModelError
            Hardly any draw can be made to meet the constraints.
        """
        ranges = {value.symbol: (value.low, value.high) for value in self.model.ranges}
        symbols = (*self.model.coordinates, *self.speeds, *(z.symbol for z in self.model.extra_states))
        low, high = np.array([ranges.get(symbol, DEFAULT_RANGE) for symbol in symbols]).reshape(-1, 2).T
        nq, nu = len(self.model.coordinates), len(self.speeds)
        found: list[Array] = []
        for _ in range(_ROUNDS):
            draw = generator.uniform(low, high, size=(count - sum(map(len, found)), len(symbols)))
            instant = self._instant(draw[:, :nq], draw[:, nq : nq + nu], draw[:, nq + nu :], time)
            instant = self._with_speeds(self._with_coordinates(instant))
            good = self._admissible(instant)
            found.append(self._state(instant)[good])
            if sum(map(len, found)) == count:
                return np.concatenate(found)
        raise ModelError(
            f"model {self.model.name!r}: random states do not meet the constraints: give ranges near a possible "
            "configuration"
        )

    def _instant(self, q: Array, u: Array, z: Array, time: float) -> Instant:
        states = len(q)
        times = np.full(states, float(time))
        inputs = np.broadcast_to(self.inputs, (states, len(self.inputs)))
        parameters = np.broadcast_to(self.parameters, (states, len(self.parameters)))
        return Instant(times, q, u, z, inputs, parameters)

    def _with_coordinates(self, instant: Instant) -> Instant:
        """Move coordinates, dependent ones if any are named, until configuration constraints and rotations are met.

        Gauss and Newton's method with the shortest step. A quaternion that is no unit quaternion makes a matrix that is
        no rotation, under which the equations of motion have no meaning.
        """
        if self.kane is None:
            return instant
        for _ in range(50):
            residuals, matrix = self._configuration(instant)
            if residuals.shape[1] == 0 or np.all(np.abs(residuals[np.isfinite(residuals)]) < 1e-15):
                break
            finite = np.where(np.isfinite(residuals), residuals, 0.0)
            step = np.einsum("kij,kj->ki", np.linalg.pinv(np.nan_to_num(matrix)), finite)
            instant = self._changed(instant, instant.coordinates - step, instant.speeds)
        return instant

    def _configuration(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates that may move (k, m, nq)."""
        assert self.kane is not None
        system = self.kane.system
        residuals, matrix = self.kane.configuration_constraints(instant)
        if system.dependent_coordinates:
            fixed = [i for i, q in enumerate(self.model.coordinates) if q not in system.dependent_coordinates]
            matrix = matrix.copy()
            matrix[:, :, fixed] = 0.0
        moving, _, _ = self.kane.moving(instant)
        states, count = instant.states, len(self.model.coordinates)
        block = self.kane.setting.seeds.coordinate_block
        for _, places in self.kane.construction.frames.steps.values():
            entries = stack([moving.results[place] for place in places], (states,))
            rotation = reshaped(entries, (states, 3, 3))
            excess = reshaped(product(rotation, rotation, "ij", "ik", "jk") - constant(np.eye(3)), (states, 9))
            if not np.all(np.abs(excess.value) < 1e-14):
                residuals = np.concatenate([residuals, excess.value], axis=1)
                matrix = np.concatenate([matrix, excess.partials(block, count)], axis=1)
        return residuals, matrix

    def _with_speeds(self, instant: Instant) -> Instant:
        """Solve the velocity constraints for the dependent speeds."""
        if self.kane is None or not self.kane.constraints:
            return instant
        for _ in range(2):  # the second time for the rounding
            residuals, matrix = self.kane.velocity_constraint_matrix(instant)
            what = "the velocity constraints' matrix of dependent speeds"
            speeds = instant.speeds.copy()
            if self.kane.dependent:
                step = solve_values(matrix[:, :, self.kane.dependent], residuals[..., None], what)[..., 0]
                speeds[:, self.kane.dependent] -= step
            else:
                finite = np.nan_to_num(matrix)
                speeds -= np.einsum("kij,kj->ki", np.linalg.pinv(finite, rcond=1e-9), np.nan_to_num(residuals))
            instant = self._changed(instant, instant.coordinates, speeds)
        return instant

    def _with_rates(
        self, instant: Instant, given: dict[sympy.Expr, float], initial: dict[sympy.Expr, float]
    ) -> Instant:
        """Change speeds that were not given so that q' are as asked for, by the shortest step."""
        assert self.kane is not None
        explicit = [i for i, rate in enumerate(self._rates) if rate in given]
        source = given if explicit else initial
        asked = [i for i, rate in enumerate(self._rates) if rate in source]
        if not asked:
            return instant
        free = [i for i, u in enumerate(self.speeds) if u not in given and (explicit or u not in initial)]
        moving, _, values = self.kane.moving(instant)
        present = np.array([values[self._rates[i]][0] for i in asked])
        wanted = np.array([source[self._rates[i]] for i in asked])
        matrix = moving.rate_partials[0][np.ix_(asked, free)]
        step = np.linalg.lstsq(matrix, wanted - present, rcond=None)[0]
        if np.max(np.abs(matrix @ step - (wanted - present)), initial=0.0) > 1e-9 * (1.0 + np.max(np.abs(wanted))):
            names = ", ".join(name_of(self._rates[i]) for i in asked)
            raise UsageError(
                f"no speeds of model {self.model.name!r} give the rates {names} asked for: give the speeds"
            )
        speeds = instant.speeds.copy()
        speeds[:, free] += step
        return self._changed(instant, instant.coordinates, speeds)

    def _changed(self, instant: Instant, coordinates: Array, speeds: Array) -> Instant:
        return Instant(instant.time, coordinates, speeds, instant.extra, instant.inputs, instant.parameters)

    def _residual(self, instant: Instant) -> Array:
        """Return the largest violation of a constraint (k,)."""
        if self.kane is None:
            return np.zeros(instant.states)
        configuration, _ = self._configuration(instant)
        velocity, _ = self.kane.velocity_constraint_matrix(instant)
        scale = 1.0 + np.max(np.abs(instant.speeds), axis=1, initial=0.0)
        violations = np.abs(np.concatenate([configuration, velocity / scale[:, None]], axis=1))
        return np.asarray(np.max(violations, axis=1, initial=0.0), dtype=np.float64)

    def _admissible(self, instant: Instant) -> NDArray[np.bool_]:
        residual = self._residual(instant)
        limit = _TOLERANCE * (1.0 + np.max(np.abs(instant.coordinates), axis=1, initial=0.0))
        return np.asarray(np.isfinite(residual) & (residual <= limit))

    def _state(self, instant: Instant) -> Array:
        """Return the states (k, nx) of the method."""
        speeds = instant.speeds
        if isinstance(self.method, (Lagrange, HamiltonOfMomenta)):
            rates = speeds
            if self.kane is not None:
                _, _, values = self.kane.moving(instant)
                rates = np.stack([values[rate] for rate in self._rates], axis=-1)
            speeds = self.method.speeds_from_rates(instant, rates)
        return np.concatenate([instant.coordinates, speeds, instant.extra], axis=1)


def _resolved(given: Given, symbols: tuple[sympy.Expr, ...], kind: str) -> dict[sympy.Expr, float]:
    """Return symbol -> value for keys that are symbols or names."""
    names: dict[str | sympy.Expr, sympy.Expr] = {symbol: symbol for symbol in symbols}
    for symbol in reversed(symbols):
        names[name_of(symbol)] = symbol
    found = {}
    for key, value in given.items():
        if key not in names:
            known = ", ".join(dict.fromkeys(name_of(symbol) for symbol in symbols))
            raise UsageError(f"there is no {kind} {key}: the {kind}s are {known or 'none'}")
        found[names[key]] = float(value)
    return found
