"""What a language of mathematics must be able to write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from eomc.backends.report.forms import Binding, Factor, Form, Order, Term
from eomc.backends.report.names import Name
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

__all__ = ["COMPARISONS", "FUNCTIONS", "Condition", "Spelling"]

FUNCTIONS = {
    Op.SQRT: "sqrt", Op.CBRT: "cbrt", Op.SIN: "sin", Op.COS: "cos", Op.TAN: "tan", Op.ASIN: "asin", Op.ACOS: "acos",
    Op.ATAN: "atan", Op.ATAN2: "atan2", Op.SINH: "sinh", Op.COSH: "cosh", Op.TANH: "tanh", Op.EXP: "exp",
    Op.LOG: "log", Op.ABS: "abs", Op.SIGN: "sign", Op.MIN: "min", Op.MAX: "max", Op.FLOOR: "floor", Op.MOD: "mod",
    Op.HYPOT: "hypot",
}  # fmt: skip
"""Ops written as a name and arguments, unless a language has a sign of its own for them."""

COMPARISONS = (Op.LT, Op.LE, Op.EQ, Op.NE)


class Condition:
    """A spelled truth value: or (1) binds weaker than and (2), not (3) and comparisons (4)."""

    __slots__ = ("binding", "text")

    def __init__(self, text: str, binding: int) -> None:
        self.text = text
        self.binding = binding


class Spelling(ABC):
    """A language: ASCII text, LaTeX, MathML."""

    glue = " "  # between the pieces of a sum

    @abstractmethod
    def name(self, name: Name) -> str:
        """Spell a name."""

    @abstractmethod
    def real(self, value: float) -> str:
        """Spell a positive float, so that it is read back as the same float."""

    @abstractmethod
    def constant(self, value: Named) -> str:
        """Spell a named constant."""

    @abstractmethod
    def call(self, op: Op, args: Sequence[str], simple: bool) -> tuple[str, str, int]:
        """Spell a function; return head, tail and binding; `simple`: its argument is one name."""

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
    def signed(self, term: str, negative: bool, first: bool) -> str:
        """Put the sign before a term of a sum."""

    @abstractmethod
    def zero(self) -> str:
        """Spell zero."""

    @abstractmethod
    def brackets(self, text: str) -> str:
        """Put brackets around."""

    @abstractmethod
    def conditional(self, condition: str, if_true: str, if_false: str) -> str:
        """Spell a choice between two values."""

    @abstractmethod
    def comparison(self, op: Op, x: str, y: str) -> str:
        """Spell x op y."""

    @abstractmethod
    def logic(self, op: Op, args: Sequence[str]) -> str:
        """Spell and, or, not."""

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

    def total(self, form: Form) -> str:
        """Return a whole sum."""
        return self.glue.join(self.pieces(form))

    def closed(self, factor: Factor, needed: int = Binding.POWER) -> str:
        """Return a factor in brackets if it binds weaker than needed."""
        return factor.text if factor.binding >= needed else self.brackets(factor.text)

    def connective(self, op: Op, args: Sequence[Condition]) -> Condition:
        """Return a logical connection of conditions."""
        binding = {Op.OR: 1, Op.AND: 2, Op.NOT: 3}[op]
        texts = [arg.text if arg.binding >= binding else self.brackets(arg.text) for arg in args]
        return Condition(self.logic(op, texts), binding)
