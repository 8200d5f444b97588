"""Laws of schedules, over random programs and small ones made by hand."""

from __future__ import annotations

import dataclasses
import random

import pytest

from eomc.backends.c99.kernels import count_system
from eomc.derivation.methods.kane import KANE
from eomc.errors import VerificationError
from eomc.ir.graph import Graph, Level
from eomc.ir.operations import OperationCounts
from eomc.ir.ops import Op
from eomc.ir.program import Block, Check, Function, Program, Variable
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.passes import schedule as scheduling
from eomc.passes import sharing
from eomc.passes.count import count_operations
from eomc.passes.inline import DEEPEST, LONGEST
from eomc.passes.steps import Clear, ClearOutputs, Compute, Fill, Heading, Output, Solve


def schedule(program, **options):
    """Return the schedule of a program, its linear systems counted as the kernels in C take them."""
    return scheduling.schedule(program, count_system, **options)


class Maker:
    """A graph with states q0.., inputs r0, parameters p0.. and what is to be computed."""

    def __init__(self, states=3, parameters=3):
        self.g = Graph()
        self.symbols = {
            role: [Symbol(role, i, f"{letter}{i}") for i in range(number)]
            for role, letter, number in (
                (Role.STATE, "q", states),
                (Role.PARAMETER, "p", parameters),
                (Role.INPUT, "r", 1),
            )
        }
        self.q = [self.g.symbol(s) for s in self.symbols[Role.STATE]]
        self.p = [self.g.symbol(s) for s in self.symbols[Role.PARAMETER]]
        self.r = [self.g.symbol(s) for s in self.symbols[Role.INPUT]]

    def program(self, *outputs, blocks=(), checks=(), functions=()):
        def variables(role):
            return tuple(Variable(s, s.name) for s in self.symbols[role])

        rhs = Function("rhs", "", tuple(outputs), (), (len(outputs),), tuple(blocks))
        return Program(
            "m", "", KANE, self.g, Symbol(Role.TIME, 0, "t"), variables(Role.STATE), variables(Role.INPUT),
            variables(Role.PARAMETER), (rhs, *functions), tuple(checks),
        )  # fmt: skip


def steps(routine):
    return [step for chunk in routine.chunks for step in chunk.steps]


def computed(routine):
    return [step.node for step in steps(routine) if isinstance(step, Compute)]


def constants(plan):
    return [place.node for place in plan.constants]


# -- hoisting ----------------------------------------------------------------------------------------------------------


def test_largest_parameter_expressions_are_hoisted():
    """What depends on parameters alone is one constant, and its parts are not."""
    m = Maker()
    inner = m.g.mul(m.p[0], m.p[1])
    outer = m.g.add(inner, m.p[2])
    plan = schedule(m.program(m.g.mul(outer, m.q[0])))
    assert constants(plan) == [outer]
    assert plan.prepare.counts == OperationCounts(additions=1, multiplications=1)
    assert plan.routines[0].counts == OperationCounts(multiplications=1)


def test_sign_and_number_are_not_hoisted():
    """A changed sign or a number gets no place; the parameter below the sign does."""
    m = Maker()
    f = m.g.select(m.g.binary(Op.LT, m.q[0], m.q[1]), m.g.neg(m.p[0]), m.g.constant(3))
    assert constants(schedule(m.program(f))) == [m.p[0]]


def test_constant_shared_between_functions_has_one_place():
    """Two functions that need the same constant read the same place."""
    m = Maker()
    c = m.g.mul(m.p[0], m.p[1])
    second = Function("energy", "", (m.g.mul(c, m.q[1]),), (), (1,))
    plan = schedule(m.program(m.g.mul(c, m.q[0]), functions=(second,)))
    assert constants(plan) == [c]


def test_output_of_parameters_alone_is_a_constant():
    """An output that no state enters is computed once."""
    m = Maker()
    f = m.g.unary(Op.SQRT, m.p[0])
    plan = schedule(m.program(f))
    assert constants(plan) == [f]
    assert plan.routines[0].counts.total == 0


