"""Derivatives of inverse dynamics by coordinates and rates, in one recursion beside Newton's and Euler's.

Carpentier & Mansard, *Analytical derivatives of rigid body dynamics algorithms*, Robotics: Science and Systems (2018);
Singh, Russell & Wensing, IEEE Robotics and Automation Letters 7 (2022). For each rate, with e its axis, w- and U- what
carries its row has, v and a the velocity and acceleration of the row's origin, and f, n, m, h, S, W, p those of all
that it carries, four vectors are carried inwards and read at each ancestor: what a unit of its acceleration takes (T1),
of its velocity (T2), of its coordinate (T3), and what remains of the turning of ancestors (T4, by rotation alone).
W = v h^T + [w] S and p = m v + w x h, twelve numbers for each body, do the work of a Coriolis matrix of 6 x 6; they
are kept doubled. Velocities are against a floating base, of which no force depends on place and velocity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.trees.composite import composite_moments, unit_wrench
from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.newton_euler import (
    Spread,
    Wrench,
    component,
    is_afloat,
    wrench_out,
    wrench_plus,
)
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.derivation.trees.tensors import AXES, Symmetric, matrix_plus, transposed
from eomc.derivation.trees.turns import into, matrix_out, out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, Matrix, apply, cross, dot, plus, scale
from eomc.model.trees.records import JointKind

Entries = Mapping[tuple[Rate, Rate], Node]
"""A matrix by its row and its column; what is missing is zero."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """Derivatives of the forces of all rates.

    Attributes
    ----------
    mass
        By accelerations.
    coordinates
        By coordinates; those of balls and free joints along small turns about the axes of the row and shifts along
        them, which leave the rates as they are.
    rates
        By rates.
    """

    mass: Entries
    coordinates: Entries
    rates: Entries


@dataclass(frozen=True, slots=True)
class _Directions:
    """How the velocities and accelerations of what a rate moves change with it.

    With v- and a- of the row's origin as a point of what carries it: phi and chi are those of w and v with its
    coordinate, phi2 and chi2 those of U and a; sigma and twice chi are what its rate adds to accelerations.
    """

    unit: Components
    phi: Components
    chi: Components
    phi2: Components
    chi2: Components
    sigma: Components
    twice_chi: Components


@dataclass(frozen=True, slots=True)
class _Flow:
    """2 W and 2 p of all that a row carries."""

    field: Matrix
    momentum: Components


def slopes_of_forces(
    graph: Graph,
    rows: TreeRows,
    motions: Sequence[JointMotion],
    rates: Sequence[Sequence[Rate]],
    spreads: Sequence[Spread],
    transmitted: Sequence[Wrench],
) -> Slopes:
    """Return the derivatives of the forces that a motion takes, without those of loads.

    Parameters
    ----------
    graph, rows, motions, rates
        The rows, and the motion and rates of each.
    spreads, transmitted
        Of the motion, `accelerations_outwards` and `carried_inwards` of inertia and gravity alone.
    """
    return _Recursion(graph, rows, motions, rates, spreads, transmitted).done()


class _Recursion:
    def __init__(
        self,
        graph: Graph,
        rows: TreeRows,
        motions: Sequence[JointMotion],
        rates: Sequence[Sequence[Rate]],
        spreads: Sequence[Spread],
        transmitted: Sequence[Wrench],
    ) -> None:
        self._graph = graph
        self._rows = rows
        self._motions = motions
        self._rates = rates
        self._spreads = spreads
        self._transmitted = transmitted
        self._carried: list[Components] = []  # velocity of each origin as a point of what carries the row
        self._velocities = self._outwards()
        self._moments = composite_moments(graph, rows, motions)
        self._flows = self._inwards()
        self._directions = {rate: self._direction(rate) for own in rates for rate in own}
        self._mass: dict[tuple[Rate, Rate], Node] = {}
        self._coordinates: dict[tuple[Rate, Rate], Node] = {}
        self._by_rates: dict[tuple[Rate, Rate], Node] = {}

    def done(self) -> Slopes:
        """Return the derivatives."""
        for own in self._rates:
            for rate in own:
                self._columns(rate)
        return Slopes(self._mass, self._coordinates, self._by_rates)

    def _outwards(self) -> list[Components]:
        """Return the velocities of all origins."""
        g, none = self._graph, (self._graph.zero,) * 3
        found: list[Components] = []
        for i, row in enumerate(self._rows.rows):
            velocity, motion = none, self._motions[i]
            if row.parent != GROUND:
                turning = self._spreads[row.parent].turning
                velocity = into(motion.rotation, plus(g, found[row.parent], cross(g, turning, motion.offset)))
            self._carried.append(velocity)
            found.append(velocity if is_afloat(row) else plus(g, velocity, motion.linear))
        return found

    def _inwards(self) -> list[_Flow]:
        g = self._graph
        flows = []
        for row, spread, v in zip(self._rows.rows, self._spreads, self._velocities, strict=True):
            flows.append(_flow_of_body(g, row.moments, plus(g, spread.turning, spread.turning), plus(g, v, v)))
        for i, row in reversed(list(enumerate(self._rows.rows))):
            if row.parent != GROUND:
                flows[row.parent] = _flow_plus(g, flows[row.parent], _flow_out(g, self._motions[i], flows[i]))
        return flows

    def _direction(self, rate: Rate) -> _Directions:
        g, row, spread = self._graph, self._rows.rows[rate.row], self._spreads[rate.row]
        none = (g.zero, g.zero, g.zero)
        entries = [g.one if k == rate.axis else g.zero for k in AXES]
        unit = entries[0], entries[1], entries[2]
        before, v = spread.before, self._carried[rate.row]
        field = self._field_before(rate.row, unit)
        if rate.linear:
            chi = cross(g, before, unit)
            spin = none if is_afloat(row) else self._motions[rate.row].angular  # a free joint's velocity turns with it
            return _Directions(unit, none, chi, none, field, none, plus(g, plus(g, chi, chi), cross(g, spin, unit)))
        phi, chi = cross(g, before, unit), cross(g, v, unit)
        if is_afloat(row):
            return _Directions(unit, none, none, none, none, cross(g, spread.turning, unit), none)
        # a- x e + 2 v- x phi, with the factor on the vector that is read again
        twice = plus(g, phi, phi)
        chi2 = plus(g, cross(g, self._carried_acceleration(rate.row), unit), cross(g, v, twice))
        sigma = plus(g, phi, cross(g, spread.turning, unit)) if len(self._rates[rate.row]) > 1 else twice
        moved = cross(g, self._motions[rate.row].linear, unit) if row.kind is JointKind.FREE else none
        return _Directions(unit, phi, chi, field, chi2, sigma, plus(g, plus(g, chi, chi), moved))

    def _carried_acceleration(self, i: int) -> Components:
        """Return a-, the acceleration of an origin as a point of what carries the row."""
        g, row, spread = self._graph, self._rows.rows[i], self._spreads[i]
        if row.kind is not JointKind.FREE:
            return spread.origin  # of which turning joints have no more
        parent, motion = self._spreads[row.parent], self._motions[i]
        return into(motion.rotation, plus(g, parent.origin, apply(g, parent.field, motion.offset)))

    def _field_before(self, i: int, unit: Components) -> Components:
        """Return U- e: al- x e + w- (w- . e) - |w-|^2 e, of what carries a row, in axes of the row."""
        g, row, spread = self._graph, self._rows.rows[i], self._spreads[i]
        if row.parent == GROUND:
            return g.zero, g.zero, g.zero
        w, angular = spread.before, into(self._motions[i].rotation, self._spreads[row.parent].angular)
        return plus(g, cross(g, angular, unit), cross(g, w, cross(g, w, unit)))

    # -- the columns of a rate ---------------------------------------------------------------------------------------

    def _columns(self, rate: Rate) -> None:
        """Write what depends on a rate into the rows of it and of its ancestors, and the other way round."""
        g, here = self._graph, rate.row
        moments, flow = self._moments[here], self._flows[here]
        direction = self._directions[rate]
        first = unit_wrench(g, moments, rate)
        second = self._of_rate(rate, moments, flow, direction)
        third = self._of_coordinate(rate, moments, flow, direction)
        fourth = _left_over(g, rate, flow)
        for other in self._rates[here]:
            self._mass[other, rate] = component(first, other)
            self._by_rates[other, rate] = component(second, other)
            if not is_afloat(self._rows.rows[here]):
                self._coordinates[other, rate] = component(third, other)
        third = wrench_plus(g, third, self._leaving(rate))
        while self._rows.rows[here].parent != GROUND:
            motion, here = self._motions[here], self._rows.rows[here].parent
            first, second, third = (wrench_out(g, motion, wrench) for wrench in (first, second, third))
            fourth = out(motion.rotation, fourth)
            for other in self._rates[here]:
                self._read(rate, other, first, second, third, fourth)

    def _read(self, rate: Rate, other: Rate, first: Wrench, second: Wrench, third: Wrench, fourth: Components) -> None:
        """Read at an ancestor what a rate does to it, and what it does to the rate."""
        g, above = self._graph, self._directions[other]
        self._mass[other, rate] = self._mass[rate, other] = component(first, other)
        self._by_rates[other, rate] = component(second, other)
        self._coordinates[other, rate] = component(third, other)
        by_rate = g.add(dot(g, first.moment, above.sigma), dot(g, first.force, above.twice_chi))
        if not other.linear:
            by_rate = g.add(by_rate, fourth[other.axis])
        self._by_rates[rate, other] = by_rate
        if is_afloat(self._rows.rows[other.row]):
            return
        turning = g.add(dot(g, fourth, above.phi), dot(g, first.moment, above.phi2))
        self._coordinates[rate, other] = g.add(turning, dot(g, first.force, above.chi2))

    def _of_rate(self, rate: Rate, moments: Moments, flow: _Flow, d: _Directions) -> Wrench:
        """Return T2: n = 2 (tr W e - W e) + I sigma + 2 h x chi, f = 2 e x p + sigma x h + 2 m chi."""
        g = self._graph
        force = plus(g, cross(g, d.sigma, moments.first), scale(g, moments.mass, d.twice_chi))
        moment = plus(g, _by_inertia(g, moments.second, d.sigma), cross(g, moments.first, d.twice_chi))
        if rate.linear:
            return Wrench(force, moment)
        return Wrench(
            plus(g, cross(g, d.unit, flow.momentum), force), plus(g, _turned_by(g, flow.field, d.unit), moment)
        )

    def _of_coordinate(self, rate: Rate, moments: Moments, flow: _Flow, d: _Directions) -> Wrench:
        """Return T3 in the row: n = 2 (tr W phi - W phi) + I phi2 + h x chi2, f = 2 phi x p + phi2 x h + m chi2."""
        g = self._graph
        force = plus(g, cross(g, d.phi2, moments.first), scale(g, moments.mass, d.chi2))
        moment = plus(g, _by_inertia(g, moments.second, d.phi2), cross(g, moments.first, d.chi2))
        return Wrench(plus(g, cross(g, d.phi, flow.momentum), force), plus(g, _turned_by(g, flow.field, d.phi), moment))

    def _leaving(self, rate: Rate) -> Wrench:
        """Return what turning, or shifting, the transmitted wrench itself adds."""
        g, wrench, unit = self._graph, self._transmitted[rate.row], self._directions[rate].unit
        if rate.linear:
            return Wrench((g.zero, g.zero, g.zero), cross(g, unit, wrench.force))
        return Wrench(cross(g, unit, wrench.force), cross(g, unit, wrench.moment))


def _flow_of_body(graph: Graph, moments: Moments, w: Components, v: Components) -> _Flow:
    """Return v h^T + [w] S and m v + w x h."""
    g, h, s = graph, moments.first, moments.second
    columns = [cross(g, w, s.row(j)) for j in AXES]
    moved = [scale(g, h[j], v) for j in AXES]
    field = matrix_plus(g, transposed((columns[0], columns[1], columns[2])), transposed((moved[0], moved[1], moved[2])))
    return _Flow(field, plus(g, scale(g, moments.mass, v), cross(g, w, h)))


def _flow_plus(graph: Graph, a: _Flow, b: _Flow) -> _Flow:
    return _Flow(matrix_plus(graph, a.field, b.field), plus(graph, a.momentum, b.momentum))


def _flow_out(graph: Graph, motion: JointMotion, flow: _Flow) -> _Flow:
    """Return R W R^T + (R p) r^T and R p."""
    g, momentum = graph, out(motion.rotation, flow.momentum)
    columns = [scale(g, e, momentum) for e in motion.offset]
    moved = transposed((columns[0], columns[1], columns[2]))
    return _Flow(matrix_plus(g, matrix_out(motion.rotation, flow.field), moved), momentum)


def _left_over(graph: Graph, rate: Rate, flow: _Flow) -> Components:
    """Return T4: 2 (tr W e - W^T e) about an axis, 2 p x e along it."""
    g, e = graph, rate.axis
    if rate.linear:
        unit = [g.one if k == e else g.zero for k in AXES]
        return cross(g, flow.momentum, (unit[0], unit[1], unit[2]))
    return _less_trace(g, flow.field, e, flow.field[e])


def _turned_by(graph: Graph, field: Matrix, v: Components) -> Components:
    """Return (tr W) v - W v, a diagonal entry times a component taken from both only where it stays."""
    g = graph
    rest = [g.add(field[(i + 1) % 3][(i + 1) % 3], field[(i + 2) % 3][(i + 2) % 3]) for i in AXES]
    terms = [
        g.sub(
            g.sub(g.mul(rest[i], v[i]), g.mul(field[i][(i + 1) % 3], v[(i + 1) % 3])),
            g.mul(field[i][(i + 2) % 3], v[(i + 2) % 3]),
        )
        for i in AXES
    ]
    return terms[0], terms[1], terms[2]


def _less_trace(graph: Graph, field: Matrix, e: int, row: Sequence[Node]) -> Components:
    entries = [graph.neg(entry) for entry in row]
    entries[e] = graph.add(field[(e + 1) % 3][(e + 1) % 3], field[(e + 2) % 3][(e + 2) % 3])
    return entries[0], entries[1], entries[2]


def _by_inertia(graph: Graph, second: Symmetric, v: Components) -> Components:
    """Return I v = (tr S) v - S v."""
    s = second
    return _turned_by(graph, (s.row(0), s.row(1), s.row(2)), v)
