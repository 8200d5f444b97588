"""What else could be passed to a simulator and to the reference: taken for what it is, or refused by one error."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_array_equal
from sympy.physics.mechanics import dynamicsymbols
from sympy.physics.units import meter

import eomc
from eomc.errors import UsageError

Both: TypeAlias = tuple[Any, Any]

pytestmark = pytest.mark.needs_cc
x, F = dynamicsymbols("x F")
m, k = sympy.symbols("m k")
X = [0.1, 0.2]


def oscillator() -> eomc.Model:
    """Return a mass on a spring with a force."""
    rate = x.diff()
    return eomc.from_lagrangian(
        m * rate**2 / 2 - k * x**2 / 2,
        coordinates=[x],
        generalized_forces={x: F},
        inputs=[F],
        parameters={m: 1.0, k: 2.0},
    )


@pytest.fixture(scope="module")
def both() -> Both:
    """Return the simulator and the reference of the oscillator."""
    return eomc.compile(oscillator()).load(), eomc.reference(oscillator())


NO_STATES: dict[str, Any] = {
    "text": "ab", "bytes": b"ab", "nothing": None, "set": {0.1, 0.2}, "mapping": {"x": 0.1, "x_d": 0.2},
    "complex": [1j, 0], "words": ["1", "2"], "short": [0.1], "long": [0.1, 0.2, 0.3], "number": 0.1,
    "block": np.zeros((1, 1, 2)), "symbol": [x, 0], "empty": [], "with nothing": np.array([0.1, None]),
    "keys": {0.1: 0, 0.2: 0}.keys(), "dates": np.array(["2020", "2021"], dtype="M8[Y]"), "ragged": [[0.1], [0.1, 0.2]],
}  # fmt: skip
NO_TIMES: dict[str, Any] = {
    "text": "1", "bytes": b"1", "nothing": None, "complex": 1j, "symbol": x, "set": {1.0}, "two for one": [0.0, 1.0],
}  # fmt: skip
NO_VALUES: dict[str, Callable[[str, int], Any]] = {
    "of a stranger": lambda name, count: {"stranger": 1.0},
    "text": lambda name, count: {name: "1"},
    "nothing": lambda name, count: {name: None},
    "complex": lambda name, count: {name: 1j},
    "with a unit that nobody knows": lambda name, count: {name: (1.0, "lumps")},
    "with two units": lambda name, count: {name: (1.0, "N", "kg")},
    "with a unit": lambda name, count: {name: 5 * meter},
    "set": lambda name, count: {float(value) for value in range(count)},
    "name": lambda name, count: name,
    "too few": lambda name, count: [],
    "too many": lambda name, count: [1.0] * (count + 1),
    "pairs": lambda name, count: [(name, 1.0)],
}


@pytest.mark.parametrize("kind", NO_STATES)
def test_what_is_no_state_is_refused(kind: str, both: Both) -> None:
    """A state is numbers in a regular array, as many as there are states."""
    for one in both:
        with pytest.raises(UsageError):
            one.rhs(0.0, NO_STATES[kind])


@pytest.mark.parametrize("kind", NO_TIMES)
def test_what_is_no_time_is_refused(kind: str, both: Both) -> None:
    """A time is a number, or as many as there are states."""
    for one in both:
        with pytest.raises(UsageError):
            one.rhs(NO_TIMES[kind], X)


@pytest.mark.parametrize("kind", NO_VALUES)
@pytest.mark.parametrize(("argument", "name", "count"), [("inputs", "F", 1), ("parameters", "m", 2)])
def test_what_is_no_value_is_refused(argument: str, name: str, count: int, kind: str, both: Both) -> None:
    """Parameters and inputs are numbers, by name or all in their order."""
    for one in both:
        with pytest.raises(UsageError):
            one.rhs(0.0, X, **{argument: NO_VALUES[kind](name, count)})


def test_values_with_units_are_converted(both: Both) -> None:
    """A number beside a unit, as text, is in that unit."""
    for one in both:
        given = one.rhs(0.0, X, {"F": (1500, "mN")}, {"m": (500, "g"), "k": (2, "N/mm")})
        assert_array_equal(given, one.rhs(0.0, X, {"F": 1.5}, {"m": 0.5, "k": 2000.0}))


@pytest.mark.parametrize(
    "state", [(0.1, 0.2), np.array(X), [Decimal("0.1"), sympy.Rational(1, 5)], np.array(X, dtype=object)]
)
def test_numbers_of_all_kinds_are_states(state: Any, both: Both) -> None:
    """Exact and decimal numbers have their value; time, too, may be any number."""
    for one in both:
        assert_array_equal(one.rhs(Decimal("0.5"), state), one.rhs(0.5, X))


@pytest.mark.parametrize("what", ["pendulum", None, 5, x, [1]])
def test_what_is_no_model_is_refused(what: Any) -> None:
    """The error says what would make one."""
    for function in (eomc.compile, eomc.reference, eomc.linearize):
        with pytest.raises(UsageError, match=r"takes an eomc\.Model"):
            function(what)


@pytest.mark.parametrize("functions", [5, ["stranger"], 2.0])
def test_functions_are_names(functions: Any) -> None:
    """A number is no list of names."""
    with pytest.raises(UsageError, match="function"):
        eomc.compile(oscillator(), functions=functions)
