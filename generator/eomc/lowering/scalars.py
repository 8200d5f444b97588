"""SymPy scalars to graph nodes.

Each expression is walked once, iteratively, with a memo by SymPy's own (cached) hash; nothing is expanded. Rational
numbers and pi stay exact, a Float stays that float, quotients are collected so that a product has one division.

Decisions a user may meet: x**(1/3) is NaN for negative x (SymPy's principal root is complex there); Heaviside(0) is
1/2 unless its second argument says otherwise; sinc(0) = 1; Mod has the sign of its second argument, as in SymPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import LoweringError
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named
from eomc.lowering.guards import guarded
from eomc.lowering.order import StructuralOrder

__all__ = ["ScalarLowering"]


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
        self._memo: dict[sympy.Basic, Node] = dict(symbols)

    def define(self, symbol: sympy.Basic, node: Node) -> None:
        """Say what a further symbol stands for."""
        self._memo[symbol] = node

    def knows(self, symbol: sympy.Basic) -> bool:
        """Whether the symbol (or expression) has a node already."""
        return symbol in self._memo

    def __call__(self, root: sympy.Basic | float) -> Node:
        """Return the node of a SymPy expression or number."""
        memo = self._memo
        if not isinstance(root, sympy.Basic):
            root = sympy.sympify(root)
        if root in memo:
            return memo[root]
        stack: list[sympy.Basic] = [root]
        while stack:
            expression = stack[-1]
            if expression in memo:
                stack.pop()
                continue
            children = self._children(expression, root)
            missing = [child for child in children if child not in memo]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            memo[expression] = self._node(expression, root)
        return memo[root]

    def _children(self, expression: Any, root: Any) -> list[Any]:
        """Return what must be lowered first."""
        if isinstance(expression, (sympy.Symbol, AppliedUndef, sympy.Derivative)):
            raise LoweringError(_unknown(expression, root))
        if expression.is_Atom:
            return []
        if isinstance(expression, sympy.Pow):
            base, exponent = expression.args
            return [base] if _rational_exponent(exponent) is not None else [base, exponent]
        if isinstance(expression, sympy.Mul):
            return [part for factor in expression.args for part in _factor_parts(factor)]
        if isinstance(expression, sympy.Piecewise):
            return [part for pair in expression.args for part in pair.args if part not in (sympy.true, sympy.false)]
        if isinstance(expression, (sympy.Add, sympy.Rel, sympy.And, sympy.Or, sympy.Not, sympy.ITE)):
            return list(expression.args)
        if expression.func in _FUNCTIONS:
            return list(expression.args)
        raise LoweringError(
            f"{expression.func.__name__} in {_short(root)}: this function has no real meaning in C; "
            "write it with elementary functions, Piecewise, Min, Max, Abs or sign"
        )

    def _node(self, expression: Any, root: Any) -> Node:
        graph, memo = self.graph, self._memo
        if expression.is_Atom:
            return graph.constant(_number(expression, root))
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
                nodes = self._order.sorted([memo[a] for a in args])
                total = nodes[0]
                for node in nodes[1:]:
                    total = graph.binary(op, total, node)
                return total
            if isinstance(expression, sympy.Not):
                return graph.negate(memo[args[0]])
            if isinstance(expression, sympy.ITE):
                raise LoweringError(f"ITE in {_short(root)}: use Piecewise")
            return _FUNCTIONS[expression.func](self, [memo[a] for a in args])
        except ZeroDivisionError as error:
            raise LoweringError(f"division by zero in {_short(root)}") from error

    def _product(self, factors: tuple[Any, ...], root: Any) -> Node:
        """Return numerator over denominator, each a product in our order, the number last."""
        graph = self.graph
        coefficient: int | Fraction | float = 1
        above: list[Node] = []
        below: list[Node] = []
        for factor in factors:
            if factor.is_Number:
                value = _number(factor, root)
                assert not isinstance(value, Named)
                coefficient = value
            elif isinstance(factor, sympy.Pow) and (q := _rational_exponent(factor.exp)) is not None and q < 0:
                below.append(self._rational_power(self._memo[factor.base], -q))
            else:
                above.append(self._memo[factor])
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

    def _rational_power(self, node: Node, exponent: Fraction) -> Node:
        """Return a positive rational power: multiplications and one square root where these do."""
        graph = self.graph
        if exponent.denominator == 1:
            return graph.powi(node, exponent.numerator)
        if exponent.denominator == 2:
            whole, root = exponent.numerator // 2, graph.unary(Op.SQRT, node)
            return graph.mul(graph.powi(node, whole), root)
        return graph.binary(Op.POW, node, graph.constant(exponent))

    def _piecewise(self, expression: Any, root: Any) -> Node:
        graph, memo = self.graph, self._memo
        pairs = [(pair.args[0], pair.args[1]) for pair in expression.args]
        if pairs[-1][1] is not sympy.true:
            raise LoweringError(f"{_short(expression)} has no value where no condition holds: add (value, True)")
        conditions = [memo[condition] for _, condition in pairs[:-1]]
        # Branch k runs where condition k holds and no earlier one does.
        elsewhere: Node | None = None
        branches = []
        for index, (value, _) in enumerate(pairs):
            here = conditions[index] if index < len(conditions) else None
            active = here if elsewhere is None else elsewhere if here is None else graph.binary(Op.AND, elsewhere, here)
            branches.append(memo[value] if active is None else guarded(graph, memo[value], active))
            if here is not None:
                not_here = graph.negate(here)
                elsewhere = not_here if elsewhere is None else graph.binary(Op.AND, elsewhere, not_here)
        total = branches[-1]
        for condition, branch in zip(reversed(conditions), reversed(branches[:-1]), strict=True):
            total = graph.select(condition, branch, total)
        return total

    def _relation(self, expression: Any) -> Node:
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


def _rational_exponent(exponent: Any) -> Fraction | None:
    """Return an exponent that multiplications (and a square root) can serve, None for any other."""
    if exponent.is_Rational:
        return Fraction(int(exponent.p), int(exponent.q))
    if exponent.is_Float and float(exponent).is_integer() and abs(exponent) <= 64:
        return Fraction(int(exponent))
    return None


def _factor_parts(factor: Any) -> list[Any]:
    """Return what a factor of a product needs lowered: the base of a negative power, else itself."""
    if factor.is_Number:
        return []
    if isinstance(factor, sympy.Pow) and (q := _rational_exponent(factor.exp)) is not None and q < 0:
        return [factor.base]
    return [factor]


def _number(atom: Any, root: Any) -> int | Fraction | float | Named:
    if atom.is_Integer:
        return int(atom)
    if atom.is_Rational:
        return Fraction(int(atom.p), int(atom.q))
    if atom is sympy.pi:
        return Named.PI
    if atom is sympy.E:
        return Named.E
    if atom.is_Float or isinstance(atom, sympy.NumberSymbol):
        value = float(atom)
        if math.isfinite(value) and (value != 0.0 or atom == 0):
            return value
    raise LoweringError(f"{atom} in {_short(root)} is not a finite real number that a double can hold")


def _unknown(expression: Any, root: Any) -> str:
    where = "" if expression == root else f" in {_short(root)}"
    if isinstance(expression, sympy.Derivative):
        return (
            f"{expression}{where} has no value: list it among the inputs "
            "(the derivative of an input signal is an input too)"
        )
    return f"{expression}{where} has no value: list it among the coordinates, speeds, inputs or parameters"


def _short(expression: Any) -> str:
    text = (
        str(expression)
        if not isinstance(expression, sympy.Basic) or len(expression.args) < 40
        else repr(expression.func)
    )
    return text if len(text) <= 80 else text[:77] + "..."


def _unary(op: Op) -> Callable[[ScalarLowering, list[Node]], Node]:
    return lambda lowering, args: lowering.graph.unary(op, args[0])


def _binary(op: Op) -> Callable[[ScalarLowering, list[Node]], Node]:
    return lambda lowering, args: lowering.graph.binary(op, args[0], args[1])


def _chain(op: Op) -> Callable[[ScalarLowering, list[Node]], Node]:
    def lower(lowering: ScalarLowering, args: list[Node]) -> Node:
        nodes = lowering._order.sorted(args)
        total = nodes[0]
        for node in nodes[1:]:
            total = lowering.graph.binary(op, total, node)
        return total

    return lower


def _reciprocal(op: Op) -> Callable[[ScalarLowering, list[Node]], Node]:
    return lambda lowering, args: lowering.graph.div(lowering.graph.one, lowering.graph.unary(op, args[0]))


def _heaviside(lowering: ScalarLowering, args: list[Node]) -> Node:
    g = lowering.graph
    zero, one = g.zero, g.one
    at_zero = args[1] if len(args) > 1 else g.constant(Fraction(1, 2))
    positive = g.binary(Op.LT, zero, args[0])
    negative = g.binary(Op.LT, args[0], zero)
    return g.select(positive, one, g.select(negative, zero, at_zero))


def _sinc(lowering: ScalarLowering, args: list[Node]) -> Node:
    g = lowering.graph
    at_zero = g.binary(Op.EQ, args[0], g.zero)
    safe = g.select(at_zero, g.one, args[0])
    return g.select(at_zero, g.one, g.div(g.unary(Op.SIN, safe), safe))


def _ceiling(lowering: ScalarLowering, args: list[Node]) -> Node:
    g = lowering.graph
    return g.neg(g.unary(Op.FLOOR, g.neg(args[0])))


def _frac(lowering: ScalarLowering, args: list[Node]) -> Node:
    g = lowering.graph
    return g.sub(args[0], g.unary(Op.FLOOR, args[0]))


_FUNCTIONS: dict[Any, Callable[[ScalarLowering, list[Node]], Node]] = {
    sympy.sin: _unary(Op.SIN),
    sympy.cos: _unary(Op.COS),
    sympy.tan: _unary(Op.TAN),
    sympy.asin: _unary(Op.ASIN),
    sympy.acos: _unary(Op.ACOS),
    sympy.atan: _unary(Op.ATAN),
    sympy.atan2: _binary(Op.ATAN2),
    sympy.sinh: _unary(Op.SINH),
    sympy.cosh: _unary(Op.COSH),
    sympy.tanh: _unary(Op.TANH),
    sympy.exp: _unary(Op.EXP),
    sympy.log: _unary(Op.LOG),
    sympy.Abs: _unary(Op.ABS),
    sympy.sign: _unary(Op.SIGN),
    sympy.floor: _unary(Op.FLOOR),
    sympy.ceiling: _ceiling,
    sympy.frac: _frac,
    sympy.Mod: _binary(Op.MOD),
    sympy.Min: _chain(Op.MIN),
    sympy.Max: _chain(Op.MAX),
    sympy.Heaviside: _heaviside,
    sympy.sinc: _sinc,
    sympy.cot: _reciprocal(Op.TAN),
    sympy.sec: _reciprocal(Op.COS),
    sympy.csc: _reciprocal(Op.SIN),
}
