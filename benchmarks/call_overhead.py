"""What a call of ``sim.rhs(t, x)`` costs beyond the C itself: median over many short measurements.

python benchmarks/call_overhead.py [model] [--method M]
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

import eomc
from eomc.binding import Simulator


def python_seconds(sim: Simulator, x: np.ndarray, calls: int) -> float:
    """Return the processor time of one call from Python; waiting for a busy machine does not count."""
    rhs = sim.rhs
    start = time.thread_time()
    for _ in range(calls):
        rhs(0.0, x)
    return (time.thread_time() - start) / calls


def main() -> None:
    """Measure both in turn, so that a busy machine disturbs them alike, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="rolling_disk")
    parser.add_argument("--method", default=None)
    arguments = parser.parse_args()
    sim = eomc.compile(eomc.load(arguments.model), arguments.method).load()
    x = sim.initial_state
    python, c = [], []
    for _ in range(201):
        python.append(python_seconds(sim, x, 500))
        c.append(sim.seconds_in_c(0.0, x, 2000))
    whole, inside = statistics.median(python), statistics.median(c)
    print(f"{sim.name} ({sim.method}): sim.rhs(t, x) {whole * 1e6:.2f} us, of which C {inside * 1e6:.3f} us")
    print(f"overhead {(whole - inside) * 1e6:.2f} us per call (goal: at most 3)")


if __name__ == "__main__":
    main()
