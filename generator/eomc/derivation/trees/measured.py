"""Measures of links on the graph: the nodes that components of them stand for."""

from __future__ import annotations

from eomc.derivation.problem import Problem
from eomc.derivation.trees.newton_euler import Spread, accelerations_outwards
from eomc.derivation.trees.placed import PlacedTree
from eomc.derivation.trees.rows import GROUND
from eomc.ir.graph import Node
from eomc.lowering.vectors import Components, apply, plus
from eomc.model.trees.measures import components
from eomc.model.trees.records import Measure, MeasureKind
from eomc.model.trees.tree import JointTree
from eomc.passes.differentiate import jacobian


def define_measures(problem: Problem) -> None:
    """Let expressions of a tree's model hold its measures; accelerations are those of the leaves u'."""
    tree, placed = problem.model.dynamics, problem.kinematics.placed
    if placed is None:
        return
    assert isinstance(tree, JointTree)
    accelerated: list[Spread] = []
    for measure in tree.measures:
        if measure.kind is MeasureKind.JACOBIAN:
            _define_jacobian(problem, placed, measure)
        elif measure.kind is MeasureKind.ROTATION:
            columns = [_in_axes(placed, measure, _turned(placed, measure, k)) for k in range(3)]
            nodes = [columns[k][i] for i in range(3) for k in range(3)]
            problem.scalars.define_all(components(measure, tree.time).flat(), nodes)
        else:
            if measure.kind in (MeasureKind.ACCELERATION, MeasureKind.ANGULAR_ACCELERATION) and not accelerated:
                accelerated = _accelerated(problem, placed)
            vector = _vector(placed, measure, accelerated)
            problem.scalars.define_all(components(measure, tree.time).flat(), vector)


def _accelerated(problem: Problem, placed: PlacedTree) -> list[Spread]:
    """Return how the rows accelerate with u', gravity not in it."""
    none = (problem.graph.zero,) * 3
    moving = placed.weightless
    return accelerations_outwards(
        problem.graph, moving.rows, moving.motions, moving.rates, moving.to_rates(problem.u_dots), none
    )


def _turned(placed: PlacedTree, measure: Measure, axis: int) -> Components:
    rotation = placed.place(measure.link).rotation
    return rotation[0][axis], rotation[1][axis], rotation[2][axis]


def _in_axes(placed: PlacedTree, measure: Measure, vector: Components) -> Components:
    return placed.to_link(placed.place(measure.link).row, vector, measure.axes)


def _vector(placed: PlacedTree, measure: Measure, accelerated: list[Spread]) -> Components:
    """Return a vector in the axes of its measure."""
    kind, link, row = measure.kind, measure.link, placed.place(measure.link).row
    if kind is MeasureKind.POSITION:
        return placed.to_link(GROUND, placed.position(link, measure.at), measure.axes)
    if row == GROUND:
        return (placed.graph.zero,) * 3
    if kind is MeasureKind.VELOCITY:
        vector = placed.velocity(link, measure.at)
    elif kind is MeasureKind.ANGULAR_VELOCITY:
        vector = placed.spin(link)
    elif kind is MeasureKind.ANGULAR_ACCELERATION:
        vector = accelerated[row].angular
    else:
        spread = accelerated[row]
        vector = plus(placed.graph, spread.origin, apply(placed.graph, spread.field, placed.point(link, measure.at)))
    return _in_axes(placed, measure, vector)


def _define_jacobian(problem: Problem, placed: PlacedTree, measure: Measure) -> None:
    tree = placed.tree
    moving = [placed.velocity(measure.link, measure.at), placed.spin(measure.link)]
    rows: list[Node] = [x for vector in moving for x in _in_axes(placed, measure, vector)]
    slopes = jacobian(problem.graph, rows, problem.motion)
    asked = tree.jacobian(measure.link, measure.at, measure.axes)
    for i in range(6):
        for k, node in enumerate(slopes[i]):
            if asked[i, k] != 0:
                problem.scalars.define(asked[i, k], node)
