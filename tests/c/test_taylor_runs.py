"""Runs by Taylor series in the emitted C: lengths of steps, dense output, inputs, failures."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from driving import Run, runner
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.writing import write
from eomc.build import Build
from eomc.errors import UnsupportedError
from eomc.expansions import order_for

pytestmark = pytest.mark.needs_cc

OK, SINGULAR, DIVERGED, TOO_SMALL, TOO_MANY, NO_INPUT = 0, 1, 4, 5, 6, 7

# The last two terms of the series of a step.
ORDERS = """
row("order", MACRO_TAYLOR_ORDER - 1, run.series[MACRO_TAYLOR_ORDER - 1]);
row("order", MACRO_TAYLOR_ORDER, run.series[MACRO_TAYLOR_ORDER]);
x[0] = run.unit;
row("unit", 0.0, x);
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Run]:
    """Return a function that compiles a build's run and returns what runs it; a source may be given."""

    def compiled(build: Build, source: str = "", order: int = 20, real: str = "double") -> Run:
        path = tmp_path_factory.mktemp("run")
        write(build.library, path)
        flags = ["-O0", f"-D{build.view.macro}_TAYLOR_ORDER={order}"]
        return runner(path, build.view, "taylor", source, *flags, real=real, after=ORDERS)

    return compiled


def built(name: str, method: str | None = None, **options: Any) -> Build:
    """Return a shipped model with runs."""
    return eomc.compile(eomc.load(name), method, functions=(), integrator="rk4,taylor", **options)


@pytest.fixture(scope="module")
def pendulum(runs: Callable[..., Run]) -> Run:
    """Return runs of the double pendulum by Lagrange's equations."""
    return runs(built("double_pendulum", "lagrange"))


def reference(build: Build, t_end: float, inputs: Any = None) -> np.ndarray:
    """Return the state at the end by SciPy over the emitted right-hand side."""
    sim = build.load()
    x0 = [state.value for state in build.program.states]
    return solve_ivp(sim.rhs, (0, t_end), x0, "DOP853", rtol=2.3e-14, atol=1e-14, max_step=0.05, args=(inputs,)).y[
        :, -1
    ]


# -- steps -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tolerance", "order"), [(2.0**-52, 20), (1e-16, 20), (1e-12, 15), (1e-8, 11), (1e-3, 5)])
def test_the_best_order_at_a_tolerance(tolerance: float, order: int) -> None:
    """1 - ln(e) / 2, rounded up, after Jorba and Zou."""
    assert order_for(tolerance) == order


@pytest.mark.parametrize(("tolerance", "part"), [(2.0**-52, math.exp(-2)), (1e-10, 1e-10 ** (1 / 19))])
def test_lengths_of_steps(pendulum: Run, tolerance: float, part: float) -> None:
    """The radius by the last two orders, 1 / e^2 of it at the order's own tolerance, what meets a looser one."""
    ran = pendulum(t_end=2.0, tol=tolerance)
    states = np.vstack([[0.8, -0.5, 1.1, -0.6], ran.rows["step"][:, 1:]])
    lengths = np.diff(ran.times)
    orders = ran.rows["order"][:, 1:].reshape(-1, 2, 4)
    units = ran.rows["unit"][:, 1]
    for x, h, (before, last), unit in list(zip(states, lengths, orders, units, strict=False))[:-1]:
        scale = 1 + abs(x)
        radius = unit * min(max(abs(last) / scale) ** (-1 / 20), max(abs(before) / scale) ** (-1 / 19))
        assert h == pytest.approx(radius * part * math.exp(-0.7 / 19), rel=1e-6)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12, 2.0**-52])
def test_errors_follow_the_tolerance(pendulum: Run, tolerance: float) -> None:
    """After ten seconds: a few hundred tolerances, or rounding; the motion spreads neighbours a hundredfold."""
    expected = reference(built("double_pendulum", "lagrange"), 10.0)
    ran = pendulum(t_end=10.0, tol=tolerance)
    assert (ran.status, ran.t) == (OK, 10.0)
    assert max(abs(ran.x - expected)) < max(300 * tolerance, 2e-10)


def test_kepler_comes_back(runs: Callable[..., Run]) -> None:
    """After ten periods of 2 pi a^1.5 the planet is where it was, to rounding in time and state."""
    build = built("kepler")
    values = {state.name: state.value for state in build.program.states}
    x0 = np.array(list(values.values()))
    q, p, mu = x0[:2], x0[2:], next(v.value for v in build.program.parameters if v.name in ("mu", "k", "GM"))
    axis = 1 / (2 / math.hypot(*q) - p @ p / mu)
    ran = runs(build)(t_end=10 * 2 * math.pi * axis**1.5 / math.sqrt(mu), tol=2.0**-52)
    assert ran.status == OK
    assert max(abs(ran.x - x0)) < 2e-12


