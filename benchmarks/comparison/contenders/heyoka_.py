"""heyoka: the graph that eomc emits, compiled by LLVM; it derives nothing itself."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import heyoka as hy
import numpy as np
from heyoka_graphs import translated

from comparison.columns import DT, STARTS, STEPS
from comparison.contenders.contender import Contender, Refused, Task
from comparison.native import processor_seconds
from comparison.rows import Row, model_of

__all__ = ["Tool"]

LARGE = 1500  # nodes beyond which its compact mode is taken: it compiles in seconds what else takes minutes
TOO_LARGE = 20000


class Tool(Contender):
    """heyoka's compiled functions of a row."""

    columns: ClassVar[tuple[str, ...]] = ("rhs", "rk4", "ensemble")
    why_not: ClassVar[dict[str, str]] = {
        "inverse_dynamics": "derives no equations",
        "jacobian": "its derivatives of the graph are not compared",
    }

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        import eomc

        build = eomc.compile(model_of(task.row, task.folder), functions=[])
        nodes = len(build.program.graph.reachable(build.program.functions[0].outputs))
        if nodes > TOO_LARGE:
            raise Refused(f"its graph would have {nodes} nodes, unrolled")
        self._compact = nodes > LARGE
        nx, nr = task.arrays["x"].shape[1], task.layout["nr"]
        self._x, self._r = ([hy.make_vars(f"{c}{k}") for k in range(n)] for c, n in (("x", nx), ("r", nr)))
        try:
            self._rates = translated(build, hy, self._r)
            self._held = translated(build, hy)
        except (KeyError, AttributeError, TypeError) as error:
            raise Refused(f"has no such operation: {error}") from None
        self._functions: dict[str, Any] = {}
        self._given: dict[str, np.ndarray] = {}
        self._many: dict[str, np.ndarray] = {}  # enough of them that a call from Python is nothing beside

    @classmethod
    def serves(cls, row: Row) -> str:
        """Return why it has no such row: a graph of many thousand nodes is unrolled for it."""
        return "its graph would be too large, unrolled" if row.size > 100 else ""

    def build(self, column: str) -> dict[str, float]:
        """Compile a function."""
        arrays, made = self.task.arrays, list[Any]()
        if column == "ensemble":
            outputs, given = self._step(self._held), arrays["x"]
            variables, options = self._x, {}
        else:
            outputs = self._rates if column == "rhs" else self._step(self._rates)
            given = np.hstack([arrays["x"], arrays["r"]])
            variables, options = [*self._x, *self._r], {"batch_size": 1}  # one state at a time

        def compile_it() -> None:
            made.append(hy.cfunc(outputs, vars=variables, compact_mode=self._compact, **options))

        seconds = processor_seconds(compile_it)
        self._functions[column] = made[0]
        self._given[column] = np.ascontiguousarray(given.T)
        self._many[column] = np.ascontiguousarray(np.resize(given, (STARTS, given.shape[1])).T)
        return {"compile": seconds} if column == "rhs" else {}

    def _step(self, rates: list[Any]) -> list[Any]:
        """Return a step of RK4."""
        names = [f"x{k}" for k in range(len(self._x))]

        def slopes(x: list[Any]) -> list[Any]:
            found: list[Any] = hy.subs(rates, dict(zip(names, x, strict=True)))
            return found

        x, k1 = self._x, rates
        k2 = slopes([a + DT / 2 * k for a, k in zip(x, k1, strict=True)])
        k3 = slopes([a + DT / 2 * k for a, k in zip(x, k2, strict=True)])
        k4 = slopes([a + DT * k for a, k in zip(x, k3, strict=True)])
        return [a + DT / 6 * (p + 2.0 * (q + r) + s) for a, p, q, r, s in zip(x, k1, k2, k3, k4, strict=True)]

    def values(self, column: str) -> np.ndarray:
        """Return the results in eomc's order."""
        if column == "ensemble":
            return self._run(self._given[column], STEPS).T
        found: np.ndarray = self._functions[column](self._given[column]).T
        return found[:, self.task.layout["nq"] :] if column == "rhs" else found

    def _run(self, x: np.ndarray, steps: int) -> np.ndarray:
        there, here = np.empty_like(x), x.copy()
        for _ in range(steps):
            self._functions["ensemble"](here, outputs=there)
            here, there = there, here
        return here

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block; of an ensemble, of so many steps of all trajectories."""
        given = self._many[column]
        if column == "ensemble":
            return processor_seconds(lambda: self._run(given, calls))
        function, rounds = self._functions[column], -(-calls // given.shape[1])
        outputs = np.empty((len(self._x), given.shape[1]))
        begin = time.perf_counter()
        for _ in range(rounds):
            function(given, outputs=outputs)
        return (time.perf_counter() - begin) * calls / (rounds * given.shape[1])
