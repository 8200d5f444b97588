"""Events by numbers: functions g, states after resets, what impulses along gaps do.

A reset changes coordinates, speeds and extra states; what is not named is kept. An impulse L along a gap with the rate
J v changes v by [M A^T; A 0] [dv; -L_c] = [J^T L; 0], with A v + b = 0 the constraints, and momenta by M dv.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import sympy

from eomc.model import Event, Impact, Model
from eomc.reference.arrays import stack
from eomc.reference.constraints import constrained
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.instant import Instant, constants
from eomc.reference.jets import Array, Jet
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta
from eomc.reference.method import Method
from eomc.reference.plan import Environment, Plan
from eomc.reference.remembered import Remembered
from eomc.reference.states import States


class Events:
    """What interrupts the motion of `model` by `method`; all arrays have a row for each state of the instant."""

    def __init__(self, model: Model, method: Method, motion: Remembered, states: States) -> None:
        self._model = model
        self._method = method
        self._motion = motion
        self._states = states
        given = [one.what for one in model.events]
        self._events = [one for one in given if isinstance(one, Event)]
        impacts = [one for one in given if isinstance(one, Impact)]
        self._functions = _Plans([model.time - e.at if e.at is not None else e.expression for e in self._events])
        self._times = _Plans([event.at for event in self._events if event.at is not None])
        self._resets = [_Plans([value for _, value in event.reset]) for event in self._events]
        self._gaps = _Plans([impact.gap for impact in impacts])
        self._restitutions = _Plans([impact.restitution for impact in impacts])

    def functions(self, instant: Instant) -> Array:
        """Return g of the events and then the gaps."""
        values = self._motion.at(instant, True).values
        return np.concatenate([self._functions.values(values, instant), self._gaps.values(values, instant)], axis=1)

    def times(self, instant: Instant) -> Array:
        """Return the times that are known beforehand."""
        return self._times.values(instant.values(self._model), instant)

    def after(self, instant: Instant) -> Array:
        """Return the states after the resets, a row for each event (k, n, nx)."""
        return np.stack([self._after(event, plans, instant) for event, plans in self._paired()], axis=1)

    def _paired(self) -> list[tuple[Event, _Plans]]:
        return list(zip(self._events, self._resets, strict=True))

    def _after(self, event: Event, plans: _Plans, instant: Instant) -> Array:
        """Return the states after one event."""
        model, states = self._model, self._states
        values = self._motion.at(instant, True).values
        new = dict(zip([symbol for symbol, _ in event.reset], plans.values(values, instant).T, strict=True))
        extra = [one.symbol for one in model.extra_states]
        parts = [
            np.stack([new.get(s, values[s]) for s in symbols], axis=-1) if symbols else np.zeros((instant.states, 0))
            for symbols in (model.coordinates, states.speeds, extra)
        ]
        changed = dataclasses.replace(instant, coordinates=parts[0], speeds=parts[1], extra=parts[2])
        if new.keys() <= set(extra) and not isinstance(self._method, HamiltonOfMomenta):
            return np.concatenate([instant.coordinates, instant.speeds, parts[2]], axis=1)
        if not new:
            return np.concatenate([instant.coordinates, instant.speeds, instant.extra], axis=1)
        return states.of(changed)

    def impulses(self, instant: Instant) -> tuple[Array, Array, Array]:
        """Return W (k, n, n), the jumps of the second half of the state (k, m, n), and e (k, n)."""
        method = self._method
        values = self._motion.at(instant, True).values
        e = self._restitutions.values(values, instant)
        directions = self._directions(instant)
        if isinstance(method, HamiltonOfFunction):
            function, _, _ = method.function(instant)
            block, count = method.setting.seeds.speed_block, len(self._model.coordinates)
            mobility = function.derivative(block, count).partials(block, count)
            moved, jumps = np.einsum("kij,kgj->kig", mobility, directions), np.swapaxes(directions, 1, 2)
            return np.einsum("kgi,kih->kgh", directions, moved), jumps, e
        balance = method.balance(instant)
        matrix = (balance.matrix + np.swapaxes(balance.matrix, 1, 2)) / 2.0
        none = np.zeros_like(balance.wanted)
        columns = [constrained(matrix, directions[:, i], balance.jacobian, none)[0] for i in range(directions.shape[1])]
        moved = np.stack(columns, axis=-1)
        jumps = np.einsum("kij,kjg->kig", matrix, moved) if isinstance(method, HamiltonOfMomenta) else moved
        return np.einsum("kgi,kih->kgh", directions, moved), jumps, e

    def _directions(self, instant: Instant) -> Array:
        """Return J of the gaps' rates J v (k, n, nv)."""
        if isinstance(self._method, Kane):
            return self._method.directions(lambda environment: self._gaps.jets(environment, instant), instant)
        setting, count = self._method.setting, len(self._model.coordinates)
        environment, _ = setting.environment(instant, instant.speeds, 1)
        return self._gaps.jets(environment, instant).partials(setting.seeds.coordinate_block, count)


class _Plans:
    """Expressions that are evaluated together, in their order."""

    def __init__(self, expressions: list[sympy.Expr]) -> None:
        self._plan = Plan()
        self._places = [self._plan.add(expression) for expression in expressions]

    def jets(self, environment: Environment, instant: Instant) -> Jet:
        """Return jets (k, n)."""
        results = self._plan.run(environment)
        return stack([results[place] for place in self._places], (instant.states,))

    def values(self, values: Mapping[sympy.Basic, Array], instant: Instant) -> Array:
        """Return values (k, n)."""
        if not self._places:
            return np.zeros((instant.states, 0))
        return self.jets(constants(values), instant).value
