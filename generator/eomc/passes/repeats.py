"""Repeats: nodes that several instances have in the same arrangement, so that one loop evaluates all of them.

A repeat says how nodes are evaluated that are in the graph anyway: unrolled it is the same nodes, and gives the same
bits. Its statements stand in an order in which each reads what is before it; instances stand in the order in which a
loop goes through them. A statement reads what is common to all instances, what its own instance or the one before has
found, or values of which each instance has one and which are known before the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol


class Common(NamedTuple):
    """One value for all instances, known before the loop."""

    node: Node


class Own(NamedTuple):
    """What a statement of the same instance has found."""

    statement: int


class Before(NamedTuple):
    """What a statement of the instance before has found; `first` is read where there is none."""

    statement: int
    first: Node


class Each(NamedTuple):
    """One value for each instance, known before the loop."""

    nodes: tuple[Node, ...]


Operand: TypeAlias = Common | Own | Before | Each


@dataclass(frozen=True, slots=True)
class Statement:
    """One operation, and the node that it evaluates in each instance; these have its op and data in the graph."""

    nodes: tuple[Node, ...]
    operands: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Instances of one sequence of statements.

    Attributes
    ----------
    instances
        What they are, in order: names of links, or of what else repeats.
    statements
        In an order of evaluation.
    arithmetic
        Nothing else, so that compilers make vectors of a loop whose instances do not read each other.
    in_a_row
        Instances may be many: what each has of its own is found by its index, and nothing is put into arrays before.
    """

    instances: tuple[str, ...]
    statements: tuple[Statement, ...]
    arithmetic: bool = True
    in_a_row: bool = False

    @property
    def count(self) -> int:
        """Number of instances."""
        return len(self.instances)

    @property
    def spared(self) -> int:
        """Number of operations that are not written, as they are those of the first instance."""
        return (self.count - 1) * len(self.statements)

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes that are evaluated."""
        for statement in self.statements:
            yield from statement.nodes

    def read(self) -> Iterator[Node]:
        """Yield what is known before the loop, perhaps again."""
        for statement in self.statements:
            for operand in statement.operands:
                if isinstance(operand, Each):
                    yield from operand.nodes
                elif isinstance(operand, Common):
                    yield operand.node
                elif isinstance(operand, Before):
                    yield operand.first


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a repeat on a graph of their own, as one instance has them; nothing in it is folded anew.

    Attributes
    ----------
    nodes
        Of each statement.
    outside
        What the leaves stand for that are no numbers.
    """

    graph: Graph
    nodes: tuple[Node, ...]
    outside: Mapping[Node, Operand]


def body_of(graph: Graph, repeat: Repeat) -> Body:
    """Return the body of a repeat."""
    body = Graph()
    leaves: dict[Operand, Node] = {}
    nodes: list[Node] = []

    def leaf(operand: Operand) -> Node:
        node = leaves.get(operand)
        if node is None:
            if isinstance(operand, Common) and graph.ops[operand.node] is Op.CONSTANT:
                node = body.taken(Op.CONSTANT, (), graph.data[operand.node])
            else:
                node = body.symbol(Symbol(Role.PLACEHOLDER, len(leaves), ""))
            leaves[operand] = node
        return node

    for statement in repeat.statements:
        args = tuple([nodes[one.statement] if isinstance(one, Own) else leaf(one) for one in statement.operands])
        first = statement.nodes[0]
        nodes.append(body.taken(graph.ops[first], args, graph.data[first]))
    outside = {node: operand for operand, node in leaves.items() if body.ops[node] is Op.SYMBOL}
    return Body(body, tuple(nodes), outside)
