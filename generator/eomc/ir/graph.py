"""The expression graph: what is made of nodes folds as it is made.

Constructors fold exact constants and the identities that hold for every finite value; they never expand and never
reorder what a user wrote beyond swapping the two arguments of a commutative op.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from eomc.ir.nodes import Constant, Data, Level, Node, Rows, Store
from eomc.ir.ops import OPS, Op
from eomc.ir.systems import Factorization, SystemSpec

__all__ = ["Constant", "Data", "Graph", "Level", "Node", "Rows"]

# By names of their own: looking up a member of an enumeration takes long.
_ADD, _SUB, _MUL, _DIV, _NEG, _POWI = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI
_CONSTANT = Op.CONSTANT


class Graph(Store):
    """A hash-consed graph of real expressions."""

    __slots__ = ()

    # -- arithmetic --------------------------------------------------------------------------------------------------

    def add(self, x: Node, y: Node) -> Node:
        """Return x + y."""
        if x == self.zero:
            return y
        if y == self.zero:
            return x
        ops, level = self.ops, self.level
        if ops[y] is _NEG:
            return self.sub(x, self.args[y][0])
        if ops[x] is _NEG:
            return self.sub(y, self.args[x][0])
        if not (level[x] and level[y]):
            a, b = self._numbers.get(x), self._numbers.get(y)
            if a is not None and b is not None:
                return self.constant(a + b)
            if b is not None and b < 0:
                return self._of_two(_SUB, x, self.constant(-b))
            if a is not None and a < 0:
                return self._of_two(_SUB, y, self.constant(-a))
        return self._of_two(_ADD, x, y)

    def sub(self, x: Node, y: Node) -> Node:
        """Return x - y."""
        if y == self.zero:
            return x
        if x == y:
            return self.zero
        if x == self.zero:
            return self.neg(y)
        ops, level = self.ops, self.level
        if ops[y] is _NEG:
            return self.add(x, self.args[y][0])
        if ops[x] is _NEG:
            return self.neg(self.add(self.args[x][0], y))
        if not (level[x] or level[y]):
            a, b = self._numbers.get(x), self._numbers.get(y)
            if a is not None and b is not None:
                return self.constant(a - b)
        return self._of_two(_SUB, x, y)

    def neg(self, x: Node) -> Node:
        """Return -x."""
        if x == self.zero:
            return x
        op = self.ops[x]
        if op is _NEG:
            return self.args[x][0]
        if op is _CONSTANT:
            a = self._numbers.get(x)
            return self._of_one(_NEG, x) if a is None else self.constant(-a)
        if op is _SUB:
            first, second = self.args[x]
            return self._of_two(_SUB, second, first)
        return self._of_one(_NEG, x)

    def mul(self, x: Node, y: Node) -> Node:
        """Return x y."""
        ops, level = self.ops, self.level
        if not (level[x] and level[y]):
            zero = self.zero
            if x == zero or y == zero:
                return zero
            a, b = self._numbers.get(x), self._numbers.get(y)
            if a is not None and b is not None:
                return self.constant(a * b)
            if a is not None:
                x, y, b = y, x, a
            if b is not None:
                if b == 1:
                    return x
                if b == -1:
                    return self.neg(x)
                if b < 0:
                    return self.neg(self.mul(x, self.constant(-b)))
                inner = self.number(self.args[x][1]) if ops[x] is _MUL else None
                if inner is not None and not isinstance(inner, float) and not isinstance(b, float):
                    return self.mul(self.args[x][0], self.constant(inner * b))
        negative = False
        if ops[x] is _NEG:
            x, negative = self.args[x][0], True
        if ops[y] is _NEG:
            y, negative = self.args[y][0], not negative
        product = self.powi(x, 2) if x == y else self._of_two(_MUL, x, y)
        return self.neg(product) if negative else product

    def div(self, x: Node, y: Node) -> Node:
        """Return x / y; dividing by a literal zero is the caller's mistake."""
        a, b = self._numbers.get(x), self._numbers.get(y)
        if b is not None:
            if b == 0:
                raise ZeroDivisionError("division by a literal zero")
            if a is not None:
                exact = not isinstance(a, float) and not isinstance(b, float)
                return self.constant(Fraction(a) / Fraction(b) if exact else float(a) / float(b))
            if b == 1:
                return x
            if b == -1:
                return self.neg(x)
            if isinstance(b, int) and abs(b) & (abs(b) - 1) == 0:
                return self.mul(x, self.constant(Fraction(1, b)))  # a power of two: exact either way
        if a == 0:
            return self.constant(0)
        if x == y:
            return self.constant(1)
        if self.ops[x] is _NEG and self.ops[y] is _NEG:
            return self.div(self.args[x][0], self.args[y][0])
        if self.ops[x] is _NEG:
            return self.neg(self.div(self.args[x][0], y))
        if self.ops[y] is _NEG:
            return self.neg(self.div(x, self.args[y][0]))
        return self._of_two(_DIV, x, y)

    def times(self, x: Node, y: Node) -> Node:
        """Return x y as a plain product, where `mul` would make a power of equal factors."""
        return self._of_two(_MUL, x, y)

    def powi(self, x: Node, exponent: int) -> Node:
        """Return x to an integer power."""
        if exponent == 0:
            return self.constant(1)
        if exponent == 1:
            return x
        a = self._numbers.get(x)
        if a is not None and (a != 0 or exponent > 0):
            return self.constant(_float_power(a, exponent) if isinstance(a, float) else Fraction(a) ** exponent)
        if a == 0:
            raise ZeroDivisionError("negative power of a literal zero")
        if self.ops[x] is _NEG:
            power = self.powi(self.args[x][0], exponent)
            return self.neg(power) if exponent % 2 else power
        if self.ops[x] is Op.SQRT and exponent == 2:
            return self.args[x][0]
        if self.ops[x] is _POWI:
            inner = self.integer(x)
            if inner > 0 and exponent > 0:
                return self.powi(self.args[x][0], inner * exponent)
        if not self.level[x]:
            folded = self._of_tabled(_POWI, (x,), exponent)
            if folded is not None:
                return folded
        return self._intern(_POWI, (x,), exponent, self.level[x])

    def unary(self, op: Op, x: Node) -> Node:
        """Return a function of one argument; odd and even functions lose a minus sign, exact special values fold."""
        a = self._numbers.get(x)
        if a is not None:
            row = OPS[op]
            finite = not (isinstance(a, float) and math.isinf(a))
            value = row.at_zero if a == 0 else row.exact(a) if row.exact is not None and finite else None
            if value is not None:
                return self.constant(value)
        elif self.ops[x] is _NEG:
            parity = OPS[op].parity
            if parity:
                even = self.unary(op, self.args[x][0])
                return even if parity > 0 else self.neg(even)
        if op is Op.ABS and self.ops[x] is Op.ABS:
            return x
        if op is Op.SQRT and self.ops[x] is _POWI and self.data[x] == 2:
            return self.unary(Op.ABS, self.args[x][0])
        return self._of_one(op, x)

    def binary(self, op: Op, x: Node, y: Node) -> Node:
        """Return a function of two arguments by its op."""
        arithmetic = _ARITHMETIC.get(op)
        if arithmetic is not None:
            return arithmetic(self, x, y)
        if op is Op.POW:
            exponent = self._numbers.get(y)
            if isinstance(exponent, int) and (exponent >= 0 or x != self.zero):
                return self.powi(x, exponent)
            if exponent == _HALF:
                return self.unary(Op.SQRT, x)
        if x == y and op in (Op.MIN, Op.MAX, Op.AND, Op.OR):
            return x
        return self._of_two(op, x, y)

    def select(self, condition: Node, if_true: Node, if_false: Node) -> Node:
        """Return `if_true` where the condition holds, else `if_false`; both are always evaluated."""
        if if_true == if_false:
            return if_true
        if self.ops[condition] is Op.NOT:
            return self.select(self.args[condition][0], if_false, if_true)
        return self._make(Op.SELECT, (condition, if_true, if_false))

    def negate(self, condition: Node) -> Node:
        """Return the logical negation."""
        return self.args[condition][0] if self.ops[condition] is Op.NOT else self._of_one(Op.NOT, condition)

    # -- sums and products -------------------------------------------------------------------------------------------

    def sum(self, terms: Iterable[Node]) -> Node:
        """Return the sum from left to right."""
        zero = total = self.zero
        for term in terms:
            total = term if total == zero else self.add(total, term)
        return total

    def product(self, factors: Iterable[Node]) -> Node:
        """Return the product from left to right."""
        one = total = self.one
        for factor in factors:
            total = factor if total == one else self.mul(total, factor)
        return total

    # -- linear systems ----------------------------------------------------------------------------------------------

    def solve(
        self,
        factorization: Factorization,
        matrix: Sequence[Sequence[Node]],
        right: Sequence[Sequence[Node]],
        labels: Sequence[str],
        sizes: Sequence[Node] = (),
    ) -> Rows:
        """Return X with matrix X = right as RESULT nodes, one list per row; `right` is given by rows.

        `sizes` are those of a symmetric matrix' diagonal where the caller knows them; else they are found later.
        """
        n, columns = len(matrix), len(right[0])
        spec = SystemSpec(factorization, n, columns, tuple(labels), sized=bool(sizes))
        assert len(sizes) in (0, spec.sizes)
        if factorization is Factorization.LDLT:
            entries = [matrix[i][j] for i in range(n) for j in range(i + 1)]
        else:
            entries = [matrix[i][j] for i in range(n) for j in range(n)]
        return self._solved(spec, (*entries, *sizes, *(right[i][j] for i in range(n) for j in range(columns))))

    def solve_constrained(
        self,
        form: Factorization,
        matrix: Sequence[Sequence[Node]],
        jacobian: Sequence[Sequence[Node]],
        right: Sequence[Sequence[Node]],
        labels: Sequence[str],
        *,
        strict: bool = True,
    ) -> tuple[Rows, Rows]:
        """Return X and L of [[M, J^T], [J, 0]] [X; L] = right as RESULT nodes, by rows; M is read to its diagonal.

        Without constraints this is `solve` with a positive definite M. `strict`: see SystemSpec.
        """
        n, m, columns = len(matrix), len(jacobian), len(right[0])
        if m == 0:
            return self.solve(Factorization.LDLT, matrix, right, labels), []
        spec = SystemSpec(form, n, columns, tuple(labels), m, strict)
        args = (
            *(matrix[i][j] for i in range(n) for j in range(i + 1)),
            *(entry for row in jacobian for entry in row),
            *(right[i][j] for i in range(n + m) for j in range(columns)),
        )
        solution = self._solved(spec, args)
        return solution[:n], solution[n:]

    def solve_again(self, system: Node, right: Sequence[Sequence[Node]]) -> Rows:
        """Return the solution of a symmetric system with the matrix of a SOLVE node and another right side, by rows.

        That side may be a derivative: redundant rows need not agree on it, for they may part where a state leaves them.
        """
        spec = self.system_of(system)
        assert spec.symmetric
        args = (*self.args[system][: spec.matrix_entries], *(entry for row in right for entry in row))
        return self._solved(replace(spec, columns=len(right[0]), strict=spec.strict and not spec.constraints), args)

    def _solved(self, spec: SystemSpec, args: tuple[Node, ...]) -> Rows:
        """Return the RESULT nodes of a linear system, by rows."""
        system, n = self.system(spec, args), spec.columns
        return [[self.result(system, i * n + j) for j in range(n)] for i in range(spec.rows)]

    def system(self, spec: SystemSpec, args: Sequence[Node]) -> Node:
        """Return the node of a linear system."""
        return self._intern(Op.SOLVE, tuple(args), spec, max(self.level[a] for a in args))

    def result(self, system: Node, index: int) -> Node:
        """Return entry `index` of a solution."""
        return self._intern(Op.RESULT, (system,), index, self.level[system])

    # -- again -------------------------------------------------------------------------------------------------------

    def rebuild(self, node: Node, args: Sequence[Node]) -> Node:
        """Return the node of the same op and data over other arguments, simplified anew."""
        op = self.ops[node]
        arithmetic = _ARITHMETIC.get(op)
        if arithmetic is not None:
            return arithmetic(self, args[0], args[1])
        data = self.data[node]
        if op is _POWI:
            return self.powi(args[0], self.integer(node))
        if op is Op.SELECT:
            return self.select(args[0], args[1], args[2])
        if op is _NEG:
            return self.neg(args[0])
        if op is Op.NOT:
            return self.negate(args[0])
        if op is Op.RESULT:
            return self.result(args[0], self.integer(node))
        if isinstance(data, SystemSpec):
            return self.system(data, args)
        if len(args) == 2:
            return self.binary(op, args[0], args[1])
        if len(args) == 1:
            return self.unary(op, args[0])
        return node


def _float_power(x: float, exponent: int) -> float:
    """Return a power by repeated squaring: the same on every host, as pow of its libm is not."""
    result, square, left = 1.0, x, abs(exponent)
    while left:
        if left & 1:
            result *= square
        square *= square
        left >>= 1
    return 1.0 / result if exponent < 0 else result


_HALF = Fraction(1, 2)
_ARITHMETIC: dict[Op, Callable[[Graph, Node, Node], Node]] = {
    _ADD: Graph.add,
    _SUB: Graph.sub,
    _MUL: Graph.mul,
    _DIV: Graph.div,
}
