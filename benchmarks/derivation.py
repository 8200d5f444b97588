"""How long derivation and emission take, ours against SymPy's, each in cold processes of their own that alternate.

python benchmarks/derivation.py [MODEL ...] [--repetitions N]

SymPy: frames and points, KanesMethod, cse of M and f together, C printing; no solve, no header, no main. Ours: from
the model to all five files. Wall and processor time of the same work are medians; goal: n_link_pendulum:10 at least 40.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from reporting import print_machine, print_table

GOALS = {"n_link_pendulum:10": 40.0}

OURS = """
import json, sys, time
import eomc
eomc.compile(eomc.load("n_link_pendulum:2"))  # imports, templates: not part of the work
model = eomc.load(sys.argv[1])
wall, processor = time.perf_counter(), time.process_time()
build = eomc.compile(model)
text = [artifact.text for artifact in build.artifacts]
print(json.dumps([time.perf_counter() - wall, time.process_time() - processor]))
"""

SYMPY = """
import json, sys, time
import sympy
import peers
from sympy.physics.mechanics import models
if not sys.argv[1].startswith("n_link"):
    import eomc
    eomc.load(sys.argv[1])
wall, processor = time.perf_counter(), time.process_time()
kane = peers.derive(sys.argv[1])
shared = peers.share(kane)
text = [sympy.ccode(e) for _, e in shared.shared]
text += [sympy.ccode(e) for e in (*shared.mass_matrix, *shared.forcing, *shared.rates)]
print(json.dumps([time.perf_counter() - wall, time.process_time() - processor]))
"""


def run(script: str, model: str) -> tuple[float, float]:
    """Return wall and processor time [s] of a script's work in a process of its own."""
    here = Path(__file__).resolve().parent
    path = os.pathsep.join([str(here), str(here.parent / "generator"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", script, model],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    wall, processor = json.loads(done.stdout.splitlines()[-1])
    return wall, processor


def main() -> None:
    """Alternate both, so that a busy machine disturbs them alike, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "models", nargs="*", default=["rolling_disk", "n_link_pendulum:5", "n_link_pendulum:10", "n_link_pendulum:20"]
    )
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    print_machine()
    rows = []
    for model in arguments.models:
        ours, theirs = [], []
        for _ in range(arguments.repetitions):
            ours.append(run(OURS, model))
            theirs.append(run(SYMPY, model))
            ours.append(run(OURS, model))
        own_wall, own_processor = (statistics.median(column) for column in zip(*ours, strict=True))
        wall, processor = (statistics.median(column) for column in zip(*theirs, strict=True))
        goal = GOALS.get(model)
        rows.append(
            [
                model,
                f"{own_wall * 1e3:.0f}",
                f"{own_processor * 1e3:.0f}",
                f"{wall * 1e3:.0f}",
                f"{processor * 1e3:.0f}",
                f"{wall / own_wall:.0f}",
                f"{processor / own_processor:.0f}",
                f">= {goal:.0f}" if goal else "",
            ]
        )
    print_table(["model", "ours ms", "cpu ms", "sympy ms", "cpu ms", "ratio", "cpu ratio", "goal"], rows)


if __name__ == "__main__":
    main()
