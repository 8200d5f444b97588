"""Values that are equal whatever their leaves are, and of the same size, are evaluated once.

What was derived along two ways differs in the order and the brackets of its terms. Each value is read as a quotient of
polynomials in what is neither a sum nor a product; two are the same where they agree at a random point of the integers
modulo a prime: those that differ do so with a chance of their degree over 2^127 (J. T. Schwartz, J. ACM 27, 1980).
Their sizes, which are the same with all terms positive, have to agree as well, so that nothing takes the place of
something that cancels less: (x + y) (x - y) is not put for x x - y y.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

from eomc.ir.cone import above
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check, Program
from eomc.passes.cost import cost
from eomc.passes.hoist import find_live

_BITS = 127
_PRIME = (1 << _BITS) - 1
_HALF = _PRIME // 2

# By names of their own: looking up a member of an enumeration takes long.
_ADD, _SUB, _MUL, _DIV, _NEG, _POWI, _ABS = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS


def join_equal(program: Program, but: Collection[str] = ()) -> Program:
    """Return the program with equal values joined, in each function that evaluates no more for it.

    What the state derivative evaluates is the same whatever functions stand beside it: it is the first.

    Parameters
    ----------
    program
        Its graph gets the new nodes.
    but
        Functions that stay as they are, by names.
    """
    graph, joining = program.graph, _Joining(program.graph)
    functions, checks = [], dict[Check, dict[Check, None]]()
    for function in program.evaluated:
        live = find_live(graph, function.outputs, program.checks, frozenset())
        made = [check for check in program.checks if check.node in live]
        if function.name in but:
            functions.append(function)
            for check in made:
                checks.setdefault(check, {})[check] = None
            continue
        joining.read(live)
        new = joining.new
        alike = all([new[check.condition] == check.condition for check in made])  # a check asks the same everywhere
        outputs = [new[node] for node in function.outputs]
        others = alike and outputs != [*function.outputs]
        if others and cost(graph, outputs) > cost(graph, function.outputs):
            new = {node: node for node in live}  # it stands alone: what is equal there takes more here
        functions.append(function.over(new))
        for check in made:
            joined = _followed(graph, check, new)
            if joined is not None:
                checks.setdefault(check, {})[joined] = None
    count = len(program.functions)
    kept = tuple(one for check in program.checks for one in checks.get(check, ()))
    return replace(program, functions=tuple(functions[:count]), series=tuple(functions[count:]), checks=kept)


def _followed(graph: Graph, check: Check, new: Mapping[Node, Node]) -> Check | None:
    """Return the check of what stands for a node; None where that divides no more: 0 / p is 0, and x p / p may be x.

    A condition that needs what stands there now, as p may need x, cannot come before it, and guards nothing.
    """
    node, condition = new[check.node], new[check.condition]
    if graph.ops[node] is _NEG:  # users take the sign off and read what is below
        node = graph.args[node][0]
    if graph.level[node] == Level.CONSTANT:
        return None
    elsewhere = node != graph.rebuild(check.node, tuple([new[a] for a in graph.args[check.node]]))
    if elsewhere and node in graph.reachable([condition]):
        return None
    return replace(check, node=node, condition=condition)


class _Joining:
    """Joins what is read, function by function."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._marks = _Marks(graph)
        self._first: dict[int, Node] = {}  # by values but for a sign: the first node
        self._others: dict[int, list[Node]] = {}  # those after it that are not joined with it
        self._there: set[Node] = set()  # what the function at hand evaluates, but for what it has `made` since
        self._made: list[Node] = []
        self._changed: set[Node] = set()  # nodes for which others stand
        self.new: dict[Node, Node] = {}  # what stands for each node

    def read(self, live: set[Node]) -> None:
        """Join what a function evaluates: all that it needs."""
        graph, new, changed, joined = self._graph, self.new, self._changed, self._joined
        all_args = graph.args
        self._there = set()
        self._made = made = list[Node]()
        order = sorted(live.difference(new))
        new.update(zip(order, order, strict=True))
        for node in order:
            args, again = all_args[node], node
            if not changed.isdisjoint(args):
                args = tuple([new[arg] for arg in args])
                again = graph.rebuild(node, args)
            one = joined(again, args)
            made.append(one)
            if one != node:
                new[node] = one
                changed.add(node)

    def _joined(self, node: Node, args: tuple[Node, ...]) -> Node:
        """Return what stands for a value that is made of `args`: itself, or an equal one that takes no more."""
        graph, marks = self._graph, self._marks
        if graph.ops[node] is _NEG:
            return graph.neg(self._joined(graph.args[node][0], args))
        value = marks.values.get(node)
        if value is None:
            value = marks.value(node)
        key = value if value <= _HALF else _PRIME - value
        first = self._first.setdefault(key, node)
        if first == node:
            return node
        self._made += args  # an earlier function may have made them
        others = self._others.setdefault(key, [])
        opposite: Node | None = None
        for one in (first, *others):
            if self._is_near(one) and marks.size(one) == marks.size(node):
                if marks.values[one] == value:
                    return one
                opposite = one if opposite is None else opposite
        if opposite is not None:
            return graph.neg(opposite)
        others.append(node)
        return node

    def _is_near(self, node: Node) -> bool:
        """Whether a function evaluates a value, or all that it is made of."""
        graph, there = self._graph, self._there
        there |= graph.below(self._made, there)
        self._made.clear()
        return node in there or there.issuperset(graph.args[node])


