"""Constraints as rows J v + b = 0 over the motion variables v, and the motion under them.

A configuration constraint Phi(q, t) = 0 makes the row Phi' = 0, with Phi's second rate taken on the graph. Then
M v' + J^T lambda = f and J v' = -(J' v + b'): the force of the constraints is -J^T lambda. With Baumgarte's
stabilization the right side is -(J' v + b') - 2 alpha (J v + b) - beta^2 Phi.

Source: J. Baumgarte, Stabilization of constraints and integrals of motion in dynamical systems, *Comput. Methods
Appl. Mech. Eng.* 1 (1972); J. Garcia de Jalon and E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*
(1994).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from eomc.derivation.problem import Problem
from eomc.errors import DerivationError
from eomc.ir.graph import Level, Node, Rows
from eomc.ir.rounding import Number, is_rounding
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.model.trees.tree import JointTree
from eomc.passes.differentiate import depends_on, jacobian

_SIMPLE = 1000  # the largest denominator of a ratio that is found by its value


@dataclass(frozen=True, slots=True)
class ConstraintRows:
    """Rows g = J v + b = 0, velocity constraints first, then the rates of configuration constraints."""

    names: list[str]  # "velocity constraint 1"
    keys: list[str]  # of multipliers: "velocity_0", "configuration_1"
    residuals: list[Node]  # g
    jacobian: Rows  # J
    rates: list[Node]  # J' v + b'
    positions: list[Node | None]  # Phi where g = Phi'
    kept: list[Node]  # configuration constraints that the kinematics keep, such as a quaternion's norm
    closing: list[tuple[Node, Node]]  # Phi and Phi' of all other configuration constraints

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.names)

    @property
    def configuration(self) -> list[int]:
        """Rows that are rates of configuration constraints."""
        return [index for index, position in enumerate(self.positions) if position is not None]


def constraint_rows(problem: Problem) -> ConstraintRows:
    """Return the rows of a model's constraints on the graph of `problem`.

    A configuration constraint makes no row of its own where its rate is among the velocity constraints, follows from
    them, or vanishes by the kinematics.

    Raises
    ------
    DerivationError
        A constraint contains no motion variable, is not linear in them, or contradicts the others at any state.
    """
    dynamics = problem.model.dynamics
    if not isinstance(dynamics, (MechanicalSystem, Lagrangian, JointTree)):
        return ConstraintRows([], [], [], [], [], [], [], [])
    positions = [problem.scalars(f) for f in dynamics.configuration_constraints]
    kept: list[Node] = []
    if isinstance(dynamics, JointTree):
        positions, kept = _of_tree(problem, dynamics, positions)
    residuals = [problem.scalars(c) for c in dynamics.velocity_constraints]
    names = [f"velocity constraint {k + 1}" for k in range(len(residuals))]
    keys = [f"velocity_{k}" for k in range(len(residuals))]
    of_row: list[Node | None] = [None] * len(residuals)
    closing: list[tuple[Node, Node]] = []
    if positions:
        rates = [problem.rate(position) for position in positions]
        given = _affine_rows(problem, residuals)
        for k, (position, rate, row) in enumerate(zip(positions, rates, _affine_rows(problem, rates), strict=True)):
            if all(map(problem.is_zero, row)):
                kept.append(position)
                continue
            closing.append((position, rate))
            factors = problem.ranks.factors(given, row) if given else None
            if factors is not None:
                _attach(problem, position, row, given, factors, of_row)
                continue
            residuals.append(rate)
            names.append(f"configuration constraint {k + 1}")
            keys.append(f"configuration_{k}")
            of_row.append(position)
    slopes = jacobian(problem.graph, residuals, problem.motion)
    _refuse_without_motion(problem, names, slopes)
    return ConstraintRows(names, keys, residuals, slopes, [problem.rate(g) for g in residuals], of_row, kept, closing)


def _of_tree(problem: Problem, tree: JointTree, positions: list[Node]) -> tuple[list[Node], list[Node]]:
    """Return what has to be closed, and the norms of quaternions, which q' of their joints keep by its form.

    A closure of a plane loop has rows that hold whatever moves: these are left out.
    """
    norms = sum(bool(joint.quaternion) for joint in tree.joints)
    others = len(positions) - norms
    return [position for position in positions[:others] if not problem.is_zero(position)], positions[others:]


def _attach(
    problem: Problem,
    position: Node,
    row: list[Node],
    given: Rows,
    factors: Sequence[list[Number]],
    of_row: list[Node | None],
) -> None:
    """Let a velocity constraint that is a steady multiple of Phi' know that multiple of Phi.

    `factors` make the row of Phi' of those of the velocity constraints, at some points.
    """
    acting = {k for found in factors for k, factor in enumerate(found) if not is_rounding(factor)}
    if len(acting) != 1:
        return
    (leading,) = acting
    multiple = _steady_ratio(problem, given[leading], row)
    if multiple is not None:
        of_row[leading] = problem.graph.mul(multiple, position)


def _steady_ratio(problem: Problem, row: list[Node], other: list[Node]) -> Node | None:
    """Return c of parameters and numbers with row = c other as functions, None where there is none."""
    graph = problem.graph
    ratios = [graph.div(x, y) for x, y in zip(row, other, strict=True) if not problem.is_zero(y)]
    near = problem.sampling.state(0)[ratios[0]]
    steady = [ratio for ratio in ratios if graph.level[ratio] < Level.VARYING]
    if math.isfinite(near):
        steady.append(graph.constant(Fraction(near).limit_denominator(_SIMPLE)))
    for ratio in steady:
        if all(problem.is_zero(graph.sub(x, graph.mul(ratio, y))) for x, y in zip(row, other, strict=True)):
            return ratio
    return None


def _affine_rows(problem: Problem, residuals: Sequence[Node]) -> Rows:
    """Return [J b] of residuals that are linear in the motion variables."""
    slopes = jacobian(problem.graph, residuals, problem.motion)
    return [[*row, problem.still(g)] for row, g in zip(slopes, residuals, strict=True)]


def _refuse_without_motion(problem: Problem, names: Sequence[str], slopes: Rows) -> None:
    for name, row in zip(names, slopes, strict=True):
        if all(problem.graph.is_zero(entry) for entry in row):
            raise DerivationError(
                f"{problem.model.name}: no generalized speed appears in {name}; is it a configuration constraint?"
            )
        if depends_on(problem.graph, row, problem.motion):
            raise DerivationError(
                f"{problem.model.name}: {name} is not linear in the speeds; only constraints linear in u are supported"
            )
