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

from eomc.derivation.problem import Problem
from eomc.derivation.rank import combination
from eomc.errors import DerivationError
from eomc.ir.graph import Node
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.passes.differentiate import depends_on, jacobian
from eomc.passes.substitute import Substitution

__all__ = ["ConstraintRows", "constraint_rows"]

_SEEDS = (1, 2, 3)
_SAME = 1e-9

Rows = list[list[Node]]


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
    if not isinstance(dynamics, (MechanicalSystem, Lagrangian)):
        return ConstraintRows([], [], [], [], [], [], [], [])
    graph = problem.graph
    positions = [problem.scalars(f) for f in dynamics.configuration_constraints]
    residuals = [problem.scalars(c) for c in dynamics.velocity_constraints]
    names = [f"velocity constraint {k + 1}" for k in range(len(residuals))]
    keys = [f"velocity_{k}" for k in range(len(residuals))]
    of_row: list[Node | None] = [None] * len(residuals)
    kept: list[Node] = []
    closing: list[tuple[Node, Node]] = []
    if positions:
        rates = [problem.rate(position) for position in positions]
        states = _affine_rows(problem, [*residuals, *rates])
        listed = len(residuals)
        for k, (position, rate) in enumerate(zip(positions, rates, strict=True)):
            own = [rows[listed + k] for rows in states]
            if all(max(map(abs, row)) <= _SAME for row in own):
                kept.append(position)
                continue
            closing.append((position, rate))
            factors = [combination(rows[:listed], row) for rows, row in zip(states, own, strict=True)]
            if None not in factors:
                _attach(problem, position, [row for row in factors if row is not None], of_row)
                continue
            residuals.append(rate)
            names.append(f"configuration constraint {k + 1}")
            keys.append(f"configuration_{k}")
            of_row.append(position)
    slopes = jacobian(graph, residuals, problem.motion)
    _refuse_without_motion(problem, names, slopes)
    return ConstraintRows(names, keys, residuals, slopes, [problem.rate(g) for g in residuals], of_row, kept, closing)


def _attach(problem: Problem, position: Node, factors: Sequence[list[float]], of_row: list[Node | None]) -> None:
    """Let a velocity constraint that is a multiple of Phi' know its Phi."""
    graph = problem.graph
    first = factors[0]
    leading = max(range(len(first)), key=lambda k: abs(first[k]))
    for row in factors:
        for k, factor in enumerate(row):
            if abs(factor - (first[leading] if k == leading else 0.0)) > _SAME * abs(first[leading]):
                return
    multiple = 1.0 / first[leading]
    nearest = round(multiple)
    whole = abs(multiple - nearest) <= _SAME and nearest != 0
    of_row[leading] = graph.mul(graph.constant(nearest if whole else multiple), position)


def _affine_rows(problem: Problem, residuals: Sequence[Node]) -> list[list[list[float]]]:
    """Return [J b] of residuals that are linear in the motion variables, at a few random states."""
    graph, motion = problem.graph, problem.motion
    still = Substitution(graph, dict.fromkeys(motion, graph.zero))
    slopes = jacobian(graph, residuals, motion)
    offsets = [still(g) for g in residuals]
    rows = []
    for seed in _SEEDS:
        sample = problem.generic_sample(seed)
        rows.append(
            [[*(sample[x] for x in row), sample[b]] for row, b in zip(slopes, offsets, strict=True)],
        )
    finite = [state for state in rows if all(math.isfinite(x) for row in state for x in row)]
    return finite or rows


def _refuse_without_motion(problem: Problem, names: Sequence[str], slopes: Rows) -> None:
    graph = problem.graph
    for name, row in zip(names, slopes, strict=True):
        if all(graph.is_zero(entry) for entry in row):
            raise DerivationError(
                f"{problem.model.name}: no generalized speed appears in {name}; is it a configuration constraint?"
            )
        if depends_on(graph, row, problem.motion).intersection(row):
            raise DerivationError(
                f"{problem.model.name}: {name} is not linear in the speeds; only constraints linear in u are supported"
            )
