"""CVODE of SUNDIALS in C on the functions that eomc emits: the peer of `stiff.py` and `work_precision.py`.

Needs the header files and libraries of SUNDIALS 6, such as those of libsundials-dev.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import eomc

__all__ = ["Cvode", "cvode_is_here"]

SOURCE = r"""
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include "@.h"

static @_constants c;
static @_work work;

static int rates(realtype t, N_Vector y, N_Vector dy, void *user)
{
    (void)user;
    return (int)@_rhs(t, N_VGetArrayPointer(y), &@_default_inputs, &c, &work, N_VGetArrayPointer(dy));
}

#ifdef STIFF
static int slopes(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector d)
{
    static double A[%_NX * %_NX];
    static double B[%_NX * (%_NR + 1)];
    const int status = (int)@_jacobian(t, N_VGetArrayPointer(y), &@_default_inputs, &c, &work, A, B);

    (void)fy, (void)user, (void)a, (void)b, (void)d;
    for (int i = 0; i < %_NX; ++i) {
        for (int j = 0; j < %_NX; ++j) {
            SM_ELEMENT_D(J, i, j) = A[(i * %_NX) + j];
        }
    }
    return status;
}
#endif

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds for a run from the start of the model to a tolerance; below zero when it fails */
double time_run(double t_end, double tolerance, double *x, long *steps)
{
    SUNContext context;
    double t = 0.0;
    int failed;

    (void)@_prepare(&@_default_parameters, &c);
    (void)SUNContext_Create(NULL, &context);
    const double begin = now();
    N_Vector y = N_VNew_Serial(%_NX, context);
    for (int i = 0; i < %_NX; ++i) {
        N_VGetArrayPointer(y)[i] = @_initial_state[i];
    }
#ifdef STIFF
    void *memory = CVodeCreate(CV_BDF, context);
    SUNMatrix J = SUNDenseMatrix(%_NX, %_NX, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
#else
    void *memory = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
#endif
    (void)CVodeInit(memory, rates, 0.0, y);
    (void)CVodeSStolerances(memory, tolerance, tolerance);
    (void)CVodeSetMaxNumSteps(memory, 100000000L);
    (void)CVodeSetErrHandlerFn(memory, NULL, NULL);
#ifdef STIFF
    (void)CVodeSetLinearSolver(memory, solver, J);
    (void)CVodeSetJacFn(memory, slopes);
#else
    (void)CVodeSetNonlinearSolver(memory, solver);
#endif
    (void)CVodeSetStopTime(memory, t_end);
    failed = CVode(memory, t_end, y, &t, CV_NORMAL) < 0;
    (void)CVodeGetNumSteps(memory, steps);
    for (int i = 0; i < %_NX; ++i) {
        x[i] = N_VGetArrayPointer(y)[i];
    }
    CVodeFree(&memory);
#ifdef STIFF
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
#else
    SUNNonlinSolFree(solver);
#endif
    N_VDestroy(y);
    const double seconds = now() - begin;
    SUNContext_Free(&context);
    return failed ? -1.0 : seconds;
}
"""
LIBRARIES = ("cvode", "nvecserial", "sunlinsoldense", "sunmatrixdense", "sunnonlinsolfixedpoint")


def cvode_is_here() -> bool:
    """Say whether a program that uses CVODE compiles."""
    line = ["gcc", "-fsyntax-only", "-include", "cvode/cvode.h", "-x", "c", "-"]
    return subprocess.run(line, input="", text=True, capture_output=True, check=False).returncode == 0


class Cvode:
    """Runs of one model: BDF with a dense Newton method and our Jacobian if stiff, else Adams with fixed points."""

    def __init__(self, model: eomc.Model, stiff: bool) -> None:
        build = eomc.compile(model, functions=["jacobian"] if stiff else [])
        self._width = len(build.program.states)
        text = SOURCE.replace("@", build.view.name).replace("%_", f"{build.view.macro}_")
        with tempfile.TemporaryDirectory() as folder:
            build.write(folder, library=True)
            (Path(folder) / "drive.c").write_text(text, encoding="utf-8")
            sources = sorted(path.name for path in Path(folder).glob("*.c"))
            line = ["gcc", "-O2", "-std=gnu99", "-fPIC", "-shared", *(["-DSTIFF"] if stiff else []), *sources]
            libraries = [f"-lsundials_{name}" for name in LIBRARIES]
            subprocess.run([*line, "-o", "run.so", *libraries, "-lm"], cwd=folder, check=True)
            self._run = ctypes.CDLL(str(Path(folder, "run.so"))).time_run
        self._run.restype = ctypes.c_double
        self.steps = 0

    def once(self, t_end: float, tolerance: float) -> tuple[float, NDArray[np.float64]]:
        """Return processor time and end of a run, NaN where it fails; `steps` are those that it took."""
        x, steps = (ctypes.c_double * self._width)(), ctypes.c_long()
        seconds = self._run(ctypes.c_double(t_end), ctypes.c_double(tolerance), x, ctypes.byref(steps))
        self.steps = steps.value
        return (seconds, np.array(x)) if seconds >= 0.0 else (np.nan, np.full(self._width, np.nan))
