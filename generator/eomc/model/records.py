"""From the containers that users write (lists, mappings, numbers with units) to the records of a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.errors import ModelError
from eomc.model.arguments import expression_of, number_of, pair_of, quoted, sequence_of, text_of
from eomc.model.names import name_of
from eomc.model.parts import ExtraState, Input, Meaning, Output, Parameter, Reaction, Value
from eomc.model.signals import with_meaning
from eomc.units import Unit, read_unit, with_unit


def time_of(functions: Iterable[sympy.Expr]) -> sympy.Symbol:
    """Return the symbol that the user's time functions take, dynamicsymbols._t where there is none."""
    for function in functions:
        if isinstance(function, sympy.Derivative):
            function = function.expr
        if len(function.args) == 1 and isinstance(function.args[0], sympy.Symbol):
            return function.args[0]
    time: sympy.Symbol = dynamicsymbols._t
    return time


def _key_of(kind: str, raw: Any) -> sympy.Expr:
    """Return a symbol that a list or the keys of a mapping name."""
    if isinstance(raw, str):
        raise ModelError(f"{kind} {raw!r} is a name: give the symbol itself")
    return expression_of(f"{kind} {quoted(raw)}", raw)


def parameter_of(raw: Any, value: Any) -> Parameter:
    """Return the parameter `raw` with its value, (value, unit) or (value, unit, description)."""
    symbol = _key_of("parameter", raw)
    return Parameter(symbol, name_of(symbol), **_quantity(f"parameter {name_of(symbol)}", value))


def inputs_of(inputs: Any) -> tuple[Input, ...]:
    """Return the inputs of a list of symbols, or of a mapping of symbols to default values."""
    made = []
    for raw, value in _pairs("inputs", inputs, 0.0):
        symbol = _key_of("input", raw)
        made.append(Input(symbol, name_of(symbol), **_quantity(f"input {name_of(symbol)}", value)))
    return with_meaning(made)


def reactions_of(reactions: Any) -> tuple[Reaction, ...]:
    """Return the reactions of a list of symbols, or of a mapping of symbols to unit or (unit, description)."""
    made = []
    for raw, meaning in _pairs("reactions", reactions, ()):
        symbol = _key_of("reaction", raw)
        words = (meaning,) if isinstance(meaning, str) else meaning
        if not isinstance(words, (tuple, list)) or len(words) > 2:
            raise ModelError(f"reaction {raw} is {quoted(meaning)}: give a unit or (unit, description)")
        unit, text = _words(f"reaction {raw}", words)
        made.append(Reaction(symbol, name_of(symbol), "" if unit is None else unit.si, text))
    return tuple(made)


def _pairs(what: str, given: Any, usual: Any) -> list[tuple[Any, Any]]:
    """Return the pairs of a mapping, or the elements of a list with what is usual for each."""
    if isinstance(given, Mapping):
        return list(given.items())
    return [(symbol, usual) for symbol in sequence_of(what, given)]


def output_of(name: Any, value: Any) -> Output:
    """Return the output `name`: an expression, (expression, unit) or (expression, unit, description)."""
    if not isinstance(name, str):
        raise ModelError(f"output {name!r}: outputs are named by text, such as outputs={{'height': expression}}")
    parts = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(parts) <= 3:
        raise ModelError(f"output {name!r} is {quoted(value)}: give an expression or (expression, unit, description)")
    expression = expression_of(f"output {name!r}", parts[0])
    unit, text = _words(f"output {name!r}", parts[1:])
    if unit is not None and unit.factor != 1:
        raise ModelError(
            f"output {name!r} has the unit {unit.text}, and outputs are in SI: give {unit.si!r}, and the expression so"
        )
    return Output(name, expression, "" if unit is None else unit.si, text)


