"""Loops over lanes: arithmetic apart, everything known before it is read, nothing handed out before its checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import eomc
from eomc.backends.c99.kernels import count_system
from eomc.derivation.methods.kane import KANE
from eomc.errors import VerificationError
from eomc.frontends.loading import shipped_models
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check, Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.verify import verify
from eomc.passes import schedule as scheduling
from eomc.passes.steps import Compute, LaneLoop, LaneRoutine, Output, Schedule


def schedule(program: Program, **options: Any) -> Schedule:
    """Return the schedule of a program, its linear systems counted as the kernels in C take them."""
    return scheduling.schedule(program, count_system, **options)


ARITHMETIC = {Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.ABS, Op.CONSTANT, Op.SYMBOL}


def program(rates: list[Node], graph: Graph, checks: tuple[Check, ...] = ()) -> Program:
    """Return a program whose states have these rates."""
    states = tuple(Variable(Symbol(Role.STATE, i, f"x{i}"), f"x{i}", "", "", 0.0) for i in range(len(rates)))
    names = tuple(state.name for state in states)
    rhs = Function("rhs", "Rates.", tuple(rates), names, (len(rates),))
    time = Symbol(Role.TIME, 0, "t")
    return Program("model", "", KANE, graph, time, states, (), (), (rhs,), checks, further=("rhs_lanes",))


def state(graph: Graph, index: int) -> Node:
    """Return a state."""
    return graph.symbol(Symbol(Role.STATE, index, f"x{index}"))


def written(graph: Graph, loop: LaneLoop, named: set[Node], places: set[Node]) -> Iterator[Node]:
    """Yield the nodes that are evaluated in a loop, those without a name among them."""
    for step in loop.steps:
        roots: list[Node] = []
        if isinstance(step, Compute):
            yield step.node
            roots = list(graph.args[step.node])
        elif isinstance(step, Check):
            roots = [step.condition]
        elif isinstance(step, Output):
            roots = [step.node]
        while roots:
            node = roots.pop()
            if node not in named and node not in places:
                yield node
                roots += graph.args[node]


def read(graph: Graph, step: object, named: set[Node]) -> set[Node]:
    """Return the named nodes that a step reads."""
    stack = (
        list(graph.args[step.node]) if isinstance(step, Compute)
        else [step.condition] if isinstance(step, Check)
        else [step.node] if isinstance(step, Output)
        else []
    )  # fmt: skip
    found = set()
    while stack:
        node = stack.pop()
        if node in named:
            found.add(node)
        else:
            stack += graph.args[node]
    return found


def verify_layout(plan: LaneRoutine, graph: Graph, places: set[Node]) -> None:
    """Hold the loops to what they promise."""
    named = set(plan.temporaries)
    known: dict[Node, int] = {}
    handed_out, tested = [], False
    for number, loop in enumerate(plan.loops):
        if loop.arithmetic:
            assert {graph.ops[node] for node in written(graph, loop, named, places)} <= ARITHMETIC
        for step in loop.steps:
            for node in read(graph, step, named):
                assert known[node] == number or node in plan.kept
            if isinstance(step, Compute):
                assert step.node not in known
                known[step.node] = number
            elif isinstance(step, Check):
                assert not handed_out
                tested = True
            elif isinstance(step, Output):
                assert not tested or not any(isinstance(other, Check) for other in loop.steps)
                handed_out.append(step.index)
    assert handed_out == list(range(len(plan.function.outputs)))
    assert known.keys() == named


def test_the_loops_of_all_shipped_models() -> None:
    """Native forms: arithmetic alone where it is said so, no value before its time, checks before results."""
    together = 0
    for name in shipped_models():
        plan = eomc.compile(eomc.load(name), functions=["rhs_lanes"], stabilization="none").schedule
        (lanes,) = plan.lanes
        if lanes.loops:
            verify_layout(lanes, plan.program.graph, {place.node for place in plan.constants})
            together += 1
        else:
            (rhs,) = plan.routines
            assert rhs.systems or len(rhs.chunks) > 1
    assert together > 15


def test_arithmetic_is_gathered_in_one_loop() -> None:
    """Ten sines and long arithmetic of them: two loops, whatever the order in which they were met."""
    g = Graph()
    angles = [state(g, k) for k in range(10)]
    rates, total = [], g.one
    for angle in angles:
        total = g.add(g.mul(total, angle), g.unary(Op.SIN, angle))
        rates.append(total)
    plan = schedule(program(rates, g))
    (lanes,) = plan.lanes
    verify_layout(lanes, g, set())
    assert [loop.arithmetic for loop in lanes.loops] == [False, True]
    assert len(lanes.kept) == 10


def test_a_little_arithmetic_needs_no_loop() -> None:
    """The argument of a sine goes with the sine; long arithmetic before it has a loop of its own."""
    g = Graph()
    x, y = state(g, 0), state(g, 1)
    few = g.unary(Op.SIN, g.mul(g.add(x, y), g.add(x, g.constant(2))))
    value = x
    for k in range(12):
        value = g.add(g.mul(value, y), g.constant(Fraction(k + 1, 7)))
    many = g.unary(Op.EXP, value)
    for rate, expected in ((few, [False, True]), (many, [True, False, True])):
        (lanes,) = schedule(program([rate, g.mul(rate, x)], g)).lanes
        verify_layout(lanes, g, set())
        assert [loop.arithmetic for loop in lanes.loops] == expected


def test_functions_without_branches_are_arithmetic() -> None:
    """They stand in its loop; where one has a range, results wait in a loop of their own until all are in it."""
    g = Graph()
    x, y = state(g, 0), state(g, 1)
    turned, whole = (g.mul(g.unary(op, g.mul(x, y)), y) for op in (Op.SIN, Op.FLOOR))
    vectors = {Op.SIN: True, Op.FLOOR: False}
    for rate, leaves, loops in ((turned, True, 2), (whole, False, 1), (g.unary(Op.EXP, whole), False, 3)):
        (lanes,) = schedule(program([rate, g.mul(rate, x)], g), vectors=vectors).lanes
        assert (lanes.leaves, len(lanes.loops)) == (leaves, loops)
        assert lanes.loops[0].arithmetic
        assert not leaves or all(isinstance(step, Output) for step in lanes.loops[-1].steps)


def test_long_functions_stand_first_those_of_one_argument_in_a_loop() -> None:
    """With what the argument takes; a little that remains goes with the last of them, square roots are arithmetic."""
    g = Graph()
    x, y = state(g, 0), state(g, 1)
    both = g.add(x, y)
    turns = [g.unary(op, angle) for angle in (both, x) for op in (Op.SIN, Op.COS)]
    total = turns[0]
    for k, turn in enumerate(turns):
        total = g.add(g.mul(total, turn), g.unary(Op.SQRT, g.add(total, g.constant(k + 2))))
    vectors = {Op.SIN: True, Op.COS: True, Op.SQRT: False}
    whole = replace(program([g.mul(total, y), total], g), further=("step_lanes",))
    (lanes,) = schedule(whole, vectors=vectors).stages
    assert [loop.functions for loop in lanes.loops] == [True, True, False]
    named = [{step.node for step in loop.steps if isinstance(step, Compute)} for loop in lanes.loops]
    assert {frozenset(nodes.intersection(turns)) for nodes in named[:2]} == {frozenset(turns[:2]), frozenset(turns[2:])}
    few = replace(program([turns[0], g.mul(turns[2], y)], g), further=("step_lanes",))
    (lanes,) = schedule(few, vectors=vectors).stages
    assert [loop.functions for loop in lanes.loops] == [True, False]


def test_what_a_step_calls_waits_for_no_check() -> None:
    """Comparisons of checks, and the larger of two numbers, stand among its arithmetic: one loop, and nothing waits."""
    g = Graph()
    x, y = state(g, 0), state(g, 1)
    size = g.select(g.binary(Op.LT, x, y), y, x)
    rate = g.div(y, x)
    checks = (Check(rate, g.binary(Op.LT, size, g.mul(x, y)), "x", 0),)
    whole = replace(program([rate, g.unary(Op.SIN, y)], g, checks), further=("step_lanes",))
    (lanes,) = schedule(whole, vectors={Op.SIN: True}).stages
    assert [loop.arithmetic for loop in lanes.loops] == [True]
    assert lanes.kept == ()


def test_large_powers_are_calls() -> None:
    """x^16 is a product, x^17 a call of pow: it does not stand among arithmetic."""
    g = Graph()
    x = state(g, 0)
    for exponent, expected in ((16, [True]), (17, [False, True])):
        (lanes,) = schedule(program([g.powi(x, exponent)], g)).lanes
        assert [loop.arithmetic for loop in lanes.loops] == expected


def test_long_functions_go_lane_by_lane() -> None:
    """What one C function does not hold is no loop: each lane calls the function of one state."""
    g = Graph()
    value = state(g, 0)
    for k in range(60):
        value = g.add(g.mul(value, value), g.constant(k + 1))
    plan = schedule(program([value], g), chunk=50)
    assert len(plan.routines[0].chunks) > 1
    assert plan.lanes[0].loops == ()


def test_only_functions_of_one_array_stand_side_by_side() -> None:
    """The verifier refuses a name that is no function, or one of matrices."""
    g = Graph()
    good = program([g.one], g)
    verify(good)
    with pytest.raises(VerificationError, match="'energy' is wanted side by side"):
        verify(replace(good, further=("energy_lanes",)))
