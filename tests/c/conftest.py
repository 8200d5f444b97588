"""Hand-made programs, compilers with the strictest flags, and emitted C called through ctypes."""

from __future__ import annotations

import ctypes
import functools
import math
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

from eomc.backends.c99 import C99Result, generate
from eomc.backends.c99.mathematics import DEFAULT_MATHEMATICS
from eomc.backends.c99.units import LARGEST
from eomc.backends.writing import write
from eomc.derivation.methods.kane import KANE
from eomc.integrators import integrators
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, OutputArray, Program, Siblings, Variable
from eomc.ir.symbols import Named, Role, Symbol
from eomc.ir.systems import Factorization
from eomc.tableaus import DEFAULT, Tableau

sys.path.insert(0, str(Path(__file__).parent))  # of driving.py

# -- building programs -------------------------------------------------------------------------------------------------


class Builder:
    """A program in the making."""

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self.graph = Graph()
        self.variables: dict[Role, list[Variable]] = {Role.STATE: [], Role.INPUT: [], Role.PARAMETER: []}
        self.time = Symbol(Role.TIME, 0, "t")
        self.functions: list[Function] = []
        self.checks: list[Check] = []
        self.coordinates = 0

    def _add(self, role: Role, name: str, value: float, unit: str, description: str) -> Node:
        symbol = Symbol(role, len(self.variables[role]), name)
        self.variables[role].append(Variable(symbol, name, unit, description, value))
        return self.graph.symbol(symbol)

    def state(self, name: str, value: float = 0.0, unit: str = "", description: str = "") -> Node:
        return self._add(Role.STATE, name, value, unit, description)

    def input(self, name: str, value: float = 0.0, unit: str = "", description: str = "") -> Node:
        return self._add(Role.INPUT, name, value, unit, description)

    def parameter(self, name: str, value: float = 1.0, unit: str = "", description: str = "") -> Node:
        return self._add(Role.PARAMETER, name, value, unit, description)

    def function(
        self,
        name: str,
        outputs: Sequence[Node],
        *,
        names: Sequence[str] = (),
        shape: tuple[int, ...] | None = None,
        blocks: Sequence[Block] = (),
        title: str = "",
        arrays: Sequence[OutputArray] = (),
    ) -> None:
        size = shape or (len(outputs),)
        self.functions.append(
            Function(name, title or f"{name}.", tuple(outputs), tuple(names), size, tuple(blocks), arrays=tuple(arrays))
        )

    def check(self, node: Node, condition: Node, label: str) -> None:
        self.checks.append(Check(node, condition, label, len(self.checks)))

    def program(self, notes: Sequence[str] = ()) -> Program:
        return Program(
            self.name,
            f"Hand-made program {self.name}.",
            KANE,
            self.graph,
            self.time,
            tuple(self.variables[Role.STATE]),
            tuple(self.variables[Role.INPUT]),
            tuple(self.variables[Role.PARAMETER]),
            tuple(self.functions),
            tuple(self.checks),
            tuple(notes),
            self.coordinates,
        )


def pendulum() -> Program:
    b = Builder("pendulum")
    g = b.graph
    theta = b.state("theta", 0.3, "rad", "angle from the downward vertical")
    b.coordinates = 1
    omega = b.state("omega", 0.1, "rad/s", "generalized speed, d(theta)/dt")
    tau = b.input("tau", 0.0, "N m", "joint torque")
    m = b.parameter("m", 1.5, "kg", "bob mass, > 0")
    length = b.parameter("l", 0.7, "m", "rod length, > 0")
    gravity = b.parameter("g", 9.81, "m/s²", "gravity")
    ml = g.mul(m, length)
    inertia = g.mul(ml, length)
    torque = g.sub(tau, g.mul(g.mul(ml, gravity), g.unary(Op.SIN, theta)))
    kinetic = g.mul(g.mul(inertia, g.powi(omega, 2)), g.constant(Fraction(1, 2)))
    potential = g.neg(g.mul(g.mul(ml, gravity), g.unary(Op.COS, theta)))
    acceleration = g.div(torque, inertia)
    b.check(acceleration, g.binary(Op.LT, g.constant(0), inertia), "omega")
    blocks = (
        Block("mass matrix", (("M11 = m l^2", inertia),)),
        Block("generalized active force: tau - m g l sin(theta)", (("", torque),)),
    )
    b.function("rhs", [omega, acceleration], blocks=blocks, title="State derivative.")
    b.function("energy", [kinetic, potential, g.add(kinetic, potential)], names=("kinetic", "potential", "total"))
    b.function(
        "outputs", [g.mul(length, g.unary(Op.SIN, theta)), g.neg(g.mul(length, g.unary(Op.COS, theta)))], names="xy"
    )
    return b.program(["The total energy is constant while tau = 0."])


