"""Every table over the closed op set has a row for every op: nothing falls through, and what is missing is named."""

from __future__ import annotations

import pytest
import sympy

from eomc.backends.c99.spelling import MACROS, SPELLINGS
from eomc.backends.report.spelling import COMPARISONS, FUNCTIONS
from eomc.derivation.methods.kane import KANE
from eomc.errors import LoweringError
from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.program import Function, Program
from eomc.ir.symbols import Role, Symbol
from eomc.ir.systems import Factorization
from eomc.ir.text import formulas
from eomc.ir.verify import verify
from eomc.model.vocabulary import OPS_OF_FUNCTIONS
from eomc.passes.differentiate import Tangents, gradient
from eomc.reference import vocabulary
from eomc.solving.recurrences import RECURRENCES

TIME = Symbol(Role.TIME, 0, "t")


def example(graph: Graph, op: Op) -> Node:
    """Return a node of the op over two symbols."""
    x, y = (graph.symbol(Symbol(Role.STATE, i, name)) for i, name in enumerate("xy"))
    if op is Op.CONSTANT:
        return graph.constant(3)
    if op is Op.SYMBOL:
        return x
    if op is Op.POWI:
        return graph.powi(x, 3)
    if op is Op.NOT:
        return graph.negate(graph.binary(Op.LT, x, y))
    if op in (Op.AND, Op.OR):
        return graph.binary(op, graph.binary(Op.LT, x, y), graph.binary(Op.LE, graph.zero, x))
    if op is Op.SELECT:
        return graph.select(graph.binary(Op.LT, x, y), x, y)
    if op in (Op.SOLVE, Op.RESULT):
        result = graph.solve(Factorization.LU, [[x, y], [y, graph.one]], [[graph.one], [x]], ["a", "b"])[0][0]
        return result if op is Op.RESULT else graph.args[result][0]
    if op is Op.NEG:
        return graph.neg(x)
    return graph.unary(op, x) if OPS[op].arity == 1 else graph.binary(op, x, y)


CONDITIONS = {*COMPARISONS, Op.AND, Op.OR, Op.NOT}
WITH_FORMS = {Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.POWI, Op.POW, Op.SELECT}
"""Ops that SymPy has syntax for, and the report a form of its own."""
INNER = {Op.CONSTANT, Op.SYMBOL, Op.SOLVE, Op.RESULT}
UNREACHED = {Op.SQRT}
"""Ops that SymPy writes otherwise."""


def missing(op: Op) -> list[str]:
    """Return what an op lacks, by the file where it should be."""
    found = []
    if op not in OPS:
        found.append("ir/ops.py: its row in OPS")
    functions = [function for function, own in OPS_OF_FUNCTIONS.items() if own is op]
    if not functions and op not in INNER | CONDITIONS | WITH_FORMS | UNREACHED:
        found.append("model/vocabulary.py: the function of SymPy that it is")
    for function in functions:
        try:
            vocabulary.step_of(function(*sympy.symbols("x y", real=True)[: OPS[op].arity]))
        except LoweringError:
            found.append(f"reference/elementary.py: {function.__name__} of jets")
    if op not in SPELLINGS:
        found.append("backends/c99/spelling.py: its row in SPELLINGS")
    elif SPELLINGS[op].call.isupper() and SPELLINGS[op].call not in MACROS:
        found.append("backends/c99/spelling.py: its macro in MACROS")
    if op not in FUNCTIONS and op not in INNER | CONDITIONS | WITH_FORMS:
        found.append("backends/report/spelling.py: its word in FUNCTIONS")
    if op not in RECURRENCES:
        found.append("solving/recurrences.py: its row in RECURRENCES")
    return found


@pytest.mark.parametrize("op", Op)
def test_nothing_of_an_op_is_missing(op: Op) -> None:
    """An op has its row, its function of SymPy, the reference's own rule, a recurrence and its spellings."""
    found = missing(op)
    assert not found, "; ".join(found)


@pytest.mark.parametrize(
    ("table", "key", "file"),
    [
        (OPS, Op.SQRT, "ir/ops.py"),
        (OPS_OF_FUNCTIONS, sympy.tanh, "model/vocabulary.py"),
        (vocabulary._STEPS, sympy.tanh, "reference/elementary.py"),
        (SPELLINGS, Op.TANH, "backends/c99/spelling.py"),
        (MACROS, "TANH", "backends/c99/spelling.py"),
        (FUNCTIONS, Op.TANH, "backends/report/spelling.py"),
        (RECURRENCES, Op.TANH, "solving/recurrences.py"),
    ],
    ids=["row", "lowering", "reference", "C", "macro", "report", "series"],
)
def test_what_is_missing_is_named(
    table: dict[object, object], key: object, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part that is left out is reported with the file where it belongs."""
    monkeypatch.delitem(table, key)
    (found,) = missing(key if isinstance(key, Op) else Op.TANH)
    assert found.startswith(file)


@pytest.mark.parametrize("op", Op)
def test_every_op_can_be_built_evaluated_written_and_differentiated(op: Op) -> None:
    """An op has a constructor, a value, a line of text and both derivatives."""
    graph = Graph()
    node = example(graph, op)
    assert graph.ops[node] is op
    variables = [graph.symbol(Symbol(Role.STATE, i, name)) for i, name in enumerate("xy")]
    sample = Sample(graph, {Symbol(Role.STATE, 0, "x"): 0.3, Symbol(Role.STATE, 1, "y"): 0.7})
    if op is Op.SOLVE:
        assert len(sample[node]) == 2
        return
    assert sample[node] == sample[node]
    real = node
    if OPS[op].kind is Kind.BOOLEAN:
        positive = graph.binary(Op.LT, graph.zero, graph.unary(Op.EXP, variables[0]))
        real = graph.select(graph.binary(Op.AND, positive, node), variables[0], variables[1])
    assert formulas(graph, [real], 200)[real] or op is Op.RESULT
    reverse = [sample[d] for d in gradient(graph, real, variables)]
    forward = [sample[Tangents(graph, {v: graph.one})(real)] for v in variables]
    assert forward == pytest.approx(reverse)


@pytest.mark.parametrize("op", Op)
def test_a_value_rule_takes_as_many_arguments_as_the_arity_says(op: Op) -> None:
    """OPS tells the truth about each op: its own rule, or one in the interpreter."""
    spec = OPS[op]
    if spec.evaluate is None:
        assert op in (Op.CONSTANT, Op.SYMBOL, Op.SOLVE)
    else:
        data = {Op.POWI: [3], Op.RESULT: [0]}.get(op, [])
        arguments = [[0.4]] if op is Op.RESULT else [0.4, 0.6, 0.8][: spec.arity]
        assert isinstance(spec.evaluate(*arguments, *data), (float, bool, int))
    assert op not in COMMUTATIVE or spec.arity == 2


@pytest.mark.parametrize("op", [op for op in Op if op is not Op.SOLVE and OPS[op].kind is not Kind.BOOLEAN])
def test_the_verifier_accepts_every_op(op: Op) -> None:
    """A program over any op that was built by the graph's own constructors is a legal one."""
    from eomc.ir.program import Variable

    graph = Graph()
    node = example(graph, op)
    states = tuple(Variable(Symbol(Role.STATE, i, name), name) for i, name in enumerate("xy"))
    verify(Program("p", "", KANE, graph, TIME, states, (), (), (Function("rhs", "", (node,), (), (1,)),)))
