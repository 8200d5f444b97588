"""The motion of a tree from its speeds: those of its joints, or the rates of its rows themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from eomc.derivation.trees.aligned import align
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.joints import JointMotion, Rate, joint_motion, joint_rotation, rates_of
from eomc.derivation.trees.moving import Follower, MovingTree, Own, by_threes
from eomc.derivation.trees.newton_euler import is_afloat
from eomc.derivation.trees.rows import Row, TreeRows
from eomc.derivation.trees.tensors import transposed
from eomc.derivation.trees.turns import Rotation, into
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, cross, each, minus
from eomc.model.trees.following import Lead
from eomc.model.trees.order import first_speeds
from eomc.model.trees.records import Joint, JointKind


def move_by_rates(
    graph: Graph,
    rows: TreeRows,
    motions: Sequence[JointMotion],
    coordinates: Sequence[tuple[Node, ...]],
    drifts: Sequence[Sequence[Node]],
) -> MovingTree:
    """Return a tree whose speeds are the rates of its rows, one for each, in their order; `drifts` begin gamma."""
    rates = tuple(map(tuple, rates_of(rows)))
    drift = {rate: e for own, given in zip(rates, drifts, strict=True) for rate, e in zip(own, given, strict=False)}
    starts = [0, *itertools.accumulate(map(len, rates))]
    names = [row.name for row, own in zip(rows.rows, rates, strict=True) for _ in own]
    drift = {rate: e for rate, e in drift.items() if e != graph.zero}
    own = [Own(i, starts[i], ()) for i in range(len(rates))]
    return _moving(graph, rows, motions, coordinates, names, drift, own, ())


def move(
    graph: Graph,
    rows: TreeRows,
    joints: Sequence[Joint],
    leads: Sequence[Lead | None],
    scalars: Callable[..., Node],
    gravity: Components,
) -> MovingTree:
    """Return the tree at the state of its coordinates and speeds.

    Parameters
    ----------
    graph, rows
        The graph and the prepared rows.
    joints, leads
        In the order of the rows, fixed ones among them; what each mimic joint follows.
    scalars
        The conversion of coordinates, speeds and entries to the graph.
    gravity
        In axes of the root.
    """
    number = {joint.name: k for k, joint in enumerate(joints)}
    at = {row.name: i for i, row in enumerate(rows.rows)}
    starts = first_speeds(joints)
    rates = tuple(map(tuple, rates_of(rows)))
    motions: list[JointMotion] = []
    positions: list[tuple[Node, ...]] = []
    own: list[Own] = []
    followers: list[Follower] = []
    names: list[str] = []
    drift: dict[Rate, Node] = {}
    for i, row in enumerate(rows.rows):
        joint, lead = joints[number[row.name]], leads[number[row.name]]
        if lead is not None:
            leader, factor = joints[lead.joint], scalars(lead.factor)
            q, u = scalars(leader.coordinates[0]), scalars(leader.speeds[0])
            coordinates = [graph.add(graph.mul(factor, q), scalars(lead.offset))]
            motions.append(joint_motion(graph, row, coordinates, [graph.mul(factor, u)]))
            positions.append(tuple(coordinates))
            followers.append(Follower(rates[i][0], rates[at[leader.name]][0], factor))
            continue
        coordinates, speeds = list(map(scalars, joint.coordinates)), list(map(scalars, joint.speeds))
        rotation: Rotation = ()
        if row.kind in (JointKind.BALL, JointKind.FREE) and joint.speeds_in == "parent":
            rotation = (*factors(graph, transposed(row.outer)), *joint_rotation(graph, row, coordinates))
        motions.append(joint_motion(graph, row, coordinates, by_threes(into, rotation, speeds)))
        positions.append(tuple(coordinates))
        own.append(Own(i, starts[number[row.name]], rotation))
        names += [row.name] * len(speeds)
        if row.kind is JointKind.FREE:
            drift |= _drift(graph, row, motions[i], rates[i], bool(rotation), gravity)
    return _moving(graph, rows, motions, positions, names, drift, own, followers)


def under(moving: MovingTree, gravity: Components) -> MovingTree:
    """Return a tree under another gravity: that of joints is what the acceleration of their free origins leaves."""
    graph, drift = moving.graph, {}  # type: Graph, dict[Rate, Node]
    for own in moving.own:
        row, motion = moving.rows.rows[own.row], moving.prepared[own.row]
        if row.kind is JointKind.FREE:
            drift |= _drift(graph, row, motion, moving.rates[own.row], bool(own.rotation), gravity)
    return replace(moving, drift=drift)


def _moving(
    graph: Graph,
    rows: TreeRows,
    motions: Sequence[JointMotion],
    coordinates: Sequence[tuple[Node, ...]],
    names: Sequence[str],
    drift: Mapping[Rate, Node],
    own: Sequence[Own],
    followers: Sequence[Follower],
) -> MovingTree:
    """Return a tree whose rows are in the axes that recursions use."""
    aligned, turned = align(graph, rows, motions, coordinates)
    return MovingTree(
        graph=graph,
        rows=aligned,
        motions=turned,
        prepared=tuple(motions),
        rates=tuple(map(tuple, rates_of(rows))),
        coordinates=tuple(coordinates),
        names=tuple(names),
        drift=drift,
        own=tuple(own),
        followers=tuple(followers),
    )


def _drift(
    graph: Graph, row: Row, motion: JointMotion, rates: Sequence[Rate], outer: bool, gravity: Components
) -> dict[Rate, Node]:
    """Return nu' of a free joint's origin where its speeds are held, without what is zero."""
    turning = cross(graph, motion.angular, motion.linear)
    none = (graph.zero, graph.zero, graph.zero)
    if is_afloat(row):
        drift = minus(graph, none if outer else turning, into(motion.rotation, gravity))
    else:
        drift = each(graph.neg, turning) if outer else none
    return {rate: e for rate, e in zip(rates[:3], drift, strict=True) if e != graph.zero}