def bare() -> Program:
    """Harmonic oscillator without parameters, inputs, outputs."""
    b = Builder("bare")
    x, v = b.state("x", 1.0), b.state("v")
    b.coordinates = 1
    b.function("rhs", [v, b.graph.neg(x)])
    return b.program()


def runaway() -> Program:
    """x' = x^2, whose solution from 1 leaves the numbers at t = 1; a check on x plays a singular mechanism."""
    b = Builder("runaway")
    x = b.state("x", 1.0)
    rate = b.graph.powi(x, 2)
    b.check(rate, b.graph.binary(Op.LT, x, b.parameter("limit", 1e200)), "x")
    b.function("rhs", [rate])
    return b.program()


def constant() -> Program:
    """A derivative that ignores all that it is given, and an empty function."""
    b = Builder("constant")
    b.state("q")
    b.input("F")
    b.parameter("m")
    b.function("rhs", [b.graph.constant(2)])
    b.function("outputs", [])
    return b.program()


def nasty() -> Program:
    """Names that mean something else in C, C++ or libm, names that are no identifiers, names that collide."""
    b = Builder("time")
    g = b.graph
    names = [
        "int", "double", "restrict", "inline", "_Bool", "complex", "I", "y0", "j1", "gamma", "signbit", "INFINITY",
        "NULL", "errno", "main", "time", "t", "M_PI", "x", "dx", "p", "r", "c", "work", "h", "REAL",
        "REAL_SIN", "z0", "c0",
        "row", "status", "out", "failed",
        "scratch", "advance", "rhs_0", "time_real", "TIME_NX", "class", "new", "linux",
    ]  # fmt: skip
    odd = [
        "x_{1}",
        "x_1",
        "\\theta_0",
        "q'",
        "two words",
        "1x",
        "",
        "φ̇",
        "ñ",
        "θ",
        "Θ",
        "theta",
        "a" * 40,
        "a" * 41,
        "q",
        "Q",
    ]
    states = [b.state(name, 0.5) for name in odd]
    inputs = [b.input(f"{name}_in" if name != "t" else name, 0.25) for name in names[:20]]
    parameters = [b.parameter(name, 2.0) for name in names]
    total = g.sum([g.mul(p, states[i % len(states)]) for i, p in enumerate(parameters)])
    total = g.add(total, g.sum(g.mul(r, g.unary(Op.SIN, states[i % len(states)])) for i, r in enumerate(inputs)))
    time = g.symbol(b.time)
    b.function("rhs", [g.mul(g.mul(total, time), g.constant(Fraction(i + 1, 7))) for i in range(len(states))])
    b.function("outputs", [g.neg(s) for s in states], names=[*odd[:-1], 'say "hi", \\n ??/'])
    b.function("energy", [total, total], names=["", "a/b"])
    return b.program(["Note with */ and /* and \\theta and <b> and @brief and ??/ and µ."])


def states_as_arguments() -> Program:
    """States and inputs that are called like our own arguments."""
    b = Builder("arguments")
    b.coordinates = 5
    g = b.graph
    states = [b.state(name, 1.0) for name in ("x", "t", "r", "c", "p", "dx", "work", "z1", "equal", "w3")]
    b.input("h", 3.0)
    r = b.input("out", 3.0)
    k = b.parameter("c", 2.0)
    products = [g.mul(s, g.unary(Op.COS, s)) for s in states]
    b.function("rhs", [g.add(g.mul(k, p), g.mul(r, s)) for p, s in zip(products, reversed(products), strict=True)])
    return b.program()


