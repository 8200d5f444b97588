"""Kane's equations, assembled from numbers.

With partial velocities v_r = dv/du_r and w_r = dw/du_r of every body, accelerations a = sum of v_s u_s' + a_0
(a_0: u' = 0) and the angular momentum H = I . w about the mass centre, the generalized inertia forces are

    F*_r = -(v_r . d(m v)/dt + w_r . dH/dt) = -(M_rs u_s' + c_r),

time derivatives in the inertial frame along q' = q'(q, u, t). With velocity constraints w(q, u, t) = 0 the
dependent speeds follow u' = S u_I' + s, from dw/dt = 0, and the equations are S^T (M (S u_I' + s) + c - F) = 0.

Source: T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications* (1985), sec. 2.14, 4.4, 4.11, 6.1.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
import sympy

from eomc.model import MechanicalSystem, Model, name_of
from eomc.reference.arrays import product, reshaped, solve_values, stack
from eomc.reference.bodies import Construction
from eomc.reference.clock import Clock
from eomc.reference.constraints import Constraints, Rows, constrained, random_instant
from eomc.reference.instant import Balance, Instant, Solution, accelerations_by_symbol, constants, derivative
from eomc.reference.jets import Array, Jet, constant
from eomc.reference.kinematics import Kinematics
from eomc.reference.moving import Moving
from eomc.reference.plan import Environment
from eomc.reference.reactions import by_signs
from eomc.reference.setting import Setting


class Kane:
    """A system of bodies with the state q, u.

    Parameters
    ----------
    bridging
        Count the auxiliary speeds, which are zero, among the speeds: their equations then tell what forces keep them
        zero (Kane and Levinson's bringing noncontributing forces into evidence, sec. 4.9).
    """

    def __init__(self, model: Model, bridging: bool = False) -> None:
        system = model.dynamics
        assert isinstance(system, MechanicalSystem)
        self.model = model
        self.system = system
        self.auxiliary = () if bridging else system.auxiliary_speeds
        self.speeds = tuple(u for u in model.speeds if u not in self.auxiliary)
        self.dependent = [index for index, u in enumerate(self.speeds) if u in system.dependent_speeds]
        self.independent = [index for index in range(len(self.speeds)) if index not in self.dependent]
        self.construction = Construction(model)
        self.constraints = Constraints(model)
        rates = [sympy.Derivative(q, model.time) for q in model.coordinates]
        known = [u for u in self.speeds if u not in system.auxiliary_speeds]
        self.kinematics = Kinematics(system.kinematical_equations, rates, known)
        plans = [self.construction.motion, self.construction.heights, self.kinematics.plan, *self.constraints.plans]
        self.setting = Setting(model, self.speeds, plans)
        self.order = 2 if self.construction.has_positions or system.configuration_constraints else 1

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        return tuple(name_of(u) for u in self.speeds)

    def moving(
        self, instant: Instant, reactions: Array | None = None, order: int | None = None
    ) -> tuple[Moving, dict[sympy.Basic, Jet], dict[sympy.Basic, Array]]:
        """Return the bodies at the states, with all symbols as jets and as numbers.

        Reactions in loads count as zero where none are given; only forces hold them. Jets of order 1 are enough for
        velocities and their partial derivatives; accelerations may need the order 2.
        """
        environment, values, clock = self._symbols(instant, reactions, order)
        jets = stack([environment[symbol] for symbol in self.setting.rates], (instant.states,))
        rate_partials = jets.partials(self.setting.seeds.speed_block, len(self.speeds))
        moving = Moving(self.construction, environment, values, clock, instant.states, rate_partials, False)
        return moving, environment, values

    def _symbols(
        self, instant: Instant, reactions: Array | None = None, order: int | None = None
    ) -> tuple[dict[sympy.Basic, Jet], dict[sympy.Basic, Array], Clock]:
        """Return all symbols as jets and as numbers, and the clock: what constraints rest on, without the bodies."""
        environment, values = self.setting.environment(instant, instant.speeds, self.order if order is None else order)
        still = dict.fromkeys(self.system.auxiliary_speeds, constant(0.0))
        for u in self.system.auxiliary_speeds:
            values[sympy.Derivative(u, self.model.time)] = np.zeros(instant.states)
            environment[sympy.Derivative(u, self.model.time)] = constant(0.0)
        for i, reaction in enumerate(self.system.reactions):
            held = np.zeros(instant.states) if reactions is None else reactions[:, i]
            values[reaction.symbol], environment[reaction.symbol] = held, constant(held)
        for u in self.auxiliary:
            values[u], environment[u] = np.zeros(instant.states), constant(0.0)
        rates = self.kinematics.coordinate_rates({**environment, **still}, instant.states)
        environment.update(rates)
        values.update({symbol: jet.value for symbol, jet in rates.items()})
        return environment, values, self.setting.clock(environment, rates, instant.states)

    def solve(self, instant: Instant, accelerations: bool = True) -> Solution:
        """Return the motion, with its accelerations.

        Mass matrix and forcing are over the independent speeds where there are dependent ones.
        """
        reactions = self.reactions(instant) if self.system.reactions else None
        return self._solved(instant, reactions)

    def reactions(self, instant: Instant) -> Array:
        """Return what holds the auxiliary speeds (k, number of them): the reactions of the loads, or else R.

        An auxiliary speed u_r moves what is held, and its equation of motion F_r + F*_r + R_r = 0 gives R_r, the
        generalized force of what holds it (Kane & Levinson, sec. 4.9).
        """
        count = len(self.system.reactions)
        if not count:
            return -self._balance(instant, None)
        return by_signs(lambda reactions: self._balance(instant, reactions), instant.states, count)

    @cached_property
    def _bridging(self) -> Kane:
        """The same bodies with the auxiliary speeds among the speeds; its plans are made once."""
        return Kane(self.model, bridging=True)

    def _balance(self, instant: Instant, reactions: Array | None) -> Array:
        """Return F_r + F*_r of the auxiliary speeds in the motion that loads and constraints make."""
        solution, bridging = self._solved(instant, reactions), self._bridging
        places = {u: index for index, u in enumerate(bridging.speeds)}
        kept = [places[u] for u in self.speeds]
        speeds, rates = (np.zeros((instant.states, len(bridging.speeds))) for _ in range(2))
        speeds[:, kept], rates[:, kept] = instant.speeds, solution.speed_rates
        moving, _, values = bridging.moving(dataclasses.replace(instant, speeds=speeds), reactions)
        matrix, bias = bridging.inertia_forces(moving, values)
        total = moving.generalized_forces(rates) - bias - np.einsum("krs,ks->kr", matrix, rates)
        if solution.multipliers is not None:
            jacobian = self.constraints.rows(moving.environment, moving.clock, moving.states).jacobian
            total = total - np.einsum("kmr,km->kr", jacobian, solution.multipliers)
        return np.asarray(total[:, [places[u] for u in self.auxiliary]], dtype=np.float64)

    def _solved(self, instant: Instant, reactions: Array | None) -> Solution:
        """Return the motion with the reactions as given."""
        moving, environment, values = self.moving(instant, reactions)
        matrix, forcing, _ = self._equations(moving, values)
        reduced, force = matrix, forcing
        multipliers = forces = None
        if self.constraints:
            rows = self.rows(environment, moving.clock, instant.states)
            speed_rates, multipliers = constrained(matrix, forcing, rows.jacobian, -rows.rates)
            forces = -np.einsum("kmn,km->kn", rows.jacobian, multipliers)
            if self.dependent:
                transformation, remainder = self._dependence(rows)
                reduced = np.einsum("kri,krs,ksj->kij", transformation, matrix, transformation)
                force = np.einsum("kri,kr->ki", transformation, forcing - np.einsum("krs,ks->kr", matrix, remainder))
        else:
            speed_rates = solve_values(matrix, forcing[..., None], "the mass matrix")[..., 0]
        rates = stack([environment[symbol] for symbol in self.setting.rates], (instant.states,))
        second = moving.clock.rate(rates).value + np.einsum("kin,kn->ki", moving.rate_partials, speed_rates)
        values = values | accelerations_by_symbol(self.model, self.speeds, speed_rates, second)
        return Solution(rates.value, speed_rates, second, reduced, force, values, multipliers, forces)

    def balance(self, instant: Instant) -> Balance:
        """Return the equations of all speeds, before they are solved."""
        moving, environment, values = self.moving(instant)
        matrix, forcing, coriolis = self._equations(moving, values)
        jacobian, wanted = np.zeros((instant.states, 0, len(self.speeds))), np.zeros((instant.states, 0))
        if self.constraints:
            rows = self.rows(environment, moving.clock, instant.states)
            jacobian, wanted = rows.jacobian, -rows.rates
        return Balance(matrix, forcing, coriolis, -moving.conservative_forces(), jacobian, wanted)

    def _equations(self, moving: Moving, values: dict[sympy.Basic, Array]) -> tuple[Array, Array, Array]:
        """Return M - dF/du', f and the inertia forces -F* at u' = 0."""
        matrix, inertia = self.inertia_forces(moving, values)
        return matrix + moving.load_matrix(), moving.generalized_forces() - inertia, inertia

    def rows(self, environment: Mapping[sympy.Basic, Jet], clock: Clock, states: int) -> Rows:
        """Return the rows of the constraints over the speeds."""
        if self.constraints.adds_rates is None:
            instant = random_instant(self.model, len(self.speeds))
            scouts, _, its_clock = self._symbols(instant)
            self.constraints.rows(scouts, its_clock, instant.states)
        return self.constraints.rows(environment, clock, states)

    def constraint_values(self, instant: Instant) -> tuple[Array, Array]:
        """Return the residuals of the configuration (k, m) and the velocity constraints (k, n)."""
        environment, _, _ = self._symbols(instant)
        configuration = self.constraints.positions(environment, instant.states)
        return configuration.value, self.constraints.velocities(environment, instant.states).value

    def configuration_constraints(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates (k, m, nq)."""
        environment, _ = self.setting.environment(instant, instant.speeds, 1)
        residuals = self.constraints.positions(environment, instant.states)
        return residuals.value, residuals.partials(self.setting.seeds.coordinate_block, len(self.model.coordinates))

    @property
    def rotations(self) -> int:
        """The number of rotation matrices between frames."""
        return len(self.construction.frames.steps)

    def excess(self, instant: Instant, numbers: Sequence[int]) -> list[Jet]:
        """Return R R^T - 1 of some of the rotation matrices, each (k, 9)."""
        moving, _, _ = self.moving(instant)
        found = []
        for number, (_, places) in enumerate(self.construction.frames.steps.values()):
            if number in numbers:
                entries = stack([moving.results[place] for place in places], (instant.states,))
                rotation = reshaped(entries, (instant.states, 3, 3))
                difference = product(rotation, rotation, "ij", "ik", "jk") - constant(np.eye(3))
                found.append(reshaped(difference, (instant.states, 9)))
        return found

    def directions(self, functions: Callable[[Environment], Jet], instant: Instant) -> Array:
        """Return how functions of the place change along the speeds (k, m, n), the time held."""
        environment, _, clock = self._symbols(instant)
        slopes = functions(environment).partials(slice(None), len(clock.seeds.symbols))
        return np.asarray(slopes @ clock.rates.partials(clock.seeds.speed_block, len(self.speeds)), dtype=np.float64)

    def velocity_constraint_matrix(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the speeds (k, m, n)."""
        if not self.constraints:
            return np.zeros((instant.states, 0)), np.zeros((instant.states, 0, len(self.speeds)))
        environment, _, clock = self._symbols(instant)
        rows = self.rows(environment, clock, instant.states)
        return rows.residuals.value, rows.jacobian

    def inertia_forces(self, moving: Moving, values: dict[sympy.Basic, Array]) -> tuple[Array, Array]:
        """Return M (k, n, n) and c (k, n)."""
        return moving.inertia_forces(self.given_accelerations(moving, values))

    def given_accelerations(self, moving: Moving, values: dict[sympy.Basic, Array]) -> list[Jet]:
        """Evaluate the accelerations that the user set, at u' = 0."""
        if not self.construction.given.symbols:
            return self.construction.given.run({})
        time = self.model.time
        known = dict(values)
        for q, rate in zip(self.model.coordinates, self.setting.rates, strict=True):
            known[derivative(q, time, 2)] = moving.clock.rate(moving.environment[rate].expanded((moving.states,))).value
        known.update({derivative(u, time): np.zeros(moving.states) for u in self.model.speeds})
        return self.construction.given.run(constants(known))

    def _dependence(self, rows: Rows) -> tuple[Array, Array]:
        """Return S and s of u' = S u_I' + s."""
        states, count = len(rows.rates), len(self.speeds)
        free = len(self.independent)
        transformation, remainder = np.zeros((states, count, free)), np.zeros((states, count))
        transformation[:, self.independent, range(free)] = 1.0
        matrix, bias = rows.jacobian, rows.rates
        right = np.concatenate([matrix[:, :, self.independent], bias[..., None]], axis=-1)
        solved = -solve_values(
            matrix[:, :, self.dependent], right, "the velocity constraints' matrix of dependent speeds"
        )
        transformation[:, self.dependent, :] = solved[..., :-1]
        remainder[:, self.dependent] = solved[..., -1]
        return transformation, remainder
