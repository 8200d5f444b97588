"""Spelled sections -> the view of a page in each format."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from eomc.backends.ascii import plain
from eomc.backends.report.compose import Equation, Line, Matrix, Part, Sentence, Table, Written
from eomc.backends.report.latex import escape
from eomc.backends.report.letters import GREEK, with_greek
from eomc.backends.report.lines import fold, text_lines
from eomc.backends.report.mathml import math
from eomc.backends.report.notation import Name
from eomc.backends.report.spelling import Spelling
from eomc.backends.report.views import Group, PageView, Row, Section, TextView
from eomc.ir.program import Variable


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above the equations."""

    title: str
    description: str
    method: str  # in words
    summary: str  # the form of the equations, in the letters of this page
    legend: list[tuple[str, list[tuple[Name, Variable | None]]]]


# -- text ------------------------------------------------------------------------------------------------------------


def text_page(heading: Heading, sections: Sequence[Written], spelling: Spelling) -> TextView:
    """Return the view of plain text."""
    groups = _legend(heading, spelling.name, plain, plain)
    title = ": ".join(filter(None, [plain(heading.title), plain(heading.description)]))
    method = f"{heading.method}: {plain(heading.summary)}"
    return TextView(tuple(text_lines(title, method, groups, sections)))


# -- LaTeX -----------------------------------------------------------------------------------------------------------

_LATEX_LINE = 66
_LATEX_ROWS = 35  # of a table that stands on one page
_WORDS = re.compile(r"\\(?:sin|cos|tan|sinh|cosh|tanh|arcsin|arccos|arctan|min|max)\b")
_COMMANDS = re.compile(r"\\(?:begin|end)\{\w+\}|\\(?:frac|left|right|mathrm|mathit|text|operatorname)|\\[A-Za-z]+|\\.")


@dataclass(frozen=True, slots=True)
class LatexLine:
    """One paragraph: `rows` of an aligned display, a sentence, or a table of rows with its columns and heading."""

    rows: tuple[str, ...]
    sentence: str
    table: tuple[str, ...] = ()
    columns: str = ""
    head: str = ""
    environment: str = "tabular"


def latex_page(heading: Heading, sections: Sequence[Written], spelling: Spelling) -> PageView:
    """Return the view of a LaTeX document; neighbouring equations are aligned together."""
    return PageView(
        _latex(heading.title),
        _latex(heading.description),
        _latex(heading.method),
        _latex_words(heading.summary),
        _legend(heading, spelling.name, _latex_unit, _latex),
        tuple(Section(_latex_words(section.title), tuple(_latex_lines(section))) for section in sections),
    )


def _latex_lines(section: Written) -> Iterator[LatexLine]:
    """Yield a table, or a paragraph for all sentences, or all other lines, that follow each other."""
    for kind, group in itertools.groupby(section.lines, _kind_of):
        if kind is Table:
            yield from (_latex_table(line) for line in group if isinstance(line, Table))
            continue
        texts = [text for line in group if not isinstance(line, Table) for text in _latex_texts(line)]
        yield LatexLine((), r" \\ ".join(texts)) if kind is Sentence else LatexLine(tuple(texts), "")


def _kind_of(line: Line) -> type[Line]:
    """Return of what kind a paragraph is that a line stands in."""
    return type(line) if isinstance(line, (Sentence, Table)) else Equation


def _latex_table(table: Table) -> LatexLine:
    """Return a table; the last column of one without headings takes the width that is left."""
    width = len(table.rows[0]) if table.rows else 0
    columns = "l" * width if table.head else "l" * (width - 1) + r"p{0.8\textwidth}"
    rows = tuple(" & ".join(_latex_part(part) for part in row) for row in table.rows)
    environment = "longtable" if len(rows) > _LATEX_ROWS else "tabular"
    return LatexLine((), "", rows, columns, " & ".join(map(_latex, table.head)), environment)


def _latex_part(part: Part) -> str:
    return f"${part.text}$" if part.formula else _latex_words(part.text)


def _latex_texts(line: Equation | Matrix | Sentence) -> list[str]:
    """Return a sentence, or the rows of an equation or matrix."""
    if isinstance(line, Sentence):
        return ["".join(f"${p.text}$" if p.formula else escape(p.text) for p in line.parts)]
    if isinstance(line, Matrix):
        body = r" \\ ".join(" & ".join(row) for row in line.rows)
        return [rf"{line.left} &= \begin{{pmatrix}} {body} \end{{pmatrix}}"]
    return _latex_rows(line)


