"""Loops that go the same way, one reading the other, become one: what they leave for each other needs no place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from eomc.ir.graph import Graph, Node
from eomc.passes.columns import LEAST, Loop
from eomc.passes.reached import Reached

_NEAR = 64  # instances, at most, by which loops that go along may begin apart


class _Joint(NamedTuple):
    """How two loops become one: an instance of the other goes with that of the first which is `shift` further."""

    shift: int
    start: int  # first instance of the other
    end: int


def fused(graph: Graph, loops: Sequence[Loop]) -> list[Loop]:
    """Return loops, some of them joined over the instances that all of those have, in an order of evaluation."""
    return _Fusing(graph, loops).done()


class _Fusing:
    """Loops while they are joined."""

    def __init__(self, graph: Graph, loops: Sequence[Loop]) -> None:
        self._graph = graph
        self._loops = list(loops)
        self._there = set(loops)
        self._home: dict[Node, Loop] = {}
        self._near: dict[Node, int] = {}  # the instances of nodes about the middles of loops
        for loop in loops:
            self._own(loop)
            self._note(loop)
        self._reached = Reached(graph, self._home)
        self._touched: dict[Loop, set[Loop]] = {}  # those whose instances tell how far ahead a loop reads

    def done(self) -> list[Loop]:
        """Return what can be joined no further."""
        loops, tried = self._loops, set[tuple[Loop, Loop]]()
        ahead: dict[Loop, dict[Loop, set[int] | None]] = {}
        while True:
            ahead = {loop: ahead[loop] if self._is_told(loop) else self._ahead(loop) for loop in loops}
            for one, other in itertools.combinations(loops, 2):
                if (one, other) in tried:
                    continue
                tried.add((one, other))
                joint = _joint(one, other, ahead[other].get(one, set()), ahead[one].get(other, set()))
                if joint is not None and self._join(one, other, joint):
                    break
            else:
                return sorted(loops, key=self._reached.count)

    def _own(self, loop: Loop) -> None:
        for column in loop.columns:
            self._home.update(dict.fromkeys(column, loop))

    def _note(self, loop: Loop) -> None:
        middle = loop.count // 2
        first, end = max(0, middle - _NEAR), middle + _NEAR
        for column in loop.columns:
            self._near.update(zip(column[first:end], range(first, loop.count), strict=False))

    def _is_told(self, loop: Loop) -> bool:
        """Whether it is known how far ahead a loop reads, from loops that there still are."""
        return loop in self._touched and self._touched[loop].issubset(self._there)

    def _ahead(self, loop: Loop) -> dict[Loop, set[int] | None]:
        """Return how far ahead of its own number an instance reads others; None where it does not go along."""
        args, near, middle = self._graph.args, self._near, loop.count // 2
        ahead: dict[Loop, set[int] | None] = {}
        touched = self._touched[loop] = set[Loop]()
        for column in loop.columns:
            for now, later in zip(args[column[middle]], args[column[middle + 1]], strict=True):
                read = self._home.get(now)
                if read is None or read is loop or now == later:
                    continue
                touched.update(one for one in (read, self._home.get(later)) if one is not None)
                found = ahead.setdefault(read, set())
                if found is None or now not in near or near.get(later, -1) != near[now] + 1:
                    ahead[read] = None
                else:
                    found.add(near[now] - middle)
        return ahead

    def _join(self, one: Loop, other: Loop, joint: _Joint) -> bool:
        """Let a joined loop take the places of two, unless it needs, by way of others, what it finds itself."""
        shift, start, end = joint
        parts = one.part(start + shift, end + shift), other.part(start, end)
        joined = Loop(sorted([*parts[0].columns, *parts[1].columns], key=lambda column: column[0]))
        rests, left = [], set[Node]()
        for loop, low, high in ((one, start + shift, end + shift), (other, start, end)):
            for column in loop.columns:
                left.update(column[:low], column[high:])
            ends = loop.part(0, low), loop.part(high, loop.count)
            rests += [end for end in ends if end.count >= max(LEAST, joined.count // 2)]
        above = self._reached.above((one, other), self._loops)
        for node in left:
            del self._home[node]
        self._own(joined)
        if self._reached.is_below_itself(joined, (one, other), left, above):
            self._own(one)
            self._own(other)
            return False
        self._reached.forget((one, other), (joined, *rests))
        for node in itertools.chain(*one.columns, *other.columns):
            self._near.pop(node, None)
        self._there -= {one, other}
        self._loops[self._loops.index(one)] = joined
        self._loops.remove(other)
        self._loops += rests
        for rest in rests:
            self._own(rest)
        for loop in (joined, *rests):
            self._there.add(loop)
            self._note(loop)
        return True


def _joint(one: Loop, other: Loop, least: set[int] | None, most: set[int] | None) -> _Joint | None:
    """Return how two loops go together; None where neither reads the other, or not along with it.

    Parameters
    ----------
    least, most
        How far ahead instances of the other read the first, and those of the first the other.
    """
    if least is None or most is None or not least | most:
        return None
    shift = max(least) if least else -max(most)
    behind = [shift - one for one in least] + [-shift - one for one in most]  # an instance reads that before it at most
    if not 0 <= min(behind) <= max(behind) <= 1:
        return None
    start, end = max(0, -shift), min(other.count, one.count - shift)
    if end - start < LEAST or 2 * (end - start) <= min(one.count, other.count):
        return None
    return _Joint(shift, start, end)
