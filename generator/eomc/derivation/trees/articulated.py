"""Articulated bodies: accelerations in one sweep inwards and one outwards, linear in the number of joints.

Featherstone (2008), section 7.3, in blocks of 3 x 3 instead of 6 x 6 matrices: the wrench that a handle of a body takes
is f = H^T al + M a + p_f and n = I al + H a + p_n with I and M symmetric. What the velocities do stands in the bias
wrenches of a motion with all accelerations zero (`newton_euler`), so that al and a are what the joints add to it and no
velocity enters here. Each rate is eliminated by itself; its row and column become zeros, unless a rotor is on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.newton_euler import Wrench, component, no_wrench, wrench_out, wrench_plus
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.derivation.trees.tensors import (
    AXES,
    PAIRS,
    Symmetric,
    cross_matrix,
    matrix_plus,
    symmetric_plus,
    transposed,
)
from eomc.derivation.trees.turns import into, matrix_out, symmetric_out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, Matrix, cross, cross_entry, matrix_of_rows, plus, scale, three
from eomc.solving.ldlt import refuse_indefinite


@dataclass(frozen=True, slots=True)
class Inertia:
    """An articulated inertia: n = I al + H a, f = H^T al + M a."""

    angular: Symmetric  # I
    mixed: Matrix  # H
    linear: Symmetric  # M


def inertia_of_body(graph: Graph, moments: Moments) -> Inertia:
    """Return I = tr(S) 1 - S, H = [h], M = m 1."""
    g, s, m, zero = graph, moments.second, moments.mass, graph.zero
    diagonal = (g.add(s.yy, s.zz), g.add(s.xx, s.zz), g.add(s.xx, s.yy))
    angular = Symmetric(*diagonal, *(g.neg(e) for e in s[3:]))
    return Inertia(angular, cross_matrix(graph, moments.first), Symmetric(m, m, m, zero, zero, zero))


def inertia_plus(graph: Graph, a: Inertia, b: Inertia) -> Inertia:
    """Return the sum of two inertias in one frame."""
    return Inertia(
        symmetric_plus(graph, a.angular, b.angular),
        matrix_plus(graph, a.mixed, b.mixed),
        symmetric_plus(graph, a.linear, b.linear),
    )


def inertia_out(graph: Graph, motion: JointMotion, a: Inertia) -> Inertia:
    """Return an inertia in the frame of the parent: turned, and seen from the parent's origin.

    The child's origin at r has the acceleration a + al x r, so that H becomes H + [r] M, and I becomes
    I + [r] (H + [r] M / 2)^T + (H + [r] M / 2) [r]^T.
    """
    g, r = graph, motion.offset
    angular = symmetric_out(motion.rotation, a.angular)
    mixed = matrix_out(motion.rotation, a.mixed)
    linear = symmetric_out(motion.rotation, a.linear)
    if r == (g.zero, g.zero, g.zero):
        return Inertia(angular, mixed, linear)
    first, second, third = (cross(g, r, linear.row(j)) for j in AXES)
    moved = matrix_plus(g, mixed, transposed((first, second, third)))
    return Inertia(symmetric_plus(g, angular, _shift(g, mixed, moved, r)), moved, linear)


def _shift(graph: Graph, before: Matrix, after: Matrix, r: Components) -> Symmetric:
    """Return [r] K^T + K [r]^T with K the mean of two matrices."""
    g = graph
    twice = matrix_plus(g, before, after)
    diagonal = [cross_entry(g, r, row, i) for i, row in enumerate(twice)]  # column i of [r] (2 K)^T is r x its row i
    by_half = scale(g, g.constant(Fraction(1, 2)), r)
    half = {(i, j): cross_entry(g, by_half, row, j) for i, row in enumerate(twice) for j in AXES if i != j}
    return Symmetric(*diagonal, *(g.add(half[i, j], half[j, i]) for i, j in PAIRS[3:]))


@dataclass(frozen=True, slots=True)
class _Eliminated:
    """What is kept of a rate: its acceleration is drive - angular . al - linear . a, of which the handle feels less."""

    rate: Rate
    inverse: Node
    angular: list[Node]
    linear: list[Node]


@dataclass(frozen=True, slots=True)
class Pivot:
    """An articulated inertia along a rate, before whose inverse it must be found positive."""

    rate: Rate
    value: Node
    inverse: Node


@dataclass(slots=True)
class ArticulatedBodies:
    """The recursion over a tree; `accelerations` does it, `pivots` are what it has divided by."""

    graph: Graph
    rows: TreeRows
    motions: Sequence[JointMotion]
    rates: Sequence[Sequence[Rate]]
    pivots: list[Pivot] = field(default_factory=list)
    _kept: list[list[_Eliminated]] = field(default_factory=list)  # of each row, the last rate first

    def accelerations(self, bias: Sequence[Wrench], forces: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return the accelerations of all rates.

        Parameters
        ----------
        bias
            The wrench that each body takes while no rate accelerates.
        forces
            That drive the rates.
        """
        graph, rows = self.graph, self.rows.rows
        inertias = [inertia_of_body(graph, row.moments) for row in rows]
        wrenches = list(bias)
        drives: dict[Rate, Node] = {}
        self._kept = [[] for _ in rows]
        for i, row in reversed(list(enumerate(rows))):
            inertia, wrench = inertias[i], wrenches[i]
            for rate in reversed(self.rates[i]):
                inertia, step = self._eliminate(inertia, rate, row.armature)
                wrench, drives[rate] = self._felt(step, wrench, forces[rate])
                self._kept[i].append(step)
            if row.parent != GROUND:
                moved = inertia_out(graph, self.motions[i], inertia)
                inertias[row.parent] = inertia_plus(graph, inertias[row.parent], moved)
                carried = wrench_out(graph, self.motions[i], wrench)
                wrenches[row.parent] = wrench_plus(graph, wrenches[row.parent], carried)
        return self._outwards(drives)

    def response(self, forces: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return M^-1 times forces of the rates, with the inertias of accelerations that have been found."""
        graph, rows = self.graph, self.rows.rows
        wrenches, drives = [no_wrench(graph) for _ in rows], {}  # type: list[Wrench], dict[Rate, Node]
        for i, row in reversed(list(enumerate(rows))):
            for step in self._kept[i]:
                wrenches[i], drives[step.rate] = self._felt(step, wrenches[i], forces.get(step.rate, graph.zero))
            if row.parent != GROUND:
                carried = wrench_out(graph, self.motions[i], wrenches[i])
                wrenches[row.parent] = wrench_plus(graph, wrenches[row.parent], carried)
        return self._outwards(drives)

    @property
    def steps(self) -> list[Node]:
        """By what rates and handles follow each other, of accelerations that have been found."""
        kept = [step for own in self._kept for step in own]
        return [node for step in kept for node in (step.inverse, *step.angular, *step.linear)]

    def _eliminate(self, inertia: Inertia, rate: Rate, armature: Node) -> tuple[Inertia, _Eliminated]:
        """Let a joint give way along a rate: return the inertia that the handle then has, and how the rate follows."""
        g, e = self.graph, rate.axis
        angular, mixed, linear = inertia.angular, inertia.mixed, inertia.linear
        if rate.linear:
            column = [*(mixed[i][e] for i in AXES), *linear.row(e)]
        else:
            column = [*angular.row(e), *mixed[e]]
        own = _place(rate)
        pivot = g.add(column[own], armature)
        refuse_indefinite(g, pivot, self.rows.rows[rate.row].name)
        inverse = g.div(g.one, pivot)
        self.pivots.append(Pivot(rate, pivot, inverse))
        zero, free = g.zero, armature == g.zero
        ratios = [g.one if free and k == own else g.mul(entry, inverse) for k, entry in enumerate(column)]

        def less(entry: Node, a: int, b: int) -> Node:
            if free and own in (a, b):
                return zero
            return entry if column[a] == zero or column[b] == zero else g.sub(entry, g.mul(ratios[a], column[b]))

        turned = Symmetric(*(less(angular(i, j), i, j) for i, j in PAIRS))
        rows = [tuple(less(mixed[i][j], i, 3 + j) for j in AXES) for i in AXES]
        moved = Symmetric(*(less(linear(i, j), 3 + i, 3 + j) for i, j in PAIRS))
        return Inertia(turned, matrix_of_rows(rows), moved), _Eliminated(rate, inverse, ratios[:3], ratios[3:])

    def _felt(self, step: _Eliminated, wrench: Wrench, force: Node) -> tuple[Wrench, Node]:
        """Return the wrench that the handle feels where a rate gives way under a force, and what drives the rate."""
        g, rate = self.graph, step.rate
        missing = g.sub(force, component(wrench, rate))
        free = self._is_free(rate)
        felt = [
            force if free and k == _place(rate) else g.add(entry, g.mul(ratio, missing))
            for k, (entry, ratio) in enumerate(
                zip([*wrench.moment, *wrench.force], [*step.angular, *step.linear], strict=True)
            )
        ]
        return Wrench(three(felt[3:]), three(felt[:3])), g.mul(missing, step.inverse)

    def _is_free(self, rate: Rate) -> bool:
        """Whether no rotor is on a rate."""
        return self.rows.rows[rate.row].armature == self.graph.zero

    def _outwards(self, drives: Mapping[Rate, Node]) -> dict[Rate, Node]:
        g, zero = self.graph, self.graph.zero
        found: dict[Rate, Node] = {}
        added: list[tuple[Components, Components]] = []  # al and a of each row
        for i, row in enumerate(self.rows.rows):
            motion = self.motions[i]
            angular = linear = (zero, zero, zero)
            if row.parent != GROUND:
                before, origin = added[row.parent]
                angular = into(motion.rotation, before)
                linear = into(motion.rotation, plus(g, origin, cross(g, before, motion.offset)))
            for step in reversed(self._kept[i]):
                rate, own = step.rate, _place(step.rate)
                steps = [g.mul(k, e) for k, e in zip([*step.angular, *step.linear], [*angular, *linear], strict=True)]
                free = self._is_free(rate)
                others = drives[rate]
                for k, term in enumerate(steps):
                    if not (free and k == own):
                        others = g.sub(others, term)
                if free:  # its own entry of the handle's acceleration is taken whole
                    found[rate] = g.sub(others, [*angular, *linear][own])
                    now = others
                else:
                    found[rate] = others
                    now = g.add([*angular, *linear][own], others)
                if rate.linear:
                    linear = _with(linear, rate.axis, now)
                else:
                    angular = _with(angular, rate.axis, now)
            added.append((angular, linear))
        return found


def _place(rate: Rate) -> int:
    """Return the place of a rate among the entries of a moment and a force."""
    return 3 * rate.linear + rate.axis


def _with(v: Components, axis: int, entry: Node) -> Components:
    x, y, z = (entry if k == axis else e for k, e in enumerate(v))
    return x, y, z
