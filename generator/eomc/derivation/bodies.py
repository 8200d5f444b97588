"""Rigid bodies and particles on the graph: mass, central inertia, and the motion of both."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Any, TypeVar, TypeVarTuple

from eomc.derivation.accelerations import at_no_acceleration
from eomc.derivation.motion import Motion
from eomc.derivation.problem import Problem
from eomc.derivation.rotors import carried_rotors
from eomc.errors import ModelError
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import (
    Components,
    FrameTree,
    Matrix,
    VectorSum,
    apply,
    components,
    cross,
    dot,
    each,
    matrix_of_rows,
    minus,
    plus,
)
from eomc.model.parts import MechanicalSystem
from eomc.model.places import frames_on_ways, points_of, points_on_ways
from eomc.model.sympy_private import Frame, Point, inertia_of, set_acceleration, set_angular_acceleration
from eomc.passes.cost import cost
from eomc.passes.differentiate import depends_on
from eomc.passes.shorten import shorten

Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class GraphBody:
    """A body with nodes for numbers.

    `frame` is None for a particle; `inertia` is the central inertia as components in `basis`, the frame in which the
    user gave the dyadic, which need not be the body's own (an axisymmetric wheel's often is not).
    """

    name: str
    mass: Node
    center: Point
    frame: Frame | None
    basis: Frame | None
    inertia: Matrix | None


class BodySystem:
    """The bodies of a model with their velocities on the problem's graph."""

    def __init__(self, problem: Problem) -> None:
        system = problem.model.dynamics
        assert isinstance(system, MechanicalSystem)
        self.problem = problem
        self.system = system
        self.graph = problem.graph
        ways = points_on_ways(system)
        self.frames = FrameTree(problem.graph, problem.scalars, system.inertial_frame, frames_on_ways(system, ways))
        inertias = [self._given_inertia(body) for body in system.bodies]
        self.motion = Motion(problem.graph, self.frames, problem.rate, problem.is_zero)
        rotors = self._rotors(inertias)
        if rotors:
            for frame in rotors:
                self.frames.write_in_carrier(frame)
            self.motion = Motion(problem.graph, self.frames, problem.rate, problem.is_zero)
            inertias = [(rotors.get(basis, basis), matrix) for basis, matrix in inertias]
        self.motion.connect(points_of(system), ways)
        self.bodies = [self._body(body, *given) for body, given in zip(system.bodies, inertias, strict=True)]
        self.answers: dict[tuple[Any, ...], Any] = {}  # to what `asked_once` asks

    def _given_inertia(self, body: Any) -> tuple[Frame | None, Matrix | None]:
        """Return the frame and the components of a body's inertia as it was given; no frame for a particle.

        Pieces in several frames move to the body's.
        """
        if not hasattr(body, "frame") or not hasattr(body, "inertia"):
            return None, None
        graph, frames = self.graph, self.frames
        dyadic, frame = inertia_of(body)[0], body.frame
        if dyadic == 0 or not dyadic.args:
            return frame, None
        bases = {first.args[0][1] for _, first, _ in dyadic.args} | {second.args[0][1] for _, _, second in dyadic.args}
        basis = bases.pop() if len(bases) == 1 else frame
        if basis not in frames:
            raise ModelError(
                f"body {body.name}: its inertia is given in frame {basis.name}, "
                f"which has no orientation in {frames.root.name}"
            )
        entries = [[graph.zero] * 3 for _ in range(3)]
        for coefficient, first, second in dyadic.args:
            value = self.problem.scalars(coefficient)
            left = frames.express(frames.lower(first), basis)
            right = frames.express(frames.lower(second), basis)
            products = [[graph.mul(value, graph.mul(x, y)) for y in right] for x in left]
            entries = [list(map(graph.add, *rows)) for rows in zip(entries, products, strict=True)]
        return basis, matrix_of_rows(entries)

    def _rotors(self, inertias: Sequence[tuple[Frame | None, Matrix | None]]) -> dict[Frame, Frame]:
        """Return rotor's frame -> the frame in which its inertia is better written."""
        rigid = [
            (body.frame, basis if inertia_of(body)[1] is _center(body) else None, matrix)
            for body, (basis, matrix) in zip(self.system.bodies, inertias, strict=True)
            if basis is not None
        ]
        return carried_rotors(self.graph, self.frames, self.motion, rigid)

    def _body(self, body: Any, basis: Frame | None, matrix: Matrix | None) -> GraphBody:
        graph = self.graph
        mass = self.problem.scalars(body.mass)
        center = _center(body)
        if basis is None:
            return GraphBody(str(body.name), mass, center, None, None, None)
        _, about = inertia_of(body)
        if about is not center and matrix is not None:
            arm = self.frames.express(self.motion.between(about, center), basis)
            matrix = matrix_add(graph, matrix, inertia_shift(graph, graph.neg(mass), arm))
        return GraphBody(str(body.name), mass, center, body.frame, basis, matrix)

    # -- momenta and energies ----------------------------------------------------------------------------------------

    def twist(self, body: GraphBody) -> tuple[VectorSum, VectorSum]:
        """Return the velocity of a body's mass centre and its angular velocity, in pieces; a particle has no spin."""
        spin = {} if body.frame is None else self.motion.angular_velocity(body.frame)
        return self.motion.velocity(body.center), spin

    def spin(self, body: GraphBody) -> Components:
        """Return a body's angular velocity in the frame of its inertia [rad/s]."""
        return self.motion.angular_velocity_in(body.frame, body.basis)

    def inertia_moment(self, body: GraphBody) -> Components:
        """Return what is left of a body's inertia torque (negated) when u' = 0, in the frame F of its inertia.

        d/dt (I w) = I d_F w/dt + w_F x (I w), with w_F the angular velocity of F itself; d_F w/dt is the rates of the
        components or, where that is shorter beside what the mass centre needs, alpha - w_F x w.
        """
        assert body.inertia is not None
        graph, motion = self.graph, self.motion
        spin = self.spin(body)
        turning = self.frames.express(self.angular_acceleration(body), body.basis)
        momentum = apply(graph, body.inertia, spin)
        if body.frame is body.basis:
            local = turning
            carrier = spin
        else:
            carrier = motion.angular_velocity_in(body.basis, body.basis)
            local = minus(graph, turning, cross(graph, carrier, spin))
            if set_angular_acceleration(body.frame, self.frames.root) is None:
                beside = [*spin, *carrier, *components(self.acceleration(body))]
                local = min(each(self.problem.rate, spin), local, key=lambda vector: cost(graph, [*beside, *vector]))
        moment = plus(graph, apply(graph, body.inertia, local), cross(graph, carrier, momentum))
        return plus(graph, moment, self.inertia_rate(body))

    def inertia_rate(self, body: GraphBody) -> Components:
        """Return I' w, the rates of an inertia's components times the angular velocity: zero but for a few dyadics."""
        assert body.inertia is not None
        return apply(self.graph, matrix_of_rows(each(self.problem.rate, row) for row in body.inertia), self.spin(body))

    def acceleration(self, body: GraphBody) -> dict[Frame, Components]:
        """Return the bias acceleration of a mass centre [m/s^2]: as the user set it, else dv/dt at u' = 0."""
        strange = self.strange_accelerations.get(_point(body))
        return self.motion.acceleration(body.center) if strange is None else strange

    def angular_acceleration(self, body: GraphBody) -> dict[Frame, Components]:
        """Return the bias angular acceleration of a body [rad/s^2]: as the user set it, else dw/dt at u' = 0."""
        strange = self.strange_accelerations.get(_frame(body))
        return self.motion.angular_acceleration(body.frame) if strange is None else strange

    @cached_property
    def strange_accelerations(self) -> dict[str, dict[Frame, Components]]:
        """What the user set that is not the derivative of a velocity, by point or frame: energy is then not kept."""
        root, motion = self.frames.root, self.motion
        found = {}
        for body in self.bodies:
            if (given := set_acceleration(body.center, root)) is not None:
                found[_point(body)] = given, motion.acceleration(body.center)
            if body.inertia is not None and (given := set_angular_acceleration(body.frame, root)) is not None:
                found[_frame(body)] = given, motion.angular_acceleration(body.frame)
        still, frames = at_no_acceleration(self.problem), self.frames
        lowered = {what: frames.map(frames.lower(given), still) for what, (given, _) in found.items()}
        return {what: vector for what, vector in lowered.items() if not motion.same(found[what][1], vector)}

    def warn_of_strange_accelerations(self) -> None:
        """Say which accelerations the equations take as they were set."""
        for what in self.strange_accelerations:
            warnings.warn(
                f"{self.problem.model.name}: the acceleration set for {what} is not the time derivative of its "
                "velocity; it is used as it was set, as SymPy does",
                RuntimeWarning,
                stacklevel=2,
            )

    @property
    def has_mass_by_place(self) -> bool:
        """Whether a mass depends on the coordinates: the rate of momentum and the energies then disagree."""
        return bool(depends_on(self.graph, [body.mass for body in self.bodies], self.problem.q))

    @property
    def has_varying_inertia(self) -> bool:
        """Whether a mass, or an inertia in its own frame, changes in time."""
        constants = [body.mass for body in self.bodies]
        constants += [x for body in self.bodies if body.inertia is not None for row in body.inertia for x in row]
        return any(self.problem.rate(node) != self.graph.zero for node in constants)

    def kinetic_energy(self, frames: Sequence[Frame] | None = None, chosen: Sequence[GraphBody] | None = None) -> Node:
        """Return T = sum of m v.v / 2 + w.I.w / 2 [J] of all or some bodies.

        Velocities are expressed in `frames`, one for each body (by default the likeliest).
        """
        return self._energy(lambda vector: vector, frames or self.frame_choices()[0], chosen)

    def momentum_seeds(self) -> list[tuple[Node, Node]]:
        """Return (velocity component, momentum component) of every body: dT is the sum of momentum times dv.

        That holds where masses and inertias are constant. T itself, differentiated, has each product twice: half of
        w.(I dw) and half of dw.(I w).
        """
        seeds = []
        for body, frame in zip(self.bodies, self.frame_choices()[0], strict=True):
            velocity = self.motion.velocity_in(body.center, frame)
            seeds += [(v, self.graph.mul(body.mass, v)) for v in velocity]
            if body.inertia is not None:
                spin = self.spin(body)
                seeds += zip(spin, apply(self.graph, body.inertia, spin), strict=True)
        return seeds

    def rate_energy_difference(self, at_rest: Callable[[Node], Node]) -> Node:
        """Return T2 - T0, the parts of T of second and of zeroth degree in q' [J].

        With v = v1 + v0 split into what q' brings and what remains at q' = 0: (v1.v1 - v0.v0) / 2 = v.(v - 2 v0) / 2.
        """
        graph = self.graph

        def reduced(component: Node) -> Node:
            return graph.sub(component, graph.mul(graph.constant(2), at_rest(component)))

        return self._energy(partial(each, reduced), self.frame_choices()[0])

    def _energy(
        self,
        partner: Callable[[Components], Components],
        frames: Sequence[Frame],
        chosen: Sequence[GraphBody] | None = None,
    ) -> Node:
        """Return half the sum of m v.partner(v) + w.I.partner(w)."""
        graph = self.graph
        terms = []
        for body, frame in zip(self.bodies if chosen is None else chosen, frames, strict=True):
            velocity = self.motion.velocity_in(body.center, frame)
            terms.append(graph.mul(body.mass, dot(graph, velocity, partner(velocity))))
            if body.inertia is not None:
                spin = self.spin(body)
                terms.append(dot(graph, spin, apply(graph, body.inertia, partner(spin))))
        return shorten(graph, [graph.div(graph.sum(terms), graph.constant(2))])[0]

    def frame_choices(self) -> list[tuple[Frame, ...]]:
        """Return the choices of frames for the bodies' velocities that are worth trying, each once, the likely first.

        As the user gave them (the deepest frame with a piece), the inertial frame, the frame of each body's inertia.
        Particles with velocities in pieces side by side (rods with absolute angles) have no deepest frame to be in.
        """
        inertial = tuple(self.frames.root for _ in self.bodies)
        if all(body.basis is None for body in self.bodies) and any(map(self._is_side_by_side, self.bodies)):
            return [inertial]
        given = tuple(self.frame_of_velocity(body) for body in self.bodies)
        own = tuple(
            body.basis if body.basis is not None else frame for body, frame in zip(self.bodies, given, strict=True)
        )
        return list(dict.fromkeys((given, inertial, own)))

    def frame_of_velocity(self, body: GraphBody) -> Frame:
        """Return the deepest frame in which the velocity of a body's mass centre has a piece."""
        return self.frames.deepest(self._frames_of_velocity(body))

    def _frames_of_velocity(self, body: GraphBody) -> list[Frame]:
        vector = self.motion.velocity(body.center)
        return [frame for frame, piece in vector.items() if any(not self.graph.is_zero(x) for x in piece)]

    def _is_side_by_side(self, body: GraphBody) -> bool:
        """Whether a velocity has pieces in two frames and neither turns within the other."""
        found = self._frames_of_velocity(body)
        inwards = self.frames.path(self.frames.root, self.frames.deepest(found))
        return any(frame not in inwards for frame in found)

    def gravity_potential(self) -> Node:
        """Return -sum of m g.r [J], with r from the point at which each system of connected points is rooted."""
        graph, frames = self.graph, self.frames
        terms = []
        for frame, piece in frames.lower(self.system.gravity).items():
            for axis, size in enumerate(piece):
                if not graph.is_zero(size):
                    weights = ((body.center, graph.neg(graph.mul(body.mass, size))) for body in self.bodies)
                    terms.append(frames.express(self.motion.moment(weights), frame)[axis])
        return graph.sum(terms)


