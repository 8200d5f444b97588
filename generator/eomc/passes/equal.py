"""Values that are equal whatever their leaves are, and of the same size, are evaluated once.

What was derived along two ways differs in the order and the brackets of its terms. Each value is read as a quotient of
polynomials in what is neither a sum nor a product; two are the same where they agree at a random point of the integers
modulo a prime: those that differ do so with a chance of their degree over 2^89 (J. T. Schwartz, J. ACM 27, 1980).
Their sizes, which are the same with all terms positive, have to agree as well, so that nothing takes the place of
something that cancels less: (x + y) (x - y) is not put for x x - y y.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from eomc.ir.cone import above
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check, Program
from eomc.passes.cost import cost
from eomc.passes.hoist import find_live

_PRIME = (1 << 89) - 1

# By names of their own: looking up a member of an enumeration takes long.
_ADD, _SUB, _MUL, _DIV, _NEG, _POWI, _ABS = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS


_Mark: TypeAlias = tuple[int, int]
"""A value and its size at the random point."""


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
    if elsewhere and node in graph.below([condition]):
        return None
    return replace(check, node=node, condition=condition)


class _Joining:
    """Joins what is read, function by function."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._marks = _Marks(graph)
        self._alike: dict[int, list[Node]] = {}  # by their sizes; made in different functions
        self._there: set[Node] = set()  # what the function at hand evaluates
        self.new: dict[Node, Node] = {}  # what stands for each value

    def read(self, live: set[Node]) -> None:
        """Join what a function evaluates: all that it needs."""
        graph, new, there = self._graph, self.new, set[Node]()
        self._there, old, stands_for = there, graph.args, new.__getitem__
        for node in sorted(live.difference(new)):
            args = tuple(map(stands_for, old[node]))
            if not there.issuperset(args):  # those that an earlier function evaluates as well
                there.update(above(graph, args, there))
            new[node] = joined = self._joined(node if args == old[node] else graph.rebuild(node, args))
            there.add(joined)

    def _joined(self, node: Node) -> Node:
        """Return what stands for a value: itself, or an equal one that takes no more than itself."""
        graph = self._graph
        if graph.ops[node] is _NEG:
            return graph.neg(self._joined(graph.args[node][0]))
        value, size = self._marks.of(node)
        alike = self._alike.get(size)
        if alike is None:
            self._alike[size] = [node]
            return node
        opposite: Node | None = None
        for one in alike:
            other, _ = self._marks.of(one)
            if other == value and self._is_near(one):
                return one
            if opposite is None and other == _PRIME - value and self._is_near(one):
                opposite = one
        if opposite is not None:
            return graph.neg(opposite)
        alike.append(node)
        return node

    def _is_near(self, node: Node) -> bool:
        """Whether a function evaluates a value, or all that it is made of."""
        there, args = self._there, self._graph.args[node]
        return node in there or there.issuperset(args)


class _Marks:
    """Marks of the nodes of a graph, each made once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[Node, _Mark] = {}

    def of(self, root: Node) -> _Mark:
        """Return the mark of a value."""
        known = self._known
        found = known.get(root)
        if found is None:
            try:
                found = known[root] = self._found(root)  # what it is made of is known where nodes come in their order
            except KeyError:
                for node in above(self._graph, [root], known):
                    found = known[node] = self._found(node)
                assert found is not None  # the root is the last
        return found

    def _found(self, node: Node) -> _Mark:
        graph, known = self._graph, self._known
        op, args = graph.ops[node], graph.args[node]
        if op is _MUL:
            (x, a), (y, b) = known[args[0]], known[args[1]]
            value = x * y % _PRIME
            return value, value if a is x and b is y else a * b % _PRIME
        if op is _ADD or op is _SUB:
            (x, a), (y, b) = known[args[0]], known[args[1]]
            value = (x + y if op is _ADD else x - y) % _PRIME
            return value, value if a is x and b is y and op is _ADD else (a + b) % _PRIME
        number = graph.number(node)
        if number is not None:
            exact = Fraction(number)
            value = exact.numerator * pow(exact.denominator, -1, _PRIME) % _PRIME
            return value, value if exact >= 0 else -value % _PRIME
        marks = [known[a] for a in graph.args[node]]
        if op is _NEG:
            value, size = marks[0]
            return -value % _PRIME, size
        if op is _DIV and all(marks[1]):
            (x, a), (y, b) = marks
            both = pow(y * b, -1, _PRIME)  # an inverse takes as long as hundreds of products
            return x * b * both % _PRIME, a * y * both % _PRIME
        if op is _POWI and all(marks[0]):
            value, size = (pow(one, graph.integer(node), _PRIME) for one in marks[0])
            return value, size
        if op is _ABS:
            value, size = marks[0]
            return _leaf("abs", min(value, _PRIME - value), size)
        return _leaf("leaf", node)


def _leaf(*what: object) -> _Mark:
    """Return the coordinate of the random point that belongs to something; it is its own size."""
    value = int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=16).digest(), "big") % _PRIME
    return value, value
