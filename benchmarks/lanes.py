"""What the right-hand side of eight states side by side gains over eight calls, by compiler and flags.

python benchmarks/lanes.py [MODEL ...] [--lanes N] [--math M] [--repetitions N]

Both are compiled by the same command into one library and called from the same C loop over the same random states,
which lie as each of them wants them; repetitions alternate, and medians of processor time are compared. Values are
compared first. What libm takes of a call, no vector makes shorter: "libm" is how often it is called.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from reporting import print_machine, print_table

import eomc
from eomc.build import Build

MODELS = ["henon_heiles", "kepler", "rolling_disk", "rolling_disk_dependent", "n_link_pendulum:5"]
FLAGS = ("-O2", "-O3", "-O2 -march=native", "-O3 -march=native", "-O3 -march=native -ffp-contract=off")
GROUPS = 32

TIMING = r"""
#define _POSIX_C_SOURCE 199309L
#include <string.h>
#include <time.h>
#include "@.h"

static @_lanes side_by_side[GROUPS][@@_NX], derivatives[@@_NX];
static @_real one_by_one[GROUPS][@@_LANES][@@_NX], derivative[@@_LANES][@@_NX];
static @_inputs inputs[@@_LANES];
static @_constants constants;
static @_work work;
static @_lanes times;

double time_calls(int count);
double time_lanes(int count);
int set_up(const double *x);

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds for `count` times one call for each lane */
double time_calls(int count)
{
    const double begin = now();
    int i, lane;

    for (i = 0; i < count; ++i) {
        for (lane = 0; lane < @@_LANES; ++lane) {
            (void)@_rhs(0.0, one_by_one[i % GROUPS][lane], &inputs[lane], &constants, &work, derivative[lane]);
        }
    }
    return now() - begin;
}

/* seconds for `count` calls for all lanes */
double time_lanes(int count)
{
    const double begin = now();
    @_status status[@@_LANES];
    int i;

    for (i = 0; i < count; ++i) {
        (void)@_rhs_lanes(&times, side_by_side[i % GROUPS], inputs, &constants, &work, derivatives, status);
    }
    return now() - begin;
}

/* Store the states; return in how many numbers the two differ. */
int set_up(const double *x)
{
    int group, lane, i, differences = 0;

    (void)@_prepare(&@_default_parameters, &constants);
    for (lane = 0; lane < @@_LANES; ++lane) {
        inputs[lane] = @_default_inputs;
    }
    for (group = 0; group < GROUPS; ++group) {
        for (lane = 0; lane < @@_LANES; ++lane) {
            for (i = 0; i < @@_NX; ++i) {
                one_by_one[group][lane][i] = side_by_side[group][i].of[lane] = *x++;
            }
        }
    }
    for (group = 0; group < GROUPS; ++group) {
        @_status status[@@_LANES];

        (void)@_rhs_lanes(&times, side_by_side[group], inputs, &constants, &work, derivatives, status);
        for (lane = 0; lane < @@_LANES; ++lane) {
            (void)@_rhs(0.0, one_by_one[group][lane], &inputs[lane], &constants, &work, derivative[lane]);
            for (i = 0; i < @@_NX; ++i) {
                differences += memcmp(&derivative[lane][i], &derivatives[i].of[lane], sizeof(@_real)) != 0;
            }
        }
    }
    return differences;
}
"""


class Race:
    """Both functions of one model, compiled by one command."""

    def __init__(self, build: Build, command: list[str], lanes: int) -> None:
        name = next(artifact.path for artifact in build.artifacts if artifact.kind == "header")[:-2]
        states = len(build.program.states)
        sources = {a.path: a.text for a in build.artifacts if a.kind in ("header", "source")}
        timing = TIMING.replace("@@", name.upper()).replace("@", name).replace("GROUPS", str(GROUPS))
        sources |= {"timing.c": timing}
        macro = f"-D{name.upper()}_LANES={lanes}"
        with tempfile.TemporaryDirectory() as folder:
            for path, text in sources.items():
                Path(folder, path).write_text(text, encoding="utf-8")
            units = [path for path in sources if path.endswith(".c")]
            line = [*command, "-std=c99", macro, "-fPIC", "-shared", "-o", "race.so", *units, "-lm"]
            subprocess.run(line, cwd=folder, check=True)
            self._library = ctypes.CDLL(str(Path(folder, "race.so")))
        self.lanes = lanes
        start = np.array([state.value for state in build.program.states])
        x = start + np.random.default_rng(1).uniform(-0.1, 0.1, (GROUPS, lanes, states))
        self.differences = self._library.set_up(ctypes.c_void_p(np.ascontiguousarray(x).ctypes.data))

    def run(self, which: str, count: int) -> float:
        """Return the processor time for all lanes once [s]."""
        function = getattr(self._library, f"time_{which}")
        function.restype = ctypes.c_double
        return float(function(count)) / count


def measure(race: Race, repetitions: int) -> tuple[float, float]:
    """Return the time of one call [s], and how many times faster a lane is."""
    count = max(64, int(1e-3 / race.run("calls", 1000)))
    calls, gains = [], []
    for _ in range(repetitions):
        calls.append(race.run("calls", count))
        gains.append(calls[-1] / race.run("lanes", count))
    return statistics.median(calls) / race.lanes, statistics.median(gains)


def in_python(build: Build, repetitions: int) -> list[str]:
    """Return what `sim.rhs` of many states takes for one of them [ns], with and without lanes."""
    alone = build.with_functions([]).load()
    together = build.load()
    x = alone.initial_state + np.random.default_rng(1).uniform(-0.1, 0.1, (4096, len(alone.state_names)))
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(repetitions):
        for lanes, sim in ((False, alone), (True, together)):
            begin = time.process_time()
            sim.rhs(0.0, x)
            seconds[lanes].append((time.process_time() - begin) / len(x))
    gain = statistics.median(a / b for a, b in zip(seconds[False], seconds[True], strict=True))
    return [f"{statistics.median(seconds[False]) * 1e9:.1f}", f"{gain:.2f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--lanes", type=int, default=8)
    parser.add_argument("--math", choices=("libm", "strict", "fast"), default="libm")
    parser.add_argument("--repetitions", type=int, default=51)
    arguments = parser.parse_args()
    print_machine()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    builds = {
        name: eomc.compile(eomc.load(name), functions=["rhs_lanes"], math=arguments.math) for name in arguments.models
    }
    rows = []
    for name, build in builds.items():
        for compiler in filter(shutil.which, ("gcc", "clang")):
            for flags in FLAGS:
                race = Race(build, [compiler, *flags.split(), *build.flags], arguments.lanes)
                own, gain = measure(race, arguments.repetitions)
                same = "equal" if not race.differences else f"{race.differences} differ"
                counts = build.statistics.code.functions[0].counts
                sizes = [str(counts.total), str(counts.functions + counts.square_roots)]
                rows.append([name, *sizes, compiler, flags, f"{own * 1e9:.1f}", f"{gain:.2f}", same])
    print_table(["model", "operations", "libm", "compiler", "flags", "ns a call", "gain in lanes", "bits"], rows)
    print("\nsim.rhs of 4096 states, compiled as Python's binding does by default:\n")
    print_table(
        ["model", "ns a state", "gain in lanes"],
        [[name, *in_python(build, arguments.repetitions)] for name, build in builds.items()],
    )


if __name__ == "__main__":
    main()
