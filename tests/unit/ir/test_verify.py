"""The verifier: each rule of the graph's contract, broken once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import pytest

from eomc.derivation.methods.kane import KANE
from eomc.errors import VerificationError
from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.ir.verify import verify

TIME, X, Y = Symbol(Role.TIME, 0, "t"), Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y")
P = Symbol(Role.PARAMETER, 0, "p")


@pytest.fixture
def program() -> Program:
    """Return a sound program: x' = the first entry of a solution, y' = a guarded quotient."""
    graph = Graph()
    x, y, p = graph.symbol(X), graph.symbol(Y), graph.symbol(P)
    solution = graph.solve(Factorization.LDLT, [[p, x], [x, y]], [[y], [x]], ["a", "b"])
    inverse = graph.div(graph.one, x)
    branch = graph.select(graph.binary(Op.LT, x, y), graph.powi(inverse, 3), solution[0][0])
    function = Function("rhs", "dx/dt", (solution[1][0], branch), ("x", "y"), (2,), (Block("b", (("z", inverse),)),))
    return Program(
        name="m",
        description="",
        method=KANE,
        graph=graph,
        time=TIME,
        states=(Variable(X, "x"), Variable(Y, "y")),
        inputs=(),
        parameters=(Variable(P, "p"),),
        functions=(function,),
        checks=(Check(inverse, graph.binary(Op.LT, graph.zero, x), "a", 0),),
    )


def first(graph: Graph, op: Op) -> int:
    return graph.ops.index(op)


def test_a_sound_program_passes(program: Program) -> None:
    """Nothing is wrong with it, however often one looks."""
    verify(program)
    verify(program)


def test_scaffolding_outside_the_functions_is_nobodys_business(program: Program) -> None:
    """Placeholders may stay in the graph where no function needs them."""
    program.graph.unary(Op.SIN, program.graph.symbol(Symbol(Role.PLACEHOLDER, 0, "u_dot")))
    verify(program)


def placeholder(g: Graph) -> None:
    g.data[first(g, Op.SYMBOL)] = Symbol(Role.PLACEHOLDER, 0, "u_dot")


def undeclared(g: Graph) -> None:
    g.data[first(g, Op.SYMBOL)] = Symbol(Role.STATE, 7, "w")


def forward_reference(g: Graph) -> None:
    node = first(g, Op.DIV)
    g.args[node] = (g.args[node][0], node + 1)


def own_argument(g: Graph) -> None:
    node = first(g, Op.POWI)
    g.args[node] = (node,)


def too_many(g: Graph) -> None:
    g.args[first(g, Op.DIV)] *= 2


def real_condition(g: Graph) -> None:
    node = first(g, Op.SELECT)
    g.args[node] = (g.one, *g.args[node][1:])


def boolean_operand(g: Graph) -> None:
    node = first(g, Op.SELECT)
    g.args[node] = (g.args[node][0], g.args[node][0], g.args[node][2])


def result_of_a_real(g: Graph) -> None:
    g.args[first(g, Op.RESULT)] = (g.one,)


def result_out_of_range(g: Graph) -> None:
    for node, op in enumerate(g.ops):
        if op is Op.RESULT:
            g.data[node] = 2


def short_system(g: Graph) -> None:
    node = first(g, Op.SOLVE)
    g.args[node] = g.args[node][:-1]


def unlabelled_system(g: Graph) -> None:
    node = first(g, Op.SOLVE)
    g.data[node] = dataclasses.replace(g.data[node], labels=("a",))


def shapeless_system(g: Graph) -> None:
    g.data[first(g, Op.SOLVE)] = None


def exponent_of_one(g: Graph) -> None:
    g.data[first(g, Op.POWI)] = 1


def boolean_exponent(g: Graph) -> None:
    g.data[first(g, Op.POWI)] = True


def stray_data(g: Graph) -> None:
    g.data[first(g, Op.DIV)] = 3


def text_constant(g: Graph) -> None:
    g.data[g.one] = "1"


def infinite_constant(g: Graph) -> None:
    g.data[g.one] = math.inf


def wrong_level(g: Graph) -> None:
    g.level[first(g, Op.POWI)] = 0


def lost_symbols(g: Graph) -> None:
    g.holds[first(g, Op.POWI)] = 0


def parameter_that_varies(g: Graph) -> None:
    g.level[g.data.index(P)] = 2


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (placeholder, "placeholder 'u_dot'"),
        (undeclared, "does not declare"),
        (forward_reference, "does not precede"),
        (own_argument, "does not precede"),
        (too_many, "has 4 arguments, not 2"),
        (real_condition, "cannot take a leaf value as argument 0"),
        (boolean_operand, "cannot take a boolean value as argument 1"),
        (result_of_a_real, "which is no linear system"),
        (result_out_of_range, "reads entry 2 of a solution with 2"),
        (short_system, "arguments, not 3"),
        (unlabelled_system, "1 labels"),
        (shapeless_system, "shape of the system|no linear system"),
        (exponent_of_one, "exponent 1"),
        (boolean_exponent, "exponent True"),
        (stray_data, "carries data 3"),
        (text_constant, "which is no number"),
        (infinite_constant, "not finite"),
        (wrong_level, "level 0"),
        (lost_symbols, "does not hold the symbols"),
        (parameter_that_varies, "parameter of level 2"),
    ],
)
def test_damage_in_the_graph_is_found(program: Program, damage: Callable[[Graph], None], message: str) -> None:
    """The message says which rule is broken, in which program, at which node."""
    damage(program.graph)
    with pytest.raises(VerificationError, match=message) as caught:
        verify(program)
    assert "program 'm': node" in str(caught.value)


def function_change(program: Program, **changes: Any) -> Program:
    return dataclasses.replace(program, functions=(dataclasses.replace(program.functions[0], **changes),))


def check_change(program: Program, **changes: Any) -> Program:
    return dataclasses.replace(program, checks=(dataclasses.replace(program.checks[0], **changes),))


def second_condition(program: Program) -> Check:
    """Return the first check with the opposite condition, under its number."""
    return dataclasses.replace(program.checks[0], condition=program.graph.negate(program.checks[0].condition))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: function_change(p, shape=(3,)), r"shape \(3,\) and 2 outputs"),
        (lambda p: function_change(p, output_names=("x",)), "1 names for 2 outputs"),
        (lambda p: function_change(p, name="energy"), "the first function is 'energy'"),
        (lambda p: function_change(p, outputs=(0, 10**6)), "not in the graph"),
        (lambda p: function_change(p, outputs=(0, -1)), "not in the graph"),
        (lambda p: function_change(p, outputs=(0, first(p.graph, Op.LT))), "not a real number"),
        (lambda p: function_change(p, outputs=(0, first(p.graph, Op.SOLVE))), "not a real number"),
        (lambda p: function_change(p, blocks=(Block("b", (("z", first(p.graph, Op.LT)),)),)), "not a real number"),
        (lambda p: dataclasses.replace(p, functions=p.functions * 2), "not told apart"),
        (lambda p: check_change(p, node=10**6), "not in the graph"),
        (lambda p: check_change(p, condition=10**6), "not in the graph"),
        (lambda p: check_change(p, condition=p.graph.one), "no truth value"),
        (lambda p: check_change(p, index=-1), "negative or taken"),
        (lambda p: dataclasses.replace(p, checks=p.checks * 2), "negative or taken"),
        (lambda p: dataclasses.replace(p, checks=(*p.checks, second_condition(p))), "negative or taken"),
        (lambda p: dataclasses.replace(p, states=p.states[::-1]), "state 0 is"),
        (lambda p: dataclasses.replace(p, parameters=(Variable(X, "x"),)), "parameter 0 is"),
        (lambda p: dataclasses.replace(p, time=P), "time is a symbol of role parameter"),
    ],
)
def test_damage_around_the_graph_is_found(program: Program, change: Callable[[Program], Program], message: str) -> None:
    """Functions, checks and declarations have their rules too."""
    with pytest.raises(VerificationError, match=message):
        verify(change(program))


def test_damage_below_a_check_is_found(program: Program) -> None:
    """What only the condition of a needed check reads is verified as well."""
    graph = program.graph
    hidden = graph.symbol(Symbol(Role.PLACEHOLDER, 3, "hidden"))
    changed = check_change(program, condition=graph.binary(Op.LT, hidden, graph.one))
    with pytest.raises(VerificationError, match="hidden"):
        verify(changed)


def test_long_chains_take_linear_time(program: Program) -> None:
    """A hundred thousand nodes in one chain need no recursion."""
    graph = program.graph
    node = graph.symbol(X)
    for _ in range(100_000):
        node = graph.unary(Op.SIN, node)
    verify(function_change(program, outputs=(node, node)))
