"""Vectors in pieces: expressed in any frame they are what SymPy's express says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.vector import ReferenceFrame, Vector

from eomc.errors import ModelError
from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.lowering.vectors import FrameTree, add, cross, dot, minus, scale

ANGLES = sympy.symbols("a0:8", real=True)
VALUES = np.random.default_rng(5).uniform(-3, 3, size=8)


class World:
    """A tree of frames: N - A - B - C, a branch A - D - E, a branch N - F, a quaternion frame G on F."""

    def __init__(self) -> None:
        a = ANGLES
        self.N = ReferenceFrame("N")
        self.A = self.N.orientnew("A", "Axis", [a[0], self.N.z])
        self.B = self.A.orientnew("B", "Axis", [a[1], self.A.x + 2 * self.A.y])
        self.C = self.B.orientnew("C", "Body", [a[2], a[3], a[4]], "312")
        self.D = self.A.orientnew("D", "Space", [a[5], a[6], a[0]], "123")
        self.E = self.D.orientnew("E", "Axis", [a[7], self.D.y])
        self.F = self.N.orientnew("F", "Axis", [a[3] + a[4], self.N.x])
        half = a[6] / 2
        self.G = self.F.orientnew("G", "Quaternion", [sympy.cos(half), 0, sympy.sin(half), 0])
        self.frames = [self.N, self.A, self.B, self.C, self.D, self.E, self.F, self.G]
        self.graph = Graph()
        roles = [Symbol(Role.STATE, i, str(s)) for i, s in enumerate(ANGLES)]
        self.scalars = ScalarLowering(self.graph, {s: self.graph.symbol(r) for s, r in zip(ANGLES, roles, strict=True)})
        self.tree = FrameTree(self.graph, self.scalars, self.N)
        self.sample = Sample(self.graph, dict(zip(roles, VALUES.tolist(), strict=True)))


@pytest.fixture(scope="module")
def world() -> World:
    """Return the tree of frames."""
    return World()


def numbers(vector: Vector, frame: Any) -> list[float]:
    """Return SymPy's components at the sample."""
    at = dict(zip(ANGLES, VALUES.tolist(), strict=True))
    return [float(component.subs(at).evalf()) for component in vector.to_matrix(frame)]


