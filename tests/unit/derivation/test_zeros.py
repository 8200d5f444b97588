"""What is taken for zero: functions that are zero for all states and parameters, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eomc.derivation.ranks import Ranks
from eomc.derivation.sampling import Sampling
from eomc.derivation.zeros import Zeros
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol

DEFAULTS = (0.0, 1e-12, 1.0, -3.0, 1e9)


class Space:
    """A parameter p and a coordinate x with the functions over them."""

    def __init__(self, default: float, reach: tuple[float, float] = (-1.0, 1.0)) -> None:
        self.graph = g = Graph()
        parameter, coordinate, speed = (
            Symbol(Role.PARAMETER, 0, "p"),
            Symbol(Role.STATE, 0, "x"),
            Symbol(Role.STATE, 1, "u"),
        )
        self.p, self.x, self.u = map(g.symbol, (parameter, coordinate, speed))
        self.sampling = Sampling(g, {parameter: default}, {coordinate: reach}, [speed], [])
        self.is_zero = Zeros(self.sampling)

    def of(self, op: Op, node: Node) -> Node:
        """Return a function of one argument."""
        return self.graph.unary(op, node)


def circle(s: Space) -> Node:
    """sin^2 + cos^2 - 1 at p x."""
    g, angle = s.graph, s.graph.mul(s.p, s.x)
    return g.sub(g.add(g.powi(s.of(Op.SIN, angle), 2), g.powi(s.of(Op.COS, angle), 2)), g.one)


def square(s: Space) -> Node:
    """(p + x)^2 - p^2 - 2 p x - x^2."""
    g = s.graph
    parts = (g.powi(s.p, 2), g.mul(g.constant(2), g.mul(s.p, s.x)), g.powi(s.x, 2))
    return g.sub(g.powi(g.add(s.p, s.x), 2), g.sum(parts))


def behind_a_kink(s: Space) -> Node:
    """sign(x) times what is zero."""
    return s.graph.mul(s.of(Op.SIGN, s.x), square(s))


def difference(s: Space) -> Node:
    """p x / p - x, the one that a default of zero gives no value."""
    g = s.graph
    return g.sub(g.div(g.mul(s.p, s.of(Op.SIN, s.x)), s.p), s.of(Op.SIN, s.x))


ZEROS = [circle, square, behind_a_kink, difference]


def tiny_term(s: Space) -> Node:
    """(1 + p) u - u: seen for any p that is not zero."""
    return s.graph.sub(s.graph.mul(s.graph.add(s.graph.one, s.p), s.u), s.u)


def size(s: Space) -> Node:
    """|p| - p."""
    return s.graph.sub(s.of(Op.ABS, s.p), s.p)


def root_of_square(s: Space) -> Node:
    """sqrt(p^2) - p: zero for positive p alone."""
    return s.graph.sub(s.of(Op.SQRT, s.graph.powi(s.p, 2)), s.p)


def root_of_cosine(s: Space) -> Node:
    """sqrt(cos^2 x) - cos x: zero for |x| < pi / 2 alone."""
    cosine = s.of(Op.COS, s.x)
    return s.graph.sub(s.of(Op.SQRT, s.graph.powi(cosine, 2)), cosine)


def angle_of_direction(s: Space) -> Node:
    """atan2(sin x, cos x) - x: zero for |x| < pi alone."""
    direction = s.graph.binary(Op.ATAN2, s.of(Op.SIN, s.x), s.of(Op.COS, s.x))
    return s.graph.sub(direction, s.x)


def saturated(s: Space) -> Node:
    """tanh(10^6 x) - tanh(2 10^6 x): zero to rounding but near x = 0."""
    g = s.graph
    one, two = (s.of(Op.TANH, g.mul(g.constant(n * 10**6), s.x)) for n in (1, 2))
    return g.sub(one, two)


def underflow(s: Space) -> Node:
    """x exp(-10^4 (x^2 + 1)): too small for a double, and not zero."""
    g = s.graph
    return g.mul(s.x, s.of(Op.EXP, g.mul(g.constant(-(10**4)), g.add(g.powi(s.x, 2), g.one))))


def without_value(s: Space) -> Node:
    """x sqrt(-1 - x^2): there is none."""
    g = s.graph
    return g.mul(s.x, s.of(Op.SQRT, g.sub(g.constant(-1), g.powi(s.x, 2))))


OTHERS = [tiny_term, size, root_of_square, root_of_cosine, angle_of_direction, saturated, underflow, without_value]


@pytest.mark.parametrize("default", DEFAULTS)
@pytest.mark.parametrize("make", ZEROS)
def test_zeros_are_found(make: Callable[[Space], Node], default: float) -> None:
    """A function that is zero is found to be so, whatever the parameter is by default."""
    space = Space(default)
    assert space.is_zero(make(space))


@pytest.mark.parametrize("default", DEFAULTS)
@pytest.mark.parametrize("make", OTHERS)
def test_nothing_else_is_a_zero(make: Callable[[Space], Node], default: float) -> None:
    """What is zero on one side, for one sign, in a range or to rounding alone is none, nor what has no value."""
    space = Space(default, (0.1, 0.2))
    assert not space.is_zero(make(space))


@pytest.mark.parametrize("place", [1.0, 1e3, 7e6])
def test_a_small_part_far_from_the_origin_is_seen(place: float) -> None:
    """x + p - x is p, five millimetres at seven thousand kilometres."""
    space = Space(5e-3, (0.98 * place, place))
    shift = space.graph.sub(
        space.graph.mul(space.graph.add(space.x, space.p), space.u), space.graph.mul(space.x, space.u)
    )
    assert not space.is_zero(shift)


@pytest.mark.parametrize("default", DEFAULTS)
def test_ranks_hold_for_all_parameters(default: float) -> None:
    """[[1, p], [0, p^2]] is regular as a function, [[p, x], [p^2, p x]] is singular, its second row follows."""
    space = Space(default)
    g, p, x = space.graph, space.p, space.x
    ranks = Ranks(space.sampling, "p")
    assert ranks.undetermined([[g.one, p], [g.zero, g.powi(p, 2)]]) is None
    rows = [[p, x], [g.powi(p, 2), g.mul(p, x)]]
    assert ranks.undetermined(rows) is not None
    assert ranks.redundant(rows) == 1
    factors = ranks.factors(rows[:1], rows[1])
    assert factors is not None
    assert [len(found) for found in factors] == [1] * len(factors)
    assert ranks.factors(rows[:1], [p, g.mul(g.constant(2), x)]) is None


def test_signs_of_defaults_decide_definiteness_alone() -> None:
    """[[p^2 + 1, p], [p, 1]] is positive definite for all p, [[p]] as its default says."""
    for default in DEFAULTS:
        space = Space(default)
        g, p = space.graph, space.p
        ranks = Ranks(space.sampling, "p")
        assert ranks.is_positive_definite([[g.add(g.powi(p, 2), g.one), p], [p, g.one]])
        assert ranks.is_positive_definite([[p]]) == (default >= 0.0)
