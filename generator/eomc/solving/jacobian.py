"""d(roots)/d(variables): all columns in one sweep, zeros never computed, linear systems differentiated as such.

A X = B gives A dX = dB - dA X (Griewank & Walther, *Evaluating Derivatives* (2008), chapter 15): the factors of A are
at hand, and all directions are columns of one right side. dB - dA X, and the derivatives of the roots in terms of the
solutions, come from forward sweeps (a column for each variable that matters) or from reverse sweeps (one for each row),
whichever costs less at run time. A reverse sweep starts with X as numbers, from the seeds 1 of B and -X of A: an
expression B - A X would fold, and need not contain X any more. A rule of the derivation goes before both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from eomc.ir.choices import alternatives
from eomc.ir.equations import DerivativeRule, LinearSystem
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import CHOICES
from eomc.passes.cost import cost
from eomc.passes.differentiate import vjp
from eomc.passes.partials import partials
from eomc.solving.solved import Solved, Systems

Row: TypeAlias = dict[int, Node]
"""Index of a variable -> derivative; what is not there is zero."""

Seeds: TypeAlias = Sequence[tuple[Node, Node]]
"""A combination of differentials: nodes and their weights, which are held."""


def sparse_jacobian(
    graph: Graph,
    roots: Sequence[Node],
    variables: Sequence[Node],
    systems: Iterable[LinearSystem] = (),
    rules: Iterable[DerivativeRule] = (),
) -> list[list[Node]]:
    """Return d(root_i)/d(variable_j), by rows.

    Parameters
    ----------
    graph
        The graph, to which the derivative nodes are added.
    roots, variables
        Any nodes; symbol nodes.
    systems
        Systems that were written out on the way to the roots, or elsewhere.
    rules
        Of nodes on the way to the roots; passed over where a variable is a parameter.
    """
    rows = _Sweep(graph, variables, systems, rules).rows(roots)
    return [[row.get(j, graph.zero) for j in range(len(variables))] for row in rows]


class _Sweep:
    """The derivatives of a graph's nodes with respect to some variables, remembered."""

    def __init__(
        self,
        graph: Graph,
        variables: Sequence[Node],
        systems: Iterable[LinearSystem],
        rules: Iterable[DerivativeRule],
    ) -> None:
        self._graph = graph
        self._variables = list(variables)
        self._bits = graph.bits(variables)
        self._known: dict[Node, Row] = {node: {j: graph.one} for j, node in enumerate(variables)}
        self._systems = Systems(graph, systems, self._known)
        self._rules: dict[Node, tuple[DerivativeRule, tuple[Node, ...]]] = {}  # with what is below it
        if all(graph.level[variable] == Level.VARYING for variable in variables):
            known = [(rule, rule.below) for rule in rules]
            self._rules.update((node, one) for one in known for node in one[0].unknowns if node not in one[1])

    def rows(self, roots: Sequence[Node]) -> list[Row]:
        """Return the derivatives of some nodes."""
        self._find(roots)
        inner = [root for root in dict.fromkeys(roots) if root not in self._variables and not self._is_unknown(root)]
        pulled = self._pulled([[(root, self._graph.one)] for root in inner])
        cheaper = self._cheaper(inner, [self._known[root] for root in inner], pulled)
        found = {**self._known, **dict(zip(inner, cheaper, strict=True))}
        return [found[root] for root in roots]

    def _is_unknown(self, node: Node) -> bool:
        """Whether the derivatives of a node come from a system or a rule."""
        return node in self._rules or self._systems.of(node) is not None

    # -- forward -----------------------------------------------------------------------------------------------------

    def _find(self, roots: Iterable[Node]) -> None:
        """Derive the roots and what they depend on."""
        known, graph = self._known, self._graph
        stack = list(roots)
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            if not graph.holds[node] & self._bits:
                known[node] = {}
                continue
            rule = self._rules.get(node)
            system = None if rule else self._systems.of(node)
            arguments = rule[1] if rule else system.arguments if system else graph.args[node]
            missing = [a for a in arguments if a not in known]
            if missing:
                stack.extend(missing)
            elif rule:
                derived = rule[0].derive(graph, self._combined(rule[0].arguments))
                for unknown, row in zip(rule[0].unknowns, derived, strict=True):
                    known.setdefault(unknown, row)
            elif system:
                self._differentiate(system)
            else:
                known[node] = self._pushed(node)

    def _combined(self, combinations: Sequence[Seeds]) -> list[Row]:
        """Return the derivatives of combinations, by the sweeps that cost less."""
        forward = []
        for seeds in combinations:
            row: Row = {}
            for node, weight in seeds:
                self._add(row, weight, self._known[node])
            forward.append(row)
        nodes = {node for seeds in combinations for pair in seeds for node in pair}
        return self._cheaper(sorted(nodes), forward, self._pulled(combinations))

    def _pushed(self, node: Node) -> Row:
        """Return the derivative of a node from those of its arguments."""
        graph, zero = self._graph, self._graph.zero
        args, op = graph.args[node], graph.ops[node]
        rows = [self._known[a] for a in args]
        if not any(rows):
            return {}
        if op in CHOICES:  # what the other branch has no value for must not come in by way of 0 times infinity
            condition, if_true, if_false = alternatives(graph, node)
            chosen, other = self._known[if_true], self._known[if_false]
            found = {
                j: graph.select(condition, chosen.get(j, zero), other.get(j, zero)) for j in sorted({*chosen, *other})
            }
            return {j: rate for j, rate in found.items() if rate != zero}
        total: Row = {}
        for partial, row in zip(partials(graph, node), rows, strict=True):
            self._add(total, partial, row)
        return total

    def _add(self, total: Row, factor: Node, row: Row) -> None:
        """Add factor times row to the total."""
        graph = self._graph
        for j, rate in row.items():
            product = graph.mul(factor, rate)
            if product == graph.zero:
                continue
            total[j] = graph.add(total[j], product) if j in total else product

    def _differentiate(self, system: Solved) -> None:
        """Derive the unknowns of a system from its arguments: A dX = dB - dA X."""
        graph, zero = self._graph, self._graph.zero
        columns = list(zip(*system.solution, strict=True))
        forward = []
        for entries, sides in zip(system.matrix, system.right, strict=True):
            for side, column in zip(sides, columns, strict=True):
                row: Row = dict(self._known[side])
                for entry, unknown in zip(entries, column, strict=True):
                    self._add(row, graph.neg(unknown), self._known[entry])
                forward.append(row)
        pulled = self._pulled(_seeds(graph, system))
        rates = self._cheaper([*system.arguments, *system.unknowns], forward, pulled)
        width = len(columns)
        places = sorted({(c, j) for i, row in enumerate(rates) for c in (i % width,) for j in row})
        right = [[rates[i * width + c].get(j, zero) for c, j in places] for i in range(len(system.right))]
        solved = system.again(graph, right) if places else [[] for _ in right]
        for unknowns, values in zip(system.solution, solved, strict=True):
            for c, unknown in enumerate(unknowns):
                rates_of = zip(places, values, strict=True)
                row = {j: value for (column, j), value in rates_of if column == c and value != zero}
                self._known.setdefault(unknown, row)  # one that is no more than an argument has its own already

    # -- reverse -----------------------------------------------------------------------------------------------------

    def _cheaper(self, given: Sequence[Node], forward: list[Row], reverse: list[Row]) -> list[Row]:
        """Return the derivatives by the way that costs less beside what is given."""
        counts = [
            cost(self._graph, [*given, *(x for row in rows for x in row.values())]) for rows in (forward, reverse)
        ]
        return reverse if counts[1] < counts[0] else forward

    def _pulled(self, targets: Sequence[Seeds]) -> list[Row]:
        """Return the derivatives of combinations, by a reverse sweep for each."""
        graph, zero = self._graph, self._graph.zero
        solutions = self._solutions_below([node for seeds in targets for node, _ in seeds])
        leaves = [*self._variables, *solutions]
        count = len(self._variables)
        rows = []
        for seeds in targets:
            slopes = vjp(graph, seeds, leaves)
            row = {j: slope for j, slope in enumerate(slopes[:count]) if slope != zero}
            for solution, slope in zip(solutions, slopes[count:], strict=True):
                self._add(row, slope, self._known[solution])
            rows.append(row)
        return rows

    def _solutions_below(self, targets: Sequence[Node]) -> list[Node]:
        """Return the unknowns of systems that the nodes depend on, the nearest ones only."""
        graph = self._graph
        seen = set(self._variables)
        found = []
        stack = list(targets)
        while stack:
            node = stack.pop()
            if node in seen or not graph.holds[node] & self._bits:
                continue
            seen.add(node)
            if self._is_unknown(node):
                found.append(node)
            else:
                stack += graph.args[node]
        return sorted(found)


def _seeds(graph: Graph, system: Solved) -> list[Seeds]:
    """Return what the entries of dB - dA X are made of, by rows: an entry of B or A, and its weight."""
    columns = list(zip(*system.solution, strict=True))
    return [
        [(b, graph.one), *((a, graph.neg(x)) for a, x in zip(row, column, strict=True))]
        for row, side in zip(system.matrix, system.right, strict=True)
        for b, column in zip(side, columns, strict=True)
    ]
