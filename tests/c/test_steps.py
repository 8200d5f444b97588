"""The emitted steps of every Runge-Kutta scheme: the text-book's formula, inputs at its times, strict compilers."""

from __future__ import annotations

import math
import subprocess
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.backends.c99 import generate, inlined
from eomc.backends.writing import write
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.tableaus import SPLITTINGS, TABLEAUS, Tableau, tableau

pytestmark = pytest.mark.needs_cc

F = Fraction
# Negative weights, stages along several slopes, one beyond the step, slopes that only stages use: no new code.
KUTTA = Tableau(
    "kutta38", "Kutta 3/8", 4,
    a=((), (F(1, 3),), (F(-1, 3), 1), (1, -1, 1)),
    b=(F(1, 8), F(3, 8), F(3, 8), F(1, 8)),
)  # fmt: skip
BACKWARD = Tableau("nodd", "odd", 1, a=((), (2,), (F(5, 2), F(-3, 2))), b=(0, -1, 2))
SCHEMES = [*TABLEAUS, KUTTA, BACKWARD]

M, L, G = 1.5, 0.7, 9.81  # the pendulum's


def written_out(scheme, h, x, inputs):
    """Return a step of a scheme by its definition, for the pendulum; `inputs` has one for each stage."""

    def slope(row, tau, slopes):
        y = [xi + h * sum(float(w) * k[i] for w, k in zip(row, slopes, strict=True)) for i, xi in enumerate(x)]
        return [y[1], (tau - M * L * G * math.sin(y[0])) / (M * L * L)]

    slopes = [[0.0, 0.0]] * len(inputs) if scheme.implicit else []
    for _ in range(40 if scheme.implicit else 0):
        slopes = [slope(row, tau, slopes) for row, tau in zip(scheme.a, inputs, strict=True)]
    for row, tau in () if scheme.implicit else zip(scheme.a, inputs, strict=True):
        slopes.append(slope(row, tau, slopes))
    end = [xi + h * sum(float(w) * k[i] for w, k in zip(scheme.b, slopes, strict=True)) for i, xi in enumerate(x)]
    return [x[0] + h * end[1], end[1]] if scheme.semi_implicit else end


def near(found, expected, tolerance):
    return all(abs(a - b) <= tolerance * (1.0 + abs(b)) for a, b in zip(found, expected, strict=True))


TEXTBOOK = {  # times at which inputs are taken, and a step written out by hand
    "rk4": ([0.0, 0.5, 1.0], lambda f, x, h, r: _kutta(f, x, h, r)),
    "heun": ([0.0, 1.0], lambda f, x, h, r: _two(f, x, h, r, 1.0, 0.5)),
    "ralston": ([0.0, 2 / 3], lambda f, x, h, r: _two(f, x, h, r, 2 / 3, 0.75)),
    "euler": ([0.0], lambda f, x, h, r: _along(x, h, f(x, r[0]))),
    "semi_implicit_euler": (
        [0.0],
        lambda f, x, h, r: [x[0] + h * (x[1] + h * f(x, r[0])[1]), x[1] + h * f(x, r[0])[1]],
    ),
}


def _along(x, h, k):
    return [xi + h * ki for xi, ki in zip(x, k, strict=True)]


def _two(f, x, h, r, share, weight):
    first = f(x, r[0])
    second = f(_along(x, share * h, first), r[1])
    return [xi + h * ((1.0 - weight) * a + weight * b) for xi, a, b in zip(x, first, second, strict=True)]


