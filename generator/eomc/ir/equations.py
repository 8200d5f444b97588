"""The result of a derivation: equations of motion over the graph, before it is decided how they are solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from eomc.ir.graph import Graph, Node
from eomc.ir.method import Method
from eomc.ir.program import Block, Check, EventKind, LinkInertia, Siblings, Variable
from eomc.ir.symbols import Symbol

Nodes: TypeAlias = tuple[Node, ...]
Matrix: TypeAlias = tuple[Nodes, ...]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named scalar on the graph."""

    name: str
    node: Node
    unit: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Invariant:
    """A quantity that the motion keeps, and under which condition."""

    name: str
    condition: str


@dataclass(frozen=True, slots=True)
class GibbsFunction:
    """S(q, u, u', t), and the symbols in it that stand for u', in the order of the speeds."""

    node: Node
    accelerations: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ForcesApart:
    """F_r and F*_r, and the symbols in them that stand for u', in the order of the speeds."""

    active: tuple[Node, ...]
    inertia: tuple[Node, ...]
    accelerations: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """M v' + c + g - Q, with v' as arguments of functions: the forces that are missing for a motion to have them.

    Those of constraints are left out; v' is admissible where J v' is what the constraints ask.
    """

    accelerations: tuple[Variable, ...]
    names: tuple[str, ...]  # of the motion variables v
    missing: Nodes
    coriolis: Nodes = ()  # c; () where gravity and inertia are not told apart
    gravity: Nodes = ()  # g
    jacobian: Matrix = ()  # J
    turned: Nodes = ()  # J v' less what the constraints ask
    rows: tuple[str, ...] = ()  # the names of the constraints
    kept: tuple[int, ...] = ()  # rows of J that do not follow from others everywhere
    dependent: tuple[int, ...] = ()  # motion variables that the model names dependent
    follows: tuple[str, ...] = ()  # reactions that the forces depend on
    checks: tuple[Check, ...] = ()  # of all pivots


@dataclass(frozen=True, slots=True)
class Events:
    """What interrupts the motion, over the state before it: events first, then the gaps of impacts.

    An impulse L of a gap makes W L of its rate of all gaps and changes the second half of the state by `jumps` L.
    """

    kinds: tuple[EventKind, ...]
    functions: Nodes  # g, or the gap; t less the time of a timed one
    rates: Nodes  # dg/dt along the motion
    times: Nodes = ()  # of timed events, in their order
    after: Matrix = ()  # the state after each event that is no impact; () where none resets it
    impulses: Matrix = ()  # W, a row for each impact
    jumps: Matrix = ()  # a row for each entry of the second half of the state
    restitution: Nodes = ()
    checks: tuple[Check, ...] = ()  # of all pivots


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """matrix X = right, written out in straight lines: its nodes no longer show what X is the solution of."""

    matrix: tuple[tuple[Node, ...], ...]  # n x n
    right: tuple[tuple[Node, ...], ...]  # n x columns
    solution: tuple[tuple[Node, ...], ...]
    labels: tuple[str, ...]  # of the unknowns
    symmetric: bool  # positive definite, too

    @classmethod
    def of(
        cls,
        matrix: Sequence[Sequence[Node]],
        right: Sequence[Sequence[Node]],
        solution: Sequence[Sequence[Node]],
        labels: Sequence[str],
        symmetric: bool,
    ) -> LinearSystem:
        """Return the record of a system that has been solved."""
        rows = tuple(map(tuple, matrix)), tuple(map(tuple, right)), tuple(map(tuple, solution))
        return cls(*rows, tuple(labels), symmetric)


Combination: TypeAlias = tuple[tuple[Node, Node], ...]
"""A combination of differentials: nodes and their weights, which are held."""


@dataclass(frozen=True, slots=True)
class DerivativeRule:
    """How the derivatives of some nodes follow from those of others, where the derivation knows better than a sweep.

    Beside the arguments the nodes may hold parameters, by which the rule gives no derivatives.

    Attributes
    ----------
    unknowns
        The nodes.
    arguments
        The combinations of differentials that theirs depend on.
    derive
        Rows of the arguments, by index of a variable, to those of the unknowns, on the graph or a copy.
    checks
        Tests of the pivots among them, on the graph.
    """

    unknowns: Nodes
    arguments: tuple[Combination, ...]
    derive: Callable[[Graph, Sequence[Mapping[int, Node]]], list[dict[int, Node]]]
    checks: Callable[[], tuple[Check, ...]]

    @property
    def below(self) -> Nodes:
        """The nodes whose derivatives the rule takes."""
        return tuple(sorted({node for combination in self.arguments for node, _ in combination}))


@dataclass(frozen=True, slots=True)
class MotionMatrices:
    """M and f of M u' = f."""

    mass_matrix: Matrix = ()
    forcing: Nodes = ()
    blocks: tuple[Block, ...] = ()  # with their names, where those of the derivation lack them

    def __call__(self, _: Graph) -> MotionMatrices:
        """Return what has been made already: it is on every copy of its graph."""
        return self


NO_MATRICES = MotionMatrices()


@dataclass(frozen=True, slots=True)
class Recursion:
    """By which recursion over its joints the accelerations of a tree are found.

    Attributes
    ----------
    algorithm
        ``composite`` or ``articulated``.
    why
        A sentence for people: how it was chosen.
    work
        That of the accelerations by each algorithm that was counted, in additions: other operations weigh more.
    """

    algorithm: str
    why: str
    work: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """What a tree of joints is like, beside its motion."""

    siblings: tuple[Siblings, ...] = ()  # branches that are alike
    in_a_row: int = 0  # joints of the longest row; 0 without a tree
    links: tuple[LinkInertia, ...] = ()  # as they are given, those that hold parameters


