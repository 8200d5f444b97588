"""What a run of some accuracy costs, by integrator, beside SciPy's DOP853 over `sim.rhs`.

python benchmarks/integrators.py [MODEL[@SECONDS] ...] [--math M] [--cflags FLAGS] [--repetitions N]

First two runs to a tight tolerance, eomc's and SciPy's, have to agree; errors are the largest at the end against the
first. Then all take their runs in turn, and medians of processor time are compared. "of SciPy" is the time of a run by
SciPy of the same error, between those of its tolerances, over that of the line.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from reporting import print_machine, print_table
from scipy.integrate import solve_ivp

import eomc
from eomc.integrators import INTEGRATORS

RUNS = ["double_pendulum@100", "cart_pole@20", "n_link_pendulum:5@10"]
RACING = ("rk4", "dopri5", "dop853")
TOLERANCES = [1e-4, 1e-6, 1e-8, 1e-10, 1e-12]
SCIPY = [1e-4, 1e-6, 1e-8, 1e-10, 1e-12]
STEPS = [1e-2, 1e-3, 2e-4]
TIGHT = 3e-14
AGREE = 1e-6  # of runs to the tight tolerance, in which motions diverge

TIMING = r"""
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#include "@_%.h"

double time_run(double t_end, double how, int fixed, double *x, int *steps);

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds for a run from the start of the model to a tolerance, or in steps of a length; below zero when it fails */
double time_run(double t_end, double how, int fixed, double *x, int *steps)
{
    static @_constants constants;
    static @_work work;
    static @_% run;
    @_source source = INPUTS;
    @_options options = @_default_options;
    int status = (int)@_prepare(&@_default_parameters, &constants);
    int which;
    int i;
    double begin;
    double seconds;

    options.dense = 0;
    if (fixed) {
        options.first_step = how;
    } else {
        options.rtol = how;
        options.atol = how;
    }
    begin = now();
    status |= (int)@_%_start(0.0, @_initial_state, &source, &options, &constants, &work, &run);
    status |= (int)@_%_run(t_end, &source, &constants, &work, &run, &which);
    seconds = now() - begin;
    for (i = 0; i < @@_NX; ++i) {
        x[i] = run.at.x[i];
    }
    *steps = (int)run.at.steps;
    return (status == 0) ? seconds : -1.0;
}
"""


class Point(NamedTuple):
    """A run: how it was asked for, its error and its time."""

    integrator: str
    how: float
    error: float
    seconds: float


class Racer:
    """Runs of one model by one integrator, in C; of Taylor series to one order."""

    def __init__(
        self,
        model: eomc.Model,
        integrator: str,
        fixed: bool,
        order: int | None = None,
        math: str = "libm",
        flags: str = "-O2",
    ) -> None:
        build = eomc.compile(model, integrator=integrator, functions="run", math=math)
        name, files = build.view.name, {a.path: a.text for a in build.library}
        held = f"{{{name.upper()}_HELD, &{name}_default_inputs, 0, 0, 0, 0, 0, 0}}" if model.inputs else "{0}"
        timing = TIMING.replace("INPUTS", held).replace("@@", name.upper()).replace("@", name).replace("%", integrator)
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {**files, "timing.c": timing}.items():
                Path(folder, path).write_text(text, encoding="utf-8")
            units = [path for path in (*files, "timing.c") if path.endswith(".c")]
            line = ["gcc", *flags.split(), "-fno-math-errno", "-std=gnu99", "-fPIC", "-shared", "-o", "run.so", *units]
            line += ["-lm"]
            line += [] if order is None else [f"-D{name.upper()}_TAYLOR_ORDER={order}"]
            subprocess.run(line, cwd=folder, check=True)
            self._run = ctypes.CDLL(str(Path(folder, "run.so"))).time_run
        self._run.restype = ctypes.c_double
        self._fixed, self.steps = fixed, 0
        self.integrator, self.width = integrator, len(build.program.states)

    def once(self, t_end: float, how: float) -> tuple[float, NDArray[np.float64]]:
        """Return processor time and end of a run."""
        x, steps = (ctypes.c_double * self.width)(), ctypes.c_int()
        seconds = self._run(ctypes.c_double(t_end), ctypes.c_double(how), int(self._fixed), x, ctypes.byref(steps))
        self.steps = steps.value
        if seconds < 0.0:
            raise SystemExit(f"a run by {self.integrator} failed")
        return seconds, np.array(x)


def measured(name: str, t_end: float, options: argparse.Namespace) -> tuple[list[Point], list[Point]]:
    """Return the runs of eomc and those of SciPy."""
    model, repetitions, how = eomc.load(name), options.repetitions, {"math": options.math, "flags": options.cflags}
    racers = [Racer(model, row.name, not row.adaptive, **how) for row in INTEGRATORS if row.name in RACING]
    sim = eomc.compile(model, functions=[], math=options.math).load()
    exact = next(racer for racer in racers if racer.integrator == "dop853").once(t_end, TIGHT)[1]

    def scipy_run(tolerance: float) -> tuple[float, NDArray[np.float64]]:
        begin = time.process_time()
        found = solve_ivp(sim.rhs, (0.0, t_end), sim.initial_state, "DOP853", rtol=tolerance, atol=tolerance)
        return time.process_time() - begin, found.y[:, -1]

    apart = float(np.abs(scipy_run(TIGHT)[1] - exact).max())
    if not apart < AGREE:
        raise SystemExit(f"{name}: eomc and SciPy are {apart:.1e} apart after {t_end:g} s: take a shorter run")
    print(f"{name}, {t_end:g} s: eomc and SciPy agree to {apart:.1e}")
    asked = [(racer, how) for racer in racers for how in (STEPS if racer.integrator == "rk4" else TOLERANCES)]
    rounds = [[racer.once(t_end, how) for racer, how in asked] for _ in range(repetitions)]
    ours = [
        Point(racer.integrator, how, float(np.abs(rounds[0][k][1] - exact).max()), _median([r[k][0] for r in rounds]))
        for k, (racer, how) in enumerate(asked)
    ]
    theirs = []
    for tolerance in SCIPY:
        runs = [scipy_run(tolerance) for _ in range(max(1, repetitions // 5))]
        error = float(np.abs(runs[0][1] - exact).max())
        theirs.append(Point("SciPy DOP853", tolerance, error, _median([seconds for seconds, _ in runs])))
    return ours, theirs


def _median(values: Sequence[float]) -> float:
    return statistics.median(values)


def at_error(points: Sequence[Point], error: float) -> float:
    """Return the time of a run of this error, between those that there are; NaN beyond them."""
    ordered = sorted(points, key=lambda point: point.error)
    errors = np.log([point.error for point in ordered])
    times = np.log([point.seconds for point in ordered])
    return float(np.exp(np.interp(np.log(error), errors, times, left=np.nan, right=np.nan)))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", default=RUNS, metavar="MODEL[@SECONDS]")
    parser.add_argument("--repetitions", type=int, default=11)
    parser.add_argument("--math", default="libm", help="libm, strict or fast, of both sides")
    parser.add_argument("--cflags", default="-O2", help="of eomc's side; SciPy's has those of the binding")
    arguments = parser.parse_args()
    print_machine()
    for run in arguments.runs:
        name, _, seconds = run.partition("@")
        ours, theirs = measured(name, float(seconds or 10.0), arguments)
        rows = []
        for point in (*ours, *theirs):
            ratio = at_error(theirs, point.error) / point.seconds
            told = "" if point in theirs or not np.isfinite(ratio) else f"{ratio:.0f}"
            rows.append([point.integrator, f"{point.how:g}", f"{point.error:.1e}", f"{point.seconds * 1e3:.3g}", told])
        print_table(["integrator", "tolerance or step", "error", "ms", "of SciPy"], rows)
        print()


if __name__ == "__main__":
    main()
