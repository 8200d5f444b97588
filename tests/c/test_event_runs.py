"""Runs with events in the emitted C: where they happen, what the state is, when there are too many of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
Y = dynamicsymbols("y")
M, G, E, C = sympy.symbols("m g e c")
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include "MODEL_SCHEME.h"
static int calls;
static void row(double t, const MODEL_real *a, const MODEL_real *b)
{
    int i;
    (void)printf("%.17g", t);
    for (i = 0; i < MACRO_NX; ++i) { (void)printf(" %.17g", (double)a[i]); }
    for (i = 0; i < MACRO_NX; ++i) { (void)printf(" %.17g", (double)b[i]); }
    (void)puts("");
}
int main(int argc, char **argv)
{
    static MODEL_constants c;
    static MODEL_work work;
    static MODEL_SCHEME run;
    MODEL_parameters p = MODEL_default_parameters;
    MODEL_options o = MODEL_default_options;
    MODEL_source source = {0};
    int which = -1;
    MODEL_status status;
    (void)argc;
    p.e = (MODEL_real)atof(argv[3]);
    o.rtol = o.atol = (MODEL_real)atof(argv[2]);
    (void)MODEL_prepare(&p, &c);
    (void)MODEL_SCHEME_start((MODEL_real)0, MODEL_initial_state, &source, &o, &c, &work, &run);
    while ((status = MODEL_SCHEME_run(atof(argv[1]), &source, &c, &work, &run, &which)) == MACRO_EVENT) {
        row((double)run.at.t, run.at.watch.before, run.at.x);
    }
    row((double)run.at.t, run.at.x, run.at.x);
    (void)printf("%d %d %d %d\\n", (int)status, which, (int)run.at.steps, calls);
    return 0;
}
"""
TOO_MANY = 8


@dataclass(frozen=True)
class Ran:
    """What a driver printed: hits as rows t, state before, state after; where it ended."""

    hits: np.ndarray
    end: np.ndarray
    status: int
    which: int
    steps: int
    calls: int


def ball(impact: bool) -> eomc.Model:
    """Return a ball that falls with the drag c v."""
    v = Y.diff(T)
    return eomc.from_lagrangian(
        M * v**2 / 2 - M * G * Y,
        coordinates=[Y],
        generalized_forces={Y: -C * v},
        parameters={M: 0.5, G: 9.81, E: 0.8, C: 0.1},
        initial={Y: 1.0},
        events={} if impact else {"floor": eomc.Event(Y, falling=True, reset={Y: 0, v: -E * v})},
        impacts=[eomc.Impact(Y, restitution=E)] if impact else [],
        name="ball",
    )


