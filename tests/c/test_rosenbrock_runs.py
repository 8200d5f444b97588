"""Runs of rodas5p in the emitted C: order with inputs that move, stiff limits, dense output, constraints, failures."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sm
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.analysis.balance import balance
from eomc.errors import UnsupportedError

pytestmark = pytest.mark.needs_cc

DRIVER = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "@_rodas5p.h"
SOURCE
int main(int argc, char **argv)
{
    static @_constants c;
    static @_work work;
    static @_rodas5p run;
    @_options o = @_default_options;
    @_real x[%_NX];
    const double t_end = atof(argv[1]);
    int status;
    int i;

    (void)argc;
    o.rtol = (@_real)atof(argv[2]);
    o.atol = o.rtol;
    o.largest_step = (@_real)atof(argv[3]);
    o.first_step = o.largest_step;
    o.most_steps = atoi(argv[4]);
    (void)@_prepare(&@_default_parameters, &c);
    status = @_rodas5p_start((@_real)0, @_initial_state, &source, &o, &c, &work, &run);
    while ((status == %_OK) && (run.at.t < (@_real)t_end)) {
        status = @_rodas5p_advance((@_real)t_end, &source, &c, &work, &run);
        if (status == %_OK) {
            const @_real middle = run.at.from + ((run.at.t - run.at.from) * (@_real)0.4);
            @_rodas5p_at(&run, middle, x);
            (void)printf("%.17g", (double)middle);
            for (i = 0; i < %_NX; ++i) { (void)printf(" %.17g", (double)x[i]); }
            (void)printf(" %.17g", (double)run.at.t);
            for (i = 0; i < %_NX; ++i) { (void)printf(" %.17g", (double)run.at.x[i]); }
            (void)puts("");
        }
    }
    (void)fprintf(stderr, "%d %d", status, (int)run.at.steps);
    return 0;
}
"""
NONE = "static const @_source source = {0};"
HELD = "static const @_source source = {%_HELD, &@_default_inputs, 0, 0, 0, 0, 0, 0};"
CALLED = """
static int push(@_real t, void *context, @_inputs *r)
{
    (void)context;
    r->F = (@_real)2 * (@_real)sin(3.0 * (double)t);
    return (t > (@_real)7) ? 1 : 0;
}
static const @_source source = {%_CALLED, 0, 0, 0, push, 0, 0, 0};
"""
LINES = """
static const @_inputs values[2] = {{(@_real)0}, {(@_real)4}};
static const @_real times[2] = {(@_real)0, (@_real)2};
static const @_source source = {%_LINES, values, times, 2, 0, 0, 0, 0};
"""
STEPS = """
static const @_inputs values[3] = {{(@_real)1}, {(@_real)-2}, {(@_real)3}};
static const @_real times[3] = {(@_real)0, (@_real)0.37, (@_real)1.11};
static const @_source source = {%_STEPS, values, times, 3, 0, 0, 0, 0};
"""
Run = Callable[..., tuple[np.ndarray, int, int]]


def runs(folder: Path, build: Any, source: str, real: str = "double") -> Run:
    """Compile a driver, which returns rows (t, x within, t, x at the end) of steps, the status, their number."""
    name, macro = build.view.name, build.view.macro
    build.write(folder, library=True)
    (folder / "drive.c").write_text(DRIVER.replace("SOURCE", source).replace("@", name).replace("%_", f"{macro}_"))
    files = sorted(path.name for path in folder.glob("*.c"))
    define = [] if real == "double" else [f"-D{macro}_USE_FLOAT"]
    subprocess.run(["gcc", "-std=c99", "-O1", *define, *files, "-o", "drive", "-lm"], cwd=folder, check=True)

    def run(t_end: float, tolerance: float = 1e-8, largest: float = 0.0, most: int = 0) -> tuple[np.ndarray, int, int]:
        words = [str(word) for word in (t_end, tolerance, largest, most)]
        answer = subprocess.run(["./drive", *words], cwd=folder, check=True, capture_output=True, text=True)
        rows = np.array([[float(word) for word in line.split()] for line in answer.stdout.splitlines()])
        status, steps = map(int, answer.stderr.split())
        return rows, status, steps

    return run


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
        rows, status, _ = run(1.5, 1e3, h)
        assert status == 0
        ends.append(np.abs(rows[:, 4:] - exact(rows[:, 3], push)).max())
        within.append(np.abs(rows[:, 1:3] - exact(rows[:, 0], push)).max())
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
        rows, status, _ = run(2.0, tolerance)
        assert status == 0
        assert {0.37, 1.11, 2.0} <= set(rows[:, 3])
        assert np.abs(rows[-1, 4:] - state).max() < 100.0 * tolerance


