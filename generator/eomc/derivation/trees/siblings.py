"""Branches of a tree that are alike: the same joints in the same order on one body, such as the legs of a robot.

What recursions do over them is then the same but for numbers, and may be done side by side. So that it is the same node
by node, an entry that differs between branches is a number into which the graph does not look (`Tabled`): no sign is
pulled out of it, no zero or one in it changes the form. An entry that is equal in all branches stays what it is, zeros
first of all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from eomc.derivation.trees.factoring import angles, axis_turn, numbers_of
from eomc.derivation.trees.joints import zero_angle
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.rows import GROUND, Row, TreeRows
from eomc.derivation.trees.tensors import Symmetric
from eomc.derivation.trees.turns import AxisTurn, Rotation
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Tabled
from eomc.model.trees.records import JointKind

_KINDS = (JointKind.REVOLUTE, JointKind.PRISMATIC)
Branch: TypeAlias = tuple[int, ...]
"""Rows of a branch, what carries others before them."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Branches that are alike, and what corresponds in them: nodes, one of each branch."""

    branches: tuple[Branch, ...]
    leaves: tuple[tuple[Node, ...], ...]


class Marked(NamedTuple):
    """Rows whose entries are alike in branches that are."""

    rows: TreeRows
    groups: tuple[Alike, ...]


def mark_siblings(graph: Graph, rows: TreeRows, apart: Iterable[str] = ()) -> Marked:
    """Return prepared rows with the entries that differ between branches tabled.

    Parameters
    ----------
    apart
        Joints that belong to no branch: what mimics, or is mimicked.
    """
    marked, groups, tabling = list(rows.rows), [], Tabling(graph, "entry")
    for branches in find_alike(rows, frozenset(apart)):
        tabling.leaves = []
        for alike in zip(*branches, strict=True):
            for i, row in zip(alike, tabling.marked([marked[i] for i in alike]), strict=True):
                marked[i] = row
        groups.append(Alike(branches, tuple(tabling.leaves)))
    return Marked(replace(rows, rows=tuple(marked)), tuple(groups))


def find_alike(rows: TreeRows, apart: frozenset[str]) -> list[tuple[Branch, ...]]:
    """Return groups of branches on one body with the same joints in the same order; nothing within such a branch."""
    children = rows.children()
    carried = [i for i, row in enumerate(rows.rows) if row.parent == GROUND]
    shapes: dict[int, tuple[object, ...] | None] = {}
    for i, row in reversed(list(enumerate(rows.rows))):
        own = [shapes[child] for child in children[i]]
        known = row.kind in _KINDS and row.name not in apart and None not in own
        shapes[i] = (row.kind, *own) if known else None
    found: list[tuple[Branch, ...]] = []
    waiting = [carried]
    while waiting:
        groups: dict[tuple[object, ...], list[int]] = {}
        for child in waiting.pop():
            shape = shapes[child]
            if shape is None:
                waiting.append(children[child])
            else:
                groups.setdefault(shape, []).append(child)
        for roots in groups.values():
            if len(roots) > 1:
                found.append(tuple(_below(children, root) for root in roots))
            else:
                waiting.append(children[roots[0]])
    return sorted(found)


def _below(children: Sequence[Sequence[int]], root: int) -> Branch:
    found, waiting = [], [root]
    while waiting:
        row = waiting.pop()
        found.append(row)
        waiting += reversed(children[row])
    return tuple(found)


