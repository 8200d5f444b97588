"""Graph -> formulas: one step per node, from the arguments up, so that nothing recurses however deep the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from eomc.backends.report.forms import Binding, Factor, Form, Order, Term, add, multiply, negate, power
from eomc.backends.report.names import Name
from eomc.backends.report.spelling import COMPARISONS, FUNCTIONS, Condition, Spelling
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Role, Symbol

__all__ = ["Piece", "Writer"]

Piece: TypeAlias = Form | Condition

_PLACES = {Role.PARAMETER: Order.PARAMETER, Role.INPUT: Order.INPUT}


class Writer:
    """Writes nodes of one graph in one language.

    Parameters
    ----------
    graph
        The graph.
    spelling
        The language.
    symbols
        Symbol -> what it is called.
    """

    def __init__(self, graph: Graph, spelling: Spelling, symbols: Mapping[Symbol, Name]) -> None:
        self.graph = graph
        self.spelling = spelling
        self._symbols = symbols

    def named(self, name: Name, number: int = 0) -> Form:
        """Return the form of a quantity that goes by its name; `number` orders such names in products."""
        return Form.atom(
            Factor(self.spelling.name(name), Binding.ATOM, (Order.INTERMEDIATE, number), size=len(name.text))
        )

    def text(self, piece: Piece) -> str:
        """Return what is written, as one line."""
        return piece.text if isinstance(piece, Condition) else self.spelling.total(piece)

    def write(self, roots: Iterable[Node], known: Mapping[Node, Form]) -> dict[Node, Piece]:
        """Return the pieces of the roots and of all that they are made of.

        Parameters
        ----------
        roots
            What is to be written.
        known
            Nodes that go by a name, the roots among them too.
        """
        done: dict[Node, Piece] = {}
        cone: set[Node] = set()
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node in cone:
                continue
            cone.add(node)
            if node not in known:
                stack.extend(self.graph.args[node])
        for node in sorted(cone):
            named = known.get(node)
            done[node] = self.step(node, [done[a] for a in self.graph.args[node]]) if named is None else named
        return done

    def step(self, node: Node, args: Sequence[Piece]) -> Piece:
        """Return what a node is written as, given how its arguments are written."""
        op, data = self.graph.ops[node], self.graph.data[node]
        if op is Op.CONSTANT:
            return self._constant(data)
        if isinstance(data, Symbol):
            place = _PLACES.get(data.role, Order.STATE)
            name = self._symbols[data]
            return Form.atom(Factor(self.spelling.name(name), Binding.ATOM, (place, data.index), size=len(name.text)))
        if op in (Op.AND, Op.OR, Op.NOT):
            return self.spelling.connective(op, [a for a in args if isinstance(a, Condition)])
        if op is Op.SELECT:
            return self._choice(args)
        forms = [a for a in args if isinstance(a, Form)]
        if op in COMPARISONS:
            return Condition(self.spelling.comparison(op, *[self._closed_total(form) for form in forms]), 4)
        if op is Op.POWI:
            assert isinstance(data, int)
            return power(forms[0], data, self.bracket)
        return self._real(op, forms)

    def bracket(self, form: Form) -> Factor:
        """Return a sum as a factor."""
        lone = form.lone_factor()
        if lone is not None:
            return lone
        inner = form.terms if len(form.terms) > 1 else ()
        text = self.spelling.total(form)
        return Factor(text, Binding.SUM, (Order.SUM, 0), form.depth + 1, inner=inner, size=form.size + 2)

    def _real(self, op: Op, forms: Sequence[Form]) -> Form:
        if op is Op.ADD:
            return add(forms[0], forms[1])
        if op is Op.SUB:
            return add(forms[0], negate(forms[1]))
        if op is Op.NEG:
            return negate(forms[0])
        if op is Op.MUL:
            return multiply(forms[0], forms[1], self.bracket)
        if op is Op.DIV:
            return multiply(forms[0], forms[1], self.bracket, -1)
        depth = max(form.depth for form in forms) + 1
        if op is Op.POW:
            base = self.bracket(forms[0])
            text = self.spelling.real_power(base, forms[1])
            size = base.size + forms[1].size + 1
            return Form.atom(Factor(text, Binding.POWER, (Order.CALL, 0), depth, size=size))
        assert op in FUNCTIONS, op
        return self._call(op, forms, depth)

    def _call(self, op: Op, forms: Sequence[Form], depth: int) -> Form:
        lone = forms[0].lone_factor() if len(forms) == 1 else None
        simple = lone is not None and lone.depth == 0 and lone.order[0] != Order.NUMBER
        texts = [self.spelling.total(form) for form in forms]
        head, tail, binding = self.spelling.call(op, texts, simple)
        size = len(FUNCTIONS[op]) + 2 + sum(form.size for form in forms)
        return Form.atom(Factor(head + tail, binding, (Order.CALL, 0), depth, head if tail else "", tail, size=size))

    def _choice(self, args: Sequence[Piece]) -> Form:
        condition, yes, no = args
        assert isinstance(condition, Condition)
        assert isinstance(yes, Form)
        assert isinstance(no, Form)
        text = self.spelling.conditional(condition.text, self._closed_total(yes), self._closed_total(no))
        depth = max(yes.depth, no.depth) + 1
        return Form.atom(Factor(text, Binding.OPEN, (Order.CONDITIONAL, 0), depth, size=yes.size + no.size + 9))

    def _closed_total(self, form: Form) -> str:
        """Return a sum, in brackets where it is a conditional."""
        lone = form.lone_factor()
        if lone is not None and lone.binding == Binding.OPEN:
            return self.spelling.brackets(lone.text)
        return self.spelling.total(form)

    def _constant(self, value: object) -> Form:
        if isinstance(value, Named):
            return Form.atom(Factor(self.spelling.constant(value), Binding.ATOM, (Order.NUMBER, 1)))
        if isinstance(value, float):
            size = len(repr(abs(value)))
            factor = Factor(self.spelling.real(abs(value)), Binding.ATOM, (Order.NUMBER, 0), size=size)
            return Form((Term(Fraction(-1 if value < 0 else 1), ((factor, 1),)),))
        assert isinstance(value, int | Fraction)
        return Form.number(Fraction(value))
