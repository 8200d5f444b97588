"""Runs of rodas5p in the emitted C: order with inputs that move, stiff limits, dense output, constraints, failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sm
from driving import Run, runner
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.analysis.balance import balance

pytestmark = pytest.mark.needs_cc

CALLED = """
static int push(MODEL_real t, void *context, MODEL_inputs *r)
{
    (void)context;
    r->F = (MODEL_real)2 * (MODEL_real)sin(3.0 * (double)t);
    return (t > (MODEL_real)7) ? 1 : 0;
}
static const MODEL_source source = {MACRO_CALLED, 0, 0, 0, push, 0, 0, 0};
"""
LINES = """
static const MODEL_inputs values[2] = {{(MODEL_real)0}, {(MODEL_real)4}};
static const MODEL_real times[2] = {(MODEL_real)0, (MODEL_real)2};
static const MODEL_source source = {MACRO_LINES, values, times, 2, 0, 0, 0, 0};
"""
STEPS = """
static const MODEL_inputs values[3] = {{(MODEL_real)1}, {(MODEL_real)-2}, {(MODEL_real)3}};
static const MODEL_real times[3] = {(MODEL_real)0, (MODEL_real)0.37, (MODEL_real)1.11};
static const MODEL_source source = {MACRO_STEPS, values, times, 3, 0, 0, 0, 0};
"""


def runs(folder: Path, build: Any, source: str = "", *flags: str, real: str = "double") -> Run:
    """Write the files of a build and return the function that runs them."""
    build.write(folder, library=True)
    return runner(folder, build.view, "rodas5p", source, *flags, real=real)


x, v, force = dynamicsymbols("x v F")
m, k, c = sm.symbols("m k c")
t = dynamicsymbols._t


def driven(stiffness: float = 3.0, damping: float = 0.5) -> eomc.Model:
    """Return a mass on a hard spring with a damper, driven by an input and by a force that depends on the time."""
    return eomc.from_lagrangian(
        m * x.diff(t) ** 2 / 2 - k * x**2 / 2 - x**4 / 4,
        coordinates=[x],
        generalized_forces={x: force + sm.cos(2 * t) - c * x.diff(t)},
        name="driven",
        inputs=[force],
        parameters={m: 1.0, k: stiffness, c: damping},
        initial={x: 0.5},
    )


def exact(times: np.ndarray, push: Callable[..., float], start: Any = (0.5, 0.0), begin: float = 0.0) -> np.ndarray:
    """Return states of `driven` at some times by SciPy, from a start at `begin`."""

    def rates(t: float, s: np.ndarray) -> list[float]:
        return [s[1], push(t) + np.cos(2 * t) - 0.5 * s[1] - 3.0 * s[0] - s[0] ** 3]

    return solve_ivp(rates, (begin, times[-1]), start, "DOP853", times, rtol=1e-13, atol=1e-14).y.T


@pytest.fixture(scope="module")
def build() -> Any:
    return eomc.compile(driven(), integrator="rk4,rodas5p")


@pytest.mark.parametrize(
    ("source", "push"), [(CALLED, lambda t: 2.0 * np.sin(3.0 * t)), (LINES, lambda t: 2.0 * t)], ids=["called", "lines"]
)
def test_order(source: str, push: Callable[[float], float], build: Any, tmp_path: Path) -> None:
    """Errors at the end of steps of one length fall with its fifth power, those within at least with the fourth."""
    run, ends, within = runs(tmp_path, build, source), [], []
    for h in (0.05, 0.025):
        found = run(t_end=1.5, tol=1e3, largest=h, first=h)
        assert found.status == 0
        for errors, rows in ((ends, found.rows["step"]), (within, found.rows["dense"])):
            errors.append(np.abs(rows[:, 1:] - exact(rows[:, 0], push)).max())
    assert np.log2(ends[0] / ends[1]) == pytest.approx(5.0, abs=0.35)
    assert np.log2(within[0] / within[1]) > 3.8


def test_tolerances_and_jumps(build: Any, tmp_path: Path) -> None:
    """Errors follow tolerances; a step ends at each sample of the kind that jumps."""
    run = runs(tmp_path, build, STEPS)
    state, begin = np.array([0.5, 0.0]), 0.0
    for end, held in ((0.37, 1.0), (1.11, -2.0), (2.0, 3.0)):
        state = exact(np.array([end]), lambda t, held=held: held, state, begin)[-1]
        begin = end
    for tolerance in (1e-5, 1e-8):
        found = run(t_end=2.0, tol=tolerance)
        assert found.status == 0
        assert {0.37, 1.11, 2.0} <= set(found.times)
        assert np.abs(found.x - state).max() < 100.0 * tolerance


def test_a_stiff_motion_takes_few_steps(tmp_path: Path) -> None:
    """A damper of 1e8: the mass creeps, -c x' = k x + x^3 - cos(2 t), at hundreds of steps, not millions."""
    stiff = eomc.compile(driven(stiffness=1e8, damping=1e8), integrator="rk4,rodas5p")
    found = runs(tmp_path, stiff)(t_end=5.0, tol=1e-8)
    assert found.status == 0
    assert found.steps < 300
    assert abs(found.x[0] - 0.5 * np.exp(-5.0)) < 1e-6


