"""Emitted C against the reference in NumPy, at random admissible states.

Two arrays agree when |a - b| <= 1e-10 (1 + |b|) in the maximum norm; Jacobians and df/dt, which the reference has by
differences only, when |a - b| <= 1e-8 (1 + |b|). States are drawn from the model's ranges; those whose mass matrix has
a condition number of 1e6 or more say little about the code and are drawn again. Time, inputs and parameters vary too; a
parameter that is zero by default is given a small value, or what it multiplies would never be seen, unless the
equations have none there (the square root of a negative number, an inertia below zero).
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from eomc.errors import ModelError
from eomc.model.parts import MechanicalSystem
from eomc.reference import Reference, reference

if TYPE_CHECKING:
    from eomc.pipeline import Build

__all__ = ["CONDITION_LIMIT", "TOLERANCE", "Agreement", "Samples", "compare", "draw"]

TOLERANCE = 1e-10
TOLERANCE_OF_JACOBIANS = 1e-8
CONDITION_LIMIT = 1e6
_CORRECTIONS = ("coordinate_correction", "velocity_correction")  # not unique: what they achieve is tested
_GROUPS = 10  # the samples share this many times and sets of parameters
_ROUNDS = 50
_SMALL = (0.1, 0.01, 0.001)  # largest values in place of zeros, in the order in which they are tried

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far one function of the C is from the reference: worst |a - b|/(1 + |b|) over the samples."""

    function: str
    size: int
    worst: float

    @property
    def tolerance(self) -> float:
        """What is near enough."""
        return TOLERANCE_OF_JACOBIANS if self.function in ("jacobian", "time_derivative") else TOLERANCE

    @property
    def holds(self) -> bool:
        """Whether it is near enough; NaN is not."""
        return self.worst <= self.tolerance


@dataclass(frozen=True, slots=True)
class Samples:
    """Some states at one time, with one set of parameters."""

    time: float
    states: _Array  # (k, nx)
    inputs: _Array  # (k, nr)
    parameters: _Array  # (np,)


def draw(source: Reference, count: int, seed: int) -> list[Samples]:
    """Return `count` well-conditioned admissible states in groups; the same ones for the same `seed`.

    Raises
    ------
    ModelError
        Too few states of the model's ranges are well-conditioned.
    """
    generator = np.random.default_rng(seed)
    model = source.model
    held = np.array([one.value for one in model.inputs], dtype=np.float64)
    nominal = np.array([one.value for one in model.parameters], dtype=np.float64)
    zeros = _Zeros(source, nominal)
    sizes = [len(part) for part in np.array_split(np.arange(count), min(count, _GROUPS))]
    groups = []
    for group, size in enumerate(sizes):
        time = float(generator.uniform(0.0, 10.0)) if group else 0.0
        parameters = nominal
        if group:
            parameters = nominal * (1.0 + 0.1 * generator.uniform(-1.0, 1.0, len(nominal)))
            parameters = parameters + zeros.draw(generator, time, parameters)
        found = np.empty((0, len(source.state_names)))
        for _ in range(_ROUNDS):
            states = source.random_state(generator, size, time, parameters)
            condition = source.condition(time, states, parameters=parameters)
            found = np.concatenate([found, states[condition < CONDITION_LIMIT]])[:size]
            if len(found) == size:
                break
        else:
            raise ModelError(
                f"{model.name}: hardly any random state has a mass matrix with a condition number below "
                f"{CONDITION_LIMIT:g}; give ranges of coordinates that keep away from singular configurations"
            )
        inputs = held + (1.0 + np.abs(held)) * generator.uniform(-1.0, 1.0, (size, len(held)))
        groups.append(Samples(time, found, inputs, parameters))
    return groups


