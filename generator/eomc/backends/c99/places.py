"""Where the numbers of one routine are: names and places that stay the same throughout its chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eomc.backends.c99.scope import Scope
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import OPS, Kind
from eomc.ir.program import Check
from eomc.ir.systems import SystemSpec
from eomc.passes.steps import (
    Chunk,
    Clear,
    Elements,
    Fill,
    Gather,
    Multipliers,
    Routine,
    Schedule,
    Solve,
    Step,
    SystemPlace,
)
from eomc.passes.tables import Tables

_STORED: frozenset[type[Step]] = frozenset({Check, Clear, Fill, Gather, Solve, Multipliers})
_BOOLEAN = frozenset(op for op, row in OPS.items() if row.kind is Kind.BOOLEAN)


@dataclass(frozen=True, slots=True)
class Places:
    """Names and storage of one routine."""

    graph: Graph
    scope: Scope
    real: str  # the scalar type
    prepares: bool  # the routine is that which makes the constants
    temporaries: Mapping[Node, str]
    constants: Mapping[Node, str]  # what is read from the constants; nothing while they are made
    systems: tuple[SystemPlace, ...]
    small: bool  # bytes count before time
    elements: tuple[Elements, ...]  # what loops leave
    tables: Tables  # what they read by index from the constants

    @property
    def owner(self) -> str:
        """The argument that holds the storage."""
        return "c" if self.prepares else "work"

    @property
    def storage(self) -> str:
        """What stands before the fields of the storage."""
        return "c->scratch." if self.prepares else "work->"

    @property
    def failed(self) -> str:
        """Where the number of the check that failed goes."""
        return f"{self.owner}->failed"

    def is_boolean(self, node: Node) -> bool:
        """Whether a node is a truth value."""
        return self.graph.ops[node] in _BOOLEAN

    def type_of(self, node: Node) -> str:
        """Return the C type of a node."""
        return "bool" if self.is_boolean(node) else self.real

    def spec(self, system: int) -> SystemSpec:
        """Return what is known of a linear system."""
        spec = self.graph.data[self.systems[system].node]
        assert isinstance(spec, SystemSpec)
        return spec

    def of_argument(self, system: int, argument: int) -> str:
        """Return the place of an entry of a linear system's matrix or right side."""
        place, entries = self.systems[system], self.spec(system).matrix_entries
        if argument < entries:
            return f"{self.storage}matrix[{place.matrix + argument}]"
        return f"{self.storage}right[{place.right + argument - entries}]"

    def solution(self, result: Node) -> str:
        """Return the place of a RESULT node: a linear system's solution replaces its right side."""
        solved = self.graph.args[result][0]
        right = next(place.right for place in self.systems if place.node == solved)
        return f"{self.storage}right[{right + self.graph.integer(result)}]"

    def uses_storage(self, chunk: Chunk) -> bool:
        """Whether a chunk reads or writes what `owner` holds beside results."""
        waits = chunk.loads or chunk.stores or chunk.elements
        return bool(waits or chunk.solutions or not _STORED.isdisjoint(chunk.kinds))

    def element(self, one: Elements, index: str) -> str:
        """Return an element of what a loop leaves."""
        if one.place < 0:
            return f"{self.temporaries[one.nodes[0]]}[{index}]"
        return f"{self.storage}passed[{index}]"

    def names_of_elements(self) -> dict[Node, str]:
        """Return all that loops leave, each value as it is read outside of loops."""
        return {
            node: self.element(one, f"{max(one.place, 0) + i}")
            for one in self.elements
            for i, node in enumerate(one.nodes)
        }


def make_places(schedule: Schedule, routine: Routine, scope: Scope) -> Places:
    """Return the places of a routine."""
    prepares = routine is schedule.prepare
    return Places(
        graph=schedule.program.graph,
        scope=scope,
        real=f"{scope.prefix}_real",
        prepares=prepares,
        temporaries={node: f"{scope.temporary}{number}" for number, node in enumerate(routine.temporaries)},
        constants={} if prepares else scope.read,
        systems=routine.systems,
        small=schedule.small,
        elements=routine.elements,
        tables=Tables(() if prepares else (one.nodes for one in schedule.tables)),
    )
