"""Many trajectories: memory of a million that are reduced on the way, what a second thread gains, adaptive ones.

python benchmarks/many_trajectories.py [--starts N] [--steps N] [--repetitions N] [--vectors FLAGS]

Memory is the growth of the process's peak beyond what it has with the starts, after a smaller ensemble. One and two
threads alternate on all processors, by the clock; medians are compared. Trajectories of the double pendulum are taken
by dop853, one by one and in lanes, at the first tolerance whose error after 10 s is below 1e-9 in the median.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from reporting import print_machine, print_table

import eomc

MODEL = "double_pendulum"
T_END = 10.0
ERROR = 1e-9


def spread(sim: Any, count: int) -> np.ndarray:
    """Return starts about the model's own."""
    return sim.initial_state + np.random.default_rng(1).uniform(-0.1, 0.1, (count, len(sim.state_names)))


def resident(line: str) -> float:
    """Return the memory of this process in MB: now, ``VmRSS``, or the most since `forget`, ``VmHWM`` (on Linux)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition(f"{line}:")[2].split()[0]) / 1024


def forget() -> None:
    """Let the peak begin anew."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def memory(sim: Any, varied: tuple[str, ...], arguments: Any) -> list[str]:
    """Return what a reduced ensemble takes beside its starts and the parameters that vary."""
    options = {"t_end": arguments.steps * 1e-3, "dt": 1e-3, "reduce": {sim.state_names[0]: "maximum"}}
    x0 = spread(sim, arguments.starts)
    columns = {name: np.full(arguments.starts, sim.parameters[name]) for name in varied}
    sim.ensemble(x0[:10_000], {name: column[:10_000] for name, column in columns.items()}, **options)
    forget()
    before, begin = resident("VmRSS"), time.perf_counter()
    made = sim.ensemble(x0, columns, **options)
    seconds = time.perf_counter() - begin
    assert not made.status.any()
    grown = resident("VmHWM") - before
    return [f"{len(varied)} of {len(sim.parameters)}", str(arguments.starts), str(arguments.steps), f"{seconds:.1f}",
            f"{grown:.1f}", f"{grown * 2**20 / arguments.starts:.0f}"]  # fmt: skip


def alternating(runs: dict[str, Callable[[], Any]], repetitions: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return the median time of each."""
    seconds: dict[str, list[float]] = {what: [] for what in runs}
    for _ in range(repetitions):
        for what, run in runs.items():
            begin = clock()
            run()
            seconds[what].append(clock() - begin)
    return {what: statistics.median(times) for what, times in seconds.items()}


def threads(sim: Any, arguments: Any) -> list[str]:
    """Return what two threads gain over one."""
    x0, options = spread(sim, 32768), {"t_end": 0.5, "dt": 1e-3, "keep": "last"}
    runs = {
        "one": lambda: sim.ensemble(x0, threads=1, **options),
        "two": lambda: sim.ensemble(x0, threads=2, **options),
    }
    times = alternating(runs, arguments.repetitions, time.perf_counter)
    rates = [f"{len(x0) * 500 / seconds / 1e6:.1f}" for seconds in times.values()]
    return [*rates, f"{times['one'] / times['two']:.2f}"]


def adaptive(math: str, flags: str, arguments: Any) -> list[str]:
    """Return microseconds for a second of a trajectory, in lanes and one by one, at about the same error."""
    os.environ["CFLAGS"] = flags
    sim = eomc.compile(eomc.load(MODEL), math=math).load()
    x0, sample = spread(sim, 4096), 64
    options = {"t_end": T_END, "integrator": "dop853", "keep": "last", "threads": 1}
    exact = sim.ensemble(x0[:sample], rtol=1e-14, atol=1e-14, **options).x
    tolerance = 1e-9
    while True:
        options |= {"rtol": tolerance, "atol": tolerance}
        error = float(np.median(np.abs(sim.ensemble(x0[:sample], **options).x - exact).max(axis=1)))
        if error < ERROR:
            break
        tolerance /= 2.0
    alone = {"integrator": "dop853", "rtol": tolerance, "atol": tolerance, "t_eval": [T_END]}
    steps = len(sim.simulate(T_END, x0=x0[0], integrator="dop853", rtol=tolerance, atol=tolerance).t) / T_END
    runs = {
        "lanes": lambda: sim.ensemble(x0, **options),
        "alone": lambda: [sim.simulate(T_END, x0=one, **alone) for one in x0[:sample]],
    }
    times = alternating(runs, arguments.repetitions, time.process_time)
    lanes, one = times["lanes"] / len(x0) / T_END, times["alone"] / sample / T_END
    return [f"{math} {flags or '-O2'}", f"{error:.1e}", f"{steps:.0f}", f"{lanes * 1e6:.2f}", f"{one * 1e6:.2f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10**6)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--vectors", default="-O3 -mavx2 -mfma", help="flags of the wide builds")
    arguments = parser.parse_args()
    print_machine()
    sim = eomc.compile(eomc.load(MODEL), math="strict").load()
    names = tuple(sim.parameters)
    rows = [memory(sim, names[:varied], arguments) for varied in (0, 1, len(names))]
    print_table(["parameters that vary", "starts", "steps", "s", "MB more", "bytes each"], rows)
    print()
    print_table(["one thread, millions a second", "two", "times"], [threads(sim, arguments)])
    print("\ndop853, us for a second of a trajectory:\n")
    builds = [("strict", ""), ("strict", arguments.vectors), ("fast", arguments.vectors)]
    rows = [adaptive(math, flags, arguments) for math, flags in builds]
    print_table(["build", "error", "steps a second", "in lanes", "one by one"], rows)


if __name__ == "__main__":
    main()
