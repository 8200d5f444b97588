"""Which spans come before which: what is kept beside a walk over all nodes, while loops are joined."""

from __future__ import annotations

import random

import pytest

from eomc.ir.graph import Graph, Node
from eomc.ir.symbols import Role, Symbol
from eomc.passes.columns import Loop
from eomc.passes.reached import Reached
from eomc.passes.spans import Span, Spans


def home_of(spans: list[Span]) -> dict[Node, Span]:
    """Return the span of each node."""
    return {node: span for span in spans for column in span.loop().columns for node in column}


def below(graph: Graph, spans: list[Span], span: Span) -> set[Span]:
    """Return the spans that a span needs, itself only where others need it."""
    home = home_of(spans)
    met: set[Node] = set()
    found: set[Span] = set()
    waiting: list[tuple[Span | None, Node]] = [
        (span, arg) for column in span.loop().columns for node in column for arg in graph.args[node]
    ]
    while waiting:
        by, node = waiting.pop()
        one = home.get(node)
        if one is not None and (one is by or one in found):
            continue
        if one is None:
            if node not in met:
                met.add(node)
                waiting += [(None, arg) for arg in graph.args[node]]
        else:
            found.add(one)
            waiting += [(one, arg) for column in one.loop().columns for each in column for arg in graph.args[each]]
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
    spans = Spans([Loop([made[start : start + 8]]) for start in range(0, 96, 8) if rng.random() < 0.8])
    there, reached = list(spans.given), Reached(graph, spans)
    for _ in range(12):
        for span in there:
            assert reached.count(span) == len(below(graph, there, span) | {span})
            assert all(spans.of(node) == (span, k) for k in range(span.count) for node in span.at(k))
        pairs = [(a, b) for a in there for b in there if a is not b and a.count == b.count > 5]
        if not pairs:
            break
        one, other = rng.choice(pairs)
        low, count = rng.randrange(2), one.count - rng.randrange(2)
        joined = one.part(low, count).along(other.part(low, count))
        rest = [span for span in there if span is not one and span is not other]
        kept = dict.fromkeys((one, other), range(low, count))
        assert reached.is_below_itself(kept) == (joined in below(graph, [*rest, joined], joined))
        if rng.random() < 0.5:
            spans.replace((one, other), (joined,))
            reached.replaced((one, other))
            left = {*one.at(0), *other.at(0)} if low else set()
            assert all(spans.of(node) is None for node in left)
            there = [*rest, joined]
