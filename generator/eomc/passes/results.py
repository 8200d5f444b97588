"""Results of a function: the steps that hand them out, after which evaluation, and the states that they overwrite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from eomc.ir.graph import Graph, Node
from eomc.ir.program import Function
from eomc.ir.symbols import Role
from eomc.passes.order import Event, are_cleared
from eomc.passes.steps import (
    ClearOutputs,
    Output,
    Outputs,
    Step,
)


def handed_out(graph: Graph, function: Function) -> list[Step]:
    """Return what hands out the results; the zeros of a matrix that has little else are put there at once."""
    outputs, zero = function.outputs, graph.zero
    steps: list[Step] = []
    first = 0
    arrays = [(array.size, array.shape) for array in function.arrays] or [(len(outputs), function.shape)]
    for size, shape in arrays:
        places: Sequence[int] = range(first, first + size)
        filled = [index for index in places if outputs[index] != zero]
        if (function.arrays or len(shape) == 2) and are_cleared(size - len(filled), size):
            steps.append(ClearOutputs(first, size))
            places = filled
        steps += [Output(index, outputs[index], _output_label(shape, index - first)) for index in places]
        first += size
    return steps


def with_results(graph: Graph, events: Sequence[Event], results: Sequence[Step], small: bool) -> list[Event | Step]:
    """Return what happens, with each result handed out after its evaluation.

    Those that need none come first, or, where bytes count before time, beside what reads the same: it is read once.
    """
    evaluated = {event for event in events if isinstance(event, int)}
    reader: dict[Node, Node] = {}
    for event in events if small else ():
        if isinstance(event, int):
            reader.update({node: event for node in graph.args[event] if node not in reader})
    due: defaultdict[Node, list[Step]] = defaultdict(list)
    found: list[Event | Step] = []
    for result in results:
        event = result.node if isinstance(result, Output) else -1
        event = event if event in evaluated else reader.get(event, -1)
        if event in evaluated:
            due[event].append(result)
        else:
            found.append(result)
    for event in events:
        found.append(event)
        if isinstance(event, int):
            found += due.get(event, ())
    return found


def overwritten_by(
    graph: Graph, function: Function, leaves: Iterable[Node], results: Sequence[Step]
) -> dict[Node, int]:
    """Return those leaves that results may overwrite: states, each with the number of the step that does.

    Rates may take the state's place.
    """
    if function.name != "rhs":
        return {}
    written: dict[int, int] = {}
    for number, step in enumerate(results):
        if isinstance(step, Output):
            written[step.index] = number
        elif isinstance(step, Outputs):
            written.update((share.first + k * share.step, number) for share in step.shares for k in range(step.count))
    symbols = ((node, graph.symbol_of(node)) for node in leaves)
    return {node: written[s.index] for node, s in symbols if s.role is Role.STATE and s.index in written}


def _output_label(shape: Sequence[int], index: int) -> str:
    """Return where a result stands in its matrix."""
    return f"[{index // shape[1]}][{index % shape[1]}]" if len(shape) == 2 else ""