def test_a_stiff_motion_takes_few_steps(tmp_path: Path) -> None:
    """A damper of 1e8: the mass creeps, -c x' = k x + x^3 - cos(2 t), at hundreds of steps, not millions."""
    stiff = eomc.compile(driven(stiffness=1e8, damping=1e8), integrator="rk4,rodas5p")
    rows, status, steps = runs(tmp_path, stiff, HELD)(5.0, 1e-8)
    assert status == 0
    assert steps < 300
    assert abs(rows[-1, 4] - 0.5 * np.exp(-5.0)) < 1e-6


@pytest.mark.parametrize(
    ("name", "method"), [("double_pendulum", "kane"), ("double_pendulum", "hamilton"), ("n_link_pendulum:5", None)]
)
def test_matrices_with_and_without_eliminated_coordinates(name: str, method: str | None, tmp_path: Path) -> None:
    """q' that depends on speeds alone, and Hamilton's that depends on q, too: both are SciPy's motion."""
    model = eomc.load(name)
    found = eomc.compile(model, method, integrator="rk4,rodas5p")
    scheme = found.view.code.runs.schemes[0].rosenbrock
    assert scheme.first == (0 if method == "hamilton" else len(model.coordinates))
    rows, status, _ = runs(tmp_path, found, HELD if model.inputs else NONE)(1.0, 1e-9)
    sim = found.load()
    wanted = solve_ivp(sim.rhs, (0.0, 1.0), sim.initial_state, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    count = len(wanted)
    assert status == 0
    assert np.abs(rows[-1, 2 + count :] - wanted).max() < 1e-6


def test_steps_that_end_on_the_constraints(tmp_path: Path) -> None:
    """With projection each end meets them; the energy of a linkage without friction stays within the tolerance."""
    build = eomc.compile(eomc.load("four_bar"), stabilization="projection", integrator="rk4,rodas5p")
    rows, status, _ = runs(tmp_path, build, HELD)(1.0, 1e-9)
    sim = build.load()
    count = len(sim.state_names)
    assert status == 0
    assert np.abs(sim.constraint_residuals(rows[:, 1 + count], rows[:, 2 + count :])).max() < 1e-12


def test_failures(build: Any, tmp_path: Path) -> None:
    """A source that has no inputs any more, and too many steps: by their status."""
    run = runs(tmp_path, build, CALLED)
    assert run(8.0)[1] == 7
    rows, status, steps = run(5.0, 1e-10, 0.0, 10)
    assert (status, len(rows)) == (6, steps)


def test_in_float(build: Any, tmp_path: Path) -> None:
    """Single precision to its own accuracy."""
    rows, status, _ = runs(tmp_path, build, CALLED, "float")(1.5, 1e-5)
    assert status == 0
    assert np.abs(rows[-1, 4:] - exact(rows[-1:, 3], lambda t: 2.0 * np.sin(3.0 * t))).max() < 1e-3


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
    """simulate takes it as any adaptive integrator, with inputs that are functions; an energy balance is refused."""
    build = eomc.compile(driven(), integrator="rodas5p")

    def push(t):
        return 2.0 * np.sin(3.0 * t)

    run = build.load().simulate(1.5, rtol=1e-9, atol=1e-9, inputs=lambda t: {"F": push(t)})
    assert np.abs(run.x - exact(run.t[1:], push, begin=0.0)[[0, *range(len(run.t) - 1)]])[1:].max() < 1e-7
    with pytest.raises(UnsupportedError, match=r"^driven has no energy balance by rodas5p, .* use integrator dop853$"):
        balance(build, 1.0)
