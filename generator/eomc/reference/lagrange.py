"""Lagrange's equations of the second kind, d/dt (dL/dq') = dL/dq + Q, from numbers; and Hamilton's from the same L.

Lagrange: M q'' = dL/dq + Q - c with M = d2L/dq'2 and c = d/dt (dL/dq') at q'' = 0. Hamilton: q' from p = dL/dq',
p' = dL/dq + Q.
"""

from __future__ import annotations

import numpy as np

from eomc.model import Lagrangian, MechanicalSystem, Model, name_of
from eomc.reference.arrays import solve_values
from eomc.reference.instant import Instant, Solution
from eomc.reference.jets import Array
from eomc.reference.momenta import (
    BodyMomenta,
    LagrangianMomenta,
    Momenta,
    MomentumSource,
    Wanted,
    rates_from_momenta,
)

__all__ = ["HamiltonOfMomenta", "Lagrange", "momentum_source"]

_MASS_MATRIX = "the mass matrix"


def momentum_source(model: Model) -> MomentumSource:
    """Return where the momenta of a model of bodies or of a Lagrangian come from."""
    if isinstance(model.dynamics, MechanicalSystem):
        return BodyMomenta(model)
    assert isinstance(model.dynamics, Lagrangian)
    return LagrangianMomenta(model)


class Lagrange:
    """Lagrange's equations with the state q, q'."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.source = momentum_source(model)
        self.setting = self.source.setting

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        return tuple(name_of(symbol) for symbol in self.source.setting.rates)

    def momenta(self, instant: Instant) -> Momenta:
        """Return the momenta at the states."""
        return self.source.at(instant, instant.speeds, Wanted.VALUE)

    def solve(self, instant: Instant, accelerations: bool = True) -> Solution:
        """Return the motion."""
        del accelerations  # they are what is solved for
        at = self.source.at(instant, instant.speeds)
        forcing = at.drive - at.bias
        second = solve_values(at.matrix, forcing[..., None], _MASS_MATRIX)[..., 0]
        return Solution(instant.speeds, second, second, at.matrix, forcing, at.values)

    def speeds_from_rates(self, instant: Instant, rates: Array) -> Array:
        """Return the state's second part from q'."""
        del instant
        return rates


class HamiltonOfMomenta:
    """Hamilton's equations with the state q, p, the momenta being those of a Lagrangian or of bodies."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.source = momentum_source(model)
        self.setting = self.source.setting

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        return tuple(f"p_{name_of(q)}" for q in self.model.coordinates)

    def momenta(self, instant: Instant) -> Momenta:
        """Return the momenta at the states; their value is the state's own p up to rounding."""
        return rates_from_momenta(self.source, instant, instant.speeds, Wanted.VALUE)[1]

    def solve(self, instant: Instant, accelerations: bool = False) -> Solution:
        """Return the motion; q'' and the forcing M q'' only where `accelerations` are asked for, else NaN."""
        wanted = Wanted.EVERYTHING if accelerations else Wanted.DRIVE
        rates, at = rates_from_momenta(self.source, instant, instant.speeds, wanted)
        if not accelerations:
            unknown = np.full_like(rates, np.nan)
            return Solution(rates, at.drive, unknown, at.matrix, unknown, at.values)
        forcing = at.drive - at.bias
        second = solve_values(at.matrix, forcing[..., None], _MASS_MATRIX)[..., 0]
        return Solution(rates, at.drive, second, at.matrix, forcing, at.values)

    def speeds_from_rates(self, instant: Instant, rates: Array) -> Array:
        """Return the state's second part from q'."""
        return self.source.at(instant, rates, Wanted.VALUE).value
