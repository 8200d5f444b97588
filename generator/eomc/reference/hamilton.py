"""Hamilton's equations of a given H(q, p, t): q' = dH/dp, p' = -dH/dq + Q.

Source: H. Goldstein, *Classical Mechanics* (1980), sec. 8-1.
"""

from __future__ import annotations

import numpy as np
import sympy

from eomc.model import Hamiltonian, Model, name_of
from eomc.reference.arrays import stack
from eomc.reference.instant import Balance, Instant, Solution, accelerations_by_symbol, constants
from eomc.reference.jets import Array, Jet, constant
from eomc.reference.plan import Plan
from eomc.reference.setting import Setting


class HamiltonOfFunction:
    """A given Hamiltonian with the state q, p."""

    def __init__(self, model: Model) -> None:
        dynamics = model.dynamics
        assert isinstance(dynamics, Hamiltonian)
        self.model = model
        self.plan = Plan([dynamics.expression])
        self.forces = Plan()
        self._places = [self.forces.add(force) for force in dynamics.generalized_forces]
        self.setting = Setting(model, model.speeds, [self.plan])

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        return tuple(name_of(p) for p in self.model.speeds)

    def function(self, instant: Instant) -> tuple[Jet, dict[sympy.Basic, Jet], dict[sympy.Basic, Array]]:
        """Return H with its derivatives, and all symbols as jets and as numbers."""
        environment, values = self.setting.environment(instant, instant.speeds, 2)
        return self.plan.run(environment)[0].expanded((instant.states,)), environment, values

    def solve(self, instant: Instant, accelerations: bool = False) -> Solution:
        """Return the motion, with q'' only where `accelerations` are asked for.

        The mass matrix is that of p' = -dH/dq + Q, the identity.
        """
        function, environment, values = self.function(instant)
        states, count = instant.states, len(self.model.coordinates)
        seeds = self.setting.seeds
        rates = function.derivative(seeds.speed_block, count)
        values.update(zip(self.setting.rates, rates.value.T, strict=True))
        forces = self.forces.run(constants(values))
        drive = stack([forces[place] for place in self._places], (states,)).value
        drive = drive - function.partials(seeds.coordinate_block, count)
        identity = np.broadcast_to(np.eye(count), (states, count, count)).copy()
        if not accelerations:
            return Solution(rates.value, drive, np.full_like(drive, np.nan), identity, drive, values)
        columns = {symbol: constant(rates.value[:, i]) for i, symbol in enumerate(self.setting.rates)}
        environment.update(columns)
        clock = self.setting.clock(environment, columns, states)
        slopes = rates.partials(seeds.speed_block, count)
        second = clock.rate(rates).value + np.einsum("kin,kn->ki", slopes, drive)
        values.update(accelerations_by_symbol(self.model, self.model.speeds, drive, second))
        return Solution(rates.value, drive, second, identity, drive, values)

    def balance(self, instant: Instant) -> Balance:
        """Return p' = -dH/dq + Q."""
        motion, states = self.solve(instant), instant.states
        none = np.zeros((states, 0, motion.forcing.shape[1]))
        return Balance(motion.mass_matrix, motion.forcing, None, None, none, np.zeros((states, 0)))

    def constraint_values(self, instant: Instant) -> tuple[Array, Array]:
        """Return no residuals: a Hamiltonian has no constraints."""
        return np.zeros((instant.states, 0)), np.zeros((instant.states, 0))
