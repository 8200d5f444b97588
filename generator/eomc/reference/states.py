"""States of a method from coordinates and speeds: given, initial or random, and admissible under the constraints."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.errors import ModelError, UsageError
from eomc.model import DEFAULT_RANGE, Hamiltonian, Lagrangian, MechanicalSystem, Model, name_of
from eomc.reference.arrays import product, reshaped, stack
from eomc.reference.given import finite
from eomc.reference.instant import Instant
from eomc.reference.jets import Array, constant
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta, Lagrange
from eomc.reference.method import Method

__all__ = ["Given", "States"]

Given: TypeAlias = Mapping[str | sympy.Expr, float]

_TOLERANCE = 1e-12
_NEGLIGIBLE = 1e-9  # a singular value beside the largest
_ROUNDS = 100


class States:
    """Makes states (k, nx) of `method`."""

    def __init__(self, model: Model, method: Method, inputs: Array, parameters: Array) -> None:
        self.model = model
        self.method = method
        self.inputs = inputs
        self.parameters = parameters
        self.kane: Kane | None = None
        self._bound: Kane | Lagrange | None = None  # what knows the constraints on q and on the speeds, u or q'
        if isinstance(model.dynamics, MechanicalSystem):
            self._bound = self.kane = method if isinstance(method, Kane) else Kane(model)
        elif isinstance(model.dynamics, Lagrangian):
            self._bound = method if isinstance(method, Lagrange) else Lagrange(model)
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
        system = self.model.dynamics
        dependent = system.dependent_coordinates if isinstance(system, MechanicalSystem) else ()
        guess = instant
        for moving in _widening(self.model.coordinates, dependent, given_q, initial):
            instant = self._with_coordinates(guess, moving)
            if self._bound is None or self._meets(self._configuration(instant)[0], instant)[0]:
                break
        else:
            held = [q for q in given_q if dependent and q not in dependent]
            raise self._unmet(instant, "from these coordinates", {q: given_q[q] for q in held})
        if self.kane is not None:
            instant = self._with_rates(instant, given_u, initial)
        dependent = system.dependent_speeds if isinstance(system, MechanicalSystem) else ()
        for moving in _widening(self.speeds, dependent, given_u, initial):
            instant = self._with_speeds(instant, moving)
            if self._admissible(instant)[0]:
                break
        else:
            held = [u for u in self.speeds if dependent and u in given_u and u not in dependent]
            raise self._unmet(instant, "at these coordinates", {u: given_u[u] for u in held})
        state: Array = self._state(instant)[0]
        return state

    def _unmet(self, instant: Instant, where: str, held: Mapping[sympy.Expr, float]) -> ModelError:
        given = ", ".join(f"{name_of(symbol)} = {value:g}" for symbol, value in held.items())
        return ModelError(
            f"model {self.model.name!r}: the constraints cannot be met {f'with {given} as given' if given else where} "
            f"(residual {self._residual(instant)[0]:.1e}): start nearer to a possible configuration"
        )

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
        system = self.model.dynamics
        named: tuple[tuple[sympy.Expr, ...], ...] = ((), ())
        if isinstance(system, MechanicalSystem):
            named = (system.dependent_coordinates, system.dependent_speeds)
        places = [
            _places(of, some or of) for of, some in zip((self.model.coordinates, self.speeds), named, strict=True)
        ]
        for _ in range(_ROUNDS):
            draw = generator.uniform(low, high, size=(count - sum(map(len, found)), len(symbols)))
            instant = self._instant(draw[:, :nq], draw[:, nq : nq + nu], draw[:, nq + nu :], time)
            instant = self._with_speeds(self._with_coordinates(instant, places[0]), places[1])
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

    def _with_coordinates(self, instant: Instant, moving: list[int]) -> Instant:
        """Move some of the coordinates until configuration constraints and rotations are met, if they can be.

        Gauss and Newton's method with the shortest step. A quaternion that is no unit quaternion makes a matrix that is
        no rotation, under which the equations of motion have no meaning.
        """
        if self._bound is None:
            return instant
        for _ in range(50):
            residuals, matrix = self._configuration(instant)
            if residuals.shape[1] == 0 or np.all(np.abs(residuals[np.isfinite(residuals)]) < 1e-15):
                break
            coordinates = instant.coordinates - _shortest(matrix, residuals, moving)
            instant = self._changed(instant, coordinates, instant.speeds)
        return instant

    def _configuration(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates (k, m, nq)."""
        assert self._bound is not None
        residuals, matrix = self._bound.configuration_constraints(instant)
        if self.kane is None:
            return residuals, matrix
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

    def _with_speeds(self, instant: Instant, moving: list[int]) -> Instant:
        """Change some of the speeds, by the shortest step, to those that the constraints on speeds admit."""
        if self._bound is None:
            return instant
        for _ in range(2):  # the second time for the rounding
            residuals, matrix = self._bound.velocity_constraint_matrix(instant)
            if residuals.shape[1] == 0:
                break
            speeds = instant.speeds - _shortest(matrix, residuals, moving)
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
        if self._bound is None:
            return np.zeros(instant.states)
        configuration, _ = self._configuration(instant)
        velocity, _ = self._bound.velocity_constraint_matrix(instant)
        scale = 1.0 + np.max(np.abs(instant.speeds), axis=1, initial=0.0)
        violations = np.abs(np.concatenate([configuration, velocity / scale[:, None]], axis=1))
        return np.asarray(np.max(violations, axis=1, initial=0.0), dtype=np.float64)

    def _admissible(self, instant: Instant) -> NDArray[np.bool_]:
        return self._meets(self._residual(instant)[:, None], instant)

    def _meets(self, residuals: Array, instant: Instant) -> NDArray[np.bool_]:
        worst = np.max(np.abs(residuals), axis=1, initial=0.0)
        limit = _TOLERANCE * (1.0 + np.max(np.abs(instant.coordinates), axis=1, initial=0.0))
        return np.asarray(np.isfinite(worst) & (worst <= limit))

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


def _shortest(matrix: Array, residuals: Array, moving: list[int]) -> Array:
    """Return the shortest step (k, n) of the unknowns `moving` that takes linear residuals (k, m) away."""
    step = np.zeros((matrix.shape[0], matrix.shape[2]))
    inverse = np.linalg.pinv(np.nan_to_num(matrix[:, :, moving]), rcond=_NEGLIGIBLE)
    step[:, moving] = np.einsum("kij,kj->ki", inverse, np.nan_to_num(residuals))
    return step


def _widening(
    symbols: tuple[sympy.Expr, ...],
    dependent: tuple[sympy.Expr, ...],
    given: Mapping[sympy.Expr, float],
    initial: Mapping[sympy.Expr, float],
) -> list[list[int]]:
    """Return what may give way: dependent ones, then also those without a value, then with the model's.

    The user's own values only where nothing is named dependent.
    """
    free = [u for u in symbols if u not in given and u not in initial]
    unasked = [u for u in symbols if u not in given]
    return [_places(symbols, {*dependent, *more}) for more in ((), free, unasked, unasked if dependent else symbols)]


def _places(symbols: tuple[sympy.Expr, ...], chosen: Collection[sympy.Expr]) -> list[int]:
    return [index for index, symbol in enumerate(symbols) if symbol in chosen]


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
        found[names[key]] = finite(value, f"the {kind} {key}")
    return found
