"""From the containers that users write (lists, mappings, numbers with units) to the records of a model.

Every wrong type ends here, in a ModelError that names the argument.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.errors import ModelError
from eomc.model.names import name_of
from eomc.model.parts import ExtraState, Input, Meaning, Output, Parameter, Reaction, Value
from eomc.model.signals import with_meaning

__all__ = [
    "expression_of",
    "expressions_of",
    "extra_state_of",
    "initial_of",
    "inputs_of",
    "mapping_of",
    "named_rates",
    "number_of",
    "output_of",
    "paired_kinematics",
    "parameter_of",
    "quoted",
    "range_of",
    "reactions_of",
    "sequence_of",
    "time_of",
]


def sequence_of(what: str, values: Any) -> tuple[Any, ...]:
    """Return `values` as a tuple."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ModelError(f"{what} is {quoted(values)}: give a list")
    return tuple(values)


def mapping_of(what: str, values: Any) -> Mapping[Any, Any]:
    """Return `values` as a mapping, empty for None."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise ModelError(f"{what} is {quoted(values)}: give a mapping, such as {{symbol: value}}")
    return values


def expression_of(what: str, value: Any) -> sympy.Expr:
    """Return `value` as a scalar SymPy expression."""
    if isinstance(value, sympy.Expr):
        return value
    if isinstance(value, sympy.Equality):
        raise ModelError(f"{what} is an equation: give the expression that is zero, left side minus right side")
    if isinstance(value, (str, bool)):
        raise ModelError(f"{what} is {quoted(value)}: give a SymPy expression")
    try:
        expression = sympy.sympify(value)
    except (sympy.SympifyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{what} is {quoted(value)}: give a SymPy expression") from error
    if not isinstance(expression, sympy.Expr) or not expression.is_commutative:
        raise ModelError(f"{what} is {quoted(value)}: give a scalar SymPy expression")
    return expression


def expressions_of(what: str, values: Any) -> tuple[sympy.Expr, ...]:
    """Return the elements of `values` as scalar SymPy expressions."""
    return tuple(expression_of(f"{what}[{index}]", value) for index, value in enumerate(sequence_of(what, values)))


def time_of(functions: Iterable[sympy.Expr]) -> sympy.Symbol:
    """Return the symbol that the user's time functions take, dynamicsymbols._t where there is none."""
    for function in functions:
        if isinstance(function, sympy.Derivative):
            function = function.expr
        if len(function.args) == 1 and isinstance(function.args[0], sympy.Symbol):
            return function.args[0]
    time: sympy.Symbol = dynamicsymbols._t
    return time


def number_of(what: str, value: Any) -> float:
    """Return `value` as a finite float."""
    if isinstance(value, (str, bool)):
        raise ModelError(f"{what} is {quoted(value)}: give a number")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{what} is {quoted(value)}: give a number") from error
    if not math.isfinite(number):
        raise ModelError(f"{what} is {number}: give a finite number")
    return number


def parameter_of(raw: Any, value: Any) -> Parameter:
    """Return the parameter `raw` with its value, (value, unit) or (value, unit, description)."""
    symbol = expression_of(f"parameter {raw}", raw)
    return Parameter(symbol, name_of(symbol), *_quantity(f"parameter {name_of(symbol)}", value))


def inputs_of(inputs: Any) -> tuple[Input, ...]:
    """Return the inputs of a list of symbols, or of a mapping of symbols to default values."""
    if isinstance(inputs, Mapping):
        pairs = list(inputs.items())
    else:
        pairs = [(symbol, 0.0) for symbol in sequence_of("inputs", inputs)]
    made = []
    for raw, value in pairs:
        symbol = expression_of(f"input {raw}", raw)
        made.append(Input(symbol, name_of(symbol), *_quantity(f"input {name_of(symbol)}", value)))
    return with_meaning(made)


