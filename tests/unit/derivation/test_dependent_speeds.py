"""Which choices of dependent speeds are written out, and which are left to pivoting at run time."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Expr, cos, sign, sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods.kane import KANE
from eomc.ir.ops import Op
from eomc.reference import reference

q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
a, b = symbols("a b", positive=True)


def held(first: Expr, second: Expr) -> eomc.Model:
    """Return a particle in space with two constraints, the speeds u2 and u3 named dependent."""
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u1 * N.x + u2 * N.y + u3 * N.z)
    return eomc.Model(
        name="held",
        inertial_frame=N,
        coordinates=[q1, q2, q3],
        speeds=[u1, u2, u3],
        kinematical_equations=[q1.diff() - u1, q2.diff() - u2, q3.diff() - u3],
        velocity_constraints=[first, second],
        dependent_speeds=[u2, u3],
        bodies=[Particle("P", P, a)],
        gravity=-b * N.z,
        parameters={a: 1.5, b: 1.5},
    )


TURNING = (cos(q1) * u2 + sin(q1) * u3 - a * u1, -sin(q1) * u2 + cos(q1) * u3 - b * u1)
CASES = {
    "a rotation": (*TURNING, True),
    "a rotation times parameters": (a * TURNING[0], (a + b) * TURNING[1], True),
    "parameters": (a * u2 + b * u3 - u1, a * u3 - cos(q1) * u1, True),
    "a triangle with parameters on its diagonal": (a * u2 + cos(q1) * u3 - u1, b * u3 - u1, True),
    "a varying pivot": (cos(q1) * u2 - u1, u3 - u1, False),
    # no pivot that varies, but for the step
    "a step": (sign(q1 + 2) * u2 - u1, u3 - u1, False),
    # a rotation as long as a = b, as the defaults have it
    "a rotation at the defaults alone": (a * cos(q1) * u2 + b * sin(q1) * u3 - u1, TURNING[1], False),
    # the determinant is 1, but the rows grow without bound
    "a shear": ((1 + q1 * q2) * u2 + q1 * u3 - u1, q2 * u2 + u3 - u1, False),
    "rows of one length, not of one direction": (cos(q1) * u2 + sin(q1) * u3 - u1, u2 + u3 - u1, False),
}


@pytest.mark.parametrize("case", CASES)
def test_straight_lines_only_where_the_choice_holds_everywhere(case: str) -> None:
    """A block that turns as a rotation matrix, or is constant, needs no solve; a shear or other rows do."""
    first, second, straight = CASES[case]
    equations = derive(held(first, second), KANE)
    graph = equations.graph
    solves = [node for node in graph.reachable(equations.motion.accelerations) if graph.ops[node] is Op.SOLVE]
    assert bool(solves) is not straight


@pytest.mark.parametrize("case", CASES)
def test_both_give_the_same_motion(case: str) -> None:
    """At angles where elimination with a fixed pivot would divide by zero, too."""
    first, second, straight = CASES[case]
    model = held(first, second)
    sim, oracle = eomc.compile(model).load(), reference(model)
    for angle in (0.3, *((0.0, np.pi / 2, np.pi) if straight else ())):
        state = [angle, 0.4, -0.2, 0.7, 0.1, 0.2]
        np.testing.assert_allclose(sim.rhs(0.0, state), oracle.rhs(0.0, state), rtol=1e-10, atol=1e-10)
