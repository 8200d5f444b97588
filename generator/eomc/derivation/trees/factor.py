"""The factors of a tree's mass matrix, from the leaves to the root, and its solutions for many sparse columns.

M = L^T D L with L filled only at ancestors (Featherstone 2008, section 6.3). A column that is zero but for one branch
stays so on its way to the root. On its way out, what hangs on a rate of that branch and is no part of it follows the
rates from there to the root by factors that are made once: it takes as many products as it has ancestors that the
column has, too, and not all of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eomc.derivation.trees.joints import Rate
from eomc.ir.graph import Graph, Node


def elimination_paths(
    graph: Graph, rates: Sequence[Rate], mass: Mapping[tuple[Rate, Rate], Node]
) -> dict[Rate, tuple[Rate, ...]]:
    """Return for each rate those that its elimination may touch, from the last to the first, the nearest ahead.

    In a tree they are its ancestors; rates of mimic joints, which move several branches, couple these. What a rate
    touches lies on one path of the elimination tree (Davis, *Direct Methods for Sparse Linear Systems* (2006), section
    4.1), whose entries that are zeros cost nothing.
    """
    place = {rate: k for k, rate in enumerate(rates)}
    touched = {rate: {one for one in rates[:k] if mass[rate, one] != graph.zero} for rate, k in place.items()}
    nearest: dict[Rate, Rate | None] = {}
    for rate in reversed(rates):
        nearest[rate] = max(touched[rate], key=place.__getitem__, default=None)
        parent = nearest[rate]
        if parent is not None:
            touched[parent] |= touched[rate] - {parent}
    found: dict[Rate, tuple[Rate, ...]] = {}
    for rate in rates:
        parent = nearest[rate]
        found[rate] = () if parent is None else (parent, *found[parent])
    return found


def sweep_cost(above: Mapping[Rate, Sequence[Rate]], entries: Iterable[Rate]) -> int:
    """Return how many operations `TreeFactors.solve` takes for a column of such entries."""
    left, cost = set(entries), 0
    for rate in reversed(list(above)):
        if rate in left:
            cost += 4 * len(above[rate]) + 1
            left.update(above[rate])
    joint: dict[Rate, Rate | None] = {}
    for rate, own in above.items():
        joint[rate] = rate if rate in left else joint[own[0]] if own else None
        follows = joint[rate]
        if rate not in left and follows is not None:
            cost += 2 * len(above[follows]) + 1
    return cost


@dataclass(slots=True)
class TreeFactors:
    """L and D of M by rates.

    Parameters
    ----------
    graph
        The graph.
    above
        The ancestors of each rate, the nearest first, by rates in the order of the rows.
    mass
        M by row and column.

    Attributes
    ----------
    pivots, inverse
        D and its inverse.
    low
        L.
    """

    graph: Graph
    above: Mapping[Rate, Sequence[Rate]]
    mass: Mapping[tuple[Rate, Rate], Node]
    inverse: dict[Rate, Node] = field(default_factory=dict)
    pivots: dict[Rate, Node] = field(default_factory=dict)
    low: dict[tuple[Rate, Rate], Node] = field(default_factory=dict)
    _responses: dict[tuple[Rate, Rate], list[Node]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        g, left = self.graph, dict(self.mass)
        for rate in reversed(list(self.above)):
            pivot = left[rate, rate]
            self.pivots[rate], self.inverse[rate] = pivot, g.div(g.one, pivot)
            above = self.above[rate]
            for first in above:
                self.low[rate, first] = g.mul(left[rate, first], self.inverse[rate])
            for k, first in enumerate(above):
                for second in above[k:]:
                    left[first, second] = g.sub(left[first, second], g.mul(self.low[rate, first], left[rate, second]))

    def solve(self, column: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return x with M x = column, of which missing entries are zeros."""
        g, left = self.graph, {rate: value for rate, value in column.items() if value != self.graph.zero}
        for rate in reversed(list(self.above)):
            value = left.get(rate, g.zero)
            if value != g.zero:
                for first in self.above[rate]:
                    left[first] = g.sub(left.get(first, g.zero), g.mul(self.low[rate, first], value))
        found: dict[Rate, Node] = {}
        joint: dict[Rate, Rate | None] = {}  # where what is off the column's branches hangs on them
        for rate, above in self.above.items():
            if rate in left:
                joint[rate] = rate
                value = g.mul(left[rate], self.inverse[rate])
                for first in reversed(above):
                    value = g.sub(value, g.mul(self.low[rate, first], found[first]))
            else:
                joint[rate] = joint[above[0]] if above else None
                value = self._following(rate, joint[rate], found)
            found[rate] = value
        return found

    def _following(self, rate: Rate, joint: Rate | None, found: Mapping[Rate, Node]) -> Node:
        """Return x of a rate that follows those from a joint to the root; none: it stands still."""
        if joint is None:
            return self.graph.zero
        g = self.graph
        factors = self._response(rate, joint)
        return g.sum(g.mul(k, found[one]) for k, one in zip(factors, (joint, *self.above[joint]), strict=True))

    def _response(self, rate: Rate, joint: Rate) -> list[Node]:
        """Return by which factors a rate follows an ancestor and the ancestors of that."""
        known = self._responses.get((rate, joint))
        if known is not None:
            return known
        g, above = self.graph, list(self.above[rate])
        between = above[: above.index(joint)]
        responses = [g.neg(self.low[rate, one]) for one in above[len(between) :]]
        for one in between:
            others = self._response(one, joint)
            responses = [
                g.sub(k, g.mul(self.low[rate, one], other)) for k, other in zip(responses, others, strict=True)
            ]
        self._responses[rate, joint] = responses
        return responses
