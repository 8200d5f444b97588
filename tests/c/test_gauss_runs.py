"""Runs of gauss3 in the emitted C: sums are compensated from step to step, slopes begin near to what they are."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc

pytestmark = pytest.mark.needs_cc

DRIVER = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "@_gauss3.h"
static const @_source source = {SOURCE};
int main(int argc, char **argv)
{
    static @_constants c;
    static @_work work;
    static @_gauss3 run;
    @_options o = @_default_options;
    @_real e[%_ENERGY_SIZE];
    const int steps = atoi(argv[1]);
    const double h = atof(argv[2]);
    double first = 0.0;
    double worst = 0.0;
    int status;
    int k;
    int i;

    (void)argc;
    (void)@_prepare(&@_default_parameters, &c);
    o.first_step = (@_real)h;
    o.dense = 0;
    o.most_steps = 0;
    status = @_gauss3_start((@_real)0, @_initial_state, &source, &o, &c, &work, &run);
    for (k = 1; (k <= steps) && (status == %_OK); ++k) {
        status = @_gauss3_advance((@_real)(k * h), &source, &c, &work, &run);
        if (argv[3][0] == 'j') { @_run_jumped(&run.at); }
        (void)@_energy(run.at.t, run.at.x, &@_default_inputs, &c, &work, e);
        first = (k == 1) ? (double)e[0] : first;
        worst = (fabs((double)e[0] - first) > worst) ? fabs((double)e[0] - first) : worst;
        if ((k % 100) != 0) { continue; }
        (void)printf("%.17g", worst);
        for (i = 0; i < %_NX; ++i) { (void)printf(" %.17g", (double)run.at.x[i]); }
        (void)puts("");
    }
    (void)fprintf(stderr, "%d %d", status, (int)run.at.steps);
    return 0;
}
"""


def run(
    folder: Path, build: Any, steps: int, h: float, how: str = "on", source: str = "0", data: str = ""
) -> np.ndarray:
    """Return the largest error of the first energy and the state, each 100 steps; `how` jump: nothing is kept."""
    name, macro = build.view.name, build.view.macro
    build.write(folder, library=True)
    text = DRIVER.replace("SOURCE", source).replace("static const @_source", f"{data}static const @_source")
    (folder / "drive.c").write_text(text.replace("@", name).replace("%_", f"{macro}_"))
    files = sorted(path.name for path in folder.glob("*.c"))
    subprocess.run(["gcc", "-std=c99", "-O2", *files, "-o", "drive", "-lm"], cwd=folder, check=True)
    words = ["./drive", str(steps), str(h), how]
    answer = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    assert answer.stderr == f"0 {steps}"
    return np.array([[float(word) for word in line.split()] for line in answer.stdout.splitlines()])


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
    data = "static const @_inputs v[2] = {{0}, {4}};\nstatic const @_real s[2] = {0, 2};\n"
    end = run(tmp_path, build, 100, 0.01, source="%_LINES, v, s, 2, 0, 0, 0, 0", data=data)[-1, 1:]
    single = build.load().simulate(1.0, 0.01, inputs=lambda t: {"F": 2.0 * t}).x[-1]
    assert np.abs(end - single).max() < 1e-12


def test_strict_compilers(tmp_path: Path, silent: Callable[..., None]) -> None:
    """With inputs and without, in both precisions: not one warning."""
    for name in ("cart_pole", "kepler"):
        build = eomc.compile(eomc.load(name), integrator="gauss3", functions="run")
        build.write(tmp_path / name, library=True)
        silent(tmp_path / name, build.view.macro, [f"{name}.c", f"{name}_gauss3.c"])
