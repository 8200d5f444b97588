"""Kane's equations of a tree of joints, assembled from the Jacobians of its links."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import sympy

from eomc.model import Impact, JointTree, Model
from eomc.model.places import places
from eomc.model.trees.measures import POSITIONS, VELOCITIES, Component, components_in
from eomc.model.trees.records import MeasureKind
from eomc.reference.arrays import stack
from eomc.reference.clock import Clock, Seeds
from eomc.reference.constraints import Constraints, Rows, random_instant
from eomc.reference.instant import Instant, Solution, constants
from eomc.reference.jets import Array, Jet
from eomc.reference.kane import Kane
from eomc.reference.moving import Moving
from eomc.reference.plan import Environment, Plan
from eomc.reference.setting import Setting
from eomc.reference.trees.entries import Entries
from eomc.reference.trees.kinematics import coordinate_rates
from eomc.reference.trees.links import LinkAt, Links
from eomc.reference.trees.measuring import Measuring
from eomc.reference.trees.moving import Parts, TreeMoving


class TreeMotion(Kane):
    """A tree of joints with the state q, u."""

    def __init__(self, model: Model) -> None:
        tree = model.dynamics
        assert isinstance(tree, JointTree)
        self.model = model
        self.tree = tree
        self.auxiliary = ()
        self.speeds = model.speeds
        self.dependent = []
        self.independent = list(range(len(model.speeds)))
        configuration = tree.configuration_constraints
        self.order = 2 if configuration else 1
        self.constraints = Constraints(model)
        gaps = [one.what.gap for one in model.events if isinstance(one.what, Impact)]
        held = components_in([place.expression for place in places(model)])
        held = list(dict.fromkeys([*held, *(more for one in held for more in _rates_of(one))]))
        self._entries = Entries()
        self._links = Links(tree, self._entries)
        self._measuring = Measuring(tree, held, self._entries)
        self.parts = Parts(tree, self._links, self._entries)
        self._rates = Plan()
        self._rate_places = [self._rates.add(rate) for rate in coordinate_rates(tree)]
        moved = [
            one for one in components_in([*configuration, *tree.velocity_constraints, *gaps])
            if one.measure.kind in POSITIONS and one.measure.kind is not MeasureKind.JACOBIAN
        ]  # fmt: skip
        self._quick = [one for one in held if one.measure.kind in VELOCITIES]
        self.setting = self._setting = _Setting(model, self.constraints.plans, moved)
        ends = [one.stop for one in self._links.coordinates]
        self._quaternions = [
            slice(end - 4, end) for joint, end in zip(tree.joints, ends, strict=True) if joint.quaternion
        ]

    def moving(
        self, instant: Instant, reactions: Array | None = None, order: int | None = None
    ) -> tuple[Moving, dict[sympy.Basic, Jet], dict[sympy.Basic, Array]]:
        """Return the links at the states, with all symbols as jets and as numbers."""
        links, given = self._placed(instant)
        environment, values, clock = self._around(instant, links, given, self.order if order is None else order)
        jets = stack([environment[symbol] for symbol in self.setting.rates], (instant.states,))
        partials = jets.partials(self.setting.seeds.speed_block, len(self.speeds))
        moving = TreeMoving(self.parts, links, given, environment, values, clock, partials)
        return moving, environment, values

    def solve(self, instant: Instant, accelerations: bool = True) -> Solution:
        """Return the motion, with the measures of accelerations among its values."""
        solution = self._solved(instant, None)
        links, given = self._placed(instant)
        found = self._measuring.accelerations(links, given, solution.speed_rates)
        return dataclasses.replace(solution, values={**solution.values, **found})

    def inertia_forces(self, moving: Moving, values: dict[sympy.Basic, Array]) -> tuple[Array, Array]:
        """Return M (k, n, n) and c (k, n)."""
        return moving.inertia_forces([])

    def gibbs_function(self, instant: Instant) -> Array:
        """Return the Gibbs function at this motion (k,)."""
        moving, _, _ = self.moving(instant)
        assert isinstance(moving, TreeMoving)
        return moving.gibbs_function(self.solve(instant).speed_rates)

    def rows(self, environment: Mapping[sympy.Basic, Jet], clock: Clock, states: int) -> Rows:
        """Return the rows of the constraints over the speeds."""
        if self.constraints.adds_rates is None:
            instant = self._upright(random_instant(self.model, len(self.speeds)))
            scouts, _, its_clock = self._symbols(instant)
            self.constraints.rows(scouts, its_clock, instant.states)
        return self.constraints.rows(environment, clock, states)

    def configuration_constraints(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates (k, m, nq).

        Those of measures are known along the speeds, dq = Phi u dt: they are taken to be zero across these, which is
        the length of a quaternion.
        """
        if not self.tree.configuration_constraints:
            return np.zeros((instant.states, 0)), np.zeros((instant.states, 0, len(self.model.coordinates)))
        environment, _, clock = self._symbols(instant)
        residuals = self.constraints.positions(environment, instant.states)
        seeds = clock.seeds
        slopes = residuals.partials(slice(None), len(seeds.symbols))
        moved = clock.rates.partials(seeds.speed_block, len(self.speeds))
        own, count = seeds.coordinate_block, len(self.model.coordinates)
        measured = slopes[:, :, count:] @ moved[:, count:]
        return residuals.value, slopes[:, :, own] + measured @ np.linalg.pinv(moved[:, own])

    @property
    def rotations(self) -> int:
        """The number of what may be no rotation: none, for the norms of quaternions are among the constraints."""
        return 0

    def _placed(self, instant: Instant) -> tuple[list[LinkAt], list[Array]]:
        given = self._entries.at(instant.values(self.model), instant.states)
        return self._links.at(given, instant.coordinates, instant.speeds), given

    def _symbols(
        self, instant: Instant, reactions: Array | None = None, order: int | None = None
    ) -> tuple[dict[sympy.Basic, Jet], dict[sympy.Basic, Array], Clock]:
        links, given = self._placed(instant)
        return self._around(instant, links, given, self.order if order is None else order)

    def _around(
        self, instant: Instant, links: list[LinkAt], given: list[Array], order: int
    ) -> tuple[dict[sympy.Basic, Jet], dict[sympy.Basic, Array], Clock]:
        """Return all symbols but accelerations as jets and as numbers, and the clock."""
        values = self._measuring.values(links, given)
        environment, known = self._setting.around(instant, values, order)
        count = len(self.setting.seeds.symbols)
        block, time = self.setting.seeds.speed_block, self._setting.time_place
        for one in self._quick:
            value, rate, slopes = self._measuring.velocity(one, links, given)
            environment[one] = Jet(value, _gradient(slopes, rate, block, time, count), order=1)
        for one, rate_of_one in self._setting.moved.items():
            change = self._measuring.change(one, links, given)
            gradient = _gradient(change.slopes, change.second, block, time, count)
            environment[rate_of_one] = Jet(change.rate, gradient, order=1)
        jets = self._rates.run(environment)
        rates = {symbol: jets[place] for symbol, place in zip(self.setting.rates, self._rate_places, strict=True)}
        environment.update(rates)
        known.update({symbol: jet.expanded((instant.states,)).value for symbol, jet in rates.items()})
        return environment, known, self.setting.clock(environment, rates, instant.states)

    def _upright(self, instant: Instant) -> Instant:
        """Return states whose quaternions have the length one."""
        coordinates = instant.coordinates.copy()
        for place in self._quaternions:
            coordinates[:, place] /= np.linalg.norm(coordinates[:, place], axis=1, keepdims=True)
        return dataclasses.replace(instant, coordinates=coordinates)


