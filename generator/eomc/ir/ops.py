"""The closed op set: one row per op says all that is true of it wherever it stands.

Its value, its derivatives, its symmetries, its kinks, what is to be kept from it, what it costs: derivation, passes and
interpreter read them here. How a target writes an op stands in a table of that target; tests name what is missing.
"""

from __future__ import annotations

import enum
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from eomc.ir.operations import OperationCounts

Number: TypeAlias = int | Fraction | float


class Kind(enum.Enum):
    """What sort of node an op makes."""

    LEAF = "leaf"
    REAL = "real"
    BOOLEAN = "boolean"
    SYSTEM = "system"  # a linear system; its value is read by RESULT nodes


class Op(enum.Enum):
    """Operations of the graph; a new one goes to the end, for its place is a number of `lowering/order.py`."""

    __hash__ = object.__hash__  # by identity, in C: ops are half of every key of the graph

    CONSTANT = "constant"  # data: int | Fraction | float | Named
    SYMBOL = "symbol"  # data: Symbol
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    NEG = "neg"
    POWI = "powi"  # data: integer exponent, not 0 or 1
    SQRT = "sqrt"
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    ASIN = "asin"
    ACOS = "acos"
    ATAN = "atan"
    ATAN2 = "atan2"
    SINH = "sinh"
    COSH = "cosh"
    TANH = "tanh"
    EXP = "exp"
    LOG = "log"
    POW = "pow"
    ABS = "abs"
    SIGN = "sign"  # -1, 0, 1
    MIN = "min"
    MAX = "max"
    FLOOR = "floor"
    MOD = "mod"  # x - y floor(x / y): the sign of y, as in Python and SymPy
    LT = "lt"
    LE = "le"
    EQ = "eq"
    NE = "ne"
    AND = "and"
    OR = "or"
    NOT = "not"
    SELECT = "select"  # (condition, if true, if false); both branches are evaluated and must be total
    SOLVE = "solve"  # data: SystemSpec; args: matrix entries, then right sides
    RESULT = "result"  # data: index into the solution; args: (solve,)


class Break(enum.Enum):
    """Where a function of real numbers is not analytic."""

    NOWHERE = "nowhere"  # or at points of its row's `steep` alone
    CUT = "cut"  # a jump along a line, with the same slopes on both sides
    KINK = "kink"
    STEP = "step"  # constant between jumps
    CHOICE = "choice"  # it is one of its arguments


Partial: TypeAlias = Callable[[Any, Any, Sequence[Any], Any], tuple[Any, ...]]
"""Partial derivatives by (arithmetic, value, arguments, data); the arithmetic is a graph's, or that of floats."""
Growth: TypeAlias = Callable[[float, Sequence[float], Sequence[float], Any], float]
"""Size of the terms of a value by (value, arguments, sizes of their terms, data)."""

_ADDITION = OperationCounts(additions=1)
_MULTIPLICATION = OperationCounts(multiplications=1)
_FUNCTION = OperationCounts(functions=1)
_OTHER = OperationCounts(others=1)
_NOTHING = OperationCounts()


@dataclass(frozen=True, slots=True)
class OpSpec:
    """One row of the table: all that is true of an op wherever it stands.

    What a row does not say holds for a smooth function of libm's kind. A row has more fields than other records: a new
    op is to be told in one place.
    """

    arity: int | None  # None: as its data says
    evaluate: Callable[..., Any] | None  # on floats, data last; None: the interpreter has its own rule
    partial: Partial | None  # None: the sweeps of `passes.differentiate` have their own rule
    _: KW_ONLY
    kind: Kind = Kind.REAL
    counts: OperationCounts = _FUNCTION  # what is stated of an emitted function
    weight: int = 10  # in additions: by what the derivation chooses between forms
    commutative: bool = False  # arguments may change places without changing one bit of the result
    parity: int = 0  # -1 odd, 1 even
    at_zero: int | None = None  # value where all arguments are zero
    exact: Callable[[Any], Number | None] | None = None  # value at a finite number, None where it is not exact
    nonnegative: bool = False
    breaks: Break = Break.NOWHERE
    steep: frozenset[int] = frozenset()  # arguments at which the value is finite and a slope infinite, or no number
    safe: tuple[int, int] | None = None  # an argument that may not have every value, and one at which all is finite
    growth: Growth | None = None  # None: by the partial derivatives


