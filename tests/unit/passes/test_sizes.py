"""Sizes of values against mpmath: what floats get wrong is below four epsilons of them; what is rounding."""

from __future__ import annotations

import math
import random
import sys

import mpmath
import pytest

from eomc.ir.graph import Graph, Level
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.sizes import Sizes

EPSILON = sys.float_info.epsilon


class Bench:
    """A graph with two parameters and two states."""

    def __init__(self):
        self.graph = Graph()
        self.symbols = [Symbol(Role.PARAMETER, k, f"p{k}") for k in (0, 1)]
        self.symbols += [Symbol(Role.STATE, k, f"x{k}") for k in (0, 1)]
        self.a, self.b, self.x, self.y = map(self.graph.symbol, self.symbols)
        self.sizes = Sizes(self.graph)

    def at(self, *values):
        return Sample(self.graph, dict(zip(self.symbols, values, strict=True)))

    def told(self, node, *values):
        sample = self.at(*values)
        return all(sample[bound.condition] for bound in self.sizes.nonzero(node))


def exact(graph, node, values):
    """Return a node's value in fifty digits."""
    with mpmath.workdps(50):
        found = {}
        for part in graph.reachable([node]):
            op, args = graph.ops[part], [found[a] for a in graph.args[part]]
            if op is Op.SYMBOL:
                found[part] = mpmath.mpf(values[graph.data[part]])
            elif op is Op.CONSTANT:
                found[part] = mpmath.mpf(graph.data[part])
            elif op is Op.POWI:
                found[part] = args[0] ** graph.data[part]
            else:
                found[part] = {
                    Op.ADD: mpmath.fadd, Op.SUB: mpmath.fsub, Op.MUL: mpmath.fmul, Op.DIV: mpmath.fdiv,
                    Op.NEG: mpmath.fneg, Op.ABS: mpmath.fabs, Op.SIN: mpmath.sin, Op.COS: mpmath.cos,
                }[op](*args)  # fmt: skip
        return found[node]


@pytest.mark.parametrize("seed", range(40))
def test_rounding_stays_below_the_size(seed):
    """A sum of products of sines, differences and quotients is right to 4 epsilon times its size."""
    rng = random.Random(seed)
    bench = Bench()
    g = bench.graph
    leaves = [bench.a, bench.b, bench.x, bench.y, g.constant(3)]
    nodes = list(leaves)
    for _ in range(8):
        kind = rng.choice("add sub mul sin cos neg div square".split())
        first, second = rng.choice(nodes[-6:]), rng.choice(nodes)
        if kind in ("sin", "cos"):
            nodes.append(
                g.unary(Op.SIN if kind == "sin" else Op.COS, rng.choice([bench.x, bench.y, g.add(bench.x, bench.y)]))
            )
        elif kind == "neg":
            nodes.append(g.neg(first))
        elif kind == "square":
            nodes.append(g.powi(first, 2))
        elif kind == "div":
            nodes.append(g.div(first, bench.b))
        else:
            nodes.append(getattr(g, kind)(first, second))
    for trial in range(20):
        scale = 10.0 ** rng.randint(-3, 3)
        values = [
            rng.uniform(-2, 2) * scale,
            rng.uniform(0.5, 2),
            rng.uniform(-50, 50),
            rng.choice([math.pi, 1e3, rng.random()]),
        ]
        sample = bench.at(*values)
        top = nodes[-1]
        error = abs(exact(g, top, dict(zip(bench.symbols, values, strict=True))) - mpmath.mpf(sample[top]))
        assert error <= 4 * EPSILON * sample[bench.sizes.size(top)], trial


def test_a_sine_counts_as_its_argument_at_least_one():
    """sin(pi) is rounding, sin(1e-6) is none; far out more is rounding."""
    bench = Bench()
    sine = bench.graph.unary(Op.SIN, bench.x)
    assert not bench.told(sine, 1, 1, math.pi, 0)
    assert not bench.told(sine, 1, 1, 0.0, 0)
    assert not bench.told(sine, 1, 1, 1e-16, 0)
    assert bench.told(sine, 1, 1, 1e-6, 0)
    assert bench.told(sine, 1, 1, 1e-14, 0)
    assert bench.at(1, 1, -7.0, 0)[bench.sizes.size(sine)] == 7.0
    assert bench.at(1, 1, 0.3, 0)[bench.sizes.size(sine)] == 1.0
    assert not bench.told(sine, 1, 1, 1e6 * math.pi, 0)


