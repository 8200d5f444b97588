"""Several schemes in one folder: all compile, none is in the way of another, and one program runs them all."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import eomc
from eomc.build import Build
from eomc.integrators import INTEGRATORS, NAMES

pytestmark = pytest.mark.needs_cc

H = 0.0625
DRIVER = """
#include <stdio.h>
#include <string.h>
HEADERS
static henon_heiles_constants c;
static henon_heiles_work work;
static const henon_heiles_source source = {0};
static void row(const char *name, int status, const henon_heiles_real *x)
{
    (void)printf("%s %d %.17g %.17g %.17g %.17g\\n", name, status, x[0], x[1], x[2], x[3]);
}
#define RUN(scheme)                                                                                            \\
    {                                                                                                          \\
        static henon_heiles_##scheme run;                                                                      \\
        henon_heiles_real x[HENON_HEILES_NX];                                                                  \\
        int which = 0;                                                                                         \\
        int status = henon_heiles_##scheme##_start(0.0, henon_heiles_initial_state, &source, &o, &c, &work, &run); \\
        if (status == 0) { status = henon_heiles_##scheme##_run(2.0 * H - 0.01, &source, &c, &work, &run, &which); } \\
        if (status == 0) { status = henon_heiles_##scheme##_advance(2.0 * H, &source, &c, &work, &run); }      \\
        henon_heiles_##scheme##_at(&run, 2.0 * H, x);                                                          \\
        row(#scheme, status + (memcmp(x, run.at.x, sizeof(x)) != 0), x);                                       \\
    }
#define STEP(scheme)                                                                                           \\
    {                                                                                                          \\
        henon_heiles_real x[HENON_HEILES_NX];                                                                  \\
        int status;                                                                                            \\
        (void)memcpy(x, henon_heiles_initial_state, sizeof(x));                                                \\
        status = henon_heiles_##scheme##_step_held(0.0, H, &henon_heiles_default_inputs, &c, &work, x);        \\
        row(#scheme "_step", status, x);                                                                       \\
    }
int main(void)
{
    henon_heiles_options o = henon_heiles_default_options;

    o.first_step = H;
    (void)henon_heiles_prepare(&henon_heiles_default_parameters, &c);
    CALLS
    return 0;
}
"""


@pytest.fixture(scope="module")
def build() -> Build:
    """Return a Hamiltonian that every scheme steps, with all of them."""
    return eomc.compile(eomc.load("henon_heiles"), integrator=NAMES)


@pytest.fixture(scope="module")
def folder(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return its folder."""
    path: Path = tmp_path_factory.mktemp("schemes")
    build.write(path)
    return path


def test_all_schemes_run_in_one_program(folder: Path, build: Build) -> None:
    """Each has a step or a run of its own order, beside all others."""
    steps = [row.name for row in INTEGRATORS if not row.adaptive]
    headers = "\n".join(f'#include "henon_heiles_{name}.h"' for name in NAMES)
    calls = "".join(f"RUN({name})\n" for name in NAMES) + "".join(f"STEP({name})\n" for name in steps)
    (folder / "all.c").write_text(f"#define H {H}{DRIVER}".replace("HEADERS", headers).replace("CALLS", calls))
    files = sorted(path.name for path in folder.glob("*.c") if path.name != "main.c")
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Werror", *files, "-o", "all", "-lm"], cwd=folder, check=True)
    answer = subprocess.run(["./all"], cwd=folder, check=True, capture_output=True, text=True)
    found = {
        line.split()[0]: np.array([float(word) for word in line.split()[1:]]) for line in answer.stdout.splitlines()
    }
    assert set(found) == {*NAMES, *(f"{name}_step" for name in steps)}

    def rates(_: float, x: np.ndarray) -> list[float]:  # of H = (px^2 + py^2 + x^2 + y^2) / 2 + x^2 y - y^3 / 3
        return [x[2], x[3], -x[0] - 2.0 * x[0] * x[1], -x[1] - x[0] ** 2 + x[1] ** 2]

    start = [state.value for state in build.program.states]
    exact = solve_ivp(rates, (0.0, 2.0 * H), start, method="DOP853", rtol=1e-13, atol=1e-15, t_eval=(H, 2.0 * H))
    for row in INTEGRATORS:
        for name, end in ((row.name, 1), *([] if row.adaptive else [(f"{row.name}_step", 0)])):
            error = np.abs(found[name][1:] - exact.y[:, end]).max()
            assert found[name][0] == 0, name
            assert error < (1e-7 if row.adaptive else H ** (row.order + 1)), name


def test_what_schemes_share_is_there_once(build: Build) -> None:
    """One q' alone for all that need it; `test_every_integrator` compiles what this emits without a warning."""
    assert sum("henon_heiles_rates(" in "".join(one.signature) for one in build.view.functions) == 1


def test_derivatives_are_those_of_the_first() -> None:
    """A step's derivative is of the first scheme, beside others that have none; so is a step of several states."""
    functions = "step_jacobian,step_lanes"
    build = eomc.compile(eomc.load("cart_pole"), integrator="heun,gauss3,semi_implicit_euler", functions=functions)
    text = next(one.text for one in build.artifacts if one.path == "cart_pole.h")
    assert "cart_pole_heun_step_jacobian(" in text
    assert "cart_pole_gauss3_step(" in text
    assert "cart_pole_semi_implicit_euler_step(" in text
    assert "semi_implicit_euler_step_jacobian" not in text
    source = next(one.text for one in build.artifacts if one.path == "cart_pole.c")
    assert "rates_of_lanes" not in source


@pytest.mark.parametrize("chosen", ["rk4,dop853", "rodas5p"])
def test_objects_depend_on_all_that_they_include(chosen, tmp_path):
    """The compiler tells what an object is made of, and make knows the same; a stale one has another struct."""
    eomc.compile(eomc.load("simple_pendulum"), integrator=chosen).write(tmp_path)
    rules = dict(re.findall(r"^(\w+)\.o: (.*)$", (tmp_path / "Makefile").read_text(), re.MULTILINE))
    assert {"main", "simple_pendulum_run"} < set(rules)
    for name, known in rules.items():
        told = subprocess.run(["gcc", "-MM", f"{name}.c"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert set(told.stdout.replace("\\\n", " ").split()[1:]) == {*known.split()} - {"simple_pendulum.flags"}
