"""Samples and arrays: numbers beside a unit are in that unit, quantities whose unit would be lost are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pint
import pytest

from eomc.binding.samples import Samples
from eomc.binding.vectors import NamedVector, real_array, start_array
from eomc.errors import UsageError

INPUTS = NamedVector("input", "cart", ["F", "M", "s"], [1.0, 2.0, 3.0], units=["N", "N m", ""])
U = pint.UnitRegistry()


def test_samples_with_units_are_in_si() -> None:
    """Times and columns become seconds, newtons and newton metres; what has no unit of its own takes any."""
    table = Samples(([0, 250], "ms"), {"F": ([1.0, -2.0], "kN"), "M": (np.array([3, 4]), "N mm"), "s": ([1, 2], "mm")})
    np.testing.assert_array_equal(table.t, [0.0, 0.25])
    np.testing.assert_array_equal(table.rows(INPUTS), [[1000.0, 0.003, 0.001], [-2000.0, 0.004, 0.002]])
    np.testing.assert_array_equal(Samples([0, 1], {"M": [5, 6]}).rows(INPUTS), [[1.0, 5.0, 3.0], [1.0, 6.0, 3.0]])


@pytest.mark.parametrize(
    ("samples", "told"),
    [
        (lambda: Samples(([0, 1], "mm"), {"F": [0, 1]}), "samples: t is given in mm, and is measured in s"),
        (lambda: Samples([0, 1], {"F": ([0, 1], "J/s")}), "cart: samples of F is given in J/s, and is measured in N"),
        (lambda: Samples([0, 1], {"F": ([0, 1], "degC")}), "cart: samples of F: the unit 'degC' .* offset"),
        (lambda: Samples([0, 1], {"F": ([0, 1e308], "kN")}), "cart: input F in row 1 must be a finite number, not inf"),
        (lambda: Samples([0, 1], {"F": [0, 1] * U.kN}), "samples: F: give numbers in SI in place of quantities"),
        (lambda: Samples([0, 1] * U.ms, {"F": [0, 1]}), "samples: t: give numbers in SI in place of quantities"),
        (lambda: Samples([0, 1], np.ones((2, 3)) * U.kN), "samples: values: give numbers in SI in place of quantities"),
    ],
)
def test_what_is_no_unit_of_it_is_refused(samples: Any, told: str) -> None:
    """The message names the input, and pint's arrays are not stripped of their units in silence."""
    with pytest.raises(UsageError, match=told):
        samples().rows(INPUTS)


@pytest.mark.parametrize("given", [[1.0, 2.0] * U.mm, [[1.0, 90 * U.deg]], (1.0 * U.mm, 2.0)])
def test_arrays_of_quantities_are_refused(given: Any) -> None:
    """NumPy takes them for numbers: 90 degrees for 90."""
    with pytest.raises(UsageError, match=r"x: give numbers in SI in place of quantities with units"):
        real_array(given, "x")


def test_starts_by_name_are_refused_with_the_way() -> None:
    """An array has no room for the constraints, which tell what else changes."""
    with pytest.raises(UsageError, match=r"cart: x0 is an array .* sim\.state\(\{'name': value\}\) makes one"):
        start_array({"x": (1, "mm")}, "cart")