class _Marks:
    """Values of the nodes of a graph at the random point, and sizes of those that are asked for, each found once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._random = random.Random(0)
        self._coordinates: dict[tuple[object, ...], int] = {}  # of the random point, by what they belong to
        self._sizes: dict[Node, int] = {}
        self._sized: set[Node] = set()  # the same nodes
        self.values: dict[Node, int] = {}

    def value(self, node: Node) -> int:
        """Find a value."""
        graph, values = self._graph, self.values
        op, args = graph.ops[node], graph.args[node]
        try:  # where nodes come in their order
            if op is _MUL:
                found = values[args[0]] * values[args[1]] % _PRIME
            elif op is _ADD:
                found = (values[args[0]] + values[args[1]]) % _PRIME
            elif op is _SUB:
                found = (values[args[0]] - values[args[1]]) % _PRIME
            else:
                found = self._other(node, values)
        except KeyError:
            for arg in above(graph, args, values):
                self.value(arg)
            return self.value(node)
        values[node] = found
        return found

    def size(self, root: Node) -> int:
        """Return the size of a value that was found: the value of the same with all terms positive."""
        graph, sizes, sized = self._graph, self._sizes, self._sized
        if root not in sized:
            ops, all_args = graph.ops, graph.args
            new = graph.below([root], sized) - sized
            sized |= new
            for node in sorted(new):
                op, args = ops[node], all_args[node]
                if op is _MUL:
                    sizes[node] = sizes[args[0]] * sizes[args[1]] % _PRIME
                elif op is _ADD or op is _SUB:
                    sizes[node] = (sizes[args[0]] + sizes[args[1]]) % _PRIME
                else:
                    sizes[node] = self._other(node, sizes)
        return sizes[root]

    def _other(self, node: Node, known: dict[Node, int]) -> int:
        """Return the value, or the size, of what is neither a sum nor a product of two."""
        graph, op, positive = self._graph, self._graph.ops[node], known is self._sizes
        number = graph.number(node)
        if number is not None:
            exact = abs(Fraction(number)) if positive else Fraction(number)
            return exact.numerator * pow(exact.denominator, -1, _PRIME) % _PRIME
        args = graph.args[node]
        if op is _NEG:
            return known[args[0]] if positive else -known[args[0]] % _PRIME
        if op is _DIV and self.values[args[1]]:
            return known[args[0]] * pow(known[args[1]], -1, _PRIME) % _PRIME
        if op is _POWI and self.values[args[0]]:
            return pow(known[args[0]], graph.integer(node), _PRIME)
        if op is _ABS:
            value = self.values[args[0]]
            return self._coordinate(_ABS, min(value, _PRIME - value), *([known[args[0]]] if positive else []))
        return self._coordinate(node)

    def _coordinate(self, *owner: object) -> int:
        """Return what something is read as that is neither a sum nor a product; it is its own size."""
        if owner not in self._coordinates:
            self._coordinates[owner] = self._random.getrandbits(_BITS)
        return self._coordinates[owner]
