"""Runs of gauss3 in the emitted C: sums are compensated from step to step, slopes begin near to what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driving import NONE, program

import eomc

pytestmark = pytest.mark.needs_cc

DRIVER = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "MODEL_gauss3.h"
SOURCE
int main(int argc, char **argv)
{
    static MODEL_constants c;
    static MODEL_work work;
    static MODEL_gauss3 run;
    MODEL_options o = MODEL_default_options;
    MODEL_real e[MACRO_ENERGY_SIZE];
    const int steps = atoi(argv[1]);
    const double h = atof(argv[2]);
    double first = 0.0;
    double worst = 0.0;
    int status;
    int k;
    int i;

    (void)argc;
    (void)MODEL_prepare(&MODEL_default_parameters, &c);
    o.first_step = (MODEL_real)h;
    o.dense = 0;
    o.most_steps = 0;
    status = MODEL_gauss3_start((MODEL_real)0, MODEL_initial_state, &source, &o, &c, &work, &run);
    for (k = 1; (k <= steps) && (status == MACRO_OK); ++k) {
        status = MODEL_gauss3_advance((MODEL_real)(k * h), &source, &c, &work, &run);
        if (argv[3][0] == 'j') { MODEL_run_jumped(&run.at); }
        (void)MODEL_energy(run.at.t, run.at.x, &MODEL_default_inputs, &c, &work, e);
        first = (k == 1) ? (double)e[0] : first;
        worst = (fabs((double)e[0] - first) > worst) ? fabs((double)e[0] - first) : worst;
        if ((k % 100) != 0) { continue; }
        (void)printf("%.17g", worst);
        for (i = 0; i < MACRO_NX; ++i) { (void)printf(" %.17g", (double)run.at.x[i]); }
        (void)puts("");
    }
    (void)printf("%d %d\\n", status, (int)run.at.steps);
    return 0;
}
"""


def run(folder: Path, build: Any, steps: int, h: float, how: str = "on", source: str = NONE) -> np.ndarray:
    """Return the largest error of the first energy and the state, each 100 steps; `how` jump: nothing is kept."""
    build.write(folder, library=True)
    *lines, last = program(folder, build.view, DRIVER.replace("SOURCE", source), "-O2")(steps, h, how).splitlines()
    assert last == f"0 {steps}"
    return np.array([[float(word) for word in line.split()] for line in lines])


def test_compensated_sums(tmp_path: Path) -> None:
    """Over 400,000 steps the energy of an orbit errs by some units in the last place, by more where sums start anew."""
    build = eomc.compile(eomc.load("kepler"), integrator="gauss3", functions="energy,run")
    kept, anew = (run(tmp_path, build, 400_000, 0.02, how) for how in ("on", "jump"))
    assert kept[-1, 0] < 8e-15
    assert anew[-1, 0] > 1.5 * kept[-1, 0]
    assert np.abs(kept[:10, 1:] - anew[:10, 1:]).max() < 1e-11  # one motion


def test_inputs_that_move(tmp_path: Path) -> None:
    """The run of a driven cart has the states of single steps, to rounding; samples are asked within steps."""
    build = eomc.compile(eomc.load("cart_pole"), integrator="gauss3", functions="energy,run")
    source = "static const MODEL_inputs v[2] = {{0}, {4}};\nstatic const MODEL_real s[2] = {0, 2};\n"
    source += "static const MODEL_source source = {MACRO_LINES, v, s, 2, 0, 0, 0, 0};"
    end = run(tmp_path, build, 100, 0.01, source=source)[-1, 1:]
    single = build.load().simulate(1.0, 0.01, inputs=lambda t: {"F": 2.0 * t}).x[-1]
    assert np.abs(end - single).max() < 1e-12


def test_strict_compilers(tmp_path: Path, silent: Callable[..., None]) -> None:
    """With inputs and without, in both precisions: not one warning."""
    for name in ("cart_pole", "kepler"):
        build = eomc.compile(eomc.load(name), integrator="gauss3", functions="run")
        build.write(tmp_path / name, library=True)
        silent(tmp_path / name, build.view.macro, [f"{name}.c", f"{name}_gauss3.c"])