UNARY: dict[Op, Callable[[float], float]] = {
    Op.SQRT: math.sqrt, Op.SIN: math.sin, Op.COS: math.cos, Op.TAN: math.tan, Op.ASIN: math.asin,
    Op.ACOS: math.acos, Op.ATAN: math.atan, Op.SINH: math.sinh, Op.COSH: math.cosh, Op.TANH: math.tanh,
    Op.EXP: math.exp, Op.LOG: math.log, Op.ABS: abs, Op.FLOOR: lambda x: float(math.floor(x)), Op.NEG: lambda x: -x,
    Op.SIGN: lambda x: 0.0 if x == 0 else math.copysign(1.0, x),
}  # fmt: skip
BINARY: dict[Op, Callable[[float, float], float]] = {
    Op.ADD: lambda x, y: x + y, Op.SUB: lambda x, y: x - y, Op.MUL: lambda x, y: x * y, Op.DIV: lambda x, y: x / y,
    Op.ATAN2: math.atan2, Op.POW: math.pow, Op.MIN: min, Op.MAX: max, Op.MOD: lambda x, y: x % y,
}  # fmt: skip
COMPARE: dict[Op, Callable[[float, float], bool]] = {
    Op.LT: lambda x, y: x < y, Op.LE: lambda x, y: x <= y, Op.EQ: lambda x, y: x == y, Op.NE: lambda x, y: x != y,
}  # fmt: skip


def all_ops() -> Program:
    """Outputs: every unary op of x, binary op of (x, y), comparison, and, or, not, powers, named constants, numbers."""
    b = Builder("all_ops")
    g = b.graph
    x, y = b.state("x", 0.3), b.state("y", 0.7)
    one, zero = g.constant(1), g.constant(0)
    results = [g.unary(op, x) if op is not Op.NEG else g.neg(x) for op in UNARY]
    results += [g.binary(op, x, y) for op in BINARY]
    results += [g.select(g.binary(op, x, y), one, zero) for op in COMPARE]
    below, equal = g.binary(Op.LT, x, y), g.binary(Op.EQ, x, y)
    results += [
        g.select(g.binary(Op.AND, below, equal), x, y),
        g.select(g.binary(Op.OR, below, equal), x, y),
        g.select(g.negate(below), x, y),
        g.select(g.negate(g.binary(Op.OR, g.negate(equal), below)), x, y),
    ]
    results += [g.powi(g.add(x, y), n) for n in POWERS]
    results += [g.mul(x, g.constant(value)) for value in (Named.PI, Named.E, Named.EPSILON)]
    results += [g.select(below, x, g.constant(Named.NAN))]
    results += [g.mul(x, g.constant(value)) for value in NUMBERS]
    b.function("rhs", [y, x])
    b.function("outputs", results, names=[f"o{i}" for i in range(len(results))])
    return b.program()


def signs() -> Program:
    b = Builder("signs")
    g = b.graph
    x, y = b.state("x"), b.state("y")
    b.function("rhs", [y, x])
    b.function("outputs", [g.unary(Op.SIGN, x), g.binary(Op.MOD, x, y)])
    return b.program()


POWERS = (-20, -5, -2, -1, 2, 3, 4, 5, 7, 11, 16, 17)
NUMBERS = (
    Fraction(1, 3), Fraction(-7, 11), 10**20, -(10**25), Fraction(1015308793816973697, 2361183241434822606848),
    0.1, 1e-300, 1e300, 5e-324, -2, Fraction(1, 10**30),
)  # fmt: skip


def expected_all_ops(x: float, y: float) -> list[float]:
    values = [rule(x) for rule in UNARY.values()]
    values += [rule(x, y) for rule in BINARY.values()]
    values += [float(rule(x, y)) for rule in COMPARE.values()]
    values += [x if x < y and x == y else y, x if x < y or x == y else y, x if not x < y else y]
    values += [x if not (x != y or x < y) else y]
    values += [math.pow(x + y, n) for n in POWERS]
    values += [x * math.pi, x * math.e, x * 2.0**-52]
    values += [x if x < y else math.nan]
    values += [x * float(value) for value in NUMBERS]
    return values


@dataclass(frozen=True)
class RandomDag:
    """A program, and the same formulas as Python knows them."""

    program: Program
    evaluate: Callable[[Sequence[float], Sequence[float]], list[float]]


