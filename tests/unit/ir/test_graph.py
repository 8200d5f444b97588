"""The graph: equal expressions are one node, numbers stay what they are, identities keep values."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.symbols import Named, Role, Symbol
from eomc.ir.systems import Factorization

TRANSCENDENTAL = [Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN, Op.SINH, Op.COSH, Op.TANH, Op.EXP, Op.LOG]
BINARY = [op for op in Op if OPS[op].arity == 2 and OPS[op].kind is Kind.REAL]


@pytest.fixture
def graph() -> Graph:
    """Return an empty graph."""
    return Graph()


@pytest.fixture
def xyz(graph: Graph) -> tuple[Node, Node, Node]:
    """Return three state symbols."""
    x, y, z = (graph.symbol(Symbol(Role.STATE, i, name)) for i, name in enumerate("xyz"))
    return x, y, z


def expression(graph: Graph, x: Node, y: Node) -> Node:
    """Return some expression over two nodes."""
    inner = graph.add(graph.mul(x, graph.unary(Op.SIN, y)), graph.powi(graph.sub(x, y), 3))
    return graph.select(graph.binary(Op.LT, x, y), graph.div(inner, y), graph.binary(Op.ATAN2, inner, x))


class TestSharing:
    """Hash-consing."""

    def test_equal_trees_are_one_node(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """The same construction a second time makes no node."""
        first = expression(graph, xyz[0], xyz[1])
        size = len(graph)
        assert expression(graph, xyz[0], xyz[1]) == first
        assert len(graph) == size

    def test_arguments_precede_their_users(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """Increasing integers are an order of evaluation."""
        expression(graph, xyz[0], xyz[1])
        assert all(a < node for node in range(len(graph)) for a in graph.args[node])

    @pytest.mark.parametrize("op", BINARY)
    def test_only_commutative_ops_may_swap(self, graph: Graph, xyz: tuple[Node, ...], op: Op) -> None:
        """x op y and y op x are one node exactly where the op commutes bit by bit."""
        x, y, _ = xyz
        assert (graph.binary(op, x, y) == graph.binary(op, y, x)) == (op in COMMUTATIVE)

    def test_symbols_of_equal_name_differ(self, graph: Graph) -> None:
        """A symbol is its role and index; names are for people."""
        a = graph.symbol(Symbol(Role.PARAMETER, 0, "p"))
        b = graph.symbol(Symbol(Role.PARAMETER, 1, "p"))
        c = graph.symbol(Symbol(Role.INPUT, 0, "p"))
        assert len({a, b, c}) == 3

    def test_levels_are_the_deepest_of_the_arguments(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """What depends on parameters alone says so."""
        p = graph.symbol(Symbol(Role.PARAMETER, 0, "p"))
        assert graph.level[graph.constant(Named.PI)] == Level.CONSTANT
        assert graph.level[graph.unary(Op.SIN, graph.constant(2))] == Level.CONSTANT
        assert graph.level[graph.mul(p, graph.constant(2))] == Level.PARAMETERS
        assert graph.level[graph.mul(p, xyz[0])] == Level.VARYING
        system = graph.solve(Factorization.LU, [[p]], [[graph.one]], ["a"])
        assert graph.level[system[0][0]] == Level.PARAMETERS

    def test_a_node_holds_the_symbols_below_it(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """Each symbol is a bit of its own, in a copy as well; numbers hold none."""
        x, y, z = (graph.holds[node] for node in xyz)
        assert [bits.bit_count() for bits in (x, y, z, x | y | z)] == [1, 1, 1, 3]
        assert graph.holds[graph.one] == 0
        choice = graph.select(graph.binary(Op.LT, xyz[0], xyz[1]), graph.powi(xyz[2], 2), graph.one)
        assert graph.holds[choice] == x | y | z
        system = graph.solve(Factorization.LU, [[xyz[0]]], [[xyz[1]]], ["a"])
        assert graph.holds[system[0][0]] == graph.bits(xyz[:2]) == x | y
        other = graph.copy()
        assert other.bits([other.fresh("w")]) & (x | y | z) == 0


class TestNumbers:
    """Constants are exact, and their kind is part of what they are."""

    @pytest.mark.parametrize("order", [(1, 1.0, True), (1.0, True, 1), (True, 1.0, 1)])
    def test_one_and_one_point_zero_differ(self, graph: Graph, order: tuple[float, ...]) -> None:
        """An integer and a float are two constants whichever came first; a truth value is no third kind of number."""
        graph = Graph()
        nodes = {type(value): graph.constant(value) for value in order}
        assert nodes[int] != nodes[float]
        assert nodes[bool] == nodes[int]
        assert type(graph.data[nodes[int]]) is int
        assert type(graph.data[nodes[float]]) is float

    @pytest.mark.parametrize("zero", [0, 0.0, -0.0, Fraction(0), False, np.float64(0.0)])
    def test_every_zero_is_the_structural_zero(self, graph: Graph, xyz: tuple[Node, ...], zero: float) -> None:
        """0.0 removes terms and factors as 0 does."""
        node = graph.constant(zero)
        assert node == graph.zero
        assert graph.mul(xyz[0], node) == graph.zero
        assert graph.add(xyz[0], node) == xyz[0]

    def test_scalars_of_numpy_are_floats(self, graph: Graph) -> None:
        """A NumPy float is the Python float of the same value, in the text too."""
        node = graph.constant(np.float64(0.25))
        assert node == graph.constant(0.25)
        assert type(graph.data[node]) is float

    def test_nan_is_a_named_constant(self, graph: Graph) -> None:
        """NaN is one node although it equals nothing."""
        assert graph.constant(math.nan) == graph.constant(Named.NAN)

    def test_integers_and_fractions_stay_exact(self, graph: Graph) -> None:
        """Exact arithmetic, of any size."""
        third = graph.constant(Fraction(1, 3))
        assert graph.number(graph.add(third, graph.constant(Fraction(2, 3)))) == 1
        assert type(graph.data[graph.add(third, graph.constant(Fraction(2, 3)))]) is int
        huge = graph.constant(10**50)
        assert graph.number(graph.sub(graph.add(huge, graph.one), huge)) == 1
        assert graph.number(graph.div(graph.constant(1), graph.constant(3))) == Fraction(1, 3)
        assert graph.number(graph.powi(graph.constant(3), -2)) == Fraction(1, 9)
        assert graph.number(graph.unary(Op.FLOOR, graph.constant(Fraction(10**30, 3)))) == 10**30 // 3
        assert graph.number(graph.unary(Op.ABS, graph.constant(Fraction(-1, 3)))) == Fraction(1, 3)
        assert graph.number(graph.unary(Op.SIGN, graph.constant(-(10**400)))) == -1

    def test_pi_is_exact_and_folds_with_nothing(self, graph: Graph) -> None:
        """2 pi is a product of 2 and pi, not a float."""
        pi = graph.constant(Named.PI)
        node = graph.mul(pi, graph.constant(2))
        assert graph.number(node) is None
        assert graph.ops[node] is Op.MUL

    @pytest.mark.parametrize("op", TRANSCENDENTAL)
    @pytest.mark.parametrize("value", [Fraction(1, 2), 0.5])
    def test_nothing_transcendental_is_folded(self, graph: Graph, op: Op, value: float) -> None:
        """The host's libm has no say in the emitted text."""
        assert graph.ops[graph.unary(op, graph.constant(value))] is op
        assert graph.ops[graph.binary(Op.POW, graph.constant(2), graph.constant(value / 3))] is Op.POW

    def test_powers_of_floats_are_products(self, graph: Graph) -> None:
        """A float's power is folded by multiplications, which round alike on every host."""
        assert graph.number(graph.powi(graph.constant(0.1), 3)) == 0.1 * (0.1 * 0.1)
        assert graph.number(graph.powi(graph.constant(0.1), -2)) == 1 / (0.1 * 0.1)
        assert graph.number(graph.powi(graph.constant(1e300), 2)) == math.inf  # refused where it would be printed

    def test_division_by_a_literal_zero_is_the_callers_mistake(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """No node stands for x / 0."""
        for mistake in (
            lambda: graph.div(xyz[0], graph.zero),
            lambda: graph.powi(graph.zero, -1),
            lambda: graph.div(xyz[0], graph.constant(0.0)),
        ):
            with pytest.raises(ZeroDivisionError):
                mistake()

    @pytest.mark.parametrize(
        ("op", "at", "value"),
        [
            *((op, 0, 0) for op in (Op.SQRT, Op.SIN, Op.TAN, Op.ASIN, Op.ATAN, Op.SINH, Op.TANH, Op.ABS)),
            *((op, 0, 1) for op in (Op.COS, Op.COSH, Op.EXP)),
            (Op.SQRT, 1, 1),
            (Op.LOG, 1, 0),
        ],
    )
    def test_exact_special_values(self, graph: Graph, op: Op, at: int, value: int) -> None:
        """Values that are exact on every host are folded."""
        assert graph.number(graph.unary(op, graph.constant(at))) == value


class TestIdentities:
    """Rewriting at birth."""

    def test_a_literal_factor_multiplies_exactly(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """(x 2) 3 is x 6; floats are left where the user put them."""
        x = xyz[0]
        six = graph.mul(graph.mul(x, graph.constant(2)), graph.constant(3))
        assert six == graph.mul(x, graph.constant(6))
        floats = graph.mul(graph.mul(x, graph.constant(0.1)), graph.constant(0.3))
        assert graph.ops[graph.args[floats][0]] is Op.MUL

    def test_signs_move_outwards(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """A minus sign is one node at the outside, and two cancel."""
        x, y, _ = xyz
        negative = graph.neg(x)
        assert graph.neg(negative) == x
        assert graph.mul(negative, graph.neg(y)) == graph.mul(x, y)
        assert graph.mul(negative, y) == graph.neg(graph.mul(x, y))
        assert graph.div(negative, y) == graph.neg(graph.div(x, y))
        assert graph.add(x, graph.neg(y)) == graph.sub(x, y)
        assert graph.neg(graph.sub(x, y)) == graph.sub(y, x)
        assert graph.powi(negative, 3) == graph.neg(graph.powi(x, 3))
        assert graph.powi(negative, -2) == graph.powi(x, -2)
        assert graph.unary(Op.SIN, negative) == graph.neg(graph.unary(Op.SIN, x))
        assert graph.unary(Op.COS, negative) == graph.unary(Op.COS, x)
        assert graph.mul(x, graph.constant(-3)) == graph.neg(graph.mul(x, graph.constant(3)))

    def test_powers(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """x x is x^2, (x^2)^3 is x^6, roots and squares cancel where they do for every real number."""
        x = xyz[0]
        assert graph.mul(x, x) == graph.powi(x, 2)
        assert graph.powi(graph.powi(x, 2), 3) == graph.powi(x, 6)
        assert graph.powi(x, 0) == graph.one
        assert graph.powi(x, 1) == x
        assert graph.powi(graph.unary(Op.SQRT, x), 2) == x
        assert graph.unary(Op.SQRT, graph.powi(x, 2)) == graph.unary(Op.ABS, x)
        assert graph.binary(Op.POW, x, graph.constant(3)) == graph.powi(x, 3)
        assert graph.binary(Op.POW, x, graph.constant(Fraction(1, 2))) == graph.unary(Op.SQRT, x)

    def test_times_makes_no_power(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """The plain product serves the pass that writes powers as products."""
        assert graph.ops[graph.times(xyz[0], xyz[0])] is Op.MUL

    def test_division_by_powers_of_two_is_a_product(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """x / 4 is x (1/4), exact in binary; x / 3 stays a quotient."""
        x = xyz[0]
        assert graph.div(x, graph.constant(4)) == graph.mul(x, graph.constant(Fraction(1, 4)))
        assert graph.ops[graph.div(x, graph.constant(3))] is Op.DIV

    def test_trivial_selections(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """Equal branches need no condition; a negation is undone by another."""
        x, y, z = xyz
        condition = graph.binary(Op.LT, x, y)
        assert graph.select(condition, z, z) == z
        assert graph.negate(graph.negate(condition)) == condition
        assert graph.binary(Op.MAX, x, x) == x
        assert graph.sub(x, x) == graph.zero
        assert graph.div(x, x) == graph.one

    def test_sums_and_products_run_from_left_to_right(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """A sum is ((x + y) + z), nothing reorders it."""
        x, y, z = xyz
        assert graph.sum(xyz) == graph.add(graph.add(x, y), z)
        assert graph.product(xyz) == graph.mul(graph.mul(x, y), z)
        assert graph.sum([]) == graph.zero
        assert graph.product([]) == graph.one


class TestLooking:
    """Reading and rebuilding."""

    def test_reachable_is_sorted_and_complete(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """What a root needs, in order of evaluation."""
        root = expression(graph, xyz[0], xyz[1])
        graph.unary(Op.EXP, xyz[2])
        found = graph.reachable([root])
        assert found == sorted(found)
        assert found[-1] == root
        assert xyz[2] not in found

    @pytest.mark.parametrize("op", Op)
    def test_rebuilding_over_the_same_arguments_is_the_node_itself(self, op: Op) -> None:
        """`rebuild` knows every op."""
        graph = Graph()
        x, y = (graph.symbol(Symbol(Role.STATE, i, name)) for i, name in enumerate("xy"))
        expression(graph, x, y)
        condition = graph.binary(Op.LT, x, y)
        graph.binary(Op.AND, condition, graph.negate(condition))
        graph.solve(Factorization.LDLT, [[x, y], [y, x]], [[y], [x]], ["a", "b"])
        if OPS[op].arity == 1 and OPS[op].kind is Kind.REAL and op not in (Op.POWI, Op.RESULT, Op.NEG):
            graph.unary(op, x)
        elif OPS[op].arity == 2 and op not in (Op.AND, Op.OR):
            graph.binary(op, x, y)
        for node in range(len(graph)):
            if graph.ops[node] is op:
                assert graph.rebuild(node, graph.args[node]) == node

    def test_results_of_a_system_are_shared(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """The same system solved twice is one SOLVE node; LDLT ignores the upper triangle."""
        x, y, z = xyz
        lower = graph.solve(Factorization.LDLT, [[x, y], [y, z]], [[x], [y]], ["a", "b"])
        other = graph.solve(Factorization.LDLT, [[x, graph.zero], [y, z]], [[x], [y]], ["a", "b"])
        assert lower == other
        assert graph.args[lower[0][0]] == graph.args[lower[1][0]]
        assert graph.kind(graph.args[lower[0][0]][0]) is Kind.SYSTEM

    def test_a_select_is_evaluated_as_it_says(self, graph: Graph, xyz: tuple[Node, ...]) -> None:
        """The condition chooses the branch."""
        x, y, _ = xyz
        node = graph.select(graph.binary(Op.LT, x, y), graph.constant(10), graph.constant(20))
        assert Sample(graph, {Symbol(Role.STATE, 0, "x"): 1.0, Symbol(Role.STATE, 1, "y"): 2.0})[node] == 10
        assert Sample(graph, {Symbol(Role.STATE, 0, "x"): 2.0, Symbol(Role.STATE, 1, "y"): 2.0})[node] == 20
