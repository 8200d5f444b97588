"""Columns of derivatives: what variables do to the forces of rates, and M^-1 times it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.trees.factor import TreeFactors
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.slopes import Entries
from eomc.derivation.trees.speeds import MovingTree
from eomc.ir.graph import Graph, Level, Node


def column_of(entries: Entries, rows: Sequence[Rate], rate: Rate) -> dict[Rate, Node]:
    """Return a column of a matrix, its zeros left out."""
    return {row: entries[row, rate] for row in rows if (row, rate) in entries}


def by_variable(rows: Sequence[Mapping[int, Node]]) -> dict[int, dict[int, Node]]:
    """Return for each variable what depends on it, by its place."""
    found: dict[int, dict[int, Node]] = {}
    for k, row in enumerate(rows):
        for j, entry in row.items():
            found.setdefault(j, {})[k] = entry
    return found


@dataclass(frozen=True, slots=True)
class Columns:
    """M^-1 (dtau - dID): `motions` are the columns of ID by small motions and rates, in the order of the arguments."""

    graph: Graph
    moving: MovingTree
    factors: TreeFactors
    motions: Sequence[Mapping[Rate, Node]]

    def solved(self, arguments: Sequence[Mapping[int, Node]]) -> dict[int, dict[Rate, Node]]:
        """Return the derivatives of all rates' accelerations by index of a variable."""
        count = len(self.motions)
        terms, driving = by_variable(arguments[:count]), by_variable(arguments[count:])
        found = self._combined({j: mixed for j, mixed in terms.items() if j not in driving})
        for j in sorted({*terms, *driving} - {*found}):
            column = {rate: driving.get(j, {}).get(k, self.graph.zero) for k, rate in enumerate(self.moving.flat)}
            for k, entry in terms.get(j, {}).items():
                for rate, slope in self.motions[k].items():
                    column[rate] = self.graph.sub(column[rate], self.graph.mul(slope, entry))
            found[j] = self._solve(column)
        return {j: found[j] for j in sorted(found)}

    def _combined(self, terms: Mapping[int, Mapping[int, Node]]) -> dict[int, dict[Rate, Node]]:
        """Return columns that more variables make of the same motions than these are, such as those of quaternions."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for j, mixed in terms.items():
            alike.setdefault(tuple(mixed), []).append(j)
        graph, found = self.graph, {}  # type: Graph, dict[int, dict[Rate, Node]]
        for motions, variables in alike.items():
            if len(variables) <= len(motions):
                continue
            solved = [self._solve({r: graph.neg(e) for r, e in self.motions[k].items()}) for k in motions]
            for j in variables:
                parts = list(zip(terms[j].values(), solved, strict=True))
                found[j] = {
                    rate: graph.sum(graph.mul(entry, column[rate]) for entry, column in parts)
                    for rate in self.moving.flat
                }
        return found

    def _solve(self, column: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return M^-1 column; of one steady entry by the inverse, which is symmetric."""
        graph, moving, factors = self.graph, self.moving, self.factors
        whole = moving.joined({rate: column.get(rate, graph.zero) for rate in moving.flat})
        entries = [(rate, entry) for rate, entry in whole.items() if entry != graph.zero]
        if len(entries) == 1 and graph.level[entries[0][1]] < Level.VARYING:
            rate, entry = entries[0]
            return moving.led({row: graph.mul(one, entry) for row, one in factors.inverse_column(rate).items()})
        return moving.led(factors.solve(whole))
