"""The records that make a schedule; target-neutral, no expression is spelled here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from eomc.ir.graph import Node
from eomc.ir.operations import OperationCounts
from eomc.ir.program import Check, Function, Program
from eomc.passes.repeats import Body, Repeat
from eomc.passes.written_out import FixedOrder


@dataclass(frozen=True, slots=True)
class Heading:
    """What the steps below it compute."""

    title: str


class Compute(NamedTuple):
    """Give a node's value a name of its own."""

    node: Node
    label: str  # what it is in the text-books, "" where it has no name


@dataclass(frozen=True, slots=True)
class Clear:
    """Put zeros into the places of some arguments of a linear system, before others are filled."""

    system: int  # index into Routine.systems
    first: int  # index among the arguments of the SOLVE node
    count: int


class Fill(NamedTuple):
    """Put one argument of a linear system into its place."""

    system: int  # index into Routine.systems
    argument: int  # index among the arguments of the SOLVE node
    node: Node


class Gather(NamedTuple):
    """Put several arguments of a linear system into their places: what a function can do that other systems call, too.

    All of them are numbers, constants, or values that parts have left, perhaps with another sign.
    """

    system: int  # index into Routine.systems
    arguments: tuple[int, ...]  # indices among the arguments of the SOLVE node


@dataclass(frozen=True, slots=True)
class Solve:
    """Call the kernel; fail where a pivot vanishes."""

    system: int  # index into Routine.systems


@dataclass(frozen=True, slots=True)
class Multipliers:
    """Find the multipliers of a system that was solved in a fixed order, unless they are there."""

    system: int  # index into Routine.systems


@dataclass(frozen=True, slots=True)
class ClearOutputs:
    """Put zeros into an array of results, before those that are not zero are handed out."""

    first: int  # index of its first output
    count: int


@dataclass(frozen=True, slots=True)
class Output:
    """Hand out one result."""

    index: int
    node: Node
    label: str


class Test(NamedTuple):
    """The check of an instance, and where it stands among the statements that have names."""

    after: int  # so many of them
    condition: int  # statement
    checks: tuple[Check, ...]  # of the instances; their numbers grow evenly


