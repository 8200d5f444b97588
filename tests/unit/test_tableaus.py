"""The rows of Runge-Kutta schemes: conditions of order, shapes, names."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from eomc.errors import UsageError
from eomc.tableaus import DEFAULT, NAMES, TABLEAUS, Tableau, tableau

EVERY = pytest.mark.parametrize("row", TABLEAUS, ids=NAMES)


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
    """All conditions of its order hold exactly, and one of the next does not."""
    met = {order: all(found == wanted for o, found, wanted in conditions(row) if o == order) for order in range(1, 5)}
    assert all(met[order] for order in range(1, row.order + 1) if order in met)
    assert not met.get(row.order + 1, False)


@EVERY
def test_shape(row: Tableau) -> None:
    """Stage i goes along the slopes before it; its time is that of its state; the name fits into names of C."""
    assert [len(entries) for entries in row.a] == list(range(len(row.b)))
    assert row.c[0] == 0
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
