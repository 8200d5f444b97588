"""Cut a long list of steps into chunks, and give what lives across a cut a place to wait in.

A C compiler needs more than linear time for one long function, so a function is cut where few values are alive, near
equal lengths, and where results are handed out. Places are used again after the chunk in which their value dies.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from eomc.ir.graph import Node
from eomc.ir.program import Check
from eomc.passes.steps import Chunk, Compute, Heading, Loop, Passed, Solve, Step

CHUNK = 1600
"""Operations in one emitted function, roughly: a few hundred statements, compiled in well under a second."""

RESULTS = 4
"""Of so many operations one may hand out a result: what is written may alias what is read after it."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What one step reads."""

    named: tuple[Node, ...]  # temporaries
    leaves: tuple[Node, ...]  # symbols and constant places
    solutions: bool  # whether it reads solutions of linear systems
    weight: int  # operations


@dataclass(frozen=True, slots=True)
class Found:
    """What waits in places before the first step, and until after the last."""

    places: Mapping[Node, int]
    first: int  # place that is free
    elements: frozenset[Node] = frozenset()  # what loops have left there


def most_results(limit: int) -> int:
    """Return how many results a chunk of `limit` operations may hand out."""
    return limit // RESULTS


def cut(
    steps: Sequence[Step],
    uses: Sequence[Uses],
    outputs_from: int,
    limit: int,
    overwritten: Mapping[Node, int],
    found: Found,
    kept: Mapping[Node, int],
) -> tuple[tuple[Chunk, ...], Mapping[Node, int], int]:
    """Return the chunks, the places of what waits between them, and the first place behind these.

    Parameters
    ----------
    steps
        All steps of a function, outputs last.
    uses
        What each step reads, in the same order.
    outputs_from
        Index of the first output.
    limit
        Operations per chunk, roughly.
    overwritten
        Leaves that outputs may overwrite, and the index of that output: they are read before.
    found
        What is there before.
    kept
        What has to wait beyond the last step, and its rank: so the values of a chunk lie in memory, those of -1 first.
    """
    bounds = _choose_bounds(steps, uses, outputs_from, limit)
    bounds[-1:] = _cut_outputs(uses, bounds[-1], outputs_from, most_results(limit), overwritten)
    chunk_of = dict.fromkeys(found.places, -1)
    last_use: dict[Node, int] = {}
    defined: list[list[Node]] = [[] for _ in bounds]
    arrays: list[list[tuple[Node, ...]]] = [[] for _ in bounds]
    read: list[list[Node]] = [[] for _ in bounds]
    for number, (start, end) in enumerate(bounds):
        met: set[Node] = set()
        for step, use in zip(steps[start:end], uses[start:end], strict=True):
            for node in use.named:
                if chunk_of[node] != number and node not in met:
                    met.add(node)
                    read[number].append(node)
                    last_use[node] = number
            if isinstance(step, Compute):
                chunk_of[step.node] = number
                defined[number].append(step.node)
            elif isinstance(step, Loop):
                arrays[number] += [step.repeat.statements[k].nodes for k in step.kept]
                chunk_of.update(dict.fromkeys(itertools.chain(*arrays[number], step.leaves), number))
                defined[number] += step.leaves
    last_use.update(dict.fromkeys([*found.places, *kept], len(bounds)))
    for number, (start, end) in enumerate(bounds):
        for step in steps[start:end]:
            if isinstance(step, Loop) and step.repeat.in_a_row:  # what many instances leave is never on the stack
                for k in step.kept:
                    last_use.setdefault(step.repeat.statements[k].nodes[0], number)
    for nodes in defined:
        nodes.sort(key=lambda node: kept.get(node, -1))
    places, count = _assign_places(defined, arrays, read, last_use, found)
    elements = found.elements.union(*itertools.chain(*arrays))
    chunks = []
    for number, (start, end) in enumerate(bounds):
        part = steps[start:end]
        loads = tuple(Passed(node, places[node]) for node in read[number] if node not in elements)
        waits = len(loads) < len(read[number]) or any(one[0] in places for one in arrays[number])
        stores = tuple(Passed(node, places[node]) for node in defined[number] if node in places)
        leaves = sorted({leaf for use in uses[start:end] for leaf in use.leaves})
        solutions = any(use.solutions for use in uses[start:end])
        kinds = _kinds(part)
        chunks.append(
            Chunk(tuple(part), loads, stores, tuple(leaves), solutions, _is_fallible(part, kinds), kinds, waits)
        )
    return tuple(chunks), places, count


def whole(steps: Sequence[Step], leaves: Iterable[Node]) -> Chunk:
    """Return all steps as the one chunk of a short function."""
    kinds = _kinds(steps)
    return Chunk(tuple(steps), (), (), tuple(sorted(leaves)), Solve in kinds, _is_fallible(steps, kinds), kinds)


