"""The factors of a tree's mass matrix, from the leaves to the root, and its solutions for many sparse columns.

M = L^T D L with L filled only at ancestors (Featherstone 2008, section 6.3). A column that is zero but for one branch
stays so on its way to the root. On its way out, what hangs on a rate of that branch and is no part of it follows the
rates from there to the root by factors that are made once: it takes as many products as it has ancestors that the
column has, too, and not all of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.ir.graph import Graph, Node


def ancestors(rows: TreeRows, rates: Sequence[Sequence[Rate]]) -> dict[Rate, tuple[Rate, ...]]:
    """Return the rates between each rate and the ground, the nearest first, those of a row hanging on each other."""
    found: dict[Rate, tuple[Rate, ...]] = {}
    for row, own in zip(rows.rows, rates, strict=True):
        carrier = None if row.parent == GROUND else rates[row.parent][-1]
        above = () if carrier is None else (carrier, *found[carrier])
        for rate in own:
            found[rate] = above
            above = (rate, *above)
    return found


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
        M by row and column, from each rate to its ancestors and between these.

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

    def inverse_entries(self) -> dict[tuple[Rate, Rate], Node]:
        """Return the inverse of M: each entry from the column of the later rate, and the same node for both places."""
        found: dict[tuple[Rate, Rate], Node] = {}
        order = list(self.above)
        for k, rate in enumerate(order):
            column = self.solve({rate: self.graph.one})
            for other in order[: k + 1]:
                found[other, rate] = found[rate, other] = column[other]
        return found
