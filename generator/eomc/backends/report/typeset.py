"""What LaTeX and MathML share: factors side by side, fractions with a bar, exponents that are raised."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from eomc.backends.report.forms import Binding, Factor, Form, Term
from eomc.backends.report.spelling import Spelling


class Typeset(Spelling):
    """A language in which formulas have two dimensions."""

    fraction: ClassVar[str]  # of what is above and below its bar
    superscript: ClassVar[str]  # of a base and its exponent
    group: ClassVar[str] = "{}"  # what stands where one element is wanted

    @abstractmethod
    def side_by_side(self, number: str, powers: Sequence[tuple[Factor, int]]) -> str:
        """Spell a product of a number ("" for none) and factors to positive powers."""

    def raised(self, factor: Factor, exponent: int) -> str:
        """Spell x squared; a function's exponent stands at its name."""
        if exponent == 1:
            return self.closed(factor)
        power = self.integer.format(exponent)
        if factor.tail:
            return self.superscript.format(factor.head, power) + factor.tail
        return self.superscript.format(self.group.format(self.closed(factor, Binding.ATOM)), power)

    def real_power(self, base: Factor, exponent: Form) -> str:
        """Spell a power."""
        closed = self.brackets(base.text) if base.tail else self.closed(base, Binding.ATOM)
        return self.superscript.format(self.group.format(closed), self.group.format(self.total(exponent)))

    def term(self, term: Term) -> str:
        """Spell factors side by side, or above and below a bar."""
        top, bottom = abs(term.coefficient.numerator), term.coefficient.denominator
        above = [(factor, e) for factor, e in term.powers if e > 0]
        below = [(factor, -e) for factor, e in term.powers if e < 0]
        if below:
            parts = (self._alone(top, above), self._alone(bottom, below))
            return self.fraction.format(*map(self.group.format, parts))
        if bottom == 1:
            return self.side_by_side(self._number(top, above), above)
        return self.side_by_side(self.fraction.format(*map(self.integer.format, (top, bottom))), above)

    def _alone(self, number: int, powers: Sequence[tuple[Factor, int]]) -> str:
        """Spell what is above or below a bar, where one factor by itself needs no brackets."""
        if number == 1 and len(powers) == 1 and powers[0][1] == 1:
            return powers[0][0].text
        return self.side_by_side(self._number(number, powers), powers)

    def _number(self, number: int, powers: Sequence[tuple[Factor, int]]) -> str:
        """Spell a number before factors; 1 is not written where there are any."""
        return "" if number == 1 and powers else self.integer.format(number)
