"""The closed op set: one row per op with its arity, its evaluation and what it is.

Every consumer (derivatives, the interpreter, each target's spellings) keeps one table over :class:`Op`; a test proves
that each table is total.
"""

from __future__ import annotations

import enum
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["COMMUTATIVE", "OPS", "Kind", "Op", "OpSpec"]


class Kind(enum.Enum):
    """What sort of node an op makes."""

    LEAF = "leaf"
    REAL = "real"
    BOOLEAN = "boolean"
    SYSTEM = "system"  # a linear system; its value is read by RESULT nodes


class Op(enum.Enum):
    """Operations of the graph."""

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
    CBRT = "cbrt"
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
    HYPOT = "hypot"
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


@dataclass(frozen=True, slots=True)
class OpSpec:
    """One row of the table."""

    arity: int | None  # None: as its data says
    kind: Kind
    evaluate: Callable[..., Any] | None  # on floats; None: the interpreter has its own rule
    domain: str = ""


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


def _mod(x: float, y: float) -> float:
    return x - y * math.floor(x / y)


def _power(x: float, y: float) -> float:
    value: float | complex = x**y
    return math.nan if isinstance(value, complex) else value


def _fmin(x: float, y: float) -> float:
    return y if y < x or x != x else x  # as in C, NaN is no number and gives way


def _fmax(x: float, y: float) -> float:
    return y if y > x or x != x else x


OPS: dict[Op, OpSpec] = {
    Op.CONSTANT: OpSpec(0, Kind.LEAF, None),
    Op.SYMBOL: OpSpec(0, Kind.LEAF, None),
    Op.ADD: OpSpec(2, Kind.REAL, operator.add),
    Op.SUB: OpSpec(2, Kind.REAL, operator.sub),
    Op.MUL: OpSpec(2, Kind.REAL, operator.mul),
    Op.DIV: OpSpec(2, Kind.REAL, operator.truediv, "y != 0"),
    Op.NEG: OpSpec(1, Kind.REAL, operator.neg),
    Op.POWI: OpSpec(1, Kind.REAL, None, "x != 0 for a negative exponent"),
    Op.SQRT: OpSpec(1, Kind.REAL, math.sqrt, "x >= 0"),
    Op.CBRT: OpSpec(1, Kind.REAL, lambda x: math.copysign(abs(x) ** (1.0 / 3.0), x)),
    Op.SIN: OpSpec(1, Kind.REAL, math.sin),
    Op.COS: OpSpec(1, Kind.REAL, math.cos),
    Op.TAN: OpSpec(1, Kind.REAL, math.tan),
    Op.ASIN: OpSpec(1, Kind.REAL, math.asin, "|x| <= 1"),
    Op.ACOS: OpSpec(1, Kind.REAL, math.acos, "|x| <= 1"),
    Op.ATAN: OpSpec(1, Kind.REAL, math.atan),
    Op.ATAN2: OpSpec(2, Kind.REAL, math.atan2),
    Op.SINH: OpSpec(1, Kind.REAL, math.sinh),
    Op.COSH: OpSpec(1, Kind.REAL, math.cosh),
    Op.TANH: OpSpec(1, Kind.REAL, math.tanh),
    Op.EXP: OpSpec(1, Kind.REAL, math.exp),
    Op.LOG: OpSpec(1, Kind.REAL, math.log, "x > 0"),
    Op.POW: OpSpec(2, Kind.REAL, _power, "x > 0"),
    Op.ABS: OpSpec(1, Kind.REAL, abs),
    Op.SIGN: OpSpec(1, Kind.REAL, _sign),
    Op.MIN: OpSpec(2, Kind.REAL, _fmin),
    Op.MAX: OpSpec(2, Kind.REAL, _fmax),
    Op.FLOOR: OpSpec(1, Kind.REAL, lambda x: float(math.floor(x))),
    Op.MOD: OpSpec(2, Kind.REAL, _mod, "y != 0"),
    Op.HYPOT: OpSpec(2, Kind.REAL, math.hypot),
    Op.LT: OpSpec(2, Kind.BOOLEAN, operator.lt),
    Op.LE: OpSpec(2, Kind.BOOLEAN, operator.le),
    Op.EQ: OpSpec(2, Kind.BOOLEAN, operator.eq),
    Op.NE: OpSpec(2, Kind.BOOLEAN, operator.ne),
    Op.AND: OpSpec(2, Kind.BOOLEAN, lambda x, y: x and y),
    Op.OR: OpSpec(2, Kind.BOOLEAN, lambda x, y: x or y),
    Op.NOT: OpSpec(1, Kind.BOOLEAN, operator.not_),
    Op.SELECT: OpSpec(3, Kind.REAL, lambda c, x, y: x if c else y),
    Op.SOLVE: OpSpec(None, Kind.SYSTEM, None),
    Op.RESULT: OpSpec(1, Kind.REAL, None),
}

COMMUTATIVE = frozenset({Op.ADD, Op.MUL, Op.MIN, Op.MAX, Op.HYPOT, Op.EQ, Op.NE, Op.AND, Op.OR})
"""Ops whose arguments may change places without changing one bit of the result."""
