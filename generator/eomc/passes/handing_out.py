"""Results that a loop hands out: states that stand side by side, and what loops along joints in a row have left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eomc.ir.graph import Graph, Node
from eomc.ir.symbols import Role, Symbol
from eomc.passes.steps import Output, Outputs, Shares, Step

_LEAST = 8  # results that are worth a loop


_BY_INDEX = {Role.STATE: -1, Role.PARAMETER: -2}


class _Source(NamedTuple):
    """What a result is an element of: all states, or what a loop has left."""

    array: int  # below zero for states and parameters
    element: int


def in_loops(
    graph: Graph,
    results: Sequence[Step],
    arrays: Sequence[tuple[Node, ...]],
    overwrites: bool,
    bounds: Sequence[range],
    steady: frozenset[Node],
) -> list[Step]:
    """Return steps that hand out results, in loops where they stand in a row.

    Parameters
    ----------
    results
        Steps one by one.
    arrays
        What loops have left.
    overwrites
        Whether results may take the places of states: those that are states themselves are copied before, and only
        where no copy overwrites what another reads.
    bounds
        Results that lie side by side: a loop hands out those of one of these.
    steady
        What is read from the constants.
    """
    elements = {node: _Source(k, i) for k, nodes in enumerate(arrays) for i, node in enumerate(nodes)}
    found: dict[int, _Source] = {}
    nodes: dict[int, Node] = {}
    for step in results:
        if isinstance(step, Output) and not step.label:
            data = graph.data[step.node]
            if step.node in elements:
                found[step.index] = elements[step.node]
            elif isinstance(data, Symbol) and data.role in _BY_INDEX and step.node not in steady:
                found[step.index] = _Source(_BY_INDEX[data.role], data.index)
            nodes[step.index] = step.node
    runs = [run for one in bounds for run in _runs({index: found[index] for index in one if index in found})]
    copies = [run for run in runs if found[run[0]].array == _BY_INDEX[Role.STATE]]
    written = {index for run in copies for index in run}
    if overwrites and not written.isdisjoint(found[index].element for run in copies for index in run):
        runs, copies = [run for run in runs if run not in copies], []
    others = [run for run in runs if run not in copies]
    taken = {index for run in runs for index in run}
    rest = [step for step in results if not (isinstance(step, Output) and step.index in taken)]
    return [*_together(copies, nodes), *rest, *_together(others, nodes)]


def _runs(found: dict[int, _Source]) -> Iterable[range]:
    """Yield indices at even distances whose sources are elements at even distances of one array."""
    by_array: dict[int, list[int]] = {}
    for index in sorted(found):
        by_array.setdefault(found[index].array, []).append(index)
    for indices in by_array.values():
        start = 0
        while start + 1 < len(indices):
            step = indices[start + 1] - indices[start]
            along = found[indices[start + 1]].element - found[indices[start]].element
            end = start + 2
            while (
                end < len(indices)
                and indices[end] - indices[end - 1] == step
                and found[indices[end]].element - found[indices[end - 1]].element == along
            ):
                end += 1
            if end - start >= _LEAST:
                yield range(indices[start], indices[end - 1] + 1, step)
                start = end
            else:
                start += 1


def _together(runs: Iterable[range], nodes: dict[int, Node]) -> list[Step]:
    """Return loops, one for the runs that are interleaved."""
    loops: list[list[range]] = []
    for run in sorted(runs, key=lambda one: (one.step, one.start)):
        last = loops[-1][0] if loops else None
        if last and last.step == run.step and len(last) == len(run) and run.start - last.start < run.step:
            loops[-1].append(run)
        else:
            loops.append([run])
    return [
        Outputs(tuple(Shares(run.start, run.step, tuple([nodes[index] for index in run])) for run in loop))
        for loop in sorted(loops, key=lambda one: one[0].start)
    ]
