"""The poses of bodies, links and points: where they are from the origin, and the unit quaternions that turn them."""

from __future__ import annotations

from eomc.derivation.found.steps import Turn, steps_of
from eomc.derivation.orientations import Orientation
from eomc.derivation.problem import Problem
from eomc.derivation.quaternions import no_turn, of_constants, of_rotation
from eomc.derivation.trees.oriented import OrientedTree
from eomc.ir.equations import Poses
from eomc.ir.graph import Node
from eomc.lowering.vectors import FrameTree, Matrix, VectorSum, add
from eomc.model.geometry import paths_to
from eomc.model.parts import MechanicalSystem
from eomc.model.placements import Placement, placements, points_from
from eomc.model.sympy_private import Frame, Point, orientations, positions


def poses_of(problem: Problem) -> Poses | None:
    """Return the poses of a model, None where it has neither bodies nor points."""
    placed = placements(problem.model)
    if not placed.rows and not placed.left_out:
        return None
    bodies = _Bodies(problem, placed.origin) if isinstance(problem.model.dynamics, MechanicalSystem) else None
    tree = OrientedTree(problem) if any(row.is_link for row in placed.rows) else None
    rows: list[tuple[Node, ...]] = []
    for row in placed.rows:
        if tree is not None and row.is_link:
            rows.append((*tree.position(row.place), *tree.quaternion(row.place)))
        elif isinstance(row.place, tuple):
            rows.append((*map(problem.scalars, row.place), *no_turn(problem.graph)))
        else:
            assert bodies is not None
            rows.append(bodies.row(row))
    return Poses(
        names=tuple(row.name for row in placed.rows),
        rows=tuple(rows),
        origin="the origin" if placed.origin is None else str(placed.origin),
        inertial=placed.inertial,
        left_out=placed.left_out,
    )


class _Bodies:
    """Positions and orientations by the vectors and rotations that the user set."""

    def __init__(self, problem: Problem, origin: Point | None) -> None:
        system = problem.model.dynamics
        assert isinstance(system, MechanicalSystem)
        self._problem, self._graph = problem, problem.graph
        self._frames = FrameTree(problem.graph, problem.scalars, system.inertial_frame)
        self._outwards = paths_to(system.inertial_frame, orientations)
        self._towards = {} if origin is None else points_from(origin, self._outwards)
        self._arms: dict[Point, VectorSum] = {}
        self._turned = {system.inertial_frame: Orientation.inertial(problem.graph)}

    def row(self, row: Placement) -> tuple[Node, ...]:
        """Return the pose of a body or point."""
        turned = no_turn(self._graph) if row.frame is None else self._orientation(row.frame).quaternion
        return (*self._frames.express(self._position(row.place), self._frames.root), *turned)

    def _position(self, point: Point) -> VectorSum:
        """Return the vector from the origin to a point."""
        chain = [point]
        while chain[-1] not in self._arms and self._towards[chain[-1]] is not chain[-1]:
            chain.append(self._towards[chain[-1]])
        self._arms.setdefault(chain[-1], {})
        for inner, outer in zip(chain[:0:-1], chain[-2::-1], strict=True):
            self._arms[outer] = add(self._graph, self._arms[inner], self._frames.lower(positions(outer)[inner]))
        return self._arms[point]

    def _orientation(self, frame: Frame) -> Orientation:
        chain = [frame]
        while chain[-1] not in self._turned:
            chain.append(self._outwards[chain[-1]])
        for inner, outer in zip(chain[:0:-1], chain[-2::-1], strict=True):
            rotation = self._frames.neighbour_rotation(inner, outer)
            self._turned[outer] = after_rotation(self._turned[inner], self._problem, rotation)
        return self._turned[frame]


def after_rotation(orientation: Orientation, problem: Problem, rotation: Matrix) -> Orientation:
    """Return an orientation after a rotation v_before = R v_after, whose form tells what it is."""
    graph = problem.graph
    steps = steps_of(graph, problem.is_zero, rotation)
    if steps is None:
        return orientation.by(of_rotation(graph, rotation))
    for step in steps:
        if isinstance(step, Turn):
            orientation = orientation.turned(step.axis, step.angle)
        else:
            orientation = orientation.by(of_constants(graph, step.rotation))
    return orientation
