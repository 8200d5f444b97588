"""Velocities and accelerations of frames and points, against sympy's at a random state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, dynamicsymbols

from eomc.derivation.motion import Motion
from eomc.derivation.sampling import Sampling
from eomc.derivation.zeros import Zeros
from eomc.errors import ModelError
from eomc.ir.graph import Graph
from eomc.ir.rounding import Rounded
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.lowering.vectors import FrameTree
from eomc.model.geometry import ways
from eomc.passes.differentiate import Tangents

t = dynamicsymbols._t
q = dynamicsymbols("q0:6")
u = dynamicsymbols("u0:6")
length = sympy.Symbol("l")
Q = np.random.default_rng(1).uniform(-1.5, 1.5, 6)
U = np.random.default_rng(2).uniform(-1.5, 1.5, 6)
L = 0.7


class World:
    """An inertial frame, q' = u, and the graph's view of what the test builds on it."""

    def __init__(self) -> None:
        self.N = ReferenceFrame("N")
        self.origin = Point("O")
        self.origin.set_vel(self.N, 0)

    def motion(self, *points: Point) -> Motion:
        """Lower everything; call when the mechanism is built."""
        graph = Graph()
        roles = [Symbol(Role.STATE, i, str(s)) for i, s in enumerate([*q, *u])]
        nodes = [graph.symbol(role) for role in roles]
        symbols: dict[Any, int] = dict(zip([*q, *u], nodes, strict=True))
        symbols |= {a.diff(t): b for a, b in zip(q, nodes[6:], strict=True)}
        parameter = Symbol(Role.PARAMETER, 0, "l")
        symbols[length] = graph.symbol(parameter)
        rate = Tangents(graph, dict(zip(nodes[:6], nodes[6:], strict=True)))
        self.sample = Rounded(graph, dict(zip([*roles, parameter], [*Q, *U, L], strict=True)))
        self.frames = FrameTree(graph, ScalarLowering(graph, symbols), self.N)
        ranges = dict.fromkeys(roles[:6], (-1.0, 1.0))
        zeros = Zeros(Sampling(graph, {parameter: L}, ranges, roles[6:], []))
        found = Motion(graph, self.frames, rate, zeros)
        found.connect(points, ways(points, self.N))
        return found

    def numbers(self, pieces: Any) -> list[float]:
        """Return the inertial components of pieces on the graph."""
        return self.sample.vector(self.frames.express(pieces, self.N))

    def expected(self, vector: Any) -> list[float]:
        """Return sympy's inertial components with q'' = u' = 0, q' = u."""
        total = np.zeros(3)
        for matrix, frame in vector.args:
            rotation = at_the_sample(self.N.dcm(frame))
            total += rotation @ at_the_sample(matrix.doit()).ravel()
        return total.tolist()


def at_the_sample(matrix: sympy.Matrix) -> np.ndarray:
    """Return the numbers of a sympy matrix."""
    moving = {a.diff(t): value for a, value in zip(q, U, strict=True)}
    places = dict(zip([*q, *u], [*Q, *U], strict=True))
    for values in (
        {name.diff(t, 2): 0.0 for name in q},
        {name.diff(t): 0.0 for name in u},
        moving,
        places | {length: L},
    ):
        matrix = matrix.xreplace(values)
    return np.array(matrix.tolist(), dtype=float)


@pytest.fixture
def world() -> World:
    """Return an empty world."""
    return World()


def agree(world: World, motion: Motion, *points: Point) -> None:
    """Velocities and bias accelerations of the points are sympy's."""
    for point in points:
        assert world.numbers(motion.velocity(point)) == pytest.approx(world.expected(point.vel(world.N)), abs=1e-12)
        assert world.numbers(motion.acceleration(point)) == pytest.approx(world.expected(point.acc(world.N)), abs=1e-11)


