"""Stiff motions: rodas5p against CVODE in C, both on the same emitted functions, at equal errors.

python benchmarks/stiff.py [--stiffness N] [--t-end S] [--masses N] [--repetitions N]

A double pendulum whose rods are springs with dampers, so that its Jacobian is full, and masses in a row between walls
on such springs and soft ones in turn, so that it is sparse. CVODE (BDF, dense Newton with the emitted Jacobian) needs
the header files and libraries of SUNDIALS, such as those of libsundials-dev. Every scheme runs at tolerances from 1e-3
to 1e-11, in turn with the other; medians of processor time are compared, and the time at an error is the least of those
that meet it. The error is the largest of all states at the end, in units of 1 + |x|, against rodas5p at 1e-13.
"""

from __future__ import annotations

import argparse
import itertools
import statistics

import numpy as np
import sympy as sm
from integrators import Racer
from reporting import print_machine, print_table
from sundials import Cvode
from sympy.physics.mechanics import dynamicsymbols

import eomc

TOLERANCES = [10.0 ** (-k / 2) for k in range(6, 23)]
TIGHT = 1e-13


def pendulum(stiffness: float) -> eomc.Model:
    """Return two masses on springs, one hanging on the other, let go from the side."""
    a, r, b, s = dynamicsymbols("a r b s")
    t = dynamicsymbols._t
    m, k, c, g = sm.symbols("m k c g", positive=True)
    x, y = r * sm.sin(a), -r * sm.cos(a)
    u, v = x + s * sm.sin(b), y - s * sm.cos(b)
    kinetic = m * sum(place.diff(t) ** 2 for place in (x, y, u, v)) / 2
    potential = m * g * (y + v) + k * ((r - 1) ** 2 + (s - 1) ** 2) / 2
    return eomc.from_lagrangian(
        kinetic - potential,
        coordinates=[a, r, b, s],
        generalized_forces={r: -c * r.diff(t), s: -c * s.diff(t)},
        name="springs",
        parameters={m: 1.0, k: stiffness, c: 2.0 * stiffness**0.5, g: 9.81},
        initial={a: 1.0, r: 1.0, b: 0.5, s: 1.0},
    )


def row(length: int, stiffness: float) -> eomc.Model:
    """Return pairs of masses in a row between walls: hard springs with dampers in a pair, soft ones between them."""
    q = dynamicsymbols(f"q:{length}")
    t = dynamicsymbols._t
    m, k, c, soft = sm.symbols("m k c soft", positive=True)
    ends = [0, *q, 0]
    forces: dict[sm.Expr, sm.Expr] = dict.fromkeys(q, sm.S.Zero)
    potential = sm.S.Zero
    for i, (a, b) in enumerate(itertools.pairwise(ends)):
        potential += (k if i % 2 else soft) * ((b - a) ** 2 / 2 + (b - a) ** 4 / 4)
        if i % 2 and i < length:
            forces[a] += c * (b - a).diff(t)
            forces[b] -= c * (b - a).diff(t)
    return eomc.from_lagrangian(
        sum(m * x.diff(t) ** 2 for x in q) / 2 - potential,
        coordinates=q,
        generalized_forces=forces,
        name="row",
        parameters={m: 1.0, k: stiffness, c: 2.0 * stiffness**0.5, soft: 10.0},
        initial={q[0]: 0.3, q[1]: 0.3},
    )


def race(model: eomc.Model, t_end: float, repetitions: int) -> None:
    """Run both on a model and print times at equal errors."""
    racers = [Racer(model, "rodas5p", fixed=False), Cvode(model, stiff=True)]
    exact = racers[0].once(t_end, TIGHT)[1]
    runs: list[list[tuple[float, float, float, int]]] = [[], []]
    for tolerance in TOLERANCES:
        taken: list[list[float]] = [[], []]
        ends = [exact, exact]
        for _ in range(repetitions):
            for which, racer in enumerate(racers):  # in turn
                seconds, ends[which] = racer.once(t_end, tolerance)
                taken[which].append(seconds)
        for which, racer in enumerate(racers):
            error = float(np.max(np.abs(ends[which] - exact) / (1.0 + np.abs(exact))))
            runs[which].append((tolerance, error, 1e3 * statistics.median(taken[which]), racer.steps))
    rows = []
    for wanted in (1e-5, 1e-8):
        best = [min((run for run in of if run[1] <= wanted), key=lambda run: run[2], default=None) for of in runs]
        if best[0] is None or best[1] is None:
            rows.append([f"{wanted:g}", "not met", "not met", ""])
            continue
        told = [f"{time:.3f} ms ({steps} steps, tolerance {tolerance:.1e})" for tolerance, _, time, steps in best]
        rows.append([f"{wanted:g}", *told, f"{best[1][2] / best[0][2]:.1f}"])
    print_table(["error", "rodas5p", "CVODE", "ratio"], rows)


def main() -> None:
    """Run both models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stiffness", type=float, default=1e8, help="N/m")
    parser.add_argument("--t-end", type=float, default=5.0, help="s")
    parser.add_argument("--masses", type=int, default=30, help="in the row; 0: the pendulum alone")
    parser.add_argument("--repetitions", type=int, default=20)
    options = parser.parse_args()
    if not 1 <= options.repetitions <= 1000:
        parser.error("--repetitions is from 1 to 1000")
    if not 0 <= options.masses <= 1000:
        parser.error("--masses is from 0 to 1000")
    print_machine()
    print("double pendulum")
    race(pendulum(options.stiffness), options.t_end, options.repetitions)
    if options.masses:
        print(f"row of {options.masses} masses")
        race(row(options.masses, options.stiffness), options.t_end, options.repetitions)


if __name__ == "__main__":
    main()
