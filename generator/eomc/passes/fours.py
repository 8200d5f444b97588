"""Sines and cosines of four angles one after the other, so that a target can evaluate them at once.

A vector of four takes hardly longer than one angle, and the angles of joints are known at the beginning: sums of
coordinates. Those of four that are needed first go where the first is needed, and the last three or fewer follow them,
as arithmetic between calls loses the registers. Nothing is evaluated that was not before.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from eomc.ir.cone import cone
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.passes.order import Event
from eomc.passes.repeats import Repeat
from eomc.passes.steps import Compute, Step

FOUR = 4

_SUMS = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.NEG})
_TURNS = frozenset({Op.SIN, Op.COS})


class Turn(NamedTuple):
    """The sine and the cosine of an angle that are evaluated one after the other."""

    sine: Node
    cosine: Node
    angle: Node


def in_fours(
    graph: Graph, events: Sequence[Event], partners: Mapping[Node, Node], checked: Container[Node]
) -> list[Event]:
    """Return events with the sines and cosines of four angles, and of what is left at last, together.

    Parameters
    ----------
    events
        What happens, in order.
    partners
        Sines and cosines that belong together.
    checked
        Nodes that wait for a test; no angle that is made of them is evaluated earlier.
    """
    places = {event: i for i, event in enumerate(events) if isinstance(event, int)}
    fixed = {node for event in events if isinstance(event, Repeat) for node in event.nodes()}
    turns: list[tuple[list[Node], list[Node]]] = []  # what an angle is made of, and its sine and cosine
    for node in places:
        partner = partners.get(node)
        if partner in places and places[node] < places[partner]:
            made = cone(graph, graph.args[node], lambda one: one not in places)
            above = [one for one in made if one in places]
            if fixed.isdisjoint(made) and all(graph.ops[one] in _SUMS and one not in checked for one in above):
                turns.append((above, [node, partner]))
    gathered: dict[Node, list[Node]] = {}  # what is evaluated in the place of the first
    moved: set[Node] = set()
    whole = len(turns) - len(turns) % FOUR
    for start in range(0, whole, FOUR):
        group = turns[start : start + FOUR if start + FOUR < whole else None]
        first = group[0][1][0]
        needed = {one for above, _ in group for one in above if places[one] > places[first]} - moved
        gathered[first] = [*sorted(needed, key=places.__getitem__), *(one for _, both in group for one in both)]
        moved.update(gathered[first])
    found: list[Event] = []
    for event in events:
        if not isinstance(event, int) or event not in moved:
            found.append(event)
        elif event in gathered:
            found += gathered[event]
    return found


def turns_of(graph: Graph, steps: Sequence[Step]) -> Iterator[tuple[int, Turn]]:
    """Yield the sines and cosines of one angle that follow each other, and where the first of both stands."""
    for i, (one, other) in enumerate(itertools.pairwise(steps)):
        if isinstance(one, Compute) and isinstance(other, Compute):
            kinds = {graph.ops[step.node]: step.node for step in (one, other)}
            if kinds.keys() == _TURNS and graph.args[one.node] == graph.args[other.node]:
                yield i, Turn(kinds[Op.SIN], kinds[Op.COS], graph.args[one.node][0])


def fours_of(graph: Graph, turns: Iterable[tuple[int, Turn]], named: Container[Node]) -> list[tuple[int, list[Turn]]]:
    """Return those of four angles that follow each other, none of which is made of another's, and where they stand."""
    found: list[tuple[int, list[Turn]]] = []
    run: list[tuple[int, Turn]] = []
    for i, turn in turns:
        run = [*run[-FOUR + 1 :], (i, turn)] if run and i == run[-1][0] + 2 else [(i, turn)]
        if len(run) == FOUR:
            four = [one for _, one in run]
            own = {node for one in four for node in (one.sine, one.cosine)}
            if own.isdisjoint(cone(graph, [one.angle for one in four], lambda node: node in named)):
                found.append((run[0][0], four))
                run = []
    return found
