"""Finds the tree of joints that a model of bodies is, by walking the ways of its frames and points.

A rigid thing that passes through a point is a carrier there, with a frame. From the inertial frame and the points at
rest outwards, each arm and each rotation is classed by what it contains. What is constant stays with its carrier; a
turn about a constant axis and a shift along a constant direction are rows; another rotation is a row of three rates
where the angular velocity is its own. Several in a row are several rows without mass between. Angles and displacements
may be any functions of coordinates, time and inputs, as what speeds are to their rates is read from the expressions.
A velocity that was set must be that of its place: else there is no tree, and the reason is told.
"""

from __future__ import annotations

from dataclasses import replace

from eomc.derivation.bodies import BodySystem, GraphBody
from eomc.derivation.found.drafts import Draft, Found, NoTreeError, Turned
from eomc.derivation.found.floating import with_floating_bases
from eomc.derivation.found.rotations import Ball, Rotations
from eomc.derivation.found.shifts import shifts_of
from eomc.derivation.found.steps import Fixed, Step, Turn
from eomc.derivation.problem import Problem
from eomc.derivation.rotors import is_round
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import Moments, carried, moments_of_body, moments_plus, no_moments
from eomc.derivation.trees.rows import GROUND, Place, identity, matrix_product
from eomc.derivation.trees.tensors import PAIRS, Symmetric, no_tensor
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, apply, fixed_axis, plus
from eomc.model.sympy_private import Frame, Point
from eomc.model.trees.records import JointKind
from eomc.passes.differentiate import depends_on

_Carriers = dict[Frame, Place]  # all that passes through a point


def find_tree(problem: Problem, bodies: BodySystem) -> Found:
    """Return the tree that the bodies hang on.

    Raises
    ------
    NoTreeError
        They are none; the message says by what.
    """
    if bodies.has_varying_inertia:
        raise NoTreeError("a mass or an inertia varies")
    for what in bodies.strange_accelerations:
        raise NoTreeError(f"the acceleration of {what} was set, and not as the derivative of its velocity")
    finder = _Finder(problem, bodies)
    for body in bodies.bodies:
        finder.hang(body)
    if not finder.drafts:
        raise NoTreeError("nothing moves")
    return with_floating_bases(problem, bodies, Found(tuple(finder.drafts), finder.moments))


