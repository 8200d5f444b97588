"""Embedded pairs against the conditions of order, in exact arithmetic."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import pytest

from eomc.integrators import NAMES, integrators, tableaus_of
from eomc.pairs import PAIRS, Pair

EVERY = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
DIGITS = {"dopri5": Fraction(0), "dop853": Fraction(1, 10**24)}  # of the published numbers

Tree: TypeAlias = tuple["Tree", ...]
"""A rooted tree: what hangs on its root, sorted."""


@functools.cache
def trees(order: int) -> list[Tree]:
    """Return all rooted trees of so many vertices."""
    return sorted(set(_forests(order - 1)))


def _forests(size: int) -> list[Tree]:
    if size == 0:
        return [()]
    found = []
    for first in range(1, size + 1):
        for tree, rest in itertools.product(trees(first), _forests(size - first)):
            found.append(tuple(sorted((tree, *rest))))
    return found


def order_of(tree: Tree) -> int:
    return 1 + sum(map(order_of, tree))


def density(tree: Tree) -> int:
    product = order_of(tree)
    for branch in tree:
        product *= density(branch)
    return product


def every_row(pair: Pair) -> list[list[Fraction]]:
    """Return the weights of all slopes in the states of all slopes, as a square matrix."""
    rows = [*pair.a, pair.b, *pair.dense_a]
    return [[*row, *[Fraction(0)] * (len(rows) - len(row))] for row in rows]


class Weights:
    """Elementary weights of the slopes of a pair."""

    def __init__(self, pair: Pair) -> None:
        self.rows = every_row(pair)
        self.of = functools.cache(self._of)

    def _of(self, tree: Tree) -> list[Fraction]:
        """Return the product over the branches of a tree, for each slope."""
        found = [Fraction(1)] * len(self.rows)
        for branch in tree:
            inner = self.of(branch)
            for i, row in enumerate(self.rows):
                found[i] *= sum((w * v for w, v in zip(row, inner, strict=True) if w), Fraction(0))
        return found

    def sum(self, weights: tuple[Fraction, ...] | list[Fraction], tree: Tree) -> Fraction:
        return sum((w * v for w, v in zip(weights, self.of(tree), strict=False) if w), Fraction(0))


def worst(weights: Sequence[Fraction], order: int, theta: Fraction, of: Weights) -> Fraction:
    """Return the largest defect of the conditions up to an order, of what should be the solution after theta h."""
    defects = [
        abs(of.sum(weights, tree) - theta**size / density(tree)) for size in range(1, order + 1) for tree in trees(size)
    ]
    return max(defects)


def dense_weights(pair: Pair, theta: Fraction) -> list[Fraction]:
    """Return the weights of all slopes after theta h, by the formula in the module's text."""
    count, last = pair.slopes, len(pair.a)
    unit = [[Fraction(i == j) for i in range(count)] for j in range(count)]
    change = [*pair.b, *[Fraction(0)] * (count - len(pair.b))]
    first = [a - b for a, b in zip(unit[0], change, strict=True)]
    second = [a - b - c for a, b, c in zip(change, unit[last], first, strict=True)]
    terms = [change, first, second, *([*row, *[Fraction(0)] * (count - len(row))] for row in pair.dense)]
    total = [Fraction(0)] * count
    for j in reversed(range(len(terms))):
        factor = theta if j % 2 == 0 else 1 - theta
        total = [(term + value) * factor for term, value in zip(terms[j], total, strict=True)]
    return total


@EVERY
def test_the_step_meets_the_conditions_of_its_order(pair):
    """All rooted trees up to the order, and not those of the next."""
    of = Weights(pair)
    assert worst(pair.b, pair.order, Fraction(1), of) <= DIGITS[pair.name]
    assert worst(pair.b, pair.order + 1, Fraction(1), of) > 1e-6
    assert len([tree for size in range(1, 9) for tree in trees(size)]) == 200


@EVERY
def test_estimates_vanish_up_to_the_order_of_the_scheme_beside(pair):
    """b - e is of order 4 beside dopri5, of 5 and 3 beside dop853."""
    of, orders = Weights(pair), {"dopri5": [4], "dop853": [5, 3]}[pair.name]
    for row, order in zip(pair.errors, orders, strict=True):
        beside = [
            b - e
            for b, e in itertools.zip_longest([*pair.b, Fraction(0)], row[: len(pair.a) + 1], fillvalue=Fraction(0))
        ]
        assert worst(beside, order, Fraction(1), of) <= DIGITS[pair.name]
        assert worst(beside, order + 1, Fraction(1), of) > 1e-6


@EVERY
def test_the_dense_output_is_of_its_order_everywhere(pair):
    """Its weights meet the conditions at any share of the step, and those of the next order do not."""
    of = Weights(pair)
    for theta in (Fraction(1, 7), Fraction(1, 2), Fraction(5, 6)):
        weights = dense_weights(pair, theta)
        assert worst(weights, pair.dense_order, theta, of) <= 10 * DIGITS[pair.name]
        assert worst(weights, pair.dense_order + 1, theta, of) > 1e-8
    assert dense_weights(pair, Fraction(1)) == [*pair.b, *[Fraction(0)] * (pair.slopes - len(pair.b))]


@EVERY
def test_published_times(pair):
    """The times of the stages, as the books list them."""
    published = {
        "dopri5": [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1],
        "dop853": [
            0, 0.0526001519587677, 0.0789002279381516, 0.118350341907227, 0.281649658092773, 1 / 3, 1 / 4, 4 / 13,
            127 / 195, 3 / 5, 6 / 7, 1,
        ],
    }  # fmt: skip
    assert [float(share) for share in pair.c] == pytest.approx(published[pair.name], abs=1e-14)


@pytest.mark.parametrize(
    ("asked", "told"),
    [("huen", "did you mean heun"), ("rk4,rk4", "twice"), ([], "names none"), ("rk4,dopri", "did you mean dopri5")],
)
def test_integrators_that_are_not_there(asked, told):
    """One error says what is wrong."""
    with pytest.raises(Exception, match=told):
        integrators(asked)


def test_several_integrators():
    """The first that is named comes first; a model has the steps of all that are fixed, or the usual one."""
    assert [row.name for row in tableaus_of(integrators("heun,dop853,rk4"))] == ["heun", "rk4"]
    assert [row.name for row in tableaus_of(integrators("dop853"))] == ["rk4"]
    assert [row.name for row in integrators("dop853, rk4")] == ["dop853", "rk4"]
    assert [row.name for row in integrators(NAMES) if isinstance(row.row, Pair)] == ["dopri5", "dop853"]