def test_dense_output_is_the_series(pendulum: Run) -> None:
    """A quarter, a half and three quarters of a step are what runs that end there have."""
    ran = pendulum(t_end=1.0, tol=2.0**-52)
    for t, *x in ran.rows["dense"][5::17]:
        assert pendulum(t_end=t, tol=2.0**-52).x == pytest.approx(x, rel=1e-13, abs=1e-13)


def test_polynomial_motion_takes_the_step_that_is_allowed(runs: Callable[..., Run]) -> None:
    """A stone: all coefficients above the second are zero, and no length is too long."""
    q, m, g = dynamicsymbols("q"), *sympy.symbols("m g", real=True)
    speed = q.diff(dynamicsymbols._t)
    model = eomc.from_lagrangian(
        m * speed**2 / 2 - m * g * q, coordinates=[q], parameters={m: 2.0, g: 9.81}, initial={q: 3.0, speed: 4.0}
    )
    run = runs(eomc.compile(model, integrator="rk4,taylor"))
    for largest, steps in ((0.0, 1), (0.75, 14)):
        ran = run(t_end=10.0, largest=largest)
        assert (ran.status, len(ran.rows["step"])) == (OK, steps)
        assert ran.x == pytest.approx([3 + 40 - 981 / 2, 4 - 98.1], rel=1e-14)


def test_the_first_step_may_be_given(pendulum: Run) -> None:
    """It is no longer than asked; the next ones are free."""
    ran = pendulum(first=1e-4, t_end=0.5)
    assert ran.times[1] == 1e-4
    assert ran.times[2] > 1e-2


@pytest.fixture(scope="module")
def wheel() -> Build:
    """Return (cos, sin) of an angle that turns at a constant rate, a state, so that one program has all of them."""
    x, y, rate = dynamicsymbols("x y rate")
    turning = {x: -rate * y, y: rate * x, rate: 0}
    return eomc.compile(eomc.Model(name="wheel", extra_states=turning), integrator="rk4,taylor")


@pytest.mark.parametrize(("real", "order", "tolerance"), [("double", 20, 1e-14), ("float", 9, 1e-6)])
def test_the_unit_of_time_does_not_matter(
    wheel: Build, runs: Callable[..., Run], real: str, order: int, tolerance: float
) -> None:
    """A year, a second, a nanosecond: coefficients grow and fall like powers of the rate, out of all numbers."""
    run = runs(wheel, order=order, real=real)
    rates = 10.0 ** np.arange(-24, 25, 3) if real == "double" else 2.0 ** np.arange(-30, 31, 5)
    steps = set()
    for rate in rates:
        ran = run(t_end=5.0 / rate, tol=1e-30, rtol=tolerance, x0=math.cos(0.3), x1=math.sin(0.3), x2=rate)
        assert ran.status == OK
        assert ran.x[:2] == pytest.approx([math.cos(5.3), math.sin(5.3)], abs=50 * tolerance)
        dense = ran.rows["dense"]
        angles = 0.3 + rate * dense[:, 0]
        assert dense[:, 1:3] == pytest.approx(np.column_stack([np.cos(angles), np.sin(angles)]), abs=50 * tolerance)
        steps.add(ran.steps)
    assert max(steps) - min(steps) <= 1


@pytest.mark.parametrize("rate", [1e-17, 1e17])
def test_sensitivities_of_fast_and_slow_motions(wheel: Build, rate: float) -> None:
    """By the start: a rotation."""
    found = wheel.load().sensitivities(
        t_end=5.0 / rate, x0=[1.0, 0.0, rate], integrator="taylor", rtol=1e-12, atol=1e-30
    )
    turned = [[math.cos(5), -math.sin(5)], [math.sin(5), math.cos(5)]]
    assert found.dx_dx0[-1, :2, :2] == pytest.approx(np.array(turned), abs=1e-10)
    assert found.dx_dx0[-1, :2, 2] * rate == pytest.approx([-5 * math.sin(5), 5 * math.cos(5)], abs=1e-9)


# -- inputs ----------------------------------------------------------------------------------------------------------

SAMPLED = """
static const MODEL_inputs samples[4] = {{0.0, 0.0, 0.1}, {1.5, -0.5, 0.2}, {-1.0, 2.0, -0.3}, {0.5, 0.25, 0.4}};
static const MODEL_real times[4] = {0.0, 0.4, 0.7, 1.5};
static const MODEL_source source = {KIND, samples, times, 4, 0, 0, 0, 0};
"""
VALUES, TIMES = np.array([[0, 0, 0.1], [1.5, -0.5, 0.2], [-1, 2, -0.3], [0.5, 0.25, 0.4]]), np.array([0, 0.4, 0.7, 1.5])


