"""What loops leave waits undisturbed for those that read it: chunks are gone through, with what lies in each place."""

from __future__ import annotations

import itertools

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.chunk import Found, cut
from eomc.passes.loops import make_loop
from eomc.passes.recurrences import find_recurrences
from eomc.passes.repeats import Each
from eomc.passes.steps import Compute, Loop
from eomc.passes.uses import uses_of


def test_an_array_waits_for_a_loop_that_reads_it_by_its_index() -> None:
    """A straight line has read it before, and what another loop leaves since then would fit into its place."""
    g = Graph()
    angles = [g.symbol(Symbol(Role.STATE, i, f"x{i}")) for i in range(60)]
    value, first = g.symbol(Symbol(Role.STATE, 60, "y")), list[Node]()
    for q in angles:
        value = g.add(g.mul(g.unary(Op.COS, q), value), q)
        first.append(value)
    value = g.unary(Op.EXP, first[-1])
    for k in range(120):  # nothing that repeats itself, over several chunks
        value = g.unary((Op.EXP, Op.TANH, Op.ATAN)[k * k % 7 % 3], g.mul(value, first[30]) if k == 60 else value)
    second = list[Node]()
    for q in angles[1:]:
        value = g.sub(g.mul(g.unary(Op.SIN, q), value), q)
        second.append(value)
    total = value
    for one, other in zip(reversed(first[1:]), reversed(second), strict=True):
        total = g.add(g.mul(total, one), other)
    evaluated = [node for node in range(len(g)) if g.args[node]]
    repeats = find_recurrences(g, evaluated, frozenset(), {})
    assert len(repeats) == 3
    read = set(itertools.chain(*(g.args[node] for node in evaluated)))
    loops = {repeat.statements[0].nodes[0]: make_loop(g, repeat, read, {}) for repeat in repeats}
    inside = {node for repeat in repeats for node in repeat.nodes()}
    steps = [loops.get(n) or Compute(n, "") for n in evaluated if n in loops or n not in inside]
    arrays = [loop.repeat.statements[k].nodes for loop in loops.values() for k in loop.kept]
    named = {*evaluated} - inside | {*itertools.chain(*arrays)}
    uses = [uses_of(g, step, named, frozenset()) for step in steps]
    chunks, places, _ = cut(steps, uses, len(steps), 30, {}, Found({}, 0), {})
    assert len(chunks) > 3
    memory, count = dict[int, Node](), 0
    for chunk in chunks:
        assert all(memory[one.place] == one.node for one in chunk.loads)
        for loop in (step for step in chunk.steps if isinstance(step, Loop)):
            each = [one for statement in loop.repeat.statements for one in statement.operands if isinstance(one, Each)]
            by_index = [node for one in each for node in one.nodes if node in places]
            assert [memory[places[node]] for node in by_index] == by_index
            count += len(by_index)
            memory.update((places[n], n) for k in loop.kept for n in loop.repeat.statements[k].nodes if n in places)
        memory.update((one.place, one.node) for one in chunk.stores)
    assert count >= 2 * 50
