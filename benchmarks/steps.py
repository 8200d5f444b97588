"""What one step of one state takes, by compiler and flags.

python benchmarks/steps.py [MODEL ...] [--integrator NAME] [--repetitions N]

Every library of a model takes its steps in turn with the others, each time from the same state; medians of processor
time are compared. The first line of a model is gcc -O2, and "of the first" is the median of ratios to it: stores of a
stage that the next one waits for make -O3 -march=native slower than that.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from reporting import print_machine, print_table

import eomc

MODELS = ["henon_heiles", "cart_pole", "double_pendulum", "spherical_pendulum", "rolling_disk", "n_link_pendulum:5"]
COMMANDS = [
    ["gcc", "-O2"],
    ["gcc", "-O3", "-march=native"],
    ["gcc", "-O3", "-march=native", "-ffp-contract=off"],
    ["gcc", "-Os"],
    ["clang", "-O2"],
    ["clang", "-O3", "-march=native"],
]

TIMING = r"""
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#include "@.h"

double time_steps(int count);

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds for `count` steps from the start of the model; below zero when one fails */
double time_steps(int count)
{
    static @_constants constants;
    static @_work work;
    @_real x[@@_NX];
    int failures = (int)@_prepare(&@_default_parameters, &constants);
    double begin;
    int i;

    for (i = 0; i < @@_NX; ++i) {
        x[i] = @_initial_state[i];
    }
    begin = now();
    for (i = 0; i < count; ++i) {
        failures |= (int)@_%_step_held(1e-4 * i, 1e-4, &@_default_inputs, &constants, &work, x);
    }
    return failures ? -1.0 : now() - begin;
}
"""


class Steps:
    """The steps of one model, compiled by one command."""

    def __init__(self, sources: Mapping[str, str], command: Sequence[str], integrator: str) -> None:
        name = next(path for path in sources if path.endswith(".h")).removesuffix(".h")
        timing = TIMING.replace("@@", name.upper()).replace("@", name).replace("%", integrator)
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {**sources, "timing.c": timing}.items():
                Path(folder, path).write_text(text, encoding="utf-8")
            units = [path for path in (*sources, "timing.c") if path.endswith(".c")]
            line = [*command, "-std=gnu99", "-fPIC", "-shared", "-o", "steps.so", *units, "-lm"]
            subprocess.run(line, cwd=folder, check=True)
            self._time = ctypes.CDLL(str(Path(folder, "steps.so"))).time_steps
        self._time.restype = ctypes.c_double
        self._count = max(64, int(2e-3 / self._seconds(1000)))

    def _seconds(self, count: int) -> float:
        seconds = float(self._time(count))
        if seconds < 0.0:
            raise SystemExit("a step failed")
        return seconds / count

    def once(self) -> float:
        """Return the processor time of a step [s]."""
        return self._seconds(self._count)


def in_turn(racers: Sequence[Steps], repetitions: int) -> list[tuple[float, float]]:
    """Return the time of a step [s], and its ratio to the first one's, of each; medians."""
    rounds = [[racer.once() for racer in racers] for _ in range(repetitions)]
    ratios = [[seconds / each[0] for seconds in each] for each in rounds]
    return [
        (statistics.median(a), statistics.median(b))
        for a, b in zip(zip(*rounds, strict=True), zip(*ratios, strict=True), strict=True)
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--integrator", default="rk4")
    parser.add_argument("--repetitions", type=int, default=51)
    arguments = parser.parse_args()
    print_machine()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    commands = [command for command in COMMANDS if shutil.which(command[0])]
    rows = []
    for name in arguments.models:
        build = eomc.compile(eomc.load(name), integrator=arguments.integrator, functions=[])
        sources = {a.path: a.text for a in build.artifacts if a.kind in ("header", "source")}
        racers = [Steps(sources, command, arguments.integrator) for command in commands]
        figures = in_turn(racers, arguments.repetitions)
        for first, command, (seconds, ratio) in zip(itertools.count(), commands, figures, strict=False):
            told = ["" if first else name, " ".join(command), f"{seconds * 1e9:.1f}", f"{ratio:.2f}"]
            rows.append(told)
    print_table(["model", "compiled by", "ns a step", "of the first"], rows)


if __name__ == "__main__":
    main()
