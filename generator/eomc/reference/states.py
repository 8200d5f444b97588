"""States of a method from coordinates and speeds: given, initial or random, and admissible under the constraints."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from typing import TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.errors import ModelError, UsageError
from eomc.model import DEFAULT_RANGE, Hamiltonian, Lagrangian, MechanicalSystem, Model, name_of
from eomc.model.arguments import number_of
from eomc.reference.arrays import product, reshaped, stack
from eomc.reference.instant import Instant
from eomc.reference.jets import Array, Jet, constant
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta, Lagrange
from eomc.reference.method import Method

__all__ = ["Given", "States"]

Given: TypeAlias = Mapping[str | sympy.Expr, float]

_TOLERANCE = 1e-12  # residuals beside the sizes of their terms
_STEPS = 50  # of Newton's method, at most
_ASIDE = 0.1  # in proportion to the coordinates
_SHORT = 1e-15  # a step beside the coordinates: the last one
_NEGLIGIBLE = 1e-9  # a singular value beside the largest
_ROUNDS = 100
_LOOKS = 4  # states that tell how large they are


class States:
    """Makes states (k, nx) of `method`, for one set of parameters (np,) or one for each state (k, np)."""

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
        self._rotations: list[list[int]] = []  # what _loose found; copies share it
        self._rates = [sympy.Derivative(q, model.time) for q in model.coordinates]

    def with_parameters(self, parameters: Array) -> States:
        """Return the same for other parameters."""
        other = copy.copy(self)
        other.parameters = parameters
        return other

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
            if self._open(instant)[0] <= _TOLERANCE:
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
        found: list[Array] = []
        for _ in range(_ROUNDS):
            states, good = self.drawn(generator, count - sum(map(len, found)), time)
            found.append(states[good])
            if sum(map(len, found)) == count:
                return np.concatenate(found)
        raise ModelError(
            f"model {self.model.name!r}: random states do not meet the constraints: give ranges near a possible "
            "configuration"
        )

    def drawn(
        self, generator: np.random.Generator, count: int, time: float | Array, steps: int = _STEPS
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Return states (count, nx) drawn from the model's ranges, and which of them the constraints admit.

        Newton's method makes so many steps at most.
        """
        system = self.model.dynamics
        named: tuple[tuple[sympy.Expr, ...], ...] = ((), ())
        if isinstance(system, MechanicalSystem):
            named = (system.dependent_coordinates, system.dependent_speeds)
        places = [
            _places(of, some or of) for of, some in zip((self.model.coordinates, self.speeds), named, strict=True)
        ]
        with np.errstate(all="ignore"):  # of Newton's steps that lead nowhere
            instant = self._somewhere(generator, count, time)
            instant = self._with_speeds(self._with_coordinates(instant, places[0], steps), places[1])
            return self._state(instant), self._admissible(instant)

    def reach(self, time: Array, parameters: Array) -> Array:
        """Return how large the states (k, nx) are in the model's ranges, for parameters (k, np)."""
        generator, count = np.random.default_rng(0), len(time)
        states = self.with_parameters(np.tile(parameters, (_LOOKS, 1)))
        with np.errstate(all="ignore"):
            found = np.abs(states._state(states._somewhere(generator, _LOOKS * count, np.tile(time, _LOOKS))))
        found = found.reshape(_LOOKS, count, -1)
        return np.asarray(np.max(np.where(np.isfinite(found), found, 0.0), axis=0, initial=0.0), dtype=np.float64)

    def _somewhere(self, generator: np.random.Generator, count: int, time: float | Array) -> Instant:
        """Return states of the ranges, on the constraints or not."""
        ranges = {value.symbol: (value.low, value.high) for value in self.model.ranges}
        symbols = (*self.model.coordinates, *self.speeds, *(z.symbol for z in self.model.extra_states))
        low, high = np.array([ranges.get(symbol, DEFAULT_RANGE) for symbol in symbols]).reshape(-1, 2).T
        nq, nu = len(self.model.coordinates), len(self.speeds)
        draw = generator.uniform(low, high, size=(count, len(symbols)))
        return self._instant(draw[:, :nq], draw[:, nq : nq + nu], draw[:, nq + nu :], time)

    def _instant(self, q: Array, u: Array, z: Array, time: float | Array) -> Instant:
        states = len(q)
        times = np.broadcast_to(np.asarray(time, dtype=np.float64), (states,))
        inputs = np.broadcast_to(self.inputs, (states, len(self.inputs)))
        parameters = np.broadcast_to(self.parameters, (states, self.parameters.shape[-1]))
        return Instant(times, q, u, z, inputs, parameters)

    def _with_coordinates(self, instant: Instant, moving: list[int], steps: int = _STEPS) -> Instant:
        """Move some of the coordinates until configuration constraints and rotations are met, if they can be.

        Gauss and Newton's method with the shortest step. A quaternion that is no unit quaternion makes a matrix that is
        no rotation, under which the equations of motion have no meaning.
        """
        if self._bound is None:
            return instant
        coordinates, sizes = instant.coordinates.copy(), self._configuration_sizes(instant)
        rows = np.arange(instant.states)  # those that are not there yet
        for _ in range(steps):
            here = _part(instant, rows, coordinates[rows])
            residuals, matrix = self._configuration(here)
            if residuals.shape[1] == 0:
                break
            step = _shortest(matrix, residuals, _widened(sizes[rows], residuals), moving)
            coordinates[rows] = here.coordinates - step
            with np.errstate(invalid="ignore"):
                rows = rows[np.any(np.abs(step) > _SHORT * self._size(coordinates[rows]), axis=1)]
            if len(rows) == 0:
                break
        return self._changed(instant, coordinates, instant.speeds)

    def _configuration(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates (k, m, nq)."""
        assert self._bound is not None
        residuals, matrix = self._bound.configuration_constraints(instant)
        for excess in self._excess(instant, self._loose()):
            assert self.kane is not None
            residuals = np.concatenate([residuals, excess.value], axis=1)
            partials = excess.partials(self.kane.setting.seeds.coordinate_block, len(self.model.coordinates))
            matrix = np.concatenate([matrix, partials], axis=1)
        return residuals, matrix

    def _loose(self) -> list[int]:
        """Return the numbers of the rotation matrices that are none for some coordinates, such as a quaternion's."""
        if self.kane is None:
            return []
        if not self._rotations:
            count = len(np.atleast_2d(self.parameters))
            somewhere = self._somewhere(np.random.default_rng(1), count, 0.3)
            with np.errstate(all="ignore"):
                found = self._excess(somewhere, range(len(self.kane.construction.frames.steps)))
            self._rotations.append([k for k, one in enumerate(found) if not np.all(np.abs(one.value) < 1e-9)])
        return self._rotations[0]

    def _excess(self, instant: Instant, numbers: Collection[int]) -> list[Jet]:
        """Return R R^T - 1 of some of the rotation matrices, each (k, 9)."""
        if not numbers:
            return []
        assert self.kane is not None
        moving, _, _ = self.kane.moving(instant)
        found = []
        for number, (_, places) in enumerate(self.kane.construction.frames.steps.values()):
            if number in numbers:
                entries = stack([moving.results[place] for place in places], (instant.states,))
                rotation = reshaped(entries, (instant.states, 3, 3))
                excess = product(rotation, rotation, "ij", "ik", "jk") - constant(np.eye(3))
                found.append(reshaped(excess, (instant.states, 9)))
        return found

    def _with_speeds(self, instant: Instant, moving: list[int]) -> Instant:
        """Change some of the speeds, by the shortest step, to those that the constraints on speeds admit."""
        if self._bound is None:
            return instant
        for _ in range(2):  # the second time for the rounding
            residuals, matrix = self._bound.velocity_constraint_matrix(instant)
            if residuals.shape[1] == 0:
                break
            speeds = instant.speeds - _shortest(matrix, residuals, self._speed_sizes(instant), moving)
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

    def _open(self, instant: Instant) -> Array:
        """Return by how much configuration constraints are open (k,), beside the sizes of their terms."""
        if self._bound is None:
            return np.zeros(instant.states)
        residuals, _ = self._configuration(instant)
        return _worst(residuals, _widened(self._configuration_sizes(instant), residuals))

    def _slipping(self, instant: Instant) -> Array:
        """Return by how much constraints on speeds are not met (k,), beside the sizes of their terms."""
        if self._bound is None:
            return np.zeros(instant.states)
        residuals, matrix = self._bound.velocity_constraint_matrix(instant)
        given = residuals - _product(matrix, instant.speeds)
        return _worst(residuals, self._speed_sizes(instant) + np.abs(given))

    def _configuration_sizes(self, instant: Instant) -> Array:
        """Return the sizes of the terms of configuration constraints (k, m): by what they change with the coordinates.

        Here or a little aside, because slopes may vanish here.
        """
        assert self._bound is not None
        slopes = [self._bound.configuration_constraints(at)[1] for at in (instant, self._aside(instant))]
        return _product(np.fmax(*map(np.abs, slopes)), self._size(instant.coordinates))

    def _speed_sizes(self, instant: Instant) -> Array:
        """Return the sizes of the terms of constraints on speeds (k, m), as far as they hold speeds."""
        assert self._bound is not None
        slopes = [self._bound.velocity_constraint_matrix(at)[1] for at in (instant, self._aside(instant))]
        reach = np.maximum(np.abs(instant.speeds), self._bounds(self.speeds))
        return _product(np.fmax(*map(np.abs, slopes)), reach)

    def _aside(self, instant: Instant) -> Instant:
        """Return states a little aside."""
        signs = np.cos(np.arange(instant.coordinates.shape[1]))
        coordinates = instant.coordinates + _ASIDE * self._size(instant.coordinates) * signs
        return self._changed(instant, coordinates, instant.speeds)

    def _residual(self, instant: Instant) -> Array:
        """Return the largest violation of a constraint (k,), beside the sizes of its terms."""
        return np.maximum(self._open(instant), self._slipping(instant))

    def _admissible(self, instant: Instant) -> NDArray[np.bool_]:
        return self._residual(instant) <= _TOLERANCE

    def _size(self, coordinates: Array) -> Array:
        """Return how large coordinates are (k, nq): themselves, or in the model's ranges."""
        return np.maximum(np.abs(coordinates), self._bounds(self.model.coordinates))

    def _bounds(self, symbols: tuple[sympy.Expr, ...]) -> Array:
        """Return the larger ends of the ranges."""
        ranges = {value.symbol: max(abs(value.low), abs(value.high)) for value in self.model.ranges}
        return np.array([ranges.get(symbol, DEFAULT_RANGE[1]) for symbol in symbols])

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


def _part(instant: Instant, rows: NDArray[np.intp], coordinates: Array) -> Instant:
    """Return some of the states, with other coordinates."""
    return Instant(
        instant.time[rows],
        coordinates,
        instant.speeds[rows],
        instant.extra[rows],
        instant.inputs[rows],
        instant.parameters[rows],
    )


def _product(matrices: Array, vectors: Array) -> Array:
    """Return matrices times vectors."""
    return np.asarray(np.einsum("kij,kj->ki", matrices, vectors), dtype=np.float64)


def _worst(residuals: Array, sizes: Array) -> Array:
    """Return the largest residual (k,) beside the size of its terms; infinite where one has no value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        violations = np.where(residuals == 0.0, 0.0, np.abs(residuals) / sizes)
    violations = np.where(np.isfinite(violations), violations, np.inf)
    return np.asarray(np.max(violations, axis=1, initial=0.0), dtype=np.float64)


def _widened(sizes: Array, residuals: Array) -> Array:
    """Return sizes of configuration constraints (k, m) with those of rotations, which have the size 1, behind them."""
    ones = np.ones((len(sizes), residuals.shape[1] - sizes.shape[1]))
    return np.concatenate([sizes, ones], axis=1)


def _shortest(matrix: Array, residuals: Array, sizes: Array, moving: list[int]) -> Array:
    """Return the shortest step (k, n) of the unknowns `moving` that takes linear residuals (k, m) away."""
    step = np.zeros((matrix.shape[0], matrix.shape[2]))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    rows = np.nan_to_num(matrix[:, :, moving] / sizes[..., None])
    inverse = np.linalg.pinv(rows, rcond=_NEGLIGIBLE)
    step[:, moving] = np.einsum("kij,kj->ki", inverse, np.nan_to_num(residuals / sizes))
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
        found[names[key]] = number_of(f"the {kind} {key}", value, UsageError)
    return found
