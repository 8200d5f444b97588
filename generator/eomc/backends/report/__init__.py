"""Equations of motion -> a report that a person reads: plain text, LaTeX or a web page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from eomc.backends.render import render
from eomc.backends.report.choose import choose_named
from eomc.backends.report.compose import Composer, Written
from eomc.backends.report.latex import LatexSpelling
from eomc.backends.report.mathml import MathmlSpelling, math
from eomc.backends.report.notation import Names
from eomc.backends.report.outline import Grid, Section, Show, make_outline, nodes_of
from eomc.backends.report.pages import Heading, html_page, latex_page, text_page
from eomc.backends.report.recursion import ShortForm, written
from eomc.backends.report.spelling import Spelling
from eomc.backends.report.text import TextSpelling
from eomc.backends.report.textbook import put_in_textbook_form
from eomc.backends.report.views import legend_of
from eomc.backends.report.writer import Writer
from eomc.errors import UsageError
from eomc.ir.equations import EquationsOfMotion, ForcesApart
from eomc.ir.graph import Node


class _Described(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...


class _Build(Protocol):
    """What is read of a build (`eomc.build.Build`)."""

    @property
    def model(self) -> _Described: ...

    @property
    def equations(self) -> EquationsOfMotion: ...


@dataclass(frozen=True, slots=True)
class _Format:
    spelling: Callable[[], Spelling]
    page: Callable[[Heading, list[Written], Spelling], object]
    template: str
    fragment: str = ""  # of a notebook
    sections: str = ""  # of a page of others


FORMATS = {
    "text": _Format(TextSpelling, text_page, "report/equations.txt.jinja"),
    "latex": _Format(LatexSpelling, latex_page, "report/equations.tex.jinja", "report/fragment.tex.jinja"),
    "html": _Format(
        MathmlSpelling,
        html_page,
        "report/equations.html.jinja",
        "report/fragment.html.jinja",
        "report/sections.html.jinja",
    ),
}


def render_equations(build: _Build, format: str = "text", apart: ForcesApart | None = None) -> str:
    """Return the equations of motion of a build, for reading.

    Parameters
    ----------
    build
        What `eomc.compile` returns; its model and its equations are read.
    format
        ``"text"`` (ASCII), ``"latex"`` (a document) or ``"html"`` (a page that needs nothing else).
    apart
        Active and inertia forces, to be printed beside the equations that are made of them.

    Raises
    ------
    UsageError
        There is no such format.
    """
    if format not in FORMATS:
        raise UsageError(f"equations are printed as {', '.join(FORMATS)}, not as {format!r}")
    return _rendered(build, FORMATS[format], FORMATS[format].template, apart)


def render_fragment(build: _Build, format: str, apart: ForcesApart | None = None) -> str:
    """Return what a notebook shows: a part of a page (``"html"``), or displays for MathJax (``"latex"``)."""
    return _rendered(build, FORMATS[format], FORMATS[format].fragment, apart)


def render_sections(build: _Build, apart: ForcesApart | None = None) -> str:
    """Return the equations alone, in MathML, for a page that has `style` and a heading of its own."""
    return _rendered(build, FORMATS["html"], FORMATS["html"].sections, apart)


def style() -> str:
    """Return how sections are set, as CSS; it styles what stands in an element of the class ``eomc``."""
    return render("report/style.css.jinja", None)


def letters_of(equations: EquationsOfMotion) -> dict[str, str]:
    """Return states, inputs and parameters as the equations print them, in MathML, by the model's names."""
    names, spelling = Names(equations), MathmlSpelling()
    variables = (*equations.states, *equations.inputs, *equations.parameters)
    return {one.name: math(spelling.name(names.symbols[one.symbol])) for one in variables}


def render_short(model: _Described, short: ShortForm, format: str, part: str = "template") -> str:
    """Return the short form of a tree's equations: its joints in a table, and the recursion over one of them.

    `part` is the whole page, ``"template"``, its ``"fragment"`` for a notebook, or its ``"sections"`` alone.
    """
    chosen = FORMATS[format]
    heading = Heading(model.name, model.description, "Kane's method by recursion over the joints", short.why, [])
    page = chosen.page(heading, written(short, format), chosen.spelling())
    text = render(getattr(chosen, part), page)
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _rendered(build: _Build, chosen: _Format, template: str, apart: ForcesApart | None) -> str:
    graph = build.equations.graph.copy()
    equations = replace(build.equations, graph=graph)
    names = Names(equations, apart)
    plain = Writer(graph, TextSpelling(), names.symbols)
    outline = put_in_textbook_form(make_outline(equations, names, apart), plain)
    roots, shown = _roots(outline)
    spelling = chosen.spelling()
    writer = Writer(graph, spelling, names.symbols)
    composer = Composer(writer, plain, names, choose_named(plain, roots, shown))
    sections = [composer.section(section) for section in outline]
    heading = Heading(
        build.model.name,
        build.model.description,
        equations.method.title,
        names.follow(equations.summary),
        legend_of(equations, names),
    )
    text = render(template, chosen.page(heading, sections, spelling))
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")  # only HTML has more than ASCII


def _roots(outline: tuple[Section, ...]) -> tuple[list[Node], set[Node]]:
    """Return all nodes to be printed, and those of them that will have a name."""
    roots: list[Node] = []
    shown: set[Node] = set()
    for item in (item for section in outline for item in section.items):
        roots += nodes_of(item)
        if isinstance(item, Grid) or (isinstance(item, Show) and item.name is not None and item.lasting):
            shown.update(nodes_of(item))
    return roots, shown
