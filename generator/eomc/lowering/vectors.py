"""Vectors as sums of components in several frames, and the tree of frames that turns one into another.

A vector is kept as the user gave it, in pieces, each in its own frame: ``{A: (0, l1 u1, 0), B: (0, l2 u2, 0)}``. It is
expressed in one frame only where a dot or cross product needs that, by moving the pieces from neighbour to neighbour
and adding on the way; equal partial results of different bodies are then the same node.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sympy import S

from eomc.errors import ModelError
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.remembered import remembered
from eomc.lowering.scalars import ScalarLowering
from eomc.model.geometry import paths_to
from eomc.model.sympy_private import Frame, entries, orientations

Components: TypeAlias = tuple[Node, Node, Node]
Matrix: TypeAlias = tuple[Components, Components, Components]
VectorSum: TypeAlias = Mapping[Frame, Components]

# Most components are zero, and asking for that here takes less than a call of the graph for each.


def dot(graph: Graph, a: Components, b: Components) -> Node:
    """Return a . b of components in one frame."""
    (x, y, z), (u, v, w), zero = a, b, graph.zero
    total = graph.mul(x, u) if x != zero and u != zero else zero
    if y != zero and v != zero:
        product = graph.mul(y, v)
        total = product if total == zero else graph.add(total, product)
    if z != zero and w != zero:
        product = graph.mul(z, w)
        total = product if total == zero else graph.add(total, product)
    return total


def cross(graph: Graph, a: Components, b: Components) -> Components:
    """Return a x b of components in one right-handed frame."""
    (x, y, z), (u, v, w), zero = a, b, graph.zero
    if x == y == u == v == zero:  # both along z, as in a plane
        return zero, zero, zero
    return _minor(graph, y, w, z, v), _minor(graph, z, u, x, w), _minor(graph, x, v, y, u)


def cross_entry(graph: Graph, a: Components, b: Components, axis: int) -> Node:
    """Return one component of a x b."""
    i, j = _NEXT[axis]
    return _minor(graph, a[i], b[j], a[j], b[i])


_NEXT = ((1, 2), (2, 0), (0, 1))


def _minor(graph: Graph, a: Node, b: Node, c: Node, d: Node) -> Node:
    """Return a b - c d."""
    zero = graph.zero
    first = graph.mul(a, b) if a != zero and b != zero else zero
    return graph.sub(first, graph.mul(c, d)) if c != zero and d != zero else first


def scale(graph: Graph, factor: Node, a: Components) -> Components:
    """Return the product of a scalar and components."""
    (x, y, z), zero, mul = a, graph.zero, graph.mul
    return x if x == zero else mul(factor, x), y if y == zero else mul(factor, y), z if z == zero else mul(factor, z)


def plus(graph: Graph, a: Components, b: Components) -> Components:
    """Return a + b of components in one frame."""
    (x, y, z), (u, v, w), zero, add = a, b, graph.zero, graph.add
    if u == v == w == zero:
        return a
    if x == y == z == zero:
        return b
    return x if u == zero else add(x, u), y if v == zero else add(y, v), z if w == zero else add(z, w)


def minus(graph: Graph, a: Components, b: Components) -> Components:
    """Return a - b of components in one frame."""
    (x, y, z), (u, v, w), zero, sub = a, b, graph.zero, graph.sub
    return x if u == zero else sub(x, u), y if v == zero else sub(y, v), z if w == zero else sub(z, w)


def each(function: Callable[[Node], Node], a: Components) -> Components:
    """Return a function of each component."""
    return function(a[0]), function(a[1]), function(a[2])


def components(vector: VectorSum) -> Iterator[Node]:
    """Return the components of all pieces."""
    return itertools.chain.from_iterable(vector.values())


def three(nodes: Iterable[Node]) -> Components:
    """Return three nodes as components."""
    x, y, z = nodes
    return x, y, z


def matrix_of_rows(rows: Iterable[Sequence[Node]]) -> Matrix:
    """Return three rows of three nodes as a matrix."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return (a, b, c), (d, e, f), (g, h, i)