@pytest.mark.parametrize(
    ("name", "method"), [("double_pendulum", "kane"), ("double_pendulum", "hamilton"), ("n_link_pendulum:5", None)]
)
def test_matrices_with_and_without_eliminated_coordinates(name: str, method: str | None, tmp_path: Path) -> None:
    """q' that depends on speeds alone, and Hamilton's that depends on q, too: both are SciPy's motion."""
    model = eomc.load(name)
    found = eomc.compile(model, method, integrator="rk4,rodas5p")
    scheme = found.view.code.runs.schemes[-1].rosenbrock
    assert scheme.first == (0 if method == "hamilton" else len(model.coordinates))
    ran = runs(tmp_path, found)(t_end=1.0, tol=1e-9)
    sim = found.load()
    wanted = solve_ivp(sim.rhs, (0.0, 1.0), sim.initial_state, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    assert ran.status == 0
    assert np.abs(ran.x - wanted).max() < 1e-6


def test_steps_that_end_on_the_constraints(tmp_path: Path) -> None:
    """With projection each end meets them; the energy of a linkage without friction stays within the tolerance."""
    build = eomc.compile(eomc.load("four_bar"), stabilization="projection", integrator="rk4,rodas5p")
    found = runs(tmp_path, build)(t_end=1.0, tol=1e-9)
    rows = found.rows["step"]
    assert found.status == 0
    assert np.abs(build.load().constraint_residuals(rows[:, 0], rows[:, 1:])).max() < 1e-12


def test_failures(build: Any, tmp_path: Path) -> None:
    """A source that has no inputs any more, and too many steps: by their status."""
    run = runs(tmp_path, build, CALLED)
    assert run(t_end=8.0, tol=1e-8).status == 7
    found = run(t_end=5.0, tol=1e-10, most=10)
    assert (found.status, len(found.rows["step"])) == (6, found.steps)


def test_in_float(build: Any, tmp_path: Path) -> None:
    """Single precision to its own accuracy."""
    found = runs(tmp_path, build, CALLED, real="float")(t_end=1.5, tol=1e-5)
    assert found.status == 0
    assert np.abs(found.x - exact(np.array([found.t]), lambda t: 2.0 * np.sin(3.0 * t))).max() < 1e-3


@pytest.mark.parametrize("name", ["cart_pole", "double_pendulum", "n_link_pendulum:5"])
def test_strict_compilers(name: str, tmp_path: Path, silent: Callable[..., None]) -> None:
    """Few and many states, inputs and none: not one warning, in both precisions."""
    build = eomc.compile(eomc.load(name), integrator="rk4,rodas5p")
    build.write(tmp_path, library=True)
    silent(tmp_path, build.view.macro, [f"{build.view.name}_run.c", f"{build.view.name}_rodas5p.c"])


def test_functions_that_are_needed() -> None:
    """The Jacobian and df/dt come with the scheme, whether a build is made for it or turned to it."""
    model = eomc.load("double_pendulum")
    build = eomc.compile(model, functions=[], integrator="rk4,rodas5p")
    assert {"jacobian", "time_derivative"} <= {function.name for function in build.program.functions}
    turned = eomc.compile(model, functions=[]).with_integrator("rk4,rodas5p")
    assert [file.text for file in turned.artifacts] == [file.text for file in build.artifacts]


def test_from_python() -> None:
    """simulate takes it as any adaptive integrator, inputs may be functions; its dense output proves the energy."""
    build = eomc.compile(driven(), integrator="rodas5p")

    def push(t):
        return 2.0 * np.sin(3.0 * t)

    run = build.load().simulate(1.5, rtol=1e-9, atol=1e-9, inputs=lambda t: {"F": push(t)})
    assert np.abs(run.x - exact(run.t[1:], push, begin=0.0)[[0, *range(len(run.t) - 1)]])[1:].max() < 1e-7
    found = balance(build, 1.5, inputs=lambda t: {"F": push(t)})
    assert found.holds
    assert abs(found.work) > 0.1
    assert found.defect < 1e-6