@pytest.mark.parametrize("kind", ["LINES", "STEPS"])
def test_sampled_inputs(runs: Callable[..., Run], kind: str) -> None:
    """Steps end at the samples, where lines bend and steps jump; between them inputs are part of the series."""
    build = built("two_link_arm")
    ran = runs(build, SAMPLED.replace("KIND", f"MACRO_{kind}"))(t_end=2.0, tol=2.0**-52)
    assert ran.status == OK
    assert set(TIMES[1:]) <= set(ran.times)

    def inputs(t: float) -> list[float]:
        if kind == "LINES":
            return [float(np.interp(t, TIMES, column)) for column in VALUES.T]
        return VALUES[max(np.searchsorted(TIMES, t, "right") - 1, 0)].tolist()

    sim = build.load()
    x, edges = np.array([state.value for state in build.program.states]), [*TIMES, 2.0]
    for start, end in itertools.pairwise(edges):
        last = np.nextafter(end, 0)
        x = solve_ivp(
            lambda t, y, a=start, b=last: sim.rhs(t, y, inputs(min(max(t, a), b))),
            (start, end),
            x,
            "DOP853",
            rtol=2.3e-14,
            atol=1e-14,
        ).y[:, -1]
    assert max(abs(ran.x - x)) < 1e-11


def test_called_inputs_are_refused(runs: Callable[..., Run]) -> None:
    """A function of the time has no series that anybody knows."""
    source = """
    static int called(MODEL_real t, void *context, MODEL_inputs *r)
    { (void)context; r->F3 = t; return 0; }
    static const MODEL_source source = {MACRO_CALLED, 0, 0, 0, called, 0, 0, 0};
    """
    build = built("two_link_arm")
    assert runs(build, source)(t_end=1.0).status == NO_INPUT


# -- failures --------------------------------------------------------------------------------------------------------


def test_a_collision_has_no_end(runs: Callable[..., Run]) -> None:
    """A planet that falls into its sun: steps shrink until the time stands still."""
    ran = runs(built("kepler"))(t_end=10.0, tol=2.0**-52, x0=1.0, x1=0.0, x2=0.0, x3=0.0)
    assert ran.status in (TOO_SMALL, DIVERGED)
    assert ran.t == pytest.approx(math.pi / (2 * math.sqrt(2)), rel=1e-6)


def test_the_number_of_steps_is_bounded(pendulum: Run) -> None:
    """The state is that after the last step."""
    ran = pendulum(t_end=10.0, most=7)
    assert (ran.status, len(ran.rows["step"])) == (TOO_MANY, 7)
    assert ran.t == ran.times[-1]


def test_a_tolerance_that_no_number_holds_asks_for_the_shortest_step(pendulum: Run) -> None:
    """At rest, with next to nothing allowed, a coefficient is infinitely large beside that: a run goes on."""
    ran = pendulum(t_end=0.5, tol=1e-320, rtol=1e-6, x2=0.0, x3=0.0)
    assert (ran.status, ran.t) == (OK, 0.5)
    assert ran.times[1] < 1e-15
    assert ran.x == pytest.approx(pendulum(t_end=0.5, x2=0.0, x3=0.0).x, abs=1e-4)


def test_a_singular_state_keeps_its_status(runs: Callable[..., Run]) -> None:
    """A disk that lies flat."""
    assert runs(built("rolling_disk"))(t_end=1.0, **{f"x{i}": 0.0 for i in range(8)}).status == SINGULAR


def test_what_has_no_series_is_refused() -> None:
    """A kink in the equations, and steps that end with a projection; the second has a way out."""
    with pytest.raises(UnsupportedError, match="has no power series: it has a kink"):
        built("coulomb_bead")
    with pytest.raises(UnsupportedError, match=r"taylor: a step that ends with a projection.*stabilization='none'"):
        built("four_bar", stabilization="projection")


# -- texts -----------------------------------------------------------------------------------------------------------


def test_another_integrator_of_the_same_build() -> None:
    """A sealed graph is copied: the C is that of a build that began with it."""
    build = eomc.compile(eomc.load("double_pendulum")).with_integrator("rk4,taylor")
    assert build.artifacts == eomc.compile(eomc.load("double_pendulum"), integrator="rk4,taylor").artifacts


def test_floats(runs: Callable[..., Run]) -> None:
    """Of order 9, to a few units in the last place."""
    build = built("double_pendulum", "lagrange")
    ran = runs(build, order=9, real="float")(t_end=2.0, tol=1e-7)
    assert ran.status == OK
    assert max(abs(ran.x - reference(build, 2.0))) < 5e-5


@pytest.mark.parametrize("name", ["double_pendulum", "two_link_arm"])
def test_compilers_find_nothing_to_say(name: str, silent: Callable[..., None], tmp_path: Path) -> None:
    """Both compilers under the strictest flags, in both precisions."""
    build = built(name)
    write(build.library, tmp_path)
    silent(tmp_path, build.view.macro, [f"{name}_taylor.c", f"{name}_run.c"])
