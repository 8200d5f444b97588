"""Derivatives through linear systems: random graphs and mechanisms, both directions against dual numbers in NumPy.

The entries are what folds: ones, zeros, changed signs, variables themselves. A system that is written out then holds
its unknowns no more, or holds them without their sign.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization, SystemSpec
from eomc.passes.differentiate import gradient, jacobian
from eomc.solving.checks import Checks
from eomc.solving.jacobian import sparse_jacobian
from eomc.solving.ldlt import solve_positive_definite_rows
from eomc.solving.linear import solve_general

COUNT = 4
SYMBOLS = [Symbol(Role.STATE, i, f"x{i}") for i in range(COUNT)]
Matrix: TypeAlias = list[list[Node]]
Dual: TypeAlias = tuple[Any, Any]  # value and slopes; of a system: all of its results

SMOOTH: dict[Op, Callable[..., tuple[float, Sequence[float]]]] = {
    Op.ADD: lambda x, y: (x + y, (1, 1)),
    Op.SUB: lambda x, y: (x - y, (1, -1)),
    Op.MUL: lambda x, y: (x * y, (y, x)),
    Op.DIV: lambda x, y: (x / y, (1 / y, -x / y**2)),
    Op.NEG: lambda x: (-x, (-1,)),
    Op.SIN: lambda x: (np.sin(x), (np.cos(x),)),
    Op.COS: lambda x: (np.cos(x), (-np.sin(x),)),
}


def dual_numbers(
    graph: Graph, roots: Sequence[Node], at: Mapping[Symbol, float], along: Sequence[Symbol]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of nodes and their slopes in some symbols."""
    known: dict[Node, Dual] = {}
    units = dict(zip(along, np.eye(len(along)), strict=True))
    still = np.zeros(len(along))
    for node in graph.reachable(roots):
        op, data = graph.ops[node], graph.data[node]
        args = [known[a] for a in graph.args[node]]
        if op is Op.CONSTANT:
            known[node] = float(data), still
        elif op is Op.SYMBOL:
            assert isinstance(data, Symbol)
            known[node] = at[data], units.get(data, still)
        elif op is Op.POWI:
            assert isinstance(data, int)
            known[node] = args[0][0] ** data, data * args[0][0] ** (data - 1) * args[0][1]
        elif op is Op.RESULT:
            known[node] = args[0][0][data], args[0][1][data]
        elif op is Op.SOLVE:
            assert isinstance(data, SystemSpec)
            known[node] = dual_solution(data, args)
        else:
            value, slopes = SMOOTH[op](*[a[0] for a in args])
            known[node] = value, sum(s * a[1] for s, a in zip(slopes, args, strict=True))
    return np.array([known[r][0] for r in roots]), np.array([known[r][1] for r in roots])


def dual_solution(spec: SystemSpec, args: Sequence[Dual]) -> Dual:
    """Return X of A X = B, with A X' = B' - A' X."""
    n, columns, count, along = spec.rows, spec.columns, spec.matrix_entries, len(args[0][1])
    matrix, rates = np.zeros((n, n)), np.zeros((n, n, along))
    for (i, j), (value, slope) in zip(spec.places, args, strict=False):
        for row, column in {(i, j), (j, i) if spec.symmetric else (i, j)}:
            matrix[row, column], rates[row, column] = value, slope
    right = np.array([value for value, _ in args[count:]]).reshape(n, columns)
    slopes = np.array([slope for _, slope in args[count:]]).reshape(n, columns, along)
    found = np.linalg.solve(matrix, right)
    change = slopes - np.einsum("ijv,jc->icv", rates, found)
    moved = np.linalg.solve(matrix, change.reshape(n, -1)).reshape(n, columns, along)
    return found.reshape(-1), moved.reshape(n * columns, along)


