"""What is given to the reference: finite numbers in any form, or one error that says what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sm

import eomc
from eomc.errors import UsageError
from eomc.reference import reference
from eomc.reference.oracle import Reference

NO_NUMBERS = [None, float("nan"), float("inf"), "0.5", b"1", 1j, np.float64("nan"), np.array([1.0, 2.0])]


@pytest.fixture(scope="module", name="oracle")
def cart_pole() -> Reference:
    """Return the cart-pole, which has an input and parameters."""
    return reference(eomc.load("cart_pole"))


@pytest.mark.parametrize("bad", NO_NUMBERS, ids=repr)
def test_no_number_is_refused_wherever_it_stands(oracle: Reference, bad: Any) -> None:
    """As a parameter, input, state, time or initial value: by name where names are known."""
    state = [0.1, 0.2, 0.3, 0.4]
    parameter, signal = oracle.parameter_names[0], oracle.input_names[0]
    cases: list[tuple[str, Callable[[], Any]]] = [
        (f"the parameter {parameter}", lambda: oracle.rhs(0, state, parameters={parameter: bad})),
        (f"the input {signal}", lambda: oracle.energy(0, state, {signal: bad})),
        ("the coordinate ", lambda: oracle.state({oracle.state_names[0]: bad})),
        ("the speed ", lambda: oracle.state(speeds={oracle.state_names[2]: bad})),
    ]
    if np.ndim(bad) == 0:
        cases += [
            ("t must be", lambda: oracle.rhs(bad, state)),
            (
                "the parameters: ",
                lambda: oracle.rhs(0, state, None, [bad, *(p.value for p in oracle.model.parameters[1:])]),
            ),
            (f"the state of 'cart_pole': {oracle.state_names[2]}", lambda: oracle.rhs(0, [0.1, 0.2, bad, 0.4])),
            (f"the state of 'cart_pole': {oracle.state_names[1]}", lambda: oracle.power(0, [state, [1, bad, 1, 1]])),
            (f"the state of 'cart_pole': {oracle.state_names[1]}", lambda: oracle.jacobian(0, [0.1, bad, 0.3, 0.4])),
        ]
    for start, call in cases:
        with pytest.raises(UsageError, match="must be a finite number") as caught:
            call()
        assert str(caught.value).startswith(start)
        assert "\n" not in str(caught.value)


def test_ragged_states_are_refused(oracle: Reference) -> None:
    """Rows of unequal length are no table."""
    with pytest.raises(UsageError, match="the state of 'cart_pole' must be real numbers in a regular array"):
        oracle.rhs(0, [[0.1, 0.2, 0.3, 0.4], [1.0]])


@pytest.mark.parametrize("kind", [int, np.float32, sm.Integer, sm.Float, np.array])
def test_numbers_of_every_kind_are_taken(oracle: Reference, kind: Callable[[int], Any]) -> None:
    """Integers, NumPy's and SymPy's numbers mean what they say."""
    parameter, state = oracle.parameter_names[0], [1.0, 2.0, 3.0, 4.0]
    expected = oracle.rhs(0, state, parameters={parameter: 2.0})
    given = oracle.rhs(kind(0), [kind(n) for n in (1, 2, 3, 4)], parameters={parameter: kind(2)})
    np.testing.assert_array_equal(given, expected)


def test_power_at_a_singular_state_among_others_is_nan() -> None:
    """The spherical pendulum at theta = 0 has no p_phi': its power is NaN there alone, and no state is NaN by then."""
    oracle = reference(eomc.load("spherical_pendulum"), "hamilton")
    powers = oracle.power(0, [[0.5, 0.0, 0.1, 0.2], [0.0, 0.0, 0.1, 0.2]])
    for values in powers.values():
        assert np.isfinite(values[0])
        assert np.isnan(values[1])