def branches(world: World) -> tuple[list[ReferenceFrame], list[Point]]:
    """Return a chain N - A - B, a branch A - C, with a sliding joint and points on all of them, velocities not set."""
    N, origin = world.N, world.origin
    A = N.orientnew("A", "Axis", [q[0], N.z])
    B = A.orientnew("B", "Axis", [q[1], A.x])
    C = A.orientnew("C", "Body", [q[2], q[3], 0], "213")
    P = origin.locatenew("P", length * A.x)
    R = P.locatenew("R", length * B.y + 2 * B.z)
    S = P.locatenew("S", q[4] * A.y)
    T = S.locatenew("T", sympy.sin(q[5]) * C.z - length * C.x)
    return [A, B, C], [P, R, S, T]


def test_velocities_follow_from_positions(world: World) -> None:
    """Where only the origin's velocity is given, all others are what sympy makes of positions."""
    _, points = branches(world)
    motion = world.motion(*points)
    agree(world, motion, *points)


def test_velocities_that_the_theorems_set(world: World) -> None:
    """v2pt_theory and v1pt_theory along the chain, a2pt_theory for the acceleration."""
    N, origin = world.N, world.origin
    (A, B, C), (P, R, S, T) = branches(world)
    P.v2pt_theory(origin, N, A)
    R.v2pt_theory(P, N, B)
    S.set_vel(A, q[4].diff(t) * A.y)
    S.v1pt_theory(P, N, A)
    T.set_vel(C, (sympy.sin(q[5]) * C.z).dt(C))
    T.v1pt_theory(S, N, C)
    motion = world.motion(P, R, S, T)
    agree(world, motion, P, R, S, T)
    origin.set_acc(N, 0)
    for theorem in (P.a2pt_theory(origin, N, A), R.a2pt_theory(P, N, B)):
        found = world.numbers(motion.acceleration(P if theorem == P.acc(N) else R))
        assert found == pytest.approx(world.expected(theorem), abs=1e-11)


def test_angular_motion(world: World) -> None:
    """Angular velocities and accelerations of every frame, in itself and in the inertial frame."""
    frames, points = branches(world)
    motion = world.motion(*points)
    for frame in frames:
        omega, alpha = frame.ang_vel_in(world.N), frame.ang_acc_in(world.N)
        assert world.numbers(motion.angular_velocity(frame)) == pytest.approx(world.expected(omega), abs=1e-12)
        assert world.numbers(motion.angular_acceleration(frame)) == pytest.approx(world.expected(alpha), abs=1e-11)
        own = world.sample.vector(motion.angular_acceleration_in(frame))
        assert world.numbers({frame: tuple(map(motion._graph.constant, own))}) == pytest.approx(
            world.expected(alpha), abs=1e-11
        )
    assert motion.angular_velocity(world.N) == {}


def test_speeds_of_the_users_choice(world: World) -> None:
    """An angular velocity written in motion variables is used as it is, not the rate of the rotation matrix."""
    N, origin = world.N, world.origin
    A = N.orientnew("A", "Body", [q[0], q[1], q[2]], "312")
    A.set_ang_vel(N, u[0] * A.x + u[1] * A.y + u[2] * A.z)
    P = origin.locatenew("P", length * A.x + A.y)
    P.v2pt_theory(origin, N, A)
    motion = world.motion(P)
    assert world.numbers(motion.angular_velocity(A)) == pytest.approx(world.expected(A.ang_vel_in(N)), abs=1e-12)
    assert world.numbers(motion.velocity(P)) == pytest.approx(world.expected(P.vel(N)), abs=1e-12)
    omega = np.array(world.numbers(motion.angular_velocity(A)))
    arm = np.array(world.expected(P.pos_from(origin)))
    assert world.numbers(motion.velocity(P)) == pytest.approx(np.cross(omega, arm), abs=1e-12)
    # w' in the body frame is zero for constant u, hence alpha = w x w = 0 and a = w x (w x r)
    assert world.numbers(motion.angular_acceleration(A)) == pytest.approx([0, 0, 0], abs=1e-12)
    centripetal = np.cross(omega, np.cross(omega, arm))
    assert world.numbers(motion.acceleration(P)) == pytest.approx(centripetal, abs=1e-12)


