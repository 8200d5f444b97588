"""Which loops come before which: kept bits beside a walk over all nodes, while loops are joined."""

from __future__ import annotations

import random

import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.symbols import Role, Symbol
from eomc.passes.columns import Loop
from eomc.passes.reached import Reached


def below(graph: Graph, home: dict[Node, Loop], loop: Loop) -> set[int]:
    """Return the loops that a loop needs, by identity, itself only where others need it."""
    met: set[int] = set()
    found: set[int] = set()
    waiting: list[tuple[Loop | None, Node]] = [
        (loop, arg) for column in loop.columns for node in column for arg in graph.args[node]
    ]
    while waiting:
        by, node = waiting.pop()
        one = home.get(node)
        if one is not None and (one is by or id(one) in found):
            continue
        if one is None:
            if node not in met:
                met.add(node)
                waiting += [(None, arg) for arg in graph.args[node]]
        else:
            found.add(id(one))
            waiting += [(one, arg) for column in one.columns for each in column for arg in graph.args[each]]
    return found


@pytest.mark.parametrize("seed", range(30))
def test_what_is_kept_is_what_a_walk_finds(seed: int) -> None:
    """Random nodes, some in loops of eight instances, all looked at; pairs are tried, and half of them stay joined."""
    rng, graph = random.Random(seed), Graph()
    nodes = [graph.symbol(Symbol(Role.STATE, k, f"x{k}")) for k in range(4)]
    made: list[Node] = []
    while len(made) < 120:
        recent = [*nodes[:4], *made[-30:]]
        node = graph.add(rng.choice(recent), graph.mul(rng.choice(recent), rng.choice(recent)))
        if node not in made:
            made.append(node)
    loops = [Loop([made[start : start + 8]]) for start in range(0, 96, 8) if rng.random() < 0.8]
    home = {node: loop for loop in loops for column in loop.columns for node in column}
    reached = Reached(graph, home)
    for _ in range(12):
        for loop in loops:
            assert reached.count(loop) == len(below(graph, home, loop) | {id(loop)})
        pairs = [(a, b) for a in loops for b in loops if a is not b and a.count == b.count > 5]
        if not pairs:
            break
        one, other = rng.choice(pairs)
        low = rng.randrange(2)
        count = one.count - rng.randrange(2)
        above = reached.above((one, other), loops)
        for loop in loops:
            if below(graph, home, loop) & {id(one), id(other)} or loop in (one, other):
                assert reached.bit(loop) & above
        joined = Loop([column[low:count] for loop in (one, other) for column in loop.columns])
        left = {node for loop in (one, other) for column in loop.columns for node in (*column[:low], *column[count:])}
        for node in left:
            del home[node]
        home.update((node, joined) for column in joined.columns for node in column)
        assert reached.is_below_itself(joined, (one, other), left, above) == (id(joined) in below(graph, home, joined))
        if rng.random() < 0.5:
            reached.forget((one, other), (joined,))
            loops = [loop for loop in loops if loop is not one and loop is not other] + [joined]
        else:
            for loop in (one, other):
                home.update((node, loop) for column in loop.columns for node in column)
