"""How far people turn the numbers of a model."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st

import eomc
from eomc.ir.program import Variable
from eomc.ir.symbols import Role, Symbol
from eomc.live.appearance import shapes_of
from eomc.live.dials import dials_of


def named(name: str, value: float) -> Variable:
    """Return a variable."""
    return Variable(Symbol(Role.PARAMETER, 0, name), name, "kg m^2", "what it is", value)


@hypothesis.given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.booleans())
def test_the_value_is_within_its_slider(value: float, centred: bool) -> None:
    """Which has a length, and zero on it."""
    (dial,) = dials_of([named("a", value)], {}, centred=centred)
    assert dial.low <= dial.value <= dial.high
    assert dial.low < dial.high
    assert dial.low <= 0.0 <= dial.high
    assert float(dial.text) == value


def test_a_value_of_the_run_takes_the_place_of_the_default() -> None:
    """Its slider goes to twice that; an input goes both ways."""
    (dial,) = dials_of([named("a", 1.0)], {"a": 3.0}, centred=False)
    assert (dial.value, dial.low, dial.high, dial.unit) == (3.0, 0.0, 6.0, "kg m\u00b2")
    (dial,) = dials_of([named("F", 0.0)], {}, centred=True)
    assert (dial.low, dial.high) == (-10.0, 10.0)


def test_sizes_are_those_of_the_parameters() -> None:
    """Where a shape has an expression, the script has it, too; what is no expression is its number."""
    model = eomc.load("four_bar")
    names = [one.name for one in model.parameters]
    script = shapes_of(model, names, {}).shapes
    assert f"p[{names.index('a')}]" in script
    assert script.count("{row:") >= 3