def test_a_contact_point_keeps_its_own_velocity(world: World) -> None:
    """A velocity that is not the rate of the position is the user's word, and its bias is the velocity's rate."""
    N, origin = world.N, world.origin
    A = N.orientnew("A", "Axis", [q[0], N.z])
    C = origin.locatenew("C", q[1] * N.x)
    C.set_vel(N, 0)
    P = C.locatenew("P", length * A.y)
    P.set_vel(N, -length * u[0] * A.x)
    motion = world.motion(origin, C, P)
    assert world.numbers(motion.velocity(C)) == [0.0] * 3
    assert world.numbers(motion.acceleration(C)) == pytest.approx([0.0] * 3)
    agree(world, motion, P)
    arm = world.numbers(motion.between(origin, P))
    assert arm == pytest.approx(world.expected(P.pos_from(origin)), abs=1e-12)


def test_frames_that_have_an_angular_velocity_only(world: World) -> None:
    """A wheel's frame may turn without an orientation."""
    N, origin = world.N, world.origin
    A = N.orientnew("A", "Axis", [q[0], N.z])
    W = ReferenceFrame("W")
    W.set_ang_vel(A, u[3] * A.y)
    P = origin.locatenew("P", length * A.x)
    motion = world.motion(P)
    found = world.sample.vector(motion.angular_velocity_in(W, A))
    assert found == pytest.approx([0.0, U[3], U[0]])
    # alpha = w_A x (u3 a_y) = -u0 u3 a_x
    alpha = world.sample.vector(world.frames.express(motion.angular_acceleration(W), A))
    assert alpha == pytest.approx([-U[0] * U[3], 0.0, 0.0])


def test_vectors_between_points(world: World) -> None:
    """Arms summed along the way, between branches too."""
    _, (P, R, S, T) = branches(world)
    motion = world.motion(P, R, S, T)
    for start in (world.origin, P, R, S, T):
        for end in (world.origin, R, T):
            found = world.numbers(motion.between(start, end))
            assert found == pytest.approx(world.expected(end.pos_from(start)), abs=1e-12)
    assert set(motion.neighbours(P)) == {world.origin, R, S}


def test_neighbours_share_their_motion(world: World) -> None:
    """A long chain costs in proportion to its length: each link adds to its neighbour's velocity."""
    from eomc.passes.cost import cost

    costs = []
    for links in (5, 10):
        world = World()
        frame, point, points = world.N, world.origin, []
        for i in range(links):
            frame = frame.orientnew(f"F{i}", "Axis", [q[i % 6], frame.z if i % 2 else frame.x])
            point = point.locatenew(f"P{i}", length * frame.y)
            points.append(point)
        motion = world.motion(*points)
        nodes = [x for p in points for piece in motion.velocity(p).values() for x in piece]
        costs.append(cost(motion._graph, nodes))
    assert costs[1] < 2.6 * costs[0]


def test_what_is_missing_is_named(world: World) -> None:
    """A frame without rotation or angular velocity, a point without velocity: what, where, what to do."""
    N, origin = world.N, world.origin
    loose = ReferenceFrame("Loose")
    motion = world.motion(origin)
    with pytest.raises(ModelError, match="frame Loose has no angular velocity in N: orient it or call set_ang_vel"):
        motion.angular_velocity(loose)
    adrift = Point("X")
    with pytest.raises(ModelError, match=r"point X has no velocity in N: call X.set_vel\(N, ...\)"):
        world.motion(adrift)
    P = origin.locatenew("P", length * loose.x)
    with pytest.raises(ModelError, match="frame Loose has no orientation in N: orient it"):
        world.motion(origin, P)
    assert N is world.N


def test_vectors_as_numbers_are_their_inertial_components(world: World) -> None:
    """Velocities and spins as numbers are those of the graph, and no number is larger than its size."""
    frames, points = branches(world)
    motion = world.motion(*points)
    for vector in (*map(motion.velocity, points), *map(motion.angular_velocity, frames)):
        numbers = motion.numbers(world.sample)(vector)
        assert [value for value, _ in numbers] == pytest.approx(world.numbers(vector), abs=1e-12)
        assert all(abs(value) <= size < 1e3 for value, size in numbers)
