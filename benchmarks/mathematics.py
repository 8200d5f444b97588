"""What own mathematics take beside libm's: a step of one state here, and on a processor that is emulated.

python benchmarks/mathematics.py [MODEL ...] [--real R] [--repetitions N]
python benchmarks/mathematics.py [MODEL ...] [--real R] --target cortex-m4

The three libraries of a model take their steps in turn, each time from the same state; medians of processor time, and
of ratios to libm's, are compared. With a target, `make run-qemu` counts the instructions of a step.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence

from reporting import print_machine, print_table
from steps import Steps, in_turn

import eomc
from eomc.build import Build
from eomc.targets import NAMES, find_target

MODELS = ["double_pendulum", "rolling_disk", "spherical_pendulum", "cart_pole", "four_bar", "heavy_top"]
COMMANDS = [["gcc", "-O2"], ["gcc", "-O3", "-march=native"], ["clang", "-O2"], ["clang", "-O3", "-march=native"]]
CHOICES = ("libm", "strict", "fast")


def here(builds: Sequence[Build], name: str, repetitions: int) -> list[list[str]]:
    """Return a row for each command: ns of a step with libm, and the others beside it."""
    rows = []
    for command in filter(lambda command: shutil.which(command[0]), COMMANDS):
        racers = []
        for build in builds:
            sources = {file.path: file.text for file in build.library}
            precision = f"-D{build.view.macro}_USE_{build.real.upper()}"
            racers.append(Steps(sources, [*command, precision, *build.flags], "rk4"))
        figures = in_turn(racers, repetitions)
        rows.append(
            [name, " ".join(command), f"{figures[0][0] * 1e9:.1f}", *(f"{ratio:.2f}" for _, ratio in figures[1:])]
        )
    return rows


def emulated(builds: Sequence[Build], name: str) -> list[str]:
    """Return the row of a processor: instructions of a step with libm, and the others beside it."""
    counts = []
    for build in builds:
        assert build.target is not None
        with tempfile.TemporaryDirectory() as folder:
            build.write(folder)
            command = ["make", "-s", build.target.runs, "STEPS=200"]
            said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
        found = re.search(r"a step (\d+)", said)
        assert found is not None
        counts.append(int(found[1]))
    return [name, builds[0].target.title, str(counts[0]), *(f"{count / counts[0]:.2f}" for count in counts[1:])]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--real", choices=("double", "float"), default="double")
    parser.add_argument("--target", choices=NAMES)
    parser.add_argument("--repetitions", type=int, default=31)
    arguments = parser.parse_args()
    print_machine()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rows = []
    for name in arguments.models:
        model = eomc.load(name)
        builds = [
            eomc.compile(model, math=choice, real=arguments.real, functions=[], target=arguments.target)
            for choice in CHOICES
        ]
        rows += [emulated(builds, name)] if arguments.target else here(builds, name, arguments.repetitions)
    unit = find_target(arguments.target, arguments.real).counts if arguments.target else "ns"
    print_table([f"model, {arguments.real}", "compiled by", f"{unit} a step with libm", "strict", "fast"], rows)


if __name__ == "__main__":
    main()
