"""States of a method from coordinates and speeds: given, initial or random, and admissible under the constraints."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.errors import ModelError, UsageError
from eomc.model import Hamiltonian, JointTree, Lagrangian, MechanicalSystem, Model, bounds_of, name_of
from eomc.model.amounts import amount_of, state_units
from eomc.reference.closing import STEPS, TOLERANCE, Closing
from eomc.reference.instant import Instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta, Lagrange
from eomc.reference.method import Method

Given: TypeAlias = Mapping[str | sympy.Expr, Any]

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
        bound: Kane | Lagrange | None = None
        if isinstance(model.dynamics, MechanicalSystem):
            bound = self.kane = method if isinstance(method, Kane) else Kane(model)
        elif isinstance(model.dynamics, JointTree):
            assert isinstance(method, Kane)
            bound = self.kane = method
        elif isinstance(model.dynamics, Lagrangian):
            bound = method if isinstance(method, Lagrange) else Lagrange(model)
        self.speeds = model.speeds if self.kane is None else self.kane.speeds
        self._closing = Closing(model, self.speeds, bound, self.kane, self._for_rotations)
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
        units = state_units(self.model)
        given_q = _resolved(coordinates, self.model.coordinates, "coordinate", units)
        possible = self.speeds if isinstance(self.model.dynamics, Hamiltonian) else (*self.speeds, *self._rates)
        given_u = _resolved(speeds, possible, "speed", units)
        given_z = _resolved(extra, tuple(z.symbol for z in self.model.extra_states), "extra state", units)
        q = np.array([[given_q.get(s, initial.get(s, 0.0)) for s in self.model.coordinates]])
        u = np.array([[given_u.get(s, initial.get(s, 0.0)) for s in self.speeds]])
        z = np.array([[given_z.get(e.symbol, initial.get(e.symbol, 0.0)) for e in self.model.extra_states]])
        instant = self._instant(q.reshape(1, -1), u.reshape(1, -1), z.reshape(1, -1), time)
        system = self.model.dynamics
        dependent = system.dependent_coordinates if isinstance(system, MechanicalSystem) else ()
        guess = instant
        for moving in _widening(self.model.coordinates, dependent, given_q, initial):
            instant = self._closing.with_coordinates(guess, moving)
            if self._closing.opening(instant)[0] <= TOLERANCE:
                break
        else:
            held = [q for q in given_q if dependent and q not in dependent]
            raise self._unmet(instant, "from these coordinates", {q: given_q[q] for q in held})
        if self.kane is not None:
            instant = self._with_rates(instant, given_u, initial)
        dependent = system.dependent_speeds if isinstance(system, MechanicalSystem) else ()
        for moving in _widening(self.speeds, dependent, given_u, initial):
            instant = self._closing.with_speeds(instant, moving)
            if self._closing.admissible(instant)[0]:
                break
        else:
            held = [u for u in self.speeds if dependent and u in given_u and u not in dependent]
            raise self._unmet(instant, "at these coordinates", {u: given_u[u] for u in held})
        state: Array = self.of(instant)[0]
        return state

    def _unmet(self, instant: Instant, where: str, held: Mapping[sympy.Expr, float]) -> ModelError:
        given = ", ".join(f"{name_of(symbol)} = {value:g}" for symbol, value in held.items())
        return ModelError(
            f"model {self.model.name!r}: the constraints cannot be met {f'with {given} as given' if given else where} "
            f"(residual {self._closing.residual(instant)[0]:.1e}): start nearer to a possible configuration"
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
        self, generator: np.random.Generator, count: int, time: float | Array, steps: int = STEPS
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
            instant = self._closing.with_speeds(self._closing.with_coordinates(instant, places[0], steps), places[1])
            return self.of(instant), self._closing.admissible(instant)

    @property
    def closing(self) -> Closing:
        """What the constraints, and rotations, ask of a state."""
        return self._closing

    def reach(self, time: Array, parameters: Array) -> Array:
        """Return how large the states (k, nx) are in the model's ranges, for parameters (k, np)."""
        generator, count = np.random.default_rng(0), len(time)
        states = self.with_parameters(np.tile(parameters, (_LOOKS, 1)))
        with np.errstate(all="ignore"):
            found = np.abs(states.of(states._somewhere(generator, _LOOKS * count, np.tile(time, _LOOKS))))
        found = found.reshape(_LOOKS, count, -1)
        return np.asarray(np.max(np.where(np.isfinite(found), found, 0.0), axis=0, initial=0.0), dtype=np.float64)

    def _somewhere(self, generator: np.random.Generator, count: int, time: float | Array) -> Instant:
        """Return states of the ranges, on the constraints or not."""
        symbols = (*self.model.coordinates, *self.speeds, *(z.symbol for z in self.model.extra_states))
        low, high = np.array(bounds_of(self.model, symbols)).reshape(-1, 2).T
        nq, nu = len(self.model.coordinates), len(self.speeds)
        draw = generator.uniform(low, high, size=(count, len(symbols)))
        return self._instant(draw[:, :nq], draw[:, nq : nq + nu], draw[:, nq + nu :], time)

    def _for_rotations(self) -> Instant:
        return self._somewhere(np.random.default_rng(1), len(np.atleast_2d(self.parameters)), 0.3)

    def _instant(self, q: Array, u: Array, z: Array, time: float | Array) -> Instant:
        states = len(q)
        times = np.broadcast_to(np.asarray(time, dtype=np.float64), (states,))
        inputs = np.broadcast_to(self.inputs, (states, len(self.inputs)))
        parameters = np.broadcast_to(self.parameters, (states, self.parameters.shape[-1]))
        return Instant(times, q, u, z, inputs, parameters)

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
        return replace(instant, speeds=speeds)

    def of(self, instant: Instant) -> Array:
        """Return the states (k, nx) of the method, from an instant with the model's own speeds."""
        speeds = instant.speeds
        if isinstance(self.method, (Lagrange, HamiltonOfMomenta)):
            rates = speeds
            if self.kane is not None:
                _, _, values = self.kane.moving(instant)
                rates = np.stack([values[rate] for rate in self._rates], axis=-1)
            speeds = self.method.speeds_from_rates(instant, rates)
        return np.concatenate([instant.coordinates, speeds, instant.extra], axis=1)


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
    wanted = set(chosen)
    return [index for index, symbol in enumerate(symbols) if symbol in wanted]


def _resolved(
    given: Given, symbols: tuple[sympy.Expr, ...], kind: str, units: Mapping[str, str]
) -> dict[sympy.Expr, float]:
    """Return symbol -> value for keys that are symbols or names."""
    names: dict[str | sympy.Expr, sympy.Expr] = {name_of(symbol): symbol for symbol in reversed(symbols)}
    names.update(zip(symbols, symbols, strict=True))
    found = {}
    for key, value in given.items():
        if key not in names:
            known = ", ".join(dict.fromkeys(name_of(symbol) for symbol in symbols))
            raise UsageError(f"there is no {kind} {key}: the {kind}s are {known or 'none'}")
        unit = units.get(name_of(names[key]), "")
        found[names[key]] = amount_of(f"the {kind} {key}", value, unit)
    return found
