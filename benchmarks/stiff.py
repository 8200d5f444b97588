"""Stiff motions: rodas5p against CVODE in C, both on the same emitted functions, at equal errors.

python benchmarks/stiff.py [--stiffness N] [--t-end S] [--repetitions N]

A double pendulum whose rods are springs with dampers. CVODE (BDF, dense Newton with the emitted Jacobian) needs the
header files and libraries of SUNDIALS, such as those of libsundials-dev. Every scheme runs at tolerances from 1e-3 to
1e-11, in turn with the other; medians of processor time are compared,
and the time at an error is the least of those that meet it. The error is the
largest of all states at the end, in units of 1 + |x|, against rodas5p at 1e-13.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import sympy as sm
from reporting import print_machine, print_table
from sympy.physics.mechanics import dynamicsymbols

import eomc

DRIVER = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include "@_rodas5p.h"

static @_constants c;
static @_work work;
static const @_source source = {0};
static double A[%_NX * %_NX];

static int rates(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)user;
    return (int)@_rhs(t, N_VGetArrayPointer(y), &@_default_inputs, &c, &work, N_VGetArrayPointer(dy));
}

static int slopes(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector d)
{
    double none[1];
    int i;
    int j;
    const int status = (int)@_jacobian(t, N_VGetArrayPointer(y), &@_default_inputs, &c, &work, A, none);

    (void)fy, (void)user, (void)a, (void)b, (void)d;
    for (i = 0; i < %_NX; ++i) {
        for (j = 0; j < %_NX; ++j) {
            SM_ELEMENT_D(J, i, j) = A[(i * %_NX) + j];
        }
    }
    return status;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long rodas(double t_end, double tolerance, double *x)
{
    static @_rodas5p run;
    @_options o = @_default_options;
    int which;
    int i;

    o.rtol = tolerance;
    o.atol = tolerance;
    o.dense = 0;
    (void)@_rodas5p_start(0.0, @_initial_state, &source, &o, &c, &work, &run);
    if (@_rodas5p_run(t_end, &source, &c, &work, &run, &which) != %_OK) {
        return -1;
    }
    for (i = 0; i < %_NX; ++i) {
        x[i] = run.at.x[i];
    }
    return run.at.steps;
}

static long cvode(double t_end, double tolerance, double *x)
{
    SUNContext context;
    long steps = -1;
    double t = 0.0;
    int i;

    (void)SUNContext_Create(NULL, &context);
    {
        N_Vector y = N_VNew_Serial(%_NX, context);
        SUNMatrix J = SUNDenseMatrix(%_NX, %_NX, context);
        SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
        void *memory = CVodeCreate(CV_BDF, context);

        for (i = 0; i < %_NX; ++i) {
            N_VGetArrayPointer(y)[i] = @_initial_state[i];
        }
        (void)CVodeInit(memory, rates, 0.0, y);
        (void)CVodeSStolerances(memory, tolerance, tolerance);
        (void)CVodeSetMaxNumSteps(memory, 100000000L);
        (void)CVodeSetLinearSolver(memory, solver, J);
        (void)CVodeSetJacFn(memory, slopes);
        (void)CVodeSetStopTime(memory, t_end);
        if (CVode(memory, t_end, y, &t, CV_NORMAL) >= 0) {
            (void)CVodeGetNumSteps(memory, &steps);
        }
        for (i = 0; i < %_NX; ++i) {
            x[i] = N_VGetArrayPointer(y)[i];
        }
        CVodeFree(&memory);
        SUNLinSolFree(solver);
        SUNMatDestroy(J);
        N_VDestroy(y);
    }
    SUNContext_Free(&context);
    return steps;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const double t_end = atof(argv[1]);
    const int repetitions = atoi(argv[2]);
    double exact[%_NX];
    static double x[2][%_NX];
    static double taken[2][1000];
    long steps[2];
    int i;
    int k;
    int which;

    (void)argc;
    (void)@_prepare(&@_default_parameters, &c);
    if (rodas(t_end, 1e-13, exact) < 0) {
        return 1;
    }
    for (k = 6; k <= 22; ++k) {
        const double tolerance = pow(10.0, -0.5 * k);

        for (i = 0; i < repetitions; ++i) {
            for (which = 0; which < 2; ++which) { /* in turn */
                const double begin = now();

                steps[which] = (which == 0) ? rodas(t_end, tolerance, x[0]) : cvode(t_end, tolerance, x[1]);
                taken[which][i] = now() - begin;
            }
        }
        for (which = 0; which < 2; ++which) {
            double error = 0.0;

            qsort(taken[which], (size_t)repetitions, sizeof(double), by_size);
            for (i = 0; i < %_NX; ++i) {
                error = fmax(error, fabs(x[which][i] - exact[i]) / (1.0 + fabs(exact[i])));
            }
            if (steps[which] >= 0) {
                const double middle = taken[which][repetitions / 2];

                (void)printf("%d %g %g %g %ld\n", which, tolerance, error, 1e3 * middle, steps[which]);
            }
        }
    }
    return 0;
}
"""


