"""The rows that recursions run over: one for each joint that moves, parents first, bodies in between merged away.

Links as they are given and rows as they are prepared are two lists with a constant transform between: rows serve the
dynamics, links are what a user sees. Featherstone, *Rigid Body Dynamics Algorithms* (2008), chapter 4, numbers bodies
in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import (
    Moments,
    carried,
    moments_about_origin,
    moments_of_body,
    moments_plus,
    no_moments,
)
from eomc.derivation.trees.tensors import PAIRS, Symmetric
from eomc.derivation.trees.turns import Rotation
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, Matrix, apply, plus, three
from eomc.model.trees.records import Entry, Joint, JointKind, Link

GROUND = -1
"""The parent of a row that is carried by the root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A joint that moves and what moves with it, in nodes of constants and parameters.

    Attributes
    ----------
    parent
        The row that carries it, or `GROUND`.
    rotation, offset
        At the zero position: v_parent = rotation v_row, and the origin in the parent's frame.
    axis
        Of a revolute or prismatic joint, in axes of the row.
    zero
        Cosine and sine of the angle that a revolute joint has, for the row, where its coordinate is zero.
    outer
        The axes of the position that a free joint has as coordinates: v_parent = outer v_given.
    turns, zero_angle
        The rotation in factors, and the angle where the coordinate is zero, where they differ from those of branches
        that are alike (`siblings`); None: as the others tell.
    moments
        Of all that moves with the row; regrouped ones are not those of a body that can be.
    least
        What the inertia along each rate is never below, whatever hangs on the row; 0, or no entry: that is not known.
    least_of_parameters
        The same of a joint of one rate where it is no number, in long rows; None elsewhere.
    """

    name: str  # of the joint
    kind: JointKind
    parent: int
    rotation: Matrix
    offset: Components
    axis: Components
    moments: Moments
    armature: Node
    zero: tuple[Node, Node]
    outer: Matrix
    turns: Rotation | None = None
    zero_angle: Node | None = None
    least: tuple[float, ...] = ()
    least_of_parameters: Node | None = None

    def fixed(self, graph: Graph) -> Rotation:
        """Return the factors of the rotation."""
        return factors(graph, self.rotation) if self.turns is None else self.turns


@dataclass(frozen=True, slots=True)
class Place:
    """Where the frame of a link is: v_row = rotation v_link, and its origin in the frame of the row."""

    row: int
    rotation: Matrix
    origin: Components


@dataclass(frozen=True, slots=True)
class TreeRows:
    """Rows, the places of all links in them, and the moments that reached the ground, in its frame."""

    rows: tuple[Row, ...]
    places: Mapping[str, Place]
    grounded: Moments

    def children(self) -> list[list[int]]:
        """Return the rows that each row carries."""
        carried_by: list[list[int]] = [[] for _ in self.rows]
        for i, row in enumerate(self.rows):
            if row.parent != GROUND:
                carried_by[row.parent].append(i)
        return carried_by

    def longest(self) -> int:
        """Return how many rows are between the ground and the row that is farthest from it, that among them."""
        depths: list[int] = []
        for row in self.rows:
            depths.append(1 + (0 if row.parent == GROUND else depths[row.parent]))
        return max(depths, default=0)


def identity(graph: Graph) -> Matrix:
    """Return the matrix of one."""
    one, zero = graph.one, graph.zero
    return (one, zero, zero), (zero, one, zero), (zero, zero, one)


def matrix_product(graph: Graph, a: Matrix, b: Matrix) -> Matrix:
    """Return a b."""
    own = identity(graph)
    if a == own:
        return b
    if b == own:
        return a
    columns = [apply(graph, a, (b[0][j], b[1][j], b[2][j])) for j in range(3)]
    x, y, z = ((columns[0][i], columns[1][i], columns[2][i]) for i in range(3))
    return x, y, z


def list_rows(
    graph: Graph, scalars: Callable[[Entry], Node], links: Sequence[Link], joints: Sequence[Joint]
) -> TreeRows:
    """Return the rows of links and joints, bodies without relative motion merged.

    Parameters
    ----------
    graph, scalars
        The graph and the conversion of entries to it.
    links
        All, the root first.
    joints
        In an order in which what carries a joint comes before it.
    """
    zero, by_name = graph.zero, {link.name: link for link in links}
    places = {links[0].name: Place(GROUND, identity(graph), (zero, zero, zero))}
    rows: list[Row] = []
    moments = {GROUND: _moments_of(graph, scalars, links[0])}
    for joint in joints:
        carrier = places[joint.parent]
        given = tuple(three(map(scalars, row)) for row in joint.rotation)
        rotation = matrix_product(graph, carrier.rotation, (given[0], given[1], given[2]))
        offset = plus(graph, carrier.origin, apply(graph, carrier.rotation, three(map(scalars, joint.offset))))
        body = _moments_of(graph, scalars, by_name[joint.child])
        if joint.kind is JointKind.FIXED:
            places[joint.child] = Place(carrier.row, rotation, offset)
            moved = carried(graph, factors(graph, rotation), offset, body)
            moments[carrier.row] = moments_plus(graph, moments[carrier.row], moved)
            continue
        places[joint.child] = Place(len(rows), identity(graph), (zero, zero, zero))
        moments[len(rows)] = body
        rows.append(
            Row(
                name=joint.name,
                kind=joint.kind,
                parent=carrier.row,
                rotation=rotation,
                offset=offset,
                axis=three(map(scalars, joint.axis)),
                moments=no_moments(graph),
                armature=scalars(joint.armature),
                zero=(graph.one, zero),
                outer=carrier.rotation,
            )
        )
    complete = tuple(replace(row, moments=moments[i]) for i, row in enumerate(rows))
    return TreeRows(complete, places, moments[GROUND])


def _moments_of(graph: Graph, scalars: Callable[[Entry], Node], link: Link) -> Moments:
    first, tensor = link.moments or (link.centre, link.inertia)
    inertia = Symmetric(*(scalars(tensor[i][j]) for i, j in PAIRS))
    make = moments_of_body if link.moments is None else moments_about_origin
    return make(graph, scalars(link.mass), three(map(scalars, first)), inertia)
