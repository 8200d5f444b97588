"""Generalized momenta p = dL/dq' and their drive dL/dq + Q, from bodies or from a given Lagrangian.

Both forms of mechanics that follow rest on these: Lagrange's dp/dt = dL/dq + Q, and Hamilton's, in which p is the
state.

Source: H. Goldstein, *Classical Mechanics* (1980), sec. 1-4, 8-1.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import sympy

from eomc.model import Lagrangian, MechanicalSystem, Model
from eomc.reference.arrays import multiplied, product, solve_values, stack, zeros
from eomc.reference.bodies import Construction
from eomc.reference.clock import Clock
from eomc.reference.constraints import Constraints
from eomc.reference.instant import Instant, accelerations_by_symbol, constants, derivative
from eomc.reference.jets import Array, Jet
from eomc.reference.kinematics import Kinematics
from eomc.reference.moving import Moving
from eomc.reference.plan import Plan
from eomc.reference.setting import Setting


class Wanted(enum.Enum):
    """How much of the momenta to compute; the bias may need derivatives of inputs that the drive does not."""

    VALUE = "value"
    DRIVE = "drive"
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True)
class Momenta:
    """Momenta at k states (q, q'), as p(q, q', t) with the derivatives that the equations of motion need."""

    value: Array  # p (k, n)
    matrix: Array  # dp/dq' (k, n, n)
    bias: Array  # dp/dt at q'' = 0 (k, n), zeros unless asked for
    drive: Array  # dL/dq + Q (k, n) at q'' = 0, potential forces included; zeros unless asked for
    following: Array  # -dQ/dq'' (k, n, n) of forces that are linear in q''; zeros unless everything is asked for
    environment: dict[sympy.Basic, Jet]
    values: dict[sympy.Basic, Array]
    function: Array  # L (k,), or T for bodies
    moving: Moving | None  # the bodies, where there are any
    clock: Clock


class MomentumSource(Protocol):
    """A description of a mechanism that has momenta."""

    model: Model
    setting: Setting
    constraints: Constraints

    def at(self, instant: Instant, rates: Array, wanted: Wanted = Wanted.EVERYTHING) -> Momenta:
        """Return the momenta at the coordinates of `instant` and q' = `rates` (k, n)."""
        ...

    def apart(self, instant: Instant, at: Momenta, rates: Array) -> tuple[Array, Array]:
        """Return d/dt dK/dq' - dK/dq at q'' = 0 of what moves, and dV/dq of what does not."""
        ...


class BodyMomenta:
    """Momenta of bodies: p = sum of m v . dv/dq' + I w . dw/dq', and drive dT/dq + Q."""

    def __init__(self, model: Model) -> None:
        assert isinstance(model.dynamics, MechanicalSystem)
        self.model = model
        self.construction = Construction(model)
        rates = tuple(sympy.Derivative(q, model.time) for q in model.coordinates)
        self.kinematics = Kinematics(model.dynamics.kinematical_equations, rates, model.speeds)
        self.constraints = Constraints(model)
        plans = [self.construction.motion, self.construction.heights, self.kinematics.plan, *self.constraints.plans]
        self.setting = Setting(model, rates, plans)

    def at(self, instant: Instant, rates: Array, wanted: Wanted = Wanted.EVERYTHING) -> Momenta:
        """Return the momenta; see :class:`MomentumSource`."""
        states, count = instant.states, len(self.model.coordinates)
        environment, values = self.setting.environment(instant, rates, 2)
        speeds = self.kinematics.speeds_of(environment, states)
        environment.update(speeds)
        values.update({symbol: jet.value for symbol, jet in speeds.items()})
        clock = self.setting.clock(environment, _own_rates(self.setting, environment), states)
        identity = np.broadcast_to(np.eye(count), (states, count, count))
        if wanted is Wanted.VALUE:  # first derivatives are enough, at a small part of the cost
            seen = {symbol: jet.truncated(1) for symbol, jet in environment.items()}
            moving = Moving(self.construction, seen, values, clock, states, identity, True)
            function, value = moving.kinetic_energy()
            none, matrix = np.zeros_like(value), moving.mass_matrix()
            return Momenta(
                value, matrix, none, none, np.zeros_like(matrix), environment, values, function, moving, clock
            )
        moving = Moving(self.construction, environment, values, clock, states, identity, True)
        momenta, energy = self._momenta(moving)
        at = _collected(momenta, energy, moving.generalized_forces, clock, environment, values, moving, wanted)
        return dataclasses.replace(at, following=moving.load_matrix()) if wanted is Wanted.EVERYTHING else at

    def apart(self, instant: Instant, at: Momenta, rates: Array) -> tuple[Array, Array]:
        """Return inertia at q'' = 0 and gravity; see :class:`MomentumSource`."""
        del instant, rates
        assert at.moving is not None
        gravity, given = -at.moving.conservative_forces(), self.construction.given
        if given.symbols:
            return at.bias - self.slopes_of_kinetic_energy(at.moving), gravity
        return at.moving.inertia_forces(given.run({}))[1], gravity  # what cancels in those slopes is not in here

    def slopes_of_kinetic_energy(self, moving: Moving) -> Array:
        """Return dT/dq (k, n) at given q'."""
        seeds = moving.clock.seeds
        return self._momenta(moving)[1].partials(seeds.coordinate_block, len(seeds.coordinates))

    def _momenta(self, moving: Moving) -> tuple[Jet, Jet]:
        """Return p (k, n) and T (k,) as jets."""
        states, count = moving.states, len(self.model.coordinates)
        momenta, energy = zeros(states, count), zeros(states)
        half = Jet(np.asarray(0.5))
        for body in self.construction.bodies:
            velocity, partials = moving.velocity(body.centre)
            linear = moving.mass(body) * velocity
            momenta = momenta + product(linear, partials, "i", "ij", "j")
            energy = energy + half * product(linear, velocity, "i", "i", "")
            if body.rotation is not None:
                velocity, partials = moving.angular_velocity(body.rotation.angular_velocity)
                angular = product(moving.central_inertia(body, body.rotation), velocity, "ij", "j", "i")
                momenta = momenta + product(angular, partials, "i", "ij", "j")
                energy = energy + half * product(angular, velocity, "i", "i", "")
        return momenta, energy


