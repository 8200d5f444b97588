r"""Formulas in LaTeX: \dot{\theta}, \frac, \sin^{2}\theta, cases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eomc.backends.report.forms import Binding, Factor
from eomc.backends.report.letters import greek
from eomc.backends.report.notation import Name
from eomc.backends.report.spelling import OpSpelling, table_of
from eomc.backends.report.typeset import Typeset
from eomc.ir.ops import Op
from eomc.ir.symbols import Named

OPS = table_of(
    {
        **{op: OpSpelling(name=rf"\{op.value}") for op in (Op.SIN, Op.COS, Op.TAN, Op.SINH, Op.COSH, Op.TANH)},
        **{op: OpSpelling(name=rf"\{op.value}") for op in (Op.MIN, Op.MAX)},
        Op.ASIN: OpSpelling(name=r"\arcsin"), Op.ACOS: OpSpelling(name=r"\arccos"),
        Op.ATAN: OpSpelling(name=r"\arctan"), Op.LOG: OpSpelling(name=r"\ln"),
        Op.SIGN: OpSpelling(name=r"\operatorname{sgn}"),
        Op.SQRT: OpSpelling(around=(r"\sqrt{", "}")),
        Op.EXP: OpSpelling(around=(r"\mathrm{e}^{", "}"), binding=Binding.POWER),
        Op.ABS: OpSpelling(around=(r"\left|", r"\right|")),
        Op.FLOOR: OpSpelling(around=(r"\left\lfloor ", r" \right\rfloor")),
        Op.LT: OpSpelling(sign=" < "), Op.LE: OpSpelling(sign=r" \le "), Op.EQ: OpSpelling(sign=" = "),
        Op.NE: OpSpelling(sign=r" \ne "), Op.AND: OpSpelling(sign=r" \land "), Op.OR: OpSpelling(sign=r" \lor "),
        Op.NOT: OpSpelling(sign=r"\lnot "),
    },
    name=lambda word: rf"\operatorname{{{word}}}",
)  # fmt: skip
_CONSTANTS = {Named.PI: r"\pi", Named.E: r"\mathrm{e}", Named.EPSILON: r"\varepsilon", Named.NAN: r"\mathrm{NaN}"}
_DOTS = {1: r"\dot", 2: r"\ddot", 3: r"\dddot", 4: r"\ddddot"}
_ESCAPES = {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", **{c: f"\\{c}" for c in "&%$#_{}"},
}  # fmt: skip


def escape(text: str) -> str:
    """Return ASCII text such that LaTeX sets just these characters."""
    return "".join(_ESCAPES.get(character, character) for character in text)


class LatexSpelling(Typeset):
    r"""LaTeX: ``\frac{1}{2} m \dot{\theta}^{2}``."""

    fraction = r"\frac{{{}}}{{{}}}"
    superscript = "{}^{{{}}}"
    ops = OPS
    constants = _CONSTANTS

    def name(self, name: Name) -> str:
        """Spell a name with its dots and subscripts."""
        letter = _letters(name.base.removesuffix("*"), "mathit")
        if name.base.endswith("*"):
            letter += "^{*}"
        if name.dots in _DOTS:
            letter = f"{_DOTS[name.dots]}{{{letter}}}"
        elif name.dots:
            letter = f"{letter}^{{({name.dots})}}"
        if not name.subscripts:
            return letter
        return f"{letter}_{{{','.join(_letters(word, 'mathrm') for word in name.subscripts)}}}"

    def real(self, value: float) -> str:
        """Spell a float, powers of ten as such."""
        mantissa, _, exponent = repr(value).partition("e")
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa

    def applied(self, name: str, args: Sequence[str], simple: bool) -> tuple[str, str]:
        r"""Spell ``\sin\theta``, ``\sin(a + b)``."""
        return name, f" {args[0]}" if simple else self.brackets(", ".join(args))

    def side_by_side(self, number: str, powers: Sequence[tuple[Factor, int]]) -> str:
        r"""Spell ``2 m v^{2}``; a dot keeps digits apart."""
        pieces = [number] if number else []
        for factor, exponent in powers:
            digits = pieces and pieces[-1][-1:].isdigit() and factor.text[:1].isdigit()
            pieces.append((r"\cdot " if digits else "") + self.raised(factor, exponent))
        return (r" \, " if any(r"\mathit" in factor.text for factor, _ in powers) else " ").join(pieces)

    def brackets(self, text: str) -> str:
        """Put round brackets around, as high as what they hold."""
        if r"\frac" in text or r"\begin" in text or r"\left" in text or r"\sqrt" in text:
            return rf"\left({text}\right)"
        return f"({text})"

    def conditional(self, condition: str, if_true: str, if_false: str) -> str:
        """Spell the choice as cases."""
        rows = rf"{if_true} & \text{{if }} {condition} \\ {if_false} & \text{{otherwise}}"
        return rf"\begin{{cases}} {rows} \end{{cases}}"


def _letters(word: str, font: str) -> str:
    letter = greek(word)
    if letter is not None:
        return rf"\{letter}"
    if len(word) == 1 or word.isdigit():
        return word
    numbered = re.fullmatch(r"([A-Za-z]+?)(\d+)", word)
    letter = greek(numbered[1]) if numbered else None
    if numbered and letter is not None:
        return rf"\{letter} {numbered[2]}"
    return rf"\{font}{{{escape(word)}}}"
