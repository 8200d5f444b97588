"""How many trajectory-steps a second an ensemble takes, beside heyoka's compiled functions and our own scalar step.

python benchmarks/ensembles.py [MODEL ...] [--starts N] [--steps N] [--repetitions N] [--vectors FLAGS]

All take the same RK4 steps from the same starts. heyoka has the same graph, parameters put in as numbers, a whole step
as one compiled function of all starts at once; without heyoka (``pip install eomc[bench]``) its columns are empty. Who
is measured alternates, on one processor; medians of the time are compared, final states before that.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from heyoka_graphs import translated
from reporting import print_machine, print_table

import eomc
from eomc.build import Build

MODELS = ["double_pendulum", "rolling_disk", "n_link_pendulum:5"]
DT = 1e-3


def heyoka_step(build: Build) -> Callable[[np.ndarray, int], np.ndarray] | None:
    """Return a function that takes steps of states (nx, k) by heyoka; None without it."""
    try:
        import heyoka as hy
    except ImportError:
        return None
    program, names = build.program, [f"x{k}" for k in range(len(build.program.states))]
    variables = hy.make_vars(*names)
    rates = translated(build, hy)

    def slopes(x: list[Any]) -> list[Any]:
        return hy.subs(rates, dict(zip(names, x, strict=True)))

    k1 = rates
    k2 = slopes([x + DT / 2 * k for x, k in zip(variables, k1, strict=True)])
    k3 = slopes([x + DT / 2 * k for x, k in zip(variables, k2, strict=True)])
    k4 = slopes([x + DT * k for x, k in zip(variables, k3, strict=True)])
    new = [x + DT / 6 * (a + 2.0 * (b + c) + d) for x, a, b, c, d in zip(variables, k1, k2, k3, k4, strict=True)]
    function = hy.cfunc(new, vars=variables, compact_mode=len(program.states) > 8)

    def run(x: np.ndarray, steps: int) -> np.ndarray:
        there, here = np.empty_like(x), x.copy()
        for _ in range(steps):
            function(here, outputs=there)
            here, there = there, here
        return here

    return run


def ensemble(build: Build, flags: str, native: bool = False) -> Callable[[np.ndarray, int], np.ndarray]:
    """Return a function that takes steps of an ensemble, compiled with some flags, or for this processor."""
    os.environ["CFLAGS"] = flags
    sim = build.load()
    sim.ensemble(t_end=DT, dt=DT, native=native)  # compiled now

    def run(x: np.ndarray, steps: int) -> np.ndarray:
        return sim.ensemble(x.T, t_end=steps * DT, dt=DT, keep="last", threads=1, native=native).x.T

    return run


def alone(build: Build, flags: str) -> Callable[[np.ndarray, int], np.ndarray]:
    """Return a function that takes steps of one state after the other, eight starts of all."""
    os.environ["CFLAGS"] = flags
    sim = build.load()

    def run(x: np.ndarray, steps: int) -> np.ndarray:
        ends = [sim.simulate(steps * DT, DT, row, every=steps).x[-1] for row in x.T[:EIGHT]]
        return np.array(ends).T

    return run


EIGHT = 8
BESIDE = {
    "contracted": "heyoka",
    "same bits": "heyoka",
    "native, contracted": "heyoka",
    "native, same bits": "heyoka",
    "libm -O2": "one libm -O2",
    "strict -O2": "one strict -O2",
    "fast -O2": "one fast -O2",
}
"""What is compared with what."""


def competitors(name: str, wide: str) -> tuple[Build, dict[str, Callable[[np.ndarray, int], np.ndarray]]]:
    """Return a model, and who takes its steps."""
    builds = {math: eomc.compile(eomc.load(name), math=math) for math in ("libm", "strict", "fast")}
    wide += f" -D{builds['libm'].view.macro}_LANES=16"  # as many as a processor's own flags mean
    runs = {
        "contracted": ensemble(builds["fast"], wide),
        "same bits": ensemble(builds["strict"], wide),
        "native, contracted": ensemble(builds["fast"], "", native=True),
        "native, same bits": ensemble(builds["strict"], "", native=True),
        **{f"{math} -O2": ensemble(build, "") for math, build in builds.items()},
        **{f"one {math} -O2": alone(build, "") for math, build in builds.items()},
    }
    heyoka = heyoka_step(builds["libm"])
    return builds["libm"], {**({"heyoka": heyoka} if heyoka else {}), **runs}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--starts", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--vectors", default="-O3 -mavx2 -mfma", help="flags of the wide builds")
    arguments = parser.parse_args()
    print_machine()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    wide = arguments.vectors
    rows = []
    for name in arguments.models:
        build, runs = competitors(name, wide)
        rates = measure(runs, build, arguments)
        for what, rate in rates.items():
            beside = BESIDE.get(what, "")
            gain = f"{rate / rates[beside]:.2f}" if beside in rates else ""
            rows.append([name, what, f"{rate / 1e6:.2f}", gain, beside])
    print_table(["model", "who", "millions a second", "times", "beside"], rows)


def measure(runs: dict[str, Callable[[np.ndarray, int], np.ndarray]], build: Build, arguments: Any) -> dict[str, float]:
    """Return trajectory-steps a second."""
    start = np.array([state.value for state in build.program.states])
    x = (start + np.random.default_rng(1).uniform(-0.1, 0.1, (arguments.starts, len(start)))).T.copy()
    expected = runs["same bits"](x, 20)
    seconds: dict[str, list[float]] = {what: [] for what in runs}
    for what, run in runs.items():
        got = run(x, 20)
        np.testing.assert_allclose(got, expected[:, : got.shape[1]], rtol=1e-9, atol=1e-9, err_msg=what)
    for _ in range(arguments.repetitions):
        for what, run in runs.items():
            steps = arguments.steps * (100 if what.startswith("one") else 1)
            begin = time.process_time()
            got = run(x, steps)
            seconds[what].append((time.process_time() - begin) / steps / got.shape[1])
    return {what: 1.0 / statistics.median(times) for what, times in seconds.items()}


if __name__ == "__main__":
    main()