class LagrangianMomenta:
    """Momenta of a given L(q, q', t)."""

    def __init__(self, model: Model) -> None:
        dynamics = model.dynamics
        assert isinstance(dynamics, Lagrangian)
        self.model = model
        self.plan = Plan([dynamics.expression])
        self.forces = Plan()
        self._places = [self.forces.add(force) for force in dynamics.generalized_forces]
        self.dissipation = Plan([dynamics.dissipation_function])
        rates = tuple(sympy.Derivative(q, model.time) for q in model.coordinates)
        self.constraints = Constraints(model)
        self.setting = Setting(model, rates, [self.plan, *self.constraints.plans])

    def at(self, instant: Instant, rates: Array, wanted: Wanted = Wanted.EVERYTHING) -> Momenta:
        """Return the momenta; see :class:`MomentumSource`."""
        states, count = instant.states, len(self.model.coordinates)
        environment, values = self.setting.environment(instant, rates, 2)
        clock = self.setting.clock(environment, _own_rates(self.setting, environment), states)
        function = self.plan.run(environment)[0].expanded((states,))
        momenta = function.derivative(self.setting.seeds.speed_block, count)

        def given(second: Array) -> Array:
            following = accelerations_by_symbol(self.model, (), second, second)
            results = self.forces.run(constants(values | following))
            return stack([results[place] for place in self._places], (states,)).value

        still = np.zeros((states, count))

        def forces() -> Array:
            lost = self.dissipation.run(environment)[0].expanded((states,))
            return given(still) - lost.partials(self.setting.seeds.speed_block, count)

        at = _collected(momenta, function, forces, clock, environment, values, None, wanted)
        accelerations = {derivative(q, self.model.time, 2) for q in self.model.coordinates}
        if wanted is not Wanted.EVERYTHING or accelerations.isdisjoint(self.forces.symbols):
            return at
        columns = [given(still) - given(still + (np.arange(count) == index)) for index in range(count)]
        return dataclasses.replace(at, following=np.stack(columns, axis=-1))

    def apart(self, instant: Instant, at: Momenta, rates: Array) -> tuple[Array, Array]:
        """Return inertia at q'' = 0 and gravity; see :class:`MomentumSource`."""
        gravity = -self._slopes(instant, np.zeros_like(rates))
        return at.bias - self._slopes(instant, rates) - gravity, gravity

    def _slopes(self, instant: Instant, rates: Array) -> Array:
        """Return dL/dq (k, n)."""
        environment, _ = self.setting.environment(instant, rates, 1)
        function = self.plan.run(environment)[0].expanded((instant.states,))
        return function.partials(self.setting.seeds.coordinate_block, len(self.model.coordinates))


def _own_rates(setting: Setting, environment: dict[sympy.Basic, Jet]) -> dict[sympy.Expr, Jet]:
    return {symbol: environment[symbol] for symbol in setting.rates}


def _collected(
    momenta: Jet,
    function: Jet,
    forces: Callable[[], Array],
    clock: Clock,
    environment: dict[sympy.Basic, Jet],
    values: dict[sympy.Basic, Array],
    moving: Moving | None,
    wanted: Wanted,
) -> Momenta:
    seeds = clock.seeds
    count = len(seeds.coordinates)
    bias, drive = np.zeros_like(momenta.value), np.zeros_like(momenta.value)
    if wanted is Wanted.EVERYTHING:
        bias = clock.rate(momenta).value
    if wanted is not Wanted.VALUE:
        drive = function.partials(seeds.coordinate_block, count) + forces()
    matrix = momenta.partials(seeds.speed_block, count)
    none = np.zeros_like(matrix)
    return Momenta(momenta.value, matrix, bias, drive, none, environment, values, function.value, moving, clock)


def rates_from_momenta(
    source: MomentumSource, instant: Instant, momenta: Array, wanted: Wanted
) -> tuple[Array, Momenta]:
    """Return q' with p(q, q', t) = `momenta`, shapes (k, n), and the momenta there.

    For T = T2 + T1 + T0 the momenta are affine in q' and one step of Newton's method from q' = 0 is exact but for
    rounding; for other functions the steps converge.
    """
    rates = np.zeros_like(momenta)
    at = source.at(instant, rates, Wanted.VALUE)
    for _ in range(30):
        rates = rates + solve_values(at.matrix, (momenta - at.value)[..., None], "the mass matrix dp/dq'")[..., 0]
        at = source.at(instant, rates, wanted)
        scale = np.max(np.abs(momenta), axis=-1, keepdims=True, initial=0.0)
        scale = scale + multiplied(np.abs(at.matrix), np.abs(rates))
        if not np.any(np.abs(momenta - at.value) > 1e-14 * scale):
            break
    return rates, at
