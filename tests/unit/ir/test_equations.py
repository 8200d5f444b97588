"""The equations of motion in parts."""

from __future__ import annotations

from dataclasses import fields

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.ir.equations import Constraints, Energetics, EquationsOfMotion, Motion


@pytest.mark.parametrize("part", [EquationsOfMotion, Motion, Constraints, Energetics])
def test_a_part_can_be_read_at_a_glance(part: type) -> None:
    """A record of more fields is two ideas."""
    assert len(fields(part)) <= 15


def test_the_constraint_matrix_is_a_field() -> None:
    """A particle on a slope of 2: v = 2 u, so that A = [2], and B = 0."""
    x, y, u, v = dynamicsymbols("x y u v")
    m = sm.Symbol("m")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + v * N.y)
    model = eomc.Model(
        name="slope",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        kinematical_equations=[x.diff() - u, y.diff() - v],
        bodies=[Particle("p", point, m)],
        velocity_constraints=[2 * u - v],
        dependent_speeds=[v],
        parameters={m: 1.0},
    )
    equations = eomc.compile(model).equations
    ((slope,),) = equations.motion.constraint_matrix
    assert equations.graph.number(slope) == 2
    assert eomc.compile(model, "lagrange").equations.motion.constraint_matrix == ()


def test_multipliers_of_momenta_are_impulses() -> None:
    """Sigma of Hamilton's equations grows by lambda; lambda itself is a force."""
    model = eomc.load("four_bar")
    assert eomc.compile(model, "hamilton").equations.constraints.impulses
    for method in ("kane", "lagrange", "hamilton-multipliers"):
        assert not eomc.compile(model, method).equations.constraints.impulses