@dataclass(frozen=True, slots=True)
class Loop:
    """Evaluate the nodes of a repeat, instance by instance or several at a time."""

    repeat: Repeat
    body: Body = field(repr=False, compare=False)  # follows from the repeat
    named: tuple[int, ...]  # statements that have names, in the order in which an instance evaluates them
    kept: tuple[int, ...]  # those of them that others read, each an array with an element for every instance
    tests: tuple[Test, ...] = ()  # instance by instance
    left: tuple[int, ...] = ()  # of what instances carry on, statements of which others read the last value alone

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The last values that others read."""
        return tuple(self.repeat.statements[k].nodes[-1] for k in self.left)


class Shares(NamedTuple):
    """Results at even distances."""

    first: int  # index of the first output
    step: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Outputs:
    """Hand out results in a loop: that of each index among several shares in turn."""

    shares: tuple[Shares, ...]

    @property
    def count(self) -> int:
        """How often the loop goes round."""
        return len(self.shares[0].nodes)


Step: TypeAlias = (
    Heading | Compute | Loop | Check | Clear | Fill | Gather | Solve | Multipliers | ClearOutputs | Output | Outputs
)
"""A check stands for its test: fail unless its condition holds."""


@dataclass(frozen=True, slots=True)
class SystemPlace:
    """Where a SOLVE node keeps its numbers, and which row label its failures start from."""

    node: Node
    matrix: int  # first element in the storage of matrices
    right: int  # first element in the storage of right sides
    first_check: int  # number reported when row 0 fails
    fixed: FixedOrder | None = None  # the way that is tried before the kernel
    multipliers: FixedOrder | None = None  # the way to the multipliers, after that, where they are wanted


class Passed(NamedTuple):
    """A value that one chunk leaves for a later one."""

    node: Node
    place: int


class Elements(NamedTuple):
    """What a statement of a loop leaves: the values of all instances side by side."""

    nodes: tuple[Node, ...]
    place: int  # of the first, where other chunks read them; -1 where the chunk of the loop has them for itself


@dataclass(frozen=True, slots=True)
class Chunk:
    """Straight-line steps that a target emits as one function."""

    steps: tuple[Step, ...]
    loads: tuple[Passed, ...]  # read before the first step
    stores: tuple[Passed, ...]  # written after the last step
    leaves: tuple[Node, ...]  # symbols and constant places that are read, in order of birth
    solutions: bool  # solutions of linear systems are read
    fallible: bool
    kinds: Mapping[type[Step], int]  # how many steps there are of each kind
    elements: bool = False  # values of a loop in another chunk are read, or left for one


@dataclass(frozen=True, slots=True)
class Routine:
    """One function, scheduled, or a part that several of them call before what they do alone."""

    function: Function  # of a part: without results
    chunks: tuple[Chunk, ...]
    temporaries: tuple[Node, ...]  # named nodes, in order: number k is z_k
    systems: tuple[SystemPlace, ...]
    passed: int  # places that the chunks need
    matrix: int  # elements of storage for matrices
    right: int  # elements of storage for right sides
    counts: OperationCounts
    before: tuple[Routine, ...] = ()  # parts that are called first; their names, systems and counts are among its own
    kept: tuple[Passed, ...] = ()  # of a part: what it and those before it leave for others
    finished: frozenset[int] = frozenset()  # systems whose multipliers were found by steps of their own
    elements: tuple[Elements, ...] = ()  # what loops leave, those of the parts that are called first among them

    @property
    def all_chunks(self) -> tuple[Chunk, ...]:
        """Those of the parts that are called first, and its own."""
        return (*(chunk for part in self.before for chunk in part.chunks), *self.chunks)

    @property
    def is_in_a_row(self) -> bool:
        """Whether a loop goes along joints in a row."""
        return any(repeat.in_a_row for repeat in self.repeats)

    @property
    def repeats(self) -> list[Repeat]:
        """What is evaluated in loops, those of the parts that are called first among it."""
        looped = [chunk for chunk in self.all_chunks if Loop in chunk.kinds]
        return [step.repeat for chunk in looped for step in chunk.steps if isinstance(step, Loop)]

    @property
    def fallible(self) -> bool:
        """Whether any chunk can fail."""
        return any(chunk.fallible for chunk in self.all_chunks)


@dataclass(frozen=True, slots=True)
class LaneLoop:
    """A loop around straight-line steps: the same for independent copies, whose operands stand in arrays by lanes."""

    steps: tuple[Step, ...]
    leaves: tuple[Node, ...]  # symbols and constant places that are read, in order of birth
    arithmetic: bool  # nothing else, so that every compiler makes vectors of it
    functions: bool = False  # long ones, and what their arguments take


@dataclass(frozen=True, slots=True)
class LaneRoutine:
    """One function for several independent copies side by side, such as states; constants are common to all.

    Checks stand in a loop of their own, after what they ask and before anything is handed out: where one fails in any
    lane, each lane is left to the routine of the function itself. So it is where an argument is out of the range in
    which a function is computed several lanes at a time. What a step calls may hand out before, and has checks among
    its arithmetic where these are comparisons.
    """

    function: Function  # of one copy
    loops: tuple[LaneLoop, ...]  # one after the other; () where each lane goes through the function itself
    temporaries: tuple[Node, ...]  # named nodes, in order: number k is z_k
    kept: tuple[Node, ...]  # those that later loops read: arrays with an element for each lane
    counts: OperationCounts  # of one copy
    leaves: bool = False  # a check may fail, or an argument be out of range


class ConstantPlace(NamedTuple):
    """A node that ``_prepare`` leaves for the functions; `label` says what it is, in the model's names."""

    node: Node
    label: str


class ConstantTable(NamedTuple):
    """Nodes that ``_prepare`` leaves side by side, for loops along joints in a row to read by their index."""

    nodes: tuple[Node, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """A program in the order in which a target evaluates it."""

    program: Program
    constants: tuple[ConstantPlace, ...]
    prepare: Routine  # its outputs are the constants, in order, and those of the tables
    routines: tuple[Routine, ...]  # one per function of the program
    check_labels: tuple[str, ...]  # what each reported number means
    parts: tuple[Routine, ...] = ()  # what several functions evaluate, each after those before it
    evaluation: Routine | None = None  # the state derivative, after the parts that are evaluated once for a state
    lanes: tuple[LaneRoutine, ...] = ()  # one per function that the program wants for several copies at once
    series: tuple[Routine, ...] = ()  # as the program has them
    stages: tuple[LaneRoutine, ...] = ()  # those that a step of several copies calls
    small: bool = False  # bytes count before time
    tables: tuple[ConstantTable, ...] = ()

    @property
    def all_routines(self) -> tuple[Routine, ...]:
        """That of the constants, the parts, the functions, those of power series, one evaluation for all."""
        once = (self.evaluation,) if self.evaluation else ()
        return (self.prepare, *self.parts, *self.routines, *self.series, *once)
