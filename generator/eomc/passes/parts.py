"""The functions of a program, and the parts that they share: which there are, what each keeps for those after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import EVALUATE, Block, Check, Function, Program
from eomc.passes import sharing
from eomc.passes.hoist import find_live
from eomc.passes.rates import RATES
from eomc.passes.routine import results_of_systems, schedule_routine
from eomc.passes.sharing import SharedPart, share
from eomc.passes.splitting import FORCES
from eomc.passes.steps import Routine
from eomc.passes.tasks import Target, Task

_LONGEST = 3
"""Times as long as what a step calls: what shares with that is no longer."""


def schedule_functions(
    program: Program, needed: Sequence[set[Node]], stop: frozenset[Node], checks: Sequence[Check], target: Target
) -> tuple[tuple[Routine, ...], tuple[Routine, ...], tuple[Routine, ...], Routine | None]:
    """Schedule the parts that functions share, the functions, those of power series, and one evaluation for all.

    Parameters
    ----------
    program
        The program.
    needed
        What each of its functions needs.
    stop
        What is read from the constants.
    checks
        Those that are made at run time.
    target
        Who evaluates it.
    """
    functions, evaluates = list(program.evaluated), EVALUATE in program.further
    if evaluates:  # what it shares with others is evaluated once for all, and it hands out the state derivative
        functions.append(replace(functions[0], name=EVALUATE))
        needed = [*needed, needed[0]]
    evaluated = [live - stop for live in needed]
    shared = _shared(program, functions, evaluated, target)
    splitter = _Splitter(functions, needed, stop, checks, shared, target)
    count, last = len(program.functions), len(program.evaluated)
    parts, routines = splitter.scheduled(last if evaluates else -1)
    return parts, routines[:count], routines[count:last], routines[last] if evaluates else None


def _shared(
    program: Program, functions: Sequence[Function], evaluated: Sequence[set[Node]], target: Target
) -> list[SharedPart]:
    """Return what functions share.

    What a step calls shares where it is cut anyway: calls, and values that wait in memory, would be felt there. Then
    what is several times as long stays apart: its derivatives want nearly every value, and it would write them all.
    What is evaluated once for a state is shared by all others, and by the state derivative under the same condition.
    """
    corrections = [one.name for one in functions if program.projected and one.name.endswith("_correction")]
    called = {"rhs", RATES, FORCES, *corrections, *(one.name for one in program.series)}
    results = [one.outputs for one in functions]
    cut = [k for k, one in enumerate(functions) if one.name in called and target.are_more(evaluated[k], target.chunk)]
    others = [k for k, one in enumerate(functions) if one.name not in called]
    worth, guarded = sharing.SPEED, frozenset[Node]()
    if target.small:
        worth, guarded = sharing.SIZE, _guarded(target.graph, evaluated, {check.node for check in program.checks})
        cut = [k for k, one in enumerate(functions) if one.name in called]
    if EVALUATE in program.further:
        wanted, twin = len(functions) - 1, 0 if 0 in cut else -1
        return share(target.graph, evaluated, results, others, wanted, twin, worth=worth, guarded=guarded)
    longest = _LONGEST * min([target.fewest(evaluated[k]) for k in cut], default=max(map(len, evaluated)))
    joined = sorted(k for k in (*cut, *others) if target.small or not target.are_more(evaluated[k], longest))
    return share(target.graph, evaluated, results, joined, worth=worth, guarded=guarded)


def _guarded(graph: Graph, evaluated: Iterable[Collection[Node]], checked: Collection[Node]) -> frozenset[Node]:
    """Return the values that may fail: what a check or a linear system stands before."""
    guarded = set[Node]()
    for node in sorted(set[Node]().union(*evaluated)):
        if node in checked or graph.ops[node] is Op.SOLVE or not guarded.isdisjoint(graph.args[node]):
            guarded.add(node)
    return frozenset(guarded)


class _Splitter:
    """Schedules functions after the parts that they share."""

    def __init__(
        self,
        functions: Sequence[Function],
        needed: Sequence[set[Node]],
        stop: frozenset[Node],
        checks: Sequence[Check],
        shared: Sequence[SharedPart],
        target: Target,
    ) -> None:
        self._functions = functions
        self._needed = needed
        self._stop = stop
        self._checks = checks
        self._shared = shared
        self._target = target
        self._kept: list[set[Node]] = [set() for _ in shared]  # by each part, for those after it

    def scheduled(self, evaluation: int) -> tuple[tuple[Routine, ...], tuple[Routine, ...]]:
        """Return parts and functions; what is not on the way to `evaluation` leaves the storage of that alone."""
        shared = self._shared
        above = [
            max((k for k, part in enumerate(shared) if index in part.functions), default=-1)
            for index in range(len(self._functions))
        ]
        tasks = [
            replace(
                self._task(function, function.blocks, number, function.outputs)
                if number >= 0
                else Task(function, function.blocks, self._needed[index], self._stop, self._checks),
                solved=self._solved([index]),
            )
            for index, (function, number) in enumerate(zip(self._functions, above, strict=True))
        ]
        waiting = {number: self._part(number) for number in reversed(range(len(shared)))}
        first = sorted(waiting, key=lambda number: (evaluation not in shared[number].functions, number))
        parts: dict[int, Routine] = {}
        kept: tuple[Routine, ...] = ()
        for number in first:
            on_the_way = evaluation in shared[number].functions
            parts[number] = self._after(waiting[number], parts.get(shared[number].above), () if on_the_way else kept)
            kept = (parts[number],) if on_the_way else kept
        routines = [self._after(task, parts.get(number), kept) for task, number in zip(tasks, above, strict=True)]
        return tuple(parts[number] for number in range(len(shared))), tuple(routines)

    def _after(self, task: Task, part: Routine | None, kept: tuple[Routine, ...]) -> Routine:
        behind = (*((part,) if part else ()), *kept)
        return schedule_routine(replace(task, after=part, behind=behind), self._target)

    def _part(self, number: int) -> Task:
        """Return what a part evaluates, once all is known that reads it."""
        part, kept = self._shared[number], frozenset(self._kept[number])
        members = [self._functions[index] for index in sorted(part.functions)]
        blocks = tuple(dict.fromkeys(block for one in members for block in one.blocks))
        task = self._task(_part_function(number, members), blocks, part.above, sorted(kept))
        return replace(task, kept=kept, solved=self._solved(part.functions))

    def _task(self, function: Function, blocks: Sequence[Block], number: int, roots: Iterable[Node]) -> Task:
        """Return what is done after the part of this number, and let the parts keep what that finds."""
        shared = self._shared
        given = shared[number].common if number >= 0 else frozenset[Node]()
        tested = {check.condition for check in self._checks if check.node in given}
        due = [check for check in self._checks if check.node not in given and check.condition not in tested]
        live = find_live(self._target.graph, roots, due, self._stop | given)
        found = live & given
        while number >= 0:
            above = shared[number].above
            own = found - shared[above].common if above >= 0 else found
            self._kept[number] |= own
            found, number = found - own, above
        return Task(function, blocks, live, self._stop, due, given=given)

    def _solved(self, indices: Iterable[int]) -> frozenset[Node]:
        """Return the results of linear systems that functions need."""
        return results_of_systems(self._target.graph, set[Node]().union(*(self._needed[index] for index in indices)))


def _part_function(number: int, members: Sequence[Function]) -> Function:
    """Return what stands for a part: it hands out nothing."""
    names = [function.name for function in members]
    told = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} others"]
    title = f"What {', '.join(told[:-1])} and {told[-1]} share"
    return Function(name=f"shared_{number}", title=title, outputs=(), output_names=(), shape=(0,))
