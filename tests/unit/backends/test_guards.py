"""Tests of pivots in the emitted C: what fails, and which failure is reported."""

from __future__ import annotations

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.backends.c99.guards import print_guards
from eomc.errors import SingularSystemError
from eomc.ir.program import Check
from eomc.model import Model


def test_one_pivot_is_one_test() -> None:
    """A single pivot leaves at once, and says whose it is."""
    lines = print_guards([("(a < b)", Check(0, 0, "u1", 4))], "work->failed", "M_SINGULAR")
    assert lines == [
        "    if (!(a < b)) { /* pivot of u1 */",
        "        work->failed = 4;",
        "        return M_SINGULAR;",
        "    }",
    ]


def test_several_pivots_share_one_branch() -> None:
    """Several pivots take one `if`, whatever their number."""
    tests = [(f"(a{k} < b)", Check(k, k, f"u{k}", k)) for k in range(5)]
    lines = print_guards(tests, "work->failed", "M_SINGULAR")
    assert sum("if (" in line for line in lines) == 1
    assert sum("? failed :" in line for line in lines) == 5


@pytest.mark.needs_cc
@pytest.mark.parametrize(("state", "speed"), [([0.0, 1.0], "u"), ([1.0, 0.0], "v"), ([0.0, 0.0], "[uv]")])
def test_the_pivot_that_fails_is_reported(state: list[float], speed: str) -> None:
    """Masses x^2 and y^2 that vanish with the state: the speed without inertia is named, one of them when both are."""
    x, y, u, v = dynamicsymbols("x y u v")
    m = sm.Symbol("m")
    N = ReferenceFrame("N")
    points = [Point("P"), Point("Q")]
    for point, rate in zip(points, (x * u, y * v), strict=True):
        point.set_vel(N, rate * N.x)
    model = Model(
        name="vanishing",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("p", points[0], m), Particle("q", points[1], m)],
        parameters={m: 1.0},
        initial={x: 1.0, y: 1.0},
    )
    sim = eomc.compile(model).load()
    with pytest.raises(SingularSystemError, match=rf"\b{speed}\b"):
        sim.rhs(0.0, [*state, 0.5, 0.5])