class _Zeros:
    """Values for the parameters that are zero by default.

    Parameters
    ----------
    source
        The reference, which tells where the equations have values.
    nominal
        The parameters' defaults.
    """

    def __init__(self, source: Reference, nominal: _Array) -> None:
        self._source = source
        self._places = np.flatnonzero(nominal == 0.0)
        self._states = np.empty((0, 0))
        self._sound: _Array | None = None

    def draw(self, generator: np.random.Generator, time: float, parameters: _Array) -> _Array:
        """Return what to add to `parameters`: values of either sign, small enough for the equations to exist."""
        places, none = self._places, np.zeros_like(parameters)
        if len(places) == 0:
            return none
        self._states = self._source.random_state(generator, 3, time)
        before = self._look(time, parameters)
        for size in _SMALL:
            added = none.copy()
            added[places] = size * generator.uniform(-1.0, 1.0, len(places))
            if self._is_sound(before, time, parameters + added):
                return added
        if self._sound is None:
            self._sound = self._one_by_one(before, time, parameters)
        added = self._sound * generator.uniform(0.5, 1.0, len(parameters))
        return added if self._is_sound(before, time, parameters + added) else none

    def _one_by_one(self, before: tuple[_Array, _Array], time: float, parameters: _Array) -> _Array:
        """Return values that go together: for each parameter the first of either sign that does with those before."""
        kept = np.zeros_like(parameters)
        for place in self._places:
            for value in (sign * size for size in _SMALL for sign in (1.0, -1.0)):
                kept[place] = value
                if self._is_sound(before, time, parameters + kept):
                    break
                kept[place] = 0.0
        return kept

    def _is_sound(self, before: tuple[_Array, _Array], time: float, parameters: _Array) -> bool:
        """Whether all values exist that did before, and the mass matrix is as definite as it was."""
        values, definiteness = self._look(time, parameters)
        lost = np.isfinite(before[0]) & ~np.isfinite(values)
        return not np.any(lost) and np.array_equal(definiteness, before[1])

    def _look(self, time: float, parameters: _Array) -> tuple[_Array, _Array]:
        """Return all results at a few states, and how many eigenvalues of each mass matrix are positive."""
        source, states = self._source, self._states
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            results = [source.rhs(time, states, parameters=parameters)]
            results.append(source.outputs(time, states, parameters=parameters))
            energies = source.energy(time, states, parameters=parameters)
            results.extend(np.reshape(energy, (-1, 1)) for energy in energies.values())
            matrices = source.mass_matrix(time, states, parameters=parameters)
        known = np.where(np.isfinite(matrices), matrices, 0.0)
        positive = np.sum(np.linalg.eigvalsh(known) > 0.0, axis=1)
        return np.concatenate(results, axis=1), positive


def compare(build: Build, count: int = 100, seed: int = 0) -> tuple[Agreement, ...]:
    """Compare every function of a build with the reference.

    Parameters
    ----------
    build
        Result of `eomc.compile`.
    count, seed
        Number of random states, and the seed of their generator.

    Raises
    ------
    BuildError
        The C cannot be compiled.
    ModelError
        Too few random states are well-conditioned.
    """
    simulator = build.load()
    model = build.model
    dynamics = model.dynamics
    if isinstance(dynamics, MechanicalSystem) and build.options.constraints != "eliminated":
        # M and f are those of all speeds: the reference reduces them to the independent ones where some are named.
        model = copy.copy(model)
        object.__setattr__(model, "dynamics", replace(dynamics, dependent_speeds=()))
    oracle = reference(model, build.method)
    worst: dict[str, float] = {}
    sizes = {}
    for samples in draw(oracle, count, seed):
        for function in build.program.functions:
            if function.name in _CORRECTIONS:
                continue
            ours = _rows(getattr(simulator, function.name), samples)
            theirs = _rows(getattr(oracle, function.name), samples)
            if function.name == "power":
                if ours.keys().isdisjoint(theirs):
                    continue  # the reference does not know the energy of whose rate ours is the sum
                # Differences of energies are only as exact as the energies are large.
                energies = np.concatenate(list(_rows(oracle.energy, samples).values()), axis=1)
                distance = _distance(ours, theirs, np.max(np.abs(energies), axis=1))
            else:
                distance = _distance(ours, theirs)
            sizes[function.name] = len(function.outputs)
            worst[function.name] = float(np.maximum(worst.get(function.name, 0.0), distance))  # NaN stays
    return tuple(Agreement(name, sizes[name], distance) for name, distance in worst.items())


def _rows(function: Callable[..., Any], samples: Samples) -> dict[str, _Array]:
    """Evaluate a function at all samples; results by name, shape (k, anything), where it has names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows that are NaN count as differences
        result = function(samples.time, samples.states, samples.inputs, samples.parameters)
    if isinstance(result, tuple):  # A and B
        result = dict(enumerate(result))
    named = result if isinstance(result, dict) else {"": result}
    return {name: np.asarray(rows).reshape(len(samples.states), -1) for name, rows in named.items()}


def _distance(ours: dict[str, _Array], theirs: dict[str, _Array], scale: _Array | float = 0.0) -> float:
    """Return the worst row's |a - b|/(1 + scale + |b|); NaN where one has a value and the other has none."""
    common = [name for name in ours if name in theirs]
    if not common:
        return float("nan")
    a, b = (np.concatenate([rows[name] for name in common], axis=1) for rows in (ours, theirs))
    if a.shape != b.shape:
        return float("nan")
    if a.size == 0:
        return 0.0
    return float(np.max(np.max(np.abs(a - b), axis=1) / (1.0 + scale + np.max(np.abs(b), axis=1))))