class Tabling:
    """Entries of corresponding rows, brought into a common form.

    Attributes
    ----------
    leaves
        What corresponds: nodes, one of each row.
    """

    def __init__(self, graph: Graph, word: str) -> None:
        self._graph = graph
        self._word = word
        self.leaves: list[tuple[Node, ...]] = []
        self._numbers = itertools.count()

    def marked(self, rows: Sequence[Row]) -> list[Row]:
        """Return corresponding rows with entries in a common form."""
        offsets = self._vectors([row.offset for row in rows])
        masses = self._entries([row.moments.mass for row in rows])
        firsts = self._vectors([row.moments.first for row in rows])
        seconds = self._vectors([row.moments.second for row in rows])
        armatures = self._entries([row.armature for row in rows])
        turns, zeros = self._turns(rows), self._zeros(rows)
        return [
            replace(
                row,
                offset=(offsets[i][0], offsets[i][1], offsets[i][2]),
                moments=Moments(masses[i], (firsts[i][0], firsts[i][1], firsts[i][2]), Symmetric(*seconds[i])),
                armature=armatures[i],
                turns=turns[i],
                zero_angle=zeros[i],
            )
            for i, row in enumerate(rows)
        ]

    def _vectors(self, vectors: Sequence[Sequence[Node]]) -> list[tuple[Node, ...]]:
        return list(zip(*(self._entries(entries) for entries in zip(*vectors, strict=True)), strict=True))

    def _entries(self, entries: Sequence[Node]) -> tuple[Node, ...]:
        """Return corresponding entries: as they are where all are one, else each a leaf of its branch."""
        if len(set(entries)) == 1:
            return tuple(entries)
        made = tuple(self._leaf(entry) for entry in entries)
        if len(set(made)) == len(made):
            self.leaves.append(made)
        return made

    def _leaf(self, entry: Node) -> Node:
        """Return an entry as a leaf: a number tabled, an expression of parameters without a sign to be pulled out."""
        graph, number = self._graph, self._graph.number(entry)
        if number is not None:
            return self._table(float(number))
        return graph.times(entry, graph.one) if graph.ops[entry] is Op.NEG else entry

    def _table(self, number: float) -> Node:
        return self._graph.constant(Tabled(number, (self._word, next(self._numbers))))

    def _turns(self, rows: Sequence[Row]) -> list[Rotation | None]:
        """Return constant rotations as turns about the same axes; None where they are the same or no numbers."""
        graph = self._graph
        if len({row.rotation for row in rows}) == 1:
            return [None] * len(rows)
        numbers = [numbers_of(graph, row.rotation) for row in rows]
        known = [angles(one) for one in numbers if one is not None]
        if len(known) < len(rows):
            return [None] * len(rows)
        parts: list[Sequence[Rotation]] = []
        for axis, alike in zip((2, 0, 2), zip(*known, strict=True), strict=True):
            if len(set(alike)) == 1:
                parts.append([axis_turn(graph, axis, angle) for angle in alike])
            else:
                cosines, sines = (self._entries([graph.constant(angle[k]) for angle in alike]) for k in (0, 1))
                parts.append([(AxisTurn(graph, axis, c, s),) for c, s in zip(cosines, sines, strict=True)])
        return [tuple(itertools.chain(*one)) for one in zip(*parts, strict=True)]

    def _zeros(self, rows: Sequence[Row]) -> list[Node | None]:
        """Return the angles at which coordinates are zero; None where these are the same."""
        if len({row.zero for row in rows}) == 1:
            return [None] * len(rows)
        return list(self._entries([zero_angle(self._graph, row) for row in rows]))


def corresponding(graph: Graph, roots: Sequence[Sequence[Node]]) -> list[tuple[Node, ...]]:
    """Return the leaves that correspond in expressions that do: one of each branch, all different.

    Parameters
    ----------
    roots
        Of each branch as many.
    """
    found: dict[tuple[Node, ...], None] = {}
    met: set[tuple[Node, ...]] = set()
    taken: dict[Node, tuple[Node, ...]] = {}
    waiting = list(zip(*roots, strict=True))
    while waiting:
        nodes = waiting.pop()
        if nodes in met or len(set(nodes)) < len(nodes):
            continue
        met.add(nodes)
        ops, args = {graph.ops[node] for node in nodes}, [graph.args[node] for node in nodes]
        if ops == {Op.SYMBOL} and all(taken.get(node, nodes) == nodes for node in nodes):
            taken.update(dict.fromkeys(nodes, nodes))
            found[nodes] = None
        elif len(ops) == 1 and len({len(one) for one in args}) == 1 and args[0]:
            waiting += zip(*args, strict=True)
    return list(found)
