"""What the speeds of a model are to the rates of the rows that were found: nu = G u + g, from the expressions.

G may be anything: the speeds of a model may be rates, their sums or mixtures, and rows may move in time by themselves
or several by one speed. So nu' = G u' + gamma with gamma = G' u + g', M = G^T M_nu G and f = F - G^T c(gamma). Where G
is triangular with a constant diagonal, rates and speeds follow from each other without a pivot, and a recursion that
finds nu' finds u' (Kane & Levinson, *Dynamics* (1985), section 2.12: u = Y q' + Z).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.mass_matrix import symmetric
from eomc.derivation.problem import Problem
from eomc.ir.graph import Graph, Level, Node, Rows


@dataclass(frozen=True, slots=True)
class RowSpeeds:
    """G and gamma, rates in the order of the rows.

    Attributes
    ----------
    slopes
        Rows of G by index of the speed, without zeros.
    drift
        gamma.
    order
        Pairs (rate, speed) in which each speed follows from its rate and the speeds before; () where there is none.
    """

    graph: Graph
    count: int  # of speeds
    slopes: tuple[Mapping[int, Node], ...]
    drift: tuple[Node, ...]
    order: tuple[tuple[int, int], ...]

    @property
    def is_plain(self) -> bool:
        """Whether rates are speeds."""
        one = self.graph.one
        return self.order != () and all(list(row.values()) == [one] for row in self.slopes)

    def of_speeds(self, matrix: Rows) -> Rows:
        """Return G^T M G of a symmetric matrix of the rates."""
        if self.is_plain and [j for row in self.slopes for j in row] == list(range(self.count)):
            return matrix
        half = [self.forces(row) for row in matrix]  # M G, since each row of M G is G^T times a row of M
        columns: list[list[Node]] = [[row[j] for row in half] for j in range(self.count)]
        upper = [self.forces(column)[j:] for j, column in enumerate(columns)]
        return symmetric(upper)

    def forces(self, forces: Sequence[Node]) -> list[Node]:
        """Return G^T times forces of the rates: the generalized forces of the speeds."""
        g, terms = self.graph, [[] for _ in range(self.count)]  # type: Graph, list[list[Node]]
        for row, force in zip(self.slopes, forces, strict=True):
            for j, slope in row.items() if force != g.zero else ():
                terms[j].append(g.mul(slope, force))
        return [g.sum(own) if own else g.zero for own in terms]

    def forces_on_rates(self, forces: Sequence[Node]) -> list[Node]:
        """Return the forces of the rates whose generalized forces are given, in a triangular order."""
        g = self.graph
        found: dict[int, Node] = {}
        for rate, speed in reversed(self.order):
            taken = (g.mul(self.slopes[k][speed], f) for k, f in found.items() if speed in self.slopes[k])
            found[rate] = g.div(g.sub(forces[speed], g.sum(taken)), self.slopes[rate][speed])
        return [found[k] for k in range(len(self.slopes))]

    def accelerations(self, rates: Sequence[Node]) -> list[Node]:
        """Return u' from nu', in a triangular order."""
        g = self.graph
        found: dict[int, Node] = {}
        for rate, speed in self.order:
            row = self.slopes[rate]
            taken = (g.mul(slope, found[j]) for j, slope in row.items() if j != speed)
            rest = g.sub(g.sub(rates[rate], self.drift[rate]), g.sum(taken))
            found[speed] = g.div(rest, row[speed])
        return [found[j] for j in range(self.count)]


def row_speeds(problem: Problem, rates: Sequence[Node]) -> RowSpeeds:
    """Return what the speeds of a problem are to rates that are linear in them."""
    slopes = tuple({j: problem.partials[j](rate) for j in problem.speeds_in.variables(rate)} for rate in rates)
    drift = tuple(map(problem.rate, rates))
    count = len(problem.motion)
    return RowSpeeds(problem.graph, count, slopes, drift, _triangular(problem.graph, slopes, count))


def _triangular(graph: Graph, slopes: Sequence[Mapping[int, Node]], count: int) -> tuple[tuple[int, int], ...]:
    """Return an order of rates in which each brings one speed more, by a factor that does not vary."""
    if len(slopes) != count:
        return ()
    found: list[tuple[int, int]] = []
    known: set[int] = set()
    left = list(range(count))
    while left:
        for rate in left:
            new = [j for j in slopes[rate] if j not in known]
            if len(new) == 1 and graph.level[slopes[rate][new[0]]] == Level.CONSTANT:
                break
        else:
            return ()
        found.append((rate, new[0]))
        known.add(new[0])
        left.remove(rate)
    return tuple(found)
