"""Formulas of vectors and tensors in plain text, LaTeX and MathML."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.report.recursion.algebra import (
    Call,
    Cross,
    Dot,
    Dyad,
    Expression,
    Number,
    Over,
    Product,
    Quotient,
    Skew,
    Sum,
    Sym,
    Transposed,
)
from eomc.backends.report.recursion.symbols import WORDS

_SUM, _CROSS, _PRODUCT, _ATOM = range(4)  # how tight what is spelled holds together


@dataclass(frozen=True, slots=True)
class Language:
    """The signs of a language; those with braces take what stands in them."""

    name: str
    cross: str
    dot: str
    beside: str
    transposed: str
    brackets: str
    skew: str
    over: str  # index and what is summed
    quotient: str  # above and below
    function: str
    number: str
    minus: str
    comma: str


TEXT = Language("text", " x ", " . ", " ", "{}^T", "({})", "[{}]", "sum_{} {}", "{}/{}", "{}({})", "{}", "-", ", ")
LATEX = Language(
    "latex", r" \times ", r" \cdot ", r" \, ", "{{{}}}^{{T}}", r"\left({}\right)", r"\left[{}\right]",
    r"\sum_{{{}}} {}", r"\frac{{{}}}{{{}}}", r"\mathrm{{{}}}({})", "{}", "-", ", ",
)  # fmt: skip
MATHML = Language(
    "html", "<mo>&#xD7;</mo>", "<mo>&#x22C5;</mo>", '<mspace width="0.2em"/>',
    "<msup><mrow>{}</mrow><mi>T</mi></msup>", "<mrow><mo>(</mo>{}<mo>)</mo></mrow>",
    "<mrow><mo>[</mo>{}<mo>]</mo></mrow>", "<munder><mo>&#x2211;</mo><mi>{}</mi></munder>{}",
    "<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", '<mi class="word">{}</mi><mrow><mo>(</mo>{}<mo>)</mo></mrow>',
    "<mn>{}</mn>", "<mo>&#x2212;</mo>", "<mo>,</mo>",
)  # fmt: skip


def symbol(given: Sym, language: Language) -> str:
    """Return a quantity with its mark and its index."""
    word = WORDS[given.name]
    if language.name == "text":
        mark = word.mark.replace("-", "0")
        return f"{word.text}{mark}{f'_{given.index}' if given.index else ''}{chr(39) * word.dotted}"
    if language.name == "latex":
        letter = rf"\dot{{{word.latex}}}" if word.dotted else word.latex
        mark = f"^{{{word.mark}}}" if word.mark else ""
        return f"{letter}{mark}{f'_{{{given.index}}}' if given.index else ''}"
    letter = f"<mover>{word.html}<mo>&#x2D9;</mo></mover>" if word.dotted else word.html
    marks = f"<mi>{word.mark.replace('-', '&#x2212;')}</mi>" if word.mark else ""
    index = f"<mrow>{''.join(f'<mi>{i}</mi>' for i in given.index)}</mrow>" if given.index else ""
    if marks and index:
        return f"<msubsup>{letter}{index}{marks}</msubsup>"
    if marks or index:
        kind = "msup" if marks else "msub"
        return f"<{kind}>{letter}{marks or index}</{kind}>"
    return letter


def pieces(given: Expression, language: Language) -> tuple[str, ...]:
    """Return the signed terms of a sum, between which a line may break."""
    if not isinstance(given, Sum):
        return (_spell(given, language)[0],)
    if not given.terms:
        return (language.number.format(0),)
    found = []
    for k, (sign, term) in enumerate(given.terms):
        text = _closed(term, language, _CROSS if k or sign < 0 else _SUM)
        if language.name == "html":
            form = "infix" if k else "prefix"
            mark = f'<mo form="{form}">{"&#x2212;" if sign < 0 else "+"}</mo>' if k or sign < 0 else ""
        else:
            mark = ("- " if sign < 0 else "+ ") if k else "-" * (sign < 0)
        found.append(mark + text)
    return tuple(found)


def spell(given: Expression, language: Language) -> str:
    """Return a whole formula."""
    return _spell(given, language)[0]


def _closed(given: Expression, language: Language, needed: int) -> str:
    """Return a formula, in brackets where it holds together less than needed."""
    text, binding = _spell(given, language)
    return text if binding >= needed else language.brackets.format(text)


def _spell(given: Expression, language: Language) -> tuple[str, int]:
    def closed(one: Expression, needed: int) -> str:
        return _closed(one, language, needed)

    match given:
        case Sym():
            return symbol(given, language), _ATOM
        case Number(value):
            return language.number.format(value), _ATOM
        case Sum():
            return (" " if language.name != "html" else "").join(pieces(given, language)), _SUM
        case Product(a, b):
            right = closed(b, _PRODUCT) if not isinstance(b, Quotient) else closed(b, _ATOM)
            return closed(a, _PRODUCT) + language.beside + right, _PRODUCT
        case Dyad(a, b):
            return closed(a, _ATOM) + language.beside + language.transposed.format(closed(b, _ATOM)), _PRODUCT
        case Cross(a, b):
            return closed(a, _ATOM) + language.cross + closed(b, _ATOM), _CROSS
        case Dot(a, b):
            return closed(a, _ATOM) + language.dot + closed(b, _ATOM), _CROSS
        case Transposed(a):
            return language.transposed.format(closed(a, _ATOM)), _ATOM
        case Skew(a):
            return language.skew.format(spell(a, language)), _ATOM
        case Over(index, a):
            return language.over.format(index, closed(a, _PRODUCT)), _CROSS
        case Call(name, args):
            return language.function.format(name, language.comma.join(spell(one, language) for one in args)), _ATOM
        case Quotient(a, b):
            if language.name == "text":
                return language.quotient.format(closed(a, _PRODUCT), closed(b, _ATOM)), _PRODUCT
            return language.quotient.format(spell(a, language), spell(b, language)), _PRODUCT
