"""Graph -> formulas: one step per node, from the arguments up, so that nothing recurses however deep the graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from eomc.backends.report.forms import Binding, Factor, Form, Order, add, multiply, negate, power
from eomc.backends.report.notation import Name
from eomc.backends.report.spelling import COMPARISONS, FUNCTIONS, Condition, Spelling
from eomc.ir.cone import cone
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.symbols import Named, Role, Symbol

Piece: TypeAlias = Form | Condition

STAND_IN = Name("z00", "z", ("00",))
"""As long as the names of intermediate variables are."""

_PLACES = {Role.PARAMETER: Order.PARAMETER, Role.INPUT: Order.INPUT, Role.PLACEHOLDER: Order.RATE}


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
        self._keys: dict[Hashable, int] = {}

    def named(self, name: Name, number: int = 0) -> Form:
        """Return the form of a quantity that goes by its name; `number` orders such names in products."""
        return self._atom(self.spelling.name(name), (Order.INTERMEDIATE, number), name, len(name.text))

    def stand_in(self, node: Node) -> Form:
        """Return the form of a name that is not given yet; that of another node is another one."""
        name = self.spelling.name(STAND_IN)
        return self._atom(name, (Order.INTERMEDIATE, node), ("stand-in", node), len(STAND_IN.text))

    def _key(self, meaning: Hashable) -> int:
        """Return a number for what something means, the same for the same; within it, inner meanings are numbers."""
        return self._keys.setdefault(meaning, len(self._keys))

    def _key_of(self, piece: Piece) -> int:
        if isinstance(piece, Condition):
            return piece.key
        terms = [(term.coefficient, tuple((factor.key, e) for factor, e in term.powers)) for term in piece.terms]
        return self._key(tuple(terms))

    def _atom(self, text: str, order: tuple[int, int], meaning: Hashable, size: int) -> Form:
        return Form.atom(Factor(text, Binding.ATOM, order, self._key(meaning), size=size))

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
        for node in cone(self.graph, roots, known.__contains__):
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
            return self._atom(self.spelling.name(name), (place, data.index), name, len(name.text))
        key = self._key((op, *map(self._key_of, args)))
        if op in (Op.AND, Op.OR, Op.NOT):
            return self.spelling.connective(op, [a for a in args if isinstance(a, Condition)], key)
        if op is Op.SELECT:
            return self._choice(args, key)
        forms = [a for a in args if isinstance(a, Form)]
        if op in COMPARISONS:
            return Condition(self.spelling.comparison(op, *[self._closed_total(form) for form in forms]), 4, key)
        if op is Op.POWI:
            return power(forms[0], self.graph.integer(node), self.bracket)
        return self._real(op, forms, key)

    def bracket(self, form: Form) -> Factor:
        """Return a sum as a factor."""
        lone = form.lone_factor()
        if lone is not None:
            return lone
        inner = form.terms if len(form.terms) > 1 else ()
        text = self.spelling.total(form)
        key = self._key_of(form)
        return Factor(text, Binding.SUM, (Order.SUM, 0), key, form.depth + 1, inner=inner, size=form.size + 2)

    def _real(self, op: Op, forms: Sequence[Form], key: int) -> Form:
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
            return Form.atom(Factor(text, Binding.POWER, (Order.CALL, 0), key, depth, size=size))
        return self._call(op, forms, depth, key)

    def _call(self, op: Op, forms: Sequence[Form], depth: int, key: int) -> Form:
        lone = forms[0].lone_factor() if len(forms) == 1 else None
        simple = lone is not None and lone.depth == 0 and lone.order[0] != Order.NUMBER
        texts = [self.spelling.total(form) for form in forms]
        head, tail, binding = self.spelling.call(op, texts, simple)
        size = len(FUNCTIONS[op]) + 2 + sum(form.size for form in forms)
        return Form.atom(
            Factor(head + tail, binding, (Order.CALL, 0), key, depth, head if tail else "", tail, size=size)
        )

    def _choice(self, args: Sequence[Piece], key: int) -> Form:
        condition, yes, no = args
        assert isinstance(condition, Condition)
        assert isinstance(yes, Form)
        assert isinstance(no, Form)
        text = self.spelling.conditional(condition.text, self._closed_total(yes), self._closed_total(no))
        depth = max(yes.depth, no.depth) + 1
        return Form.atom(Factor(text, Binding.OPEN, (Order.CONDITIONAL, 0), key, depth, size=yes.size + no.size + 9))

    def _closed_total(self, form: Form) -> str:
        """Return a sum, in brackets where it is a conditional."""
        lone = form.lone_factor()
        if lone is not None and lone.binding == Binding.OPEN:
            return self.spelling.brackets(lone.text)
        return self.spelling.total(form)

    def _constant(self, value: object) -> Form:
        if isinstance(value, Named):
            return self._atom(self.spelling.constants[value], (Order.NUMBER, 1), value, 1)
        if isinstance(value, float):
            size, text = len(repr(abs(value))), self.spelling.real(abs(value))
            atom = self._atom(text, (Order.NUMBER, 0), ("float", abs(value)), size)
            return negate(atom) if value < 0 else atom
        assert isinstance(value, int | Fraction)
        return Form.number(Fraction(value))
