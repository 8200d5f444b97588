"""Loads that hold the unknown reactions themselves, such as a normal force N in the friction mu |N|.

The motion depends on them then, and everything is solved together. With u' linear in N and |N| the equations of the
auxiliary speeds are E N + D |N| = b. The signs s of N are tried: (E + D diag(s)) N = b is the solution where it has the
signs s. The equations may have several solutions or none, as Painleve found: of several the one with the earliest
signs, positive before negative in the order of the reactions, is taken; none is a failure at run time.

Through the inertia E may be regular though a load is forgotten or misdirected, so that it cannot hold what its
auxiliary speed moves: only where dF~_w/dN of the forces along the auxiliary speeds has an inverse, too, are the
reactions determined.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial, reduce

from eomc.derivation.problem import Problem
from eomc.derivation.states import auxiliary_speeds
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.graph import Node, Rows
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.ir.remedies import SIGNS
from eomc.ir.symbols import Named
from eomc.model.names import name_of
from eomc.passes.differentiate import depends_on, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError

_MOST = 4  # reactions whose sizes matter: 2^4 patterns of signs
_STRAIGHT = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.DIV, Op.SELECT, Op.SOLVE, Op.RESULT})


class UnknownReactions:
    """The reactions that loads hold, with their sizes."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._graph = graph = problem.graph
        self._reactions = problem.symbols.reactions
        self._names = [problem.graph.symbol_of(node).name for node in self._reactions]
        self._sizes = [graph.fresh(f"|{name}|") for name in self._names]
        self._without = Substitution(graph, dict.fromkeys([*self._reactions, *self._sizes], graph.zero))

    def _parts(self, nodes: Sequence[Node]) -> tuple[list[Node], Rows, Rows]:
        """Return what is left without reactions, and the factors of N and of |N|."""
        apart = self._apart(nodes)
        variables = [*self._reactions, *self._sizes]
        slopes = jacobian(self._graph, apart, variables)
        if self._is_bent(apart, variables) or depends_on(self._graph, [x for row in slopes for x in row], variables):
            raise UnsupportedError(
                f"{self._problem.model.name}: what acts holds {', '.join(self._names)} otherwise than as N and Abs(N), "
                "or Max(N, 0) and Min(N, 0), times what the state determines: reactions are solved from linear "
                "equations and their signs"
            )
        count = len(self._reactions)
        return self._without.all(apart), [row[:count] for row in slopes], [row[count:] for row in slopes]

    def _apart(self, nodes: Sequence[Node]) -> list[Node]:
        """Return nodes with |N| as a placeholder: |c N| is |c| |N|, max(c N, 0) is (c N + |c| |N|) / 2, min alike."""
        graph = self._graph
        replaced: dict[Node, Node] = {}
        for node in sorted(depends_on(graph, graph.reachable(nodes), self._reactions)):
            op, args = graph.ops[node], graph.args[node]
            held = [a for a in args if a != graph.zero]
            if op not in (Op.ABS, Op.MAX, Op.MIN) or len(held) != 1:
                continue
            size = self._size(held[0])
            if size is None:
                continue
            if op is Op.ABS:
                replaced[node] = size
            else:
                both = graph.add(held[0], size) if op is Op.MAX else graph.sub(held[0], size)
                replaced[node] = graph.div(both, graph.constant(2))
        return Substitution(graph, replaced).all(list(nodes))

    def _size(self, node: Node) -> Node | None:
        """Return |c| |N| of c N, None of anything else."""
        graph = self._graph
        (slopes,) = jacobian(graph, [node], self._reactions)
        acting = [i for i, slope in enumerate(slopes) if not graph.is_zero(slope)]
        if len(acting) != 1 or self._without(node) != graph.zero or depends_on(graph, slopes, self._reactions):
            return None
        return graph.mul(graph.unary(Op.ABS, slopes[acting[0]]), self._sizes[acting[0]])

    def _is_bent(self, nodes: Sequence[Node], variables: Sequence[Node]) -> bool:
        """Whether N goes through anything but sums, products and branches: a step has the slope of a constant."""
        graph = self._graph
        moving = depends_on(graph, graph.reachable(nodes), variables)
        for node in moving:
            op, args = graph.ops[node], graph.args[node]
            if args and (op not in _STRAIGHT or (op is Op.SELECT and args[0] in moving)):
                return True
        return False

    def with_values(self, nodes: Sequence[Node], values: Sequence[Node]) -> list[Node]:
        """Return nodes with the reactions at their values, as sums: what is solved is not solved once more for them."""
        graph = self._graph
        found = []
        for total, direct, sized in zip(*self._parts(nodes), strict=True):
            for slope, value in zip(direct, values, strict=True):
                total = graph.add(total, graph.mul(slope, value))
            for slope, value in zip(sized, values, strict=True):
                if not graph.is_zero(slope):
                    total = graph.add(total, graph.mul(slope, graph.unary(Op.ABS, value)))
            found.append(total)
        return found

    def solve(self, balance: Sequence[Node], along: Sequence[Node]) -> list[Node]:
        """Return the reactions at which the balances are zero, and which the loads `along` the speeds can hold."""
        graph, problem, names = self._graph, self._problem, self._names
        rest, direct, sized = self._parts_without_rounding(balance)
        _, acting, acting_sized = self._parts_without_rounding(along)
        right = [[graph.neg(b)] for b in rest]
        both = [*sized, *acting_sized]
        rough = [i for i, _ in enumerate(names) if not all(graph.is_zero(row[i]) for row in both)]
        if len(rough) > _MOST:
            raise UnsupportedError(
                f"{problem.model.name}: the sizes of {len(rough)} reactions ({', '.join(names[i] for i in rough)}) "
                f"matter, and at most {_MOST} can be solved by trying their signs; give those whose sign is known as "
                "positive symbols, without Abs"
            )
        patterns = [dict(zip(rough, signs, strict=True)) for signs in itertools.product((1, -1), repeat=len(rough))]
        self._refuse_undetermined(
            [
                (self._with_signs(acting, acting_sized, signs), self._with_signs(direct, sized, signs))
                for signs in patterns
            ]
        )
        if not rough:
            values = solve_general(graph, direct, right, names, problem.checks).column
            for check in self._regular(acting):
                for value in values:
                    problem.checks.alike(value, check, ", ".join(names))
            return values
        found: list[Node] | None = None
        fits = []
        for signs in reversed(patterns):
            matrix = self._with_signs(direct, sized, signs)
            pivots = Checks(graph)  # a pattern that has no solution does not fit, and that is all
            try:
                values = solve_general(graph, matrix, right, names, pivots).column
                holding = self._regular(self._with_signs(acting, acting_sized, signs))
            except StructurallySingularError:  # nor does a pattern that never has one
                continue
            pairs = ((graph.zero, values[i]) if sign > 0 else (values[i], graph.zero) for i, sign in signs.items())
            signed = [graph.binary(Op.LE, *pair) for pair in pairs]
            fit = reduce(
                partial(graph.binary, Op.AND), [*(check.condition for check in (*pivots.all(), *holding)), *signed]
            )
            found = values if found is None else [graph.select(fit, v, w) for v, w in zip(values, found, strict=True)]
            fits.append(fit)
        assert found is not None
        if len(fits) == 1:
            found = [graph.select(fits[0], value, graph.constant(Named.NAN)) for value in found]
        anywhere = reduce(partial(graph.binary, Op.OR), fits)
        label = SIGNS + ", ".join(names[i] for i in rough)
        for value in found:
            if graph.ops[value] is Op.SELECT:  # else it is the same whatever the signs, and has one of them
                problem.checks.consistent(value, anywhere, label)
        return found

    def _parts_without_rounding(self, nodes: Sequence[Node]) -> tuple[list[Node], Rows, Rows]:
        """Return the parts of nodes, zeros in the place of factors that are zero as functions."""
        rest, *factors = self._parts(nodes)
        direct, sized = (
            [[self._graph.zero if self._problem.is_zero(x) else x for x in row] for row in rows] for rows in factors
        )
        return rest, direct, sized

    def _regular(self, matrix: Rows) -> list[Check]:
        """Return the checks with which a matrix has an inverse: those of its solution for any one right side."""
        graph = self._graph
        pivots = Checks(graph)
        solution = solve_general(graph, matrix, [[graph.one] for _ in matrix], self._names, pivots)
        solved = [value for value in solution.column if graph.ops[value] is Op.RESULT]  # these fail by themselves
        for value in solved[:1]:
            pivots.consistent(value, graph.binary(Op.LE, graph.zero, graph.unary(Op.ABS, value)), "")
        return list(pivots.all())

    def _with_signs(self, direct: Rows, sized: Rows, signs: dict[int, int]) -> Rows:
        """Return E + D diag(s)."""
        matrix = [list(row) for row in direct]
        for row, slopes in zip(matrix, sized, strict=True):
            for i, sign in signs.items():
                row[i] = self._graph.add(row[i], slopes[i]) if sign > 0 else self._graph.sub(row[i], slopes[i])
        return matrix

    def _refuse_undetermined(self, patterns: Sequence[tuple[Rows, Rows]]) -> None:
        """Refuse reactions that with no pattern of signs both the loads and the equations determine."""
        problem = self._problem
        unknown: int | None = None
        for matrices in patterns:
            weakest = [found for found in map(problem.ranks.undetermined, matrices) if found is not None]
            if not weakest:
                return
            unknown = weakest[0] if unknown is None else unknown
        assert unknown is not None
        speeds = ", ".join(map(name_of, auxiliary_speeds(problem.model)))
        raise DerivationError(
            f"{problem.model.name}: the reaction {self._names[unknown]} is not determined by the equations of the "
            f"auxiliary speeds {speeds}: its load must act where they move what it holds"
        )
