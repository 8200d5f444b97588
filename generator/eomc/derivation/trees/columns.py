"""Columns of derivatives: what variables do to the forces of rates, and M^-1 times it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eomc.derivation.trees.factor import sweep_cost
from eomc.derivation.trees.joints import Rate
from eomc.derivation.trees.moving import MovingTree
from eomc.derivation.trees.slopes import Entries
from eomc.derivation.trees.solver import Solver
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


@dataclass(slots=True)
class Columns:
    """M^-1 (dtau - dID): `motions` are the columns of ID by small motions and rates, in the order of the arguments."""

    graph: Graph
    moving: MovingTree
    solver: Solver
    motions: Sequence[Mapping[Rate, Node]]
    _has_inverse: bool = False  # whether all of M^-1 is among what is wanted
    _inverse: dict[Rate, dict[Rate, Node]] = field(default_factory=dict)

    def solved(self, arguments: Sequence[Mapping[int, Node]]) -> dict[int, dict[Rate, Node]]:
        """Return the derivatives of all rates' accelerations by index of a variable."""
        count = len(self.motions)
        terms, driving = by_variable(arguments[:count]), by_variable(arguments[count:])
        sides = {j: self._side(terms.get(j, {}), driving.get(j, {})) for j in sorted({*terms, *driving})}
        alone = [self._alone(side) for side in sides.values()]
        self._has_inverse = len(set(filter(None, alone))) == len(self.moving.joined(self._none()))
        found = self._combined({j: mixed for j, mixed in terms.items() if j not in driving})
        return {j: found[j] if j in found else self._solve(side) for j, side in sides.items()}

    def _none(self) -> dict[Rate, Node]:
        return dict.fromkeys(self.moving.flat, self.graph.zero)

    def _side(self, terms: Mapping[int, Node], driving: Mapping[int, Node]) -> dict[Rate, Node]:
        """Return a right side, forces of the rates that follow none."""
        graph, column = self.graph, self._none()
        column.update((self.moving.flat[k], entry) for k, entry in driving.items())
        for k, entry in terms.items():
            for rate, slope in self.motions[k].items():
                column[rate] = graph.sub(column[rate], graph.mul(slope, entry))
        return self.moving.joined(column)

    def _combined(self, terms: Mapping[int, Mapping[int, Node]]) -> dict[int, dict[Rate, Node]]:
        """Return columns that more variables make of the same motions than these are, such as those of quaternions."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for j, mixed in terms.items():
            alike.setdefault(tuple(mixed), []).append(j)
        graph, found = self.graph, {}  # type: Graph, dict[int, dict[Rate, Node]]
        for motions, variables in alike.items():
            if len(variables) <= len(motions):
                continue
            solved = [self._solve(self._side({k: graph.one}, {})) for k in motions]
            for j in variables:
                parts = list(zip(terms[j].values(), solved, strict=True))
                found[j] = {
                    rate: graph.sum(graph.mul(entry, column[rate]) for entry, column in parts)
                    for rate in self.moving.flat
                }
        return found

    def _alone(self, side: Mapping[Rate, Node]) -> Rate | None:
        """Return the rate of the only entry, where that is steady."""
        entries = [(rate, entry) for rate, entry in side.items() if entry != self.graph.zero]
        return entries[0][0] if len(entries) == 1 and self.graph.level[entries[0][1]] < Level.VARYING else None

    def _solve(self, side: Mapping[Rate, Node]) -> dict[Rate, Node]:
        """Return M^-1 times a right side; of one steady entry by the inverse."""
        graph, rate = self.graph, self._alone(side)
        if rate is not None:
            return self.moving.led({one: graph.mul(self._entry(one, rate), side[rate]) for one in side})
        entries = [(one, entry) for one, entry in side.items() if entry != graph.zero]
        if not self._is_product(len(side), [one for one, _ in entries]):
            return self.solver.solve(side)
        return self.moving.led(
            {row: graph.sum(graph.mul(self._entry(row, one), entry) for one, entry in entries) for row in side}
        )

    def _is_product(self, rows: int, entries: Sequence[Rate]) -> bool:
        """Whether a product with M^-1 takes no more operations than two sweeps, whose results wait for each other."""
        above = self.solver.above
        return self._has_inverse and bool(above) and rows * (2 * len(entries) - 1) <= sweep_cost(above, entries)

    def _entry(self, one: Rate, other: Rate) -> Node:
        """Return an entry of M^-1, from the column of the later rate, which is shorter."""
        first, last = sorted((one, other), key=lambda rate: (rate.row, rate.linear is False, rate.axis))
        if last not in self._inverse:
            self._inverse[last] = self.solver.solve({last: self.graph.one})
        return self._inverse[last][first]