class Random:
    """Expressions over a growing pool of nodes, and systems over these."""

    def __init__(self, seed: int) -> None:
        self.graph = Graph()
        self.draw = random.Random(seed)
        self.checks = Checks(self.graph)
        self.variables = [self.graph.symbol(s) for s in SYMBOLS]
        self.pool = list(self.variables)

    def small(self) -> Node:
        """Return a bounded node, below 1/5."""
        g, draw = self.graph, self.draw
        wave = g.unary(draw.choice((Op.SIN, Op.COS)), draw.choice(self.pool))
        return g.mul(wave, g.constant(draw.choice((0.2, -0.2))))

    def entry(self) -> Node:
        """Return a node that is likely to fold."""
        g, draw = self.graph, self.draw
        x, y = draw.choice(self.pool), draw.choice(self.pool)
        return draw.choice((g.zero, g.one, g.constant(-1), x, g.neg(x), g.sub(x, y), g.mul(x, y), g.neg(g.mul(x, y))))

    def matrix(self, n: int, symmetric: bool) -> Matrix:
        """Return a matrix with dominant diagonal: many zeros, ones on the diagonal."""
        g, draw = self.graph, self.draw
        rows = [[g.zero] * n for _ in range(n)]
        for i in range(n):
            for j in range(i if symmetric else n):
                if i != j and draw.random() < 0.4:
                    rows[i][j] = self.small()
                    if symmetric:
                        rows[j][i] = rows[i][j]
            square = g.add(g.one, g.powi(draw.choice(self.pool), 2))
            rows[i][i] = draw.choice((g.one, g.one, square, g.add(g.one, self.small())))
            if not symmetric and draw.random() < 0.3:
                rows[i] = [g.neg(x) for x in rows[i]]
        return rows

    def system(self, kind: str) -> None:
        """Solve a system of a kind, and put its results into the pool."""
        g, draw = self.graph, self.draw
        n, columns = draw.randint(1, 5), draw.choice((1, 1, 2))
        labels = [f"x{i}" for i in range(n + 1)]
        right = [[self.entry() for _ in range(columns)] for _ in range(n + 1)]
        if kind == "written out":
            found = solve_positive_definite_rows(g, self.matrix(n, True), right[:n], labels[:n], self.checks).rows
        elif kind == "block by block":
            found = solve_general(g, self.matrix(n, False), right[:n], labels[:n], self.checks).rows
        elif kind in ("ldlt", "lu"):
            found = g.solve(Factorization(kind), self.matrix(n, kind == "ldlt"), right[:n], labels[:n])
        else:
            rows = [[g.one if i == 0 else self.small() for i in range(n)]]
            above, below = g.solve_constrained(Factorization(kind), self.matrix(n, True), rows, right, labels)
            found = [*above, *below]
        solution = [x for row in found for x in row]
        self.pool += [x for x in solution if x not in (g.zero, g.one)]
        self.pool.append(g.sub(draw.choice(self.pool), draw.choice(solution)))


KINDS = ["written out", "block by block", *(kind.value for kind in Factorization)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(15))
def test_forward_and_reverse_are_those_of_dual_numbers(kind: str, seed: int) -> None:
    """Sparse Jacobian = its forward sweeps = its reverse sweeps = tangents = adjoints = dual numbers."""
    made = Random(seed)
    g, variables = made.graph, made.variables
    made.system(kind)
    made.system(made.draw.choice(KINDS[:3]))
    roots = made.pool[COUNT:]
    at = {symbol: made.draw.uniform(0.2, 1.2) for symbol in SYMBOLS}
    expected = dual_numbers(g, roots, at, SYMBOLS)[1]
    ways = {
        "sparse": sparse_jacobian(g, roots, variables, made.checks.systems),
        "tangents": jacobian(g, roots, variables),
        "adjoints": [gradient(g, root, variables) for root in roots],
    }
    for way in (0, 1):  # one of its directions everywhere, whatever it costs
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("eomc.solving.jacobian._Sweep._cheaper", lambda _, given, *ways, way=way: ways[way])
            ways[("forward", "reverse")[way]] = sparse_jacobian(g, roots, variables, made.checks.systems)
    for name, rows in ways.items():
        found = dual_numbers(g, [entry for row in rows for entry in row], at, ())[0].reshape(expected.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11, err_msg=name)


