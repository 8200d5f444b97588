"""Reactions: what holds the auxiliary speeds at zero, and loads that hold reactions themselves.

An auxiliary speed u_r moves what is held. F_r + F*_r + R_r = 0 gives the generalized force R_r of what holds it (Kane
& Levinson, *Dynamics* (1985), section 4.9); it brings forces and torques into evidence that contribute to no other
equation.

Where loads hold the unknown reactions N themselves (a normal force N in the friction mu |N|) the motion depends on
them, and everything is solved together. With u' linear in N and |N| the equations of the auxiliary speeds are
E N + D |N| = b. The signs s of N are tried: (E + D diag(s)) N = b is the solution where it has the signs s. The
equations may have several solutions or none, as Painleve found: of several the one with the earliest signs, positive
before negative in the order of the reactions, is taken; none is a failure at run time.

Through the inertia E may be regular though a load is forgotten or misdirected, so that it cannot hold what its
auxiliary speed moves. With the independent u' held and dependent speeds u_D = A u_I + A_w w + B the forces along the
auxiliary speeds are F~_w = F_w + A_w^T F_D; only where dF~_w/dN has an inverse, too, are the reactions determined.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import sympy

from eomc.derivation.accelerations import at_no_acceleration, put_accelerations
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, inertia_seeds
from eomc.derivation.motion import Motion
from eomc.derivation.problem import Problem
from eomc.derivation.states import speeds_in_state
from eomc.derivation.symbols import leaves_of
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.equations import Quantity
from eomc.ir.graph import Node
from eomc.ir.ops import Op
from eomc.ir.remedies import SIGNS
from eomc.ir.symbols import Named
from eomc.lowering.scalars import ScalarLowering
from eomc.lowering.vectors import FrameTree
from eomc.model.geometry import ways
from eomc.model.names import name_of
from eomc.model.parts import MechanicalSystem
from eomc.passes.differentiate import Tangents, depends_on, gradient, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError

__all__ = ["Reactions", "with_reactions"]

_MOST = 4  # reactions whose sizes matter: 2^4 patterns of signs
_STRAIGHT = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.DIV, Op.SELECT, Op.SOLVE, Op.RESULT})

Rows = list[list[Node]]


@dataclass(frozen=True, slots=True)
class Reactions:
    """The reactions of a motion by name, and how to write in terms of the state what loads with reactions are in."""

    quantities: list[Quantity]
    rewrite: Callable[[Node], Node]


def with_reactions(
    problem: Problem, bodies: BodySystem, rows: ConstraintRows, motion: ConstrainedMotion
) -> tuple[ConstrainedMotion, Reactions]:
    """Return the motion free of unknown reactions, and the reactions.

    Raises
    ------
    UnsupportedError
        Loads hold reactions otherwise than by themselves and by their sizes.
    DerivationError
        The auxiliary speeds do not determine the reactions.
    """
    system = bodies.system
    if not system.auxiliary_speeds:
        return motion, Reactions([], lambda node: node)
    balance, along = _auxiliary_equations(problem, bodies, rows, motion)
    if not problem.symbols.reactions:
        forces = [
            Quantity(f"reaction_{name_of(u)}", problem.graph.neg(rest), "", f"generalized force along {name_of(u)}")
            for u, rest in zip(system.auxiliary_speeds, balance, strict=True)
        ]
        return motion, Reactions(_known(problem, forces), lambda node: node)
    unknown = _Unknown(problem)
    found = unknown.solve(balance, along)
    rewrite = Substitution(problem.graph, dict(zip(problem.symbols.reactions, found, strict=True)))
    settled = replace(
        motion,
        accelerations=unknown.with_values(motion.accelerations, found),
        multipliers=unknown.with_values(motion.multipliers, found),
        forcing=rewrite.all(motion.forcing),
    )
    named = [
        Quantity(reaction.name, node, reaction.unit, reaction.description or "reaction that an auxiliary speed needs")
        for reaction, node in zip(system.reactions, found, strict=True)
    ]
    return settled, Reactions(_known(problem, named), rewrite)


def _known(problem: Problem, reactions: list[Quantity]) -> list[Quantity]:
    """Return the reactions for which all is given; what the motion itself lacks is refused elsewhere."""
    known = []
    for reaction in reactions:
        missing = problem.outside_rates.needed(problem.graph, [reaction.node])
        if missing:
            warnings.warn(
                f"{problem.model.name}: {reaction.name} is left out: it needs {', '.join(missing)} among the inputs",
                RuntimeWarning,
                stacklevel=2,
            )
        else:
            known.append(reaction)
    return known


def _auxiliary_equations(
    problem: Problem, bodies: BodySystem, rows: ConstraintRows, motion: ConstrainedMotion
) -> tuple[list[Node], list[Node]]:
    """Return F_r + F*_r of the auxiliary speeds, the constraints' part -J^T lambda included, and F~_r of the loads.

    Velocities with the auxiliary speeds in them say along what the forces are counted; the forces are those of the
    motion, in which the auxiliary speeds are zero.
    """
    graph, system = problem.graph, bodies.system
    view, auxiliary = _with_moving(problem, system)
    frames = FrameTree(graph, view, system.inertial_frame)
    moved = Motion(graph, frames, problem.rate, problem.is_zero)
    points = [*(body.center for body in bodies.bodies), *(p for p, _ in system.loads if not hasattr(p, "dcm"))]
    moved.connect(points, ways(points, system.inertial_frame))
    choice = bodies.frame_choices()[0]
    velocities: list[Node] = []  # in the order of the bodies' seeds
    for body, frame in zip(bodies.bodies, choice, strict=True):
        velocities += frames.express(moved.velocity(body.center), frame)
        if body.inertia is not None:
            velocities += moved.angular_velocity_in(body.frame, body.basis)
    growth = Tangents(graph, dict(zip(problem.motion, motion.accelerations, strict=True)))
    seeds = [(v, force) for v, (_, force) in zip(velocities, inertia_seeds(bodies, choice), strict=True)]
    seeds += [(v, graph.neg(growth(p))) for v, (_, p) in zip(velocities, bodies.momentum_seeds(), strict=True)]
    loads = active_seeds(bodies, moved)
    seeds += loads
    seeds.append((view(system.dissipation_function), graph.constant(-1)))
    held = [view(constraint) for constraint in system.velocity_constraints]  # the first rows; others are rates of q
    beside = jacobian(graph, held, auxiliary)
    _refuse_shared(problem, rows, beside)
    _warn_of_torn_loops(problem, rows, beside)
    seeds += [(g, graph.neg(m)) for g, m in zip(held, motion.multipliers, strict=False)]
    at_rest = Substitution(graph, dict.fromkeys(auxiliary, graph.zero))
    moving = put_accelerations(problem, motion.accelerations)
    balance = [moving(force) for force in at_rest.all(gradient(graph, seeds, auxiliary))]
    if not problem.symbols.reactions:
        return balance, []
    acting = depends_on(graph, [force for _, force in loads], problem.symbols.reactions)
    forces = [(v, force) for v, force in loads if force in acting]
    onto = at_rest.all(gradient(graph, forces, [*auxiliary, *problem.motion]))
    if problem.has_growths:
        onto = at_no_acceleration(problem).all(onto)
    return balance, _with_dependent(problem, rows, motion, [at_rest.all(row) for row in beside], onto)


def _with_dependent(
    problem: Problem,
    rows: ConstraintRows,
    motion: ConstrainedMotion,
    beside: Rows,
    onto: Sequence[Node],
) -> list[Node]:
    """Return F~_w = F_w + A_w^T F_D with J_D A_w = -J_w; where no speeds are named dependent, F_w - J_w^T lambda.

    `onto` holds the forces along the auxiliary speeds, then those along the others.
    """
    graph = problem.graph
    count = len(onto) - len(problem.motion)
    along, others = onto[:count], onto[count:]
    if not any(x != graph.zero for row in beside for x in row):
        return list(along)
    system = problem.model.dynamics
    assert isinstance(system, MechanicalSystem)
    named = {name_of(u) for u in system.dependent_speeds}
    dependent = [i for i, u in enumerate(problem.motion) if problem.graph.symbol_of(u).name in named]
    factors = list(motion.multipliers)
    if dependent:
        transposed = [[row[d] for row in rows.jacobian] for d in dependent]
        sides = [[others[d]] for d in dependent]
        factors = [row[0] for row in solve_general(graph, transposed, sides, rows.names, Checks(graph))]
    return [
        graph.sub(force, graph.sum(graph.mul(row[w], m) for row, m in zip(beside, factors, strict=False)))
        for w, force in enumerate(along)
    ]


def _warn_of_torn_loops(problem: Problem, rows: ConstraintRows, beside: Rows) -> None:
    """Say that constraints on the configuration have no part in the reactions where no rate of theirs was given."""
    if not rows.configuration or any(x != problem.graph.zero for row in beside for x in row):
        return
    warnings.warn(
        f"{problem.model.name}: the reactions hold nothing of the configuration constraints, for no auxiliary speed "
        "moves these; where one does, give their rates in velocity_constraints, auxiliary speeds included",
        RuntimeWarning,
        stacklevel=2,
    )


def _refuse_shared(problem: Problem, rows: ConstraintRows, beside: Rows) -> None:
    """Refuse constraints of which one follows from others for the speeds, but not along the auxiliary speeds.

    How they share their force would decide the reactions, and nothing tells how.
    """
    graph, count = problem.graph, len(beside[0]) if beside else 0
    whole = [[*row, *(beside[k] if k < len(beside) else [graph.zero] * count)] for k, row in enumerate(rows.jacobian)]
    index = problem.ranks.redundant(rows.jacobian) if len(rows) > 1 else None
    if index is not None and problem.ranks.redundant(whole) != index:
        raise DerivationError(
            f"{problem.model.name}: {rows.names[index]} follows from the others for the speeds, but not along the "
            "auxiliary speeds: it is not determined how they share the reactions; take one of them out"
        )


def _with_moving(problem: Problem, system: MechanicalSystem) -> tuple[ScalarLowering, list[Node]]:
    """Return a conversion in which the auxiliary speeds move, as leaves, and these."""
    graph, model = problem.graph, problem.model
    derivatives = [sympy.Derivative(q, model.time) for q in model.coordinates]
    known = [*leaves_of(model), *speeds_in_state(model), *derivatives]
    view = ScalarLowering(graph, {symbol: problem.scalars(symbol) for symbol in known})
    moving = [graph.fresh(name_of(u)) for u in system.auxiliary_speeds]
    view.define_all(system.auxiliary_speeds, moving)
    view.define_all((reaction.symbol for reaction in system.reactions), problem.symbols.reactions, unknown=True)
    return view, moving


class _Unknown:
    """The reactions that loads hold, with their sizes."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._graph = graph = problem.graph
        self._reactions = problem.symbols.reactions
        self._names = [problem.graph.symbol_of(node).name for node in self._reactions]
        self._sizes = [graph.fresh(f"|{name}|") for name in self._names]
        self._without = Substitution(graph, dict.fromkeys([*self._reactions, *self._sizes], graph.zero))

    def _parts(self, nodes: Sequence[Node]) -> tuple[list[Node], Rows, Rows]:
        """Return what is left without reactions, and the factors of N and of |N|."""
        graph = self._graph
        apart = self._apart(nodes)
        variables = [*self._reactions, *self._sizes]
        slopes = jacobian(graph, apart, variables)
        if self._is_bent(apart, variables) or depends_on(graph, [x for row in slopes for x in row], variables):
            raise UnsupportedError(
                f"{self._problem.model.name}: what acts holds {', '.join(self._names)} otherwise than as N and Abs(N), "
                "or Max(N, 0) and Min(N, 0), times what the state determines: reactions are solved from linear "
                "equations and their signs"
            )
        count = len(self._reactions)
        return self._without.all(apart), [row[:count] for row in slopes], [row[count:] for row in slopes]

    def _apart(self, nodes: Sequence[Node]) -> list[Node]:
        """Return nodes with |N| as a placeholder: |c N| is |c| |N|, max(c N, 0) is (c N + |c| |N|) / 2, min alike."""
        graph = self._graph
        replaced: dict[Node, Node] = {}
        for node in sorted(depends_on(graph, nodes, self._reactions)):
            op, args = graph.ops[node], graph.args[node]
            held = [a for a in args if a != graph.zero]
            if op not in (Op.ABS, Op.MAX, Op.MIN) or len(held) != 1:
                continue
            size = self._size(held[0])
            if size is None:
                continue
            if op is Op.ABS:
                replaced[node] = size
            else:
                both = graph.add(held[0], size) if op is Op.MAX else graph.sub(held[0], size)
                replaced[node] = graph.div(both, graph.constant(2))
        return Substitution(graph, replaced).all(list(nodes))

    def _size(self, node: Node) -> Node | None:
        """Return |c| |N| of c N, None of anything else."""
        graph = self._graph
        (slopes,) = jacobian(graph, [node], self._reactions)
        acting = [i for i, slope in enumerate(slopes) if not graph.is_zero(slope)]
        if len(acting) != 1 or self._without(node) != graph.zero or depends_on(graph, slopes, self._reactions):
            return None
        return graph.mul(graph.unary(Op.ABS, slopes[acting[0]]), self._sizes[acting[0]])

    def _is_bent(self, nodes: Sequence[Node], variables: Sequence[Node]) -> bool:
        """Whether N goes through anything but sums, products and branches: a step has the slope of a constant."""
        graph = self._graph
        moving = depends_on(graph, nodes, variables)
        for node in moving:
            op, args = graph.ops[node], graph.args[node]
            if args and (op not in _STRAIGHT or (op is Op.SELECT and args[0] in moving)):
                return True
        return False

    def with_values(self, nodes: Sequence[Node], values: Sequence[Node]) -> list[Node]:
        """Return nodes with the reactions at their values, as sums: what is solved is not solved once more for them."""
        graph = self._graph
        found = []
        for total, direct, sized in zip(*self._parts(nodes), strict=True):
            for slope, value in zip(direct, values, strict=True):
                total = graph.add(total, graph.mul(slope, value))
            for slope, value in zip(sized, values, strict=True):
                if not graph.is_zero(slope):
                    total = graph.add(total, graph.mul(slope, graph.unary(Op.ABS, value)))
            found.append(total)
        return found

    def solve(self, balance: Sequence[Node], along: Sequence[Node]) -> list[Node]:
        """Return the reactions at which the balances are zero, and which the loads `along` the speeds can hold."""
        graph, problem, names = self._graph, self._problem, self._names
        rest, direct, sized = self._parts_without_rounding(balance)
        _, acting, acting_sized = self._parts_without_rounding(along)
        right = [[graph.neg(b)] for b in rest]
        both = [*sized, *acting_sized]
        rough = [i for i, _ in enumerate(names) if not all(graph.is_zero(row[i]) for row in both)]
        if len(rough) > _MOST:
            raise UnsupportedError(
                f"{problem.model.name}: the sizes of {len(rough)} reactions ({', '.join(names[i] for i in rough)}) "
                f"matter, and at most {_MOST} can be solved by trying their signs; give those whose sign is known as "
                "positive symbols, without Abs"
            )
        patterns = [dict(zip(rough, signs, strict=True)) for signs in itertools.product((1, -1), repeat=len(rough))]
        self._refuse_undetermined(
            [
                (self._with_signs(acting, acting_sized, signs), self._with_signs(direct, sized, signs))
                for signs in patterns
            ]
        )
        if not rough:
            values = [row[0] for row in solve_general(graph, direct, right, names, problem.checks)]
            for condition in self._regular(acting):
                for value in values:
                    problem.checks.consistent(value, condition, ", ".join(names))
            return values
        found: list[Node] | None = None
        fits = []
        for signs in reversed(patterns):
            matrix = self._with_signs(direct, sized, signs)
            pivots = Checks(graph)  # a pattern that has no solution does not fit, and that is all
            try:
                values = [row[0] for row in solve_general(graph, matrix, right, names, pivots)]
                holding = self._regular(self._with_signs(acting, acting_sized, signs))
            except StructurallySingularError:  # nor does a pattern that never has one
                continue
            signed = [self._has_sign(values[i], sign) for i, sign in signs.items()]
            fit = self._conjunction([*(check.condition for check in pivots.all()), *holding, *signed])
            found = values if found is None else [graph.select(fit, v, w) for v, w in zip(values, found, strict=True)]
            fits.append(fit)
        assert found is not None
        if len(fits) == 1:
            found = [graph.select(fits[0], value, graph.constant(Named.NAN)) for value in found]
        anywhere = fits[0]
        for fit in fits[1:]:
            anywhere = graph.binary(Op.OR, anywhere, fit)
        label = SIGNS + ", ".join(names[i] for i in rough)
        for value in found:
            if graph.ops[value] is Op.SELECT:  # else it is the same whatever the signs, and has one of them
                problem.checks.consistent(value, anywhere, label)
        return found

    def _parts_without_rounding(self, nodes: Sequence[Node]) -> tuple[list[Node], Rows, Rows]:
        """Return the parts of nodes, zeros in the place of factors that are zero as functions."""
        rest, *factors = self._parts(nodes)
        direct, sized = (
            [[self._graph.zero if self._problem.is_zero(x) else x for x in row] for row in rows] for rows in factors
        )
        return rest, direct, sized

    def _regular(self, matrix: Rows) -> list[Node]:
        """Return the conditions under which a matrix has an inverse: those of its solution for any one right side."""
        graph = self._graph
        pivots = Checks(graph)
        solution = solve_general(graph, matrix, [[graph.one] for _ in matrix], self._names, pivots)
        solved = [row[0] for row in solution if graph.ops[row[0]] is Op.RESULT]  # these fail by themselves
        return [
            *(check.condition for check in pivots.all()),
            *(graph.binary(Op.LE, graph.zero, graph.unary(Op.ABS, value)) for value in solved[:1]),
        ]

    def _with_signs(self, direct: Rows, sized: Rows, signs: dict[int, int]) -> Rows:
        """Return E + D diag(s)."""
        graph = self._graph
        matrix = [list(row) for row in direct]
        for row, slopes in zip(matrix, sized, strict=True):
            for i, sign in signs.items():
                row[i] = graph.add(row[i], slopes[i]) if sign > 0 else graph.sub(row[i], slopes[i])
        return matrix

    def _has_sign(self, value: Node, sign: int) -> Node:
        zero = self._graph.zero
        return self._graph.binary(Op.LE, *((zero, value) if sign > 0 else (value, zero)))

    def _conjunction(self, conditions: Sequence[Node]) -> Node:
        whole = conditions[0]
        for condition in conditions[1:]:
            whole = self._graph.binary(Op.AND, whole, condition)
        return whole

    def _refuse_undetermined(self, patterns: Sequence[tuple[Rows, Rows]]) -> None:
        """Refuse reactions that with no pattern of signs both the loads and the equations determine."""
        problem = self._problem
        unknown: int | None = None
        for matrices in patterns:
            weakest = [found for found in map(problem.ranks.undetermined, matrices) if found is not None]
            if not weakest:
                return
            unknown = weakest[0] if unknown is None else unknown
        assert unknown is not None
        dynamics = problem.model.dynamics
        assert isinstance(dynamics, MechanicalSystem)
        speeds = ", ".join(map(name_of, dynamics.auxiliary_speeds))
        raise DerivationError(
            f"{problem.model.name}: the reaction {self._names[unknown]} is not determined by the equations of the "
            f"auxiliary speeds {speeds}: its load must act where they move what it holds"
        )