_HALF = Fraction(1, 2)
_ZERO, _ENDS = frozenset({0}), frozenset({-1, 1})


def _at_one(value: int) -> Callable[[Number], int | None]:
    return lambda x: value if x == 1 else None


def _power(x: float, y: float) -> float:
    value: float | complex = x**y
    return math.nan if isinstance(value, complex) else value


def _fmin(x: float, y: float) -> float:
    return y if y < x or x != x else x  # as in C, NaN is no number and gives way


def _fmax(x: float, y: float) -> float:
    return y if y > x or x != x else x


# -- partial derivatives ---------------------------------------------------------------------------------------------


def _inverse(g: Any, x: Any) -> Any:
    return g.div(g.one, x)


def _inverse_root(g: Any, x: Any) -> Any:
    return _inverse(g, g.unary(Op.SQRT, _one_minus_square(g, x)))


def _one_minus_square(g: Any, x: Any) -> Any:
    return g.sub(g.one, g.powi(x, 2))


def _of_power(g: Any, value: Any, a: Sequence[Any], _: Any) -> tuple[Any, ...]:
    x, y = a
    slope = g.mul(y, g.binary(Op.POW, x, g.sub(y, g.one)))  # finite at x = 0 for y >= 1, as y x^y / x is not
    if g.number(y) is not None or x == g.zero:  # 0^y is zero for all positive y
        return slope, g.zero
    safe = x if g.number(x) is not None else g.select(g.binary(Op.EQ, x, g.zero), g.one, x)
    return slope, g.mul(value, g.unary(Op.LOG, safe))


def _of_angle(g: Any, _value: Any, a: Sequence[Any], _: Any) -> tuple[Any, ...]:
    y, x = a
    square = g.add(g.powi(x, 2), g.powi(y, 2))
    return g.div(x, square), g.neg(g.div(y, square))


def _zeros(g: Any, _value: Any, a: Sequence[Any], _: Any) -> tuple[Any, ...]:
    return tuple(g.zero for _ in a)


# -- sizes of terms, where the partial derivatives do not tell them --------------------------------------------------

LEAST = 1e-290
"""A product whose magnitude is below this has lost digits."""
_SATURATED = 15.0  # tanh(15) = 1 - 2e-13: what it varies with is nearly gone


def _kept(value: float, v: Sequence[float], s: Sequence[float], _: Any) -> float:
    return max(s)


def _unmoved(value: float, v: Sequence[float], s: Sequence[float], _: Any) -> float:
    return 0.0


def _of_quotient(value: float, v: Sequence[float], s: Sequence[float], _: Any) -> float:
    if v[0] and abs(value) < LEAST:
        return math.nan
    return (s[0] + abs(value) * s[1]) / abs(v[1])


def _of_integer_power(value: float, v: Sequence[float], s: Sequence[float], n: Any) -> float:
    if v[0] and abs(value) < LEAST:
        return math.nan
    return abs(float(n * v[0] ** (n - 1))) * s[0]


def _of_general_power(value: float, v: Sequence[float], s: Sequence[float], _: Any) -> float:
    return abs(v[1] * value / v[0]) * s[0] + abs(value * math.log(v[0])) * s[1]


def _of_tanh(value: float, v: Sequence[float], s: Sequence[float], _: Any) -> float:
    return abs(1.0 - value * value) * s[0] if abs(v[0]) < _SATURATED else math.nan


def _of_exp(value: float, v: Sequence[float], s: Sequence[float], _: Any) -> float:
    return value * s[0] if value > LEAST else math.nan


