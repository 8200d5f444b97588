"""Recurrences along joints in a row: each repeat is what the graph says, and there are those that were put there."""

from __future__ import annotations

from itertools import pairwise

import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.ir.graph import Graph
from eomc.ir.ops import COMMUTATIVE, Op
from eomc.ir.program import Check
from eomc.ir.symbols import Role, Symbol
from eomc.passes import fusing, schedule
from eomc.passes.reached import Reached
from eomc.passes.recurrences import find_recurrences
from eomc.passes.repeats import Before, Common, Each, Own
from eomc.passes.spans import Spans
from eomc.trees import Joint, JointTree, Link


def states(graph, count, first=0):
    """Return the nodes of states."""
    return [graph.symbol(Symbol(Role.STATE, first + i, f"x{first + i}")) for i in range(count)]


def found(graph, checks=()):
    """Return the repeats of all nodes of a graph, after a look at each operand of each instance."""
    evaluated = [node for node in range(len(graph)) if graph.args[node]]
    repeats = find_recurrences(graph, evaluated, frozenset(), {check.node: check for check in checks})
    nodes = [node for repeat in repeats for node in repeat.nodes()]
    assert len(nodes) == len(set(nodes))
    done = {node for node in evaluated if node not in set(nodes)}  # straight lines: asked for their order below
    for repeat in repeats:
        assert len(repeat.instances) == repeat.count
        for k, statement in enumerate(repeat.statements):
            for j, node in enumerate(statement.nodes):
                assert graph.ops[node] is graph.ops[statement.nodes[0]]
                read = [value(repeat, operand, j, k) for operand in statement.operands]
                assert read == list(graph.args[node]) or (
                    graph.ops[node] in COMMUTATIVE and read[::-1] == list(graph.args[node])
                )
        assert all(node in done or not graph.args[node] for node in repeat.read())
        done.update(repeat.nodes())
    return repeats


def value(repeat, operand, instance, statement):
    """Return the node that an operand of an instance is."""
    if isinstance(operand, Common):
        return operand.node
    if isinstance(operand, Own):
        assert operand.statement < statement
        return repeat.statements[operand.statement].nodes[instance]
    if isinstance(operand, Before):
        return repeat.statements[operand.statement].nodes[instance - 1] if instance else operand.first
    assert isinstance(operand, Each)
    return operand.nodes[instance]


def outwards(graph, angles, speeds, first, *, other=False):
    """Add what goes out along joints: a turn and a sum, at every other joint perhaps another one."""
    made, value = [], first
    for k, (q, u) in enumerate(zip(angles, speeds, strict=True)):
        turned = graph.mul(graph.unary(Op.COS, q), value)
        value = graph.sub(turned, u) if other and k % 2 else graph.add(turned, u)
        made.append(value)
    return made


@pytest.mark.parametrize("other", [False, True])
def test_a_pass_is_one_loop(other):
    """A value that each joint makes of that before it; with two kinds of joints an instance has two of them."""
    g = Graph()
    made = outwards(g, states(g, 60), states(g, 60, 60), g.symbol(Symbol(Role.STATE, 200, "y")), other=other)
    (repeat,) = found(g)
    assert repeat.count >= (28 if other else 58)
    assert {len(repeat.statements)} == {6 if other else 3}
    assert sum(len(one.nodes) for one in repeat.statements) >= 3 * 56
    assert made[30] in set(repeat.nodes())


def test_a_pass_inwards_reads_that_outwards_by_its_index():
    """Two loops: the second reads what the first has left, from its end."""
    g = Graph()
    made = outwards(g, states(g, 60), states(g, 60, 60), g.symbol(Symbol(Role.STATE, 200, "y")))
    total = g.one
    for node in reversed(made):
        total = g.add(g.mul(total, node), node)
    first, second = found(g)
    left = {node for one in first.statements for node in one.nodes}
    each = [operand for one in second.statements for operand in one.operands if isinstance(operand, Each)]
    read = {node for operand in each for node in operand.nodes}
    assert len(read & left) >= second.count - 1
    assert second.count >= 56


def test_passes_in_one_direction_become_one_loop():
    """What a second pass reads of the first is then there in the same instance."""
    g = Graph()
    made = outwards(g, states(g, 60), states(g, 60, 60), g.symbol(Symbol(Role.STATE, 200, "y")))
    total = g.one
    for node in made:
        total = g.add(g.mul(total, node), g.unary(Op.SIN, node))
    (repeat,) = found(g)
    assert len(repeat.statements) == 6


def test_ends_that_differ_stay_straight_lines():
    """A joint of another kind in the row parts it in two."""
    g = Graph()
    y = g.symbol(Symbol(Role.STATE, 200, "y"))
    angles, speeds = states(g, 80), states(g, 80, 80)
    before = outwards(g, angles[:40], speeds[:40], y)
    odd = g.unary(Op.EXP, before[-1])
    outwards(g, angles[41:], speeds[41:], odd)
    repeats = found(g)
    assert [repeat.count >= 36 for repeat in repeats] == [True, True]
    assert odd not in {node for repeat in repeats for node in repeat.nodes()}


@pytest.mark.parametrize("period", [2, 3, 4])
def test_passes_of_different_periods_go_along(period):
    """One pass repeats itself with every joint, another after several: instances of its loop are as many joints."""
    g = Graph()
    angles = states(g, 60)
    turns = [(g.unary(Op.SIN, q), g.unary(Op.COS, q)) for q in angles]
    value = g.symbol(Symbol(Role.STATE, 200, "y"))
    for k, (sine, cosine) in enumerate(turns):
        value = g.add(g.mul(value, sine), cosine)
        if k % period == 0:
            value = g.mul(g.sub(value, sine), value)
    (repeat,) = found(g)
    assert len(repeat.statements) == 4 * period + 2
    assert repeat.count >= 60 // period - 3


