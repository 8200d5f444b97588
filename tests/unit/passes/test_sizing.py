"""Sizes for the kernels of constrained systems: where they stand, and who tells them."""

from __future__ import annotations

import pytest

from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.program import Function, Program
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization, SystemSpec
from eomc.passes.sizing import add_sizes

A, X, Y = Symbol(Role.PARAMETER, 0, "a"), Symbol(Role.STATE, 0, "x"), Symbol(Role.STATE, 1, "y")


@pytest.mark.parametrize("strict", [True, False])
def test_sizes_of_a_constrained_system(strict: bool) -> None:
    """Positive where parameters tell, negative where the state does, zero where nothing cancels; of C if strict."""
    graph = Graph()
    a, x, y = map(graph.symbol, (A, X, Y))
    sine, difference = graph.unary(Op.SIN, x), graph.sub(x, y)
    jacobian = [[graph.mul(a, sine), difference, y, graph.zero]]
    one, zero = graph.one, graph.zero
    mass = [[graph.add(a, sine) if i == j == 0 else one if i == j else zero for j in range(4)] for i in range(4)]
    sides = [[zero, zero]] * 4 + [[graph.sub(graph.mul(a, sine), graph.mul(y, y)), graph.mul(x, y)]]
    solved, _ = graph.solve_constrained(Factorization.ELIMINATED, mass, jacobian, sides, list("abcde"), strict=strict)
    outputs = tuple(node for row in solved for node in row)
    program = Program(
        "m", "", "kane", graph, Symbol(Role.TIME, 0, "t"), (), (), (), (Function("rhs", "", outputs, (), (8,)),)
    )
    (system,) = {graph.args[node][0] for node in add_sizes(program).functions[0].outputs}
    spec = graph.data[system]
    assert isinstance(spec, SystemSpec)
    assert len(graph.args[system]) == spec.matrix_entries + spec.right_entries
    sample = Sample(graph, {A: -3.0, X: 0.5, Y: 2.0})
    values = [sample[node] for node in graph.args[system]]
    assert values[spec.entries : spec.matrix_entries] == [3.0, -2.5, 0.0, 0.0, 4.0, 1.0, 1.0, 1.0]
    assert values[spec.matrix_entries + 10 :] == ([3.0 + 4.0, 0.0] if strict else [])
    assert graph.args[add_sizes(add_sizes(program)).functions[0].outputs[0]][0] == system