class _Finder:
    """The walk outwards: what has been found is shared by all that hangs on it."""

    def __init__(self, problem: Problem, bodies: BodySystem) -> None:
        self._problem = problem
        self._bodies = bodies
        self._graph: Graph = problem.graph
        self._rotations = Rotations(problem, bodies)
        self._at: dict[Point, _Carriers] = {}
        self._names = problem.motion_names
        self._labels: set[str] = set()
        self.drafts: list[Draft] = []
        self.moments: dict[int, Moments] = {GROUND: no_moments(self._graph)}

    @property
    def _still(self) -> Components:
        zero = self._graph.zero
        return zero, zero, zero

    # -- bodies ------------------------------------------------------------------------------------------------------

    def hang(self, body: GraphBody) -> None:
        """Add the moments of a body to those of the row with which it moves."""
        graph = self._graph
        carriers = self._reached(body.center)
        if body.frame is None:
            place = next(iter(carriers.values()))
            own = Moments(body.mass, self._still, no_tensor(graph))
        else:
            if body.frame not in self._bodies.frames:
                raise NoTreeError(f"frame {body.frame.name} has no orientation")
            place = self._carrier(carriers, body.frame)
            inertia = no_tensor(graph)
            if body.inertia is not None:
                inertia = Symmetric(*(body.inertia[i][j] for i, j in PAIRS))
                place = self._place_of_inertia(carriers, place, body)
            own = moments_of_body(graph, body.mass, self._still, inertia)
        moved = carried(graph, factors(graph, place.rotation), place.origin, own)
        self.moments[place.row] = moments_plus(graph, self.moments[place.row], moved)

    def _place_of_inertia(self, carriers: _Carriers, place: Place, body: GraphBody) -> Place:
        """Return the carrier in whose axes the inertia of a body is given, and in which it does not change."""
        if body.basis is body.frame:
            return place
        assert body.inertia is not None
        assert body.basis is not None
        steps = self._rotations.between(body.frame, body.basis)
        if steps is not None and all(isinstance(step, Fixed) for step, _ in steps):
            return self._carrier(carriers, body.basis)
        frames = self._bodies.frames
        path = frames.path(body.frame, body.basis)
        if len(path) == 2:
            axis = fixed_axis(self._graph, frames.neighbour_rotation(*path))
            if axis is not None and is_round(self._graph, body.inertia, axis):
                return place  # round about what it spins on: the same in its own axes
        raise NoTreeError(f"the inertia of body {body.name} is given in frame {body.basis.name}, which it turns in")

    # -- points ------------------------------------------------------------------------------------------------------

    def _reached(self, point: Point) -> _Carriers:
        """Return what passes through a point, its ways to the point at rest walked outwards."""
        motion = self._bodies.motion
        trail = [point]
        while trail[-1] not in self._at:
            origin = motion.arm(trail[-1])[0]
            if origin is None:
                self._at[trail[-1]] = self._grounded(trail[-1])
                break
            trail.append(origin)
        for outer, inner in zip(trail[-2::-1], trail[:0:-1], strict=True):
            self._at[outer] = self._moved(outer, self._at[inner])
        return self._at[point]

    def _grounded(self, point: Point) -> _Carriers:
        motion = self._bodies.motion
        if any(entry != self._graph.zero for piece in motion.velocity(point).values() for entry in piece):
            raise NoTreeError(f"point {point.name} moves by a velocity that was set, and hangs on nothing")
        return {self._bodies.frames.root: Place(GROUND, identity(self._graph), self._still)}

    def _moved(self, point: Point, carriers: _Carriers) -> _Carriers:
        """Return what passes through a point at the end of an arm."""
        graph, motion = self._graph, self._bodies.motion
        _, arm, follows = motion.arm(point)
        if not follows and not motion.same(motion.velocity(point), motion.rate_of_place(point)):
            raise NoTreeError(f"the velocity set for point {point.name} is not that of its place")
        pieces = {frame: piece for frame, piece in arm.items() if piece != self._still}
        for frame in sorted(pieces, key=lambda one: one not in carriers):  # what is at hand first; stable
            place = self._carrier(carriers, frame)
            if depends_on(graph, pieces[frame], self._problem.motion):
                raise NoTreeError(f"the place of point {point.name} depends on speeds")
            offset, shifts = shifts_of(graph, self._problem.q, pieces[frame])
            place = replace(place, origin=plus(graph, place.origin, apply(graph, place.rotation, offset)))
            for shift in shifts:
                place = self._row(JointKind.PRISMATIC, place, shift.axis, shift.displacement, point)
            carriers = {frame: place}
        return carriers

    # -- frames ------------------------------------------------------------------------------------------------------

    def _carrier(self, carriers: _Carriers, frame: Frame) -> Place:
        """Return what passes through a point with a frame; it hangs on what takes the fewest rows to it."""
        if frame in carriers:
            return carriers[frame]
        best: list[tuple[Step | Ball, Frame | None]] | None = None
        start: Frame = None
        for known in carriers:
            steps = self._rotations.between(known, frame)
            if steps is not None and (best is None or _moving(steps) < _moving(best)):
                best, start = steps, known
        if best is None:
            raise NoTreeError(self._rotations.reason)
        place = carriers[start]
        for step, reached in best:
            place = self._turned(place, step, frame)
            if reached is not None:
                carriers.setdefault(reached, place)
        return carriers[frame]

    def _turned(self, place: Place, step: Step | Ball, frame: Frame) -> Place:
        if isinstance(step, Fixed):
            return replace(place, rotation=matrix_product(self._graph, place.rotation, step.rotation))
        if isinstance(step, Turn):
            return self._row(JointKind.REVOLUTE, place, step.axis, step.angle, frame)
        label = self._label(step.spin[0], frame)
        turned = () if step.outer is None else (Turned(0, step.outer, step.rotation),)
        return self._add(Draft(JointKind.BALL, place, (), label, step.spin, frame, turns=step.rotation, turned=turned))

    def _row(self, kind: JointKind, place: Place, axis: Components, coordinate: Node, where: Frame | Point) -> Place:
        if depends_on(self._graph, [coordinate], self._problem.motion):
            raise NoTreeError(f"the place of {where.name} depends on speeds")
        rate = self._problem.rate(coordinate)
        return self._add(Draft(kind, place, axis, self._label(rate, where), (rate,), where, coordinate))

    def _add(self, draft: Draft) -> Place:
        number = len(self.drafts)
        self.drafts.append(draft)
        self.moments[number] = no_moments(self._graph)
        return Place(number, identity(self._graph), self._still)

    def _label(self, rate: Node, where: Frame | Point) -> str:
        """Return the name of a row: that of the first speed that moves it and none before."""
        moving = (self._names[k] for k in self._problem.speeds_in.variables(rate))
        label = next((name for name in moving if name not in self._labels), f"{where.name} ({len(self.drafts) + 1})")
        self._labels.add(label)
        return label


def _moving(steps: list[tuple[Step | Ball, Frame | None]]) -> int:
    return sum(not isinstance(step, Fixed) for step, _ in steps)