def test_parameter_conditions_stay_at_run_time():
    """A truth value is no number to be kept: its operands are, and it is evaluated where it is used."""
    m = Maker()
    f = m.g.select(m.g.binary(Op.LT, m.p[0], m.p[1]), m.q[0], m.q[1])
    assert constants(schedule(m.program(f))) == [m.p[0], m.p[1]]


# -- order and names ---------------------------------------------------------------------------------------------------


def test_only_live_nodes_are_computed():
    """A block's entry that no output needs leaves no trace, nor does its heading."""
    m = Maker()
    dead = m.g.mul(m.q[0], m.q[1])
    live = m.g.add(m.q[0], m.q[1])
    plan = schedule(m.program(m.g.powi(live, 2), blocks=(Block("dead", (("d", dead),)), Block("live", (("l", live),)))))
    assert computed(plan.routines[0]) == [live]
    assert [step.title for step in steps(plan.routines[0]) if isinstance(step, Heading)] == ["live"]


def test_blocks_come_in_order_under_their_titles():
    """What is needed first for a block stands below its title."""
    m = Maker()
    a = m.g.unary(Op.SIN, m.q[0])
    b = m.g.mul(a, m.q[1])
    c = m.g.add(b, a)
    plan = schedule(m.program(c, b, a, blocks=(Block("first", (("b", b),)), Block("second", (("c", c), ("b", b))))))
    shown = [step.title if isinstance(step, Heading) else step.node for step in steps(plan.routines[0])]
    assert shown[:3] == ["first", a, b]


def test_sine_and_cosine_are_neighbours():
    """The cosine follows the sine of the same angle, wherever it is needed."""
    m = Maker()
    s, c = m.g.unary(Op.SIN, m.q[0]), m.g.unary(Op.COS, m.q[0])
    between = m.g.unary(Op.EXP, m.g.mul(s, m.q[1]))
    plan = schedule(m.program(m.g.mul(between, between), m.g.mul(c, m.q[2])))
    order = computed(plan.routines[0])
    assert order.index(c) == order.index(s) + 1


def test_used_once_is_written_in_place():
    """A value that is used once and is short has no name."""
    m = Maker()
    plan = schedule(m.program(m.g.add(m.g.mul(m.q[0], m.q[1]), m.q[2])))
    assert computed(plan.routines[0]) == []


def test_long_chain_is_broken():
    """Ten thousand nested operations: every expression stays short, nothing recurses."""
    m = Maker()
    node = m.q[0]
    for i in range(10_000):
        node = m.g.unary(Op.SIN, m.g.add(node, m.q[i % 3]))
    plan = schedule(m.program(node))
    check_shape(m.g, plan, plan.routines[0])


# -- chunks ------------------------------------------------------------------------------------------------------------


def random_program(seed, size=3000, guards=True):
    rng = random.Random(seed)
    m = Maker(states=5, parameters=4)
    g = m.g
    nodes = [*m.q, *m.p, *m.r]
    checks = []
    for _ in range(size):
        a, b = rng.choice(nodes[-80:]), rng.choice(nodes[-200:])
        op = rng.choice([Op.ADD, Op.MUL, Op.SUB, Op.SIN, Op.COS, Op.MAX, Op.SELECT, Op.DIV])
        before = len(g)
        if op in (Op.SIN, Op.COS):
            node = g.unary(op, a)
        elif op is Op.SELECT:
            node = g.select(g.binary(Op.LT, a, b), b, a)
        elif g.is_zero(b) and op is Op.DIV:
            continue
        else:
            node = g.binary(op, a, b)
        if op is Op.DIV and guards and node >= before and g.level[b] > Level.CONSTANT:
            checks.append(
                Check(node, g.binary(Op.LT, g.constant(0), g.unary(Op.ABS, b)), f"c{len(checks)}", len(checks))
            )
        nodes.append(node)
    blocks = [
        Block("b", tuple(("x" if i % 9 == 0 else "", n) for i, n in enumerate(nodes[k : k + 40])))
        for k in range(0, size, 40)
    ]
    return m.program(*nodes[-5:], blocks=blocks, checks=checks)