def random_dag(size: int, seed: int, *, outputs: int = 12, guards: bool = True, constant: bool = False) -> RandomDag:
    """Bounded values throughout: sums are halved, products are of sines. `constant`: of parameters only."""
    rng = random.Random(seed)
    b = Builder(f"dag_{size}")
    g = b.graph
    states = [b.state(f"q{i}", 0.1 * i + 0.05) for i in range(outputs)]
    parameters = [b.parameter(f"p{i}", 0.3 + 0.1 * i) for i in range(4 + (outputs if constant else 0))]
    nodes = [*(parameters[4:] if constant else states), *parameters[:4]]
    rules: list[tuple[str, int, int, int]] = []
    conditions: list[tuple[Node, int, int]] = []
    half = g.constant(Fraction(1, 2))
    for step in range(size):
        i = rng.randrange(max(0, len(nodes) - 60), len(nodes)) if rng.random() < 0.8 else rng.randrange(len(nodes))
        j = rng.randrange(max(0, len(nodes) - 300), len(nodes))
        kind = rng.choice(["mean", "difference", "product", "sin", "cos", "select", "again", "root", "max"])
        if kind == "again" and not conditions:
            kind = "max"
        a, c = nodes[i], nodes[j]
        k = rng.randrange(max(0, len(conditions) - 30), len(conditions)) if kind == "again" else len(conditions)
        rules.append((kind, i, j, k))
        before = len(g)
        if kind == "mean":
            node = g.mul(g.add(a, c), half)
        elif kind == "difference":
            node = g.mul(g.sub(a, c), half)
        elif kind == "product":
            node = g.mul(a, c)
        elif kind in ("sin", "cos"):
            node = g.unary(Op(kind), g.add(a, c))
        elif kind == "select":
            conditions.append((g.binary(Op.LT, a, c), i, j))
            node = g.select(conditions[-1][0], a, g.unary(Op.SIN, c))
        elif kind == "again":
            node = g.select(conditions[k][0], a, c)
        elif kind == "root":
            node = g.unary(Op.SQRT, g.add(g.powi(a, 2), g.constant(1)))
            node = g.mul(node, half)
        else:
            node = g.binary(Op.MAX, a, c)
        if guards and step % 97 == 5 and node >= before:
            b.check(node, g.binary(Op.LT, c, g.constant(1000)), f"node {step}")
        nodes.append(node)
    blocks = [
        Block(
            f"block {k}", tuple((f"n[{i}]" if i % 7 == 0 else "", nodes[i]) for i in range(k, min(k + 50, len(nodes))))
        )
        for k in range(len(states) + 4, len(nodes), 50)
    ]
    last = len(nodes) - outputs
    b.function("rhs", nodes[last:], blocks=blocks)
    b.function("outputs", nodes[last : last + 3], names=("a", "b", "c"))

    def evaluate(x: Sequence[float], p: Sequence[float]) -> list[float]:
        values = [*x, *p]
        for kind, i, j, k in rules:
            a, c = values[i], values[j]
            if kind == "mean":
                values.append((a + c) * 0.5)
            elif kind == "difference":
                values.append((a - c) * 0.5)
            elif kind == "product":
                values.append(a * c)
            elif kind == "sin":
                values.append(math.sin(a + c))
            elif kind == "cos":
                values.append(math.cos(a + c))
            elif kind == "select":
                values.append(a if a < c else math.sin(c))
            elif kind == "again":
                values.append(a if values[conditions[k][1]] < values[conditions[k][2]] else c)
            elif kind == "root":
                values.append(math.sqrt(a * a + 1) * 0.5)
            else:
                values.append(max(a, c))
        return values[-outputs:]

    return RandomDag(b.program(), evaluate)


