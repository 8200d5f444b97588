"""Formulas in plain ASCII, in the grammar of Python with ^ for powers: they can be pasted into SymPy."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.report.forms import Binding, Factor, Form, Term
from eomc.backends.report.names import Name
from eomc.backends.report.spelling import FUNCTIONS, Spelling
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

__all__ = ["TextSpelling"]

_COMPARISONS = {Op.LT: "<", Op.LE: "<=", Op.EQ: "==", Op.NE: "!="}
_CONSTANTS = {Named.PI: "pi", Named.E: "exp(1)", Named.EPSILON: "epsilon", Named.NAN: "nan"}


class TextSpelling(Spelling):
    """ASCII: ``m*l^2*theta'^2/2``."""

    def name(self, name: Name) -> str:
        """Spell a name."""
        return name.text

    def real(self, value: float) -> str:
        """Spell a float by its shortest digits."""
        return repr(value)

    def constant(self, value: Named) -> str:
        """Spell a named constant."""
        return _CONSTANTS[value]

    def call(self, op: Op, args: Sequence[str], simple: bool) -> tuple[str, str, int]:
        """Spell ``sin(x)``."""
        return f"{FUNCTIONS[op]}({', '.join(args)})", "", Binding.ATOM

    def raised(self, factor: Factor, exponent: int) -> str:
        """Spell ``x^2``."""
        return self.closed(factor) if exponent == 1 else f"{self.closed(factor, Binding.ATOM)}^{exponent}"

    def real_power(self, base: Factor, exponent: Form) -> str:
        """Spell ``x^(3/2)``, ``x^n``."""
        lone = exponent.lone_factor()
        text = self.total(exponent)
        bare = lone is not None and lone.binding == Binding.ATOM
        return f"{self.closed(base, Binding.ATOM)}^{text if bare else self.brackets(text)}"

    def term(self, term: Term) -> str:
        """Spell ``1/2*m*v^2``, ``a*b/(2*c)``."""
        above = [self.raised(factor, e) for factor, e in term.powers if e > 0]
        below = [self.raised(factor, -e) for factor, e in term.powers if e < 0]
        top, bottom = abs(term.coefficient.numerator), term.coefficient.denominator
        if not below:
            number = f"{top}/{bottom}" if bottom != 1 else str(top)
            return "*".join(above if number == "1" and above else [number, *above])
        above = above if top == 1 and above else [str(top), *above]
        below = below if bottom == 1 else [str(bottom), *below]
        divisor = below[0] if len(below) == 1 else self.brackets("*".join(below))
        return f"{'*'.join(above)}/{divisor}"

    def signed(self, term: str, negative: bool, first: bool) -> str:
        """Put the sign before."""
        if first:
            return f"-{term}" if negative else term
        return f"{'-' if negative else '+'} {term}"

    def zero(self) -> str:
        """Spell zero."""
        return "0"

    def brackets(self, text: str) -> str:
        """Put round brackets around."""
        return f"({text})"

    def conditional(self, condition: str, if_true: str, if_false: str) -> str:
        """Spell ``a if c else b``."""
        return f"{if_true} if {condition} else {if_false}"

    def comparison(self, op: Op, x: str, y: str) -> str:
        """Spell ``x < y``."""
        return f"{x} {_COMPARISONS[op]} {y}"

    def logic(self, op: Op, args: Sequence[str]) -> str:
        """Spell ``a and b``, ``not a``."""
        return f"not {args[0]}" if op is Op.NOT else f" {op.value} ".join(args)
