"""Measures of a tree as expressions in coordinates, speeds and their rates.

From parent to child, in axes of each link, with v_p = C v_c, the arm r to the child's origin and the relative angular
velocity s:

    w = C^T w_p + s                              v = C^T (v_p + w_p x r + r')
    alpha = C^T alpha_p + (C^T w_p) x s + s'     a = C^T (a_p + alpha_p x r + w_p x (w_p x r + 2 r') + r'')

Nothing but arms and relative velocities is differentiated, so that expressions grow with the length of the chain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from eomc.frontends.linkages import Linkage
from eomc.model.trees.measures import Component, components_in
from eomc.model.trees.records import WORLD, Measure, MeasureKind


@dataclass(frozen=True, slots=True)
class _Motion:
    """A link: its rotation to the root's axes, the place of its origin there, and its motion in its own axes."""

    rotation: sympy.Matrix
    place: sympy.Matrix
    spin: sympy.Matrix
    velocity: sympy.Matrix
    spinning: sympy.Matrix  # alpha
    acceleration: sympy.Matrix


class Measures:
    """Writes out the measures of a linkage; each is made once."""

    def __init__(self, linkage: Linkage) -> None:
        self._linkage = linkage
        self._known: dict[Measure, sympy.Matrix] = {}
        none = sympy.zeros(3, 1)
        self._motions = {linkage.tree.root: _Motion(sympy.eye(3), none, none, none, none, none)}
        equations, time = linkage.kinematical_equations, linkage.tree.time
        self._rates = {  # of coordinates whose q' stands alone; those of angles stand in no velocity
            q.diff(time): q.diff(time) - equation
            for q, equation in zip(linkage.tree.coordinates, equations, strict=True)
            if equation.coeff(q.diff(time)) == 1
        }

    def write(self, expression: Any) -> Any:
        """Return an expression with its measures written out."""
        found = components_in([expression])
        return expression.xreplace({one: self._component(one) for one in found}) if found else expression

    def _component(self, one: Component) -> sympy.Expr:
        if one.measure not in self._known:
            self._known[one.measure] = self._measured(one.measure)
        return self._known[one.measure][one.index if len(one.index) > 1 else one.index[0]]

    def _measured(self, measure: Measure) -> sympy.Matrix:
        link, kind = self._motion(measure.link), measure.kind
        axes = self._motion(self._linkage.tree.root if measure.axes == WORLD else measure.axes)
        at = sympy.Matrix(measure.at)
        between = sympy.eye(3) if link is axes else axes.rotation.T * link.rotation
        velocity = link.velocity + link.spin.cross(at)
        if kind is MeasureKind.POSITION:
            return axes.rotation.T * (link.place + link.rotation * at)
        if kind is MeasureKind.ROTATION:
            return between
        if kind is MeasureKind.JACOBIAN:
            rows = sympy.Matrix.vstack(between * velocity, between * link.spin).xreplace(self._rates)
            speeds = self._linkage.tree.speeds  # in which velocities are linear
            columns = [rows.xreplace({u: int(u == moving) for u in speeds}) for moving in speeds]
            return sympy.Matrix.hstack(*columns)
        if kind is MeasureKind.ACCELERATION:
            turned = link.spinning.cross(at) + link.spin.cross(link.spin.cross(at))
            return between * (link.acceleration + turned)
        vectors = {
            MeasureKind.VELOCITY: velocity,
            MeasureKind.ANGULAR_VELOCITY: link.spin,
            MeasureKind.ANGULAR_ACCELERATION: link.spinning,
        }
        return between * vectors[kind]

    def _motion(self, link: str) -> _Motion:
        """Return a link's motion; those between it and the root are made on the way."""
        tree = self._linkage.tree
        for number in tree.joints_to(link):
            joint = tree.joints[number]
            if joint.child not in self._motions:
                self._motions[joint.child] = self._moved(joint.parent, joint.child)
        return self._motions[link]

    def _moved(self, parent: str, child: str) -> _Motion:
        linkage, time, before = self._linkage, self._linkage.tree.time, self._motions[parent]
        outer, inner = linkage.frames[parent], linkage.frames[child]
        C = outer.dcm(inner)
        r = linkage.origins[child].pos_from(linkage.origins[parent]).to_matrix(outer)
        s = inner.ang_vel_in(outer).to_matrix(inner)
        carried, rate, w = C.T * before.spin, r.diff(time), before.spin
        acceleration = before.acceleration + before.spinning.cross(r) + w.cross(w.cross(r) + 2 * rate)
        return _Motion(
            before.rotation * C,
            before.place + before.rotation * r,
            carried + s,
            C.T * (before.velocity + w.cross(r) + rate),
            C.T * before.spinning + carried.cross(s) + s.diff(time),
            C.T * (acceleration + rate.diff(time)),
        )
