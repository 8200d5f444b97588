"""How C99 spells numbers and ops: one row per op."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from eomc.errors import LoweringError
from eomc.ir.graph import Data
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

__all__ = ["MACROS", "SPELLINGS", "Macro", "Spelling", "Strength", "literal", "number"]


class Strength:
    """How tightly a text binds; anything looser than what its place asks for is put in parentheses."""

    LOOSE = 0  # ?: && || comparisons: always in parentheses
    SUM = 1
    SIGN = 2
    QUOTIENT = 3
    PRODUCT = 4
    ATOM = 5


@dataclass(frozen=True, slots=True)
class Spelling:
    """How an op is written: an infix sign, a call, or (both empty) a rule of its own in the printer."""

    infix: str = ""
    strength: int = Strength.LOOSE
    call: str = ""  # key of MACROS
    chains: bool = False  # the left operand may be of the same strength without parentheses


SPELLINGS: dict[Op, Spelling] = {
    Op.CONSTANT: Spelling(),
    Op.SYMBOL: Spelling(),
    Op.ADD: Spelling(infix="+", strength=Strength.SUM, chains=True),
    Op.SUB: Spelling(infix="-", strength=Strength.SUM, chains=True),
    Op.MUL: Spelling(infix="*", strength=Strength.PRODUCT, chains=True),
    Op.DIV: Spelling(infix="/", strength=Strength.QUOTIENT),
    Op.NEG: Spelling(),
    Op.POWI: Spelling(),
    Op.SQRT: Spelling(call="SQRT"),
    Op.SIN: Spelling(call="SIN"),
    Op.COS: Spelling(call="COS"),
    Op.TAN: Spelling(call="TAN"),
    Op.ASIN: Spelling(call="ASIN"),
    Op.ACOS: Spelling(call="ACOS"),
    Op.ATAN: Spelling(call="ATAN"),
    Op.ATAN2: Spelling(call="ATAN2"),
    Op.SINH: Spelling(call="SINH"),
    Op.COSH: Spelling(call="COSH"),
    Op.TANH: Spelling(call="TANH"),
    Op.EXP: Spelling(call="EXP"),
    Op.LOG: Spelling(call="LOG"),
    Op.POW: Spelling(call="POW"),
    Op.ABS: Spelling(call="FABS"),
    Op.SIGN: Spelling(call="sign"),
    Op.MIN: Spelling(call="FMIN"),
    Op.MAX: Spelling(call="FMAX"),
    Op.FLOOR: Spelling(call="FLOOR"),
    Op.MOD: Spelling(call="mod"),
    Op.LT: Spelling(infix="<"),
    Op.LE: Spelling(infix="<="),
    Op.EQ: Spelling(call="equal"),
    Op.NE: Spelling(call="equal"),
    Op.AND: Spelling(infix="&&"),
    Op.OR: Spelling(infix="||"),
    Op.NOT: Spelling(),
    Op.SELECT: Spelling(),
    Op.SOLVE: Spelling(),
    Op.RESULT: Spelling(),
}


@dataclass(frozen=True, slots=True)
class Macro:
    """A libm function behind a macro that follows the scalar type."""

    name: str
    arguments: str
    double: str
    single: str


def _macro(key: str, arguments: str = "x") -> Macro:
    function = key.lower()
    called = ", ".join(f"({name})" if len(arguments) > 1 else name for name in arguments.split(", "))
    return Macro(f"REAL_{key}", f"({arguments})", f"({function}({called}))", f"({function}f({called}))")


MACROS: dict[str, Macro] = {
    **{key: _macro(key) for key in ("SQRT", "SIN", "COS", "TAN", "ASIN", "ACOS", "ATAN", "SINH", "COSH")},
    **{key: _macro(key) for key in ("TANH", "EXP", "LOG", "FABS", "FLOOR")},
    "ATAN2": _macro("ATAN2", "y, x"),
    **{key: _macro(key, "x, y") for key in ("POW", "FMIN", "FMAX")},
    "EPSILON": Macro("REAL_EPSILON", "", "REAL(2.2204460492503131e-16)", "REAL(1.1920928955078125e-7)"),
    "NAN": Macro("REAL_NAN", "", "REAL(NAN)", "REAL(NAN)"),
}
"""Everything that an emitted file may define; only what it uses is printed."""


_NAMED = {
    Named.PI: "REAL(3.14159265358979323846)",
    Named.E: "REAL(2.71828182845904523536)",
    Named.EPSILON: "REAL_EPSILON",
    Named.NAN: "REAL_NAN",
}


def literal(data: Data) -> str:
    """Return a constant as a floating literal of the scalar type, correctly rounded to double.

    Raises
    ------
    LoweringError
        The number has no finite double value.
    """
    if isinstance(data, Named):
        return _NAMED[data]
    assert isinstance(data, (int, float, Fraction))
    return f"REAL({number(data)})"


def number(value: float | Fraction) -> str:
    """Return the shortest text that reads back as the double nearest to a number; it has a point or an exponent."""
    try:
        rounded = float(value)
    except OverflowError:
        rounded = math.inf
    if not math.isfinite(rounded):
        raise LoweringError(
            f"the number {_short(value)} has no finite value in double precision; scale the model's units"
        )
    return repr(rounded)


def _short(value: float | Fraction) -> str:
    if isinstance(value, float):
        return str(value)
    sign = "-" if value < 0 else ""
    size = abs(value)
    digits = (int(size).bit_length() * 30103) // 100000
    return f"{sign}10^{digits} or so" if digits > 40 else str(value)
