"""Equal values are evaluated once: sums in other orders, brackets, changed signs; nothing that cancels comes in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eomc.backends.c99.kernels import count_system
from eomc.derivation.methods.kane import KANE
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check, Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.verify import verify
from eomc.passes.equal import join_equal
from eomc.passes.schedule import schedule

NAMES = "xyz"
STATES = [Symbol(Role.STATE, index, name) for index, name in enumerate(NAMES)]


def program(graph: Graph, *functions: tuple[Node, ...], checks: tuple[Check, ...] = ()) -> Program:
    made = tuple(
        Function(f"f{k}" if k else "rhs", "", outputs, tuple(map(str, range(len(outputs)))), (len(outputs),))
        for k, outputs in enumerate(functions)
    )
    states = tuple(Variable(symbol, symbol.name) for symbol in STATES)
    return join_equal(Program("m", "", KANE, graph, Symbol(Role.TIME, 0, "t"), states, (), (), made, checks))


def joined(graph: Graph, *outputs: Node) -> tuple[Node, ...]:
    result = program(graph, outputs)
    verify(result)
    return result.functions[0].outputs


@pytest.fixture
def graph() -> Graph:
    return Graph()


@pytest.fixture
def xyz(graph: Graph) -> list[Node]:
    return [graph.symbol(symbol) for symbol in STATES]


def test_sums_in_two_orders_are_one(graph: Graph, xyz: list[Node]) -> None:
    """x + (y + z) and (x + y) + z."""
    x, y, z = xyz
    one, other = joined(graph, graph.add(x, graph.add(y, z)), graph.add(graph.add(x, y), z))
    assert one == other


def test_brackets_and_a_sign_are_looked_through(graph: Graph, xyz: list[Node]) -> None:
    """x (y - z) and x z - x y, quotients, and powers."""
    x, y, z = xyz
    bracket = graph.mul(x, graph.sub(y, z))
    one, other = joined(graph, bracket, graph.sub(graph.mul(x, z), graph.mul(x, y)))
    assert other == graph.neg(one)
    one, other = joined(graph, graph.div(graph.mul(x, y), z), graph.mul(y, graph.div(x, z)))
    assert one == other
    one, other = joined(graph, graph.powi(x, 3), graph.mul(x, graph.mul(x, x)))
    assert one == other


def test_what_stands_above_is_joined_too(graph: Graph, xyz: list[Node]) -> None:
    """Sines of equal angles are the same sine, magnitudes of opposite values the same magnitude."""
    x, y, z = xyz
    angles = graph.add(x, graph.add(y, z)), graph.add(graph.add(x, y), z)
    one, other = joined(graph, *(graph.unary(Op.SIN, angle) for angle in angles))
    assert one == other
    one, other = joined(graph, *(graph.unary(Op.ABS, graph.sub(*pair)) for pair in ((x, y), (y, x))))
    assert one == other


def test_nothing_that_cancels_comes_in(graph: Graph, xyz: list[Node]) -> None:
    """(x + y) (x - y) keeps its digits where x is nearly y; x x - y y does not, and neither stands for the other."""
    x, y, _ = xyz
    factors = graph.mul(graph.add(x, y), graph.sub(x, y))
    squares = graph.sub(graph.mul(x, x), graph.mul(y, y))
    assert joined(graph, factors, squares) == (factors, squares)
    assert joined(graph, squares, factors) == (squares, factors)


def test_floats_are_what_they_are(graph: Graph, xyz: list[Node]) -> None:
    """0.1 x + 0.2 x is not 0.3 x in doubles, 0.25 x + 0.5 x is 0.75 x."""
    x = graph.unary(Op.SIN, xyz[0])

    def both(a: float, b: float, c: float) -> tuple[Node, ...]:
        summed = graph.add(graph.mul(graph.constant(a), x), graph.mul(graph.constant(b), x))
        return joined(graph, summed, graph.mul(graph.constant(c), x))

    one, other = both(0.1, 0.2, 0.3)
    assert one != other
    one, other = both(0.25, 0.5, 0.75)
    assert one == other


def test_no_function_evaluates_more(graph: Graph, xyz: list[Node]) -> None:
    """x (y + z) alone is cheaper by its bracket; beside x y and x z, which rhs has anyway, it is their sum."""
    x, y, z = xyz
    products = graph.mul(x, y), graph.mul(x, z)
    total, bracket = graph.add(*products), graph.mul(x, graph.add(y, z))
    made = program(graph, (*products, total), (bracket,))
    assert [one.outputs[-1] for one in made.functions] == [total, bracket]
    made = program(graph, (*products, total, bracket), (bracket,))
    assert [one.outputs[-1] for one in made.functions] == [total, bracket]


def test_the_first_function_does_not_depend_on_others(graph: Graph, xyz: list[Node]) -> None:
    """A form that only another function has, though it was there before, stays out of the state derivative."""
    x, y, z = xyz
    older, own = graph.add(x, graph.add(y, z)), graph.add(graph.add(x, y), z)
    made = program(graph, (graph.unary(Op.SIN, own),), (graph.unary(Op.SIN, older),))
    assert made.functions[0].outputs == (graph.unary(Op.SIN, own),)


def test_checks_go_along(graph: Graph, xyz: list[Node]) -> None:
    """What divides by a pivot that is joined with another is still told by its check."""
    x, y, z = xyz
    pivot, twin = graph.add(x, graph.add(y, z)), graph.add(graph.add(x, y), z)
    quotient, joined = graph.div(x, twin), graph.div(x, pivot)
    check = Check(quotient, graph.binary(Op.LT, graph.zero, twin), "pivot", 0)
    made = program(graph, (pivot, quotient), checks=(check,))
    assert made.checks == (Check(joined, graph.binary(Op.LT, graph.zero, pivot), "pivot", 0),)
    assert made.functions[0].outputs[1] == joined


def test_what_becomes_zero_is_divided_no_more(graph: Graph, xyz: list[Node]) -> None:
    """(x + (y + z) - ((x + y) + z)) / z is 0: a check that guarded this number could come before nothing."""
    x, y, z = xyz
    sums = graph.add(x, graph.add(y, z)), graph.add(graph.add(x, y), z)
    quotient = graph.div(graph.sub(*sums), z)
    check = Check(quotient, graph.binary(Op.LT, graph.zero, z), "pivot", 0)
    made = program(graph, sums, (quotient,), checks=(check,))
    assert made.functions[1].outputs == (graph.zero,)
    assert made.checks == ()
    schedule(made, count_system)


def test_what_cancels_is_not_guarded_by_itself(graph: Graph, xyz: list[Node]) -> None:
    """x (x + y) / (x + y) is x, which a test of x + y has to know; x (y + z) / (y + z) still has a test."""
    x, y, z = xyz
    for pivot, kept in ((graph.add(x, y), False), (graph.add(y, z), True)):
        sine = graph.unary(Op.SIN, x)
        quotient = graph.div(graph.mul(sine, graph.mul(x, pivot)), graph.mul(x, pivot))
        check = Check(quotient, graph.binary(Op.LT, graph.zero, graph.mul(sine, pivot)), "pivot", 0)
        plain = graph.div(graph.mul(x, pivot), pivot)
        other = Check(plain, graph.binary(Op.LT, graph.zero, pivot), "pivot", 1)
        made = program(graph, (sine,), (quotient, plain), checks=(check, other))
        assert made.functions[1].outputs == (sine, x)
        assert made.checks == ((Check(x, other.condition, "pivot", 1),) if kept else ())
        schedule(made, count_system)


def test_the_sign_before_what_is_guarded_is_taken_off(graph: Graph, xyz: list[Node]) -> None:
    """(y - x) / z is joined with -((x - y) / z): the test comes before that quotient, not between it and its sign."""
    x, y, z = xyz
    first, second = (graph.div(graph.sub(*pair), z) for pair in ((x, y), (y, x)))
    check = Check(second, graph.binary(Op.LT, graph.zero, z), "z", 0)
    made = program(graph, (first, second), checks=(check,))
    assert made.functions[0].outputs == (first, graph.neg(first))
    assert made.checks == (replace(check, node=first),)


def test_a_check_asks_the_same_in_all_functions(graph: Graph, xyz: list[Node]) -> None:
    """A pivot that rhs has as a sum of products is tested as such, also where its bracket would be cheaper."""
    x, y, z = xyz
    products = graph.mul(x, y), graph.mul(x, z)
    total, bracket = graph.add(*products), graph.mul(x, graph.add(y, z))
    quotient = graph.div(y, bracket)
    check = Check(quotient, graph.binary(Op.LT, graph.zero, bracket), "pivot", 0)
    made = program(graph, (*products, total, quotient), (quotient,), checks=(check,))
    verify(made)
    assert {one.condition for one in made.checks} == {graph.binary(Op.LT, graph.zero, total)}


def test_functions_that_are_left_out_stay_as_they_are(graph: Graph, xyz: list[Node]) -> None:
    """With their checks, also where others, whose equal values are joined, make the same."""
    x, y, z = xyz
    first, second = graph.add(x, graph.add(y, z)), graph.add(graph.add(x, y), z)
    quotient = graph.div(first, x)
    check = Check(quotient, graph.binary(Op.LT, graph.zero, x), "x", 0)
    made = (
        Function("rhs", "", (first, second), ("0", "1"), (2,)),
        Function("f", "", (second, quotient), ("0", "1"), (2,)),
    )
    states = tuple(Variable(symbol, symbol.name) for symbol in STATES)
    given = Program("m", "", KANE, graph, Symbol(Role.TIME, 0, "t"), states, (), (), made, (check,))
    without = join_equal(given, but=["f"])
    assert without.functions[1] == made[1]
    assert without.functions[0].outputs == (first, first)
    assert without.checks == (check,)
    assert join_equal(given, but=["rhs", "f"]) == given
