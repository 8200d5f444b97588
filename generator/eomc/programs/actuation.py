"""Actuated directions, and the forces along them that make up for given ones.

w = M v' + c + g - Q is what is missing of the forces. With B the actuated directions and J the constraints, B a and
-J^T lambda make it up: [B J^T] [a; l] = w, l = -lambda. Where that leaves a choice, |a| is the least; where it has no
solution, or v' breaks a constraint, the function fails with a status.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from eomc.errors import UnsupportedError, UsageError
from eomc.ir.equations import Balance, EquationsOfMotion
from eomc.ir.graph import Graph, Node, Rows
from eomc.ir.ops import Op
from eomc.ir.remedies import BROKEN, UNMADE
from eomc.ir.symbols import Named
from eomc.ir.systems import Factorization
from eomc.passes.differentiate import depends_on
from eomc.passes.sizes import Sizes
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.jacobian import sparse_jacobian
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError
from eomc.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class Actuation:
    """Directions in which forces are sought."""

    chosen: tuple[str, ...]  # inputs and speeds
    names: tuple[str, ...]  # of the forces
    texts: tuple[str, ...]
    columns: tuple[tuple[Node, ...], ...]  # of B, one for each; () where they are the speeds, all in order
    missing: tuple[Node, ...]  # w with the inputs among them at zero


def actuation_of(
    equations: EquationsOfMotion, balance: Balance, named: Sequence[str], function: str, others: Iterable[str] = ()
) -> Actuation:
    """Return the directions that a function names; `others` are further names that it knows."""
    graph, n = equations.graph, len(balance.names)
    inputs = {variable.name: variable for variable in equations.inputs}
    dependent = balance.dependent if balance.rows else ()
    if balance.rows and not (named or dependent):
        free = len(balance.names) - len(balance.kept)
        first = [*inputs, *balance.names][0]
        if free == 0:
            raise UnsupportedError(
                "the constraints bear forces, too, and leave no motion free: others are not needed. Name inputs or "
                f"speeds along which they act as well, as in functions=['{function}:{first}']"
            )
        raise UnsupportedError(
            "the constraints bear forces, too: name inputs or speeds along which others act, at least "
            f"{free}, as in functions=['{function}:{first}']"
        )
    chosen = list(dict.fromkeys(named)) or [name for i, name in enumerate(balance.names) if i not in dependent]
    if not balance.rows and tuple(chosen) == balance.names:
        names, texts = zip(*map(_speed, chosen), strict=True)
        return Actuation(balance.names, names, texts, (), balance.missing)
    places = {name: index for index, name in enumerate(balance.names)}
    for name in chosen:
        if name not in inputs and name not in places:
            kinds = "input, speed or parameter" if others else "input or speed"
            near = did_you_mean(name, (*inputs, *places, *others))
            raise UsageError(f"{function}:{name}: unknown {kinds} {name!r}; {near}")
    acting = [name for name in chosen if name in inputs]
    leaves = [graph.symbol(inputs[name].symbol) for name in acting]
    slopes = sparse_jacobian(graph, balance.missing, leaves, equations.systems)
    for place, name in enumerate(acting):
        column = [row[place] for row in slopes]
        if all(entry == graph.zero for entry in column):
            raise UnsupportedError(f"the input {name} is no force: it does not enter the equations of motion")
        if depends_on(graph, [*column, *balance.turned], leaves):
            raise UnsupportedError(f"the input {name} does not act as a force: the equations are not linear in it")
    still = Substitution(graph, dict.fromkeys(leaves, graph.zero))
    told, columns = [], []
    for name in chosen:
        if name in inputs:
            told.append((name, f"value of the input {name}"))
            columns.append(tuple(graph.neg(row[acting.index(name)]) for row in slopes))
        else:
            told.append(_speed(name))
            columns.append(tuple(graph.one if i == places[name] else graph.zero for i in range(n)))
    names, texts = zip(*told, strict=True) if told else ((), ())
    return Actuation(tuple(chosen), names, texts, tuple(columns), tuple(still.all(list(balance.missing))))


def _speed(name: str) -> tuple[str, str]:
    """Return name and text of a force along a speed."""
    return f"tau_{name}", f"generalized force along {name}, to be added to those that act"


def told_of(balance: Balance, actuation: Actuation) -> str:
    """Return what the header says."""
    if not balance.rows:
        return "The motion has the accelerations dv with these forces."
    free = len(balance.names) - len(balance.kept)
    least = ", of least norm" if len(actuation.names) > free else ""
    return (
        f"The motion has the accelerations dv with these forces{least}; accelerations that break a constraint, or that "
        "these forces cannot make, are refused by the status."
    )


class Forces:
    """The equations [B J^T] [a; l] = w, for any w.

    Attributes
    ----------
    checks
        Tests of pivots, of the accelerations and of what was solved.
    """

    def __init__(self, graph: Graph, balance: Balance, actuation: Actuation) -> None:
        self._graph = graph
        self._balance = balance
        self._sizes = Sizes(graph)
        self._count = len(actuation.names)
        self.checks = Checks(graph)
        self._conditions: list[tuple[Node, str]] = []
        self._direct = not actuation.columns
        if self._direct:
            return
        rows = [balance.jacobian[k] for k in balance.kept]
        self._labels = [*actuation.names, *(balance.rows[k] for k in balance.kept)]
        self._matrix = [list(row) for row in zip(*actuation.columns, *rows, strict=True)]
        self._conditions += [
            (self._is_small(turned), f"{BROKEN}{row}") for turned, row in zip(balance.turned, balance.rows, strict=True)
        ]

    def along(self, right: Rows, tested: int) -> Rows:
        """Return a for right sides by rows, of which column `tested` is the one of the accelerations."""
        if self._direct:
            return right
        unknowns, equations = len(self._labels), len(self._matrix)
        if unknowns > equations:
            return self._of_least_norm(right)
        if unknowns == equations:
            try:
                solved = solve_general(self._graph, self._matrix, right, self._labels, self.checks).rows
                return solved[: self._count]
            except StructurallySingularError:
                pass  # some accelerations can be made, and some not
        return self._where_possible(right, tested)

    def _of_least_norm(self, right: Rows) -> Rows:
        """Return a = B^T m, where B B^T m + J^T l = w and J m = 0."""
        graph, columns = self._graph, list(zip(*self._matrix, strict=True))[: self._count]
        square = [
            [graph.sum(graph.mul(column[i], column[j]) for column in columns) for j in range(len(right))]
            for i in range(len(right))
        ]
        jacobian, names = self._balance.jacobian, self._balance.names
        sides = [*right, *([graph.zero] * len(right[0]) for _ in jacobian)]
        factors, _ = graph.solve_constrained(
            Factorization.ELIMINATED, square, jacobian, sides, [*names, *self._balance.rows]
        )
        return [[graph.sum(map(graph.mul, column, side)) for side in zip(*factors, strict=True)] for column in columns]

    def _where_possible(self, right: Rows, tested: int) -> Rows:
        """Return a where [B J^T] [a; l] = w has a solution, which is tested."""
        graph, unknowns = self._graph, len(self._labels)
        norm = [[graph.one if i == j < self._count else graph.zero for j in range(unknowns)] for i in range(unknowns)]
        sides = [*([graph.zero] * len(right[0]) for _ in range(unknowns)), *right]
        labels = [*self._labels, *self._balance.names]
        solved, _ = graph.solve_constrained(Factorization.ELIMINATED, norm, self._matrix, sides, labels, strict=False)
        for row, side, name in zip(self._matrix, right, self._balance.names, strict=True):
            made = graph.sum(graph.mul(entry, x[tested]) for entry, x in zip(row, solved, strict=True))
            self._conditions.append((self._is_small(graph.sub(made, side[tested])), f"{UNMADE}{name}"))
        return solved[: self._count]

    def checked(self, outputs: Sequence[Node]) -> list[Node]:
        """Return results that fail where a condition does not hold."""
        graph = self._graph
        if not self._conditions:
            return list(outputs)
        first, *others = outputs
        holds = reduce(lambda x, y: graph.binary(Op.AND, x, y), [condition for condition, _ in self._conditions])
        first = graph.select(holds, first, graph.constant(Named.NAN))
        for condition, label in self._conditions:
            self.checks.consistent(first, condition, label)
        return [first, *others]

    def _is_small(self, node: Node) -> Node:
        """Return the condition that a value is small beside its terms: nearer than half of the digits."""
        graph = self._graph
        share = graph.unary(Op.SQRT, graph.constant(Named.EPSILON))
        return graph.binary(Op.LE, graph.unary(Op.ABS, node), graph.mul(share, self._sizes.size(node)))
