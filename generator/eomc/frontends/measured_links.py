"""Measures of a tree as expressions in coordinates and speeds, by sympy.physics.vector."""

from __future__ import annotations

from typing import Any

import sympy

from eomc.frontends.linkages import Linkage
from eomc.model.trees.measures import Component, components_in
from eomc.model.trees.records import WORLD, Measure, MeasureKind

_RATES = {MeasureKind.POSITION: 0, MeasureKind.VELOCITY: 1, MeasureKind.ACCELERATION: 2}  # of a position


class Measures:
    """Writes out the measures of a linkage; each is made once."""

    def __init__(self, linkage: Linkage) -> None:
        self._linkage = linkage
        self._known: dict[Measure, sympy.Matrix] = {}
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
        linkage, kind = self._linkage, measure.kind
        world, frame = linkage.world, linkage.frames[measure.link]
        axes = world if measure.axes == WORLD else linkage.frames[measure.axes]
        if kind is MeasureKind.ROTATION:
            return axes.dcm(frame)
        if kind is MeasureKind.ANGULAR_VELOCITY:
            return frame.ang_vel_in(world).to_matrix(axes)
        if kind is MeasureKind.ANGULAR_ACCELERATION:
            return frame.ang_vel_in(world).dt(world).to_matrix(axes)
        vector = linkage.point(measure.link, measure.at).pos_from(linkage.ground)
        if kind is MeasureKind.JACOBIAN:
            velocities = [vector.dt(world).to_matrix(axes), frame.ang_vel_in(world).to_matrix(axes)]
            rows = sympy.Matrix.vstack(*velocities).xreplace(self._rates)
            speeds = linkage.tree.speeds  # in which velocities are linear
            columns = [rows.xreplace({u: int(u == moving) for u in speeds}) for moving in speeds]
            return sympy.Matrix.hstack(*columns)
        for _ in range(_RATES[kind]):
            vector = vector.dt(world)
        return vector.to_matrix(axes)