def reactions_of(reactions: Any) -> tuple[Reaction, ...]:
    """Return the reactions of a list of symbols, or of a mapping of symbols to unit or (unit, description)."""
    if isinstance(reactions, Mapping):
        pairs = list(reactions.items())
    else:
        pairs = [(symbol, ()) for symbol in sequence_of("reactions", reactions)]
    made = []
    for raw, meaning in pairs:
        symbol = expression_of(f"reaction {raw}", raw)
        words = (meaning,) if isinstance(meaning, str) else meaning
        if not isinstance(words, (tuple, list)) or len(words) > 2:
            raise ModelError(f"reaction {raw} is {quoted(meaning)}: give a unit or (unit, description)")
        made.append(Reaction(symbol, name_of(symbol), *map(str, words)))
    return tuple(made)


def output_of(name: Any, value: Any) -> Output:
    """Return the output `name`: an expression, (expression, unit) or (expression, unit, description)."""
    if not isinstance(name, str):
        raise ModelError(f"output {name!r}: outputs are named by text, such as outputs={{'height': expression}}")
    parts = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(parts) <= 3:
        raise ModelError(f"output {name!r} is {quoted(value)}: give an expression or (expression, unit, description)")
    return Output(name, expression_of(f"output {name!r}", parts[0]), *(str(part) for part in parts[1:]))


def extra_state_of(raw: Any, rate: Any) -> ExtraState:
    """Return the extra state `raw` with its rate."""
    symbol = expression_of(f"extra state {raw}", raw)
    return ExtraState(symbol, name_of(symbol), expression_of(f"the rate of {name_of(symbol)}", rate))


def initial_of(symbol: Any, value: Any) -> tuple[float | None, Meaning]:
    """Return the initial value of `symbol`, given as value, (value, unit) or (value, unit, description).

    The value None leaves it to the constraints, or to zero.
    """
    if isinstance(value, (tuple, list)) and len(value) == 3 and value[0] is None:
        return None, Meaning(symbol, str(value[1]), str(value[2]))
    number, unit, text = _quantity(f"initial value of {name_of(symbol)}", value)
    return number, Meaning(symbol, unit, text)


def range_of(symbol: Any, bounds: Any) -> Value:
    """Return the range (low, high) of `symbol`."""
    what = f"the range of {name_of(symbol)}"
    try:
        low, high = bounds
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what} is {quoted(bounds)}: give (low, high)") from error
    return Value(symbol, number_of(what, low), number_of(what, high))


def named_rates(
    coordinates: Iterable[sympy.Expr], speeds: Iterable[sympy.Expr], time: sympy.Symbol
) -> dict[sympy.Expr, sympy.Expr]:
    """Return Derivative(q, t) -> q_d(t) for those speeds that were given as time derivatives of coordinates."""
    rates = {sympy.Derivative(q, time): sympy.Function(f"{name_of(q)}_d")(time) for q in coordinates}
    return {speed: rates[speed] for speed in speeds if speed in rates}


def paired_kinematics(
    coordinates: tuple[sympy.Expr, ...],
    speeds: tuple[sympy.Expr, ...],
    time: sympy.Symbol,
    equations: tuple[sympy.Expr, ...],
    named: Mapping[sympy.Expr, sympy.Expr],
) -> tuple[sympy.Expr, ...]:
    """Return the kinematical equations: those given, else u = q' in order; and u = q' for speeds given as q'."""
    of_rates = [speed - rate for rate, speed in named.items()]
    if equations:
        return tuple(equation for equation in equations if not (of_rates and equation == 0)) + tuple(of_rates)
    if len(coordinates) != len(speeds):
        return tuple(of_rates)
    rates = [rate for rate in (sympy.Derivative(q, time) for q in coordinates) if rate not in named]
    others = [speed for speed in speeds if speed not in named]
    return tuple(speed - rate for speed, rate in zip(others, rates, strict=False)) + tuple(of_rates)


def _quantity(what: str, value: Any) -> tuple[float, str, str]:
    """Split value, (value, unit) or (value, unit, description)."""
    if isinstance(value, (tuple, list)):
        if not 1 <= len(value) <= 3:
            raise ModelError(f"{what} is {quoted(value)}: give a value, (value, unit) or (value, unit, description)")
        number, unit, text = (*value, "", "")[:3]
        return number_of(what, number), str(unit), str(text)
    return number_of(what, value), "", ""


def quoted(value: Any) -> str:
    """Return `value` as text, cut to what fits into a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]} ... ({type(value).__name__})"
