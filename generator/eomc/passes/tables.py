"""Constants that loops along joints in a row read by their index: arrays that ``_prepare`` fills.

What each instance has of its own of the parameters is a column of nodes. Columns that have nodes in common, such as the
masses of one loop outwards and of another one inwards, are parts of one array, read forwards or backwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eomc.ir.graph import Node
from eomc.passes.repeats import Each, Repeat


class Along(NamedTuple):
    """Where a column stands: in which table, from which place on, and at which distances."""

    table: int
    first: int
    step: int


def tables_for(repeats: Iterable[Repeat], steady: frozenset[Node]) -> list[tuple[Node, ...]]:
    """Return the arrays in which each column of steady nodes that loops read stands at even distances."""
    tables = Tables()
    for repeat in repeats:
        operands = [one for statement in repeat.statements for one in statement.operands] if repeat.in_a_row else []
        for column in dict.fromkeys(one.nodes for one in operands if isinstance(one, Each)):
            if column[0] in steady:
                tables.take(column)
    return tables.done()


class Tables:
    """Arrays of nodes, which grow at their ends.

    Parameters
    ----------
    tables
        Those that are there.
    """

    def __init__(self, tables: Iterable[Sequence[Node]] = ()) -> None:
        self._tables: list[dict[int, Node]] = []  # by place, without gaps; places may be below zero
        self._homes: dict[Node, dict[int, int]] = {}  # tables that a node is in, and its place there
        self._uneven: dict[tuple[Node, ...], int] = {}  # tables in which a node stands twice: for one column each
        for nodes in tables:
            self._new(tuple(nodes))

    def done(self) -> list[tuple[Node, ...]]:
        """Return the arrays."""
        return [tuple(table[place] for place in sorted(table)) for table in self._tables]

    def __contains__(self, node: Node) -> bool:
        return node in self._homes

    def take(self, column: tuple[Node, ...]) -> None:
        """Add a column, to an array that has a part of it where that can be."""
        if column in self._uneven:
            return
        for table, first, step in self._along(column):
            own = {first + j * step: node for j, node in enumerate(column)}
            if abs(step) == 1 or own.keys() <= self._tables[table].keys():  # else there would be gaps
                self._put(table, own)
                return
        self._new(column)

    def find(self, column: tuple[Node, ...]) -> Along:
        """Return where a column that was taken stands."""
        return next(
            one
            for one in self._along(column)
            if all(one.first + j * one.step in self._tables[one.table] for j in (0, len(column) - 1))
        )

    def _new(self, column: tuple[Node, ...]) -> None:
        number = len(self._tables)
        self._tables.append(dict(enumerate(column)))
        if len(set(column)) == len(column):
            self._put(number, self._tables[number])
        else:
            self._uneven[column] = number
            for node in column:
                self._homes.setdefault(node, {})

    def _put(self, table: int, own: dict[int, Node]) -> None:
        self._tables[table].update(own)
        for place, node in own.items():
            self._homes.setdefault(node, {})[table] = place

    def _along(self, column: tuple[Node, ...]) -> Iterable[Along]:
        """Yield where a column may stand: nothing else is there, and two of its nodes are."""
        if len(set(column)) < len(column):
            if column in self._uneven:
                yield Along(self._uneven[column], 0, 1)
            return
        known: dict[int, list[tuple[int, int]]] = {}
        for j, node in enumerate(column):
            for table, place in self._homes.get(node, {}).items():
                known.setdefault(table, []).append((j, place))
        for table, places in known.items():
            (j, one), (k, other) = places[0], places[-1]
            if j == k:
                continue
            step, rest = divmod(other - one, k - j)
            first, there = one - j * step, self._tables[table]
            suits = all(place == first + i * step for i, place in places)
            if step and not rest and suits and all(there.get(first + i * step, n) == n for i, n in enumerate(column)):
                yield Along(table, first, step)
