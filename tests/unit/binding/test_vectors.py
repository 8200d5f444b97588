"""Parameters and inputs by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols
from sympy.physics.units import kilogram

import eomc
from eomc.binding.vectors import NamedVector
from eomc.errors import UsageError

VECTOR = NamedVector("parameter", "arm", ["mass", "length", "gravity"], [1.0, 2.0, 9.81])


@given(st.dictionaries(st.sampled_from(VECTOR.names), st.floats(allow_nan=False, allow_infinity=False)))
def test_names_and_array_agree(values: dict[str, float]) -> None:
    """What a mapping names is set, the rest keeps its default; the array of the result means the same."""
    array = VECTOR.array(values)
    assert dict(zip(VECTOR.names, array.tolist(), strict=True)) == {**VECTOR.as_dict(), **values}
    assert (VECTOR.array(array) == array).all()


def test_symbols_are_names() -> None:
    """A SymPy symbol stands for its name."""
    assert VECTOR.array({sympy.Symbol("mass"): 3})[0] == 3.0


def test_defaults_cannot_be_changed() -> None:
    """No caller can alter the defaults of later calls."""
    with pytest.raises(ValueError, match="read-only"):
        VECTOR.array(None)[0] = 5.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mas": 1.0}, r"arm: unknown parameter 'mas'; did you mean mass\?"),
        ({"zz": 1.0}, r"arm: unknown parameter 'zz'; known are mass, length, gravity"),
        ({"mass": "heavy"}, r"arm: parameter mass must be a finite number, not 'heavy'"),
        ({"mass": "2.0"}, r"arm: parameter mass must be a finite number, not '2.0'"),
        ({"mass": True}, r"arm: parameter mass must be a finite number, not True"),
        ({"mass": 5 * kilogram}, r"arm: parameter mass is 5.kilogram, a quantity with a unit: give its number in SI"),
        ({"mass": None}, r"arm: parameter mass must be a finite number, not None"),
        ({"mass": float("nan")}, r"arm: parameter mass must be a finite number, not nan"),
        ({"mass": np.float32("inf")}, r"arm: parameter mass must be a finite number, not inf"),
        ({"mass": sympy.Symbol("a")}, r"arm: parameter mass must be a finite number, not a"),
        ({"mass": 10**400}, r"arm: parameter mass must be a finite number, not 1000.* \(int\)"),
        ({"mass": np.complex128(1.0)}, r"arm: parameter mass must be a finite number, not "),
        ({"mass": np.array([2.0])}, r"arm: parameter mass must be a finite number, not array\(\[2.\]\)"),
        ({"mass": [1.0, 2.0]}, r"arm: parameter mass must be a finite number, not \[1.0, 2.0\]"),
        ([1.0, 2.0], r"arm: parameters must be an array of 3 values \[mass, length, gravity\], not of shape \(2,\)"),
        (np.ones((1, 3)), r"not of shape \(1, 3\)"),
        (3.0, r"not of shape \(\)"),
        ([1.0, "b", 2.0], r"arm: parameters must be real numbers, not 'b' for length"),
        ([1.0, 2.0, None], r"arm: parameters must be real numbers, not None for gravity"),
        (np.array(["1", "2", "3"]), r"arm: parameters must be real numbers, not '1' for mass"),
        ([1.0, float("nan"), 2.0], r"arm: parameter length must be a finite number, not nan"),
        (np.array([1.0, 2.0, -np.inf]), r"arm: parameter gravity must be a finite number, not -inf"),
        ([1j, 0, 0], r"arm: parameters must be real numbers, not 1j for mass"),
        ([1.0, None], r"arm: parameters must be real numbers, not None at \[1\]"),
        ([[1.0], [1.0, 2.0]], r"arm: parameters must be real numbers in a regular array"),
    ],
)
def test_bad_values(values: Any, message: str) -> None:
    """Every mistake is a UsageError that says what is expected."""
    with pytest.raises(UsageError, match=message):
        VECTOR.array(values)


def test_nothing_to_name() -> None:
    """A model without inputs says so."""
    with pytest.raises(UsageError, match="unknown input 'F'; there are none"):
        NamedVector("input", "arm", [], []).array({"F": 1.0})


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["mapping", "array"]))
def test_what_a_float_does_not_hold_is_refused(value: float, kind: str) -> None:
    """NumPy's conversion tells: what it keeps, with all digits, and what becomes zero, infinite or short of digits."""
    single = NamedVector("parameter", "arm", ["mass", "length"], [1.0, 2.0], real="float")
    info = np.finfo(np.float32)
    with np.errstate(over="ignore", under="ignore"):
        kept = value == 0.0 or float(info.tiny) <= abs(np.float32(value)) < np.inf
    values = {"length": value} if kind == "mapping" else [1.0, value]
    if abs(value) > float(info.max):
        with pytest.raises(UsageError, match=r"arm: parameter length is .*, and float holds at most 3.4e\+38"):
            single.array(values)
    elif value != 0.0 and abs(value) < float(info.tiny):
        assert not kept
        with pytest.warns(UserWarning, match=r"arm: parameter length is .*, and float loses digits below 1.2e-38"):
            assert single.array(values)[1] == value
    else:
        assert kept
        assert single.array(values)[1] == value
    assert VECTOR.array({"length": value})[1] == value


@pytest.mark.needs_cc
def test_parameters_of_programs_in_float() -> None:
    """A stiffness of 1e-46 is no force of zero without a word, one of 1e39 none at all: by default, in each call."""
    x = sympy.Function("x")(dynamicsymbols._t)
    k, c = sympy.symbols("k c")

    def model(value: float) -> eomc.Model:
        L = x.diff() ** 2 / 2 - k * c * x**2 / 2
        return eomc.from_lagrangian(L, coordinates=[x], parameters={k: value, c: 1e30}, initial={x: 1.0})

    with pytest.raises(UsageError, match=r"lagrangian: parameter k is 1e\+39, and float holds"):
        eomc.compile(model(1e39), real="float")
    with pytest.warns(UserWarning, match="lagrangian: parameter k is 1e-46, and float loses digits"):
        lost = eomc.compile(model(1e-46), real="float")
    with pytest.warns(UserWarning, match="parameter k is 1e-46"):
        assert lost.load().rhs(0.0, [1.0, 0.0], parameters={"k": 1e-46})[1] == 0.0
    assert eomc.compile(model(1e-46)).load().rhs(0.0, [1.0, 0.0])[1] == pytest.approx(-1e-16)
    sim = eomc.compile(model(1e-30), real="float").load()
    assert sim.rhs(0.0, [1.0, 0.0], parameters={"k": 0.0})[1] == 0.0
    for asked in (
        lambda p: sim.rhs(0.0, [1.0, 0.0], parameters=p),
        lambda p: sim.simulate(t_end=0.1, parameters=p),
        lambda p: sim.ensemble(parameters={"k": [1e-30, p["k"]]}, t_end=0.1, dt=0.1),
        lambda p: sim.sensitivities(t_end=0.1, by=["k"], parameters=p),
    ):
        with pytest.raises(UsageError, match=r"parameter k is 1e\+39, and float holds at most"):
            asked({"k": 1e39})
        with pytest.warns(UserWarning, match="parameter k is 1e-46, and float loses digits"):
            asked({"k": 1e-46})