def test_every_frame_in_every_other(world: World) -> None:
    """Chains, branches and both directions: a vector of one frame has SymPy's components in the other."""
    rotations = {frame: np.array(numbers_of(world.N.dcm(frame))) for frame in world.frames}
    for source in world.frames:
        vector = ANGLES[1] * source.x - 2 * source.y + sympy.sin(ANGLES[2]) * source.z
        pieces = world.tree.lower(vector)
        assert list(pieces) == [source]
        inertial = rotations[source] @ np.array([VALUES[1], -2.0, np.sin(VALUES[2])])
        for target in world.frames:
            found = world.sample.vector(world.tree.express(pieces, target))
            assert found == pytest.approx(rotations[target].T @ inertial, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("target", ["N", "B"])
def test_sums_of_pieces_meet_on_the_way(world: World, target: str) -> None:
    """A vector in pieces of many frames is the sum of its pieces."""
    vector = sum(((i + 1) * f.x + ANGLES[i] * f.z for i, f in enumerate(world.frames)), Vector(0))
    frame = getattr(world, target)
    found = world.sample.vector(world.tree.express(world.tree.lower(vector), frame))
    assert found == pytest.approx(numbers(vector, frame), rel=1e-11, abs=1e-11)


def test_pieces_move_once_along_a_shared_path(world: World) -> None:
    """Two pieces in one branch are added before they are moved: a rotation is paid once per neighbour."""
    tree, graph = world.tree, world.graph
    one, two = tree.lower(ANGLES[1] * world.C.x), tree.lower(ANGLES[2] * world.B.y)
    tree.express(one, world.N), tree.express(two, world.N)
    together = tree.express(add(graph, one, two), world.N)
    apart = [graph.add(a, b) for a, b in zip(tree.express(one, world.N), tree.express(two, world.N), strict=True)]
    assert len(graph.reachable(together)) < len(graph.reachable(apart))


def test_paths_and_depths(world: World) -> None:
    """Neighbour by neighbour, through the meeting point of both branches."""
    tree = world.tree
    assert tree.path(world.C, world.E) == [world.C, world.B, world.A, world.D, world.E]
    assert tree.path(world.N, world.G) == [world.N, world.F, world.G]
    assert tree.path(world.G, world.C) == [world.G, world.F, world.N, world.A, world.B, world.C]
    assert tree.path(world.D, world.D) == [world.D]
    assert [tree.depth(f) for f in world.frames] == [0, 1, 2, 3, 2, 3, 1, 2]
    assert tree.deepest([world.N, world.B, world.D]) is world.B
    assert tree.deepest([]) is world.N


def test_rotations_are_sympys_neighbour_matrices(world: World) -> None:
    """Back and forth are transposes, made once."""
    there = world.tree.neighbour_rotation(world.A, world.B)
    back = world.tree.neighbour_rotation(world.B, world.A)
    assert tuple(zip(*there, strict=True)) == back
    matrix = np.array([world.sample.vector(row) for row in there])
    assert matrix == pytest.approx(np.array(numbers_of(world.A.dcm(world.B))))
    assert matrix @ matrix.T == pytest.approx(np.eye(3))


def numbers_of(matrix: sympy.Matrix) -> list[list[float]]:
    at = dict(zip(ANGLES, VALUES.tolist(), strict=True))
    return [[float(e) for e in row] for row in matrix.subs(at).evalf().tolist()]


def test_products_are_sympys(world: World) -> None:
    """Dot, cross, scaling, sum and difference of components."""
    a, b = ANGLES[0] * world.A.x + 2 * world.A.y - world.A.z, world.A.x - ANGLES[3] * world.A.z
    graph, tree = world.graph, world.tree
    u, v = tree.lower(a)[world.A], tree.lower(b)[world.A]
    at = dict(zip(ANGLES, VALUES.tolist(), strict=True))
    assert world.sample[dot(graph, u, v)] == pytest.approx(float(a.dot(b).subs(at)))
    assert world.sample.vector(cross(graph, u, v)) == pytest.approx(numbers(a.cross(b), world.A))
    assert world.sample.vector(scale(graph, u[1], v)) == pytest.approx(numbers(2 * b, world.A))
    assert world.sample.vector(minus(graph, u, v)) == pytest.approx(numbers(a - b, world.A))
    total = add(graph, {world.A: u}, {world.A: v, world.B: u})
    assert world.sample.vector(total[world.A]) == pytest.approx(numbers(a + b, world.A))
    assert total[world.B] == u


def test_the_zero_vector_has_no_pieces(world: World) -> None:
    """None, 0 and Vector(0) are all nothing, and express to literal zeros."""
    for nothing in (None, 0, Vector(0), world.N.x * 0):
        assert world.tree.lower(nothing) == {}
    assert world.tree.express({}, world.C) == (world.graph.zero,) * 3
    assert world.tree.express({world.C: (world.graph.zero,) * 3}, world.N) == (world.graph.zero,) * 3


def test_a_frame_without_orientation_is_named(world: World) -> None:
    """The message says what to do."""
    loose = ReferenceFrame("Loose")
    assert loose not in world.tree
    assert world.E in world.tree
    with pytest.raises(ModelError, match=r"frame Loose has no orientation in N: orient it"):
        world.tree.express(world.tree.lower(loose.x), world.N)


def test_long_chains_do_not_recurse() -> None:
    """More frames than Python has stack, in a row; the middle is reached from both ends."""
    graph = Graph()
    angle = sympy.Symbol("q")
    role = Symbol(Role.STATE, 0, "q")
    first = ReferenceFrame("F0")
    frames = [first]
    matrix = sympy.Matrix([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    for i in range(1, 1050):
        frame = ReferenceFrame(f"F{i}")
        # what orient_axis would store, without its walk over the whole tree
        frame._dcm_dict[frames[-1]], frames[-1]._dcm_dict[frame] = matrix, matrix.T
        frames.append(frame)
    tree = FrameTree(graph, ScalarLowering(graph, {angle: graph.symbol(role)}), first)
    found = tree.express(tree.lower(angle * frames[-1].y), first)
    turns = 1049 % 4
    expected = {0: [0, 1, 0], 1: [0, 0, 1], 2: [0, -1, 0], 3: [0, 0, -1]}[turns]
    assert Sample(graph, {role: 1.0}).vector(found) == expected


def test_what_cancels_along_shared_axes(world: World) -> None:
    """Opposite pieces along the axis of the turn between them; SymPy's components of the sum tell which they are."""
    turning = ANGLES[1]
    for frames in ((world.A, world.N), (world.F, world.N), (world.B, world.A), (world.E, world.D)):
        for axis in ("x", "y", "z"):
            first, second = (getattr(frame, axis) for frame in frames)
            for vector in (turning * first - turning * second, turning * first + turning * second):
                expected = all(abs(number) < 1e-12 for number in numbers(vector, world.N))
                assert world.tree.cancels(world.tree.lower(vector)) == expected
    assert not world.tree.cancels(world.tree.lower(turning * world.A.z - turning * world.N.z + turning * world.N.x))
    assert world.tree.cancels({})