def check_shape(g, plan, routine):
    """Walk a routine as a machine would: everything is known before it is read, nothing is too deep."""
    given = set(constants(plan)) if routine is not plan.prepare else set()
    waiting = {}
    known_anywhere = set()
    for owner, chunk in [(one, chunk) for one in (*routine.before, routine) for chunk in one.chunks]:
        temporaries = set(owner.temporaries)
        known = set()
        for passed in chunk.loads:
            assert waiting[passed.place] == passed.node
            known.add(passed.node)
        for step in chunk.steps:
            if isinstance(step, Compute):
                roots = list(g.args[step.node]) if g.ops[step.node] is not Op.RESULT else []
            elif isinstance(step, Check):
                roots = [step.condition]
            elif isinstance(step, (Fill, Output)):
                roots = [step.node]
            else:
                continue
            leaves = 0
            stack = [(root, 1) for root in roots]
            while stack:
                node, depth = stack.pop()
                assert depth <= 2 * DEEPEST + LONGEST
                if node in temporaries and node not in given:
                    assert node in known
                elif node not in given and g.ops[node] not in (Op.CONSTANT, Op.SYMBOL, Op.RESULT):
                    stack.extend((arg, depth + 1) for arg in g.args[node])
                    continue
                elif node in given or g.ops[node] is Op.SYMBOL:
                    assert node in chunk.leaves
                leaves += 1
            assert leaves <= 3 * LONGEST
            if isinstance(step, Compute):
                assert step.node not in known_anywhere or not sharing.is_passed(g, step.node)
                known.add(step.node)
                known_anywhere.add(step.node)
        # a chunk writes when a value is known, and reads when it is needed
        assert {one.place for one in chunk.loads}.isdisjoint(one.place for one in chunk.stores)
        for passed in chunk.stores:
            assert passed.node in known
            waiting[passed.place] = passed.node
    assert len(waiting) <= routine.passed
    kinds = [type(step) for step in steps(routine)]
    handed_out = [step.index for step in steps(routine) if isinstance(step, Output)]
    if routine is plan.prepare:  # constants do not wait
        assert sorted(handed_out) == list(range(len(routine.function.outputs)))
        return
    assert handed_out == list(range(len(routine.function.outputs)))
    assert set(kinds[len(kinds) - len(handed_out) :]) <= {Output}


@pytest.mark.parametrize("seed", range(6))
def test_chunks_pass_on_exactly_what_lives(seed):
    """Every value is computed once, before it is read, and loaded from where it was left; outputs come last."""
    program = random_program(seed)
    plan = schedule(program, chunk=150)
    for routine in (plan.prepare, *plan.routines):
        check_shape(program.graph, plan, routine)
    assert len(plan.routines[0].chunks) > 3


def test_chunks_are_of_like_size():
    """No chunk is much longer than the limit."""
    program = random_program(7, size=6000, guards=False)
    plan = schedule(program, chunk=200)
    chunks = plan.routines[0].chunks
    sizes = [sum(isinstance(step, Compute) for step in chunk.steps) for chunk in chunks]
    assert max(sizes) <= 1.5 * 200
    assert min(sizes) > 0


def shift(m, count, by):
    """Return a program whose rates are the states further on, and parameters for the last of them."""
    rates = [*m.q[by:count], *m.p[:by]]
    matrix = [m.p[0] if i == j else m.g.zero for i in range(count) for j in range(count)]
    return m.program(*rates, functions=(Function("matrix", "", tuple(matrix), (), (count, count)),))


def test_many_results_are_handed_out_by_several_functions():
    """No function hands out more than a quarter of a chunk, in the order of the results; constants as rates."""
    m = Maker(states=300, parameters=200)
    plan = schedule(shift(m, 300, 150), chunk=200)
    for routine in (plan.prepare, plan.routines[0]):
        counts = [sum(isinstance(step, Output) for step in chunk.steps) for chunk in routine.chunks]
        assert max(counts) <= 50
        assert [s.index for s in steps(routine) if isinstance(s, Output)] == list(range(len(routine.function.outputs)))


def test_what_a_result_overwrites_is_read_before():
    """Rates that are earlier states are handed out in one function, which loads them all first."""
    m = Maker(states=300)
    forward, backward = (schedule(m.program(*order), chunk=200).routines[0] for order in (m.q, m.q[::-1]))
    assert len(forward.chunks) == 6
    assert len(backward.chunks) == 1


