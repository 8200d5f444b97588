"""Joints in a row that are alike, or of which every second, third or fourth one is: links of a tentacle.

What recursions do at one of them they do at the next, but for numbers, and a loop may do it for all. So that it is the
same node by node, entries that differ along the row are tabled, as those of branches are (`siblings`). The first and
the last joints of a row, which have other zeros than the others, stay as they are.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from eomc.derivation.trees.rows import GROUND, Row, TreeRows
from eomc.derivation.trees.siblings import Tabling
from eomc.ir.graph import Graph
from eomc.model.trees.records import JointKind
from eomc.passes.recurrences import LONG

_PERIODS = range(1, 5)
_NEARLY = 0.8  # of the rows

_Pattern: TypeAlias = tuple[JointKind, tuple[float, ...]]


def mark_rows(graph: Graph, rows: TreeRows, apart: Iterable[str] = ()) -> TreeRows:
    """Return prepared rows with the entries that differ along long rows tabled.

    Parameters
    ----------
    apart
        Joints that belong to none: what mimics, or is mimicked.
    """
    marked, tabling = list(rows.rows), Tabling(graph, "entry in a row")
    for path in long_rows(rows, frozenset(apart)):
        patterns = [_pattern(graph, marked[i]) for i in path]
        period = min(_PERIODS, key=lambda period: sum(_lost(patterns[phase::period]) for phase in range(period)))
        for phase in range(period):
            alike = path[phase::period][_usual(patterns[phase::period])]
            if len(alike) > 1:
                for i, row in zip(alike, tabling.marked([marked[i] for i in alike]), strict=True):
                    marked[i] = row
    return replace(rows, rows=tuple(marked))


def long_rows(rows: TreeRows, apart: frozenset[str] = frozenset()) -> list[list[int]]:
    """Return long rows, no joint in two of them, each from its first joint to its last, the longest ways first."""
    height = [1] * len(rows.rows)
    for i, row in reversed(list(enumerate(rows.rows))):
        if row.parent != GROUND:
            height[row.parent] = max(height[row.parent], 1 + height[i])
    found: list[list[int]] = []
    begun: dict[int, list[int]] = {}  # the way that ends at a row so far
    for i, row in sorted(enumerate(rows.rows), key=lambda one: (-height[one[0]], one[0])):
        own = row.name not in apart and row.kind is not JointKind.FREE
        way = begun.pop(row.parent, []) if own else []
        way.append(i)
        if own:
            begun[i] = way
        if len(way) == 1:  # one that begins here
            found.append(way)
    return [way for way in found if len(way) >= LONG]


def _lost(patterns: Sequence[_Pattern]) -> int:
    """Return how many entries are zero or one in some rows and something else in others; much for other joints.

    After so many joints one is the most like for which these are the fewest.
    """
    if len({kind for kind, _ in patterns}) > 1:
        return len(patterns) ** 2
    columns = zip(*(entries for _, entries in patterns), strict=True)
    return sum(len(patterns) - max(Counter(column).values()) for column in columns)


def _pattern(graph: Graph, row: Row) -> _Pattern:
    """Return the kind of a row and the entries that make the form of equations: zeros and ones; 0.5 for others."""
    moments = row.moments
    entries = (
        *itertools.chain(*row.rotation),
        *row.offset,
        moments.mass,
        *moments.first,
        *moments.second,
        row.armature,
        *row.zero,
    )
    numbers = [graph.number(entry) for entry in entries]
    return row.kind, tuple(0.5 if one is None or one not in (0, 1, -1) else float(one) for one in numbers)


def _usual(patterns: Sequence[_Pattern]) -> slice:
    """Return the rows without those at the ends that have other zeros than nearly all."""
    columns = list(zip(*(entries for _, entries in patterns), strict=True))
    most = [Counter(column).most_common(1)[0] for column in columns]
    told = {k: value for k, (value, times) in enumerate(most) if times >= _NEARLY * len(patterns)}
    places = [n for n, (_, entries) in enumerate(patterns) if all(entries[k] == value for k, value in told.items())]
    return slice(places[0], places[-1] + 1) if places else slice(0)
