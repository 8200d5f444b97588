"""rodas5p where springs are so hard that the last bit of a coordinate is a force: what it keeps, what it tells."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sm
from driving import Run, call, runner
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc

pytestmark = pytest.mark.needs_cc

t = dynamicsymbols._t
m, k, c, g, rest = sm.symbols("m k c g rest", positive=True)
HARD = {m: 1.0, k: 1e8, c: 2e4, g: 9.81}
WORD = "was the rounding of the equations, and more than the tolerance"


def polar() -> eomc.Model:
    """Return a mass on a spring of 1 m, by its length and its angle: a difference of coordinates is exact."""
    angle, length = dynamicsymbols("angle length")
    return eomc.from_lagrangian(
        m * (length.diff(t) ** 2 + (length * angle.diff(t)) ** 2) / 2
        + m * g * length * sm.cos(angle)
        - k * (length - 1) ** 2 / 2,
        coordinates=[angle, length],
        generalized_forces={length: -c * length.diff(t)},
        name="polar",
        parameters=HARD,
        initial={angle: 1.0, length: 1.0},
    )


def cartesian() -> eomc.Model:
    """Return one on a spring of 100 m, by x and y: its length is a root, of which bits are lost."""
    x, y = dynamicsymbols("x y")
    length = sm.sqrt(x**2 + y**2)
    rate = (x * x.diff(t) + y * y.diff(t)) / length
    return eomc.from_lagrangian(
        m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y - k * (length - rest) ** 2 / 2,
        coordinates=[x, y],
        generalized_forces={x: -c * rate * x / length, y: -c * rate * y / length},
        name="cartesian",
        parameters=HARD | {rest: 100.0},
        initial={x: 80.0, y: -60.0},
    )


def runs(folder: Path, build: Any) -> Run:
    """Return the function that runs it; rows "rounded" tell of each step how many were rounding by then."""
    build.write(folder, library=True)
    return runner(folder, build.view, "rodas5p", after='(void)printf("rounded 0 %d\\n", (int)run.rounded);')


def test_bits_that_sums_lose_are_kept(tmp_path: Path) -> None:
    """Of 1 m a bit is 1e-8 N, and no step was short enough for 1e-14 in the speeds.

    Tolerances a hundred times smaller take four times the steps, that of rounding itself no more than eight times.
    """
    build = eomc.compile(polar(), integrator="rodas5p")
    run, sim = runs(tmp_path, build), build.load()
    found = {tolerance: run(t_end=0.5, tol=tolerance, most=20000) for tolerance in (1e-12, 1e-14, 3e-15)}
    wanted = solve_ivp(sim.rhs, (0.0, 0.5), sim.initial_state, "Radau", rtol=1e-7, atol=1e-9, jac=sim.jac).y[:, -1]
    for one in found.values():
        assert one.status == 0
        assert np.abs(one.x - wanted).max() < 1e-5
    assert np.abs(found[1e-14].x - found[3e-15].x).max() < 1e-13
    assert found[1e-14].steps < 6 * found[1e-12].steps
    assert found[3e-15].steps < 9 * found[1e-12].steps
    assert found[3e-15].rejected < found[3e-15].steps / 50
    assert found[1e-14].rows["rounded"][-1, 1] < found[1e-14].steps / 50


@pytest.fixture(scope="module")
def build() -> Any:
    return eomc.compile(cartesian(), integrator="rodas5p")


def test_steps_are_no_shorter_than_rounding_asks(build: Any, tmp_path: Path) -> None:
    """What the equations themselves lose is taken for rounding: smaller tolerances take no more steps, to one end."""
    run = runs(tmp_path, build)
    found = {tolerance: run(t_end=0.05, tol=tolerance, most=20000) for tolerance in (1e-9, 1e-12, 1e-13, 1e-14)}
    assert {one.status for one in found.values()} == {0}
    assert found[1e-14].steps < 1.5 * found[1e-12].steps
    assert found[1e-9].rows["rounded"][-1, 1] == 0
    assert found[1e-14].rows["rounded"][-1, 1] > 0.8 * found[1e-14].steps
    for tolerance in (1e-12, 1e-13):
        assert np.abs(found[tolerance].x - found[1e-14].x).max() < 1e-9


def test_it_is_told(build: Any, tmp_path: Path) -> None:
    """By Python in a warning at the caller's line, by the program on stderr; not where tolerances are met."""
    sim = build.load()
    with pytest.warns(UserWarning, match=rf"^cartesian: the error of \d+ steps {WORD}") as told:
        sim.simulate(0.02, rtol=1e-13, atol=1e-13)
    assert told[0].filename == __file__
    with warnings.catch_warnings(action="error"):
        sim.simulate(0.02, rtol=1e-9, atol=1e-9)
    build.write(tmp_path)
    call(tmp_path, "make", "-s")
    command = "./cartesian --t-end 0.02 --rtol 1e-13 --atol 1e-13 2>&1 >rows.csv"
    said = call(tmp_path, "sh", "-c", command)
    assert re.match(rf"the error of \d+ steps {WORD}", said)


def test_what_jumps_is_not_rounding(tmp_path: Path) -> None:
    """A force that changes its sign: steps are refused for it, to the exact end, and none for rounding."""
    (x,) = dynamicsymbols("x:1")
    pushed = eomc.from_lagrangian(
        m * x.diff(t) ** 2 / 2,
        coordinates=[x],
        generalized_forces={x: -sm.sign(x - 1)},
        name="pushed",
        parameters={m: 1.0},
        initial={x: 0.0},
    )
    found = runs(tmp_path, eomc.compile(pushed, integrator="rodas5p"))(t_end=2.0, tol=1e-9)
    met = np.sqrt(2.0)  # x = t^2/2 until 1, and back from there
    after = 2.0 - met
    assert found.status == 0
    assert found.rejected > 5
    assert found.rows["rounded"][-1, 1] == 0
    assert np.abs(found.x - [1.0 + met * after - after**2 / 2, met - after]).max() < 1e-7