@dataclass(frozen=True, slots=True)
class Motion:
    """q' = rates, M u' = f, z' = extra rates.

    For Hamilton's method the second half is p' = forcing directly, and the mass matrix, if any, that of p = M q' + b.
    """

    rates: Nodes  # of the coordinates
    matrices: Callable[[Graph], MotionMatrices]  # on the graph or a copy; called where a function needs them
    labels: tuple[str, ...]  # of the rows of the mass matrix
    accelerations: Nodes  # of the second half of the state, in its order
    extra_rates: Nodes = ()
    constraint_matrix: Matrix = ()  # A of u_D = A u_I + B, where dependent speeds are written in the others
    gibbs: GibbsFunction | None = None  # where the equations are made of it
    order: tuple[int, ...] = ()  # of the rates: each is written in those before it; () where none is in another
    loads_in_matrix: bool = False  # M holds -dF/du' of loads linear in u': it need not be symmetric
    events: Events | None = None  # what interrupts it
    rules: tuple[DerivativeRule, ...] = ()  # for derivatives of the accelerations by states, inputs and time
    recursion: Recursion | None = None  # of a tree of joints
    arrangement: str = ""  # why the accelerations are found as they are, where there was a choice
    tree: Tree = Tree()  # of joints, where it is of one

    @property
    def derivative(self) -> Nodes:
        """The time derivative of the whole state."""
        return (*self.rates, *self.accelerations, *self.extra_rates)


@dataclass(frozen=True, slots=True)
class Constraints:
    """What is known of the constraints beside the motion."""

    multipliers: tuple[Quantity, ...] = ()  # lambda of M v' + J^T lambda = f
    impulses: bool = False  # the multipliers are sigma of Hamilton's equations, which grow by lambda
    forces: tuple[Quantity, ...] = ()  # -J^T lambda, one for each motion variable
    reactions: tuple[Quantity, ...] = ()  # what holds the auxiliary speeds at zero
    reactions_act: bool = False  # the motion depends on them, as where friction follows them
    configuration: tuple[Quantity, ...] = ()  # residuals of the configuration constraints: zero where they hold
    velocity: tuple[Quantity, ...] = ()  # of the velocity constraints
    motion_rows: Nodes = ()  # J v + b of all rows that the motion keeps, rates of Phi too, over the state
    coordinate_correction: Nodes = ()  # a Newton step to the configuration constraints, last what is open; or ()
    way_back: str = ""  # how the coordinates are corrected, in words
    velocity_correction: Nodes = ()  # brings the second half of the state onto the constraints; likewise
    projected: bool = False  # each step of an integrator is to end on the constraints

    @property
    def residuals(self) -> tuple[Quantity, ...]:
        """Zero where the constraints hold, those on the configuration first."""
        return (*self.configuration, *self.velocity)


@dataclass(frozen=True, slots=True)
class Energetics:
    """Energies and momenta, what changes them, and which the motion keeps."""

    energies: tuple[Quantity, ...] = ()
    momenta: tuple[Quantity, ...] = ()  # of coordinates that do not enter the Lagrangian
    invariants: tuple[Invariant, ...] = ()
    powers: tuple[Quantity, ...] = ()  # by causes, then their sum, named after the energy whose rate it is
    no_power: str = ""  # why there are none


@dataclass(frozen=True, slots=True)
class Poses:
    """Where bodies, links and points are, and how they are turned.

    Attributes
    ----------
    names
        Of the rows.
    rows
        x, y, z, then the quaternion w, x, y, z, each.
    origin, inertial
        The point that positions are from and the frame that both are in, in words.
    left_out
        What has no row: name and reason.
    """

    names: tuple[str, ...]
    rows: Matrix
    origin: str
    inertial: str
    left_out: tuple[tuple[str, str], ...] = ()


def no_poses() -> None:
    """Return the poses of what has no place."""


def no_balance() -> None:
    """Return the balance of what has no motion variables."""


@dataclass(frozen=True, slots=True)
class OnRequest:
    """What is made only where a function needs it, by a call."""

    balance: Callable[[], Balance | None] = no_balance
    poses: Callable[[], Poses | None] = no_poses


@dataclass(frozen=True, slots=True)
class EquationsOfMotion:
    """The equations of motion, with what else the user asked for."""

    graph: Graph
    method: Method
    summary: str  # one line: the form of the equations
    time: Symbol
    states: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    parameters: tuple[Variable, ...]
    motion: Motion
    constraints: Constraints
    energetics: Energetics
    outputs: tuple[Quantity, ...]
    blocks: tuple[Block, ...]
    checks: tuple[Check, ...]
    systems: tuple[LinearSystem, ...]  # that were written out on the way, needed or not
    on_request: OnRequest = OnRequest()

    def balanced(self, balance: Callable[[], Balance | None]) -> EquationsOfMotion:
        """Return the equations with what makes their balance, once, where a function needs it."""
        return replace(self, on_request=replace(self.on_request, balance=cache(balance)))

    @property
    def matrices(self) -> MotionMatrices:
        """M and f of M u' = f."""
        return self.motion.matrices(self.graph)

    @property
    def rules(self) -> tuple[DerivativeRule, ...]:
        """How derivatives of the accelerations follow from others."""
        return self.motion.rules

    def checks_of_rules(self) -> tuple[Check, ...]:
        """Return what derivatives by the rules ask for beside the tests of the motion."""
        return tuple(check for rule in self.rules for check in rule.checks())
