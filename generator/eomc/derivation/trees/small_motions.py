"""Small motions along the rates of joints, as combinations of the differentials of coordinates.

Of hinges and slides the coordinate is the rate's own. A quaternion e = (w, v) of any length turns about axes of the row
by 2 (w dv - v dw - v x dv) / |e|^2; three angles about the row's x, y and z turn as their rates do (`joint_rates`).
A rotation R that is given by its entries turns by R^T dR. The origin of a free joint shifts in axes of what carries it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.joints import JointMotion, Rate, quaternion_scale
from eomc.derivation.trees.moving import MovingTree
from eomc.derivation.trees.newton_euler import is_afloat
from eomc.derivation.trees.rows import Row
from eomc.derivation.trees.turns import into, out
from eomc.ir.equations import Combination
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, Matrix
from eomc.model.trees.records import JointKind


def small_motions(
    graph: Graph, moving: MovingTree, turned: Mapping[int, Matrix] = MappingProxyType({})
) -> dict[Rate, Combination]:
    """Return the small motion along each rate but those of a floating base, of whose place nothing depends.

    Parameters
    ----------
    turned
        Rotations of balls by number of the row, where these are known beside their coordinates.
    """
    found: dict[Rate, Combination] = {}
    joints = zip(moving.rows.rows, moving.motions, moving.rates, moving.coordinates, strict=True)
    for i, (row, motion, own, coordinates) in enumerate(joints):
        if i in turned:
            found.update(zip(own, _of_rotation(turned[i]), strict=True))
        elif not is_afloat(row):
            found.update(zip(own, _of_joint(graph, row, motion, coordinates), strict=True))
    return found


def _of_joint(graph: Graph, row: Row, motion: JointMotion, coordinates: Sequence[Node]) -> list[Combination]:
    if row.kind is JointKind.BALL:
        return _turns(graph, coordinates)
    if row.kind is not JointKind.FREE:
        return [((coordinates[0], graph.one),)]
    zero, one = graph.zero, graph.one
    units: tuple[Components, ...] = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    shifts = [into(motion.rotation, out(factors(graph, row.outer), unit)) for unit in units]
    along = [_combined(graph, coordinates[:3], [shift[k] for shift in shifts]) for k in range(3)]
    return [*along, *_turns(graph, coordinates[3:])]


def _turns(graph: Graph, coordinates: Sequence[Node]) -> list[Combination]:
    columns = _of_angles(graph, coordinates) if len(coordinates) == 3 else _of_quaternion(graph, coordinates)
    return [_combined(graph, coordinates, [column[k] for column in columns]) for k in range(3)]


def _combined(graph: Graph, nodes: Sequence[Node], weights: Sequence[Node]) -> Combination:
    return tuple((node, weight) for node, weight in zip(nodes, weights, strict=True) if weight != graph.zero)


def _of_rotation(rotation: Matrix) -> list[Combination]:
    """Return the turns by the entries of a rotation: R^T dR is skew, and about an axis it is one product of columns."""
    pairs = ((2, 1), (0, 2), (1, 0))
    return [tuple((row[j], row[i]) for row in rotation) for i, j in pairs]


def _of_quaternion(graph: Graph, quaternion: Sequence[Node]) -> list[Components]:
    """Return the turns by each entry."""
    g, (scale, _) = graph, quaternion_scale(graph, quaternion)
    w, x, y, z = (g.mul(scale, e) for e in quaternion)
    less = g.neg
    return [(less(x), less(y), less(z)), (w, less(z), y), (z, w, less(x)), (less(y), x, w)]


def _of_angles(graph: Graph, angles: Sequence[Node]) -> list[Components]:
    """Return the turns by each angle: R_z^T R_y^T e_x, R_z^T e_y and e_z."""
    g, (_, b, c) = graph, angles
    cos_b, sin_b = g.unary(Op.COS, b), g.unary(Op.SIN, b)
    cos_c, sin_c = g.unary(Op.COS, c), g.unary(Op.SIN, c)
    first = g.mul(cos_c, cos_b), g.neg(g.mul(sin_c, cos_b)), sin_b
    return [first, (sin_c, cos_c, g.zero), (g.zero, g.zero, g.one)]