def _kutta(f, x, h, r):
    k1 = f(x, r[0])
    k2 = f(_along(x, h / 2, k1), r[1])
    k3 = f(_along(x, h / 2, k2), r[1])
    k4 = f(_along(x, h, k3), r[2])
    return [xi + h / 6 * (a + 2 * b + 2 * c + d) for xi, a, b, c, d in zip(x, k1, k2, k3, k4, strict=True)]


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_step_is_that_of_the_text_books(name, emit, programs):
    """One step equals the scheme written out in Python, with inputs at its own times."""
    scheme = tableau(name)
    loaded = emit(programs["pendulum"](), tableau=scheme).load()
    loaded.prepare([M, L, G])
    times, step = TEXTBOOK[name]
    assert [float(share) for share in scheme.times(projected=False)] == times
    x, h, inputs = [0.4, -0.2], 0.05, [0.3, 0.5, 0.9][: len(times)]
    expected = step(lambda x, tau: [x[1], (tau - M * L * G * math.sin(x[0])) / (M * L * L)], x, h, inputs)
    status, values = loaded.step(0.0, h, x, [[r] for r in inputs])
    assert status == 0
    assert near(values, expected, 1e-15)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_any_tableau_is_emitted(scheme, real, emit, programs):
    """The C is the definition, whatever the signs and zeros of a tableau; held inputs are equal ones, bit for bit."""
    loaded = emit(programs["pendulum"](), tableau=scheme).load(real)
    loaded.prepare([M, L, G])
    times = scheme.times(projected=False)
    inputs = [0.3 + 0.7 * k for k in range(len(times))]
    x, h = [0.4, -0.2], 0.05
    expected = written_out(scheme, h, x, [inputs[times.index(share)] for share in scheme.c])
    status, values = loaded.step(0.0, h, x, [[r] for r in inputs])
    assert status == 0
    assert near(values, expected, 1e-15 if real == "double" else 1e-6)
    equal = loaded.step(0.0, h, x, [[0.7]] * len(times))
    assert loaded.step(0.0, h, x, [[0.7]], "_held") == equal
    assert (equal[1] != values) is (len(times) > 1 or inputs[0] != 0.7)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_a_small_model_takes_the_steps_of_a_large_one(scheme, emit, programs, monkeypatch, tmp_path):
    """Slopes put into the stages and a statement for each state give the bits of calls and loops."""
    times, ends = len(scheme.times(projected=False)), []
    for loops in (False, True):
        if loops:
            monkeypatch.setattr(inlined, "SMALL", 1)
        folder = emit(programs["pendulum"](), tableau=scheme)
        folder = replace(folder, path=folder.path.rename(tmp_path / f"{loops}"))
        text = (folder.path / "pendulum.c").read_text()
        start, loop = ("_step_on(", "work->y[i] = ") if scheme.implicit else (f"make_{scheme.name}_step(", "for (i = 0")
        step = text[text.index(start) :].partition("\n}\n")[0]
        assert (loop in step, "REAL_INLINE" in text) == (loops, not loops)
        loaded = folder.load(optimize="-O3")
        loaded.prepare([M, L, G])
        ends.append([x := [0.4, -0.2]])
        for k in range(20):
            _, x = loaded.step(0.05 * k, 0.05, x, [[0.3 * place] for place in range(times)])
            ends[-1].append(x)
    assert ends[0] == ends[1]
    assert len(set(map(tuple, ends[0]))) == 21


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["pendulum", "bare", "states_as_arguments"])
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_strict_compilers_find_nothing_to_say(scheme, name, programs, emit, silent):
    """Model and main of every scheme compile without one warning, in both precisions."""
    folder = emit(programs[name](), tableau=scheme)
    silent(folder.path, folder.macro, [f"{folder.name}.c", "main.c"])


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_state_survives_a_failing_step(scheme, emit, system):
    """When a stage fails the state is what it was, in a step with held inputs too."""
    loaded = emit(system(3, 1, Factorization.LDLT), tableau=scheme).load()
    loaded.prepare()
    times = len(scheme.times(projected=False))
    for last in range(times):
        inputs = [[float(k != last)] for k in range(times)]  # 0 is singular
        assert loaded.step(0.0, 0.1, [0.1, 0.2, 0.3], inputs) == (1, [0.1, 0.2, 0.3])
    assert loaded.step(0.0, 0.1, [0.1, 0.2, 0.3], [[0.0]], "_held") == (1, [0.1, 0.2, 0.3])
    assert loaded.step(0.0, 0.1, [0.1, 0.2, 0.3], [[1.0]], "_held")[0] == 0


@pytest.mark.parametrize("scheme", TABLEAUS, ids=lambda scheme: scheme.name)
def test_self_test_measures_the_order(scheme, emit, programs):
    """The emitted program sees the order of its own scheme on a smooth system, and says so in its help."""
    folder = emit(programs["pendulum"](), tableau=scheme)
    folder.compile(["gcc", "-std=c99", "-O1", "pendulum.c", "main.c", "-o", "pendulum", "-lm"])
    fast = ["--set", "g=500"] if scheme.order > 4 else []  # else errors are rounding
    answer = folder.run(["./pendulum", "--self-test", *fast])
    assert answer.returncode == 0, answer.stdout
    assert float(answer.stdout.partition("order of the integrator ")[2].split()[0]) == pytest.approx(
        scheme.order, abs=0.2
    )
    assert f"errors fall with the step to the power {scheme.order}" in answer.stdout
    assert f"step ({scheme.name})" in folder.run(["./pendulum", "--help"]).stdout


