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
from eomc.ir.symbols import Named
from eomc.ir.systems import Factorization
from eomc.passes.differentiate import Tangents, jacobian
from eomc.passes.sizes import Sizes

_WAYS = {
    (False, False): "",
    (True, False): "least in the mass metric",
    (False, True): "along their gradients",
    (True, True): "least in the mass metric, or along their gradients where the kinematics keep them",
}  # by whether constraints have to be closed, and whether the kinematics keep some


@dataclass(frozen=True, slots=True)
class Corrections:
    """What is added to the state; empty where nothing has to be."""

    coordinates: list[Node]
    velocities: list[Node]  # of the motion variables
    # Both end with how open the constraints are, beside the sizes of their terms.
    way: str = ""  # of the coordinates, in words


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
        total = [graph.add(*both) for both in zip(total, _along_gradients(problem, rows.kept, form), strict=True)]
    velocities: list[Node] = []
    if rows:
        right = [[graph.zero]] * len(motion) + [[graph.neg(residual)] for residual in rows.residuals]
        steps, _ = graph.solve_constrained(form, matrix, rows.jacobian, right, [*names, *rows.names])
        velocities = [*(step[0] for step in steps[: len(motion)]), _openness(graph, rows.residuals)]
    positions = [*(position for position, _ in rows.closing), *rows.kept]
    way = _WAYS[bool(rows.closing), bool(rows.kept)]
    return Corrections([*total, _openness(graph, positions)] if positions else [], velocities, way)


def _along_gradients(problem: Problem, positions: Sequence[Node], form: Factorization) -> list[Node]:
    """Return a step of Newton's method in the span of the gradients.

    Constraints that share no coordinate, such as the norms of two quaternions, are met apart. One alone needs no linear
    system: -Phi g / (g . g), and nothing where its gradient g vanishes; what is open tells of that.
    """
    graph, q = problem.graph, problem.q
    slopes = jacobian(graph, positions, q)
    steps = [graph.zero] * len(q)
    for rows, columns in _apart([[j for j, slope in enumerate(row) if slope != graph.zero] for row in slopes]):
        residuals = [graph.neg(positions[i]) for i in rows]
        block = [[slopes[i][j] for j in columns] for i in rows]
        if len(rows) == 1:
            [gradient] = block
            square = graph.sum(graph.mul(slope, slope) for slope in gradient)
            known = graph.select(graph.binary(Op.LT, graph.zero, square), square, graph.one)
            factor = graph.div(residuals[0], known)
            found = [graph.mul(slope, factor) for slope in gradient]
        else:
            unit = [[graph.one if i == j else graph.zero for j in columns] for i in columns]
            right = [[graph.zero]] * len(columns) + [[residual] for residual in residuals]
            labels = [*(graph.symbol_of(q[j]).name for j in columns), *(f"norm {i + 1}" for i in rows)]
            solution, _ = graph.solve_constrained(form, unit, block, right, labels, strict=False)
            found = [step for [step] in solution]
        for j, step in zip(columns, found, strict=True):
            steps[j] = step
    return steps


def _apart(rows: Sequence[Sequence[int]]) -> list[tuple[list[int], list[int]]]:
    """Return groups of rows, with the columns of each, such that no two groups share a column."""
    groups: list[tuple[list[int], list[int]]] = []
    for i, columns in enumerate(rows):
        sharing = [group for group in groups if not set(columns).isdisjoint(group[1])]
        groups = [group for group in groups if group not in sharing]
        joined = sorted({*columns, *(column for group in sharing for column in group[1])})
        groups.append(([*(row for group in sharing for row in group[0]), i], joined))
    return groups


def _openness(graph: Graph, residuals: Sequence[Node]) -> Node:
    """Return the sum of residuals, each beside the size of its terms; zero terms leave a zero open by nothing.

    The rounding of a sine's large argument is taken off, up to the fourth root of epsilon. Without that bound, an angle
    that ran away in a loop that cannot close would excuse any residual.
    """
    sizes, zero = Sizes(graph), graph.zero
    most = graph.unary(Op.SQRT, graph.unary(Op.SQRT, graph.constant(Named.EPSILON)))
    total = zero
    for residual in residuals:
        size = sizes.steady(residual)
        known = graph.select(graph.binary(Op.LT, zero, size), size, graph.one)
        share = graph.div(graph.unary(Op.ABS, residual), known)
        largest = sizes.largest_argument(residual)
        if largest != graph.one:
            rounding = sizes.rounding(largest)
            excused = graph.select(graph.binary(Op.LT, rounding, most), rounding, most)
            share = graph.select(graph.binary(Op.LT, share, excused), zero, graph.sub(share, excused))
        total = graph.add(total, share)
    return total