Run = Callable[[float, float, float], Ran]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], Run]:
    """Return what compiles a driver, once for each scheme and kind of event; calls of the dense output are counted."""
    made: dict[tuple[str, bool], Run] = {}

    def made_once(scheme: str, impact: bool) -> Run:
        if (scheme, impact) not in made:
            folder = tmp_path_factory.mktemp("ball")
            eomc.compile(ball(impact), integrator=scheme).write(folder)
            driver = DRIVER.replace("MODEL", "ball").replace("MACRO", "BALL").replace("SCHEME", scheme)
            (folder / "driver.c").write_text(driver)
            text = (folder / f"ball_{scheme}.c").read_text()
            counted = text.replace(f"    ball_{scheme}_at((", f"    ++calls; ball_{scheme}_at((")
            (folder / f"ball_{scheme}.c").write_text("extern int calls;\n" + counted)
            (folder / "driver.c").write_text(driver.replace("static int calls", "int calls"))
            sources = ["driver.c", "ball.c", "ball_run.c", f"ball_{scheme}.c"]
            command = ["gcc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", *sources, "-o", "driver", "-lm"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            made[scheme, impact] = _runner(folder)
        return made[scheme, impact]

    return made_once


def _runner(folder: Path) -> Run:
    def run(t_end: float, tolerance: float, e: float) -> Ran:
        words = ["./driver", repr(t_end), repr(tolerance), repr(e)]
        answer = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
        *rows, last = answer.stdout.splitlines()
        table = np.array([[float(word) for word in row.split()] for row in rows])
        return Ran(table[:-1], table[-1], *map(int, last.split()))

    return run


def bounces(count: int, e: float, m: float = 0.5, g: float = 9.81, c: float = 0.1) -> list[float]:
    """Return the times of the bounces of the ball with drag from 1 m, by its closed form in 40 digits."""
    mpmath.mp.dps = 40
    k, g, e = mpmath.mpf(c) / mpmath.mpf(m), mpmath.mpf(g), mpmath.mpf(e)

    def place(t: mpmath.mpf, y: mpmath.mpf, v: mpmath.mpf) -> mpmath.mpf:
        return y + (v + g / k) * -mpmath.expm1(-k * t) / k - g * t / k

    time, y, v, times = mpmath.mpf(0), mpmath.mpf(1), mpmath.mpf(0), []
    for _ in range(count):
        guess = (v + mpmath.sqrt(v**2 + 2 * g * y)) / g
        flight = mpmath.findroot(lambda t, y=y, v=v: place(t, y, v), (guess * 0.7, guess), solver="anderson")
        time += flight
        times.append(float(time))
        y, v = mpmath.mpf(0), -e * ((v + g / k) * mpmath.exp(-k * flight) - g / k)
    return times


@pytest.mark.parametrize("impact", [False, True])
def test_the_twelfth_bounce(runs: Callable[[str, bool], Run], impact: bool) -> None:
    """Within 1e-11 of the closed form at a tolerance of 1e-12; ten evaluations of the dense output each, at most."""
    ran = runs("dop853", impact)(8.0, 1e-12, 0.9)
    expected = bounces(12, 0.9)
    assert np.abs(ran.hits[:12, 0] - expected).max() < 1e-11
    assert ran.calls <= 10 * len(ran.hits)


def test_the_tolerance_decides_where_bounces_are(runs: Callable[[str, bool], Run]) -> None:
    """The dense output of dopri5 as well."""
    expected = bounces(4, 0.9)
    for tolerance in (1e-5, 1e-8):
        ran = runs("dopri5", False)(3.0, tolerance, 0.9)
        assert np.abs(ran.hits[:4, 0] - expected).max() < 30.0 * tolerance


def test_series_find_bounces_to_the_last_digits(runs: Callable[[str, bool], Run]) -> None:
    """Within two roundings of the time: what it passes a zero by is taken along, and not handed on as an error."""
    ran = runs("taylor", False)(8.0, 1e-15, 0.9)
    assert np.abs(ran.hits[:12, 0] - bounces(12, 0.9)).max() < 2e-15
    assert ran.calls <= 25 * len(ran.hits)


@pytest.mark.parametrize(("scheme", "error"), [("rk4", 3e-13), ("semi_implicit_euler", 2e-2)])
def test_fixed_steps_find_bounces_between_them(runs: Callable[[str, bool], Run], scheme: str, error: float) -> None:
    """As exactly as their ends: a step is taken again as far as the root; steps of 1 ms."""
    ran = runs(scheme, True)(3.0, 1e-3, 0.9)
    assert np.abs(ran.hits[:4, 0] - bounces(4, 0.9)).max() < error
    assert np.all(ran.hits[:, 1] > -1e-12)


@pytest.mark.parametrize(("scheme", "most"), [("dop853", 400), ("dopri5", 400), ("rodas5p", 300)])
@pytest.mark.parametrize("impact", [False, True])
def test_four_hundred_bounces(runs: Callable[[str, bool], Run], scheme: str, most: int, impact: bool) -> None:
    """At e = 0.95 all at times of their own, each slower than the last, none below the floor by more than rounding.

    Weights of a hundred and more make the rounding of rodas5p larger: its bounces are no longer apart a little sooner.
    """
    ran = runs(scheme, impact)(40.0, 1e-10, 0.95)
    assert len(ran.hits) >= most
    assert np.all(np.diff(ran.hits[:, 0]) > 0.0)
    assert np.all(ran.hits[:, 1] > -1e-14)
    assert np.all(np.diff(ran.hits[:most, 4]) < 0.0)


@pytest.mark.parametrize("scheme", ["dop853", "dopri5"])
@pytest.mark.parametrize("impact", [False, True])
@pytest.mark.parametrize("e", [0.8, 0.3, 0.0])
def test_a_ball_never_falls_through_the_floor(
    runs: Callable[[str, bool], Run], scheme: str, impact: bool, e: float
) -> None:
    """When two bounces are no longer apart in time the run says so, and where; the ball is on the floor."""
    ran = runs(scheme, impact)(40.0, 1e-10, e)
    assert (ran.status, ran.which) == (TOO_MANY, 0)
    assert np.all(np.diff(ran.hits[:, 0]) > 0.0)
    expected = bounces(150, e)[-1] if e > 0.0 else bounces(1, e)[0]
    assert ran.end[0] == pytest.approx(expected, abs=1e-7)
    assert abs(ran.end[1]) < 1e-12


def test_a_run_has_what_its_events_need() -> None:
    """No question after impacts or times that the model does not have; columns of what is known of events."""
    texts = {one.path: one.text for one in eomc.compile(eomc.load("bouncing_ball")).artifacts}
    for name in ("is_timed", "is_impact", "touches"):
        assert name not in texts["bouncing_ball_run.c"]
    members, _, _ = texts["bouncing_ball_run.h"].partition("} bouncing_ball_watch;")
    lines = members[members.rindex("typedef struct {\n") :].splitlines()[1:]
    assert len(lines) > 10
    assert len({(line.index("/**<"), len(line)) for line in lines}) == 1
