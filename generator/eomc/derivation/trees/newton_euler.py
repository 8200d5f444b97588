"""Newton-Euler recursion: forces that a motion takes, outwards through accelerations and inwards through wrenches.

Luh, Walker & Paul, *On-line computational scheme for mechanical manipulators*, J. Dyn. Sys. Meas. Control 102 (1980),
in the axes of each row, about its origin. With U = [al] + w w^T - |w|^2 1, so that a point at rho has the acceleration
a + U rho, and the moments m, h, S of a body, its force is f = m a + U h and its moment about the origin axial(U S) +
h x a, where axial(X)_x = X_zy - X_yz. Gravity is no force here: the root accelerates against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.rows import GROUND, Row, TreeRows
from eomc.derivation.trees.turns import into, out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, Matrix, apply, cross, each, minus, plus, scale
from eomc.model.trees.records import JointKind


@dataclass(frozen=True, slots=True)
class Spread:
    """How accelerations spread over a body: a point at rho has a + U rho.

    Attributes
    ----------
    before
        Angular velocity of what carries the row, in axes of the row.
    turning
        Angular velocity w of the row.
    origin
        Acceleration a of the origin, less gravity where the root has it.
    field
        U.
    squares
        w_x^2, w_y^2, w_z^2.
    angular
        Angular acceleration.
    """

    before: Components
    turning: Components
    origin: Components
    field: Matrix
    squares: Components
    angular: Components


@dataclass(frozen=True, slots=True)
class Wrench:
    """A force, and a moment about the origin of a row, in its axes."""

    force: Components
    moment: Components


def no_wrench(graph: Graph) -> Wrench:
    """Return the wrench of nothing."""
    none = (graph.zero, graph.zero, graph.zero)
    return Wrench(none, none)


def wrench_plus(graph: Graph, a: Wrench, b: Wrench) -> Wrench:
    """Return the sum of two wrenches."""
    return Wrench(plus(graph, a.force, b.force), plus(graph, a.moment, b.moment))


def wrench_out(graph: Graph, motion: JointMotion, wrench: Wrench) -> Wrench:
    """Return a wrench in the frame of the parent: R f, and R n + r x R f."""
    force = out(motion.rotation, wrench.force)
    return Wrench(force, plus(graph, out(motion.rotation, wrench.moment), cross(graph, motion.offset, force)))


def component(wrench: Wrench, rate: Rate) -> Node:
    """Return what a wrench does by a unit rate."""
    return (wrench.force if rate.linear else wrench.moment)[rate.axis]


def is_afloat(row: Row) -> bool:
    """Whether a row is a floating base: nothing before it moves."""
    return row.kind is JointKind.FREE and row.parent == GROUND


def accelerations_outwards(
    graph: Graph,
    rows: TreeRows,
    motions: Sequence[JointMotion],
    rates: Sequence[Sequence[Rate]],
    given: Mapping[Rate, Node],
    gravity: Components,
) -> list[Spread]:
    """Return how the rows accelerate.

    Parameters
    ----------
    graph, rows, motions, rates
        The rows, and the motion and rates of each.
    given
        Accelerations of the rates; one that is missing is zero. Those of a floating base's origin are the whole
        acceleration of that less gravity, so that its orientation and its velocity leave all below it.
    gravity
        In the axes of the root.
    """
    zero = graph.zero
    none = (zero, zero, zero)
    spreads: list[Spread] = []
    for i, row in enumerate(rows.rows):
        motion = motions[i]
        turned_rate = _of_rates(graph, [rate for rate in rates[i] if not rate.linear], given)
        moved_rate = _of_rates(graph, [rate for rate in rates[i] if rate.linear], given)
        if row.parent == GROUND:
            before, angular, carried = none, none, into(motion.rotation, each(graph.neg, gravity))
        else:
            parent = spreads[row.parent]
            before = into(motion.rotation, parent.turning)
            angular = into(motion.rotation, parent.angular)
            point = plus(graph, parent.origin, apply(graph, parent.field, motion.offset))
            carried = into(motion.rotation, point)
        turning = plus(graph, before, motion.angular)
        angular = plus(graph, plus(graph, angular, cross(graph, before, motion.angular)), turned_rate)
        if is_afloat(row):
            origin = moved_rate
        else:
            origin = plus(graph, plus(graph, carried, _coriolis(graph, before, motion)), moved_rate)
        field, squares = _field(graph, turning, angular)
        spreads.append(Spread(before, turning, origin, field, squares, angular))
    return spreads


def _of_rates(graph: Graph, rates: Sequence[Rate], given: Mapping[Rate, Node]) -> Components:
    """Return what is given for some rates as a vector."""
    along = {rate.axis: given.get(rate, graph.zero) for rate in rates}
    return along.get(0, graph.zero), along.get(1, graph.zero), along.get(2, graph.zero)


def _coriolis(graph: Graph, before: Components, motion: JointMotion) -> Components:
    """Return (2 w_parent + w_relative) x v_relative."""
    if motion.angular == (graph.zero,) * 3:
        return cross(graph, before, plus(graph, motion.linear, motion.linear))
    both = plus(graph, plus(graph, before, before), motion.angular)
    return cross(graph, both, motion.linear)


def _field(graph: Graph, w: Components, angular: Components) -> tuple[Matrix, Components]:
    """Return U = [al] + w w^T - |w|^2 1, and the squares in it."""
    g = graph
    xx, yy, zz = (g.mul(e, e) for e in w)
    xy, xz, yz = g.mul(w[0], w[1]), g.mul(w[0], w[2]), g.mul(w[1], w[2])
    x, y, z = angular
    field = (
        (g.neg(g.add(yy, zz)), g.sub(xy, z), g.add(xz, y)),
        (g.add(xy, z), g.neg(g.add(xx, zz)), g.sub(yz, x)),
        (g.sub(xz, y), g.add(yz, x), g.neg(g.add(xx, yy))),
    )
    return field, (xx, yy, zz)


def wrench_of_body(graph: Graph, moments: Moments, spread: Spread) -> Wrench:
    """Return what a body's acceleration takes: f = m a + U h, n = axial(U S) + h x a."""
    g, s, u, (xx, yy, zz) = graph, moments.second, spread.field, spread.squares
    force = plus(g, scale(g, moments.mass, spread.origin), apply(g, u, moments.first))

    def axial(i: int, j: int, k: int, apart: Node) -> Node:
        """Return entry i of axial(U S), i, j, k being cyclic and `apart` U_kk - U_jj."""
        across = g.sub(g.mul(u[k][i], s(i, j)), g.mul(u[j][i], s(i, k)))
        along = g.sub(g.mul(u[k][j], s(j, j)), g.mul(u[j][k], s(k, k)))
        return g.add(g.add(across, along), g.mul(apart, s(j, k)))

    moment = (
        axial(0, 1, 2, g.sub(zz, yy)),
        axial(1, 2, 0, g.sub(xx, zz)),
        axial(2, 0, 1, g.sub(yy, xx)),
    )
    return Wrench(force, plus(g, moment, cross(g, moments.first, spread.origin)))


