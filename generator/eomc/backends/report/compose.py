"""Outline -> lines of formulas in one language, intermediate variables just before their first use."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from eomc.backends.report.checks import CheckedPivot
from eomc.backends.report.forms import Form, negate
from eomc.backends.report.notation import Name, Names
from eomc.backends.report.outline import Grid, Item, Section, Show, listed, nodes_of
from eomc.backends.report.writer import Writer
from eomc.ir.cone import cone
from eomc.ir.graph import Node
from eomc.ir.ops import Op

WIDEST = 86
"""Characters of plain text in a row of a matrix that is set as one."""

LARGEST = 6
"""Rows of a matrix that is set as one."""

LONGEST_PIVOT = 72


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a sentence: words, or a formula in the language."""

    text: str
    formula: bool


@dataclass(frozen=True, slots=True)
class Equation:
    """left = sum of pieces; lines may break before every piece but the first."""

    left: str
    pieces: tuple[str, ...]
    remark: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """left = matrix of cells."""

    left: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and formulas."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of words and formulas below headings; without headings these are left out."""

    head: tuple[str, ...]
    rows: tuple[tuple[Part, ...], ...]


Line: TypeAlias = Equation | Matrix | Sentence | Table


@dataclass(frozen=True, slots=True)
class Written:
    """A section whose formulas are spelled."""

    title: str
    lines: tuple[Line, ...]