# -- the table: g the arithmetic, v the value, a the arguments, n the data -------------------------------------------


def _leaf() -> OpSpec:
    return OpSpec(0, None, _zeros, kind=Kind.LEAF, counts=_NOTHING, weight=0)


def _truth(arity: int, evaluate: Callable[..., bool], *, commutative: bool = False) -> OpSpec:
    return OpSpec(arity, evaluate, _zeros, kind=Kind.BOOLEAN, counts=_OTHER, weight=0, commutative=commutative)


OPS: dict[Op, OpSpec] = {
    Op.CONSTANT: _leaf(),
    Op.SYMBOL: _leaf(),
    Op.ADD: OpSpec(
        2, operator.add, lambda g, v, a, n: (g.one, g.one),
        counts=_ADDITION, weight=1, commutative=True, at_zero=0,
    ),
    Op.SUB: OpSpec(2, operator.sub, lambda g, v, a, n: (g.one, g.constant(-1)), counts=_ADDITION, weight=1, at_zero=0),
    Op.MUL: OpSpec(
        2, operator.mul, lambda g, v, a, n: (a[1], a[0]),
        counts=_MULTIPLICATION, weight=1, commutative=True, at_zero=0,
    ),
    Op.DIV: OpSpec(
        2, operator.truediv, lambda g, v, a, n: (_inverse(g, a[1]), g.neg(g.div(v, a[1]))),
        counts=OperationCounts(divisions=1), weight=4, safe=(1, 1), growth=_of_quotient,
    ),
    Op.NEG: OpSpec(1, operator.neg, lambda g, v, a, n: (g.constant(-1),), counts=_ADDITION, weight=0, at_zero=0),
    Op.POWI: OpSpec(  # counts: at least, see `passes.count`; safe for small exponents, see `guards`
        1, lambda x, n: float(x**n), lambda g, v, a, n: (g.mul(g.powi(a[0], n - 1), g.constant(n)),),
        counts=_MULTIPLICATION, weight=1, growth=_of_integer_power,
    ),
    Op.SQRT: OpSpec(
        1, math.sqrt, lambda g, v, a, n: (g.div(g.constant(_HALF), v),),
        counts=OperationCounts(square_roots=1), weight=4, at_zero=0, exact=_at_one(1), nonnegative=True, steep=_ZERO,
        safe=(0, 1),
    ),
    Op.SIN: OpSpec(1, math.sin, lambda g, v, a, n: (g.unary(Op.COS, a[0]),), parity=-1, at_zero=0),
    Op.COS: OpSpec(1, math.cos, lambda g, v, a, n: (g.neg(g.unary(Op.SIN, a[0])),), parity=1, at_zero=1),
    Op.TAN: OpSpec(1, math.tan, lambda g, v, a, n: (g.add(g.one, g.powi(v, 2)),), parity=-1, at_zero=0, safe=(0, 0)),
    Op.ASIN: OpSpec(
        1, math.asin, lambda g, v, a, n: (_inverse_root(g, a[0]),),
        parity=-1, at_zero=0, steep=_ENDS, safe=(0, 0),
    ),
    Op.ACOS: OpSpec(1, math.acos, lambda g, v, a, n: (g.neg(_inverse_root(g, a[0])),), steep=_ENDS, safe=(0, 0)),
    Op.ATAN: OpSpec(
        1, math.atan, lambda g, v, a, n: (_inverse(g, g.add(g.one, g.powi(a[0], 2))),),
        parity=-1, at_zero=0,
    ),
    Op.ATAN2: OpSpec(2, math.atan2, _of_angle, breaks=Break.CUT, steep=_ZERO, safe=(1, 1)),
    Op.SINH: OpSpec(1, math.sinh, lambda g, v, a, n: (g.unary(Op.COSH, a[0]),), parity=-1, at_zero=0, safe=(0, 0)),
    Op.COSH: OpSpec(
        1, math.cosh, lambda g, v, a, n: (g.unary(Op.SINH, a[0]),),
        parity=1, at_zero=1, nonnegative=True, safe=(0, 0),
    ),
    Op.TANH: OpSpec(1, math.tanh, lambda g, v, a, n: (_one_minus_square(g, v),), parity=-1, at_zero=0, growth=_of_tanh),
    Op.EXP: OpSpec(1, math.exp, lambda g, v, a, n: (v,), at_zero=1, nonnegative=True, safe=(0, 0), growth=_of_exp),
    Op.LOG: OpSpec(1, math.log, lambda g, v, a, n: (_inverse(g, a[0]),), exact=_at_one(0), safe=(0, 1)),
    Op.POW: OpSpec(2, _power, _of_power, steep=_ZERO, safe=(0, 1), growth=_of_general_power),
    Op.ABS: OpSpec(
        1, abs, lambda g, v, a, n: (g.unary(Op.SIGN, a[0]),),
        counts=_OTHER, weight=1, parity=1, at_zero=0, exact=abs, nonnegative=True, breaks=Break.KINK, growth=_kept,
    ),
    Op.SIGN: OpSpec(
        1, lambda x: float((x > 0) - (x < 0)), _zeros,
        counts=_OTHER, weight=1, parity=-1, at_zero=0, exact=lambda x: (x > 0) - (x < 0), breaks=Break.STEP,
        growth=_unmoved,
    ),
    Op.MIN: OpSpec(
        2, _fmin, None,
        counts=_OTHER, weight=1, commutative=True, at_zero=0, breaks=Break.CHOICE, growth=_kept,
    ),
    Op.MAX: OpSpec(
        2, _fmax, None,
        counts=_OTHER, weight=1, commutative=True, at_zero=0, breaks=Break.CHOICE, growth=_kept,
    ),
    Op.FLOOR: OpSpec(
        1, lambda x: float(math.floor(x)), _zeros,
        counts=_OTHER, weight=4, at_zero=0, exact=math.floor, breaks=Break.STEP, growth=_unmoved,
    ),
    Op.MOD: OpSpec(
        2, lambda x, y: x - y * math.floor(x / y),
        lambda g, v, a, n: (g.one, g.neg(g.unary(Op.FLOOR, g.div(a[0], a[1])))),
        counts=OperationCounts(additions=1, multiplications=1, divisions=1, others=1), breaks=Break.KINK, safe=(1, 1),
    ),
    Op.LT: _truth(2, operator.lt),
    Op.LE: _truth(2, operator.le),
    Op.EQ: _truth(2, operator.eq, commutative=True),
    Op.NE: _truth(2, operator.ne, commutative=True),
    Op.AND: _truth(2, lambda x, y: x and y, commutative=True),
    Op.OR: _truth(2, lambda x, y: x or y, commutative=True),
    Op.NOT: OpSpec(1, operator.not_, _zeros, kind=Kind.BOOLEAN, counts=_NOTHING, weight=0),
    Op.SELECT: OpSpec(
        3, lambda c, x, y: x if c else y, None,
        counts=_OTHER, weight=1, breaks=Break.CHOICE, growth=_kept,
    ),
    Op.SOLVE: OpSpec(None, None, None, kind=Kind.SYSTEM, counts=_NOTHING, weight=0),  # it costs what its data say
    Op.RESULT: OpSpec(1, operator.getitem, None, counts=_NOTHING, weight=0),
}  # fmt: skip


def ops_with(test: Callable[[OpSpec], bool]) -> frozenset[Op]:
    """Return the ops whose rows pass a test."""
    return frozenset(op for op, row in OPS.items() if test(row))


COMMUTATIVE = ops_with(lambda row: row.commutative)
CHOICES = ops_with(lambda row: row.breaks is Break.CHOICE)
"""Ops that return one of their arguments."""
ROUGH = ops_with(lambda row: row.breaks not in (Break.NOWHERE, Break.CUT))
"""Ops with a kink or a jump: what is true at a random point need not be true everywhere."""