def linear_system(n: int, columns: int, kind: Factorization, *, constant: bool = False) -> Program:
    """rhs is the sum of the columns of X, A X = B; A = diag + rank one in the states (or in the parameters)."""
    b = Builder(f"{kind.value}_{n}_{columns}")
    g = b.graph
    states = [b.state(f"q{i}", 0.1 * (i + 1)) for i in range(n)]
    parameters = [b.parameter(f"a{i}", 0.2 * (i + 1)) for i in range(n)]
    shift = b.input("shift", 1.0)
    source = parameters if constant else states
    diagonal = parameters[0] if constant else shift
    matrix = [[g.mul(source[i], source[j]) for j in range(n)] for i in range(n)]
    for i in range(n):
        if kind is Factorization.LDLT:
            matrix[i][i] = g.add(matrix[i][i], diagonal)
        else:  # the heavy elements stand off the diagonal: no elimination without pivoting
            other = (i + 1) % n
            matrix[i][other] = g.add(matrix[i][other], g.mul(diagonal, g.constant(-(i + 2))))
    right = [[g.add(source[i], g.constant(k)) for k in range(columns)] for i in range(n)]
    solution = g.solve(kind, matrix, right, [f"row {i}" for i in range(n)])
    b.function("rhs", [g.add(g.sum(row), states[i]) for i, row in enumerate(solution)])
    b.coordinates = 1
    return b.program()