class _Setting(Setting):
    """The symbols of a tree: the time and the measures of places are seeds, too."""

    def __init__(self, model: Model, plans: Sequence[Plan], moved: Sequence[Component]) -> None:
        super().__init__(model, model.speeds, plans)
        self.moved = {one: sympy.Derivative(one, model.time, evaluate=False) for one in moved}
        signals = [one for one in self.seeds.others if one != model.time and not isinstance(one, Component)]
        self.seeds = Seeds(self.seeds.coordinates, self.seeds.speeds, (model.time, *signals, *moved))
        self.time_place = len(model.coordinates) + len(model.speeds)

    def around(
        self, instant: Instant, measured: Mapping[sympy.Basic, Array], order: int
    ) -> tuple[dict[sympy.Basic, Jet], dict[sympy.Basic, Array]]:
        """Return all symbols but q' as jets, and as numbers; `measured` are values of measures."""
        values = {
            **instant.values(self.model),
            **dict(zip(self.seeds.speeds, instant.speeds.T, strict=True)),
            **measured,
        }
        return {**constants(values), **self.seeds.planted(values, order)}, values

    def _rate(self, symbol: sympy.Expr, environment: Environment) -> Jet | None:
        return environment[self.moved[symbol]] if symbol in self.moved else super()._rate(symbol, environment)


def _gradient(slopes: Array, drift: Array, block: slice, time: int, count: int) -> Array:
    """Return derivatives (k, number of seeds) of a rate: by the speeds, and along the motion as if by the time."""
    gradient = np.zeros((len(drift), count))
    gradient[:, block] = slopes
    gradient[:, time] = drift
    return gradient


def _rates_of(one: Component) -> list[Component]:
    """Return the measures in the time derivative of one, which expressions hold as unevaluated derivatives."""
    rate = one.diff(one.args[0])
    return [] if isinstance(rate, sympy.Derivative) else components_in([rate])
