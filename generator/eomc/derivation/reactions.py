"""Reactions: what holds the auxiliary speeds at zero, and loads that hold reactions themselves.

An auxiliary speed u_r moves what is held. F_r + F*_r + R_r = 0 gives the generalized force R_r of what holds it (Kane
& Levinson, *Dynamics* (1985), section 4.9); it brings forces and torques into evidence that contribute to no other
equation.

Where loads hold the unknown reactions N themselves (a normal force N in the friction mu |N|) the motion depends on
them, and everything is solved together. With u' linear in N and |N| the equations of the auxiliary speeds are
E N + D |N| = b. The signs s of N are tried: (E + D diag(s)) N = b is the solution where it has the signs s. The
equations may have several solutions or none, as Painleve found: of several the one with the most positive signs,
signs before others in the order of the reactions, is taken; none is a failure at run time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import inertia_seeds
from eomc.derivation.motion import Motion
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.equations import Quantity
from eomc.ir.graph import Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.vectors import FrameTree
from eomc.model.names import name_of
from eomc.passes.differentiate import Tangents, depends_on, gradient, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError

__all__ = ["Reactions", "with_reactions"]

_SIZES = 5_000_000  # number of the first placeholder of |N|
_MOST = 4  # reactions whose sizes matter: 2^4 patterns of signs

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
    balance = _auxiliary_equations(problem, bodies, motion)
    if not problem.reactions:
        graph = problem.graph
        return motion, Reactions(
            [
                Quantity(f"reaction_{name_of(u)}", graph.neg(rest), "", f"generalized force along {name_of(u)}")
                for u, rest in zip(system.auxiliary_speeds, balance, strict=True)
            ],
            lambda node: node,
        )
    unknown = _Unknown(problem)
    found = unknown.solve(balance)
    rewrite = Substitution(problem.graph, dict(zip(problem.reactions, found, strict=True)))
    settled = replace(
        motion,
        accelerations=[unknown.with_values(node, found) for node in motion.accelerations],
        multipliers=[unknown.with_values(node, found) for node in motion.multipliers],
        forcing=rewrite.all(motion.forcing),
    )
    quantities = [
        Quantity(reaction.name, node, reaction.unit, reaction.description or "reaction that an auxiliary speed needs")
        for reaction, node in zip(system.reactions, found, strict=True)
    ]
    return settled, Reactions(quantities, rewrite)


def _auxiliary_equations(problem: Problem, bodies: BodySystem, motion: ConstrainedMotion) -> list[Node]:
    """Return F_r + F*_r of the auxiliary speeds, the constraints' part -J^T lambda included.

    Velocities with the auxiliary speeds in them say along what the forces are counted; the forces are those of the
    motion, in which the auxiliary speeds are zero.
    """
    graph, system = problem.graph, bodies.system
    view, auxiliary = problem.auxiliary_view()
    frames = FrameTree(graph, view, system.inertial_frame)
    moved = Motion(graph, frames, problem.rate, bodies.sample)
    moved.connect([*(body.center for body in bodies.bodies), *(p for p, _ in system.loads if not hasattr(p, "dcm"))])
    choice = bodies.frame_choices()[0]
    velocities: list[Node] = []  # in the order of the bodies' seeds
    for body, frame in zip(bodies.bodies, choice, strict=True):
        velocities += frames.express(moved.velocity(body.center), frame)
        if body.inertia is not None:
            velocities += moved.angular_velocity_in(body.frame, body.basis)
    growth = Tangents(graph, dict(zip(problem.motion, motion.accelerations, strict=True)))
    seeds = [(v, force) for v, (_, force) in zip(velocities, inertia_seeds(bodies, choice), strict=True)]
    seeds += [(v, graph.neg(growth(p))) for v, (_, p) in zip(velocities, bodies.momentum_seeds(), strict=True)]
    for place, vector in system.loads:
        for frame, piece in bodies.frames.lower(vector).items():
            turning = hasattr(place, "dcm")
            moving = (
                moved.angular_velocity_in(place, frame) if turning else frames.express(moved.velocity(place), frame)
            )
            seeds += zip(moving, piece, strict=True)
    seeds.append((view(system.dissipation_function), graph.constant(-1)))
    held = [view(constraint) for constraint in system.velocity_constraints]  # the first rows; others are rates of q
    seeds += [(g, graph.neg(m)) for g, m in zip(held, motion.multipliers, strict=False)]
    at_rest = Substitution(graph, dict.fromkeys(auxiliary, graph.zero))
    return at_rest.all(gradient(graph, seeds, auxiliary))


class _Unknown:
    """The reactions that loads hold, with their sizes."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._graph = graph = problem.graph
        self._reactions = problem.reactions
        self._names = [problem.symbol_of(node).name for node in self._reactions]
        self._sizes = [
            graph.symbol(Symbol(Role.PLACEHOLDER, _SIZES + index, f"|{name}|"))
            for index, name in enumerate(self._names)
        ]
        sizes = {graph.unary(Op.ABS, node): size for node, size in zip(self._reactions, self._sizes, strict=True)}
        self._apart = Substitution(graph, sizes)
        self._without = Substitution(graph, dict.fromkeys([*self._reactions, *self._sizes], graph.zero))

    def _parts(self, nodes: Sequence[Node]) -> tuple[list[Node], Rows, Rows]:
        """Return what is left without reactions, and the factors of N and of |N|."""
        apart = self._apart.all(list(nodes))
        variables = [*self._reactions, *self._sizes]
        slopes = jacobian(self._graph, apart, variables)
        if depends_on(self._graph, [x for row in slopes for x in row], variables):
            raise UnsupportedError(
                f"{self._problem.model.name}: the loads hold {', '.join(self._names)} otherwise than by N and Abs(N) "
                "times what the state determines: reactions are solved from linear equations and their signs"
            )
        count = len(self._reactions)
        return self._without.all(apart), [row[:count] for row in slopes], [row[count:] for row in slopes]

    def with_values(self, node: Node, values: Sequence[Node]) -> Node:
        """Return a node with the reactions at their values, as a sum: what is solved is not solved once more."""
        graph = self._graph
        (total,), (direct,), (sized,) = self._parts([node])
        for slope, value in zip(direct, values, strict=True):
            total = graph.add(total, graph.mul(slope, value))
        for slope, value in zip(sized, values, strict=True):
            if not graph.is_zero(slope):
                total = graph.add(total, graph.mul(slope, graph.unary(Op.ABS, value)))
        return total

    def solve(self, balance: Sequence[Node]) -> list[Node]:
        """Return the reactions at which the balances are zero."""
        graph, problem, names = self._graph, self._problem, self._names
        rest, direct, sized = self._parts(balance)
        right = [[graph.neg(b)] for b in rest]
        rough = [i for i, _ in enumerate(names) if not all(graph.is_zero(row[i]) for row in sized)]
        if len(rough) > _MOST:
            raise UnsupportedError(
                f"{problem.model.name}: the sizes of {len(rough)} reactions ({', '.join(names[i] for i in rough)}) "
                f"matter, and at most {_MOST} can be solved by trying their signs; give those whose sign is known as "
                "positive symbols, without Abs"
            )
        self._refuse_undetermined(direct, sized)
        if not rough:
            return [row[0] for row in solve_general(graph, direct, right, names, problem.checks)]
        found: list[Node] | None = None
        fits = []
        untested = Checks(graph)  # a pattern that has no solution does not fit, and that is all
        for signs in reversed(list(itertools.product((1, -1), repeat=len(rough)))):
            matrix = self._with_signs(direct, sized, dict(zip(rough, signs, strict=True)))
            try:
                values = [row[0] for row in solve_general(graph, matrix, right, names, untested)]
            except StructurallySingularError:  # nor does a pattern that never has one
                continue
            fit = self._conjunction([self._has_sign(values[i], sign) for i, sign in zip(rough, signs, strict=True)])
            found = values if found is None else [graph.select(fit, v, w) for v, w in zip(values, found, strict=True)]
            fits.append(fit)
        assert found is not None
        anywhere = fits[0]
        for fit in fits[1:]:
            anywhere = graph.binary(Op.OR, anywhere, fit)
        label = f"the signs of {', '.join(names[i] for i in rough)}"
        for value in found:
            problem.checks.consistent(value, anywhere, label)
        return found

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

    def _refuse_undetermined(self, direct: Rows, sized: Rows) -> None:
        """Refuse reactions that the equations do not determine, whatever the signs."""
        problem = self._problem
        plus = self._with_signs(direct, sized, dict.fromkeys(range(len(self._names)), 1))
        weakest = problem.undetermined(plus)
        if weakest is not None:
            speeds = ", ".join(name_of(u) for u in problem.model.dynamics.auxiliary_speeds)  # type: ignore[union-attr]
            raise DerivationError(
                f"{problem.model.name}: the reaction {self._names[weakest]} is not determined by the equations of the "
                f"auxiliary speeds {speeds}: its load must act where they move what it holds"
            )
