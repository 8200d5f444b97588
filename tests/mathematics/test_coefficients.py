"""The tables of coefficients are what the script computes; the polynomials are as good as they are said to be."""

from __future__ import annotations

import pytest
from coefficients import FAMILIES, table
from coefficients_elementary import series
from mpmath import mp, mpf
from remez import PREC, best, chopped, literal, rounded, split

from eomc.backends.c99.mathematics.coefficients import _FAMILIES


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("family", range(len(FAMILIES)), ids=FAMILIES)
@pytest.mark.sampled(3)
def test_tables_are_what_the_script_computes(family: int, precision: str) -> None:
    """Nobody has changed a digit by hand."""
    assert _FAMILIES[family][precision] == table(FAMILIES[family], precision)


def test_tables_do_not_follow_the_precision_that_others_set() -> None:
    """Two points whose errors are equal but for rounding: the exchange takes the same one with any number of bits."""
    for bits in (PREC - 1, PREC + 60):
        with mp.workprec(bits):
            assert series("EXP_EVEN", "double") == _FAMILIES[FAMILIES.index("elementary")]["double"]["EXP_EVEN"]
    with mp.workprec(53):
        assert table("trigonometric", "single") == _FAMILIES[FAMILIES.index("trigonometric")]["single"]


def test_families_share_no_name() -> None:
    """A coefficient of one family does not hide that of another."""
    for precision in ("double", "single"):
        names = [name for family in _FAMILIES for name in family[precision]]
        assert len(names) == len(set(names))


def test_best_polynomial_of_the_exponential() -> None:
    """The straight line nearest to exp on [0, 1] is that of the text-books: slope e - 1, error equal thrice."""
    (constant, slope), error = best(mp.exp, (mpf(0), mpf(1)), 2, lambda x: mpf(1))
    assert abs(slope - (mp.e - 1)) < 1e-3
    inside = mp.log(slope)
    errors = [mp.exp(x) - constant - slope * x for x in (mpf(0), inside, mpf(1))]
    assert all(abs(abs(e) - error) < 1e-3 * error for e in errors)
    assert errors[0] * errors[1] < 0 < errors[0] * errors[2]


def test_rounding_and_splitting() -> None:
    """Parts have the bits that they may have and add up; literals read back."""
    third = mpf(1) / 3
    assert rounded(third, 53) == mpf(1 / 3)
    assert chopped(-third, 3) == -mpf(5) / 16
    parts = split(mp.pi, 11, 11, 53)
    assert abs(sum(parts) - mp.pi) < mp.ldexp(1, -74)
    assert all(chopped(part, 11) == part for part in parts[:2])
    assert float(literal(rounded(third, 53), "double")) == 1 / 3
    assert literal(mpf(2), "single") == "2.0"