class Composer:
    """Spells an outline from beginning to end.

    Parameters
    ----------
    writer
        Of the language.
    plain
        Of plain text: it measures what fits.
    names
        Gives the letters of intermediate variables and of linear systems.
    named
        Nodes that are written by name.
    """

    def __init__(self, writer: Writer, plain: Writer, names: Names, named: frozenset[Node]) -> None:
        self._writer, self._plain = writer, plain
        self._spell = writer.spelling.name
        self._graph = writer.graph
        self._named = named
        self._letter = names.numbered("z")
        self._letters = tuple(map(names.numbered, "Sxb"))
        self._known: dict[Node, Form] = {}
        self._known_plain: dict[Node, Form] = {}
        self._long_pivots: dict[bool, list[Name]] = {}
        self._count = 0  # of intermediate variables
        self._systems: dict[Node, int] = {}
        self._lines: list[Line] = []

    def section(self, section: Section) -> Written:
        """Spell the next section."""
        self._lines = []
        passing: list[Node] = []  # what goes by its name within the section only
        for node, name in section.given:
            if node not in self._known and not self._is_leaf(node):
                passing += self._learn_passing(node, name)
        for item in section.items:
            self._item(item, section.by_name, passing)
        self._long_checked_pivots()
        for node in passing:
            self._known.pop(node, None)
            self._known_plain.pop(node, None)
        return Written(section.title, tuple(self._lines))

    # -- items -------------------------------------------------------------------------------------------------------

    def _item(self, item: Item, by_name: bool, passing: list[Node]) -> None:
        if isinstance(item, Show):
            self._define_missing([item.node])
            left = self._spell(item.name) if item.name is not None else self._writer.spelling.zero()
            self._equation(left, self._form(item.node), item.remark)
            if item.name is not None and item.lasting:
                self._remember(item.node, item.name, by_name, passing)
        elif isinstance(item, Grid):
            self._grid(item)
        elif isinstance(item, CheckedPivot):
            self._checked_pivot(item)
        else:
            self._sentence(item.parts)

    def _remember(self, node: Node, name: Name, by_name: bool, passing: list[Node]) -> None:
        if self._graph.ops[node] is Op.RESULT:  # x1_2 so far
            self._learn(node, name)
        if node in self._known or self._is_leaf(node):
            return
        if node in self._named:
            self._learn(node, name)
        elif by_name:
            passing += self._learn_passing(node, name)

    def _grid(self, grid: Grid) -> None:
        nodes = nodes_of(grid)
        self._define_missing(nodes)
        forms = self._forms(nodes)
        if len(grid.rows) <= LARGEST and self._width(grid, nodes) <= WIDEST:
            cells = tuple(tuple(self._writer.text(forms[node]) for node in row) for row in grid.rows)
            self._lines.append(Matrix(self._spell(grid.name), cells))
        else:
            self._entries(grid, forms)
        for row, names in zip(grid.rows, grid.entries, strict=True):
            for node, name in zip(row, names, strict=True):
                if node in self._named and node not in self._known:
                    self._learn(node, name)

    def _width(self, grid: Grid, nodes: Sequence[Node]) -> int:
        """Return the characters of a row of plain text, the matrix being set as one."""
        forms = self._plain.write(nodes, self._known_plain)
        lengths = [[len(self._plain.text(forms[node])) + 2 for node in row] for row in grid.rows]
        return sum(max(column) for column in zip(*lengths, strict=True))

    def _entries(self, grid: Grid, forms: Mapping[Node, Form]) -> None:
        zeros = False
        for i, (row, names) in enumerate(zip(grid.rows, grid.entries, strict=True)):
            for j, (node, name) in enumerate(zip(row, names, strict=True)):
                if grid.symmetric and j > i:
                    continue
                if self._graph.is_zero(node):
                    zeros = True
                    continue
                self._equation(self._spell(name), forms[node])
        words = ["symmetric"] if grid.symmetric else []
        words += ["zero where no entry is given"] if zeros else []
        if words:
            self._sentence((grid.name, " is " + ", ".join(words)))

    def _checked_pivot(self, item: CheckedPivot) -> None:
        pivot = item.pivot
        if pivot is None:
            self._sentence((f"{item.label.text} agree with the friction that they make",))
            return
        if not self._missing([pivot]):
            plain = self._plain.write([pivot], self._known_plain)[pivot]
            if len(self._plain.text(plain)) <= LONGEST_PIVOT:
                spelling = self._writer.spelling
                text = self._writer.text(self._form(pivot))
                if item.positive:
                    words, text = " has inertia: ", spelling.comparison(Op.LT, spelling.zero(), text)
                else:
                    words, text = " is determined: ", spelling.comparison(Op.NE, text, spelling.zero())
                self._lines.append(
                    Sentence((Part(self._spell(item.label), True), Part(words, False), Part(text, True)))
                )
                return
        self._long_pivots.setdefault(item.positive, []).append(item.label)

    def _long_checked_pivots(self) -> None:
        """Say in words what is too long to be written."""
        for positive, labels in self._long_pivots.items():
            words = "the mass matrix is positive definite, seen from the pivots of " if positive else "determined are "
            self._sentence([words, *listed(labels)])
        self._long_pivots.clear()

    def _sentence(self, parts: Sequence[str | Name]) -> None:
        made = [Part(part, False) if isinstance(part, str) else Part(self._spell(part), True) for part in parts]
        self._lines.append(Sentence(tuple(made)))

    # -- intermediate variables --------------------------------------------------------------------------------------

    def _define_missing(self, roots: Sequence[Node]) -> None:
        """Give the named nodes that the roots need, and that have not been given yet."""
        for node in self._missing(roots):
            if self._graph.ops[node] is Op.SOLVE:
                self._system(node)
                continue
            name = _numbered(self._letter, self._count)
            self._count += 1
            self._equation(self._spell(name), self._form(node))
            self._learn(node, name)

    def _missing(self, roots: Sequence[Node]) -> list[Node]:
        """Return the nodes to be given first, in order; the roots themselves are about to be shown."""
        graph, own = self._graph, set(roots)
        seen = cone(graph, roots, lambda node: node in self._known or node in self._systems)
        seen = [node for node in seen if node not in self._known]
        found = {
            node
            for node in seen
            if (node not in self._systems if graph.ops[node] is Op.SOLVE else node in self._named and node not in own)
        }
        if len(own) > 1:
            inside = own.intersection(itertools.chain.from_iterable(graph.args[node] for node in seen))
            found |= inside.intersection(self._named)  # roots that other roots are made of
        return sorted(found)

    def _system(self, node: Node) -> None:
        """State a linear system that is solved numerically: S x = b."""
        spec = self._graph.system_of(node)
        number = self._systems[node] = len(self._systems) + 1
        s, x, b = (_numbered(letter, number) for letter in self._letters)
        kind = "symmetric, lower triangle given" if spec.symmetric else "general"
        size = f"{spec.rows} x {spec.rows}"
        self._sentence((s, " ", x, " = ", b, " is solved numerically for ", x, f": {size}, {kind}"))
        args = self._graph.args[node]
        forms = self._forms(args)
        matrix, right = args[: spec.matrix_entries], args[spec.matrix_entries :]
        lefts = [_system_entry(s, i, j) for i, j in spec.places]
        lefts += [_side_entry(b, index, spec.columns) for index in range(spec.rows * spec.columns)]
        for name, entry in zip(lefts, (*matrix, *right), strict=True):
            if not self._graph.is_zero(entry):
                self._equation(self._spell(name), forms[entry])
        for result in range(node + 1, len(self._graph)):
            if self._graph.ops[result] is Op.RESULT and self._graph.args[result] == (node,):
                self._learn(result, _side_entry(x, self._graph.integer(result), spec.columns))

    # -- spelling ----------------------------------------------------------------------------------------------------

    def _forms(self, roots: Sequence[Node]) -> dict[Node, Form]:
        """Return how real quantities are written."""
        pieces = self._writer.write(roots, self._known)
        return {root: form for root in roots if isinstance(form := pieces[root], Form)}

    def _form(self, root: Node) -> Form:
        return self._forms([root])[root]

    def _learn(self, node: Node, name: Name) -> None:
        """From now on the node goes by the name."""
        number = len(self._known)
        self._known[node] = self._writer.named(name, number)
        self._known_plain[node] = self._plain.named(name, number)

    def _learn_passing(self, node: Node, name: Name) -> list[Node]:
        """Learn a name for this section; return what is to be forgotten at its end."""
        self._learn(node, name)
        inner = self._graph.args[node][0] if self._graph.ops[node] is Op.NEG else node
        if inner in self._known or self._is_leaf(inner):
            return [node]
        self._known[inner] = negate(self._known[node])  # x - a where V = -a: x + V
        self._known_plain[inner] = negate(self._known_plain[node])
        return [node, inner]

    def _equation(self, left: str, form: Form, remark: str = "") -> None:
        self._lines.append(Equation(left, tuple(self._writer.spelling.pieces(form)), remark))

    def _is_leaf(self, node: Node) -> bool:
        return self._graph.ops[node] in (Op.CONSTANT, Op.SYMBOL)


def _numbered(letter: str, number: int) -> Name:
    return Name(f"{letter}{number}", letter, (str(number),))


def _system_entry(name: Name, i: int, j: int) -> Name:
    return Name(f"{name.text}_{i + 1}_{j + 1}", name.base, (*name.subscripts, str(i + 1), str(j + 1)))


def _side_entry(name: Name, index: int, columns: int) -> Name:
    """Return the name of an entry of a right side or of a solution, counted by rows."""
    if columns > 1:
        return _system_entry(name, index // columns, index % columns)
    return Name(f"{name.text}_{index + 1}", name.base, (*name.subscripts, str(index + 1)))
