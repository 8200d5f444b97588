"""Reactions: what holds the auxiliary speeds at zero, and loads that hold reactions themselves.

An auxiliary speed u_r moves what is held. F_r + F*_r + R_r = 0 gives the generalized force R_r of what holds it (Kane
& Levinson, *Dynamics* (1985), section 4.9); it brings forces and torques into evidence that contribute to no other
equation.

Where loads hold the reactions themselves, these are solved for by `unknown_reactions`. With the independent u' held and
dependent speeds u_D = A u_I + A_w w + B the forces along the auxiliary speeds are F~_w = F_w + A_w^T F_D.
"""

from __future__ import annotations

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
from eomc.derivation.unknown_reactions import UnknownReactions
from eomc.errors import DerivationError
from eomc.ir.equations import Quantity
from eomc.ir.graph import Node, Rows
from eomc.lowering.scalars import ScalarLowering
from eomc.lowering.vectors import FrameTree
from eomc.model.geometry import ways
from eomc.model.names import name_of
from eomc.model.parts import MechanicalSystem
from eomc.passes.differentiate import Tangents, depends_on, jacobian, vjp
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general


@dataclass(frozen=True, slots=True)
class Reactions:
    """The reactions of a motion by name, and how to write in terms of the state what loads with reactions are in."""

    quantities: list[Quantity]
    rewrite: Callable[[Node], Node]
    act: bool = False  # the motion depends on them


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
    unknown = UnknownReactions(problem)
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
    return settled, Reactions(_known(problem, named), rewrite, act=settled.forcing != motion.forcing)


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
        velocities += moved.velocity_in(body.center, frame)
        if body.inertia is not None:
            velocities += moved.angular_velocity_in(body.frame, body.basis)
    along = Tangents(graph, dict(zip(problem.motion, motion.accelerations, strict=True)))
    seeds = [(v, force) for v, (_, force) in zip(velocities, inertia_seeds(bodies, choice), strict=True)]
    seeds += [(v, graph.neg(along(p))) for v, (_, p) in zip(velocities, bodies.momentum_seeds(), strict=True)]
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
    balance = [moving(force) for force in at_rest.all(vjp(graph, seeds, auxiliary))]
    if not problem.symbols.reactions:
        return balance, []
    acting = depends_on(graph, [force for _, force in loads], problem.symbols.reactions)
    forces = [(v, force) for v, force in loads if force in acting]
    onto = at_rest.all(vjp(graph, forces, [*auxiliary, *problem.motion]))
    if problem.has_u_dots:
        onto = at_no_acceleration(problem).all(onto)
    return balance, _with_dependent(problem, system, rows, motion, [at_rest.all(row) for row in beside], onto)


def _with_dependent(
    problem: Problem,
    system: MechanicalSystem,
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
    named = set(map(name_of, system.dependent_speeds))
    dependent = [i for i, name in enumerate(problem.motion_names) if name in named]
    factors = list(motion.multipliers)
    if dependent:
        transposed = [[row[d] for row in rows.jacobian] for d in dependent]
        sides = [[others[d]] for d in dependent]
        factors = solve_general(graph, transposed, sides, rows.names, Checks(graph)).column
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
    """Refuse constraints where one follows from others for the speeds, but not along the auxiliary speeds.

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
