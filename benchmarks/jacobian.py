"""What Jacobians cost: operations, seconds of derivation and emission, seconds per call against differences of the rhs.

python benchmarks/jacobian.py [MODEL ...]

"differences" are nx + nr more right-hand sides, the cheapest that there are (forward, half of the digits).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from reporting import print_machine, print_table

import eomc

MODELS = ["rolling_disk", "cart_pole", "slider_crank", "n_link_pendulum:5", "n_link_pendulum:10", "n_link_pendulum:20"]
STATES = 2000


def milliseconds(work: Callable[[], object], repetitions: int = 9) -> float:
    """Return the median processor time of some work [ms]."""
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1e3 * statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS)
    print_machine()
    rows = []
    for name in parser.parse_args().models:
        model = eomc.load(name)
        usual = milliseconds(lambda model=model: eomc.compile(model))
        every = milliseconds(lambda model=model: eomc.compile(model, functions="all"))
        build = eomc.compile(model, functions=["jacobian"])
        counts = {one.name: one.counts.total for one in build.statistics.code.functions}
        sim = build.load()
        x = sim.initial_state + np.random.default_rng(0).uniform(-0.1, 0.1, (STATES, len(sim.state_names)))
        per_call = 1e3 / STATES  # ms for all states -> us for one
        rhs = per_call * milliseconds(lambda sim=sim, x=x: sim.rhs(0.0, x))
        jacobian = per_call * milliseconds(lambda sim=sim, x=x: sim.jacobian(0.0, x))
        differences = rhs * (1 + len(sim.state_names) + len(sim.input_names))
        rows.append(
            [
                name,
                str(counts["rhs"]),
                str(counts["jacobian"]),
                f"{usual:.1f}",
                f"{every - usual:.1f}",
                f"{rhs:.2f}",
                f"{jacobian:.2f}",
                f"{differences:.2f}",
            ]
        )
    headings = ["model", "ops rhs", "ops jac", "compile ms", "+ jac ms", "rhs us", "jac us", "differences us"]
    print_table(headings, rows)


if __name__ == "__main__":
    main()
