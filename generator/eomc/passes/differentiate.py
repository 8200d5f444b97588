"""Derivatives on the graph: forward sweeps with memory, reverse sweeps in one pass.

Griewank & Walther, *Evaluating Derivatives* (2008), chapters 3 (forward and reverse mode) and 15 (implicit functions):
A X = B gives A dX = dB - dA X forward, and in reverse B_bar = A^-T X_bar, A_bar = -B_bar X^T.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce

from eomc.ir.choices import alternatives
from eomc.ir.cone import unmet_holding
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import CHOICES, Op
from eomc.passes.branches import Branches
from eomc.passes.partials import partials

# By names of their own: looking up a member of an enumeration takes long.
_ADD, _SUB, _MUL, _DIV, _NEG, _RESULT, _SOLVE = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.RESULT, Op.SOLVE


class Tangents:
    """Directional derivatives of nodes along one direction, remembered between calls.

    Parameters
    ----------
    graph
        The graph, to which the derivative nodes are added.
    direction
        Symbol node -> node of its derivative along the direction; all other symbols have derivative zero.
    """

    def __init__(self, graph: Graph, direction: Mapping[Node, Node]) -> None:
        self._graph = graph
        self._moving = graph.bits(direction)
        self._memo: dict[Node, Node] = dict(direction)  # of what holds none of these symbols: nothing

    def __call__(self, root: Node) -> Node:
        """Return the derivative of `root`."""
        memo, graph = self._memo, self._graph
        known = memo.get(root)
        if known is not None:
            return known
        if not graph.holds[root] & self._moving:
            return graph.zero
        for node in unmet_holding(graph, root, memo, self._moving):
            memo[node] = self._tangent(node)
        return memo[root]

    def all(self, roots: Iterable[Node]) -> list[Node]:
        """Return the derivatives of several nodes."""
        return [self(root) for root in roots]

    def take(self, node: Node, rate: Node) -> None:
        """Take the derivative of a node from elsewhere, unless it is known."""
        self._memo.setdefault(node, rate)

    def _tangent(self, node: Node) -> Node:
        graph, memo, zero = self._graph, self._memo, self._graph.zero
        args, op = graph.args[node], graph.ops[node]
        if op is _ADD or op is _SUB or op is _MUL:  # most nodes, without detours
            x, y = args
            first, second = memo.get(x, zero), memo.get(y, zero)
            if op is _ADD:
                return graph.add(first, second)
            if op is _SUB:
                return graph.sub(first, second)
            return graph.add(graph.mul(y, first), graph.mul(x, second))
        rates = [memo.get(a, zero) for a in args]
        moving = [index for index, rate in enumerate(rates) if rate != zero]
        if not moving:
            return zero
        if op is _SOLVE:
            return self._solve(node, args, rates)
        if op is _RESULT:
            return graph.result(rates[0], graph.integer(node))
        if op is _NEG:
            return graph.neg(rates[0])
        if op is _DIV and moving == [0]:
            return graph.div(rates[0], args[1])
        if op in CHOICES:
            condition, if_true, if_false = alternatives(graph, node)
            return graph.select(condition, memo.get(if_true, zero), memo.get(if_false, zero))
        slopes = partials(graph, node)
        return graph.sum(graph.mul(slopes[index], rates[index]) for index in moving)

    def _solve(self, node: Node, args: tuple[Node, ...], rates: Sequence[Node]) -> Node:
        """Return the SOLVE node of the tangent; its RESULT i is the derivative of RESULT i."""
        graph = self._graph
        spec = graph.system_of(node)
        rate, beside, columns = spec.whole(rates, graph.zero), rates[spec.matrix_entries :], spec.columns

        def entry(i: int, j: int) -> Node:
            """Return the right side less what the changing matrix takes from it."""
            products = (graph.mul(slope, graph.result(node, k * columns + j)) for k, slope in enumerate(rate[i]))
            return reduce(graph.sub, products, beside[i * columns + j])

        rows = [[entry(i, j) for j in range(columns)] for i in range(spec.rows)]
        if spec.symmetric:
            solution = graph.solve_again(node, rows)
        else:
            solution = graph.solve(spec.factorization, spec.whole(args, graph.zero), rows, spec.labels)
        return graph.args[solution[0][0]][0]


def depends_on(graph: Graph, nodes: Iterable[Node], symbols: Iterable[Node]) -> set[Node]:
    """Return those of the nodes that depend on any of the symbols."""
    holds, wanted = graph.holds, graph.bits(symbols)
    return {node for node in nodes if holds[node] & wanted}


def _moving(graph: Graph, roots: Iterable[Node], independent: set[Node]) -> set[Node]:
    """Return the nodes that depend on independent ones, these included, without a look below them."""
    args, holds, wanted = graph.args, graph.holds, graph.bits(independent)
    seen = {root for root in roots if holds[root] & wanted}
    stack = list(seen)
    while stack:
        node = stack.pop()
        if node not in independent:
            for argument in args[node]:
                if holds[argument] & wanted and argument not in seen:
                    seen.add(argument)
                    stack.append(argument)
    moving = seen & independent
    for node in sorted(seen - moving):
        if not moving.isdisjoint(args[node]):
            moving.add(node)
    return moving


def gradient(graph: Graph, root: Node, variables: Sequence[Node]) -> list[Node]:
    """Return d(root)/d(variable), one node per variable."""
    return vjp(graph, [(root, graph.one)], variables)


def vjp(graph: Graph, seeds: Sequence[tuple[Node, Node]], variables: Sequence[Node]) -> list[Node]:
    """Return the vector-Jacobian product sum_k seed_k d(root_k)/d(variable), one node per variable.

    Parameters
    ----------
    graph
        The graph, to which the adjoint nodes are added.
    seeds
        Pairs (root, seed).
    variables
        Symbol nodes, or others that count as independent: what lies below them is not looked at.
    """
    zero = graph.zero
    seeds = [(root, seed) for root, seed in seeds if seed != zero]
    independent = set(variables)
    moving = _moving(graph, (root for root, _ in seeds), independent)
    adjoint: dict[Node, Node] = {}
    solutions: dict[Node, dict[int, tuple[Node, Node | None]]] = {}
    branches = Branches(graph)
    parts = branches.parts
    condition: Node | None = None  # under which what is accumulated counts

    def accumulate(node: Node, value: Node) -> None:
        if node in moving and value != zero:
            if condition is not None:
                branches.add(node, condition, value)
            else:
                adjoint[node] = graph.add(adjoint[node], value) if node in adjoint else value

    for root, seed in seeds:
        accumulate(root, seed)
    for node in sorted(moving - independent, reverse=True):
        op, args = graph.ops[node], graph.args[node]
        if op is _SOLVE:
            if node in solutions:
                bars, condition = branches.together(solutions[node])
                _pull_solve(graph, node, args, bars, accumulate)
            continue
        bar, condition = adjoint.get(node), None
        if node in parts:
            bar, condition = branches.take(node, bar)
        if bar is None or not args:
            continue
        if op is _RESULT:
            solutions.setdefault(args[0], {})[graph.integer(node)] = bar, condition
        elif op is _ADD:
            accumulate(args[0], bar)
            accumulate(args[1], bar)
        elif op is _SUB:
            accumulate(args[0], bar)
            accumulate(args[1], graph.neg(bar))
        elif op is _NEG:
            accumulate(args[0], graph.neg(bar))
        elif op is _DIV and args[1] not in moving:
            accumulate(args[0], graph.div(bar, args[1]))
        elif op in CHOICES:
            outer, (choice, if_true, if_false) = condition, alternatives(graph, node)
            for argument, holds in ((if_true, True), (if_false, False)):
                condition = branches.inside(outer, choice, holds)
                accumulate(argument, bar)
        elif any(a in moving for a in args):
            for argument, partial in zip(args, partials(graph, node), strict=True):
                if argument in moving:
                    accumulate(argument, graph.mul(bar, partial))
    for variable in [node for node in variables if node in parts]:
        bar, condition = branches.take(variable, adjoint.get(variable))
        assert bar is not None
        adjoint[variable] = branches.masked(bar, condition)
    return [adjoint.get(variable, zero) for variable in variables]


def _pull_solve(
    graph: Graph,
    node: Node,
    args: tuple[Node, ...],
    bars: Mapping[int, Node],
    accumulate: Callable[[Node, Node], None],
) -> None:
    """Pull the adjoints of a solution back to the matrix and the right sides."""
    spec = graph.system_of(node)
    columns, zero = spec.columns, graph.zero
    right = [[bars.get(i * columns + j, zero) for j in range(columns)] for i in range(spec.rows)]
    if spec.symmetric:
        solved = graph.solve_again(node, right)
    else:
        transposed = [list(column) for column in zip(*spec.whole(args, graph.zero), strict=True)]
        solved = graph.solve(spec.factorization, transposed, right, spec.labels)
    for i in range(spec.rows):
        for j in range(columns):
            accumulate(args[spec.matrix_entries + i * columns + j], solved[i][j])
    for (i, k), entry in zip(spec.places, args, strict=False):
        for row, column in [(i, k)] if i == k or not spec.symmetric else [(i, k), (k, i)]:
            for j in range(columns):
                accumulate(entry, graph.neg(graph.mul(solved[row][j], graph.result(node, column * columns + j))))


def jacobian(graph: Graph, roots: Sequence[Node], variables: Sequence[Node]) -> list[list[Node]]:
    """Return d(root_i)/d(variable_j) by forward sweeps, one per variable, over the roots that depend on it."""
    holds, one, zero = graph.holds, graph.one, graph.zero
    sweeps = [(Tangents(graph, {variable: one}), graph.bits((variable,))) for variable in variables]
    return [[sweep(root) if holds[root] & bits else zero for sweep, bits in sweeps] for root in roots]
