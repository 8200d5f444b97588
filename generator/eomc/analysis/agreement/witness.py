"""What the reference says at the samples of a seed: drawn once and asked once, whatever builds are compared with it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np

from eomc.analysis.agreement.forces import Balanced, balanced, takes_forces
from eomc.analysis.agreement.sampling import Samples, draw, near_defaults
from eomc.binding.vectors import Array
from eomc.ir.remembered import remembered
from eomc.model import Lagrangian, Model
from eomc.reference import Reference, reference

Named: TypeAlias = dict[str, Array]
"""Values by name, in rows (k, anything)."""

_LOST = 8.0 * np.finfo(np.float64).eps
_BY_STATES = ("jacobian", "outputs_jacobian")  # whose first part is by the states


class Points:
    """All samples as rows of arguments [t, x, r, p], and behind them accelerations where a function takes these."""

    def __init__(self, source: Reference, rows: Array) -> None:
        self.rows = rows
        self._ends = np.cumsum([1, len(source.state_names), len(source.input_names), len(source.parameter_names)])

    def split(self, rows: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Return t (k,), x (k, nx), r (k, nr), p (k, np) and accelerations (k, n), without columns where none are."""
        t, x, r, p, dv = np.split(rows, self._ends, axis=1)
        return t[:, 0], x, r, p, dv

    def asked(self, function: Callable[..., Any], rows: Array, parameters: Array | None = None) -> Any:
        """Return what a function says at rows of arguments, which may have the same `parameters` (np,)."""
        t, x, r, p, dv = self.split(rows)
        p = p if parameters is None else parameters
        return function(t, x, dv, r, p) if dv.shape[1] else function(t, x, r, p)


def _arguments(samples: Samples) -> Array:
    count = len(samples.states)
    time = np.full((count, 1), samples.time)
    return np.hstack([time, samples.states, samples.inputs, np.tile(samples.parameters, (count, 1))])


class Witness:
    """The reference of `model` by `method` at `count` random states of `seed`.

    Attributes
    ----------
    near
        How many of them have parameters near the defaults, for want of others.
    ill
        At which of them (k,) the condition of M is beyond the limit, so that u' is judged by the forces that it takes.
    has_masses
        Whether the accelerations follow from M u' = f alone.

    Raises
    ------
    ModelError
        Too few random states are well-conditioned.
    """

    def __init__(self, model: Model, method: str, count: int, seed: int) -> None:
        self._source = reference(model, method)
        source = self._source
        self.has_masses = takes_forces(source)
        samples = draw(source, count, seed, ill=True) if self.has_masses else draw(source, count, seed)
        self.near = near_defaults(samples)
        self.ill = np.concatenate([np.full(len(one.states), one.ill) for one in samples])
        self.points = Points(self._source, np.concatenate([_arguments(one) for one in samples]))

    def swallowed(self, function: str, found: Named) -> Named:
        """Return what differences of the reference may have lost of values `found`, by name.

        Of a Lagrangian the kinetic energy is the total less the potential one, and Coriolis forces are all forces less
        those at rest: what is small beside those is rounding or a zero, of which values beside it show nothing.
        """
        if not isinstance(self._source.model.dynamics, Lagrangian):
            return {}
        if function == "energy" and "kinetic" in found:
            return {"kinetic": _LOST * (np.abs(found["total"]) + np.abs(found["potential"]))}
        if function == "coriolis_forces":
            return {name: _LOST * np.abs(forces) for name, forces in self.values("gravity_forces").items()}
        return {}

    @property
    def accelerations(self) -> slice:
        """The places of u' in dx/dt."""
        model = self._source.model
        return slice(len(model.coordinates), len(self._source.state_names) - len(model.extra_states))

    @cached_property
    def driven(self) -> Points:
        """The samples with accelerations that the constraints admit."""
        t, x, r, p, _ = self.points.split(self.points.rows)
        rates = self._source.random_accelerations(np.random.default_rng(0), t, x, r, p)
        return Points(self._source, np.hstack([self.points.rows, rates]))

    @remembered
    def values(self, function: str, chosen: tuple[str, ...] = ()) -> Named:
        """Return the values of a function at the samples; one that is of something `chosen` takes accelerations."""
        return self.values_at(function, (self.driven if chosen else self.points).rows, chosen)

    def values_at(self, function: str, rows: Array, chosen: tuple[str, ...] = ()) -> Named:
        """Return the values of a function at other rows of arguments."""
        asked = getattr(self._source, function)
        if chosen:
            asked = partial(asked, of=chosen)
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            return named(self.points.asked(asked, rows), len(rows))

    def balanced(self, rates: Array) -> Balanced:
        """Return the forces that dx/dt (k, nx) takes at all samples."""
        matrices, acting, known = (self.values(name)[""] for name in ("mass_matrix", "forcing", "rhs"))
        n, places = acting.shape[1], self.accelerations
        return balanced(matrices.reshape(-1, n, n), acting, rates[:, places], known[:, places])

    def meant(self, function: str, found: Named, rows: Array) -> Named:
        """Return what a function says, by states only along what has a meaning: see `Reference.turning`."""
        return self._along(function, found, rows, lambda turning: turning)

    def _along(self, function: str, found: Named, rows: Array, of: Callable[[Array], Array]) -> Named:
        turning = self._source.turning(*self.points.split(rows)[:4]) if function in _BY_STATES else None
        if turning is None:
            return found
        return {**found, "first": _turned(found["first"], of(turning), len(self._source.state_names))}

    @remembered
    def slopes(self, function: str, chosen: tuple[str, ...] = ()) -> tuple[Named, Named, Named]:
        """Return what is known by differences only, how far each value may be from the truth, sizes of its terms.

        `chosen` are the parameters by which a function is differentiated.
        """
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            found = self._source.differences(function, *self.points.split(self.points.rows)[:4])
        count = len(self.points.rows)
        columns = [self._source.parameter_names.index(name) for name in chosen]
        value, error, size = (
            named({key: array[..., columns] if chosen else array for key, array in parts.items()}, count)
            for parts in (
                {key: getattr(one, part) for key, one in found.items()} for part in ("value", "error", "size")
            )
        )
        value = self.meant(function, value, self.points.rows)
        error, size = (self._along(function, one, self.points.rows, np.abs) for one in (error, size))
        return value, error, size


def _turned(slopes: Array, turning: Array, states: int) -> Array:
    """Return slopes (k, m nx) along projections (k, nq, nq) of the coordinates, which are the first states."""
    rows = slopes.reshape(len(slopes), -1, states).copy()
    rows[..., : turning.shape[1]] @= turning
    return rows.reshape(slopes.shape)


def named(result: Any, count: int) -> Named:
    """Return rows by name, where they have names."""
    if isinstance(result, tuple):
        result = dict(zip(("first", "second", "third"), result, strict=False))
    by_name = result if isinstance(result, dict) else {"": result}
    return {name: np.asarray(rows).reshape(count, -1) for name, rows in by_name.items()}
