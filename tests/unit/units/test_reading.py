"""Units as people write them, against pint's registry, which we did not write."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.errors import ModelError
from eomc.units import foreign, read_unit, reading, spelled
from eomc.units.dimension import BASE
from eomc.units.table import DIMENSIONS, PREFIXES, UNITS

REGISTRY = pint.UnitRegistry()
_OF_PINT = {"gram": "kg", "meter": "m", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol", "candela": "cd"}
_WORDS = {"ohm": "ohm", "bar": "bar", "cd": "candela"}  # whose prefixes pint takes with the word
_TOGETHER = {"Nm", "Nms", "Ns", "Ws", "Wh", "Ah", "Vs", "rev"}  # which pint reads otherwise, or not at all


def unit(text: str) -> Any:
    """Return the unit of a text."""
    return read_unit("k", text)


def by_pint(text: str) -> tuple[float, tuple[float, ...]]:
    """Return factor and dimension of a text that pint reads."""
    quantity = REGISTRY.Quantity(1.0, text).to_root_units()
    exponents = dict.fromkeys(BASE, 0.0)
    for name, exponent in dict(quantity.unit_items()).items():
        if name in _OF_PINT:
            exponents[_OF_PINT[name]] += exponent
    return quantity.magnitude * 1e-3 ** exponents["kg"], tuple(exponents.values())


def agree(ours: Any, text: str) -> None:
    """Hold a unit of ours against what pint makes of a text."""
    factor, dimension = by_pint(text)
    assert math.isclose(float(ours.factor), factor, rel_tol=1e-12)
    assert [float(one) for one in ours.dimension] == pytest.approx(dimension)


@pytest.mark.parametrize("symbol", sorted(set(UNITS) - _TOGETHER))
def test_each_symbol_is_that_of_pint(symbol: str) -> None:
    """Factor and dimension of every symbol of the table, with one prefix where there may be one."""
    agree(unit(symbol), symbol)
    if UNITS[symbol].prefixed:
        agree(unit(f"m{symbol}"), f"milli{_WORDS[symbol]}" if symbol in _WORDS else f"m{symbol}")


@pytest.mark.parametrize("prefix", sorted(PREFIXES))
def test_each_prefix_is_that_of_pint(prefix: str) -> None:
    """Powers of ten, from quecto to quetta."""
    agree(unit(f"{prefix}N"), f"{prefix}N")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["kg", "mm", "us", "kN", "mA", "K", "rad", "W", "mol"]), st.integers(-3, 3).filter(bool)
        ),
        min_size=1,
        max_size=5,
    )
)
def test_products_are_those_of_pint(factors: list[tuple[str, int]]) -> None:
    """Products of powers, written in each way, mean what pint makes of them; our spelling is read as itself."""
    theirs = "*".join(f"{name}**({exponent})" for name, exponent in factors)
    ways = [
        theirs,
        " ".join(f"{name}^{exponent}" for name, exponent in factors),
        ".".join(f"{name}{exponent}" for name, exponent in factors),
        "1" + "".join(f"{'*' if e >= 0 else '/'}{name}^{abs(e)}" for name, e in factors),
    ]
    for text in ways:
        agree(unit(text), theirs)
    ours = unit(ways[0])
    again = unit(ours.si)
    assert (again.si, again.dimension, again.factor) == (ours.si, ours.dimension, 1)
    assert unit(spelled(ours.dimension)).dimension == ours.dimension


@pytest.mark.parametrize(
    ("text", "si", "factor"),
    [
        ("Nm", "N m", 1),
        ("N-m", "N m", 1),
        ("mNm", "N m", 1e-3),
        ("kg*m^2", "kg m^2", 1),
        ("m^2 kg", "kg m^2", 1),
        ("kg\N{MIDDLE DOT}m\N{SUPERSCRIPT TWO}", "kg m^2", 1),
        ("m\N{SUPERSCRIPT TWO} s\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT ONE}", "m^2/s", 1),
        ("m s-1", "m/s", 1),
        ("m/s/s", "m/s^2", 1),
        ("N/(m s)", "N/(m s)", 1),
        ("N m s/rad", "N m s/rad", 1),
        ("N/m s", "N s/m", 1),  # a stroke divides by one factor
        ("deg/s", "rad/s", math.pi / 180),
        ("\N{DEGREE SIGN}", "rad", math.pi / 180),
        ("rpm", "rad/s", math.pi / 30),
        ("\N{GREEK SMALL LETTER MU}m", "m", 1e-6),
        ("meters per second", "m/s", 1),
        ("kilonewtons", "N", 1e3),
        ("N/m^1.5", "N/m^(3/2)", 1),
        ("N/mm^(3/2)", "N/m^(3/2)", 1e3**1.5),
        ("g/cm^3", "kg/m^3", 1e3),
        ("m/m", "1", 1),
        ("-", "1", 1),
        ("%", "1", 0.01),
        ("mohm", "ohm", 1e-3),
    ],
)
def test_what_people_write(text: str, si: str, factor: float) -> None:
    """Each of these has one spelling in SI."""
    found = unit(text)
    assert found.si == si
    assert math.isclose(float(found.factor), factor, rel_tol=1e-14)


@pytest.mark.parametrize(
    ("text", "si"),
    [("in", "m"), ("ft lbf", "N m"), ("slug ft^2", "kg m^2"), ("psi", "Pa"), ("hp", "W"), ("mph", "m/s"), ("oz", "kg")],
)
def test_what_pint_knows(text: str, si: str) -> None:
    """Names that SI does not have become its units."""
    assert unit(text).si == si
    agree(unit(text), {"in": "inch"}.get(text, text.replace(" ", "*")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("degC", "offset: give kelvin"),
        ("W/\N{DEGREE SIGN}C", "offset: give kelvin"),
        ("furlongs per fortnigt", "'fortnigt', which is not known"),
        ("dB", "'dB', which is not known"),
        ("60 s", "the number 60"),
        ("1e3 m", "the number 1e3"),  # no elementary charge, e, to the power of 3
        ("2.5e-3m", "the number 2.5e-3"),
        ("mm^999999999", "exponent that is larger than 100"),  # a thousand to that power fills all memory
        ("(((mm^99)^99)^99)^99", "exponent that is larger than 100"),
        ("Qm^60", "beyond what a number holds"),
        ("qm^50/Qm^50", "beyond what a number holds"),
        ("qm^99.5", "beyond what a number holds"),
        ("m/", "factor is missing"),
        ("m**", "factor is missing"),
        ("(m", "bracket"),
        ("m)", r"cannot be read from '\)' on"),
        ("m^(1/0)", "divides by zero"),
        ("m, s", "','"),
        ("m" * 101, "too long"),
    ],
)
def test_what_is_refused(text: str, told: str) -> None:
    """One sentence names the text and what is wrong with it."""
    with pytest.raises(ModelError, match=rf"^parameter k: the unit '.*' .*{told}") as caught:
        read_unit("parameter k", text)
    assert "\n" not in str(caught.value)


def test_without_pint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units of SI are read all the same, and others name the extra."""
    monkeypatch.setattr(foreign, "_registry", lambda: None)
    reading._read.cache_clear()
    assert unit("kN mm").factor == 1
    with pytest.raises(ModelError, match=r"has 'lbf', which is no unit of SI: .*pip install 'eomc\[units\]'"):
        unit("lbf")


