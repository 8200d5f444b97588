"""numba: what SymPy's lambdify would write of M, f and q' with cse, with a solve beside, compiled by LLVM."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numba
import numpy as np
import peers
import sympy

from comparison.columns import DT, STARTS, STEPS
from comparison.contenders.contender import Task
from comparison.contenders.sympy_ import SymPyContender
from comparison.native import processor_seconds

__all__ = ["Tool"]

UNROLLED = 8  # speeds up to which L D L^T is straight lines

SOLVES = """
@jit
def ldlt(a, y):
    n = y.size
    for j in range(n):
        inverse = 1.0 / a[j, j]
        for i in range(j + 1, n):
            l = a[i, j] * inverse
            for k in range(j + 1, i + 1):
                a[i, k] -= l * a[k, j]
            y[i] -= l * y[j]
        for i in range(j + 1, n):
            a[i, j] *= inverse
        y[j] *= inverse
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            y[i] -= a[k, i] * y[k]

@jit
def gauss(a, y):
    n = y.size
    for j in range(n):
        p = j
        for i in range(j + 1, n):
            if abs(a[i, j]) > abs(a[p, j]):
                p = i
        if p != j:
            for k in range(j, n):
                a[j, k], a[p, k] = a[p, k], a[j, k]
            y[j], y[p] = y[p], y[j]
        inverse = 1.0 / a[j, j]
        for i in range(j + 1, n):
            l = a[i, j] * inverse
            for k in range(j + 1, n):
                a[i, k] -= l * a[j, k]
            y[i] -= l * y[j]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            y[i] -= a[i, k] * y[k]
        y[i] /= a[i, i]
"""

LOOPS = """
@jit
def rhs_all(x, r, a, dx):
    for i in range(len(x)):
        rhs(x[i], r[i], a, dx[i])

@jit
def rhs_loop(x, r, a, dx, calls):
    k = 0
    for i in range(calls):
        rhs(x[k], r[k], a, dx)
        k = 0 if k + 1 == len(x) else k + 1

@jit
def step(x, r, a, k, y):
    n = x.size
    rhs(x, r, a, k[0])
    for i in range(n):
        y[i] = x[i] + DT / 2 * k[0, i]
    rhs(y, r, a, k[1])
    for i in range(n):
        y[i] = x[i] + DT / 2 * k[1, i]
    rhs(y, r, a, k[2])
    for i in range(n):
        y[i] = x[i] + DT * k[2, i]
    rhs(y, r, a, k[3])
    for i in range(n):
        y[i] = x[i] + DT / 6 * (k[0, i] + 2.0 * (k[1, i] + k[2, i]) + k[3, i])

@jit
def rk4_all(x, r, a, k, y):
    for i in range(len(x)):
        step(x[i], r[i], a, k, y[i])

@jit
def rk4_loop(x, r, a, k, y, calls):
    j = 0
    for i in range(calls):
        step(x[j], r[j], a, k, y)
        j = 0 if j + 1 == len(x) else j + 1

@jit
def ensemble(x, r, a, k, y, steps):
    for i in range(len(x)):
        for _ in range(steps):
            step(x[i], r, a, k, y)
            x[i] = y