@pytest.mark.parametrize(("size", "cleared"), [(4, False), (30, True)])
def test_zeros_of_a_matrix_are_put_there_at_once(size, cleared):
    """n statements, not n^2, for a diagonal; a small matrix is written entry by entry."""
    m = Maker(states=size)
    routine = schedule(shift(m, size, 2)).routines[1]
    outputs = [step.index for step in steps(routine) if isinstance(step, Output)]
    everything = list(range(size * size))
    assert [s for s in steps(routine) if isinstance(s, ClearOutputs)] == [ClearOutputs(0, size * size)] * cleared
    assert outputs == (everything[:: size + 1] if cleared else everything)


def test_small_function_is_one_chunk():
    """Below the limit nothing is passed on."""
    m = Maker()
    plan = schedule(m.program(m.g.unary(Op.SIN, m.q[0])))
    assert len(plan.routines[0].chunks) == 1
    assert plan.routines[0].passed == 0


@pytest.mark.parametrize("seed", range(6))
def test_short_function_is_what_cutting_makes_of_it(seed, monkeypatch):
    """A function that is known to be short is not looked at as closely, with the same result."""
    program = random_program(seed, size=300)
    short = schedule(program)
    monkeypatch.setattr("eomc.passes.routine._is_short", lambda *_: False)
    assert schedule(program) == short
    assert len(short.routines[0].chunks) == 1


# -- checks and systems ------------------------------------------------------------------------------------------------


def test_check_comes_before_its_division():
    """The condition is tested before the quotient is computed, and only where the quotient is needed."""
    m = Maker()
    q = m.g.div(m.q[0], m.q[1])
    check = Check(q, m.g.binary(Op.LT, m.g.constant(0), m.g.unary(Op.ABS, m.q[1])), "q1", 0)
    other = Function("energy", "", (m.q[0],), (), (1,))
    plan = schedule(m.program(m.g.mul(q, q), checks=(check,), functions=(other,)))
    kinds = [type(step) for step in steps(plan.routines[0])]
    assert kinds == [Check, Compute, Output]
    assert plan.routines[0].fallible
    assert not plan.routines[1].fallible


def test_check_comes_before_the_innermost_of_nested_divisions():
    """One test serves all that divide by a pivot, and stands before the first of them to be evaluated."""
    m = Maker()
    g = m.g
    pivot = g.sub(m.q[1], m.q[2])
    inner = g.div(m.q[0], pivot)
    outer = g.div(g.unary(Op.SIN, inner), pivot)
    condition = g.binary(Op.LT, g.constant(0), g.unary(Op.ABS, pivot))
    checks = [Check(node, condition, "q1", 0) for node in (inner, outer)]
    made = steps(schedule(m.program(outer, inner, checks=checks)).routines[0])
    (test,) = [k for k, step in enumerate(made) if isinstance(step, Check)]
    divisions = [k for k, step in enumerate(made) if getattr(step, "node", None) in (inner, outer)]
    assert len(divisions) > 1
    assert all(test < k for k in divisions if k != test)


def test_check_on_parameters_is_made_once():
    """A condition of parameters is tested by `_prepare`, even where the division itself is not done there."""
    m = Maker()
    mass = m.g.mul(m.p[0], m.p[1])
    q = m.g.div(m.q[0], mass)
    check = Check(q, m.g.binary(Op.LT, m.g.constant(0), mass), "q0", 3)
    plan = schedule(m.program(q, checks=(check,)))
    assert [step.index for step in steps(plan.prepare) if isinstance(step, Check)] == [3]
    assert not plan.routines[0].fallible
    assert plan.check_labels == ("", "", "", "q0")


def test_check_in_a_circle_is_a_defect():
    """A condition that needs what it guards cannot be scheduled."""
    m = Maker()
    node = m.g.mul(m.q[0], m.q[1])
    check = Check(node, m.g.binary(Op.LT, m.g.constant(0), node), "q", 0)
    with pytest.raises(VerificationError, match="circle"):
        schedule(m.program(m.g.mul(node, node), checks=(check,)))


