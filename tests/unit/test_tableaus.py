"""The rows of Runge-Kutta schemes: conditions of order, shapes, names."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

import pytest
import sympy

from eomc.errors import UsageError
from eomc.tableaus import DEFAULT, NAMES, TABLEAUS, Tableau, tableau

EVERY = pytest.mark.parametrize("row", TABLEAUS, ids=lambda row: row.name)


def conditions(row: Tableau) -> list[tuple[int, Fraction, Fraction]]:
    """Return order, sum and wanted value of Butcher's conditions up to order four (Hairer et al., table II.2.2)."""
    b, c = row.b, row.c
    a = [[*entries, *[0] * (len(b) - len(entries))] for entries in row.a]

    def through(values: list[Fraction]) -> list[Fraction]:
        return [sum((Fraction(w) * v for w, v in zip(entries, values, strict=True)), Fraction(0)) for entries in a]

    squares, cubes = [t**2 for t in c], [t**3 for t in c]
    once = through(list(c))
    trees = [
        (1, [Fraction(1)] * len(b), 1), (2, list(c), 2), (3, squares, 3), (3, once, 6), (4, cubes, 4),
        (4, [t * v for t, v in zip(c, once, strict=True)], 8), (4, through(squares), 12), (4, through(once), 24),
    ]  # fmt: skip
    return [
        (order, sum((Fraction(w) * v for w, v in zip(b, values, strict=True)), Fraction(0)), Fraction(1, below))
        for order, values, below in trees
    ]


@EVERY
def test_order_is_what_the_row_says(row: Tableau) -> None:
    """All conditions of its order hold exactly (or to the digits of a root), and one of the next does not."""
    digits = Fraction(1, 10**45) if row.implicit else Fraction(0)
    met = {
        order: all(abs(found - wanted) <= digits for o, found, wanted in conditions(row) if o == order)
        for order in range(1, 5)
    }
    assert all(met[order] for order in range(1, row.order + 1) if order in met)
    assert not met.get(row.order + 1, False)


def test_gauss_is_collocation_at_the_roots_of_legendre() -> None:
    """B(6) and C(3) of Butcher, hence order six; b_i a_ij + b_j a_ji = b_i b_j makes it symplectic."""
    row, digits = tableau("gauss3"), Fraction(1, 10**45)
    roots = sympy.Poly(sympy.legendre(3, sympy.Symbol("z")), sympy.Symbol("z")).nroots(n=48)
    for share, root in zip(row.c, sorted(roots), strict=True):
        assert abs(Fraction(str((1 + root) / 2)) - share) < digits
    stages = range(3)
    for power in range(1, 7):
        assert abs(sum(b * c ** (power - 1) for b, c in zip(row.b, row.c, strict=True)) - Fraction(1, power)) < digits
    for i, power in itertools.product(stages, range(1, 4)):
        found = sum(row.a[i][j] * row.c[j] ** (power - 1) for j in stages)
        assert abs(found - row.c[i] ** power / power) < digits
    for i, j in itertools.product(stages, stages):
        assert abs(row.b[i] * row.a[i][j] + row.b[j] * row.a[j][i] - row.b[i] * row.b[j]) < digits


@EVERY
def test_shape(row: Tableau) -> None:
    """Stage i goes along the slopes before it, or along all; its time is that of its state; the name fits into C."""
    stages = len(row.b)
    assert [len(entries) for entries in row.a] == ([stages] * stages if row.implicit else list(range(stages)))
    assert row.implicit or row.c[0] == 0
    assert set(row.c) == set(row.times(projected=False))
    assert row.times(projected=True) == tuple(sorted({*row.c, Fraction(1)}))
    assert re.fullmatch("[a-z][a-z0-9_]*", row.name)


def test_published_times() -> None:
    """Inputs are taken where Kutta, Heun, Ralston and Euler take slopes; new speeds need no later ones."""
    half, thirds = Fraction(1, 2), Fraction(2, 3)
    published = {
        "rk4": (0, half, 1),
        "heun": (0, 1),
        "ralston": (0, thirds),
        "euler": (0,),
        "semi_implicit_euler": (0,),
    }
    assert {name: tableau(name).times(projected=False) for name in published} == published
    assert DEFAULT.name == "rk4"
    assert len(set(NAMES)) == len(NAMES)


def test_an_unknown_name() -> None:
    """One sentence with the nearest name."""
    with pytest.raises(UsageError, match=r"^unknown integrator 'ralson'; did you mean ralston\?$"):
        tableau("ralson")
