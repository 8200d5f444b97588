"""Parameters other than the defaults: over decades, or near them.

Defaults hide things: a length that is zero, two equal masses, a parameter that is lost beside another one. Each value
is therefore drawn on its own, over six decades, with its sign; those of a body's inertia so that a body can have it.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from eomc.binding.vectors import Array
from eomc.reference import Reference

_TINY = 1e-9  # a default of less tells nothing about the size of a parameter
_DECADES = 3.0
_NARROWER = (3.0, 1.0, 0.5, 0.25, 0.1, 0.0)  # decades about a common factor, for the parameters of one inertia
_SHARE = 0.25
_SMALL = (0.1, 0.01, 0.001)  # largest values in place of zeros, in the order in which they are tried


def soundness(source: Reference, times: Array, states: Array, parameters: Array) -> tuple[Array, Array]:
    """Return all results at k states, and how many eigenvalues of each mass matrix are positive."""
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        results = [source.rhs(times, states, None, parameters), source.outputs(times, states, None, parameters)]
        energies = source.energy(times, states, None, parameters)
        results.extend(np.reshape(energy, (-1, 1)) for energy in energies.values())
        matrices = source.mass_matrix(times, states, None, parameters)
    known = np.where(np.isfinite(matrices), matrices, 0.0)
    return np.concatenate(results, axis=1), np.sum(np.linalg.eigvalsh(known) > 0.0, axis=1)


class Wide:
    """Values over decades: log-uniform over 1e-3 to 1e3 of the default's size, or of 1 where that is (nearly) zero."""

    def __init__(self, source: Reference) -> None:
        self._nominal = np.array([one.value for one in source.model.parameters], dtype=np.float64)
        self._bodies = source.bodies()
        self._usual = self._bodies.are_possible(self._nominal[None])[:, 0]

    def draw(self, generator: np.random.Generator, count: int) -> tuple[Array, NDArray[np.bool_]]:
        """Return parameters (count, np), and which of the sets a mechanism can have."""
        nominal = self._nominal
        signs = np.where(nominal == 0.0, generator.choice([-1.0, 1.0], (count, len(nominal))), np.sign(nominal))
        sizes = np.where(np.abs(nominal) > _TINY, np.abs(nominal), 1.0)
        values = signs * sizes * 10.0 ** generator.uniform(-_DECADES, _DECADES, (count, len(nominal)))
        impossible = self._impossible(values)
        for body, places in enumerate(self._bodies.parameters):
            for decades in _NARROWER:
                rows = np.flatnonzero(impossible[body])
                if len(rows) == 0:
                    break
                common = generator.uniform(-_DECADES, _DECADES, (len(rows), 1))
                own = generator.uniform(-decades, decades, (len(rows), len(places)))
                values[np.ix_(rows, np.array(places, dtype=np.intp))] = (signs[rows] * sizes)[:, places] * 10.0 ** (
                    common + own
                )
                impossible = self._impossible(values)
        return values, ~np.any(impossible, axis=0)

    def _impossible(self, values: Array) -> NDArray[np.bool_]:
        """Return which inertias (bodies, count) no body has, though one can have the default."""
        return ~self._bodies.are_possible(values) & self._usual[:, None]


class Near:
    """Values within 25 % of the defaults; small ones for zeros, where the equations go on with them.

    Parameters
    ----------
    source
        The reference, which tells where the equations have values.
    """

    def __init__(self, source: Reference) -> None:
        self._source = source
        self._nominal = np.array([one.value for one in source.model.parameters], dtype=np.float64)
        self._places = np.flatnonzero(self._nominal == 0.0)
        self._states = np.empty((0, 0))
        self._sound: Array | None = None

    def draw(self, generator: np.random.Generator, time: float, share: float = 1.0) -> Array:
        """Return parameters (np,), so much of 25 % from the defaults at most."""
        parameters = self._nominal * (1.0 + share * _SHARE * generator.uniform(-1.0, 1.0, len(self._nominal)))
        places, none = self._places, np.zeros_like(parameters)
        if len(places) == 0:
            return parameters
        self._states = self._source.random_state(generator, 3, time)
        before = self._look(time, parameters)
        for size in _SMALL:
            added = none.copy()
            added[places] = size * generator.uniform(-1.0, 1.0, len(places))
            if self._is_sound(before, time, parameters + added):
                return parameters + added
        if self._sound is None:
            self._sound = self._one_by_one(before, time, parameters)
        added = self._sound * generator.uniform(0.5, 1.0, len(parameters))
        return parameters + (added if self._is_sound(before, time, parameters + added) else none)

    def _one_by_one(self, before: tuple[Array, Array], time: float, parameters: Array) -> Array:
        """Return values that go together: for each parameter the first of either sign that does with those before."""
        kept = np.zeros_like(parameters)
        for place in self._places:
            for value in (sign * size for size in _SMALL for sign in (1.0, -1.0)):
                kept[place] = value
                if self._is_sound(before, time, parameters + kept):
                    break
                kept[place] = 0.0
        return kept

    def _is_sound(self, before: tuple[Array, Array], time: float, parameters: Array) -> bool:
        """Whether all values exist that did before, and the mass matrix is as definite as it was."""
        values, definiteness = self._look(time, parameters)
        lost = np.isfinite(before[0]) & ~np.isfinite(values)
        return not np.any(lost) and np.array_equal(definiteness, before[1])

    def _look(self, time: float, parameters: Array) -> tuple[Array, Array]:
        count = len(self._states)
        return soundness(self._source, np.full(count, time), self._states, np.tile(parameters, (count, 1)))