"""


class Tool(SymPyContender):
    """Compiled Python of a row."""

    faults: ClassVar[tuple[type[Exception], ...]] = (*SymPyContender.faults, numba.core.errors.NumbaError)
    columns: ClassVar[tuple[str, ...]] = ("rhs", "rk4", "ensemble")
    why_not: ClassVar[dict[str, str]] = dict.fromkeys(
        ("inverse_dynamics", "jacobian"), "SymPy's expressions of it are not compared"
    )

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        kept: list[Any] = []

        def emit() -> None:
            peer = peers.share(self.kane)
            kept.extend((peer, self._source(peer)))

        self._emission = processor_seconds(emit)
        self._peer, source = kept
        (task.folder / "numba.py").write_text(source)
        jit = numba.njit(error_model="numpy", fastmath={"contract"}, inline="never")
        self._names: dict[str, Any] = {"jit": jit, "DT": DT}
        exec(compile(source, str(task.folder / "numba.py"), "exec"), self._names)
        n, nx = len(self._peer.forcing), len(self._peer.states)
        self._x = np.ascontiguousarray(task.arrays["x"][:, self.at])
        at_r = [task.layout["inputs"].index(str(symbol)) for symbol in self._peer.inputs]
        self._r = np.ascontiguousarray(task.arrays["r"][:, at_r]) if at_r else np.zeros((len(self._x), 1))
        self._a, self._k, self._y = np.zeros((n, n)), np.zeros((4, nx)), np.zeros(nx)

    def _source(self, peer: peers.Peer) -> str:
        """Return the Python of the right-hand side: lines as lambdify prints them, and a solve."""
        n, nq = len(peer.forcing), len(peer.rates)
        known = self.numbers
        lines = ["import math", SOLVES, "@jit", "def rhs(x_, r_, a_, dx_):"]
        lines += [f"    {symbol} = x_[{i}]" for i, symbol in enumerate(peer.states)]
        lines += [f"    {symbol} = r_[{i}]" for i, symbol in enumerate(peer.inputs)]
        lines += [f"    {symbol} = {known[str(symbol)]!r}" for symbol in peer.parameters]
        lines += [f"    {symbol} = {sympy.pycode(value)}" for symbol, value in peer.shared]
        if self.constrained or n > UNROLLED:
            for i in range(n):
                entries = range(n if self.constrained else i + 1)
                lines += [f"    a_[{i}, {j}] = {sympy.pycode(peer.mass_matrix[i, j])}" for j in entries]
            lines += [f"    y_ = dx_[{nq}:]"]
            lines += [f"    y_[{i}] = {sympy.pycode(value)}" for i, value in enumerate(peer.forcing)]
            lines += [f"    {'gauss' if self.constrained else 'ldlt'}(a_, y_)"]
        else:
            zero = {(i, j) for i in range(n) for j in range(i) if peer.mass_matrix[i, j] == 0}
            for i in range(n):
                full = [j for j in range(i + 1) if (i, j) not in zero]
                lines += [f"    w_{i}_{j} = {sympy.pycode(peer.mass_matrix[i, j])}" for j in full]
            lines += [f"    y_{i} = {sympy.pycode(value)}" for i, value in enumerate(peer.forcing)]
            straight = peers.straight_solve(n, zero)
            lines += [line.replace("const double ", "").replace("double ", "").rstrip(";") for line in straight]
            lines += [f"    dx_[{nq + i}] = y_{i}" for i in range(n)]
        lines += [f"    dx_[{i}] = {sympy.pycode(value)}" for i, value in enumerate(peer.rates)]
        return "\n".join([*lines, LOOPS])

    def build(self, column: str) -> dict[str, float]:
        """Compile what a column needs."""
        if column != "rhs":
            self.seconds(column, 1)
            self.values(column)
            return {}
        seconds = processor_seconds(lambda: self.seconds("rhs", 1))
        self.values("rhs")
        told = {"derive": self.derivation, "emit": self._emission, "compile": seconds}
        return {**told, "operations": self.operations(self._peer)}

    def values(self, column: str) -> np.ndarray:
        """Return the results in eomc's order."""
        if column == "rhs":
            found = np.zeros_like(self._x)
            self._names["rhs_all"](self._x, self._r, self._a, found)
            return self.own_states(found)[:, self.task.layout["nq"] :]
        found = self._x.copy()
        if column == "rk4":
            self._names["rk4_all"](self._x, self._r, self._a, self._k, found)
        else:
            self._names["ensemble"](found, np.zeros(self._r.shape[1]), self._a, self._k, self._y, STEPS)
        return self.own_states(found)

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block; of an ensemble, of so many steps of all trajectories."""
        x, r, a, k, y = self._x, self._r, self._a, self._k, self._y
        if column == "ensemble":
            x, r = np.resize(x, (STARTS, x.shape[1])), np.zeros(r.shape[1])
            return processor_seconds(lambda: self._names["ensemble"](x, r, a, k, y, calls))
        begin = time.perf_counter()
        if column == "rhs":
            self._names["rhs_loop"](x, r, a, y, calls)
        else:
            self._names["rk4_loop"](x, r, a, k, y, calls)
        return time.perf_counter() - begin
