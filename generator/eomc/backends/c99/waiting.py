"""What chunks of a routine leave for each other."""

from __future__ import annotations

from collections.abc import Iterable

from eomc.backends.c99.layout import Text
from eomc.backends.c99.loads import Loads
from eomc.backends.c99.places import Places
from eomc.ir.cone import cone
from eomc.ir.graph import Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.passes.loops import needed_before
from eomc.passes.steps import (
    Chunk,
    Compute,
    Fill,
    Loop,
    Output,
    Step,
)


class Waiting:
    """Prints what chunks leave for each other: read before the first use, written as soon as it is known.

    Else all of it would be alive at once, at the beginning and at the end, and what is alive waits on the stack.
    Where bytes count before time, so are arguments; else these are read first of all, where they are seen at a glance.
    """

    def __init__(self, chunk: Chunk, loads: Loads, places: Places) -> None:
        self._loads = loads
        self._places = places
        self._waiting = dict(loads.late)
        self._stores = {stored.node: stored.place for stored in chunk.stores}

    def read(self, step: Step, text: Text) -> None:
        """Read what a step is the first to use."""
        if not self._waiting:
            return
        graph, names = self._places.graph, self._loads.names
        if isinstance(step, Loop):
            roots: Iterable[Node] = needed_before(step.repeat)
        elif isinstance(step, Compute):
            own = () if graph.ops[step.node] is Op.RESULT else graph.args[step.node]
            roots = self._loads.angles.get(step.node, own)
        elif isinstance(step, Check):
            roots = (step.condition,)
        else:
            roots = (step.node,) if isinstance(step, (Fill, Output)) else ()
        for node in cone(graph, roots, lambda node: node in names or graph.ops[node] is Op.RESULT):
            line = self._waiting.pop(node, "")
            if line:
                text.state(line)

    def read_arguments(self, text: Text) -> None:
        """Read what is left of the arguments: results may take their places."""
        graph = self._places.graph
        for node in [node for node in self._waiting if graph.ops[node] is Op.SYMBOL]:
            text.state(self._waiting.pop(node))

    def leave(self, step: Step, text: Text) -> None:
        """Write a value that others read."""
        if not self._stores:
            return
        made = (step.node,) if isinstance(step, Compute) else step.leaves if isinstance(step, Loop) else ()
        for node in [one for one in made if one in self._stores]:
            name, places = self._loads.names[node], self._places
            value = f"{name} ? REAL(1.0) : REAL(0.0)" if places.is_boolean(node) else name
            text.state(f"    {places.storage}passed[{self._stores[node]}] = {value};")