t = dynamicsymbols._t


def mechanism(seed: int) -> eomc.Model:
    """Return beads on rods that turn and slide, aligned with axes, forced in time, by an input and by a state."""
    draw = random.Random(seed)
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    count = draw.randint(2, 3)
    q, (r, z) = list(dynamicsymbols(f"q1:{count + 1}")), dynamicsymbols("r z")
    values = {sympy.Symbol(name): value for name, value in (("k", 2.0), ("g", 9.81), ("m1", 1.3), ("m2", 0.7))}
    k, g, *masses = values
    frame, point, bodies, loads = N, origin, [], []
    for i, coordinate in enumerate(q):
        turns = i == 0 or draw.random() < 0.4
        if turns:
            turned = ReferenceFrame(f"A{i}")
            turned.orient_axis(frame, draw.choice([frame.x, (3 * frame.x + 4 * frame.y) / 5]), coordinate)
            frame = turned
        reach = draw.choice([1, q[-1]]) if turns else coordinate
        point = point.locatenew(f"P{i}", reach * draw.choice([frame.y, frame.z] if turns else [*frame]))
        bodies.append(Particle(f"B{i}", point, draw.choice([1, *masses])))
        force = draw.choice([k * sympy.sin(t), r, z, -k * sympy.cos(t)])
        loads.append((point, force * draw.choice([*N, *frame])))
    rates, u = [c.diff(t) for c in q], list(dynamicsymbols(f"u1:{count + 1}"))
    named = draw.random() < 0.5
    signs = [draw.choice([1, -1, 2]) for _ in q]
    gravity = draw.choice([0, g]) * N.z
    used = {*gravity.free_symbols(N), *(s for body in bodies for s in sympy.sympify(body.mass).free_symbols)}
    used |= {s for _, force in loads for s in force.free_symbols(N)}
    return eomc.Model(
        name=f"rods_{seed}",
        inertial_frame=N,
        coordinates=q,
        speeds=u if named else rates,
        kinematical_equations=[s * v - w for s, v, w in zip(signs, rates, u, strict=True)] if named else [],
        bodies=bodies,
        loads=loads,
        gravity=gravity,
        inputs=[r],
        extra_states={z: r - z + sympy.cos(t) * q[0]},
        parameters={symbol: value for symbol, value in values.items() if symbol in used},
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(32))
def test_mechanisms(seed: int) -> None:
    """df/dx, df/dr and df/dt of beads on rods = dual numbers of their own right-hand side, by every method."""
    model = mechanism(seed)
    for method in model.methods:
        program = eomc.compile(model, method, functions=["jacobian", "time_derivative"]).program
        functions = {function.name: function.outputs for function in program.functions}
        draw = random.Random(seed)
        along = [*(v.symbol for v in (*program.states, *program.inputs)), program.time]
        at = {symbol: draw.uniform(0.3, 1.1) for symbol in along} | {p.symbol: p.value for p in program.parameters}
        slopes = dual_numbers(program.graph, functions["rhs"], at, along)[1]
        n = len(program.states)
        found, _ = dual_numbers(program.graph, functions["jacobian"], at, ())
        by_time, _ = dual_numbers(program.graph, functions["time_derivative"], at, ())
        size = 1e-11 * (1 + np.abs(slopes).max())
        np.testing.assert_allclose(found[: n * n].reshape(n, n), slopes[:, :n], atol=size, err_msg=method)
        np.testing.assert_allclose(found[n * n :].reshape(n, 1), slopes[:, n : n + 1], atol=size, err_msg=method)
        np.testing.assert_allclose(by_time, slopes[:, -1], atol=size, err_msg=method)