def _latex_rows(line: Equation) -> list[str]:
    """Return the rows of an equation, broken before a sign."""
    first, *others = fold(line.pieces, _LATEX_LINE, _latex_width)
    rows = [f"{line.left} &= {first}", *(rf"&\quad {other}" for other in others)]
    if line.remark:
        remark = rf"\quad \text{{({_latex(line.remark)})}}"
        fits = _latex_width(rows[-1]) + len(line.remark) <= _LATEX_LINE
        rows[-1:] = [f"{rows[-1]} {remark}"] if fits else [rows[-1], f"& {remark}"]
    return rows


def _latex_width(text: str) -> int:
    return len(re.sub(r"[{}^_ ]", "", _COMMANDS.sub("m", _WORDS.sub("mm", text))))


def _latex(text: str) -> str:
    return escape(plain(text))


def _latex_words(text: str) -> str:
    """Return words of our own, Greek letters and raised T among them."""
    return with_greek(_latex(text), lambda letter: rf"$\{letter}$").replace(r"\textasciicircum{}T", r"$^{T}$")


def _latex_unit(unit: str) -> str:
    return re.sub(r"\\textasciicircum\{\}(-?\d+)", r"$^{\1}$", _latex(unit))


# -- HTML ------------------------------------------------------------------------------------------------------------

_RAISED = str.maketrans("0123456789-", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b")


@dataclass(frozen=True, slots=True)
class HtmlLine:
    """An equation (left and pieces), a matrix (one piece), a sentence (parts), or a table (rows)."""

    left: str
    pieces: tuple[str, ...]
    remark: str
    parts: tuple[Part, ...]
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Part, ...], ...] = ()  # of a table


def html_page(heading: Heading, sections: Sequence[Written], spelling: Spelling) -> PageView:
    """Return the view of a web page; every term is an element of its own, between which lines may break."""
    return PageView(
        heading.title,
        heading.description,
        heading.method,
        _html_words(heading.summary),
        _legend(heading, lambda name: math(spelling.name(name)), raised, lambda text: text),
        tuple(Section(_html_words(s.title), tuple(_html_line(line) for line in s.lines)) for s in sections),
    )


def _html_words(text: str) -> str:
    """Return words of our own, Greek letters, primes and raised T among them."""
    words = with_greek(text, GREEK.__getitem__)
    return re.sub(r"'+", lambda match: "\u2032" * len(match[0]), words).replace("^T", "\u1d40")


def raised(unit: str) -> str:
    """Return a unit with raised exponents.

    Examples
    --------
    >>> raised("kg m^2"), raised("m/s^-1")
    ('kg m²', 'm/s⁻¹')
    """
    return re.sub(r"\^(-?\d+)", lambda match: match[1].translate(_RAISED), unit)


def _html_line(line: Line) -> HtmlLine:
    if isinstance(line, Sentence):
        parts = tuple(Part(math(part.text), True) if part.formula else part for part in line.parts)
        return HtmlLine("", (), "", parts)
    if isinstance(line, Table):
        rows = tuple(
            tuple(Part(math(part.text), True) if part.formula else Part(_html_words(part.text), False) for part in row)
            for row in line.rows
        )
        return HtmlLine("", (), "", (), line.head, rows)
    left = math(f"{line.left}<mo>=</mo>")
    if isinstance(line, Equation):
        return HtmlLine(left, tuple(math(piece) for piece in line.pieces), line.remark, ())
    cells = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in line.rows)
    return HtmlLine(left, (math(f"<mrow><mo>(</mo><mtable>{cells}</mtable><mo>)</mo></mrow>"),), "", ())


# -- legend ----------------------------------------------------------------------------------------------------------


def _legend(
    heading: Heading, symbol: Callable[..., str], unit: Callable[[str], str], words: Callable[[str], str]
) -> tuple[Group, ...]:
    return tuple(
        Group(
            title,
            tuple(
                Row(symbol(name), repr(v.value).removesuffix(".0"), unit(v.unit), words(v.description))
                for name, v in members
                if v is not None
            ),
            tuple(symbol(name) for name, v in members if v is None),
        )
        for title, members in heading.legend
    )
