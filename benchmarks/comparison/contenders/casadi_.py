"""CasADi: SX graphs of articulated and composite bodies, its own C; of several forms the fastest."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

import casadi
import microcontroller
import numpy as np
from casadi_trees import ALGORITHMS, Dynamics

from comparison.columns import DT
from comparison.contenders.contender import Contender, Refused, Task
from comparison.native import LOOP, Loop, compiled, processor_seconds, text_of
from comparison.rows import Kind, Row
from comparison.trees import tree_of

__all__ = ["Tool"]

DRIVER = (
    LOOP
    + r"""
int peer(const double **arg, double **res, long long *iw, double *w, void *mem);
static double w_[@w + 1];
static long long iw_[@iw + 1];
static const double step_ = @step;
static void call(const double *x, const double *e, double *y)
{
    const double *arg[@arg + 8];
    double *res[@res + 8];

    arg[0] = x; arg[1] = e; arg[2] = &step_;
    res[0] = y; res[1] = y + @first;
    (void)peer(arg, res, iw_, w_, 0);
}
"""
)
NOT_OPERATIONS = ("OP_CONST", "OP_INPUT", "OP_OUTPUT", "OP_PARAMETER", "OP_ASSIGN", "OP_NEG")
SHIPPED = {"disk": "rolling_disk", "fourbar": "four_bar"}
LESS = 0.4  # a form with fewer operations than this share of another's is taken unmeasured


class Tool(Contender):
    """CasADi's functions of a row."""

    columns: ClassVar[tuple[str, ...]] = ("rhs", "inverse_dynamics", "jacobian", "rk4")
    why_not: ClassVar[dict[str, str]] = {"ensemble": "its map is a loop of steps"}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._loops: dict[str, Loop] = {}
        self._functions: dict[str, Any] = {}
        if task.row.is_tree:
            self._tree = tree_of(task)

    @classmethod
    def serves(cls, row: Row) -> str:
        """Return why it has no such row: mechanisms under constraints are written out by hand for it."""
        return "not written out for it" if row.kind is Kind.MODEL and row.name not in SHIPPED else ""

    def build(self, column: str) -> dict[str, float]:
        """Make the forms of a function, keep the fastest, and return what that took."""
        if column == "inverse_dynamics" and not self.task.row.is_tree:
            raise Refused("the forces of a constrained system are not unique")
        made = self._fewest(self._forms(column))
        figures: dict[str, dict[str, float]] = {}
        best: tuple[float, str] | None = None
        for form, (function, seconds) in made.items():
            figures[form] = {"derive": seconds, **self._emitted(column, form, function)}
            loop = self._loops[form]
            once = min(loop.seconds(200) for _ in range(20)) if len(made) > 1 else 0.0
            if best is None or once < best[0]:
                best = once, form
        assert best is not None
        self._functions[column], self._loops[column] = made[best[1]][0], self._loops[best[1]]
        if column != "rhs":
            return {}
        source = self.task.folder / f"casadi-{best[1]}" / "peer.c"
        without = ("_n_in", "_n_out", "_name_", "_sparsity", "_work", "_alloc", "_s0")
        text = text_of(source, without, self.task.flags, self.task.limit)
        return {**figures[best[1]], "text": text, "operations": _operations(self._functions["rhs"])}

    def _forms(self, column: str) -> dict[str, Callable[[], Any]]:
        """Return how to make each form of a function."""
        if column == "rk4":
            rhs = self._functions["rhs"]
            return {"rk4": lambda: casadi.simpleRK(rhs, 1, 4)}
        if not self.task.row.is_tree:
            return {column: lambda: self._written_out(column)}
        dynamics = Dynamics(casadi, self._tree.bodies, self._tree.gravity)
        if column == "inverse_dynamics":
            return {"inverse": lambda: dynamics.inverse_dynamics("peer")}
        if column == "rhs":
            return {name: lambda name=name: dynamics.right_hand_side(name, "peer") for name in ALGORITHMS}
        forms = (*ALGORITHMS, "implicit")
        return {f"jacobian-{name}": lambda name=name: dynamics.jacobian(name, "peer") for name in forms}

    def _fewest(self, forms: dict[str, Callable[[], Any]]) -> dict[str, tuple[Any, float]]:
        """Make all forms, and keep those that may be the fastest, with the processor time that they took."""
        made: dict[str, tuple[Any, float]] = {}
        begin = time.perf_counter()
        for form, make in forms.items():
            if made and time.perf_counter() - begin > 0.5 * self.task.limit:
                break
            kept: list[Any] = []
            seconds = processor_seconds(lambda make=make, kept=kept: kept.append(make()))
            if seconds < 1.0:
                seconds = min(seconds, processor_seconds(make))
            made[form] = kept[0], seconds
        least = min(_operations(function) for function, _ in made.values())
        return {form: one for form, one in made.items() if _operations(one[0]) * LESS <= least or len(made) == 1}

    def _written_out(self, column: str) -> Any:
        """Return the function (x, r) -> dx, or its derivatives by both, of a mechanism that is written out by hand."""
        import eomc

        r = casadi.SX.sym("r", self.task.layout["nr"])
        write = microcontroller.PEERS[SHIPPED[self.task.row.name]]
        q, u, p, rates, found = write(casadi, r) if r.shape[0] else write(casadi)
        values = casadi.SX([one.value for one in eomc.load(self.task.row.shipped).parameters])
        x = casadi.vertcat(q, u)
        dx = casadi.substitute(casadi.vertcat(rates, found), p, values)
        if column == "rhs":
            return casadi.Function("peer", [x, r], [dx])
        if self.task.row.name == "fourbar":
            raise Refused("off the constraints it goes on otherwise")
        return casadi.Function("peer", [x, r], [casadi.jacobian(dx, x), casadi.jacobian(dx, r)])

    def _emitted(self, column: str, form: str, function: Any) -> dict[str, float]:
        """Write and compile a form; return processor time of both."""
        folder = self.task.folder / f"casadi-{form}"
        folder.mkdir(exist_ok=True)
        function = _named(function, "peer")

        def emit() -> None:
            generator = casadi.CodeGenerator("peer.c", {"with_header": False})
            generator.add(function)
            generator.generate(f"{folder}/")

        emitting = processor_seconds(emit)
        words = {
            "@step": DT, "@first": function.nnz_out(0),
            "@arg": function.sz_arg(), "@res": function.sz_res(), "@iw": function.sz_iw(), "@w": function.sz_w(),
        }  # fmt: skip
        text = DRIVER
        for word, value in words.items():
            text = text.replace(word, str(value))
        x, e = self._arguments(column)
        text += f"LOOP(run, {x.shape[1]}, {max(e.shape[1], 1)}, call(x, e, y))\n"
        (folder / "driver.c").write_text(text)
        library = folder / "run.so"
        sources = [folder / "peer.c", folder / "driver.c"]
        seconds = compiled(sources, library, self.task.flags, self.task.limit)
        size = sum(function.nnz_out(k) for k in range(function.n_out()))
        self._loops[form] = Loop.of(library, "run", x, e, size)
        return {"emit": emitting, "compile": seconds}

    def _arguments(self, column: str) -> tuple[np.ndarray, np.ndarray]:
        """Return states, and forces or accelerations, in the order of the tree."""
        arrays = self.task.arrays
        if not self.task.row.is_tree:
            return arrays["x"], arrays["r"]
        x = np.hstack([self._tree.places(arrays["x"]), self._tree.speeds(arrays["x"])])
        if column == "inverse_dynamics":
            return x, self._tree.accelerations(arrays["a"])
        return x, self._tree.forces(self.task.forces())

    def values(self, column: str) -> np.ndarray:
        """Return the results in eomc's order."""
        found, nq, row = self._loops[column].values(), self.task.layout["nq"], self.task.row
        if column == "jacobian":
            return self._slopes(found)
        if column == "rk4":
            return self._tree.own_states(found) if row.is_tree else found
        if column == "inverse_dynamics":
            return self._tree.own_forces(found)
        return self._tree.own_accelerations(found[:, nq:]) if row.is_tree else found[:, nq:]

    def _slopes(self, found: np.ndarray) -> np.ndarray:
        """Return derivatives of u' of the nonzeros of those of dx."""
        function, nq, parts, at = self._functions["jacobian"], self.task.layout["nq"], [], 0
        for k in range(function.n_out()):
            pattern = function.sparsity_out(k)
            rows, columns = map(np.array, pattern.get_triplet())
            dense = np.zeros((len(found), *pattern.shape))
            dense[:, rows.astype(int), columns.astype(int)] = found[:, at : at + pattern.nnz()]
            at += pattern.nnz()
            parts.append(dense[:, nq:])
        slopes = np.concatenate(parts, axis=2)
        if not self.task.row.is_tree:
            return slopes
        x = self.task.arrays["x"]
        return self._tree.own_slopes(self._tree.tangents(slopes, self._tree.places(x)), self.task.layout["at_r"])

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block of calls."""
        return self._loops[column].seconds(calls)


def _named(function: Any, name: str) -> Any:
    """Return a function under a name, without a call of another where it is made of scalars."""
    if function.name() == name:
        return function
    arguments = function.mx_in()
    return casadi.Function(name, arguments, function.call(arguments))


def _operations(function: Any) -> int:
    """Return the operations of a function of scalars: no loads, stores, constants, changes of sign."""
    try:
        codes = [function.instruction_id(k) for k in range(function.n_instructions())]
    except RuntimeError:
        return 0
    apart = {getattr(casadi, name) for name in NOT_OPERATIONS}
    return sum(code not in apart for code in codes)
