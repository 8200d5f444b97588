"""PyDy: C of SymPy's KanesMethod through Cython, called from Python as its users call it."""

from __future__ import annotations

import os
import time
from typing import Any, ClassVar

import numpy as np
import peers
import sympy
from pydy.codegen.ode_function_generators import generate_ode_function

from comparison.contenders.contender import Task
from comparison.contenders.sympy_ import SymPyContender
from comparison.native import processor_seconds

__all__ = ["Tool"]

SYMBOLIC = 4  # speeds up to which its symbolic elimination is tried; beyond, it does not come to an end


class Tool(SymPyContender):
    """PyDy's function of a row, by the fastest of its ways to solve for u'."""

    columns: ClassVar[tuple[str, ...]] = ("rhs",)
    why_not: ClassVar[dict[str, str]] = dict.fromkeys(
        ("inverse_dynamics", "jacobian", "rk4", "ensemble"), "has right-hand sides alone"
    )

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._x = np.ascontiguousarray(task.arrays["x"][:, self.at])
        self._run: Any = None

    def build(self, column: str) -> dict[str, float]:
        """Make the function by each solver, and keep the fastest."""
        os.environ["CFLAGS"] = " ".join(self.task.flags)
        os.chdir(self.task.folder)
        peer = peers.share(self.kane)
        numbers, names = self.numbers, [str(symbol) for symbol in peer.parameters]
        rates = sympy.Matrix([self.kane.kindiffdict()[q.diff()] for q in self.kane.q])
        free = self.kane.mass_matrix.free_symbols | self.kane.forcing.free_symbols | rates.free_symbols
        symbols = {str(symbol): symbol for symbol in free}
        constants = [symbols[name] for name in names]
        given = [symbol.func.__name__ for symbol in self._signals()]
        p = np.array([numbers[name] for name in names])
        at_r = [self.task.layout["inputs"].index(name) for name in given]
        r = np.ascontiguousarray(self.task.arrays["r"][:, at_r])
        solvers = ["numpy", "scipy", *(["sympy:LU"] if len(self.kane.u) <= SYMBOLIC else [])]
        best = float("inf")
        spent = 0.0
        for solver in solvers:
            kept: list[Any] = []
            try:
                seconds = processor_seconds(
                    lambda solver=solver, kept=kept: kept.append(self._made(solver, constants, rates))
                )
            except self.faults:  # too late, or refused by its compiler: what is there already serves
                if self._run is None:
                    raise
                break
            run = self._bound(kept[0], p, r)
            took = min(_seconds(run, self._x, 100) for _ in range(5))
            if took < best:
                best, self._run, spent = took, run, seconds
        return {"derive": self.derivation, "compile": spent}

    def _signals(self) -> list[Any]:
        moving = {*self.kane.q, *self.kane.u}
        found = sympy.physics.mechanics.find_dynamicsymbols(self.kane.forcing)
        return sorted(found - moving, key=str)

    def _made(self, solver: str, constants: list[Any], rates: sympy.Matrix) -> Any:
        signals = self._signals()
        return generate_ode_function(
            self.kane.forcing, list(self.kane.q), list(self.kane.u), constants,
            mass_matrix=self.kane.mass_matrix, coordinate_derivatives=rates, specifieds=signals or None,
            generator="cython", linear_sys_solver=solver, constants_arg_type="array",
            **({"specifieds_arg_type": "array"} if signals else {}),
        )  # fmt: skip

    def _bound(self, function: Any, p: np.ndarray, r: np.ndarray) -> Any:
        if not r.shape[1]:
            return lambda k: function(self._x[k], 0.0, p)
        return lambda k: function(self._x[k], 0.0, r[k], p)

    def values(self, column: str) -> np.ndarray:
        """Return u' in eomc's order."""
        found = np.array([np.array(self._run(k)) for k in range(len(self._x))])
        return self.own_states(found)[:, self.task.layout["nq"] :]

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block of calls from Python."""
        return _seconds(self._run, self._x, calls)


def _seconds(run: Any, x: np.ndarray, calls: int) -> float:
    states = len(x)
    begin = time.perf_counter()
    for k in range(calls):
        run(k % states)
    return time.perf_counter() - begin
