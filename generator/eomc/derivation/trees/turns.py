"""Rotations that are cheap to apply: turns about one of three axes, permutations of axes, and general ones.

A rotation R takes components in the axes of a child to those in the axes of its parent, v_parent = R v_child. It is
kept as factors, the parent's first: a vector passes a turn about an axis with 4 multiplications, a symmetric tensor
with 8, a permutation for nothing, where the product of both would take 8 and more than 20.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeAlias

from eomc.derivation.trees.tensors import PAIRS, Symmetric, transposed
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, Matrix, apply, dot, matrix_of_rows


class Turn(Protocol):
    """One factor of a rotation."""

    def out(self, v: Components) -> Components:
        """Return components in the parent's axes."""

    def into(self, v: Components) -> Components:
        """Return components in the child's axes."""

    def symmetric_out(self, a: Symmetric) -> Symmetric:
        """Return R a R^T."""

    def matrix_out(self, a: Matrix) -> Matrix:
        """Return R a R^T."""

    def on(self, graph: Graph) -> Turn:
        """Return the same on a copy of the graph."""


Rotation: TypeAlias = tuple[Turn, ...]
"""Factors of a rotation, the parent's first; none: the axes are the same."""


def out(rotation: Sequence[Turn], v: Components) -> Components:
    """Return components in the parent's axes, R v."""
    for turn in reversed(rotation):
        v = turn.out(v)
    return v


def into(rotation: Sequence[Turn], v: Components) -> Components:
    """Return components in the child's axes, R^T v."""
    for turn in rotation:
        v = turn.into(v)
    return v


def symmetric_out(rotation: Sequence[Turn], a: Symmetric) -> Symmetric:
    """Return R a R^T."""
    for turn in reversed(rotation):
        a = turn.symmetric_out(a)
    return a


def matrix_out(rotation: Sequence[Turn], a: Matrix) -> Matrix:
    """Return R a R^T."""
    for turn in reversed(rotation):
        a = turn.matrix_out(a)
    return a


def apply_to_matrix(rotation: Sequence[Turn], a: Matrix) -> Matrix:
    """Return R a."""
    x, y, z = (out(rotation, column) for column in transposed(a))
    return transposed((x, y, z))


def on(graph: Graph, rotation: Rotation) -> Rotation:
    """Return the same rotation on a copy of the graph."""
    return tuple(turn.on(graph) for turn in rotation)


def matrix_of(graph: Graph, rotation: Sequence[Turn]) -> Matrix:
    """Return R."""
    one, zero = graph.one, graph.zero
    columns = [out(rotation, unit) for unit in ((one, zero, zero), (zero, one, zero), (zero, zero, one))]
    return transposed((columns[0], columns[1], columns[2]))


@dataclass(frozen=True)
class AxisTurn:
    """A turn about the axis 0, 1 or 2 by an angle with this cosine and sine."""

    graph: Graph
    axis: int
    cos: Node
    sin: Node

    @classmethod
    def by(cls, graph: Graph, axis: int, angle: Node) -> AxisTurn:
        """Return the turn by an angle."""
        return cls(graph, axis, graph.unary(Op.COS, angle), graph.unary(Op.SIN, angle))

    @property
    def _others(self) -> tuple[int, int]:
        return (self.axis + 1) % 3, (self.axis + 2) % 3

    def on(self, graph: Graph) -> AxisTurn:
        """Return the same on a copy of the graph."""
        return replace(self, graph=graph)

    def out(self, v: Components) -> Components:
        """Return components in the parent's axes."""
        g, (i, j) = self.graph, self._others
        turned = list(v)
        turned[i] = g.sub(g.mul(self.cos, v[i]), g.mul(self.sin, v[j]))
        turned[j] = g.add(g.mul(self.sin, v[i]), g.mul(self.cos, v[j]))
        return turned[0], turned[1], turned[2]

    def into(self, v: Components) -> Components:
        """Return components in the child's axes."""
        g, (i, j) = self.graph, self._others
        turned = list(v)
        turned[i] = g.add(g.mul(self.cos, v[i]), g.mul(self.sin, v[j]))
        turned[j] = g.sub(g.mul(self.cos, v[j]), g.mul(self.sin, v[i]))
        return turned[0], turned[1], turned[2]

    @cached_property
    def _twice_cos(self) -> Node:
        return self.graph.add(self.cos, self.cos)

    def symmetric_out(self, a: Symmetric) -> Symmetric:
        """Return R a R^T: with t = s (a_xx - a_yy) + 2 c a_xy about z, a_xx - s t, a_yy + s t and c t - a_xy."""
        g, k, (i, j) = self.graph, self.axis, self._others
        across = a(i, j)
        t = g.add(g.mul(self.sin, g.sub(a(i, i), a(j, j))), g.mul(self._twice_cos, across))
        moved = g.mul(self.sin, t)
        towards = self.out(a.row(k))
        entries = {
            (i, i): g.sub(a(i, i), moved),
            (j, j): g.add(a(j, j), moved),
            (k, k): a(k, k),
            (i, j): g.sub(g.mul(self.cos, t), across),
            (i, k): towards[i],
            (j, k): towards[j],
        }
        return Symmetric(*(entries[p] if p in entries else entries[p[::-1]] for p in PAIRS))

    def matrix_out(self, a: Matrix) -> Matrix:
        """Return R a R^T: with t = s (a_xx - a_yy) + c (a_xy + a_yx) about z, as for symmetric ones."""
        g, k, (i, j) = self.graph, self.axis, self._others
        t = g.add(g.mul(self.sin, g.sub(a[i][i], a[j][j])), g.mul(self.cos, g.add(a[i][j], a[j][i])))
        moved, kept = g.mul(self.sin, t), g.mul(self.cos, t)
        row, column = self.out(a[k]), self.out((a[0][k], a[1][k], a[2][k]))
        entries = {
            (i, i): g.sub(a[i][i], moved),
            (j, j): g.add(a[j][j], moved),
            (i, j): g.sub(kept, a[j][i]),
            (j, i): g.sub(kept, a[i][j]),
            (k, k): a[k][k],
            (k, i): row[i],
            (k, j): row[j],
            (i, k): column[i],
            (j, k): column[j],
        }
        rows = [(entries[p, 0], entries[p, 1], entries[p, 2]) for p in range(3)]
        return rows[0], rows[1], rows[2]