def test_a_self_test_that_finds_a_wrong_order(emit, programs):
    """A scheme that is not of the order it says fails its own test."""
    wrong = tableau("heun")._replace(b=(F(1, 3), F(2, 3)))
    folder = emit(programs["pendulum"](), tableau=wrong)
    folder.compile(["gcc", "-std=c99", "-O1", "pendulum.c", "main.c", "-o", "pendulum", "-lm"])
    answer = folder.run(["./pendulum", "--self-test"])
    assert answer.returncode == 1
    assert "FAIL errors fall" in answer.stdout


def test_work_holds_what_the_scheme_needs(emit, programs):
    """A slope for each stage, and a state beside the caller's where something is evaluated there."""
    for scheme in SCHEMES:
        text = "".join(emit(programs["bare"](), tableau=scheme).result.view.declared.work)
        assert f"k[{len(scheme.b)}][BARE_NX];" in text
        assert ("y[BARE_NX];" in text) is (scheme.name != "euler")


def moved_pendulum():
    """Return a mass on a rod of length 1 whose other end is moved along x by an input."""
    x, y, u, v, z = dynamicsymbols("x y u v z")
    N, origin, place = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    place.set_pos(origin, x * N.x + y * N.y)
    place.set_vel(N, u * N.x + v * N.y)
    return eomc.Model(
        name="moved",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("P", place, sympy.Symbol("m"))],
        gravity=-9.81 * N.y,
        configuration_constraints=[(x - z) ** 2 + y**2 - 1],
        inputs=[z, z.diff(), z.diff(dynamicsymbols._t, 2)],
        parameters={sympy.Symbol("m"): 1.0},
        initial={x: 0.6, y: -0.8},
    )


@pytest.mark.parametrize(
    "scheme", [row for row in [*TABLEAUS, KUTTA] if not row.implicit], ids=lambda scheme: scheme.name
)
def test_steps_that_end_on_the_constraints(scheme, tmp_path):
    """With projection a step of any scheme takes inputs at its end, too, and ends on the constraint of a moved end."""
    build = eomc.compile(moved_pendulum(), stabilization="projection")
    result = generate(build.program, tableaus=(scheme,))
    write(result.artifacts, tmp_path)
    driver = PROJECTED.replace("SCHEME", scheme.name).replace("TIMES", str(len(result.view.step.taken)))
    (tmp_path / "t.c").write_text(driver)
    command = "gcc -std=c99 -O1 -Wall -Werror t.c moved.c -lm -o t"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    answer = subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True)
    assert scheme.times(projected=True)[-1] == 1
    assert float(answer.stdout) < 1e-14


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("gauss3", 0.0, 1e-13), ("verlet", 0.0, 1e-13), ("yoshida4", 0.0, 1e-13), ("rk4", 1e-7, 1e-3)],
)
def test_a_symmetric_step_leads_back(name, least, most, emit, programs):
    """Forward and then backward, with inputs that move, is the start but for rounding; with rk4 it is not."""
    loaded = emit(programs["pendulum"](), tableau=tableau(name)).load()
    loaded.prepare([M, L, G])
    x, shares = [0.4, -0.2], [float(share) for share in tableau(name).times(projected=False)]
    there = [(0.05 * k, 0.05) for k in range(100)]
    for t, h in [*there, *((t + h, -h) for t, h in reversed(there))]:
        status, x = loaded.step(t, h, x, [[math.sin(t + share * h)] for share in shares])
        assert status == 0
    assert least <= max(abs(x[0] - 0.4), abs(x[1] + 0.2)) < most


@pytest.mark.parametrize("scheme", SPLITTINGS, ids=lambda scheme: scheme.name)
def test_splittings_for_strict_compilers(scheme, emit, programs, silent):
    """Both precisions compile without one warning; the program sees the order of its own scheme."""
    folder = emit(programs["pendulum"](), tableau=scheme)
    silent(folder.path, folder.macro, [f"{folder.name}.c", "main.c"], "-fsyntax-only")
    folder.compile(["gcc", "-std=c99", "-O1", "pendulum.c", "main.c", "-o", "pendulum", "-lm"])
    answer = folder.run(["./pendulum", "--self-test"])
    assert answer.returncode == 0, answer.stdout
    seen = float(answer.stdout.partition("order of the integrator ")[2].split()[0])
    assert seen == pytest.approx(scheme.order, abs=0.2)


