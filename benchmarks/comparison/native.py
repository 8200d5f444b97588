"""C and C++ of contenders: compiled with the same flags, called in loops that are the same for all."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

__all__ = ["LOOP", "Loop", "compiled", "processor_seconds", "text_of"]

LOOP = r"""
#define _POSIX_C_SOURCE 199309L
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds of `calls` calls at the states in turn: x, e (inputs or accelerations) and the result y */
#define LOOP(name, nx, ne, call) \
double name(const double *xs, const double *es, double *y, int states, int calls) \
{ \
    const double begin = now(); \
    int k = 0, i; \
    for (i = 0; i < calls; ++i) { \
        const double *x = xs + (long)k * (nx), *e = es + (long)k * (ne); \
        call; \
        (void)x; (void)e; \
        k = (k + 1 == states) ? 0 : k + 1; \
    } \
    return now() - begin; \
}
"""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of calls, with the arguments in the contender's own order."""

    function: Callable[..., float]
    x: np.ndarray  # (k, nx)
    e: np.ndarray  # (k, ne)
    size: int  # numbers of a result

    @classmethod
    def of(cls, library: Path, name: str, x: np.ndarray, e: np.ndarray, size: int) -> Loop:
        """Return a loop of a shared library."""
        function = getattr(ctypes.CDLL(str(library)), name)
        pointer = ctypes.POINTER(ctypes.c_double)
        function.restype, function.argtypes = ctypes.c_double, [pointer, pointer, pointer, ctypes.c_int, ctypes.c_int]

        def run(x: np.ndarray, e: np.ndarray, y: np.ndarray, calls: int) -> float:
            arrays = (a.ctypes.data_as(pointer) for a in (x, e, y))
            return float(function(*arrays, len(x), calls))

        e = e if e.shape[1] else np.zeros((len(x), 1))
        return cls(run, np.ascontiguousarray(x, dtype=float), np.ascontiguousarray(e, dtype=float), size)

    def values(self) -> np.ndarray:
        """Return the results at all states."""
        results = np.zeros((len(self.x), self.size))
        for x, e, result in zip(self.x, self.e, results, strict=True):
            self.function(x[None], e[None], result, 1)
        return results

    def seconds(self, calls: int) -> float:
        """Return the time of a block of calls."""
        return self.function(self.x, self.e, np.empty(self.size), calls)


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of some work, in this process and in those that it waits for."""
    before = time.process_time() + _of_children()
    work()
    return time.process_time() + _of_children() - before


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compiled(
    sources: Iterable[Path], target: Path, flags: Sequence[str], limit: float, *, more: Sequence[str] = (),
    compiler: str = "gcc",
) -> float:  # fmt: skip
    """Make a shared library of sources and return the processor time that it took.

    Raises
    ------
    TimeoutError
        It takes longer than `limit` seconds.
    RuntimeError
        The compiler refuses the sources.
    """
    command = [compiler, *flags, "-w", "-fPIC", "-shared", "-o", str(target), *map(str, sources), *more, "-lm"]
    before = _of_children()
    process = subprocess.Popen(
        command, cwd=target.parent, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        _, told = process.communicate(timeout=limit)
    except (subprocess.TimeoutExpired, TimeoutError):
        os.killpg(process.pid, 9)  # the compiler's own children, too
        process.communicate()
        raise TimeoutError(f"{compiler} takes longer than {limit:.0f} s") from None
    if process.returncode:
        raise RuntimeError(f"{compiler} refuses {target.stem}: {told[:500]}")
    return _of_children() - before


def text_of(source: Path, without: Sequence[str], flags: Sequence[str], limit: float) -> int:
    """Return the bytes of a source's functions and tables at -Os, those of some names apart.

    For this processor where the flags say so.
    """
    part = source.with_suffix(".os.o")
    native = [flag for flag in flags if flag == "-march=native"]
    command = ["gcc", "-Os", *native, "-w", "-c", str(source), "-o", str(part)]
    subprocess.run(command, cwd=source.parent, check=True, timeout=limit)
    told = subprocess.run(["nm", "--print-size", "-t", "d", str(part)], check=True, capture_output=True, text=True)
    rows = [line.split() for line in told.stdout.splitlines()]
    return sum(
        int(row[1])
        for row in rows
        if len(row) == 4 and row[2] in "tTrR" and not any(word in row[3] for word in without)
    )
