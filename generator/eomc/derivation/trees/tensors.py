"""Symmetric and general tensors of 3 x 3 nodes, written once for all recursions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, Matrix, matrix_of_rows, plus, three

AXES = range(3)


class Symmetric(NamedTuple):
    """The six entries of a symmetric tensor."""

    xx: Node
    yy: Node
    zz: Node
    xy: Node
    xz: Node
    yz: Node

    def __call__(self, i: int, j: int) -> Node:
        """Return an entry by its row and column."""
        return self[_PLACES[i][j]]

    def row(self, i: int) -> Components:
        """Return a row, which is a column too."""
        a, b, c = _PLACES[i]
        return self[a], self[b], self[c]


_PLACES = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""The places of the entries of a `Symmetric`, in their order."""


def symmetric_plus(graph: Graph, a: Symmetric, b: Symmetric) -> Symmetric:
    """Return the sum of two symmetric tensors."""
    zero, add = graph.zero, graph.add
    return Symmetric(*[x if y == zero else y if x == zero else add(x, y) for x, y in zip(a, b, strict=True)])


def matrix_plus(graph: Graph, a: Matrix, b: Matrix) -> Matrix:
    """Return the sum of two matrices."""
    return matrix_of_rows(plus(graph, p, q) for p, q in zip(a, b, strict=True))


def outer_twice(graph: Graph, a: Components, b: Components) -> Symmetric:
    """Return a b^T + b a^T."""
    g, two = graph, graph.constant(2)
    diagonal = [g.mul(a[i], g.mul(two, b[i])) for i in AXES]  # b is steady where one of both is
    beside = [g.add(g.mul(a[i], b[j]), g.mul(a[j], b[i])) for i, j in PAIRS[3:]]
    return Symmetric(*diagonal, *beside)


def outer_square(graph: Graph, a: Components, factor: Node) -> Symmetric:
    """Return factor a a^T."""
    scaled = [graph.mul(factor, e) for e in a]
    return Symmetric(*(graph.mul(scaled[i], a[j]) for i, j in PAIRS))


def trace(graph: Graph, a: Symmetric) -> Node:
    """Return the sum of the diagonal."""
    return graph.add(graph.add(a.xx, a.yy), a.zz)


def cross_matrix(graph: Graph, a: Components) -> Matrix:
    """Return [a] with [a] b = a x b."""
    x, y, z = a
    zero, neg = graph.zero, graph.neg
    return (zero, neg(z), y), (z, zero, neg(x)), (neg(y), x, zero)


def transposed(a: Matrix) -> Matrix:
    """Return the transpose."""
    (p, q, r), (s, t, u), (v, w, x) = a
    return (p, s, v), (q, t, w), (r, u, x)


def apply_symmetric(graph: Graph, a: Symmetric, v: Components) -> Components:
    """Return a v."""
    g = graph
    return three(g.sum(map(g.mul, a.row(i), v)) for i in AXES)


def no_tensor(graph: Graph) -> Symmetric:
    """Return the symmetric tensor of zeros."""
    return Symmetric(*[graph.zero] * 6)


def filled(graph: Graph, nodes: Iterable[Node]) -> int:
    """Return how many entries are no zeros."""
    return sum(node != graph.zero for node in nodes)
