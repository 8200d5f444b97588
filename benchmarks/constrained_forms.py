"""What the four forms of a constrained system are each for: accuracy, operations, time, lines of C.

python benchmarks/constrained_forms.py [--size N M] [--draws N]

A mass matrix, constraints J and forces are drawn as parameters and inputs of one Lagrangian; the accelerations of each
form are compared with those of the whole system in 50 digits. Three things make such a system hard: rows of J that
nearly follow from each other (an angle), masses that differ (a ratio), a mass matrix that is singular where the
constraints do not need it. "both" is an angle of 1e-4 under a ratio. Errors are medians over the draws, relative to the
largest acceleration; "refused" says that the status told it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import mpmath
import numpy as np
import sympy as sm
from numpy.typing import NDArray
from reporting import print_machine, print_table
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import SingularSystemError
from eomc.model import Model

FORMS = ("eliminated", "augmented", "range-space", "null-space")
TEMPLATES = Path(__file__).resolve().parents[1] / "templates" / "c99" / "kernels"

Array = NDArray[np.float64]


def system(n: int, m: int) -> Model:
    """Return q'^T M q' / 2 with J q' = 0 under forces F, all elements parameters or inputs."""
    t = dynamicsymbols._t
    q, forces = list(dynamicsymbols(f"q1:{n + 1}")), list(dynamicsymbols(f"F1:{n + 1}"))
    rates = sm.Matrix([x.diff(t) for x in q])
    mass = sm.Matrix(n, n, lambda i, j: sm.Symbol(f"m_{min(i, j)}_{max(i, j)}"))
    rows = sm.Matrix(m, n, lambda i, j: sm.Symbol(f"j_{i}_{j}"))
    symbols = sorted({*mass, *rows}, key=str)
    return eomc.from_lagrangian(
        (rates.T * mass * rates)[0] / 2,
        coordinates=q,
        generalized_forces=dict(zip(q, forces, strict=True)),
        velocity_constraints=list(rows * rates),
        parameters={s: 1.0 + 0.37 * k % 1 for k, s in enumerate(symbols)},
        inputs=forces,
        name="drawn",
    )


def exact(mass: Array, rows: Array, forces: Array) -> Array:
    """Return the accelerations of [M J^T; J 0] in 50 digits; rows are independent."""
    n, m = len(mass), len(rows)
    with mpmath.workdps(50):
        whole = mpmath.matrix(np.block([[mass, rows.T], [rows, np.zeros((m, m))]]).tolist())
        solution = mpmath.lu_solve(whole, mpmath.matrix([*forces, *[0.0] * m]))
        return np.array([float(x) for x in solution[:n]])


def drawn(random: np.random.Generator, n: int, m: int, case: tuple[str, float]) -> tuple[Array, Array, Array]:
    """Return M, J and F of a case."""
    kind, size = case
    root, rows = random.normal(size=(n, n)), random.normal(size=(m, n))
    mass = root @ root.T + np.eye(n)
    if kind == "angle":
        rows[1] = rows[0] + size * rows[1]
    elif kind == "ratio":
        scale = np.logspace(0.0, np.log10(size) / 2, n)
        mass = mass * np.outer(scale, scale)
    elif kind == "both":
        rows[1] = rows[0] + 1e-4 * rows[1]
        scale = np.logspace(0.0, np.log10(size) / 2, n)
        mass = mass * np.outer(scale, scale)
    elif kind == "singular":  # no inertia along one direction, which the constraints keep from moving
        basis = np.linalg.qr(root)[0]
        mass = basis @ np.diag([0.0, *random.uniform(1.0, 2.0, n - 1)]) @ basis.T
    return mass, rows, random.normal(size=n)


def named(mass: Array, rows: Array) -> dict[str, float]:
    """Return the values of parameters."""
    values = {f"m_{i}_{j}": mass[i, j] for i in range(len(mass)) for j in range(i, len(mass))}
    return values | {f"j_{i}_{j}": value for (i, j), value in np.ndenumerate(rows)}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, nargs=2, default=[5, 2], metavar=("N", "M"))
    parser.add_argument("--draws", type=int, default=60)
    arguments = parser.parse_args()
    n, m = arguments.size
    print_machine()
    model = system(n, m)
    builds = {form: eomc.compile(model, "lagrange", constraints=form) for form in FORMS}
    simulators = {form: build.load() for form, build in builds.items()}
    values = named(*drawn(np.random.default_rng(7), n, m, ("plain", 1.0))[:2])
    rows = []
    for form, build in builds.items():
        text = (TEMPLATES / f"{form.replace('-', '_')}.c.jinja").read_text(encoding="utf-8")
        states = np.zeros((4000, 2 * n))
        best = []
        for _ in range(9):
            begin = time.process_time()
            simulators[form].rhs(0.0, states, parameters=values)
            best.append(time.process_time() - begin)
        counts = build.statistics.code.functions[0].counts
        rows.append([form, f"{text.count(chr(10))}", f"{counts.total}", f"{statistics.median(best) / 4000 * 1e9:.0f}"])
    print_table([f"n = {n}, m = {m}", "lines", "operations of rhs", "ns"], rows)
    print()
    cases = [
        ("plain", 1.0),
        *(("angle", 10.0**-k) for k in (2, 4, 6)),
        *(("ratio", 10.0**k) for k in (4, 8, 12)),
        *(("both", 10.0**k) for k in (4, 8, 12)),
    ]
    rows = []
    for case in [*cases, ("singular", 0.0)]:
        random = np.random.default_rng(7)
        errors: dict[str, list[float]] = {form: [] for form in FORMS}
        for _ in range(arguments.draws):
            mass, jacobian, forces = drawn(random, n, m, case)
            truth = exact(mass, jacobian, forces)
            values = named(mass, jacobian)
            for form, sim in simulators.items():
                try:
                    found = sim.rhs(0.0, np.zeros(2 * n), inputs=forces, parameters=values)[n:]
                except SingularSystemError:
                    continue
                errors[form].append(float(np.max(np.abs(found - truth)) / np.max(np.abs(truth))))
        label = case[0] if case[0] in ("plain", "singular") else f"{case[0]} {case[1]:.0e}"
        cells = [f"{statistics.median(e):.0e}" if e else "refused" for e in errors.values()]
        few = [
            f"{cell} ({len(e)})" if 0 < len(e) < arguments.draws else cell
            for cell, e in zip(cells, errors.values(), strict=True)
        ]
        rows.append([label, *few])
    print_table(["error of u'", *FORMS], rows)
    print("\nin brackets: draws that were solved, where others were refused")


if __name__ == "__main__":
    main()
