"""What a model's speeds are to the rates of the rows: the same, turned, or one for several joints.

The rates of a row are in its own axes. Speeds of a ball or a free joint may be in the parent's; a mimic joint has none
and follows another with a factor. For all of them nu' = G u' + gamma, where G is made of constants and rotations, and
gamma is what turning axes leave: -w x v for the velocity of a free joint in the parent's axes. For a floating base nu'
is the whole acceleration A of its origin less gravity, so that neither place nor velocity of the base enters any
recursion: gamma is then w x v - R^T g for speeds in its own axes, -R^T g for others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.trees.joints import JointMotion, Rate
from eomc.derivation.trees.rows import TreeRows
from eomc.derivation.trees.tensors import transposed
from eomc.derivation.trees.turns import Rotation, into, on, out
from eomc.ir.graph import Graph, Node, Rows
from eomc.lowering.vectors import Components, Matrix, matrix_of_rows


@dataclass(frozen=True, slots=True)
class Own:
    """The speeds of a row: where they begin among all, and v_speeds = rotation v_row; no turn where that is one."""

    row: int
    start: int
    rotation: Rotation


@dataclass(frozen=True, slots=True)
class Follower:
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
    own, followers
        The speeds of the rows, and the rates that have none.
    """

    graph: Graph
    rows: TreeRows
    motions: tuple[JointMotion, ...]
    prepared: tuple[JointMotion, ...]
    rates: tuple[tuple[Rate, ...], ...]
    coordinates: tuple[tuple[Node, ...], ...]
    names: tuple[str, ...]
    drift: Mapping[Rate, Node]
    own: tuple[Own, ...]
    followers: tuple[Follower, ...]

    def on(self, graph: Graph) -> MovingTree:
        """Return the same on a copy of the graph."""
        motions, prepared = (
            tuple(replace(one, rotation=on(graph, one.rotation)) for one in given)
            for given in (self.motions, self.prepared)
        )
        own = tuple(replace(one, rotation=on(graph, one.rotation)) for one in self.own)
        return replace(self, graph=graph, motions=motions, prepared=prepared, own=own)

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
        return not self.followers

    @property
    def following(self) -> list[Rate]:
        """The rates that have none, and follow others."""
        return [one.rate for one in self.followers]

    @property
    def is_plain(self) -> bool:
        """Whether rates are speeds."""
        return self.is_square and not any(own.rotation for own in self.own)

    def turns(self) -> list[tuple[int, tuple[Rate, ...], Matrix]]:
        """Return three speeds in other axes than their rates: the first, the rates, and R of v_speeds = R v_rates."""
        zero, one = self.graph.zero, self.graph.one
        units = (one, zero, zero), (zero, one, zero), (zero, zero, one)
        found = []
        for own in self.own:
            if own.rotation:
                matrix = transposed(matrix_of_rows([out(own.rotation, unit) for unit in units]))
                rates = self.rates[own.row]
                found += [(own.start + k, rates[k : k + 3], matrix) for k in range(0, len(rates), 3)]
        return found

    def to_rates(self, u_dots: Sequence[Node]) -> dict[Rate, Node]:
        """Return nu' = G u' + gamma."""
        found: dict[Rate, Node] = {}
        for own in self.own:
            rates = self.rates[own.row]
            values = by_threes(into, own.rotation, u_dots[own.start : own.start + len(rates)])
            found.update(zip(rates, values, strict=True))
        for follower in self.followers:
            found[follower.rate] = self.graph.mul(follower.factor, found[follower.lead])
        for rate, drift in self.drift.items():
            found[rate] = self.graph.add(found[rate], drift)
        return {rate: found[rate] for rate in self.flat}

    def to_speeds(self, accelerations: Mapping[Rate, Node]) -> list[Node]:
        """Return u' from nu'."""
        found: list[Node] = []
        for own in self.own:
            values = [self.graph.sub(accelerations[r], self.drift.get(r, self.graph.zero)) for r in self.rates[own.row]]
            found += by_threes(out, own.rotation, values)
        return found

    def forces_on_speeds(self, forces: Mapping[Rate, Node]) -> list[Node]:
        """Return the generalized forces of the speeds, G^T of those of the rates."""
        joined = self.joined(forces)
        return [f for own in self.own for f in by_threes(out, own.rotation, [joined[r] for r in self.rates[own.row]])]

    def forces_on_rates(self, forces: Sequence[Node]) -> dict[Rate, Node]:
        """Return forces of rates that have these as generalized forces of the speeds; followers have none."""
        found = dict.fromkeys(self.flat, self.graph.zero)
        for own in self.own:
            rates = self.rates[own.row]
            values = by_threes(into, own.rotation, forces[own.start : own.start + len(rates)])
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
        g, followers = self.graph, {follower.rate for follower in self.followers}
        found = {rate: size for rate, size in sizes.items() if rate not in followers}
        for one in self.followers:
            found[one.lead] = g.add(found[one.lead], g.mul(g.powi(one.factor, 2), sizes[one.rate]))
        return found

    def sizes_of_speeds(self, sizes: Mapping[Rate, Node]) -> list[Node]:
        """Return those of the speeds: along turned axes no more than the three together, by Cauchy and Schwarz."""
        joined, found = self.joined_squares(sizes), list[Node]()
        for own in self.own:
            values = [joined[rate] for rate in self.rates[own.row]]
            for k in range(0, len(values), 3) if own.rotation else ():
                values[k : k + 3] = [self.graph.sum(values[k : k + 3])] * 3
            found += values
        return found

    def led(self, accelerations: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return accelerations of all rates from those that follow none."""
        found = dict(accelerations)
        for follower in self.followers:
            found[follower.rate] = self.graph.mul(follower.factor, found[follower.lead])
        return {rate: found[rate] for rate in self.flat}

    def joined(self, forces: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return forces of rates with those of followers on what they follow."""
        followers = {follower.rate for follower in self.followers}
        found = {rate: force for rate, force in forces.items() if rate not in followers}
        for one in self.followers:
            found[one.lead] = self.graph.add(found[one.lead], self.graph.mul(one.factor, forces[one.rate]))
        return found

    def _turned_row(self, row: Sequence[Node]) -> list[Node]:
        widths = [(own, len(self.rates[own.row])) for own in self.own]
        return [e for own, n in widths for e in by_threes(out, own.rotation, row[own.start : own.start + n])]


def by_threes(
    how: Callable[[Rotation, Components], Components], rotation: Rotation, values: Sequence[Node]
) -> list[Node]:
    """Return entries by threes in other axes."""
    if not rotation:
        return list(values)
    return [e for k in range(0, len(values), 3) for e in how(rotation, (values[k], values[k + 1], values[k + 2]))]