def test_models_in_si_do_not_import_pint() -> None:
    """It takes as long to import as SymPy's mechanics."""
    code = (
        "import sys, eomc\nfor name in ('cart_pole', 'whipple_bicycle'): eomc.load(name)\nprint('pint' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_a_text_is_kept_in_one_line() -> None:
    """Headers and descriptions have it as it was written, but for spaces."""
    assert unit(" N\n  mm ").text == "N mm"


def test_dimensions_of_derived_units() -> None:
    """A few that are in every table: V = kg m^2 s^-3 A^-1, H = kg m^2 s^-2 A^-2, T = kg s^-2 A^-1."""
    assert DIMENSIONS["V"] == (1, 2, -3, -1, 0, 0, 0)
    assert DIMENSIONS["H"] == (1, 2, -2, -2, 0, 0, 0)
    assert DIMENSIONS["T"] == (1, 0, -2, -1, 0, 0, 0)


def test_numbers_are_rounded_once() -> None:
    """Tenths of millimetres are the numbers that one would have written in metres; a right angle is pi/2."""
    assert unit("mm").to_si(200.0) == 0.2
    assert unit("mm").to_si(0.3) == 0.3 / 1000
    assert unit("deg").to_si(90.0) == math.pi / 2
    assert unit("kN").factor == Fraction(1000)