def extra_state_of(raw: Any, value: Any) -> tuple[ExtraState, Meaning]:
    """Return the extra state `raw` with its rate, (rate, unit) or (rate, unit, description), the unit being its own."""
    symbol = _key_of("extra state", raw)
    name = name_of(symbol)
    parts = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(parts) <= 3:
        raise ModelError(f"extra state {name} is {quoted(value)}: give its rate or (rate, unit, description)")
    rate = expression_of(f"the rate of {name}", parts[0])
    unit, text = _words(f"extra state {name}", parts[1:])
    if unit is not None and unit.factor != 1:
        raise ModelError(
            f"extra state {name} has the unit {unit.text}, and states are in SI: give {unit.si!r}, and the rate so"
        )
    return ExtraState(symbol, name, rate), Meaning(symbol, **_told(unit, text))


def meanings_of(states: Iterable[Meaning], starts: Iterable[Meaning]) -> tuple[Meaning, ...]:
    """Return what is told of symbols, among the extra states or the initial values; both may agree."""
    found = {one.symbol: one for one in states}
    for start in starts:
        state = found.get(start.symbol, start)
        if state.unit and start.unit and state.unit != start.unit:
            raise ModelError(
                f"{name_of(start.symbol)} has the unit {state.written} among the extra states and {start.written} "
                "among the initial values: give it once"
            )
        unit = start if start.unit else state
        text = start.description or state.description
        found[start.symbol] = Meaning(start.symbol, unit.unit, text, unit.written)
    return tuple(one for one in found.values() if one.unit or one.description)


def initial_of(symbol: Any, value: Any) -> tuple[float | None, Meaning]:
    """Return the initial value of `symbol`, given as value, (value, unit) or (value, unit, description).

    The value None leaves it to the constraints, or to zero.
    """
    what = f"initial value of {name_of(symbol)}"
    if isinstance(value, (tuple, list)) and len(value) == 3 and value[0] is None:
        unit, text = _words(what, value[1:])
        return None, Meaning(symbol, **_told(unit, text))
    given = _quantity(what, value)
    return given.pop("value"), Meaning(symbol, **given)


def range_of(symbol: Any, bounds: Any) -> Value:
    """Return the range (low, high) or (low, high, unit) of `symbol`; each bound may have a unit of its own."""
    what = f"the range of {name_of(symbol)}"
    common = ""
    if isinstance(bounds, (tuple, list)) and len(bounds) == 3 and isinstance(bounds[2], str):
        bounds, common = bounds[:2], bounds[2].strip()
    pairs = [with_unit(one) for one in pair_of(what, bounds, "(low, high) or (low, high, unit)")]
    units = [read_unit(what, text or common) if text or common else None for _, text in pairs]
    low, high = (_in_si(what, number, unit) for (number, _), unit in zip(pairs, units, strict=True))
    known = [unit for unit in units if unit is not None]
    if len({unit.dimension for unit in known}) > 1:
        raise ModelError(f"{what} goes from {known[0].text} to {known[1].text}: give both in units of one quantity")
    return Value(symbol, low, high, known[0].si if known else "")


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


def _quantity(what: str, value: Any) -> dict[str, Any]:
    """Return what value, (value, unit) or (value, unit, description) says, as the fields of a record."""
    parts = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(parts) <= 3:
        raise ModelError(f"{what} is {quoted(value)}: give a value, (value, unit) or (value, unit, description)")
    unit, text = _words(what, parts[1:])
    return {"value": _in_si(what, parts[0], unit), **_told(unit, text)}


def _in_si(what: str, value: Any, unit: Unit | None) -> float:
    """Return a number beside a unit in SI."""
    number = number_of(what, value)
    return number if unit is None else number_of(f"{what} in SI", unit.to_si(number))


def _told(unit: Unit | None, text: str) -> dict[str, str]:
    """Return unit and description as the fields of a record."""
    return {
        "unit": "" if unit is None else unit.si,
        "description": text,
        "written": "" if unit is None else unit.text,
    }


def _words(what: str, words: Iterable[Any]) -> tuple[Unit | None, str]:
    """Return unit and description; an empty unit is none, and ``1`` that of a pure number."""
    kinds = ("unit", "description")
    unit, text, *_ = [
        *(text_of(f"the {kind} of {what}", word).strip() for kind, word in zip(kinds, words, strict=False)),
        *("", ""),
    ]
    return (read_unit(what, unit) if unit else None), text
