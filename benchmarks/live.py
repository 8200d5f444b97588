"""The C of live pages in node beside the same C by the same clang at -O2: processor time, medians of runs in turn.

python benchmarks/live.py [MODEL ...] [--least RATIO]: with --least the program fails where a ratio is below it.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from live_programs import here, in_node, program

import eomc
from eomc.live import compiled

MODELS = ("four_bar", "whipple_bicycle")
STEPS, RUNS = 20_000, 7


def ratios(name: str, folder: Path) -> list[float]:
    """Return of each pair of runs how fast node is beside this machine, both having the same states."""
    build = eomc.compile(eomc.load(name), integrator="rk4").for_a_page()
    module = folder / "live.wasm"
    module.write_bytes(compiled(build))
    native = program(build, folder, "clang")
    found = []
    for _ in range(RUNS):
        ours, theirs = here(build, native, STEPS, before=STEPS), in_node(build, module, STEPS, before=STEPS)
        assert (ours["status"], ours["state"]) == (theirs["status"], theirs["state"])
        found.append(ours["seconds"] / theirs["seconds"])
    return found


def main() -> None:
    """Measure each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--least", type=float, default=0.0)
    asked = parser.parse_args()
    slow = []
    for name in asked.models:
        with tempfile.TemporaryDirectory() as folder:
            found = ratios(name, Path(folder))
        middle = statistics.median(found)
        print(f"{name}: {middle:.2f} of this machine's speed; {', '.join(f'{one:.2f}' for one in sorted(found))}")
        if middle < asked.least:
            slow.append(name)
    if slow:
        raise SystemExit(f"below {asked.least:g}: {', '.join(slow)}")


if __name__ == "__main__":
    main()
