"""SymPy scalars to graph nodes.

Each expression is walked once, iteratively, with a memo by the object (see `memory`); nothing is expanded. Rational
numbers and pi stay exact, a Float stays that float, quotients are collected so that a product has one division.

Decisions a user may meet: x**(1/3) is NaN for negative x (SymPy's principal root is complex there); Heaviside(0) is
1/2 unless its second argument says otherwise; sinc(0) = 1; Mod has the sign of its second argument, as in SymPy; a
product is zero where one of its factors is by a choice (Heaviside, Piecewise, Max, Min), whatever the others are there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import LoweringError
from eomc.ir.choices import EVERYWHERE, NOWHERE, both, nonzero, without_zero
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.guards import guarded, is_total
from eomc.ir.ops import Op
from eomc.ir.symbols import Named
from eomc.lowering.functions import FUNCTIONS
from eomc.lowering.memory import Memory
from eomc.lowering.messages import short, unknown, within
from eomc.lowering.order import StructuralOrder
from eomc.model.arrays import is_element
from eomc.model.definitions import definition


class ScalarLowering:
    """Converts SymPy expressions over known symbols.

    Parameters
    ----------
    graph
        The graph, to which nodes are added.
    symbols
        SymPy symbol, time function or time derivative -> its node. Keyed by the object: p and a positive p differ.

    Raises
    ------
    LoweringError
        From the call: an unknown symbol, an unsupported function, a number that is not real and finite.
    """

    def __init__(self, graph: Graph, symbols: Mapping[sympy.Basic, Node]) -> None:
        self.graph = graph
        self._order = StructuralOrder(graph)
        self._memo = Memory(symbols)
        self._given = set(symbols.values())
        self._unknowns: set[Node] = set()
        self._later: dict[tuple[sympy.Basic, int], Callable[[], Node]] = {}  # by time function and order
        self._meanings: dict[int, tuple[sympy.Basic, sympy.Basic]] = {}  # by id: a function, what it stands for

    def define(self, symbol: sympy.Basic, node: Node, *, unknown: bool = False) -> None:
        """Say what a further symbol stands for; an `unknown` one is solved for, from products such as a Max(N, 0)."""
        self._memo[symbol] = node
        self._given.add(node)
        if unknown:
            self._unknowns.add(node)

    def define_all(self, symbols: Iterable[sympy.Basic], nodes: Iterable[Node], *, unknown: bool = False) -> None:
        """Say what further symbols stand for, one by one."""
        for symbol, node in zip(symbols, nodes, strict=True):
            self.define(symbol, node, unknown=unknown)

    def define_later(self, function: sympy.Basic, order: int, node: Callable[[], Node]) -> None:
        """Say what makes the node of a further time derivative where an expression holds it."""
        self._later[function, order] = node

    def knows(self, symbol: sympy.Basic) -> bool:
        """Whether the symbol (or expression) has a node already."""
        return symbol in self._memo

    def __call__(self, root: sympy.Basic | float) -> Node:
        """Return the node of a SymPy expression or number."""
        memo = self._memo
        if not isinstance(root, sympy.Expr) or root.is_Matrix:
            root = _scalar(root)
        known = memo.get(root)
        if known is not None:
            return known
        stack: list[sympy.Basic] = [root]
        while stack:
            expression = stack[-1]
            if expression in memo:
                stack.pop()
                continue
            if isinstance(expression, sympy.Derivative):
                later = self._later.get((expression.expr, expression.derivative_count))
                if later is not None:
                    memo[expression] = later()
                    continue
            missing = [child for child in self._children(expression, root) if child not in memo]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            node = self._node(expression, root)
            if self.graph.level[node] == Level.CONSTANT and expression.args and _is_complex(expression):
                raise LoweringError(f"{short(expression)}{within(expression, root)} is a complex number")
            memo[expression] = node
        return memo[root]

    def _children(self, expression: Any, root: Any) -> list[Any]:
        """Return what must be lowered first."""
        if isinstance(expression, sympy.Symbol) or is_element(expression):
            raise LoweringError(unknown(expression, root))
        if expression.is_Atom:
            return []
        if isinstance(expression, sympy.Pow):
            base, exponent = expression.args
            return [base] if _rational_exponent(exponent) is not None else [base, exponent]
        if isinstance(expression, sympy.Mul):
            return [part for factor in expression.args for part in _factor_parts(factor)]
        if isinstance(expression, sympy.Piecewise):
            return [part for pair in expression.args for part in pair.args if part not in (sympy.true, sympy.false)]
        if isinstance(expression, sympy.ITE):
            return [part for part in expression.args if part not in (sympy.true, sympy.false)]
        is_operator = isinstance(expression, (sympy.Add, sympy.Rel, sympy.And, sympy.Or, sympy.Not))
        if is_operator or expression.func in FUNCTIONS:
            return list(expression.args)
        if id(expression) not in self._meanings and (meaning := definition(expression)) is not None:
            self._meanings[id(expression)] = expression, meaning
        if id(expression) in self._meanings:
            return [self._meanings[id(expression)][1]]
        if isinstance(expression, (AppliedUndef, sympy.Derivative)):
            raise LoweringError(unknown(expression, root))
        raise LoweringError(
            f"{expression.func.__name__} in {short(root)}: this function has no real meaning in C; "
            "write it with elementary functions, Piecewise, Min, Max, Abs or sign"
        )

    def _node(self, expression: Any, root: Any) -> Node:
        graph, memo = self.graph, self._memo
        if expression.is_Atom:
            return graph.constant(_number(expression, root))
        if id(expression) in self._meanings:
            return memo[self._meanings[id(expression)][1]]
        args = expression.args
        try:
            if isinstance(expression, sympy.Add):
                return graph.sum(self._order.sorted([memo[a] for a in args]))
            if isinstance(expression, sympy.Mul):
                return self._product(args, root)
            if isinstance(expression, sympy.Pow):
                return self._power(args[0], args[1])
            if isinstance(expression, sympy.Piecewise):
                return self._piecewise(expression, root)
            if isinstance(expression, sympy.Rel):
                return self._relation(expression)
            if isinstance(expression, (sympy.And, sympy.Or)):
                op = Op.AND if isinstance(expression, sympy.And) else Op.OR
                return reduce(partial(graph.binary, op), self._order.sorted([memo[a] for a in args]))
            if isinstance(expression, sympy.Not):
                return graph.negate(memo[args[0]])
            if isinstance(expression, sympy.ITE):
                return self._if_then_else(*args)
            return FUNCTIONS[expression.func](graph, self._order, [memo[a] for a in args])
        except ZeroDivisionError as error:
            raise LoweringError(f"division by zero in {short(root)}") from error
        except OverflowError as error:
            raise LoweringError(f"a number in {short(root)} is larger than a double can hold") from error

    def _product(self, factors: tuple[Any, ...], root: Any) -> Node:
        """Return numerator over denominator, each a product in our order, the number last.

        Where a factor is zero by a choice the product is, whatever the others are there.
        """
        graph = self.graph
        coefficient: int | Fraction | float = 1
        above: list[Node] = []
        below: list[Node] = []
        for factor in factors:
            if factor.is_Number:
                value = _number(factor, root)
                assert not isinstance(value, Named)
                coefficient = coefficient * value  # one number, but for products that SymPy was told not to evaluate
            elif isinstance(factor, sympy.Pow) and (q := _rational_exponent(factor.exp)) is not None and q < 0:
                below.append(self._rational_power(self._memo[factor.base], -q))
            else:
                above.append(self._memo[factor])
        switches = EVERYWHERE  # where no factor is zero by a choice
        for node in above:
            switches = both(graph, switches, nonzero(graph, node))
        if switches not in (EVERYWHERE, NOWHERE) and not graph.holds[switches] & graph.bits(self._unknowns):
            live = self._quotient([without_zero(graph, node) for node in above], below, coefficient)
            whole = self._quotient(above, below, coefficient)  # of Piecewise((y, y > 0), (0, True))/y, 1 is left above
            if not (is_total(graph, live, self._given) and is_total(graph, whole, self._given)):
                return graph.select(switches, guarded(graph, live, switches, self._given), graph.zero)
        return self._quotient(above, below, coefficient)

    def _quotient(self, above: list[Node], below: list[Node], coefficient: float | Fraction) -> Node:
        graph = self.graph
        numerator = graph.product(self._order.sorted(above))
        if below:
            denominator = graph.product(self._order.sorted(below))
            if coefficient == -1:
                return graph.neg(graph.div(numerator, denominator))
            if above:
                return graph.mul(graph.div(numerator, denominator), graph.constant(coefficient))
            return graph.div(graph.constant(coefficient), denominator)
        return graph.mul(numerator, graph.constant(coefficient))

    def _power(self, base: Any, exponent: Any) -> Node:
        graph = self.graph
        rational = _rational_exponent(exponent)
        if rational is not None:
            node = self._memo[base]
            if rational < 0:
                return graph.div(graph.one, self._rational_power(node, -rational))
            return self._rational_power(node, rational)
        if base is sympy.E:
            return graph.unary(Op.EXP, self._memo[exponent])
        return graph.binary(Op.POW, self._memo[base], self._memo[exponent])

    def _rational_power(self, node: Node, exponent: int | Fraction) -> Node:
        """Return a positive rational power: of an integer exponent, a square root, or kept for the derivatives' sake.

        x^(3/2) has the slope 3/2 x^(1/2) at zero; written as a product it would have 0/0. It becomes x sqrt(x) at the
        end, in `passes.strength`.
        """
        return self.graph.binary(Op.POW, node, self.graph.constant(exponent))

    def _piecewise(self, expression: Any, root: Any) -> Node:
        graph, memo = self.graph, self._memo
        pairs = [(pair.args[0], pair.args[1]) for pair in expression.args]
        if pairs[-1][1] is not sympy.true:
            raise LoweringError(f"{short(expression)} has no value where no condition holds: add (value, True)")
        conditions = [memo[condition] for _, condition in pairs[:-1]]
        # Branch k runs where condition k holds and no earlier one does.
        elsewhere: Node | None = None
        branches = []
        for index, (value, _) in enumerate(pairs):
            if not isinstance(value, sympy.Expr):
                raise LoweringError(f"{value} in {short(root)} is a truth value where a number is needed")
            here = conditions[index] if index < len(conditions) else None
            active = here if elsewhere is None else elsewhere if here is None else graph.binary(Op.AND, elsewhere, here)
            branches.append(memo[value] if active is None else guarded(graph, memo[value], active, self._given))
            if here is not None:
                not_here = graph.negate(here)
                elsewhere = not_here if elsewhere is None else graph.binary(Op.AND, elsewhere, not_here)
        total = branches[-1]
        for condition, branch in zip(reversed(conditions), reversed(branches[:-1]), strict=True):
            total = graph.select(condition, branch, total)
        return total

    def _if_then_else(self, condition: Any, if_true: Any, if_false: Any) -> Node:
        """Return the condition that SymPy makes of a Piecewise within a condition."""
        graph, memo = self.graph, self._memo
        here, elsewhere = memo[condition], graph.negate(memo[condition])
        if if_true is sympy.true:
            return here if if_false is sympy.false else graph.binary(Op.OR, here, memo[if_false])
        if if_false is sympy.true:
            return elsewhere if if_true is sympy.false else graph.binary(Op.OR, elsewhere, memo[if_true])
        if if_true is sympy.false:
            return graph.binary(Op.AND, elsewhere, memo[if_false])
        first = graph.binary(Op.AND, here, memo[if_true])
        if if_false is sympy.false:
            return first
        return graph.binary(Op.OR, first, graph.binary(Op.AND, elsewhere, memo[if_false]))

    def _relation(self, expression: Any) -> Node:
        if not all(isinstance(a, sympy.Expr) for a in expression.args):
            raise LoweringError(f"{short(expression)} compares truth values: write it with And, Or, Not")
        left, right = (self._memo[a] for a in expression.args)
        op, swap = _RELATIONS[type(expression)]
        return self.graph.binary(op, right, left) if swap else self.graph.binary(op, left, right)


_RELATIONS = {
    sympy.StrictLessThan: (Op.LT, False),
    sympy.LessThan: (Op.LE, False),
    sympy.StrictGreaterThan: (Op.LT, True),
    sympy.GreaterThan: (Op.LE, True),
    sympy.Equality: (Op.EQ, False),
    sympy.Unequality: (Op.NE, False),
}


def _rational_exponent(exponent: Any) -> int | Fraction | None:
    """Return a rational exponent, also of a Float that is a half of an integer (x**2.0, x**1.5); None for any other."""
    if exponent.is_Integer:  # most are; making fractions takes longer
        return int(exponent.p)
    if exponent.is_Rational:
        return Fraction(int(exponent.p), int(exponent.q))
    if exponent.is_Float and abs(exponent) <= 64 and float(2 * exponent).is_integer():
        return Fraction(float(exponent))
    return None


def _factor_parts(factor: Any) -> list[Any]:
    """Return what a factor of a product needs lowered: the base of a negative power, else itself."""
    if factor.is_Number:
        return []
    if isinstance(factor, sympy.Pow) and (q := _rational_exponent(factor.exp)) is not None and q < 0:
        return [factor.base]
    return [factor]


def _number(atom: Any, root: Any) -> int | Fraction | float | Named:
    if atom.is_Rational:
        exact = int(atom.p) if atom.is_Integer else Fraction(int(atom.p), int(atom.q))
        if _fits(exact):
            return exact
    if atom is sympy.pi:
        return Named.PI
    if atom is sympy.E:
        return Named.E
    if atom.is_Float or isinstance(atom, sympy.NumberSymbol):
        value = float(atom)
        if math.isfinite(value) and (value != 0.0 or atom.is_zero):
            return value
    raise LoweringError(f"{short(atom)} in {short(root)} is not a finite real number that a double can hold")


def _fits(exact: int | Fraction) -> bool:
    """Whether the double next to a number is finite, and zero only for zero."""
    try:
        return (float(exact) != 0.0) == (exact != 0)
    except OverflowError:
        return False


def _scalar(root: Any) -> sympy.Expr:
    """Return an expression of SymPy for what a user may have meant as a number."""
    try:
        expression = sympy.sympify(root, strict=True)
    except sympy.SympifyError:
        expression = None
    if not isinstance(expression, sympy.Expr) or expression.is_Matrix:
        raise LoweringError(f"{short(root)} is a {type(root).__name__}: a number or a scalar expression is needed")
    return expression


def _is_complex(constant: Any) -> bool:
    """Whether SymPy knows that a number is not real."""
    return isinstance(constant, sympy.Expr) and constant.is_extended_real is False
