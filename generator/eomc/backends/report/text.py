"""Formulas in plain ASCII, in the grammar of Python with ^ for powers: they can be pasted into SymPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from eomc.backends.report.forms import Binding, Factor, Form, Term
from eomc.backends.report.notation import Name
from eomc.backends.report.spelling import OpSpelling, Spelling, table_of
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

OPS = table_of(
    {
        Op.LT: OpSpelling(sign=" < "), Op.LE: OpSpelling(sign=" <= "), Op.EQ: OpSpelling(sign=" == "),
        Op.NE: OpSpelling(sign=" != "), Op.AND: OpSpelling(sign=" and "), Op.OR: OpSpelling(sign=" or "),
        Op.NOT: OpSpelling(sign="not "),
    },
    name=str,
)  # fmt: skip


class TextSpelling(Spelling):
    """ASCII: ``m*l^2*theta'^2/2``."""

    ops = OPS
    constants: ClassVar = {Named.PI: "pi", Named.E: "exp(1)", Named.EPSILON: "epsilon", Named.NAN: "nan"}

    def name(self, name: Name) -> str:
        """Spell a name."""
        return name.text

    def real(self, value: float) -> str:
        """Spell a float by its shortest digits."""
        return repr(value)

    def applied(self, name: str, args: Sequence[str], simple: bool) -> tuple[str, str]:
        """Spell ``sin(x)``."""
        return f"{name}({', '.join(args)})", ""

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

    def conditional(self, condition: str, if_true: str, if_false: str) -> str:
        """Spell ``a if c else b``."""
        return f"{if_true} if {condition} else {if_false}"
