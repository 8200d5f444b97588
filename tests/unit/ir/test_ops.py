"""The columns of the op table tell the truth, by values of the ops and by functions of many digits."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest

from eomc.ir.graph import Graph
from eomc.ir.ops import OPS, Break, Kind, Op
from eomc.ir.rounding import Rounded
from eomc.ir.symbols import Role, Symbol

X, Y = (Symbol(Role.STATE, i, name) for i, name in enumerate("xy"))
REAL = [op for op in Op if OPS[op].kind is Kind.REAL and op not in (Op.POWI, Op.RESULT)]
UNARY = [op for op in REAL if OPS[op].arity == 1]
SMOOTH = [op for op in UNARY if OPS[op].breaks is Break.NOWHERE and op is not Op.NEG]
POINTS = [0.15, 0.4, 0.85, 1.3, 3.2]


def value(op: Op, *arguments: float) -> float:
    """Return the value of an op, NaN where it has none."""
    rule = OPS[op].evaluate
    assert rule is not None
    try:
        return float(rule(*arguments))
    except (ArithmeticError, ValueError):
        return math.nan


@pytest.mark.parametrize("op", UNARY)
def test_parity_is_that_of_the_values(op: Op) -> None:
    """f(-x) = -f(x) for all x where the row says odd, f(x) where it says even, and neither elsewhere."""
    pairs = [(value(op, x), value(op, -x)) for x in (0.15, 0.4, 0.85, 1.3)]
    pairs = [(a, b) for a, b in pairs if not math.isnan(a)]
    even, odd = all(a == b for a, b in pairs), all(a == -b for a, b in pairs)
    if op is not Op.NEG:  # its own constructor takes two signs off
        assert OPS[op].parity == even - odd


@pytest.mark.parametrize("op", REAL)
def test_values_at_numbers_are_exact(op: Op) -> None:
    """At zero, and where there is an exact rule, the number is that of the op; a function that has 0 or 1 says so."""
    row = OPS[op]
    at_zero = value(op, *[0.0] * (row.arity or 0))
    assert row.at_zero in (None, at_zero)
    if row.arity == 1 and at_zero in (0, 1):
        assert row.at_zero == at_zero
    for number in (Fraction(-7, 2), -1, Fraction(1, 3), 1, 4):
        exact = row.exact(number) if row.exact else None
        assert exact is None or (exact == value(op, float(number)) or abs(number) == Fraction(1, 3))
        assert not isinstance(exact, float)


@pytest.mark.parametrize("op", [op for op in REAL if OPS[op].nonnegative])
def test_what_is_never_negative_is_not(op: Op) -> None:
    """No value over arguments of both signs is negative."""
    grid = [-2.5, -0.3, 0.0, 0.7, 3.0]
    values = [value(op, x, y) if OPS[op].arity == 2 else value(op, x) for x in grid for y in grid]
    assert min(v for v in values if not math.isnan(v)) >= 0


@pytest.mark.parametrize("op", [op for op in REAL if OPS[op].safe])
def test_value_and_slopes_are_finite_at_the_safe_operand(op: Op) -> None:
    """What a branch that is not taken evaluates is a number, whatever the other argument is."""
    row = OPS[op]
    assert row.safe is not None
    assert row.partial is not None
    place, number = row.safe
    for other in (-0.7, 2.0):
        graph = Graph()
        args = [graph.symbol(symbol) for symbol in (X, Y)[: row.arity]]
        given = dict(zip((X, Y), [number if i == place else other for i in range(len(args))], strict=False))
        if op is Op.POW and other < 0:
            given[Y] = 2.5
        node = graph.unary(op, *args) if row.arity == 1 else graph.binary(op, *args)
        sample = Rounded(graph, given)
        assert all(math.isfinite(sample[n]) for n in (node, *row.partial(graph, node, args, None)))


@pytest.mark.parametrize("op", [op for op in UNARY if OPS[op].partial])
def test_slopes_are_infinite_at_steep_arguments_alone(op: Op) -> None:
    """There the value is finite and the slope is not; at other whole numbers both are finite, or neither is."""
    row = OPS[op]
    assert row.partial is not None
    for number in (-2, -1, 0, 1, 2):
        graph = Graph()
        x = graph.symbol(X)
        node = graph.neg(x) if op is Op.NEG else graph.unary(op, x)
        sample = Rounded(graph, {X: float(number)})
        (slope,) = row.partial(graph, node, [x], None)
        assert (math.isfinite(sample[node]) and not math.isfinite(sample[slope])) == (number in row.steep)


@pytest.mark.parametrize("op", SMOOTH)
def test_sizes_grow_by_the_slope(op: Op) -> None:
    """The size of f(x) is |f'(x)| times that of x and |f(x)|, f' a difference of fifty digits."""
    function = getattr(mpmath, op.value)
    for point in POINTS:
        graph = Graph()
        sample = Rounded(graph, {X: point + 1.0})
        argument = graph.sub(graph.symbol(X), graph.one)  # with the size of its terms
        node = graph.unary(op, argument)
        if math.isnan(value(op, point)):
            continue
        with mpmath.workdps(50):
            slope = abs(mpmath.diff(function, mpmath.mpf(sample[argument])))
        expected = float(slope) * sample.size(argument) + abs(sample[node])
        assert sample.size(node) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("op", [Op.ATAN2, Op.POW, Op.DIV])
def test_sizes_grow_by_both_slopes(op: Op) -> None:
    """The size of f(x, y) holds that of x and that of y, each times the magnitude of its slope."""
    function = {Op.ATAN2: mpmath.atan2, Op.POW: mpmath.power, Op.DIV: mpmath.fdiv}[op]
    graph = Graph()
    sample = Rounded(graph, {X: 1.7, Y: 2.6})
    args = [graph.sub(graph.symbol(symbol), graph.one) for symbol in (X, Y)]
    node = graph.binary(op, *args)
    with mpmath.workdps(50):
        point = tuple(mpmath.mpf(sample[a]) for a in args)
        slopes = [abs(float(mpmath.diff(function, point, order))) for order in ((1, 0), (0, 1))]
    expected = sum(s * sample.size(a) for s, a in zip(slopes, args, strict=True)) + abs(sample[node])
    assert sample.size(node) == pytest.approx(expected, rel=1e-9)