def add(graph: Graph, *vectors: VectorSum) -> dict[Frame, Components]:
    """Return the sum of vectors, piece by piece, from left to right."""
    total: dict[Frame, Components] = {}
    for vector in vectors:
        for frame, piece in vector.items():
            have = total.get(frame)
            total[frame] = piece if have is None else plus(graph, have, piece)
    return total


def apply(graph: Graph, matrix: Matrix, a: Components) -> Components:
    """Return the product of a 3 x 3 matrix and components."""
    return dot(graph, matrix[0], a), dot(graph, matrix[1], a), dot(graph, matrix[2], a)


def fixed_axis(graph: Graph, rotation: Matrix) -> int | None:
    """Return the axis (0, 1 or 2) that a rotation matrix leaves alone, None if there is none."""
    zero, one = graph.zero, graph.one
    units = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    return next((axis for axis, unit in enumerate(units) if rotation[axis] == unit), None)


def are_opposite(graph: Graph, x: Node, y: Node) -> bool:
    """Whether one node is the other with another sign, as it stands."""
    return any(graph.ops[a] is Op.NEG and graph.args[a][0] == b for a, b in ((x, y), (y, x)))


class FrameTree:
    """The frames that are joined by rotations, with their rotation matrices on the graph.

    Parameters
    ----------
    graph, scalars
        The graph and the conversion of scalars to it.
    root
        The inertial frame.
    used
        The frames that the mechanism has; a frame beside it, for drawing, is not looked at. None: all.
    """

    def __init__(
        self, graph: Graph, scalars: ScalarLowering, root: Frame, used: Collection[Frame] | None = None
    ) -> None:
        self.root = root
        self._graph = graph
        self._scalars = scalars
        self._towards: dict[Frame, Frame] = paths_to(root, orientations)  # frame -> neighbour nearer to the root
        self._inner = {inner for frame, inner in self._towards.items() if used is None or frame in used}
        self._matrices: dict[tuple[Frame, Frame], Matrix] = {}
        self._carriers: dict[Frame, tuple[Frame, int]] = {}
        self._depth: dict[Frame, int] = {}
        for frame, inner in self._towards.items():  # what is nearer to the root comes first
            self._depth[frame] = self._depth.get(inner, -1) + 1

    def __contains__(self, frame: Frame) -> bool:
        """Whether the frame's orientation is known."""
        return frame in self._towards

    def depth(self, frame: Frame) -> int:
        """Return the number of rotations between a frame and the inertial frame."""
        if frame not in self._depth:
            raise ModelError(f"frame {frame.name} has no orientation in {self.root.name}: orient it")
        return self._depth[frame]

    @remembered
    def path(self, start: Frame, end: Frame) -> list[Frame]:
        """Return the frames from `start` to `end`, both included, neighbour by neighbour."""
        up, down = [start], [end]
        while self.depth(up[-1]) > self.depth(down[-1]):
            up.append(self._towards[up[-1]])
        while self.depth(down[-1]) > self.depth(up[-1]):
            down.append(self._towards[down[-1]])
        while up[-1] is not down[-1]:
            up.append(self._towards[up[-1]])
            down.append(self._towards[down[-1]])
        return up + down[-2::-1]

    def neighbour_rotation(self, frame: Frame, neighbour: Frame) -> Matrix:
        """Return C with v_frame = C v_neighbour for frames joined by one rotation."""
        key = (frame, neighbour)
        found = self._matrices.get(key)
        if found is None:
            a, b, c, d, e, f, g, h, i = self._lowered(orientations(frame)[neighbour])
            found = self._matrices[key] = ((a, b, c), (d, e, f), (g, h, i))
            self._matrices[neighbour, frame] = ((a, d, g), (b, e, h), (c, f, i))
        return found

    @remembered
    def _turned(self, frame: Frame, neighbour: Frame, a: Components) -> Components:
        """Return components in `frame` of what is given in a neighbour; pieces that bodies share are moved once."""
        return apply(self._graph, self.neighbour_rotation(frame, neighbour), a)

    @remembered
    def _sum(self, a: Components, b: Components) -> Components:
        return plus(self._graph, a, b)

    def express(self, vector: VectorSum, frame: Frame) -> Components:
        """Return the components of a vector in one frame, pieces moved from the farthest frame inwards."""
        zero = self._graph.zero
        none = (zero, zero, zero)
        pieces = {source: piece for source, piece in vector.items() if piece != none}
        if not pieces or (len(pieces) == 1 and frame in pieces and frame in self._towards):
            return pieces.get(frame, none)
        if len(pieces) == 1:
            ((here, piece),) = pieces.items()
            for there in self.path(here, frame)[1:]:
                here, piece = there, self._turned(there, here, piece)
            return piece
        steps: dict[Frame, Frame] = {}
        distance: dict[Frame, int] = {}
        for source in pieces:
            path = self.path(source, frame)
            steps.update(itertools.pairwise(path))
            distance.update(zip(reversed(path), range(len(path)), strict=True))
        for here in sorted(steps, key=lambda f: -distance[f]):  # stable: ties in order of appearance
            there = steps[here]
            moved = self._turned(there, here, pieces.pop(here))
            have = pieces.get(there)
            pieces[there] = moved if have is None else self._sum(moved, have)
        return pieces.get(frame, none)

    def cancels(self, vector: VectorSum) -> bool:
        """Whether pieces along axes that frames share with those inwards are opposite in pairs; no is not sure."""
        graph, left = self._graph, dict[tuple[Frame, int], list[Node]]()
        for frame, piece in vector.items():
            path = itertools.pairwise(self.path(self.root, frame))
            turns = [(here, self.neighbour_rotation(here, there)) for there, here in path]
            filled = [axis for axis, entry in enumerate(piece) if entry != graph.zero]
            if len(filled) != 1:
                return False
            axis, carrier = filled[0], frame
            for here, matrix in reversed(turns):
                if fixed_axis(graph, matrix) != axis:
                    break
                carrier = self._towards[here]
            left.setdefault((carrier, axis), []).append(piece[axis])
        return all(len(two) == 2 and are_opposite(graph, *two) for two in left.values())

    def _lowered(self, matrix: Any) -> list[Node]:
        """Return the entries of a sympy Matrix; most are zero."""
        zero, scalars = self._graph.zero, self._scalars
        return [zero if entry is S.Zero else scalars(entry) for entry in entries(matrix)]

    def lower(self, vector: Any) -> dict[Frame, Components]:
        """Return a sympy Vector as pieces; the zero vector (or 0) has none."""
        if not vector:
            return {}
        pieces: dict[Frame, Components] = {}
        for matrix, frame in vector.args:
            x, y, z = self._lowered(matrix)
            carrier = self._carriers.get(frame)
            if carrier is not None and all(self._graph.is_zero(e) for k, e in enumerate((x, y, z)) if k != carrier[1]):
                frame = carrier[0]
            have = pieces.get(frame)
            pieces[frame] = (x, y, z) if have is None else plus(self._graph, have, (x, y, z))
        return pieces

    def carrier(self, frame: Frame) -> tuple[Frame, int] | None:
        """Return the neighbour in which an outermost frame spins, and the axis that both share; None if it does not."""
        if frame is self.root or frame not in self._towards or frame in self._inner:
            return None
        neighbour = self._towards[frame]
        axis = fixed_axis(self._graph, self.neighbour_rotation(frame, neighbour))
        return None if axis is None else (neighbour, axis)

    def write_in_carrier(self, frame: Frame) -> None:
        """Let what is lowered from now on and lies along the axis of a spinning frame be a piece in its neighbour."""
        carrier = self.carrier(frame)
        assert carrier is not None
        self._carriers[frame] = carrier

    def deepest(self, frames: Iterable[Frame]) -> Frame:
        """Return the frame farthest from the inertial frame, the first of equals."""
        return max(frames, key=self.depth, default=self.root)

    def map(self, vector: VectorSum, function: Callable[[Node], Node]) -> dict[Frame, Components]:
        """Return the vector with a function applied to every component."""
        return {frame: each(function, piece) for frame, piece in vector.items()}
