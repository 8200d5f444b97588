"""Formulas in MathML Core, which browsers set without help; well-formed as XML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import ClassVar

from eomc.backends.report.forms import Binding, Factor
from eomc.backends.report.letters import GREEK, greek
from eomc.backends.report.notation import Name
from eomc.backends.report.spelling import OpSpelling, table_of
from eomc.backends.report.typeset import Typeset
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

_TIMES = "<mo>&#x2062;</mo>"  # invisible
_APPLY = "<mo>&#x2061;</mo>"
_THIN = '<mspace width="0.17em"/>'
_MINUS = "&#x2212;"


def _sign(text: str) -> OpSpelling:
    return OpSpelling(sign=f"<mo>{text}</mo>")


def _fences(left: str, right: str) -> OpSpelling:
    opening, closing = (f'<mo fence="true" form="{form}">' for form in ("prefix", "postfix"))
    return OpSpelling(around=(f"<mrow>{opening}{left}</mo>", f"{closing}{right}</mo></mrow>"))


OPS = table_of(
    {
        Op.ASIN: OpSpelling(name="arcsin"), Op.ACOS: OpSpelling(name="arccos"), Op.ATAN: OpSpelling(name="arctan"),
        Op.LOG: OpSpelling(name="ln"), Op.SIGN: OpSpelling(name="sgn"),
        Op.SQRT: OpSpelling(around=("<msqrt>", "</msqrt>")),
        Op.EXP: OpSpelling(around=("<msup><mi>e</mi><mrow>", "</mrow></msup>"), binding=Binding.POWER),
        Op.ABS: _fences("|", "|"), Op.FLOOR: _fences("&#x230A;", "&#x230B;"),
        Op.LT: _sign("&lt;"), Op.LE: _sign("&#x2264;"), Op.EQ: _sign("="), Op.NE: _sign("&#x2260;"),
        Op.AND: _sign("&#x2227;"), Op.OR: _sign("&#x2228;"), Op.NOT: _sign("&#xAC;"),
    },
    name=str,
)  # fmt: skip
_CONSTANTS = {Named.PI: "&#x3C0;", Named.E: "e", Named.EPSILON: "&#x3B5;", Named.NAN: "NaN"}
_HIGH = ("<mfrac", "<mtable", "<msqrt", "<mroot")
_DOTS = {1: "&#x2D9;", 2: "&#xA8;", 3: "&#x20DB;"}


def math(text: str) -> str:
    """Return a formula as an element that stands in a line of text."""
    return f'<math displaystyle="true">{text}</math>'


class MathmlSpelling(Typeset):
    """MathML Core."""

    glue = ""
    integer = "<mn>{}</mn>"
    fraction = "<mfrac>{}{}</mfrac>"
    superscript = "<msup>{}{}</msup>"
    group = "<mrow>{}</mrow>"
    ops = OPS
    constants: ClassVar = {constant: f"<mi>{text}</mi>" for constant, text in _CONSTANTS.items()}

    def name(self, name: Name) -> str:
        """Spell a name with its dots and subscripts."""
        letter = _letters(name.base.removesuffix("*"))
        if name.base.endswith("*"):
            letter = f"<msup>{letter}<mo>*</mo></msup>"
        if name.dots:
            dots = _DOTS.get(name.dots, "&#x2032;" * name.dots)
            letter = f"<mover>{letter}<mo>{dots}</mo></mover>"  # as an accent it would sink into the letter
        if not name.subscripts:
            return letter
        return f"<msub>{letter}{_row('<mo>,</mo>'.join(_letters(word) for word in name.subscripts))}</msub>"

    def real(self, value: float) -> str:
        """Spell a float, powers of ten as such."""
        mantissa, _, exponent = repr(value).partition("e")
        if not exponent:
            return f"<mn>{mantissa}</mn>"
        power = f"<mn>{abs(int(exponent))}</mn>"
        power = _row(f"<mo>{_MINUS}</mo>{power}") if int(exponent) < 0 else power
        return _row(f"<mn>{mantissa}</mn><mo>&#xB7;</mo><msup><mn>10</mn>{power}</msup>")

    def applied(self, name: str, args: Sequence[str], simple: bool) -> tuple[str, str]:
        """Spell sin theta."""
        arguments = args[0] if simple else self.brackets("<mo>,</mo>".join(args))
        return f"<mi>{name}</mi>", _APPLY + (_THIN if simple else "") + arguments

    def side_by_side(self, number: str, powers: Sequence[tuple[Factor, int]]) -> str:
        """Spell a product with invisible signs of times; a dot keeps digits apart."""
        pieces = [number] if number else []
        for factor, exponent in powers:
            dotted = pieces and pieces[-1].endswith("</mn>") and factor.text.startswith("<mn>")
            if pieces:
                pieces.append("<mo>&#xB7;</mo>" if dotted else _TIMES)
            if pieces and (factor.tail or 'class="word"' in pieces[-2] + factor.text):
                pieces.append(_THIN)
            pieces.append(self.raised(factor, exponent))
        return "".join(pieces)

    def signed(self, term: str, negative: bool, first: bool) -> str:
        """Put the sign before, spaced as one between two terms even where a line begins with it."""
        if first:
            return f'<mo form="prefix">{_MINUS}</mo>{term}' if negative else term
        return f'<mo form="infix">{_MINUS if negative else "+"}</mo>{term}'

    def brackets(self, text: str) -> str:
        """Put round brackets around; those that need not grow stand close to what they hold."""
        still = "" if any(part in text for part in _HIGH) else ' stretchy="false"'
        return _row(f"<mo{still}>(</mo>{text}<mo{still}>)</mo>")

    def conditional(self, condition: str, if_true: str, if_false: str) -> str:
        """Spell the choice as cases behind a brace."""
        rows = (
            f"<mtr><mtd>{if_true}</mtd><mtd><mtext>if&#xA0;</mtext>{condition}</mtd></mtr>"
            f"<mtr><mtd>{if_false}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>"
        )
        return _row(f'<mo fence="true" form="prefix">{{</mo><mtable class="cases">{rows}</mtable>')


def _row(text: str) -> str:
    return f"<mrow>{text}</mrow>"


def _letters(word: str) -> str:
    letter = greek(word)
    if letter is not None:
        return f"<mi>{GREEK[letter]}</mi>"
    if word.isdigit():
        return f"<mn>{word}</mn>"
    return f"<mi>{word}</mi>" if len(word) == 1 else f'<mi class="word">{html.escape(word)}</mi>'
