"""What a language of mathematics must be able to write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from eomc.backends.report.forms import Binding, Factor, Form, Order, Term
from eomc.backends.report.notation import Name
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

FUNCTIONS = {
    Op.SQRT: "sqrt", Op.SIN: "sin", Op.COS: "cos", Op.TAN: "tan", Op.ASIN: "asin", Op.ACOS: "acos",
    Op.ATAN: "atan", Op.ATAN2: "atan2", Op.SINH: "sinh", Op.COSH: "cosh", Op.TANH: "tanh", Op.EXP: "exp",
    Op.LOG: "log", Op.ABS: "abs", Op.SIGN: "sign", Op.MIN: "min", Op.MAX: "max", Op.FLOOR: "floor", Op.MOD: "mod",
}  # fmt: skip
"""Ops that are written as a name and arguments, unless a language has a sign of its own for them."""

COMPARISONS = (Op.LT, Op.LE, Op.EQ, Op.NE)


@dataclass(frozen=True, slots=True)
class OpSpelling:
    """How an op is written: a sign between operands, a name before them, signs around one, or a rule of its own."""

    sign: str = ""
    name: str = ""
    around: tuple[str, str] = ("", "")
    binding: int = Binding.ATOM


def table_of(rows: Mapping[Op, OpSpelling], name: Callable[[str], str]) -> dict[Op, OpSpelling]:
    """Return a row for each op: those given, `name` of the others' names, an empty one for what has its own rule."""
    named = {op: OpSpelling(name=name(word)) for op, word in FUNCTIONS.items()}
    return {op: rows.get(op) or named.get(op) or OpSpelling() for op in Op}


@dataclass(frozen=True, slots=True)
class Condition:
    """A spelled truth value: or (1) binds weaker than and (2), not (3) and comparisons (4)."""

    text: str
    binding: int
    key: int  # the same for what means the same, as that of a Factor


class Spelling(ABC):
    """A language: ASCII text, LaTeX, MathML."""

    glue = " "  # between the pieces of a sum
    integer = "{}"  # around the digits of a whole number
    ops: ClassVar[Mapping[Op, OpSpelling]]  # a row for each op
    constants: ClassVar[Mapping[Named, str]]

    @abstractmethod
    def name(self, name: Name) -> str:
        """Spell a name."""

    @abstractmethod
    def real(self, value: float) -> str:
        """Spell a positive float, so that it is read back as the same float."""

    @abstractmethod
    def applied(self, name: str, args: Sequence[str], simple: bool) -> tuple[str, str]:
        """Spell a function by its name; return head and tail; `simple`: its argument is one name."""

    @abstractmethod
    def raised(self, factor: Factor, exponent: int) -> str:
        """Spell a factor to a positive integer power."""

    @abstractmethod
    def real_power(self, base: Factor, exponent: Form) -> str:
        """Spell base^exponent for any exponent."""

    @abstractmethod
    def term(self, term: Term) -> str:
        """Spell a term without its sign."""

    @abstractmethod
    def conditional(self, condition: str, if_true: str, if_false: str) -> str:
        """Spell a choice between two values."""

    # -- what all languages share ------------------------------------------------------------------------------------

    def pieces(self, form: Form) -> list[str]:
        """Return the signed terms of a sum, a positive one first where there is one; lines may break between them."""
        lone = form.lone_factor()
        if lone is not None:
            return [lone.text]
        terms = list(form.terms)
        if not terms:
            return [self.zero()]
        if all(len(term.powers) == 1 and term.powers[0][0].order[0] == Order.INTERMEDIATE for term in terms):
            terms.sort(key=lambda term: term.powers[0][0].place)  # T + V
        leading = next((i for i, term in enumerate(terms) if term.coefficient > 0), 0)
        terms.insert(0, terms.pop(leading))
        return [self.signed(self.term(term), term.coefficient < 0, i == 0) for i, term in enumerate(terms)]

    def signed(self, term: str, negative: bool, first: bool) -> str:
        """Put the sign before a term of a sum."""
        if first:
            return f"-{term}" if negative else term
        return f"{'-' if negative else '+'} {term}"

    def zero(self) -> str:
        """Spell zero."""
        return self.integer.format(0)

    def brackets(self, text: str) -> str:
        """Put round brackets around."""
        return f"({text})"

    def total(self, form: Form) -> str:
        """Return a whole sum."""
        return self.glue.join(self.pieces(form))

    def closed(self, factor: Factor, needed: int = Binding.POWER) -> str:
        """Return a factor in brackets if it binds weaker than needed."""
        return factor.text if factor.binding >= needed else self.brackets(factor.text)

    def call(self, op: Op, args: Sequence[str], simple: bool) -> tuple[str, str, int]:
        """Return head, tail and binding of a function; an exponent stands between head and tail."""
        row = self.ops[op]
        if row.name:
            return *self.applied(row.name, args, simple), row.binding
        opening, closing = row.around
        return f"{opening}{args[0]}{closing}", "", row.binding

    def comparison(self, op: Op, x: str, y: str) -> str:
        """Return x op y."""
        return f"{x}{self.ops[op].sign}{y}"

    def connective(self, op: Op, args: Sequence[Condition], key: int) -> Condition:
        """Return a logical connection of conditions."""
        binding = {Op.OR: 1, Op.AND: 2, Op.NOT: 3}[op]
        texts = [arg.text if arg.binding >= binding else self.brackets(arg.text) for arg in args]
        sign = self.ops[op].sign
        return Condition(sign + texts[0] if op is Op.NOT else sign.join(texts), binding, key)
