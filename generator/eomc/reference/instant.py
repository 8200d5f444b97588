"""States, inputs and parameters at which a model is evaluated, many at once, and what comes out."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.model import Model
from eomc.reference.jets import Array, Jet, constant


@dataclass(frozen=True, slots=True)
class Instant:
    """k states with their times, inputs and parameters."""

    time: Array  # (k,)
    coordinates: Array  # (k, nq)
    speeds: Array  # (k, n): u, q' or p, according to the method
    extra: Array  # (k, nz)
    inputs: Array  # (k, nr)
    parameters: Array  # (k, np)
    accelerations: Array | None = None  # v' (k, n), where a function takes them

    @property
    def states(self) -> int:
        """Return k."""
        return len(self.time)

    def at_rows(self, rows: NDArray[np.intp]) -> Instant:
        """Return some of the states."""
        given = {part.name: getattr(self, part.name) for part in dataclasses.fields(self)}
        return Instant(**{name: values[rows] for name, values in given.items() if values is not None})

    def equals(self, other: Instant) -> bool:
        """Whether all numbers are the same."""
        return all(
            np.array_equal(getattr(self, part.name), getattr(other, part.name)) for part in dataclasses.fields(self)
        )

    def values(self, model: Model) -> dict[sympy.Basic, Array]:
        """Return symbol -> values (k,) of everything but speeds and the derivatives of coordinates."""
        return {
            model.time: self.time,
            **{p.symbol: self.parameters[:, i] for i, p in enumerate(model.parameters)},
            **{symbol: np.zeros_like(self.time) for symbol in model.idle},
            **{r.symbol: self.inputs[:, i] for i, r in enumerate(model.inputs)},
            **{q: self.coordinates[:, i] for i, q in enumerate(model.coordinates)},
            **{z.symbol: self.extra[:, i] for i, z in enumerate(model.extra_states)},
        }


def constants(values: Mapping[sympy.Basic, Array]) -> dict[sympy.Basic, Jet]:
    """Return the values as jets without derivatives."""
    return {symbol: constant(value) for symbol, value in values.items()}


@functools.lru_cache(maxsize=4096)
def derivative(signal: sympy.Expr, time: sympy.Symbol, times: int = 1) -> sympy.Expr:
    """Return a time derivative of a signal; SymPy takes longer for it than all numbers of an evaluation."""
    return signal.diff(time, times)


def accelerations_by_symbol(
    model: Model, speeds: Sequence[sympy.Expr], speed_rates: Array, second: Array
) -> dict[sympy.Basic, Array]:
    """Return the symbols u' and q'' with their values, from u' (k, n) and q'' (k, nq)."""
    return {
        **{derivative(u, model.time): speed_rates[:, i] for i, u in enumerate(speeds)},
        **{derivative(q, model.time, 2): second[:, i] for i, q in enumerate(model.coordinates)},
    }


@dataclass(frozen=True, slots=True)
class Energy:
    """Energies by name, each (k,), and generalized momenta p = dL/dq' (k, nq) where they exist.

    An energy is a part that depends on the motion plus, in some, the potential energy: apart, small kinetic energies
    keep their digits beside large potential ones.
    """

    moving: dict[str, Array]
    momenta: Array | None
    resting: dict[str, Array] = field(default_factory=dict)

    @property
    def named(self) -> dict[str, Array]:
        """The energies."""
        return {name: value + self.resting.get(name, 0.0) for name, value in self.moving.items()}


@dataclass(frozen=True, slots=True)
class Balance:
    """M v' + J^T lambda = f, J v' = w at k states, over all motion variables, and the parts c and g of f."""

    matrix: Array  # (k, n, n), less the slopes of loads
    forcing: Array  # f (k, n)
    coriolis: Array | None  # -F* at v' = 0 (k, n); None where inertia and gravity are not told apart
    gravity: Array | None  # dV/dq dq'/dv (k, n)
    jacobian: Array  # (k, m, n)
    wanted: Array  # (k, m)


@dataclass(frozen=True, slots=True)
class Solution:
    """The motion at k states."""

    coordinate_rates: Array  # q' (k, nq)
    speed_rates: Array  # u', q'' or p' (k, n)
    coordinate_accelerations: Array  # q'' (k, nq)
    mass_matrix: Array  # (k, m, m)
    forcing: Array  # (k, m)
    values: Mapping[sympy.Basic, Array]  # everything that an output may name
    multipliers: Array | None = None  # lambda (or sigma) of the constraints (k, m)
    constraint_forces: Array | None = None  # -J^T lambda (k, n)
