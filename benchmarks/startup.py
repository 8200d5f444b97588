"""What a user waits for before anything happens, and the memory that a large model takes.

python benchmarks/startup.py [--repetitions N]

Wall and processor time of `eomc --help` and of `import eomc` in processes of their own, medians, with an empty Python
beside them; the peak of resident memory of a process that compiles n_link_pendulum:10.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from reporting import print_machine, print_table

COMMANDS = (
    ("python -c pass", ["-c", "pass"], ""),
    ("import eomc", ["-c", "import eomc"], ""),
    ("eomc --help", ["-m", "eomc", "--help"], "< 300"),
    ("eomc models", ["-m", "eomc", "models"], ""),
)

MEMORY = """
import resource, sys
{work}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
WORKS = (
    ("python", ""),
    ("import sympy.physics.mechanics", "import sympy.physics.mechanics"),
    ("compile(rolling_disk)", "import eomc; eomc.compile(eomc.load('rolling_disk'))"),
    ("compile(n_link_pendulum:10)", "import eomc; eomc.compile(eomc.load('n_link_pendulum:10'))"),
)


def environment() -> dict[str, str]:
    """Return the environment with our sources on Python's path."""
    source = str(Path(__file__).resolve().parents[1] / "generator")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])}


def run(arguments: list[str]) -> tuple[float, float]:
    """Return wall and processor time of a Python process [s]."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment(), capture_output=True, check=True)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak(work: str) -> float:
    """Return the peak of resident memory [MB]."""
    script = MEMORY.format(work=work)
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024  # Linux counts in kB


def main() -> None:
    """Measure all commands in turn, several times, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=9)
    arguments = parser.parse_args()
    print_machine()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name, _, _ in COMMANDS}
    for _ in range(arguments.repetitions):
        for name, command, _ in COMMANDS:
            times[name].append(run(command))
    rows = []
    for name, _, goal in COMMANDS:
        wall, processor = (statistics.median(column) * 1e3 for column in zip(*times[name], strict=True))
        rows.append([name, f"{wall:.0f}", f"{processor:.0f}", goal])
    print_table(["command", "ms", "cpu ms", "goal"], rows)
    print()
    print_table(["process", "peak MB"], [[name, f"{peak(work):.0f}"] for name, work in WORKS])


if __name__ == "__main__":
    main()