@dataclass(frozen=True)
class Permutation:
    """Axes that change names and signs: component i in the parent's axes is signs[i] times component places[i]."""

    graph: Graph
    places: tuple[int, int, int]
    signs: tuple[int, int, int]

    def _signed(self, sign: int, node: Node) -> Node:
        return node if sign > 0 else self.graph.neg(node)

    def on(self, graph: Graph) -> Permutation:
        """Return the same on a copy of the graph."""
        return replace(self, graph=graph)

    def out(self, v: Components) -> Components:
        """Return components in the parent's axes."""
        x, y, z = (self._signed(sign, v[place]) for place, sign in zip(self.places, self.signs, strict=True))
        return x, y, z

    def into(self, v: Components) -> Components:
        """Return components in the child's axes."""
        turned = [self.graph.zero] * 3
        for i, (place, sign) in enumerate(zip(self.places, self.signs, strict=True)):
            turned[place] = self._signed(sign, v[i])
        return turned[0], turned[1], turned[2]

    def symmetric_out(self, a: Symmetric) -> Symmetric:
        """Return R a R^T."""
        p, s = self.places, self.signs
        return Symmetric(*(self._signed(s[i] * s[j], a(p[i], p[j])) for i, j in PAIRS))

    def matrix_out(self, a: Matrix) -> Matrix:
        """Return R a R^T."""
        p, s = self.places, self.signs
        return matrix_of_rows([self._signed(s[i] * s[j], a[p[i]][p[j]]) for j in range(3)] for i in range(3))


@dataclass(frozen=True)
class MatrixTurn:
    """A rotation by its nine entries."""

    graph: Graph
    matrix: Matrix

    @cached_property
    def _transposed(self) -> Matrix:
        return transposed(self.matrix)

    def on(self, graph: Graph) -> MatrixTurn:
        """Return the same on a copy of the graph."""
        return replace(self, graph=graph)

    def out(self, v: Components) -> Components:
        """Return components in the parent's axes."""
        return apply(self.graph, self.matrix, v)

    def into(self, v: Components) -> Components:
        """Return components in the child's axes."""
        return apply(self.graph, self._transposed, v)

    def symmetric_out(self, a: Symmetric) -> Symmetric:
        """Return R a R^T; the last entry of its diagonal by the trace, which a rotation keeps."""
        g, rows = self.graph, self.matrix
        half = [apply(g, (a.row(0), a.row(1), a.row(2)), row) for row in rows]  # rows of R a
        xx, yy, xy, xz, yz = (dot(g, half[i], rows[j]) for i, j in ((0, 0), (1, 1), (0, 1), (0, 2), (1, 2)))
        zz = g.add(g.sub(a.xx, xx), g.add(g.sub(a.yy, yy), a.zz))
        return Symmetric(xx, yy, zz, xy, xz, yz)

    def matrix_out(self, a: Matrix) -> Matrix:
        """Return R a R^T."""
        g, columns = self.graph, transposed(a)
        return matrix_of_rows([dot(g, apply(g, columns, row), other) for other in self.matrix] for row in self.matrix)
