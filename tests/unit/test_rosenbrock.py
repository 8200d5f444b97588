"""The row of Rosenbrock's scheme: Butcher's conditions of order for step, estimate and dense output."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TypeAlias

import pytest

from eomc.rosenbrock import RODAS5P

Tree: TypeAlias = tuple["Tree", ...]
Matrix: TypeAlias = list[list[Fraction]]
ROW = RODAS5P
STAGES = range(len(ROW.c))
DIGITS = Fraction(1, 10**11)  # of sixteen published, times coefficients of some hundreds


def trees(order: int) -> list[Tree]:
    """Return the rooted trees with so many vertices."""
    if order == 1:
        return [()]
    found: set[Tree] = set()
    for tree in trees(order - 1):
        found.update(grown(tree))
    return sorted(found, key=repr)


def grown(tree: Tree) -> list[Tree]:
    """Return the trees with one leaf more."""
    here = [tuple(sorted((*tree, ()), key=repr))]
    for i, branch in enumerate(tree):
        rest = tree[:i] + tree[i + 1 :]
        here += [tuple(sorted((*rest, new), key=repr)) for new in grown(branch)]
    return here


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree))


def density(tree: Tree) -> int:
    """Return gamma(t) of Butcher: the size times the densities of what hangs at the root."""
    product = size(tree)
    for branch in tree:
        product *= density(branch)
    return product


def square(rows: tuple[tuple[Fraction, ...], ...]) -> Matrix:
    return [[*row, *[Fraction(0)] * (len(STAGES) - len(row))] for row in rows]


def product(left: Matrix, right: Matrix) -> Matrix:
    return [[sum((left[i][k] * right[k][j] for k in STAGES), Fraction(0)) for j in STAGES] for i in STAGES]


@pytest.fixture(scope="module")
def standard() -> tuple[Matrix, Matrix]:
    """Return alpha and Gamma of Hairer and Wanner: Gamma = (1/gamma - C)^-1, alpha = a Gamma; U = Gamma k."""
    couplings = square(ROW.couplings)
    slopes: Matrix = []
    for i in STAGES:  # (1/gamma) Gamma_i = e_i + sum_j C_ij Gamma_j
        row = [sum((couplings[i][j] * slopes[j][k] for j in range(i)), Fraction(int(i == k))) for k in STAGES]
        slopes.append([ROW.gamma * entry for entry in row])
    return product(square(ROW.a), slopes), slopes


def weights(standard: tuple[Matrix, Matrix], of: list[Fraction]) -> list[Fraction]:
    """Return weights of the slopes k from those of U."""
    return [sum((of[i] * standard[1][i][k] for i in STAGES), Fraction(0)) for k in STAGES]


def defects(standard: tuple[Matrix, Matrix], b: list[Fraction], order: int, theta: Fraction) -> list[Fraction]:
    """Return by how much the conditions of an order are missed: where one branch hangs, beta = alpha + Gamma counts."""
    alpha, slopes = standard
    beta = [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(alpha, slopes, strict=True)]

    def elementary(tree: Tree) -> list[Fraction]:
        values = [Fraction(1)] * len(STAGES)
        matrix = beta if len(tree) == 1 else alpha
        for branch in tree:
            inner = elementary(branch)
            values = [
                v * sum((m * w for m, w in zip(row, inner, strict=True)), Fraction(0))
                for v, row in zip(values, matrix, strict=True)
            ]
        return values

    return [
        sum((w * v for w, v in zip(b, elementary(tree), strict=True)), Fraction(0)) - theta**order / density(tree)
        for tree in trees(order)
    ]


def test_the_trees() -> None:
    """1, 1, 2, 4, 9 of them have 1 to 5 vertices."""
    assert [len(trees(order)) for order in range(1, 6)] == [1, 1, 2, 4, 9]


def test_order_of_the_step(standard: tuple[Matrix, Matrix]) -> None:
    """All conditions up to order 5 hold to the published digits, those of order 6 do not."""
    b = weights(standard, list(ROW.b))
    for order in range(1, 6):
        assert max(map(abs, defects(standard, b, order, Fraction(1)))) < DIGITS
    assert max(map(abs, defects(standard, b, 6, Fraction(1)))) > Fraction(1, 10**5)


def test_order_of_the_embedded_scheme(standard: tuple[Matrix, Matrix]) -> None:
    """Of order 4 and no more: the last U is the estimate of an error of order 5."""
    b = weights(standard, [*ROW.a[-1], Fraction(0)])
    for order in range(1, 5):
        assert max(map(abs, defects(standard, b, order, Fraction(1)))) < DIGITS
    assert max(map(abs, defects(standard, b, 5, Fraction(1)))) > Fraction(1, 10**5)


def test_rounding_of_the_estimate(standard: tuple[Matrix, Matrix]) -> None:
    """The last U is h times the last row of Gamma with the slopes, a solution for one slope h gamma."""
    wanted = sum(weight**2 for weight in standard[1][-1]) / ROW.gamma**2
    assert ROW.rounding == pytest.approx(float(wanted), rel=1e-12)


@pytest.mark.parametrize("theta", [Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
def test_order_of_the_dense_output(theta: Fraction, standard: tuple[Matrix, Matrix]) -> None:
    """Conditions up to order 4 hold within the step."""
    rest = 1 - theta
    of = [
        theta * (b + rest * (one + theta * (two + theta * three)))
        for b, one, two, three in zip(ROW.b, *ROW.dense, strict=True)
    ]
    b = weights(standard, of)
    for order in range(1, ROW.dense_order + 1):
        assert max(map(abs, defects(standard, b, order, theta))) < DIGITS


def test_times_and_weights_of_time(standard: tuple[Matrix, Matrix]) -> None:
    """c_i = sum_j alpha_ij and d_i = sum_j gamma_ij; the last state is at the end, for index-1 equations too."""
    alpha, slopes = standard
    for i in STAGES:
        assert abs(sum(alpha[i]) - ROW.c[i]) < DIGITS
        assert abs(sum(slopes[i]) - ROW.d[i]) < DIGITS
    for row, wanted in itertools.pairwise((ROW.a[5], ROW.a[6], ROW.a[7], ROW.b)):
        assert wanted == (*row, Fraction(1))
