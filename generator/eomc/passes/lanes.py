"""Lay out a function for several independent copies side by side: as few loops over lanes as vectors allow.

Compilers turn a loop into vectors where it holds nothing but arithmetic: one call of libm or one choice in it, and all
of it stays scalar. A function that the target computes without a branch counts as arithmetic. So arithmetic stands in
loops of its own, everything else in others between them, and what a later loop reads waits in an array with an element
for each lane. Arithmetic comes as late as it can, which gathers it.

A processor looks some two hundred operations ahead: two vectors of a long loop do not overlap there, those of short
ones do. So functions that are long themselves stand first, those of one argument in a loop, then the arithmetic.

Checks come after all arithmetic, so that one loop makes them; what is handed out comes after the checks. In between,
values are computed that are of no use where a check fails. Where what is handed out may be so, too, nothing waits for
checks, and comparisons are arithmetic as far as the target makes masks of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from eomc.ir.graph import Graph, Node
from eomc.ir.operations import OperationCounts
from eomc.ir.ops import Kind, Op
from eomc.ir.program import Check, Function
from eomc.passes.chunk import RESULTS, Uses
from eomc.passes.steps import Compute, Heading, LaneLoop, LaneRoutine, Output, Step

_ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS})
"""What gcc and clang turn into vectors at -O2 and without AVX, measured; another op is right unnamed, too."""

_LARGEST_PRODUCT = 16  # larger powers are calls
_SHORT = frozenset({Op.SQRT, Op.FLOOR})  # functions that take no longer than other arithmetic
_FEW = 8  # operations that are not worth a loop of their own where another one follows


class Arithmetic(NamedTuple):
    """What becomes a vector in a graph."""

    graph: Graph
    vectors: Mapping[Op, bool]  # functions that do, and whether only in a range
    tentative: bool = False  # results are of no use where a check fails, and may be written before it

    def asks(self, check: Check) -> bool:
        """Whether a check is arithmetic, too: a comparison that makes a mask, which is looked at after the loop."""
        return self.masks and self.graph.ops[check.condition] is Op.LT

    @property
    def masks(self) -> bool:
        """Whether the target makes masks of comparisons: it does where it has functions without branches."""
        return self.tentative and bool(self.vectors)

    def holds(self, node: Node) -> bool:
        """Whether a node does."""
        op = self.graph.ops[node]
        if op is Op.POWI:
            exponent = self.graph.data[node]
            return isinstance(exponent, int) and abs(exponent) <= _LARGEST_PRODUCT
        return op in _ARITHMETIC or op in self.vectors or (self.masks and self._is_larger_or_smaller(node))

    def _is_larger_or_smaller(self, node: Node) -> bool:
        """Whether it is one of the two numbers that it compares, or compares: a larger one is a vector, too.

        Not so, measured, where it waits in an array for a later loop.
        """
        graph = self.graph
        if graph.ops[node] is not Op.SELECT:
            return graph.ops[node] is Op.LT
        condition, *arms = graph.args[node]
        return graph.ops[condition] is Op.LT and set(arms) == set(graph.args[condition])

    def is_function(self, node: Node) -> bool:
        """Whether it is a function that becomes a vector."""
        return self.graph.ops[node] in self.vectors

    def is_long(self, node: Node) -> bool:
        """Whether it takes as long as many operations."""
        return self.is_function(node) and self.graph.ops[node] not in _SHORT

    def has_ranges(self, nodes: Iterable[Node]) -> bool:
        """Whether an argument may be out of range."""
        ops = self.graph.ops
        return any(self.vectors.get(ops[node], False) for node in nodes)


def values_to_name(
    arithmetic: Arithmetic, evaluated: Sequence[Node], results: Sequence[Node], checks: Sequence[Check], leaves: bool
) -> set[Node]:
    """Return the nodes that need names so that arithmetic holds nothing else, and checks no arithmetic.

    Parameters
    ----------
    evaluated
        Nodes that the function computes.
    results, checks
        What it hands out, and what it asks before.
    leaves
        Whether it may leave the lanes to another function before it hands out.
    """
    graph = arithmetic.graph
    others = {node for node in evaluated if not arithmetic.holds(node)}
    named = others.intersection(results).union(filter(arithmetic.is_function, evaluated))
    for node in evaluated:
        if node not in others:
            named.update(others.intersection(graph.args[node]))
    if leaves:
        late = [check for check in checks if not arithmetic.asks(check)]
        waiting = {arg for check in late for arg in graph.args[check.condition]}
        waiting.update(() if arithmetic.tentative else results)
        named.update(node for node in waiting.intersection(evaluated) if graph.kind(node) is Kind.REAL)
    return named


def lay_out(
    arithmetic: Arithmetic,
    function: Function,
    steps: Sequence[Step],
    uses: Sequence[Uses],
    counts: OperationCounts,
    leaves: bool,
) -> LaneRoutine:
    """Return the loops of a function over lanes.

    Parameters
    ----------
    steps
        All steps of the function, outputs last, with the names that `values_to_name` asks for.
    uses
        What each step reads, in the same order.
    counts
        Operations of one copy.
    leaves
        Whether it may leave the lanes to another function before it hands out.
    """
    numbers = _number(arithmetic, steps, uses, leaves)
    groups = [
        loop for group in _group(arithmetic, steps, uses, numbers) for loop in _cut(arithmetic, steps, uses, group)
    ]
    home: dict[Node, int] = {}
    kept: set[Node] = set()
    for number, group in enumerate(groups):
        for k in group.members:
            kept.update(node for node in uses[k].named if home[node] != number)
            step = steps[k]
            if isinstance(step, Compute):
                home[step.node] = number
    loops = tuple(
        LaneLoop(
            _headed(steps, group),
            tuple(sorted({leaf for k in group.members for leaf in uses[k].leaves})),
            group.arithmetic,
            group.functions,
        )
        for group in groups
    )
    temporaries = tuple(step.node for step in steps if isinstance(step, Compute))
    return LaneRoutine(
        function, loops, temporaries, tuple(node for node in temporaries if node in kept), counts, leaves
    )


@dataclass(slots=True)
class _Group:
    """The steps of one loop, by their indices."""

    arithmetic: bool
    members: list[int]
    functions: bool = False  # with what their arguments take, and nothing else


def _number(arithmetic: Arithmetic, steps: Sequence[Step], uses: Sequence[Uses], leaves: bool) -> list[int]:
    """Return the loop of every step: even numbers are of arithmetic, odd ones of everything else."""
    computed: dict[Node, int] = {}  # node -> number, as early as can be
    for step, use in zip(steps, uses, strict=True):
        if isinstance(step, Compute):
            odd = not arithmetic.holds(step.node)
            computed[step.node] = max((_next(computed[node], odd) for node in use.named), default=int(odd))
    last = max((_next(number, False) for number in computed.values()), default=0)
    outputs = last + 2 if leaves and not arithmetic.tentative else last
    numbers = [0] * len(steps)
    latest: dict[Node, int] = {}
    for k in range(len(steps) - 1, -1, -1):
        step = steps[k]
        if isinstance(step, Output):
            numbers[k] = outputs
        elif isinstance(step, Check):
            numbers[k] = last if arithmetic.asks(step) else last + 1
        elif isinstance(step, Compute):
            number = computed[step.node]
            numbers[k] = latest.get(step.node, last) if number % 2 == 0 else number
        for node in uses[k].named:
            before = min(numbers[k] - numbers[k] % 2, last)
            latest[node] = min(latest.get(node, last), before)
    return numbers


def _next(number: int, odd: bool) -> int:
    """Return the first even or odd number that is not before another."""
    return number + (number % 2 != odd)


def _group(arithmetic: Arithmetic, steps: Sequence[Step], uses: Sequence[Uses], numbers: Sequence[int]) -> list[_Group]:
    """Return the loops, in order; a little arithmetic goes with what follows it."""
    members: dict[int, list[int]] = {}
    for k, step in enumerate(steps):
        if not isinstance(step, Heading):
            members.setdefault(numbers[k], []).append(k)
    groups: list[_Group] = []
    for number in sorted(members):
        own = members[number]
        computed = [step.node for step in map(steps.__getitem__, own) if isinstance(step, Compute)]
        little = sum(uses[k].weight for k in own) <= _FEW and not any(map(arithmetic.is_function, computed))
        vector = number % 2 == 0 and not (little and number < max(members))
        if groups and not vector and not groups[-1].arithmetic:
            groups[-1].members = sorted(groups[-1].members + own)
        else:
            groups.append(_Group(vector, own))
    return groups


def _cut(arithmetic: Arithmetic, steps: Sequence[Step], uses: Sequence[Uses], group: _Group) -> Iterator[_Group]:
    """Yield the loops of a group: one for the long functions of each argument, one for all else unless it is little."""
    if not group.arithmetic:
        yield group
        return
    place = {step.node: k for k in group.members if isinstance(step := steps[k], Compute)}
    loops: dict[tuple[Node, ...], list[int]] = {}
    placed: set[int] = set()
    for node in filter(arithmetic.is_long, place):
        loop = loops.setdefault(arithmetic.graph.args[node], [])
        waiting = [place[node]]
        while waiting:  # what the argument takes
            k = waiting.pop()
            if k not in placed:
                placed.add(k)
                loop.append(k)
                waiting += [place[arg] for arg in uses[k].named if arg in place]
    rest = [k for k in group.members if k not in placed]
    *first, last = [*filter(None, loops.values()), rest]
    if first and sum(uses[k].weight - RESULTS * isinstance(steps[k], Output) for k in last) <= _FEW:
        last += first.pop()
    yield from (_Group(True, sorted(loop), True) for loop in first)
    if last:
        yield _Group(True, sorted(last))


def _headed(steps: Sequence[Step], group: _Group) -> tuple[Step, ...]:
    """Return the steps of a loop; those of arithmetic below the headings that they had."""
    if group.functions or not group.arithmetic:
        return tuple(steps[k] for k in group.members)
    result: list[Step] = []
    above = -1  # the heading that was written last
    for k in group.members:
        heading = next((j for j in range(k, -1, -1) if isinstance(steps[j], Heading)), -1)
        if heading != above and not isinstance(steps[k], Output):
            result.append(steps[heading])
            above = heading
        result.append(steps[k])
    return tuple(result)