def asked_once(
    question: Callable[[Problem, BodySystem, *Given], Answer],
) -> Callable[[Problem, BodySystem, *Given], Answer]:
    """Return a question about bodies that keeps its answer with them: it takes long, and the bodies do not change."""

    @wraps(question)
    def asked(problem: Problem, bodies: BodySystem, *given: *Given) -> Answer:
        if (question, *given) not in bodies.answers:
            bodies.answers[question, *given] = question(problem, bodies, *given)
        found: Answer = bodies.answers[question, *given]
        return found

    return asked


def _point(body: GraphBody) -> str:
    return f"point {body.center.name}"


def _frame(body: GraphBody) -> str:
    assert body.frame is not None
    return f"frame {body.frame.name}"


def _center(body: Any) -> Point:
    """Return the mass centre of a rigid body, or the point of a particle."""
    center = getattr(body, "masscenter", None)
    return center if center is not None else body.point


def matrix_add(graph: Graph, a: Matrix, b: Matrix) -> Matrix:
    """Return the sum of two 3 x 3 matrices."""
    return matrix_of_rows(plus(graph, x, y) for x, y in zip(a, b, strict=True))


def inertia_shift(graph: Graph, mass: Node, arm: Components) -> Matrix:
    """Return m (d.d 1 - d d^T), what a point mass at `arm` adds to an inertia matrix [kg m^2]."""
    square = [graph.powi(x, 2) for x in arm]
    diagonal = [graph.add(square[1], square[2]), graph.add(square[2], square[0]), graph.add(square[0], square[1])]
    return matrix_of_rows(
        [
            graph.mul(mass, diagonal[i]) if i == j else graph.neg(graph.mul(mass, graph.mul(arm[i], arm[j])))
            for j in range(3)
        ]
        for i in range(3)
    )
