"""What a model's speeds are to the rates of the rows: the same, turned, or one for several joints.

The rates of a row are in its own axes. Speeds of a ball or a free joint may be in the parent's; a mimic joint has none
and follows another with a factor. For all of them nu' = G u' + gamma, where G is made of constants and rotations, and
gamma is what turning axes leave: -w x v for the velocity of a free joint in the parent's axes. For a floating base nu'
is the whole acceleration A of its origin less gravity, so that neither place nor velocity of the base enters any
recursion: gamma is then w x v - R^T g for speeds in its own axes, -R^T g for others.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.trees.aligned import align
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.joints import JointMotion, Rate, joint_motion, joint_rotation, rates_of
from eomc.derivation.trees.newton_euler import is_afloat
from eomc.derivation.trees.rows import Row, TreeRows
from eomc.derivation.trees.tensors import transposed
from eomc.derivation.trees.turns import Rotation, into, on, out
from eomc.ir.graph import Graph, Node, Rows
from eomc.lowering.vectors import Components, Matrix, cross, each, matrix_of_rows, minus
from eomc.model.trees.following import Lead
from eomc.model.trees.order import first_speeds
from eomc.model.trees.records import Joint, JointKind


@dataclass(frozen=True, slots=True)
class _Own:
    """The speeds of a row: where they begin among all, and v_speeds = rotation v_row; no turn where that is one."""

    row: int
    start: int
    rotation: Rotation


@dataclass(frozen=True, slots=True)
class _Follower:
    """A rate that is a factor times another."""

    rate: Rate
    lead: Rate
    factor: Node


@dataclass(frozen=True, slots=True)
class MovingTree:
    """A tree at a state: the motion and the rates of each row, and what speeds are to rates.

    Attributes
    ----------
    rows, motions
        In the axes that recursions use at this state (`aligned`).
    prepared
        The motions of the rows as they were prepared.
    coordinates
        Of each row, as its joint has them.
    names
        Of the speeds' joints, one for each speed.
    drift
        gamma in nu' = G u' + gamma, without those that are zero.
    """

    graph: Graph
    rows: TreeRows
    motions: tuple[JointMotion, ...]
    prepared: tuple[JointMotion, ...]
    rates: tuple[tuple[Rate, ...], ...]
    coordinates: tuple[tuple[Node, ...], ...]
    names: tuple[str, ...]
    drift: Mapping[Rate, Node]
    _own: tuple[_Own, ...]
    _followers: tuple[_Follower, ...]

    def on(self, graph: Graph) -> MovingTree:
        """Return the same on a copy of the graph."""
        motions, prepared = (
            tuple(replace(one, rotation=on(graph, one.rotation)) for one in given)
            for given in (self.motions, self.prepared)
        )
        own = tuple(replace(one, rotation=on(graph, one.rotation)) for one in self._own)
        return replace(self, graph=graph, motions=motions, prepared=prepared, _own=own)

    def value(self, rate: Rate) -> Node:
        """Return a rate."""
        motion = self.motions[rate.row]
        return (motion.linear if rate.linear else motion.angular)[rate.axis]

    @property
    def flat(self) -> list[Rate]:
        """All rates, in the order of the rows."""
        return [rate for own in self.rates for rate in own]

    @property
    def is_square(self) -> bool:
        """Whether each rate has a speed of its own."""
        return not self._followers

    @property
    def following(self) -> list[Rate]:
        """The rates that have none, and follow others."""
        return [one.rate for one in self._followers]

    @property
    def is_plain(self) -> bool:
        """Whether rates are speeds."""
        return self.is_square and not any(own.rotation for own in self._own)

    def turns(self) -> list[tuple[int, tuple[Rate, ...], Matrix]]:
        """Return three speeds in other axes than their rates: the first, the rates, and R of v_speeds = R v_rates."""
        zero, one = self.graph.zero, self.graph.one
        units = (one, zero, zero), (zero, one, zero), (zero, zero, one)
        found = []
        for own in self._own:
            if own.rotation:
                matrix = transposed(matrix_of_rows([out(own.rotation, unit) for unit in units]))
                rates = self.rates[own.row]
                found += [(own.start + k, rates[k : k + 3], matrix) for k in range(0, len(rates), 3)]
        return found

    def to_rates(self, u_dots: Sequence[Node]) -> dict[Rate, Node]:
        """Return nu' = G u' + gamma."""
        found: dict[Rate, Node] = {}
        for own in self._own:
            rates = self.rates[own.row]
            values = _turned(into, own.rotation, u_dots[own.start : own.start + len(rates)])
            found.update(zip(rates, values, strict=True))
        for follower in self._followers:
            found[follower.rate] = self.graph.mul(follower.factor, found[follower.lead])
        for rate, drift in self.drift.items():
            found[rate] = self.graph.add(found[rate], drift)
        return {rate: found[rate] for rate in self.flat}

    def to_speeds(self, accelerations: Mapping[Rate, Node]) -> list[Node]:
        """Return u' from nu'."""
        found: list[Node] = []
        for own in self._own:
            values = [self.graph.sub(accelerations[r], self.drift.get(r, self.graph.zero)) for r in self.rates[own.row]]
            found += _turned(out, own.rotation, values)
        return found

    def forces_on_speeds(self, forces: Mapping[Rate, Node]) -> list[Node]:
        """Return the generalized forces of the speeds, G^T of those of the rates."""
        joined = self.joined(forces)
        return [f for own in self._own for f in _turned(out, own.rotation, [joined[r] for r in self.rates[own.row]])]

    def forces_on_rates(self, forces: Sequence[Node]) -> dict[Rate, Node]:
        """Return forces of rates that have these as generalized forces of the speeds; followers have none."""
        found = dict.fromkeys(self.flat, self.graph.zero)
        for own in self._own:
            rates = self.rates[own.row]
            values = _turned(into, own.rotation, forces[own.start : own.start + len(rates)])
            found.update(zip(rates, values, strict=True))
        return found

    def matrix_of_leaders(self, matrix: Rows) -> tuple[Rows, list[Rate]]:
        """Return a symmetric matrix of the rates as one of those that follow none."""
        rates = self.flat
        if self.is_square:
            return matrix, rates
        half = [self.joined(dict(zip(rates, row, strict=True))) for row in matrix]
        leaders = list(half[0])
        columns = [self.joined({rate: row[lead] for rate, row in zip(rates, half, strict=True)}) for lead in leaders]
        return [[column[lead] for column in columns] for lead in leaders], leaders

    def matrix_of_speeds(self, matrix: Rows) -> Rows:
        """Return a symmetric matrix of the rates as one of the speeds, G^T M G."""
        reduced, _ = self.matrix_of_leaders(matrix)
        half = [self._turned_row(row) for row in reduced]
        columns = [self._turned_row([row[k] for row in half]) for k in range(len(half))]
        return [[column[k] for column in columns] for k in range(len(half))]

    def joined_squares(self, sizes: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return sizes of a matrix' diagonal with those of followers on what they follow."""
        g, followers = self.graph, {follower.rate for follower in self._followers}
        found = {rate: size for rate, size in sizes.items() if rate not in followers}
        for one in self._followers:
            found[one.lead] = g.add(found[one.lead], g.mul(g.powi(one.factor, 2), sizes[one.rate]))
        return found

    def led(self, accelerations: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return accelerations of all rates from those that follow none."""
        found = dict(accelerations)
        for follower in self._followers:
            found[follower.rate] = self.graph.mul(follower.factor, found[follower.lead])
        return {rate: found[rate] for rate in self.flat}

    def joined(self, forces: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return forces of rates with those of followers on what they follow."""
        followers = {follower.rate for follower in self._followers}
        found = {rate: force for rate, force in forces.items() if rate not in followers}
        for one in self._followers:
            found[one.lead] = self.graph.add(found[one.lead], self.graph.mul(one.factor, forces[one.rate]))
        return found

    def _turned_row(self, row: Sequence[Node]) -> list[Node]:
        widths = [(own, len(self.rates[own.row])) for own in self._own]
        return [e for own, n in widths for e in _turned(out, own.rotation, row[own.start : own.start + n])]


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
    aligned, turned = align(graph, rows, motions, coordinates)
    return MovingTree(
        graph=graph,
        rows=aligned,
        motions=turned,
        prepared=tuple(motions),
        rates=rates,
        coordinates=tuple(coordinates),
        names=tuple(row.name for row, own in zip(rows.rows, rates, strict=True) for _ in own),
        drift={rate: e for rate, e in drift.items() if e != graph.zero},
        _own=tuple(_Own(i, starts[i], ()) for i in range(len(rates))),
        _followers=(),
    )


def _turned(
    how: Callable[[Rotation, Components], Components], rotation: Rotation, values: Sequence[Node]
) -> list[Node]:
    """Return entries by threes in other axes."""
    if not rotation:
        return list(values)
    return [e for k in range(0, len(values), 3) for e in how(rotation, (values[k], values[k + 1], values[k + 2]))]


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
    own: list[_Own] = []
    followers: list[_Follower] = []
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
            followers.append(_Follower(rates[i][0], rates[at[leader.name]][0], factor))
            continue
        coordinates, speeds = list(map(scalars, joint.coordinates)), list(map(scalars, joint.speeds))
        rotation: Rotation = ()
        if row.kind in (JointKind.BALL, JointKind.FREE) and joint.speeds_in == "parent":
            rotation = (*factors(graph, transposed(row.outer)), *joint_rotation(graph, row, coordinates))
        motions.append(joint_motion(graph, row, coordinates, _turned(into, rotation, speeds)))
        positions.append(tuple(coordinates))
        own.append(_Own(i, starts[number[row.name]], rotation))
        names += [row.name] * len(speeds)
        if row.kind is JointKind.FREE:
            of_origin = _drift(graph, row, motions[i], bool(rotation), gravity)
            drift.update((rate, e) for rate, e in zip(rates[i][:3], of_origin, strict=True) if e != graph.zero)
    aligned, turned = align(graph, rows, motions, positions)
    return MovingTree(
        graph=graph,
        rows=aligned,
        motions=turned,
        prepared=tuple(motions),
        rates=rates,
        coordinates=tuple(positions),
        names=tuple(names),
        drift=drift,
        _own=tuple(own),
        _followers=tuple(followers),
    )


def _drift(graph: Graph, row: Row, motion: JointMotion, outer: bool, gravity: Components) -> Components:
    """Return nu' of a free joint's origin where its speeds are held."""
    turning = cross(graph, motion.angular, motion.linear)
    none = (graph.zero, graph.zero, graph.zero)
    if not is_afloat(row):
        return each(graph.neg, turning) if outer else none
    return minus(graph, none if outer else turning, into(motion.rotation, gravity))
