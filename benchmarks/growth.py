"""How times and code grow with the mechanism: stages, operations, lines of C, the compiler.

python benchmarks/growth.py [FAMILY ...]

FAMILY is the name of a shipped model whose argument is its size. Stage times are the best of three in this process,
the compiler's one run with -O2; "growth" is the exponent of the size between a row and the one above it: 1 is linear.
The mass matrix alone has n^2 entries, and a constrained right-hand side is counted at its worst, with no zeros.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from reporting import print_machine, print_table

import eomc

FAMILIES = {"n_four_bar": (2, 10, 40), "n_link_pendulum": (10, 20, 40)}


def measured(name: str) -> list[float]:
    """Return derivation, initial state, emission, all of these, the compiler [s]; operations of the rhs, lines of C."""
    model = eomc.load(name)
    best = [math.inf] * 4
    for _ in range(3):
        build = eomc.compile(model)
        times = dict(build.statistics.stage_times)
        found = [times["derive"], times["initial state"], times["assemble"] + times["emit"]]
        best = [min(pair) for pair in zip(best, [*found, sum(found)], strict=True)]
    code = build.statistics.code
    rhs = next(function for function in code.functions if function.name == "rhs")
    with tempfile.TemporaryDirectory() as folder:
        build.write(folder)
        begin = time.perf_counter()
        source = Path(folder) / f"{name.replace(':', '_')}.c"
        subprocess.run(["cc", "-std=c99", "-O2", "-c", str(source), "-o", str(Path(folder) / "out.o")], check=True)
        compiler = time.perf_counter() - begin
    return [*best, compiler, float(rhs.counts.total), float(code.lines)]


def table(family: str, sizes: Sequence[int]) -> list[list[str]]:
    """Return the rows of one family."""
    rows = []
    before: tuple[int, list[float]] | None = None
    for size in sizes:
        figures = measured(f"{family}:{size}")
        rows.append([f"{family}:{size}", *(f"{x:.3f}" for x in figures[:5]), *(f"{x:.0f}" for x in figures[5:])])
        if before is not None:
            step = math.log(size / before[0])
            growth = [math.log(new / old) / step for new, old in zip(figures, before[1], strict=True)]
            rows.append(["  growth", *(f"{x:.1f}" for x in growth)])
        before = size, figures
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("family", nargs="*", choices=[*FAMILIES, []], metavar="FAMILY", help="default: all")
    families = parser.parse_args().family or list(FAMILIES)
    print_machine()
    eomc.compile(eomc.load("n_link_pendulum:2"))  # imports, templates: not part of the work
    rows = [row for family in families for row in table(family, FAMILIES[family])]
    print_table(["model", "derive [s]", "initial", "emit", "all", "cc -O2 [s]", "operations", "lines of C"], rows)


if __name__ == "__main__":
    main()
