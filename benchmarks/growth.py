"""How times and code grow with the mechanism: stages, operations, lines and files of C, the compiler.

python benchmarks/growth.py [FAMILY ...]

FAMILY is the name of a shipped model whose argument is its size, or one of those made here: free particles, a line of
oscillators, pendulums side by side, one particle with many parameters. Stage times are the best of three in this
process, the compiler's the sum over all C files with -O2, one run; "growth" is the exponent of the size between a row
and the one above it: 1 is linear. A constrained right-hand side is counted at its worst, with no zeros.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sympy
import sympy.physics.mechanics as me
from reporting import print_machine, print_table

import eomc


def _line(name: str, n: int, force: Callable[[list[Any], int], Any], parameters: dict[Any, float]) -> eomc.Model:
    """Return n particles on a line, each under a force of its own."""
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    q, u = list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))
    m = sympy.symbols(f"m:{n}")
    bodies, loads = [], []
    for i in range(n):
        point = origin.locatenew(f"P{i}", q[i] * frame.x)
        point.set_vel(frame, u[i] * frame.x)
        bodies.append(me.Particle(f"B{i}", point, m[i]))
        loads.append((point, force(q, i) * frame.x))
    return eomc.Model(
        name=f"{name}_{n}",
        inertial_frame=frame,
        coordinates=q,
        speeds=u,
        kinematical_equations=[x.diff(me.dynamicsymbols._t) - v for x, v in zip(q, u, strict=True)],
        bodies=bodies,
        loads=loads,
        parameters={**dict.fromkeys(m, 1.0), **parameters},
    )


def particles(n: int) -> eomc.Model:
    """Return particles that nothing joins."""
    g = sympy.Symbol("g")
    return _line("particles", n, lambda q, i: -g, {g: 9.81})


def oscillators(n: int) -> eomc.Model:
    """Return a line of particles with springs between neighbours."""
    k = sympy.Symbol("k")

    def force(q: list[Any], i: int) -> Any:
        return -k * sum(q[i] - q[j] for j in (i - 1, i + 1) if 0 <= j < len(q))

    return _line("oscillators", n, force, {k: 10.0})


def pendulums(n: int) -> eomc.Model:
    """Return pendulums that know nothing of each other, in their angles."""
    g = sympy.Symbol("g")
    return _line("pendulums", n, lambda q, i: -g * sympy.sin(q[i]), {g: 9.81})


def parameters(n: int) -> eomc.Model:
    """Return one particle in a potential with n coefficients."""
    a = sympy.symbols(f"a:{n}")
    series = sympy.Add(*(coefficient * (i + 1) for i, coefficient in enumerate(a)), evaluate=False)
    return _line("parameters", 1, lambda q, i: -q[0] * series, dict.fromkeys(a, 1.0))


Family = Callable[[int], eomc.Model]
FAMILIES: dict[str, tuple[Family | None, tuple[int, ...]]] = {
    "n_four_bar": (None, (2, 10, 40)),
    "n_link_pendulum": (None, (10, 20, 40)),
    "particles": (particles, (50, 100, 200, 400)),
    "oscillators": (oscillators, (125, 250, 500)),
    "pendulums": (pendulums, (50, 100, 200)),
    "parameters": (parameters, (750, 1500, 3000)),
}


def measured(model: eomc.Model) -> list[float]:
    """Return derivation, start, emission, their sum, the compiler [s]; operations of the rhs, lines and files of C."""
    best = [math.inf] * 4
    for _ in range(3):
        build = eomc.compile(model)
        times = dict(build.statistics.stage_times)
        found = [times["derive"], times["initial state"], times["program"] + times["emit"]]
        best = [min(pair) for pair in zip(best, [*found, sum(found)], strict=True)]
    code = build.statistics.code
    rhs = next(function for function in code.functions if function.name == "rhs")
    sources = [artifact.path for artifact in build.artifacts if artifact.kind in ("source", "main")]
    with tempfile.TemporaryDirectory() as folder:
        build.write(folder)
        begin = time.perf_counter()
        for source in sources:
            command = ["cc", "-std=c99", "-O2", "-c", source, "-o", "out.o"]
            subprocess.run(command, check=True, cwd=Path(folder))
        compiler = time.perf_counter() - begin
    return [*best, compiler, float(rhs.counts.total), float(code.lines), float(len(sources))]


def table(family: str, sizes: Sequence[int]) -> list[list[str]]:
    """Return the rows of one family."""
    rows = []
    make = FAMILIES[family][0]
    before: tuple[int, list[float]] | None = None
    for size in sizes:
        figures = measured(eomc.load(f"{family}:{size}") if make is None else make(size))
        rows.append([f"{family}:{size}", *(f"{x:.3f}" for x in figures[:5]), *(f"{x:.0f}" for x in figures[5:])])
        if before is not None:
            step = math.log(size / before[0])
            growth = [math.log(new / old) / step for new, old in zip(figures[:-1], before[1][:-1], strict=True)]
            rows.append(["  growth", *(f"{x:.1f}" for x in growth), ""])
        before = size, figures
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("family", nargs="*", choices=[*FAMILIES, []], metavar="FAMILY", help="default: all")
    families = parser.parse_args().family or list(FAMILIES)
    print_machine()
    eomc.compile(eomc.load("n_link_pendulum:2"))  # imports, templates: not part of the work
    rows = [row for family in families for row in table(family, FAMILIES[family][1])]
    print_table(
        ["model", "derive [s]", "initial", "emit", "all", "cc -O2 [s]", "operations", "lines of C", "files"], rows
    )


if __name__ == "__main__":
    main()