def test_two_rows_after_each_other_are_two_loops():
    """What one pass does for both rows is parted where the row changes."""
    g = Graph()
    y = [g.symbol(Symbol(Role.STATE, 200 + k, f"y{k}")) for k in range(2)]
    made = [outwards(g, states(g, 40, 80 * k), states(g, 40, 80 * k + 40), y[k]) for k in range(2)]
    for node in (*made[0], *made[1]):
        g.unary(Op.EXP, node)
    repeats = found(g)
    assert [(one.count >= 36, len(one.statements)) for one in repeats] == [(True, 4), (True, 4)]


def test_numbers_may_differ_from_joint_to_joint():
    """They are one value for each instance."""
    g = Graph()
    value = g.symbol(Symbol(Role.STATE, 200, "y"))
    for k, q in enumerate(states(g, 60)):
        value = g.add(g.mul(value, g.constant(2.0 + k)), q)
    (repeat,) = found(g)
    each = [operand for one in repeat.statements for operand in one.operands if isinstance(operand, Each)]
    numbers = [[g.number(node) for node in one.nodes] for one in each if g.ops[one.nodes[0]] is Op.CONSTANT]
    assert [b - a for a, b in pairwise(numbers[0])] == [1.0] * (repeat.count - 1)


def test_a_check_is_in_the_instance_that_it_guards():
    """A pivot is asked before its inverse is taken; where the condition is not there the loop is none."""
    for apart in (False, True):
        g = Graph()
        least, value, checks = g.symbol(Symbol(Role.STATE, 200, "y")), g.one, []
        for k, q in enumerate(states(g, 60)):
            pivot = g.add(g.mul(value, q), q)
            inverse = g.div(g.one, pivot)
            asked = g.binary(
                Op.LT, g.unary(Op.EXP, q) if apart and k in (5, 6, 12, 20, 25, 27, 33, 41, 49, 56) else least, pivot
            )
            checks.append(Check(inverse, asked, f"joint {k}", k))
            value = inverse
        repeats = found(g, checks)
        inside = {node for repeat in repeats for node in repeat.nodes()}
        guarded = [check for check in checks if check.node in inside]
        assert all(check.condition in inside for check in guarded)
        assert (len(guarded) >= 56) is not apart


def test_nothing_is_found_where_nothing_repeats_itself():
    """A row of joints that are all different."""
    g = Graph()
    value = g.one
    ops = [Op.SIN, Op.COS, Op.EXP, Op.TANH, Op.SQRT]
    for k, q in enumerate(states(g, 60)):
        for digit in f"{k * k * 7919:b}":
            value = g.add(g.unary(ops[(k + int(digit)) % 5], value), q) if digit == "1" else g.mul(value, q)
    assert found(g) == []


def slopes(count):
    """Return what derivatives along a row look like: from each joint on a pass outwards, inwards, and outwards again.

    The second outwards may not be joined with the first: what goes inwards between them needs that as a whole. The
    third reads the second, and becomes one with it.
    """
    g = Graph()
    angles, speeds = states(g, count), states(g, count, count)
    for first in range(0, count - 10, 2):
        out = outwards(g, angles[first:], speeds[first:], g.symbol(Symbol(Role.STATE, 500 + first, "y")))
        value, inwards = out[-1], []
        for node in reversed(out):
            value = g.add(g.mul(value, node), node)
            inwards.append(value)
        value = further = g.symbol(Symbol(Role.STATE, 501 + first, "z"))
        for node, back in zip(out, reversed(inwards), strict=True):
            value = g.add(g.mul(value, back), node)
            further = g.sub(value, g.mul(further, value))
    return g


def test_joining_loops_takes_work_that_grows_with_the_pairs_and_what_each_needs(monkeypatch):
    """Nodes whose places are asked for: of twice the joints four times the pairs are tried, over twice the loops."""
    asked, of = [0], Spans.of

    def counted(self, node):
        asked[-1] += 1
        return of(self, node)

    monkeypatch.setattr(Spans, "of", counted)
    for count in (60, 120):
        assert found(slopes(count))
        asked.append(0)
    assert 1000 < asked[0] <= 40_000
    assert asked[1] <= 8 * asked[0]


def test_what_is_kept_between_joins_changes_no_loop(monkeypatch):
    """The Jacobian of twenty joints in a row is the same where all is looked at anew for every two loops."""
    links, joints = [Link(name="ground")], []
    for k in range(20):
        links.append(
            Link(name=f"l{k}", mass=1.0 + k % 3, centre=(0.25, 0, 0), inertia=((2, 0, 0), (0, 3, 0), (0, 0, 4)))
        )
        own = {"coordinates": [dynamicsymbols(f"q{k}")], "speeds": [dynamicsymbols(f"u{k}")], "offset": (0.5, 0, 0)}
        axis = (1, 0, 0) if k % 2 else (0, 0, 1)
        joints.append(Joint(name=f"j{k}", kind="revolute", parent=links[k].name, child=f"l{k}", axis=axis, **own))
    model = eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81)), name="row")
    monkeypatch.setattr(schedule, "LONG", 20)
    kept = eomc.compile(model, functions=["jacobian"])
    monkeypatch.setattr(fusing.Fusing, "_is_told", lambda *_: False)
    monkeypatch.setattr(Reached, "replaced", lambda self, *_: self.__init__(kept.program.graph, self._spans))
    anew = eomc.compile(model, functions=["jacobian"])
    assert [one.text for one in kept.artifacts] == [one.text for one in anew.artifacts]
    assert any(routine.repeats for routine in kept.schedule.routines)