def body_wrenches(
    graph: Graph, rows: TreeRows, spreads: Sequence[Spread], loads: Mapping[int, Wrench] | None = None
) -> list[Wrench]:
    """Return what each body takes by itself, less the loads on it."""
    wrenches = []
    for i, (row, spread) in enumerate(zip(rows.rows, spreads, strict=True)):
        wrench = wrench_of_body(graph, row.moments, spread)
        load = (loads or {}).get(i)
        if load is not None:
            wrench = Wrench(minus(graph, wrench.force, load.force), minus(graph, wrench.moment, load.moment))
        wrenches.append(wrench)
    return wrenches


def carried_inwards(
    graph: Graph, rows: TreeRows, motions: Sequence[JointMotion], wrenches: Sequence[Wrench]
) -> list[Wrench]:
    """Return the wrench that each joint transmits: that of its own body and of all that it carries."""
    total = list(wrenches)
    for i, row in reversed(list(enumerate(rows.rows))):
        if row.parent != GROUND:
            total[row.parent] = wrench_plus(graph, total[row.parent], wrench_out(graph, motions[i], total[i]))
    return total


def joint_forces(
    graph: Graph,
    rows: TreeRows,
    rates: Sequence[Sequence[Rate]],
    transmitted: Sequence[Wrench],
    given: Mapping[Rate, Node],
) -> dict[Rate, Node]:
    """Return the force or torque that each rate takes, that of the rotor on it included."""
    forces = {}
    for row, own, wrench in zip(rows.rows, rates, transmitted, strict=True):
        for rate in own:
            rotor = graph.mul(row.armature, given.get(rate, graph.zero))
            forces[rate] = graph.add(component(wrench, rate), rotor)
    return forces