def constrained_system(
    n: int, m: int, columns: int, form: Factorization, *, strict: bool = True, differences: bool = False
) -> Program:
    """`outputs` is [X; L] of [[M, J^T], [J, 0]] [X; L] = B; the states are M's lower triangle, J and B by rows.

    Where there are `differences`, J and the constraints' part of B are these states less others, which come last.
    """
    b = Builder(f"{form.value.replace('-', '_')}_{n}_{m}_{columns}")
    matrix: list[list[Node]] = [[] for _ in range(n)]
    for i in range(n):
        matrix[i] = [b.state(f"m{i}_{j}", 1.0 + (i == j)) for j in range(i + 1)]
    full = [[matrix[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    jacobian = [[b.state(f"j{k}_{i}", 1.0 / (1 + k + 2 * i)) for i in range(n)] for k in range(m)]
    right = [[b.state(f"b{i}_{j}", 0.1 * (i + j)) for j in range(columns)] for i in range(n + m)]
    states = n * (n + 1) // 2 + m * n + (n + m) * columns
    if differences:
        for name, rows in (("s", jacobian), ("t", right[n:])):
            for k, row in enumerate(rows):
                row[:] = [b.graph.sub(x, b.state(f"{name}{k}_{i}", 0.0)) for i, x in enumerate(row)]
        states += m * (n + columns)
    labels = [*(f"x{i}" for i in range(n)), *(f"row {k}" for k in range(m))]
    unknowns, multipliers = b.graph.solve_constrained(form, full, jacobian, right, labels, strict=strict)
    entries = [entry for row in (*unknowns, *multipliers) for entry in row]
    b.function("rhs", [b.graph.zero] * states)
    b.function("outputs", entries)
    return b.program()


def unconstrained_system(n: int, columns: int, form: Factorization) -> Program:
    """`outputs` is X of A X = B; the states are A (its lower triangle where it is symmetric) and B, by rows."""
    b = Builder(f"{form.value}_{n}_{columns}")
    symmetric = form is Factorization.LDLT
    matrix: list[list[Node]] = []
    for i in range(n):
        matrix.append([b.state(f"a{i}_{j}", 1.0 + (i == j)) for j in range(i + 1 if symmetric else n)])
    if symmetric:
        matrix = [[matrix[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    right = [[b.state(f"b{i}_{j}", 0.1 * (i + j)) for j in range(columns)] for i in range(n)]
    solution = b.graph.solve(form, matrix, right, [f"x{i}" for i in range(n)])
    b.function("rhs", [b.graph.zero] * ((n * (n + 1) // 2 if symmetric else n * n) + n * columns))
    b.function("outputs", [entry for row in solution for entry in row])
    return b.program()


def system_of_differences(n: int, form: Factorization) -> Program:
    """`outputs` is A^-1 (1, ..., 1), of A under x0 = 0 where the form is of constrained systems.

    A is symmetric, each entry the difference of two states: its lower triangle by rows of those that are added, then of
    those that are subtracted.
    """
    b = Builder(f"differences_{form.value.replace('-', '_')}_{n}")
    g = b.graph
    places = [(i, j) for i in range(n) for j in range(i + 1)]
    added = [b.state(f"a{i}_{j}", 1.0 + (i == j)) for i, j in places]
    lower = dict(zip(places, map(g.sub, added, [b.state(f"s{i}_{j}", 0.0) for i, j in places]), strict=True))
    matrix = [[lower[max(i, j), min(i, j)] for j in range(n)] for i in range(n)]
    labels = [f"x{i}" for i in range(n)]
    right = [[g.one]] * n
    if form in (Factorization.LDLT, Factorization.LU):
        solution = g.solve(form, matrix, right, labels)
    else:
        row = [[g.one, *[g.zero] * (n - 1)]]
        solution, _ = g.solve_constrained(form, matrix, row, [*right, [g.zero]], [*labels, "row"])
    b.function("rhs", [g.zero] * (n * (n + 1)))
    b.function("outputs", [entry for row in solution for entry in row])
    return b.program()


def several_arrays() -> Program:
    """Functions that fill several arrays, one of them empty; states and parameters have the arrays' names."""
    b = Builder("several_arrays")
    g = b.graph
    first, second = b.state("A", 0.5), b.state("B", -0.25)
    k = b.parameter("C", 2.0)
    products = [g.mul(k, g.mul(first, second)), g.sub(first, second), g.add(k, second)]
    b.function("rhs", products[:2])
    shapes = ((2, 2), (2, 0), (3,))
    arrays = [OutputArray(name, f"matrix {name}", shape) for name, shape in zip("ABC", shapes, strict=True)]
    b.function("slopes", [*products, g.zero, first, g.one, products[0]], arrays=arrays)
    return b.program()


def limbs(count: int = 4, size: int = 60, seed: int = 1, *, chunks: int = 1) -> Program:
    """A body with limbs that are alike: inwards over each limb, their sum on the body, then outwards again.

    A limb has an angle, a speed, an input and a mass, and divides by a pivot that is tested. Values stay bounded: sums
    are halved, products are of sines. `chunks`: rounds of this, one after the other.
    """
    rng = random.Random(seed)
    b = Builder(f"limbs_{count}_{size}")
    g = b.graph
    body = [b.state("a", 0.3), b.state("b", -0.4)]
    angles = [b.state(f"angle_{i}", 0.1 + 0.2 * i) for i in range(count)]
    speeds = [b.state(f"speed_{i}", 0.4 - 0.1 * i) for i in range(count)]
    forces = [b.input(f"force_{i}", 0.25 * i) for i in range(count)]
    masses = [b.parameter(f"mass_{i}", 1.0 + 0.5 * i) for i in range(count)]
    common = b.parameter("length", 0.7)
    half, third = g.constant(Fraction(1, 2)), g.constant(1.0 / 3.0)
    limb = [
        [g.unary(Op.SIN, q), g.unary(Op.COS, q), u, g.mul(r, half), g.div(common, g.add(common, m))]
        for q, u, r, m in zip(angles, speeds, forces, masses, strict=True)
    ]
    outer = [*body, common, third]
    for number in range(chunks):
        for _ in range(2):
            for _ in range(size):
                kind, i, j = rng.choice(["mean", "less", "product", "outer"]), rng.random(), rng.random()
                for values in limb:
                    one = values[int(i * len(values))]
                    other = outer[int(j * len(outer))] if kind == "outer" else values[int(j * len(values))]
                    if kind == "mean":
                        values.append(g.mul(g.add(one, other), half))
                    elif kind == "less":
                        values.append(g.mul(g.sub(one, other), half))
                    else:
                        values.append(g.mul(one, other))
            for i, values in enumerate(limb):
                pivot = g.add(g.mul(values[-1], values[-1]), g.mul(masses[i], third))
                values.append(g.div(values[-2], pivot))
                b.check(values[-1], g.binary(Op.LT, g.constant(1e-3), pivot), f"limb {i}")
            total = g.sum(values[-1] for values in limb)
            outer.append(g.div(g.add(total, g.unary(Op.SIN, total)), g.constant(count + number)))
    b.function("rhs", [*(values[-1] for values in limb), *(values[-2] for values in limb), outer[-1], outer[-2]])
    b.function("outputs", [g.sum(values[-3] for values in limb)], names=["sum"])
    leaves = tuple(map(tuple, (angles, speeds, forces, masses)))
    siblings = (Siblings(tuple(f"limb_{i}" for i in range(count)), leaves),)
    return replace(b.program(), siblings=siblings)


PROGRAMS: dict[str, Callable[[], Program]] = {
    "limbs": limbs,
    "pendulum": pendulum,
    "bare": bare,
    "runaway": runaway,
    "constant": constant,
    "nasty": nasty,
    "states_as_arguments": states_as_arguments,
    "all_ops": all_ops,
    "signs": signs,
    "several_arrays": several_arrays,
    "dag_300": lambda: random_dag(300, 1).program,
    "dag_2000": lambda: random_dag(2000, 2).program,
    "hundred_states": lambda: random_dag(600, 3, outputs=100, guards=False).program,
    "dag_prepare": lambda: random_dag(2500, 6, constant=True).program,
    "ldlt": lambda: linear_system(7, 2, Factorization.LDLT),
    "lu": lambda: linear_system(5, 1, Factorization.LU),
    "ldlt_prepare": lambda: linear_system(4, 1, Factorization.LDLT, constant=True),
    "eliminated": lambda: constrained_system(4, 2, 1, Factorization.ELIMINATED),
    "augmented": lambda: constrained_system(4, 2, 3, Factorization.AUGMENTED),
    "range_space": lambda: constrained_system(4, 2, 1, Factorization.RANGE_SPACE),
    "null_space": lambda: constrained_system(4, 2, 2, Factorization.NULL_SPACE),
    "not_strict": lambda: constrained_system(3, 2, 1, Factorization.ELIMINATED, strict=False),
    "lu_prepare": lambda: linear_system(4, 3, Factorization.LU, constant=True),
}


@pytest.fixture(scope="session")
def programs() -> dict[str, Callable[[], Program]]:
    """Return hand-made programs by name."""
    return PROGRAMS


# -- compiling ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Folder:
    """An emitted folder."""

    path: Path
    result: C99Result

    @property
    def name(self) -> str:
        return self.result.view.name

    @property
    def macro(self) -> str:
        return self.result.view.macro

    @property
    def sources(self) -> list[str]:
        """The model's C files, without main.c."""
        return [artifact.path for artifact in self.result.artifacts if artifact.kind == "source"]

    def defines(self, real: str) -> list[str]:
        return [f"-D{self.macro}_USE_{real.upper()}"]

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False)

    def compile(self, command: Sequence[str]) -> None:
        answer = self.run(command)
        assert answer.returncode == 0, f"{' '.join(command)}\n{answer.stderr[:4000]}"
        assert answer.stderr == "", answer.stderr[:4000]

    def load(self, real: str = "double", optimize: str = "-O0", compiler: str = "gcc", *flags: str) -> Loaded:
        sizes = self.path / "sizes.c"
        sizes.write_text(
            f'#include "{self.name}.h"\n#include <stddef.h>\n'
            f"const unsigned long sizes[3] = {{sizeof({self.name}_constants), sizeof({self.name}_work), "
            f"offsetof({self.name}_work, failed)}};\n"
        )
        library = f"lib_{compiler}_{real}.so"
        command = [compiler, "-std=c99", optimize, *flags, "-shared", "-fPIC", *self.defines(real)]
        command += [*self.sources, "sizes.c"]
        command += ["-o", library, "-lm"]
        key = (*command, *(path.read_text() for path in sorted(self.path.glob("*.[ch]"))))
        if key not in LIBRARIES:
            self.compile(command)
            LIBRARIES[key] = ctypes.CDLL(str(self.path / library))
        return Loaded(self, LIBRARIES[key], real)


LIBRARIES: dict[tuple[str, ...], ctypes.CDLL] = {}
"""What was compiled, by command and text: many tests ask other things of the same program, which keeps no state."""


class Loaded:
    """Emitted C as Python functions."""

    def __init__(self, folder: Folder, library: ctypes.CDLL, real: str) -> None:
        self.folder = folder
        self.library = library
        self.real = ctypes.c_double if real == "double" else ctypes.c_float
        sizes = (ctypes.c_ulong * 3).in_dll(library, "sizes")
        self.constants = ctypes.create_string_buffer(sizes[0])
        self.work = ctypes.create_string_buffer(sizes[1])
        self.sizes = tuple(sizes)

    def array(self, values: Sequence[float]) -> ctypes.Array[ctypes.c_double]:
        return (self.real * max(len(values), 1))(*values)

    def prepare(self, parameters: Sequence[float] | None = None) -> int:
        variables = self.folder.result.schedule.program.parameters
        values = parameters if parameters is not None else [variable.value for variable in variables]
        view = self.folder.result.view
        name = view.code.link_double if self.real is ctypes.c_double else view.code.link_float
        return int(getattr(self.library, name)(self.array(values), self.constants))

    def call(
        self, name: str, t: float, x: Sequence[float], inputs: Sequence[float] | None = None, *, start: float = -77.0
    ) -> tuple[int, list[float]]:
        """Return status and result; the result begins as `start` everywhere."""
        program = self.folder.result.schedule.program
        held = inputs if inputs is not None else [variable.value for variable in program.inputs]
        size = next(len(function.outputs) for function in program.functions if function.name == name)
        out = self.array([start] * size)
        function = getattr(self.library, f"{self.folder.name}_{name}")
        status = function(self.real(t), self.array(x), self.array(held), self.constants, self.work, out)
        return int(status), list(out)[:size]

    def failed(self) -> int:
        """Return work->failed."""
        return ctypes.c_int.from_buffer(self.work, self.sizes[2]).value

    def step(
        self, t: float, h: float, x: Sequence[float], inputs: Sequence[Sequence[float]], suffix: str = ""
    ) -> tuple[int, list[float]]:
        """Return status and state after a step of the scheme, or after `suffix` of it."""
        width = max(len(inputs[0]), 1)
        rows = self.array([value for row in inputs for value in (*row, *([0.0] * (width - len(row))))])
        state = self.array(x)
        function = getattr(self.library, f"{self.folder.name}_{self.folder.result.view.step.name}_step{suffix}")
        status = function(self.real(t), self.real(h), rows, self.constants, self.work, state)
        return int(status), list(state)


def folder_of(
    program: Program,
    where: Path,
    *,
    real: str = "double",
    largest: int = LARGEST,
    tableau: Tableau = DEFAULT,
    math: str = DEFAULT_MATHEMATICS,
    runs: str = "",
) -> Folder:
    """Write the folder of a program below another one."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is missing: the emitted C cannot be compiled")
    chosen = integrators(runs) if runs else ()
    result = generate(program, real=real, tableaus=(tableau,), math=math, version="0.0.0", largest=largest, runs=chosen)
    path = where / f"{result.view.name}_{real}_{math}"
    write(result.artifacts, path)
    return Folder(path, result)


@pytest.fixture(scope="module", autouse=True)
def optimization() -> None:
    """Compile as users do: here the text is the subject."""


@pytest.fixture
def emit(tmp_path: Path) -> Callable[..., Folder]:
    """Return a function that writes the folder of a program."""
    return lambda program, **options: folder_of(program, tmp_path, **options)


@pytest.fixture(scope="session")
def emit_in() -> Callable[..., Folder]:
    """Return the function that writes the folder of a program below another one."""
    return folder_of


@pytest.fixture(scope="session")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Folder]:
    """Return a function that takes a name among `programs` to a folder that its tests share: they add objects alone."""
    return functools.cache(lambda name: folder_of(PROGRAMS[name](), tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="session")
def expected() -> dict[str, Callable[..., list[float]]]:
    """Return what the functions of some programs are, by name."""
    return {"all_ops": expected_all_ops}


@pytest.fixture(scope="session")
def builder() -> type[Builder]:
    """Return the class of programs in the making."""
    return Builder


@pytest.fixture(scope="session")
def dag() -> Callable[..., RandomDag]:
    """Return the maker of random programs."""
    return random_dag


@pytest.fixture(scope="session")
def system() -> Callable[..., Program]:
    """Return the maker of programs around one linear system."""
    return linear_system


@pytest.fixture(scope="session")
def constrained() -> Callable[..., Program]:
    """Return the maker of programs around one constrained system."""
    return constrained_system


@pytest.fixture(scope="session")
def unconstrained() -> Callable[..., Program]:
    """Return the maker of programs around one definite or general system."""
    return unconstrained_system


@pytest.fixture(scope="session")
def differences() -> Callable[..., Program]:
    """Return the maker of programs around a system whose entries are differences."""
    return system_of_differences