def test_condition_that_needs_what_it_guards_is_a_defect():
    """It is one as well where another node, evaluated first, is guarded by the same condition."""
    m = Maker()
    quotient = m.g.div(m.q[0], m.q[1])
    condition = m.g.binary(Op.LT, m.g.constant(0), quotient)
    checks = [Check(node, condition, "q", 0) for node in (quotient, m.g.unary(Op.SIN, m.q[2]))]
    with pytest.raises(VerificationError, match="circle"):
        schedule(m.program(m.g.unary(Op.SIN, m.q[2]), quotient, checks=checks))


def test_system_is_filled_before_it_is_solved():
    """Every argument has its place before the kernel is called; labels number its failures."""
    m = Maker()
    g = m.g
    matrix = [[g.add(m.q[0], g.constant(2)), m.q[1]], [m.q[1], g.add(m.q[2], g.constant(3))]]
    right = [[m.q[0]], [g.mul(m.q[0], m.q[1])]]
    x = g.solve(Factorization.LDLT, matrix, right, ["a", "b"])
    y = g.solve(Factorization.LU, [[x[0][0]]], [[x[1][0]]], ["c"])
    plan = schedule(m.program(g.mul(y[0][0], y[0][0]), x[0][0]))
    routine = plan.routines[0]
    filled = {0: 0, 1: 0}
    for step in steps(routine):
        if isinstance(step, Fill):
            filled[step.system] += 1
        if isinstance(step, Solve):
            size = len(g.args[routine.systems[step.system].node])
            assert filled[step.system] == size
    assert filled == {0: 7, 1: 3}  # matrix, its sizes, right side
    assert plan.check_labels == ("a", "b", "c")
    assert (routine.matrix, routine.right) == (7, 3)


def test_many_zeros_are_put_in_together():
    """The places of a sparse matrix are cleared before any is filled, and zeros are then not put in one by one."""
    m = Maker()
    g = m.g
    n = 9  # a triangle of 45 places, of which 28 zeros, and the sizes of its diagonal
    matrix = [[m.q[0] if i == j else m.q[1] if i == j + 1 else g.zero for j in range(n)] for i in range(n)]
    dense = g.solve(Factorization.LDLT, [[m.q[0], g.zero], [g.zero, m.q[1]]], [[g.one], [g.zero]], ["a", "b"])
    x = g.solve(Factorization.LDLT, matrix, [[dense[0][0]], *[[g.one]] * (n - 1)], list("abcdefghi"))
    routine = schedule(m.program(x[0][0])).routines[0]
    (sparse,) = [number for number, place in enumerate(routine.systems) if g.data[place.node].n == n]
    found = [step for step in steps(routine) if isinstance(step, (Clear, Fill)) and step.system == sparse]
    assert found[0] == Clear(sparse, 0, 54)
    assert len(found) == 1 + 17 + n + n
    assert not any(isinstance(step, Fill) and step.node == g.zero for step in found)
    few = [step for step in steps(routine) if isinstance(step, (Clear, Fill)) and step.system != sparse]
    assert len(few) == 7
    assert not any(isinstance(step, Clear) for step in few)


# -- counts ------------------------------------------------------------------------------------------------------------


def test_counts_add_up():
    """Counts are values: they add, and total is their sum."""
    one = OperationCounts(1, 2, 3, 4, 5, 6)
    assert (one + one).total == 2 * one.total == 42
    assert str(OperationCounts()) == "0"
    assert str(OperationCounts(additions=2, functions=1)) == "3 (2 add, 1 func)"


def test_powers_count_as_products():
    """x^5 takes three products by squaring, x^-2 one product and one division."""
    g = Graph()
    x = g.symbol(Symbol(Role.STATE, 0, "x"))
    assert count_operations(g, [g.powi(x, 5)], count_system) == OperationCounts(multiplications=3)
    assert count_operations(g, [g.powi(x, -2)], count_system) == OperationCounts(multiplications=1, divisions=1)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
