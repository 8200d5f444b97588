"""A program: named functions over one graph, ready to be scheduled for a target."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from eomc.ir.graph import Graph, Node
from eomc.ir.method import Method
from eomc.ir.runs import USUAL, Run
from eomc.ir.symbols import Symbol

STEP_JACOBIAN = "step_jacobian"
"""The derivative of a step with inputs that are held, behind the name of its scheme in C."""

CORRECTION_DERIVATIVES = ("coordinate_correction_derivatives", "velocity_correction_derivatives")
"""What that takes beside, where a step ends on the constraints: in each round of the projection, and after them."""

TAYLOR_COEFFICIENTS = "taylor_coefficients"
"""The coefficients of the motion's power series in time."""

STEP_LANES = "step_lanes"
"""The step of several states side by side, likewise."""
EVALUATE = "evaluate"
"""What functions share at one state, once, and the functions that read it: `<function>_from`."""

UNPHYSICAL_LINK = "unphysical_link"
"""The function of the parameters alone that finds the first link whose inertial parameters no body has."""

RUN = "run"
"""Runs by the scheme of fixed steps: the functions that adaptive schemes always have."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A state, input or parameter as a person sees it."""

    symbol: Symbol
    name: str  # the model's name; targets make it valid for their language
    unit: str = ""
    description: str = ""
    value: float = 0.0  # default: parameter value, initial state, input held
    signal: str = ""  # of an input: the signal that it is or differentiates
    order: int = 0  # of that derivative
    array: str = ""  # of a parameter: the array that it is an element of; elements stand side by side
    index: tuple[int, ...] = ()  # of that element
    shape: tuple[int, ...] = ()  # of the array
    rate_of: str = ""  # of a state that is the time derivative of a coordinate and called so: that coordinate


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes that together are one quantity of the text-books, such as the mass matrix; in order of evaluation."""

    title: str
    entries: tuple[tuple[str, Node], ...]  # (what this node is, node); "" where it has no name of its own


@dataclass(frozen=True, slots=True)
class Check:
    """A condition for evaluating a node (a division by a pivot): tested just before it, failing with a status."""

    node: Node  # what divides by the pivot
    condition: Node  # boolean node that must hold; NaN makes it fail
    label: str  # the speed, coordinate or equation to which the pivot belongs
    index: int  # number that the emitted C reports for it: the same for all nodes that divide by one pivot
    pivot: Node | None = None  # what the condition asks to be more than rounding; None elsewhere, and in a program
    positive: bool = False  # whether the pivot is to be so, or its magnitude


@dataclass(frozen=True, slots=True)
class OutputArray:
    """An array that consecutive outputs of a function fill."""

    name: str
    title: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of its elements."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class EventKind:
    """What is fixed of an event: in which direction of g it happens, and what it does."""

    name: str
    falling: bool
    rising: bool
    ends_at: int  # the number of the hit that ends a run; 0 where none does
    resets: bool  # the state after it is another
    impact: bool  # by the law of impacts, together with others
    timed: bool  # at a time that is known beforehand
    description: str


@dataclass(frozen=True, slots=True)
class Function:
    """One function of the simulator: (t, x, inputs, parameters) -> a flat array of reals, or several.

    One that has `accelerations` takes these, too.
    """

    name: str  # rhs, mass_matrix, forcing, outputs, energy, ...
    title: str  # one sentence for the header
    outputs: tuple[Node, ...]
    output_names: tuple[str, ...]
    shape: tuple[int, ...]
    blocks: tuple[Block, ...] = ()
    details: tuple[str, ...] = ()  # further lines for the header
    output_texts: tuple[tuple[str, str], ...] = ()  # unit and description of each output, where they are known
    arrays: tuple[OutputArray, ...] = ()  # what the outputs fill one after the other; () for one array
    accelerations: tuple[Variable, ...] = ()  # rates of all speeds or velocities, where it takes them
    chosen: tuple[str, ...] = ()  # inputs, speeds and parameters that it is of, where that is a choice
    checks: tuple[Check, ...] = ()  # beside those of the equations; in a program they are among all others
    kinds: tuple[EventKind, ...] = ()  # what is fixed of the events whose functions g these are
    row_names: tuple[str, ...] = ()  # of the rows of a matrix, where they have names

    def over(self, new: Mapping[Node, Node]) -> Function:
        """Return the function with each node replaced by a new one; blocks lose what has none."""
        blocks = tuple(
            Block(block.title, tuple([(name, new[node]) for name, node in block.entries if node in new]))
            for block in self.blocks
        )
        return replace(self, outputs=tuple(map(new.__getitem__, self.outputs)), blocks=blocks)


@dataclass(frozen=True, slots=True)
class Siblings:
    """Branches of a tree whose joints correspond to each other: what is alike in all may be evaluated side by side."""

    names: tuple[str, ...]  # of the joints that the branches begin with
    leaves: tuple[tuple[Node, ...], ...]  # what corresponds, one in each branch

    def over(self, new: Mapping[Node, Node]) -> Siblings:
        """Return the same with each node replaced by a new one, where there is one."""
        return replace(self, leaves=tuple(tuple([new.get(node, node) for node in leaves]) for leaves in self.leaves))


@dataclass(frozen=True, slots=True)
class LinkInertia:
    """The ten inertial parameters of a link, in terms of parameters: mass, centre, inertia xx, yy, zz, xy, xz, yz."""

    link: str
    moments: bool  # first moments and the inertia about the frame's origin; else centre and inertia about that
    entries: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Everything a target needs to know about a simulator."""

    name: str
    description: str
    method: Method
    graph: Graph
    time: Symbol
    states: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    parameters: tuple[Variable, ...]
    functions: tuple[Function, ...]  # rhs first
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()  # lines for the header: equations, invariants, warnings
    coordinates: int = 0  # states that are coordinates, the first
    projected: bool = False  # each step ends on the constraints
    further: tuple[str, ...] = ()  # names of functions that are made of others: rhs_lanes, step_jacobian, evaluate
    refused: tuple[tuple[str, str], ...] = ()  # names of functions that there are not, and why
    series: tuple[Function, ...] = ()  # of the motion in time: its order 0, and every order after it; () for none
    expanded: str = ""  # whose equations of motion these are of: Lagrange, Kane
    siblings: tuple[Siblings, ...] = ()  # branches that are alike, groups apart
    in_a_row: int = 0  # joints of the longest row in the tree that the motion is of; 0 without one
    links: tuple[LinkInertia, ...] = ()  # whose inertial parameters are looked at on request
    links_vary: bool = False  # whether some of a tree hold parameters in mass, centre or inertia
    run: Run = USUAL  # where a run is asked for and nothing else is said

    @property
    def accelerations(self) -> tuple[Variable, ...]:
        """Those that functions take beside the state; all take the same."""
        return next((function.accelerations for function in self.functions if function.accelerations), ())

    @property
    def events(self) -> tuple[EventKind, ...]:
        """What may interrupt the motion."""
        return next((function.kinds for function in self.functions if function.kinds), ())

    @property
    def evaluated(self) -> tuple[Function, ...]:
        """All that is evaluated: the functions, then those that a target calls for power series."""
        return (*self.functions, *self.series)

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of functions that are wanted for several states side by side, too."""
        wanted = {name.removesuffix("_lanes") for name in self.further if name.endswith("_lanes")}
        return tuple(one.name for one in self.functions if one.name in wanted)

    @property
    def stages(self) -> tuple[str, ...]:
        """Names of the functions that a step of several states side by side calls, where it is wanted."""
        called = ("rhs", "rates") if STEP_LANES in self.further else ()
        return tuple(one.name for one in self.functions if one.name in called)

    @property
    def roots(self) -> list[Node]:
        """What is evaluated: results, then what is checked, then by which conditions."""
        outputs = [node for function in self.evaluated for node in function.outputs]
        inertia = [node for link in self.links for node in link.entries]
        return outputs + [check.node for check in self.checks] + [check.condition for check in self.checks] + inertia

    def over(self, new: Mapping[Node, Node]) -> Program:
        """Return the program with each node replaced by a new one; blocks lose what has none, for nothing needs it."""
        functions = tuple(function.over(new) for function in self.evaluated)
        checks = tuple(Check(new[one.node], new[one.condition], one.label, one.index) for one in self.checks)
        count = len(self.functions)
        siblings = tuple(one.over(new) for one in self.siblings)
        links = tuple(replace(link, entries=tuple(map(new.__getitem__, link.entries))) for link in self.links)
        made = replace(self, functions=functions[:count], series=functions[count:], checks=checks)
        return replace(made, siblings=siblings, links=links)

    @property
    def kinds(self) -> tuple[int, ...]:
        """A number for each state, the same for the same unit: 0 for angles and plain numbers."""
        numbers = dict.fromkeys(("", "1", "rad"), 0)
        return tuple(numbers.setdefault(state.unit, 1 + max(numbers.values())) for state in self.states)
