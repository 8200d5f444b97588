"""What is scheduled, and for what: a function or a part with what is known before it, and the program that it is of."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from eomc.ir.graph import Graph, Node
from eomc.ir.program import Block, Check, Function, Program
from eomc.ir.systems import SystemSpec
from eomc.passes.count import CountSystem
from eomc.passes.fixed_order import Orders
from eomc.passes.repeats import Repeat
from eomc.passes.steps import Routine


class CheckTable:
    """Numbers that failures report, and what they mean."""

    def __init__(self, program: Program) -> None:
        size = max((check.index for check in program.checks), default=-1) + 1
        self.labels = [""] * size
        for check in program.checks:
            self.labels[check.index] = check.label
        self._systems: dict[tuple[str, ...], int] = {}

    def first_row(self, spec: SystemSpec) -> int:
        """Return the number that stands for row 0 of a system."""
        if spec.labels not in self._systems:
            self._systems[spec.labels] = len(self.labels)
            self.labels.extend(spec.labels[: spec.n])
            self.labels.extend(f"{label}, which contradicts the others" for label in spec.labels[spec.n :])
        return self._systems[spec.labels]


@dataclass(frozen=True, slots=True)
class Target:
    """What there is to know about who evaluates the schedule."""

    graph: Graph
    count_system: CountSystem
    chunk: int
    orders: Orders  # of the pivots of small systems
    table: CheckTable
    small: bool  # bytes count before time
    common: Mapping[Node, Sequence[range]]  # arguments of SOLVE nodes that others have, too
    repeats: Callable[[Task, Collection[Node]], Sequence[Repeat]] = lambda task, evaluated: ()  # what repeats
    fewest: Callable[[Collection[Node]], int] = len  # as how many statements nodes are written at least
    are_more: Callable[[Collection[Node], int], bool] = lambda nodes, limit: len(nodes) > limit
    fours: bool = False  # sines and cosines of four angles are evaluated at once

    def ranks(self, nodes: Iterable[Node]) -> dict[Node, int]:
        """Return the ranks of values among the arguments that systems have in common; -1 for what is none."""
        found: dict[Node, int] = {}
        for system in sorted(self.common):
            args = self.graph.args[system]
            for node in itertools.chain(*(args[part.start : part.stop] for part in self.common[system])):
                found.setdefault(node, len(found))
        return {node: found.get(node, -1) for node in nodes}


@dataclass(frozen=True, slots=True)
class Task:
    """What a function or a part evaluates."""

    function: Function
    blocks: Sequence[Block]
    live: set[Node]
    stop: frozenset[Node]  # what is read from the constants
    checks: Sequence[Check]
    alone: Sequence[Check] = ()  # to be made although their nodes are evaluated by other functions
    after: Routine | None = None  # the part before it
    given: frozenset[Node] = frozenset()  # what that and those before it evaluate
    kept: frozenset[Node] = frozenset()  # what it leaves for others
    solved: frozenset[Node] = frozenset()  # results of linear systems that it or those after it read
    behind: tuple[Routine, ...] = ()  # parts whose storage it leaves alone, that before it among them
    in_rows: Sequence[range] = ()  # numbers of results among which loops may hand out; (): all
    at_once: bool = False  # results overwrite nothing: each is handed out as soon as it is known, and need not wait

    @property
    def roots(self) -> tuple[Node, ...]:
        """What it is for."""
        return tuple(dict.fromkeys(self.function.outputs)) or tuple(sorted(self.kept))