def test_angles_that_are_parameters_count_once():
    """Errors of the factors of cos(a)^3 sin(x) add up: the larger angle multiplies the size once, no power of it."""
    bench = Bench()
    g = bench.graph
    cosine, sine = g.unary(Op.COS, bench.a), g.unary(Op.SIN, bench.x)
    total = g.sub(g.mul(g.mul(cosine, cosine), g.mul(cosine, sine)), g.mul(g.mul(sine, sine), g.mul(sine, cosine)))
    size = bench.sizes.size(total)
    assert bench.at(177.0, 1, 0.5, 0)[size] == 2 * 177.0
    assert bench.at(177.0, 1, -300.0, 0)[size] == 2 * 300.0
    assert bench.at(0.3, 1, 0.5, 0)[size] == 2.0
    assert g.level[bench.sizes.size(g.mul(cosine, cosine))] == Level.PARAMETERS
    turns = g.unary(Op.COS, g.constant(40))
    assert bench.at(1, 1, 1, 0)[bench.sizes.size(g.mul(g.mul(turns, turns), sine))] == 40.0


def test_factors_are_told_from_rounding_one_by_one():
    """a sin(x) sin(y): small factors do not add up to a zero, each alone may be one; a parameter is asked by itself."""
    bench = Bench()
    g = bench.graph
    product = g.mul(bench.a, g.mul(g.unary(Op.SIN, bench.x), g.unary(Op.SIN, bench.y)))
    assert bench.told(product, 1e-30, 1, 1e-9, 1e-9)
    assert not bench.told(product, 1, 1, 1e-9, math.pi)
    assert not bench.told(product, 0, 1, 1.0, 1.0)
    levels = sorted(g.level[bound.condition] for bound in bench.sizes.nonzero(product))
    assert levels == [Level.PARAMETERS, Level.VARYING, Level.VARYING]


def test_units_do_not_matter():
    """A difference of lengths is rounding or not, whatever the unit."""
    bench = Bench()
    difference = bench.graph.sub(bench.a, bench.x)
    for unit in (2.0**-60, 1.0, 2.0**60):
        assert bench.told(difference, unit, 1, unit * (1 + 1e-14), 0)
        assert not bench.told(difference, unit, 1, unit * (1 + 3 * EPSILON), 0)


@pytest.mark.parametrize("sign", [1, -1])
def test_positive_asks_the_sign_where_it_can_differ(sign):
    """a sin(x)^2 is positive with a, and where the sine is more than rounding: two conditions, one of parameters."""
    bench = Bench()
    g = bench.graph
    square = g.mul(g.unary(Op.SIN, bench.x), g.unary(Op.SIN, bench.x))
    for node in (g.mul(bench.a, square), g.mul(square, bench.a)):
        conditions = [bound.condition for bound in bench.sizes.positive(node)]
        assert sorted(g.level[c] for c in conditions) == [Level.PARAMETERS, Level.VARYING]
        assert all(bench.at(sign, 1, 1e-9, 0)[c] for c in conditions) is (sign > 0)
        assert not all(bench.at(1, 1, math.pi, 0)[c] for c in conditions)
    both = g.mul(g.sub(bench.x, bench.y), g.sub(bench.x, bench.a))
    conditions = [bound.condition for bound in bench.sizes.positive(both)]
    assert all(bench.at(1, 1, 3.0, 2.0)[c] for c in conditions)
    assert not all(bench.at(4, 1, 3.0, 2.0)[c] for c in conditions)


def test_a_condition_is_told_with_the_value_that_it_bounds():
    """Of a - x, below a root or not, and of its magnitude: the value, and whether its sign is asked, too."""
    bench = Bench()
    g = bench.graph
    difference = g.sub(bench.a, bench.x)
    (root,) = bench.sizes.nonzero(g.unary(Op.SQRT, difference))
    (lone,) = bench.sizes.nonzero(difference)
    (definite,) = bench.sizes.positive(difference)
    assert (root.value, root.positive) == (definite.value, definite.positive) == (difference, True)
    assert (lone.value, lone.positive) == (difference, False)


def test_what_is_no_number_is_no_pivot():
    """NaN and a root of a negative number fail."""
    bench = Bench()
    g = bench.graph
    root = g.unary(Op.SQRT, g.sub(bench.a, bench.x))
    assert bench.told(root, 2, 1, 1, 0)
    assert not bench.told(root, 1, 1, 2, 0)
    assert not bench.told(root, 1, 1, 1 - 1e-16, 0)
    assert not bench.told(bench.x, 1, 1, math.nan, 0)


def test_what_cannot_cancel_costs_nothing():
    """A sum of squares is its own size: one comparison with zero."""
    bench = Bench()
    g = bench.graph
    total = g.add(g.powi(bench.x, 2), g.mul(bench.y, bench.y))
    (bound,) = bench.sizes.nonzero(total)
    assert g.args[bound.condition] == (g.zero, total)
    assert bound.value == total
    assert bench.sizes.size(total) == total