def pendulum(stiffness: float) -> eomc.Model:
    """Return two masses on springs, one hanging on the other, let go from the side."""
    a, r, b, s = dynamicsymbols("a r b s")
    t = dynamicsymbols._t
    m, k, c, g = sm.symbols("m k c g", positive=True)
    x, y = r * sm.sin(a), -r * sm.cos(a)
    u, v = x + s * sm.sin(b), y - s * sm.cos(b)
    kinetic = m * sum(place.diff(t) ** 2 for place in (x, y, u, v)) / 2
    potential = m * g * (y + v) + k * ((r - 1) ** 2 + (s - 1) ** 2) / 2
    return eomc.from_lagrangian(
        kinetic - potential,
        coordinates=[a, r, b, s],
        generalized_forces={r: -c * r.diff(t), s: -c * s.diff(t)},
        name="springs",
        parameters={m: 1.0, k: stiffness, c: 2.0 * stiffness**0.5, g: 9.81},
        initial={a: 1.0, r: 1.0, b: 0.5, s: 1.0},
    )


def main() -> None:
    """Run both and print times at equal errors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stiffness", type=float, default=1e8, help="N/m")
    parser.add_argument("--t-end", type=float, default=5.0, help="s")
    parser.add_argument("--repetitions", type=int, default=20)
    options = parser.parse_args()
    if not 1 <= options.repetitions <= 1000:
        parser.error("--repetitions is from 1 to 1000")
    print_machine()
    build = eomc.compile(pendulum(options.stiffness), integrator="rk4,rodas5p")
    name, macro = build.view.name, build.view.macro
    with tempfile.TemporaryDirectory() as folder:
        build.write(folder, library=True)
        (Path(folder) / "drive.c").write_text(DRIVER.replace("@", name).replace("%_", f"{macro}_"))
        sources = sorted(path.name for path in Path(folder).glob("*.c"))
        libraries = ["-lsundials_cvode", "-lsundials_nvecserial", "-lsundials_sunlinsoldense", "-lm"]
        subprocess.run(["gcc", "-O2", "-std=gnu99", *sources, "-o", "drive", *libraries], cwd=folder, check=True)
        command = ["./drive", str(options.t_end), str(options.repetitions)]
        found = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    runs: list[list[tuple[float, float, float, int]]] = [[], []]
    for line in found.splitlines():
        which, *numbers = line.split()
        tolerance, error, time, steps = map(float, numbers)
        runs[int(which)].append((tolerance, error, time, int(steps)))
    rows = []
    for wanted in (1e-5, 1e-8):
        best = [min((run for run in of if run[1] <= wanted), key=lambda run: run[2], default=None) for of in runs]
        if best[0] is None or best[1] is None:
            rows.append([f"{wanted:g}", "not met", "not met", ""])
            continue
        told = [f"{time:.3f} ms ({steps} steps, tolerance {tolerance:.1e})" for tolerance, _, time, steps in best]
        rows.append([f"{wanted:g}", *told, f"{best[1][2] / best[0][2]:.1f}"])
    print_table(["error", "rodas5p", "CVODE", "ratio"], rows)


if __name__ == "__main__":
    main()
