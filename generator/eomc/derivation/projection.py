"""Back onto the constraints: corrections of coordinates and of velocities that cost the least in the mass metric.

Coordinates move by dq = (dq'/dv) w with [[M, J^T], [J, 0]] [w; mu] = [0; -Phi], a step of Newton's method; velocities
by the same system with the residual J v + b in place of Phi, exactly. A step may start where rows of J depend on each
other and Phi does not: no step tells whether constraints contradict each other, but what stays open does. Constraints
that the kinematics keep, such as the norm of a quaternion, have no share in w: they are met along their own gradients.

Source: J. Garcia de Jalon and E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems* (1994), on mass-weighted
projections.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.problem import Problem
from eomc.ir.graph import Graph, Node, Rows
from eomc.ir.ops import Op
from eomc.ir.systems import Factorization
from eomc.passes.differentiate import Tangents, jacobian
from eomc.passes.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Corrections:
    """What is added to the state; empty where nothing has to be."""

    coordinates: list[Node]
    velocities: list[Node]  # of the motion variables
    # Both end with how open the constraints are, beside the sizes of their terms.


def corrections(problem: Problem, rows: ConstraintRows, matrix: Rows) -> Corrections:
    """Return the corrections under all constraints.

    Parameters
    ----------
    problem, rows
        The model and its constraints.
    matrix
        M of all motion variables, without constraints.
    """
    if not (rows or rows.kept or rows.closing):
        return Corrections([], [])
    graph, motion, names = problem.graph, problem.motion, problem.motion_names
    form = Factorization(problem.options.constraints)
    total = [graph.zero] * len(problem.q)
    if rows.closing:
        slopes = jacobian(graph, [rate for _, rate in rows.closing], motion)
        right = [[graph.zero]] * len(motion) + [[graph.neg(position)] for position, _ in rows.closing]
        labels = [*names, *(f"closing {k + 1}" for k in range(len(rows.closing)))]
        steps, _ = graph.solve_constrained(form, matrix, slopes, right, labels, strict=False)
        along = Tangents(graph, {v: step[0] for v, step in zip(motion, steps, strict=True)})
        total = along.all(problem.rates)
    if rows.kept:
        n = len(problem.q)
        slopes = jacobian(graph, rows.kept, problem.q)
        unit = [[graph.one if i == j else graph.zero for j in range(n)] for i in range(n)]
        right = [[graph.zero]] * n + [[graph.neg(position)] for position in rows.kept]
        labels = [problem.graph.symbol_of(q).name for q in problem.q] + [f"norm {k + 1}" for k in range(len(rows.kept))]
        steps, _ = graph.solve_constrained(form, unit, slopes, right, labels, strict=False)
        total = [graph.add(value, step[0]) for value, step in zip(total, steps, strict=True)]
    velocities: list[Node] = []
    if rows:
        right = [[graph.zero]] * len(motion) + [[graph.neg(residual)] for residual in rows.residuals]
        steps, _ = graph.solve_constrained(form, matrix, rows.jacobian, right, [*names, *rows.names])
        velocities = [*(step[0] for step in steps[: len(motion)]), _openness(graph, rows.residuals)]
    positions = [*(position for position, _ in rows.closing), *rows.kept]
    return Corrections([*total, _openness(graph, positions)] if positions else [], velocities)


def _openness(graph: Graph, residuals: Sequence[Node]) -> Node:
    """Return the sum of residuals, each beside the size of its terms; zero terms leave a zero open by nothing."""
    sizes = Sizes(graph)
    total = graph.zero
    for residual in residuals:
        size = sizes.size(residual)
        known = graph.select(graph.binary(Op.LT, graph.zero, size), size, graph.one)
        total = graph.add(total, graph.div(graph.unary(Op.ABS, residual), known))
    return total
