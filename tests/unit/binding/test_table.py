"""Numbers as text: the emitted main's definition, and the function in C that is held against it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.binding import decimals as in_c
from eomc.binding import table
from eomc.binding.decimals import Decimals, decimals
from eomc.binding.table import table_text

pytestmark = pytest.mark.needs_cc

SPECIAL = [
    0.0, -0.0, float("nan"), -float("nan"), float("inf"), -float("inf"), 5e-324, 2.2250738585072014e-308,
    2.225073858507201e-308, 1.7976931348623157e308, 999999999999999.9, 9999999999999998.0, 1e-4, 9.9999999999999999e-5,
    1e15, 1e16, 1e17, 123456789012345680.0, 0.3, 0.1 + 0.2, 2.0**-44, 4503599627370497.5, 3.4028234663852886e38,
    1.401298464324817e-45, 1.1754943508222875e-38, 16777217.0, 1e23, 9.5, -2.5e-5,
]  # fmt: skip


def told(value: float, digits: range, narrow: bool) -> str:
    """Return what the emitted main prints: the first of some precisions that is read back to the same number."""
    for precision in digits:
        text = f"%.{precision}g" % value
        with np.errstate(over="ignore"):
            back = float(np.float32(text)) if narrow else float(text)
        if back == value:
            return text
    return text


@pytest.fixture(scope="module")
def library() -> Decimals:
    """Return the library."""
    found = decimals()
    assert found is not None
    return found


def agree(library: Decimals, values: list[float]) -> None:
    """Hold the C against the definition, as doubles and as floats."""
    with np.errstate(over="ignore"):
        narrow = np.array(values, dtype=np.float32).astype(np.float64)
    for single, numbers, digits in ((False, np.array(values), range(15, 18)), (True, narrow, range(6, 10))):
        written = table.single_decimal if single else table.decimal
        lines = library.text(numbers[:, None], single, written).splitlines()
        assert lines == [told(value, digits, single) for value in numbers.tolist()]


def test_special_numbers(library: Decimals) -> None:
    """Signs, infinities, the ends of the range, ties, and where the form with an exponent begins."""
    tens = [float(f"1e{k}") for k in range(-323, 309)]
    agree(
        library,
        [*SPECIAL, *tens, *np.nextafter(tens, 0.0), *np.nextafter(tens, 1.0), *(2.0**k for k in range(-1074, 1024))],
    )


@given(st.lists(st.integers(0, 2**64 - 1), min_size=20, max_size=60))
def test_all_bit_patterns(library: Decimals, patterns: list[int]) -> None:
    """Any double, and the float next to it."""
    agree(library, [struct.unpack("<d", struct.pack("<Q", pattern))[0] for pattern in patterns])


@given(st.lists(st.tuples(st.integers(-(10**17), 10**17), st.integers(-24, 8)), min_size=20, max_size=60))
def test_numbers_of_few_digits(library: Decimals, numbers: list[tuple[int, int]]) -> None:
    """What people write, and what is near to it: around 1e-5 and 1e15 to 1e17, too."""
    values = [float(f"{digits}e{exponent}") for digits, exponent in numbers]
    agree(library, [*values, *np.nextafter(values, 1.0)])


@given(st.lists(st.tuples(st.integers(1, 2**12), st.integers(-1074, 1010)), min_size=20, max_size=60))
def test_numbers_of_few_bits(library: Decimals, numbers: list[tuple[int, int]]) -> None:
    """Where decimals lie just between two numbers."""
    agree(library, [significand * 2.0**exponent for significand, exponent in numbers])


@pytest.mark.parametrize("real", ["double", "float"])
def test_a_long_table_has_the_bytes_of_a_short_one(real: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which way a table takes, and where its pieces end, shows in no byte; nor does a missing compiler."""
    angle = np.arange(5000.0)
    columns = [angle * 0.001, np.sin(angle), 1e150 * np.cos(angle), np.full(5000, 5e-324)]
    texts = []
    for few, library in ((10**9, decimals), (0, decimals), (0, lambda: None)):
        monkeypatch.setattr(table, "_FEW", few)
        monkeypatch.setattr(table, "decimals", library)
        texts.append("".join(table_text(["t", "a", "b", "c"], columns, real)))
    assert texts[0] == texts[1] == texts[2]
    assert texts[0].count("\n") == 5001


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is no library then, and no error."""
    monkeypatch.setenv("CC", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert in_c.decimals.__wrapped__() is None