@pytest.mark.parametrize("columns", [1, 2])
def test_kernel_counts(n, columns):
    """The formulas are the loops of the kernels, counted one by one."""
    additions = multiplications = divisions = 0
    for i in range(n):
        multiplications += 2  # of the size: its limit, and over the pivot
        divisions += 1
        for j in range(i):
            additions += j + 3  # the pivot, its terms alone, its size
            multiplications += j + 3
    for _ in range(columns):
        for i in range(n):
            additions += i + (n - 1 - i)
            multiplications += i + (n - 1 - i) + 1
    counts = count_system(spec(Factorization.LDLT, n, columns))
    assert (counts.additions, counts.multiplications, counts.divisions) == (additions, multiplications, divisions)
    additions = multiplications = 0
    divisions = n
    for k in range(n):
        additions += 2 * k  # the pivot's terms alone, and its size
        multiplications += 2 * k + 1
        divisions += 1
        multiplications += n - k
        for _ in range(k + 1, n):
            divisions += 1
            additions += n - k - 1 + columns
            multiplications += n - k - 1 + columns
    for _ in range(columns):
        for i in range(n):
            additions += n - 1 - i
            multiplications += n - 1 - i
            divisions += 1
    counts = count_system(spec(Factorization.LU, n, columns))
    assert (counts.additions, counts.multiplications, counts.divisions) == (additions, multiplications, divisions)


def spec(kind, n, columns):
    g = Graph()
    x = g.symbol(Symbol(Role.STATE, 0, "x"))
    g.solve(kind, [[x] * n] * n, [[x] * columns] * n, [""] * n)
    return next(data for op, data in zip(g.ops, g.data, strict=True) if op is Op.SOLVE)


# -- what functions share ----------------------------------------------------------------------------------------------


def shared_program(seed, functions=4, size=900):
    """Return a program of functions that have much of one random program in common."""
    program = random_program(seed, size=size)
    rng = random.Random(seed)
    (rhs,) = program.functions
    nodes = [node for block in rhs.blocks for _, node in block.entries][size // 2 :]
    made = [Function(f"f{k}", "", tuple(rng.sample(nodes, 6)), (), (6,), rhs.blocks) for k in range(functions)]
    return dataclasses.replace(
        program, functions=(dataclasses.replace(rhs, outputs=rhs.outputs[:1], shape=(1,)), *made)
    )


@pytest.mark.parametrize("seed", range(8))
def test_functions_share_what_they_have_in_common(seed, monkeypatch):
    """Each value is computed once in a call, from what was left in places; what is shared is written out once."""
    monkeypatch.setattr(sharing, "SPEED", sharing.SPEED._replace(dense=0.5))
    program = shared_program(seed)
    plan = schedule(program, chunk=250)
    monkeypatch.setattr(sharing, "SPEED", sharing.SPEED._replace(least=10**6))
    alone = schedule(program, chunk=250)
    assert plan.parts
    assert not alone.parts
    for routine, other in zip(plan.routines, alone.routines, strict=True):
        check_shape(program.graph, plan, routine)
        assert routine.counts == other.counts
        made, wanted = (
            sorted(step.condition for chunk in one.all_chunks for step in chunk.steps if isinstance(step, Check))
            for one in (routine, other)
        )
        assert made == wanted  # each pivot is tested once
    written, others = (
        sum(len(chunk.steps) for routine in one.all_routines for chunk in routine.chunks) for one in (plan, alone)
    )
    assert written < others


def test_constants_do_not_wait_for_each_other():
    """Each is handed out after its evaluation, and none before it: what waits takes a register, or memory."""
    maker = Maker(parameters=8)
    g, x = maker.g, maker.q[0]
    sums = [g.add(one, other) for one, other in zip(maker.p, maker.p[1:], strict=False)]
    plan = schedule(maker.program(*(g.mul(g.add(total, g.unary(Op.SIN, total)), x) for total in sums)))
    made = steps(plan.prepare)
    places = [k for k, step in enumerate(made) if isinstance(step, Output)]
    computed = {step.node: k for k, step in enumerate(made) if isinstance(step, Compute)}
    assert len(places) == len(sums)
    assert len(made) - places[0] > len(sums)
    assert all(computed.get(made[k].node, -1) < k for k in places)