def _kinds(steps: Sequence[Step]) -> Mapping[type[Step], int]:
    """Return how many steps there are of each kind."""
    return Counter(map(type, steps))


def _is_fallible(steps: Sequence[Step], kinds: Container[type[Step]]) -> bool:
    if Check in kinds or Solve in kinds:
        return True
    return Loop in kinds and any(isinstance(step, Loop) and step.tests for step in steps)


def _choose_bounds(steps: Sequence[Step], uses: Sequence[Uses], outputs_from: int, limit: int) -> list[tuple[int, int]]:
    """Return (start, end) of every chunk."""
    total = sum(use.weight for use in uses[:outputs_from])
    wanted = -(-total // limit)
    if wanted <= 1:
        return [(0, len(steps))]
    alive = _count_alive(steps, uses, outputs_from)
    target = total / wanted
    bounds = []
    start, weight, number = 0, 0, 1
    best, best_alive = -1, 0
    for index in range(outputs_from):
        # A cut before `index` is allowed within a fifth of a chunk around its equal share; the sparsest place wins.
        if weight >= (number - 0.2) * target and index > start and number < wanted:
            if weight > (number + 0.2) * target and best >= 0:
                bounds.append((start, best))
                start, number, best = best, number + 1, -1
            elif best < 0 or alive[index] < best_alive:
                best, best_alive = index, alive[index]
        weight += uses[index].weight
    if best >= 0:
        bounds.append((start, best))
        start = best
    bounds.append((start, len(steps)))
    return [_without_trailing_headings(steps, bounds, position) for position in range(len(bounds))]


def _cut_outputs(
    uses: Sequence[Uses], last: tuple[int, int], outputs_from: int, most: int, overwritten: Mapping[Node, int]
) -> list[tuple[int, int]]:
    """Cut the last chunk where it hands out many results; not where one of them would overwrite what a later reads."""
    start, end = last
    cuts = range(outputs_from + most, end, most)
    for place in range(cuts.start, end):
        group = (place - outputs_from) // most
        for leaf in uses[place].leaves:
            if leaf in overwritten and overwritten[leaf] // most < group:
                return [last]
    return list(itertools.pairwise([start, *cuts, end]))


def _without_trailing_headings(
    steps: Sequence[Step], bounds: Sequence[tuple[int, int]], position: int
) -> tuple[int, int]:
    """Let a heading go with what follows it."""
    start, end = bounds[position]
    while position > 0 and isinstance(steps[start - 1], Heading):
        start -= 1
    while position < len(bounds) - 1 and isinstance(steps[end - 1], Heading):
        end -= 1
    return start, end


def _count_alive(steps: Sequence[Step], uses: Sequence[Uses], outputs_from: int) -> list[int]:
    """Return how many temporaries would cross a cut before each step."""
    born: dict[Node, int] = {}
    dies: dict[Node, int] = {}
    for index, (step, use) in enumerate(zip(steps, uses, strict=True)):
        dies.update(dict.fromkeys(use.named, min(index, outputs_from)))
        if isinstance(step, Compute):
            born[step.node] = index
        elif isinstance(step, Loop):
            born.update((node, index) for k in step.kept for node in step.repeat.statements[k].nodes)
            born.update(dict.fromkeys(step.leaves, index))
    change = [0] * (len(steps) + 2)
    for node, index in born.items():
        if dies.get(node, index) > index:
            change[index + 1] += 1
            change[dies[node] + 1] -= 1
    return list(itertools.accumulate(change[: len(steps)]))


def _assign_places(
    defined: Sequence[Sequence[Node]],
    arrays: Sequence[Sequence[tuple[Node, ...]]],
    read: Sequence[Sequence[Node]],
    last_use: Mapping[Node, int],
    found: Found,
) -> tuple[dict[Node, int], int]:
    """Return the place of every value that crosses a cut; a chunk may write before it has read all.

    What a loop leaves has places side by side, which are free again after the last of its values.
    """
    places = dict(found.places)
    free: dict[int, list[int]] = {}  # first places by how many there are
    further = found.first
    array_of = {node: nodes for number in range(len(arrays)) for nodes in arrays[number] for node in nodes}
    for number in range(len(defined)):
        for nodes in itertools.chain(((node,) for node in defined[number]), arrays[number]):
            if last_use.keys().isdisjoint(nodes):
                continue
            waiting, size = free.setdefault(len(nodes), []), len(nodes)
            if waiting:
                first = heapq.heappop(waiting)
            else:
                first, further = further, further + size
            places.update(zip(nodes, range(first, first + size), strict=True))
        for nodes in dict.fromkeys(array_of.get(node, (node,)) for node in read[number]):
            if max(last_use.get(node, -1) for node in nodes) == number:
                heapq.heappush(free.setdefault(len(nodes), []), places[nodes[0]])
    return places, further
