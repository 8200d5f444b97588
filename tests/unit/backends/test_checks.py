"""Tests of pivots in the emitted C: what fails, and which failure is reported."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.backends.c99.checks import print_checks
from eomc.errors import SingularSystemError
from eomc.ir.program import Check
from eomc.model import Model


def test_one_pivot_is_one_test() -> None:
    """A single pivot leaves at once, and says whose it is."""
    lines = print_checks([("(a < b)", Check(0, 0, "u1", 4))], "work->failed", "M_SINGULAR")
    assert lines == [
        "    if (REAL_RARELY(!(a < b))) { /* pivot of u1 */",
        "        work->failed = 4;",
        "        return M_SINGULAR;",
        "    }",
    ]


def test_several_pivots_share_one_branch() -> None:
    """Several pivots take one `if`, whatever their number."""
    tests = [(f"(a{k} < b)", Check(k, k, f"u{k}", k)) for k in range(5)]
    lines = print_checks(tests, "work->failed", "M_SINGULAR")
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


def with_kinematics(equation: Callable[..., sm.Expr]) -> Model:
    """Return a particle in a plane whose first coordinate has a kinematical equation of its own."""
    q, x, u, v = dynamicsymbols("q x u v")
    m = sm.Symbol("m")
    N = ReferenceFrame("N")
    point = Point("P")
    point.set_vel(N, q.diff() * N.x + v * N.y)
    return Model(
        name="peculiar",
        inertial_frame=N,
        coordinates=[q, x],
        speeds=[u, v],
        kinematical_equations=[equation(q, u), x.diff() - v],
        bodies=[Particle("p", point, m)],
        parameters={m: 2.0},
        initial={q: 1.0},
    )


@pytest.mark.needs_cc
@pytest.mark.parametrize("function", ["rhs", "mass_matrix", "forcing", "energy", "momenta"])
def test_derivatives_of_a_quotient_are_tested_like_the_quotient(function: str) -> None:
    """With q q' = u the mass matrix is m (dq'/du)^2 = m/q^2: at q = 0 it has no value, and says so."""
    sim = eomc.compile(with_kinematics(lambda q, u: q * q.diff() - u), "kane").load()
    assert np.all(np.isfinite(list(np.atleast_1d(sim.mass_matrix(0.0, [2.0, 0.0, 1.0, 1.0])))))
    with pytest.raises(SingularSystemError, match="q_d"):
        getattr(sim, function)(0.0, [0.0, 0.0, 1.0, 1.0])


@pytest.mark.needs_cc
def test_momenta_that_the_speeds_do_not_give_are_reported() -> None:
    """With q' = q u, p_q = m q' is dT/du divided by q: at q = 0 no number comes with the status of success."""
    sim = eomc.compile(with_kinematics(lambda q, u: q.diff() - q * u), "kane").load()
    assert sim.momenta(0.0, [0.5, 0.0, 3.0, 1.0]) == pytest.approx({"p_q": 3.0, "p_x": 2.0})
    with pytest.raises(SingularSystemError, match="q"):
        sim.momenta(0.0, [0.0, 0.0, 3.0, 1.0])


def test_one_pivot_is_tested_once_in_a_function() -> None:
    """u/q and its derivative 1/q stand in the same function: one test serves both, under one number."""
    build = eomc.compile(with_kinematics(lambda q, u: q * q.diff() - u), "kane")
    assert len({check.condition for check in build.program.checks}) < len(build.program.checks)
    for routine in build.schedule.routines:
        guards = [step for chunk in routine.chunks for step in chunk.steps if isinstance(step, Check)]
        assert guards or routine.function.name == "power"  # of no loads
        assert len({check.condition for check in guards}) == len({check.index for check in guards}) == len(guards)
