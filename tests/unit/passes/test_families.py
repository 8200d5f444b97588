"""Families of branches that are alike: found once for all functions, whole or torn in each of them."""

from __future__ import annotations

import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Siblings
from eomc.ir.symbols import Role, Symbol
from eomc.passes.families import Families
from eomc.passes.side_by_side import Repeating


def leaf(graph: Graph, index: int) -> Node:
    return graph.symbol(Symbol(Role.STATE, index, f"x{index}"))


def limbs(graph: Graph, count: int, length: int) -> tuple[list[list[Node]], Siblings]:
    """Return the steps of limbs, each made of the one before it and of a state that all share, and what corresponds."""
    shared, leaves = leaf(graph, count), tuple(leaf(graph, i) for i in range(count))
    steps: list[list[Node]] = [[] for _ in range(count)]
    for own, last in zip(steps, leaves, strict=True):
        for k in range(length):
            last = graph.add(graph.mul(last, shared), graph.constant(k + 2))
            own += [graph.args[last][0], last]
    return steps, Siblings(tuple(f"limb {i}" for i in range(count)), (leaves,))


def test_families_are_whole_or_torn() -> None:
    """A family of which a function has one member alone is torn, and so is all that is made of it, here or later."""
    graph = Graph()
    steps, siblings = limbs(graph, 3, 4)
    total = graph.sum(own[-1] for own in steps)
    families = Families(graph, [total], [siblings])
    every = [node for own in steps for node in own]
    assert [families.members[k] for k in families.whole(every)] == list(zip(*steps, strict=True))
    assert families.of(total) is None
    assert families.of(siblings.leaves[0][1]) is not None
    fewer = [node for node in every if node != steps[1][2]]
    assert [families.members[k] for k in families.whole(fewer)] == list(zip(*steps, strict=True))[:2]


def test_a_node_of_two_branches_is_in_none() -> None:
    """So is what two branches make together, and what a branch makes by another op than the others."""
    graph = Graph()
    steps, siblings = limbs(graph, 2, 2)
    both = graph.mul(steps[0][-1], steps[1][-1])
    odd = graph.unary(Op.SIN, steps[0][-1]), graph.unary(Op.COS, steps[1][-1])
    families = Families(graph, [both, *odd], [siblings])
    assert [families.of(node) for node in (both, *odd)] == [None] * 3


@pytest.mark.parametrize("length", [1, 4, 30])
def test_how_many_are_written_is_told_by_families_where_they_can(length: int) -> None:
    """The answer is that of the loops for every limit; short limbs are worth no loop, though all is alike."""
    graph = Graph()
    steps, siblings = limbs(graph, 2, length)
    nodes = [node for own in steps for node in own]
    repeating = Repeating(graph, nodes, [siblings], [])
    written = len(nodes) - repeating.spared(nodes)
    assert repeating.fewest(nodes) == len(nodes) // 2
    assert written == (len(nodes) // 2 if length == 30 else len(nodes))
    for limit in range(len(nodes) + 2):
        assert repeating.are_more(nodes, limit) == (written > limit)
