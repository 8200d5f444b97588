"""What the speeds of a model are to the rates of the rows that were found: nu = G u + g, from the expressions.

G may be anything: the speeds of a model may be rates, their sums or mixtures, and rows may move in time by themselves
or several by one speed. So nu' = G u' + gamma with gamma = G' u + g', M = G^T M_nu G and f = F - G^T c(gamma). Where
rates are speeds in other axes, or G is triangular with a constant diagonal, rates and speeds follow from each other
without a pivot, and a recursion that finds nu' finds u' (Kane & Levinson, *Dynamics* (1985), section 2.12: u = Y q' +
Z).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derivation.found.drafts import Draft
from eomc.derivation.mass_matrix import symmetric
from eomc.derivation.problem import Problem
from eomc.derivation.trees.turns import Rotation, into, out
from eomc.ir.graph import Graph, Level, Node, Rows
from eomc.ir.ops import Op
from eomc.lowering.vectors import three


@dataclass(frozen=True, slots=True)
class _Triple:
    """Three rates that are R^T times three speeds, each with a sign."""

    first: int
    speeds: tuple[int, ...]
    signs: tuple[int, ...]
    rotation: Rotation

    @property
    def rates(self) -> range:
        return range(self.first, self.first + 3)


_Order = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RowSpeeds:
    """G and gamma, rates in the order of the rows.

    Attributes
    ----------
    slopes
        Rows of G by index of the speed, without zeros; of rates in triples none.
    drift
        gamma.
    triples
        Rates that are speeds in other axes.
    order
        Pairs (rate, speed) in which each speed follows from its rate and the speeds before; None where there is none.
    """

    graph: Graph
    count: int  # of speeds
    slopes: tuple[Mapping[int, Node], ...]
    drift: tuple[Node, ...]
    triples: tuple[_Triple, ...]
    order: _Order | None

    @property
    def are_rates(self) -> bool:
        """Whether each rate is the speed of the same number."""
        one = self.graph.one
        return not self.triples and [dict(row) for row in self.slopes] == [{j: one} for j in range(self.count)]

    @property
    def are_sums(self) -> bool:
        """Whether a rate is a sum of speeds."""
        return any(len(row) > 1 for row in self.slopes)

    def of_speeds(self, matrix: Rows) -> Rows:
        """Return G^T M G of a symmetric matrix of the rates."""
        if self.are_rates:
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
        for triple in self.triples:
            turned = out(triple.rotation, three(forces[k] for k in triple.rates))
            for j, sign, force in zip(triple.speeds, triple.signs, turned, strict=True):
                terms[j].append(self._signed(sign, force))
        return [g.sum(own) if own else g.zero for own in terms]

    def forces_on_rates(self, forces: Sequence[Node]) -> list[Node]:
        """Return the forces of the rates whose generalized forces are given; rates and speeds have an order."""
        g = self.graph
        found: dict[int, Node] = {}

        def left(speed: int) -> Node:
            taken = (g.mul(self.slopes[k][speed], f) for k, f in found.items() if speed in self.slopes[k])
            return g.sub(forces[speed], g.sum(taken))

        for rate, speed in reversed(self.order or ()):
            found[rate] = g.div(left(speed), self.slopes[rate][speed])
        for triple in self.triples:
            given = (self._signed(sign, left(j)) for j, sign in zip(triple.speeds, triple.signs, strict=True))
            found.update(zip(triple.rates, into(triple.rotation, three(given)), strict=True))
        return [found[k] for k in range(len(self.slopes))]

    def accelerations(self, rates: Sequence[Node]) -> list[Node]:
        """Return u' from nu'; rates and speeds have an order."""
        g = self.graph
        found: dict[int, Node] = {}
        for triple in self.triples:
            turned = out(triple.rotation, three(g.sub(rates[k], self.drift[k]) for k in triple.rates))
            signed = (self._signed(sign, value) for sign, value in zip(triple.signs, turned, strict=True))
            found.update(zip(triple.speeds, signed, strict=True))
        for rate, speed in self.order or ():
            row = self.slopes[rate]
            taken = (g.mul(slope, found[j]) for j, slope in row.items() if j != speed)
            rest = g.sub(g.sub(rates[rate], self.drift[rate]), g.sum(taken))
            found[speed] = g.div(rest, row[speed])
        return [found[j] for j in range(self.count)]

    def _signed(self, sign: int, node: Node) -> Node:
        return node if sign > 0 else self.graph.neg(node)


def row_speeds(problem: Problem, drafts: Sequence[Draft]) -> RowSpeeds:
    """Return what the speeds of a problem are to the rates of rows, which are linear in them."""
    graph, count = problem.graph, len(problem.motion)
    slopes: list[dict[int, Node]] = []
    drift: list[Node] = []
    triples: list[_Triple] = []
    for draft in drafts:
        start, turned = len(slopes), set[int]()
        for one in draft.turned:
            bare = [graph.args[e][0] if graph.ops[e] is Op.NEG else e for e in one.speeds]
            signs = tuple(-1 if graph.ops[e] is Op.NEG else 1 for e in one.speeds)
            triples.append(_Triple(start + one.first, tuple(map(problem.motion.index, bare)), signs, one.rotation))
            turned.update(range(one.first, one.first + 3))
        for k, rate in enumerate(draft.rates):
            own = k not in turned  # R^T w turns with itself, and the drift of R^T v is the tree's: nothing is left
            slopes.append({j: problem.partials[j](rate) for j in problem.speeds_in.variables(rate)} if own else {})
            drift.append(problem.rate(rate) if own else graph.zero)
    order = _triangular(graph, slopes, triples, count)
    return RowSpeeds(graph, count, tuple(slopes), tuple(drift), tuple(triples), order)


def _triangular(
    graph: Graph, slopes: Sequence[Mapping[int, Node]], triples: Sequence[_Triple], count: int
) -> _Order | None:
    """Return an order of rates in which each brings one speed more, by a factor that does not vary."""
    if len(slopes) != count:
        return None
    found: list[tuple[int, int]] = []
    known = {j for triple in triples for j in triple.speeds}
    beside = {k for triple in triples for k in triple.rates}
    if len(known) != 3 * len(triples):
        return None
    left = [k for k in range(count) if k not in beside]
    while left:
        for rate in left:
            new = [j for j in slopes[rate] if j not in known]
            if len(new) == 1 and graph.level[slopes[rate][new[0]]] == Level.CONSTANT:
                break
        else:
            return None
        found.append((rate, new[0]))
        known.add(new[0])
        left.remove(rate)
    return tuple(found)
