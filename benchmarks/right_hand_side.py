"""How long one right-hand side takes in C, ours against SymPy's, in one process with the same compiler and flags.

python benchmarks/right_hand_side.py [MODEL ...] [--repetitions N]

SymPy's: M, f and q' of KanesMethod, common subexpressions taken out of all together, C printing, then L D L^T: as a
routine with loops, as one would write it by hand (the ratio that the goals speak of), and, in the column "straight",
unrolled over the nonzeros, as only a generator like eomc does it. All are called from the same C loop over the same
random states; repetitions alternate, and medians of processor time are compared. Values are compared first.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import tempfile
from pathlib import Path

import numpy as np
import peers
from reporting import print_machine, print_table

import eomc
from eomc.binding.compiler import find_compiler
from eomc.build import Build

GOALS = {"n_link_pendulum:5": 0.6, "n_link_pendulum:10": 0.4, "rolling_disk": 1.0}
STATES = 64
PEERS = ("loops", "straight")

TIMING = r"""
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#include "@.h"

typedef void right_hand_side(const double *x, const double *r, const double *p, double *dx);

right_hand_side loops_rhs, straight_rhs;
double time_ours(const double *x, const double *r, const double *p, double *dx, int calls);
double time_loops(const double *x, const double *r, const double *p, double *dx, int calls);
double time_straight(const double *x, const double *r, const double *p, double *dx, int calls);

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* seconds for `calls` calls; dx of the state of the last one */
double time_ours(const double *x, const double *r, const double *p, double *dx, int calls)
{
    @_constants c;
    @_work work;
    double begin;
    int i;

    (void)@_prepare((const @_parameters *)p, &c);
    begin = now();
    for (i = 0; i < calls; ++i) {
        (void)@_rhs(0.0, x + (i % STATES) * NX, (const @_inputs *)r, &c, &work, dx);
    }
    return now() - begin;
}

double time_loops(const double *x, const double *r, const double *p, double *dx, int calls)
{
    double begin = now();
    int i;

    for (i = 0; i < calls; ++i) {
        loops_rhs(x + (i % STATES) * NX, r, p, dx);
    }
    return now() - begin;
}

double time_straight(const double *x, const double *r, const double *p, double *dx, int calls)
{
    double begin = now();
    int i;

    for (i = 0; i < calls; ++i) {
        straight_rhs(x + (i % STATES) * NX, r, p, dx);
    }
    return now() - begin;
}
"""


class Race:
    """Both right-hand sides of one model in one shared library."""

    def __init__(self, name: str) -> None:
        self.build: Build = eomc.compile(eomc.load(name))
        self.peer = peers.share(peers.derive(name))
        program = self.build.program
        states = [variable.name for variable in program.states]
        assert [str(symbol) for symbol in self.peer.states] == states, "the two have the same state"
        c_name = next(artifact.path for artifact in self.build.artifacts if artifact.kind == "header")[:-2]
        sources = {a.path: a.text for a in self.build.artifacts if a.kind in ("header", "source")}
        timing = TIMING.replace("STATES", str(STATES)).replace("NX", str(len(states))).replace("@", c_name)
        sources |= {f"{name}.c": peers.print_c(self.peer, f"{name}_rhs", loops=name == "loops") for name in PEERS}
        sources |= {"timing.c": timing}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "race.so")
            path.write_bytes(find_compiler().shared_library(sources))
            self._library = ctypes.CDLL(str(path))
        ranges = {str(bound.symbol.func.__name__): (bound.low, bound.high) for bound in self.build.model.ranges}
        random = np.random.default_rng(1)
        self._x = np.array([[random.uniform(*ranges.get(s, (-1, 1))) for s in states] for _ in range(STATES)])
        parameters = {variable.name: variable.value for variable in program.parameters}
        inputs = {variable.name: 0.3 for variable in program.inputs}
        self._ours = (np.array([*inputs.values(), 0.0]), np.array(list(parameters.values())))
        self._theirs = (
            np.array([*(inputs[str(r)] for r in self.peer.inputs), 0.0]),
            np.array([parameters[str(p)] for p in self.peer.parameters]),
        )

    def run(self, which: str, calls: int) -> tuple[float, np.ndarray]:
        """Return the processor time of one call [s], and the last dx."""
        function = getattr(self._library, f"time_{which}")
        function.restype = ctypes.c_double
        dx = np.zeros(self._x.shape[1])
        arrays = (self._x, *(self._ours if which == "ours" else self._theirs), dx)
        seconds = function(*(ctypes.c_void_p(array.ctypes.data) for array in arrays), calls)
        return seconds / calls, dx

    def difference(self) -> float:
        """Return the largest difference of the two at the random states, in proportion to the size of dx."""
        worst = 0.0
        for calls in range(1, STATES + 1):
            ours = self.run("ours", calls)[1]
            for peer in PEERS:
                theirs = self.run(peer, calls)[1]
                worst = max(worst, float(np.abs(ours - theirs).max() / (1.0 + np.abs(theirs).max())))
        return worst


def main() -> None:
    """Compare the values, then the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=["rolling_disk", "n_link_pendulum:5", "n_link_pendulum:10"])
    parser.add_argument("--repetitions", type=int, default=101)
    arguments = parser.parse_args()
    print_machine()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core for this process and its children
    rows = []
    for name in arguments.models:
        race = Race(name)
        difference = race.difference()
        calls = max(64, int(2e-3 / race.run("ours", 1000)[0]))
        seconds: dict[str, list[float]] = {runner: [] for runner in ("ours", *PEERS)}
        for _ in range(arguments.repetitions):
            for runner, times in seconds.items():
                times.append(race.run(runner, calls)[0])
        own, loops, straight = (f"{statistics.median(times) * 1e9:.0f}" for times in seconds.values())
        to_loops, to_straight = (
            f"{statistics.median(a / b for a, b in zip(seconds['ours'], seconds[peer], strict=True)):.2f}"
            for peer in PEERS
        )
        goal = GOALS.get(name)
        chunks = race.build.statistics.code.functions[0].chunks
        rows.append(
            [
                name,
                own,
                loops,
                to_loops,
                f"<= {goal}" if goal else "",
                straight,
                to_straight,
                str(chunks),
                f"{difference:.0e}",
            ]
        )
    print_table(["model", "ours ns", "sympy ns", "ratio", "goal", "straight ns", "ratio", "parts", "difference"], rows)


if __name__ == "__main__":
    main()