@pytest.mark.parametrize("scheme", SPLITTINGS, ids=lambda scheme: scheme.name)
def test_splittings_in_loops(scheme, emit, programs, silent, monkeypatch):
    """Many states go in loops, which compile as strictly and are the definition."""
    monkeypatch.setattr(inlined, "SMALL", 1)
    folder = emit(programs["pendulum"](), tableau=scheme)
    silent(folder.path, folder.macro, [f"{folder.name}.c"])
    loops = folder.load()
    loops.prepare([M, L, G])
    shares = [float(share) for share in scheme.times(projected=False)]
    status, end = loops.step(0.0, 0.1, [0.4, -0.2], [[share] for share in shares])
    q, w, inertia = 0.4, -0.2, M * L * L
    for drift, kick, share in zip(scheme.drifts, scheme.b, scheme.c, strict=False):
        q += float(drift) * 0.1 * w
        w += float(kick) * 0.1 * (float(share) - M * L * G * math.sin(q)) / inertia
    q += float(scheme.drifts[-1]) * 0.1 * w
    assert status == 0
    assert near(end, [q, w], 1e-15)


def test_slopes_that_are_not_found(emit, programs):
    """A step so long that the iteration does not contract leaves the state and says so; the program, too."""
    folder = emit(programs["pendulum"](), tableau=tableau("gauss3"))
    loaded = folder.load()
    loaded.prepare([M, L, G])
    for h in (5.0, -5.0, 1e3):
        assert loaded.step(0.0, h, [0.4, -0.2], [[0.0]], "_held") == (9, [0.4, -0.2])
    assert loaded.step(0.0, 0.2, [0.4, -0.2], [[0.0]], "_held")[0] == 0
    folder.compile(["gcc", "-std=c99", "-O1", "pendulum.c", "main.c", "-o", "pendulum", "-lm"])
    answer = folder.run(["./pendulum", "--dt", "5"])
    assert (answer.returncode, answer.stderr) == (
        1, "no convergence at t = 0, in the step to 5: take smaller steps\n"
    )  # fmt: skip


def test_a_state_that_is_zero_but_for_rounding(emit, programs):
    """What changes by rounding of a large state is found, however small itself: x'' = -x, z' = 3 (x/10) - 3x/10."""
    program = programs["bare"]()
    g, z = program.graph, Symbol(Role.STATE, 2, "z")
    x = g.neg(program.functions[0].outputs[1])
    rounding = g.sub(g.mul(g.mul(x, g.constant(0.1)), g.constant(3)), g.mul(x, g.constant(0.3)))
    rates = replace(program.functions[0], outputs=(*program.functions[0].outputs, rounding), shape=(3,))
    states = (*program.states, replace(program.states[0], symbol=z, name="z"))
    folder = emit(replace(program, states=states, functions=(rates,)), tableau=tableau("gauss3"))
    loaded = folder.load()
    loaded.prepare()
    state = [1e8, 3e7, 0.0]
    for k in range(2000):
        status, state = loaded.step(0.3 * k, 0.3, state, [[]], "_held")
        assert status == 0
    assert 0.0 < abs(state[2]) < 1e-4
    assert abs(math.hypot(state[0], state[1]) / math.hypot(1e8, 3e7) - 1.0) < 1e-12


PROJECTED = """
#include <math.h>
#include <stdio.h>
#include "moved.h"
int main(void)
{
    static moved_constants c;
    static moved_work w;
    moved_real x[MOVED_NX];
    moved_inputs r[TIMES];
    double worst = 0.0;
    int i;
    int k;

    (void)moved_prepare(&moved_default_parameters, &c);
    for (i = 0; i < MOVED_NX; ++i) {
        x[i] = moved_initial_state[i];
    }
    for (k = 0; k < 50; ++k) {
        for (i = 0; i < TIMES; ++i) { /* the last is that of the end */
            const double t = 0.01 * (k + ((i == (TIMES - 1)) ? 1.0 : 0.0));
            r[i].z = 0.1 * sin(t);
            r[i].z_d = 0.1 * cos(t);
            r[i].z_dd = -0.1 * sin(t);
        }
        if (moved_SCHEME_step(0.01 * k, 0.01, r, &c, &w, x) != MOVED_OK) {
            return 1;
        }
        worst = fmax(worst, fabs(hypot(x[MOVED_X_X] - r[TIMES - 1].z, x[MOVED_X_Y]) - 1.0));
    }
    (void)printf("%g", worst);
    return 0;
}
"""
