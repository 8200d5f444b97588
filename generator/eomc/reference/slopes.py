"""What the reference knows by differences only, with its errors: Jacobians, df/dt, powers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from eomc.model import Model
from eomc.reference.differences import estimates
from eomc.reference.jets import Array
from eomc.reference.noise import spread
from eomc.reference.rates import Rows, Slope, along_the_motion, input_rates, terms_along

_Energy: TypeAlias = Callable[[Array, Array, Array, Array], Mapping[str, float | Array]]


class Functions(Protocol):
    """The functions of a reference that are differentiated here, at k states."""

    @property
    def model(self) -> Model:
        """The mechanism."""

    def rhs(self, t: Array, x: Array, inputs: Array, parameters: Array, /) -> Array:
        """Return dx/dt."""

    def outputs(self, t: Array, x: Array, inputs: Array, parameters: Array, /) -> Array:
        """Return the outputs."""

    def events(self, t: Array, x: Array, inputs: Array, parameters: Array, /) -> Array:
        """Return g of the events."""

    def energy(self, t: Array, x: Array, inputs: Array, parameters: Array, /) -> Mapping[str, float | Array]:
        """Return the energies by name."""

    def moving_energy(self, t: Array, x: Array, inputs: Array, parameters: Array, /) -> Mapping[str, float | Array]:
        """Return the parts of the energies that depend on the motion."""

    def resting_energy(self, t: Array, x: Array, inputs: Array, parameters: Array, /) -> Mapping[str, float | Array]:
        """Return the parts that do not."""


@dataclass(frozen=True, slots=True)
class Point:
    """k states with all that belongs to them, and the sizes of the steps that are made from there."""

    time: Array  # (k,)
    states: Array  # (k, nx)
    inputs: Array  # (k, nr)
    parameters: Array  # (k, np)
    reach: Array  # (k, nx): how large the states are
    signals: Array  # (k, nr): how large the inputs are


class Slopes:
    """Slopes of a reference's functions at `at`."""

    def __init__(self, source: Functions, at: Point) -> None:
        self._source = source
        self._at = at

    def of(self, function: str) -> dict[str, Slope]:
        """Return slopes by name: of Jacobians the first and the second, of powers the energies, "" for others."""
        ways = {
            "jacobian": lambda: self._jacobian(self._source.rhs),
            "outputs_jacobian": lambda: self._jacobian(self._source.outputs),
            "rhs_parameter_jacobian": self._by_parameters,
            "time_derivative": self._time_derivative,
            "power": self._power,
            "event_rates": self._event_rates,
        }
        return ways[function]()

    def _jacobian(self, function: Callable[[Array, Array, Array, Array], Array]) -> dict[str, Slope]:
        """Return the slopes of a function by states (k, m, nx) and by inputs (k, m, nr)."""
        at, nx = self._at, self._at.states.shape[1]
        n = nx + at.inputs.shape[1]

        def values(point: Array) -> Array:
            rows = (np.arange(len(point)) // n) % len(at.time)  # a point for each direction
            return function(at.time[rows], point[:, :nx], point[:, nx:], at.parameters[rows])

        found = estimates(values, np.hstack([at.states, at.inputs]), np.hstack([at.reach, at.signals]))
        parts = {"first": slice(None, nx), "second": slice(nx, None)}
        return {name: Slope(*(array[..., part] for array in found)) for name, part in parts.items()}

    def _by_parameters(self) -> dict[str, Slope]:
        """Return the slopes of the right-hand side by all parameters (k, nx, np)."""
        at, n = self._at, self._at.parameters.shape[1]

        def values(point: Array) -> Array:
            rows = (np.arange(len(point)) // n) % len(at.time)  # a point for each direction
            return self._source.rhs(at.time[rows], at.states[rows], at.inputs[rows], point)

        size = np.where(at.parameters == 0.0, 1.0, np.abs(at.parameters))
        value, error, terms = estimates(values, at.parameters, size)
        motion = np.nan_to_num(self._source.rhs(at.time, at.states, at.inputs, at.parameters), posinf=0.0, neginf=0.0)
        rounding = self._rounding_of(motion)  # what is rounding may be a smooth function of a parameter
        return {"": Slope(value, error + rounding[:, :, None] / size[:, None, :], terms)}

    def _time_derivative(self) -> dict[str, Slope]:
        at = self._at

        def rates(point: Array) -> Array:
            rows = np.arange(len(point)) % len(at.time)
            return self._source.rhs(point[:, 0], at.states[rows], at.inputs[rows], at.parameters[rows])

        found = estimates(rates, at.time[:, None], 1.0 + np.abs(at.time[:, None]))
        return {"": Slope(*(part[..., 0] for part in found))}

    def _power(self) -> dict[str, Slope]:
        """Return the rates of the energies, as sums of those of their parts.

        What does not depend on the motion does not depend on how fast speeds change: it can be followed further.
        """
        at, source = self._at, self._source
        motion = source.rhs(at.time, at.states, at.inputs, at.parameters)
        rates = np.nan_to_num(motion, nan=0.0, posinf=0.0, neginf=0.0)
        still = rates.copy()
        first = len(source.model.coordinates)
        still[:, first : still.shape[1] - len(source.model.extra_states)] = 0.0
        found: dict[str, Slope] = {}
        signals = input_rates(source.model, at.inputs)
        point, sizes = (at.time, at.states, at.inputs), (at.reach, at.signals)
        for part, directions in ((source.moving_energy, rates), (source.resting_energy, still)):
            for name, slope in along_the_motion(
                self._with_parameters(part), point, (directions, signals), sizes
            ).items():
                found[name] = found[name].plus(slope) if name in found else slope
        known = np.isfinite(motion).all(axis=1)
        unsure = self._of_a_rounded_motion(rates)
        return {
            name: Slope(np.where(known, one.value, np.nan), one.error + unsure[name], one.size)
            for name, one in found.items()
        }

    def _event_rates(self) -> dict[str, Slope]:
        """Return dg/dt of the events along the motion (k, ne)."""
        at, source = self._at, self._source

        def events(t: Array, x: Array, inputs: Array, rows: Rows) -> Mapping[str, Array]:
            found = source.events(t, x, inputs, at.parameters[rows])
            return {str(i): found[:, i] for i in range(found.shape[1])}

        motion = source.rhs(at.time, at.states, at.inputs, at.parameters)
        rates = np.nan_to_num(motion, nan=0.0, posinf=0.0, neginf=0.0)
        point, sizes = (at.time, at.states, at.inputs), (at.reach, at.signals)
        slopes = along_the_motion(events, point, (rates, input_rates(source.model, at.inputs)), sizes).values()
        known = np.isfinite(motion).all(axis=1, keepdims=True)
        value, error, size = (
            np.stack([getattr(slope, part) for slope in slopes], axis=-1) for part in ("value", "error", "size")
        )
        return {"": Slope(np.where(known, value, np.nan), error, size)}

    def _with_parameters(self, energy: _Energy) -> Callable[[Array, Array, Array, Rows], Mapping[str, Array]]:
        """Return a function of (t, x, r, rows), where `rows` tell which of the points the parameters are from."""

        def at_rows(t: Array, x: Array, inputs: Array, rows: Rows) -> Mapping[str, Array]:
            return energy(t, x, inputs, self._at.parameters[rows])  # type: ignore[return-value]  # arrays: of several states

        return at_rows

    def _of_a_rounded_motion(self, motion: Array) -> dict[str, Array]:
        """Return by how much the powers are wrong because the motion is: by its rounding."""
        at, source = self._at, self._source
        rounding = self._rounding_of(motion)
        return terms_along(self._with_parameters(source.energy), (at.time, at.states, at.inputs), rounding, at.reach)

    def _rounding_of(self, motion: Array) -> Array:
        """Return the rounding (k, nx) of the state derivatives."""
        at, source = self._at, self._source
        ends = np.cumsum([1, at.states.shape[1], at.inputs.shape[1]])

        def rhs(rows: Array) -> Array:
            t, x, inputs, parameters = np.split(rows, ends, axis=1)
            return np.nan_to_num(source.rhs(t[:, 0], x, inputs, parameters), nan=0.0, posinf=0.0, neginf=0.0)

        return spread(rhs, motion, np.hstack([at.time[:, None], at.states, at.inputs, at.parameters])).noise
