"""What a model looks like, as JavaScript of its parameters: who turns one sees the shapes change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy.printing.codeprinter import PrintMethodNotImplementedError
from sympy.printing.jscode import JavascriptCodePrinter

from eomc.binding.vectors import Array
from eomc.live.meshes import Packed, packed
from eomc.model import Model
from eomc.model.appearance import Anchor
from eomc.model.placements import placements
from eomc.model.shapes import ShapeKind
from eomc.pictures.colours import FAINT, INK, hex_of, paint_of
from eomc.scenery.meshes import Meshes
from eomc.scenery.numbers import Numbers
from eomc.scenery.records import GROUND
from eomc.scenery.worn import WornShape, worn_shapes


@dataclass(frozen=True, slots=True)
class Appearance:
    """What a page draws."""

    shapes: str  # an expression of `p`, the parameters as an array: solids and lines that follow rows of poses
    meshes: Packed  # to which solids point


def shapes_of(model: Model, names: Sequence[str], values: Mapping[str, float]) -> Appearance:
    """Return what a model looks like.

    Parameters
    ----------
    model
        What is drawn.
    names
        Of the parameters, in the order of the array.
    values
        Of the parameters by name: guesses are made of them, and what JavaScript has no word for keeps them.
    """
    known = {one.symbol: values.get(one.name, float(one.value)) for one in model.parameters}
    places = {one.symbol: sympy.Symbol(f"p[{names.index(one.name)}]") for one in model.parameters if one.name in names}
    script = _Script(places, Numbers(known))
    worn = list(worn_shapes(model, known, Meshes()))
    meshes = packed((one.surface, script.numbers(one.shape.sizes)) for one in worn if one.surface is not None)
    items = [*_solids(worn, script, meshes.numbers), *_lines(model, script)]
    told = [", ".join(f"{key}: {value}" for key, value in item.items()) for item in items]
    return Appearance("[" + ",\n".join(f"{{{one}}}" for one in told) + "]", meshes)


class _Script:
    """Numbers and expressions in JavaScript."""

    def __init__(self, places: Mapping[Any, sympy.Symbol], numbers: Numbers) -> None:
        self._places, self._numbers = places, numbers
        self._printer = JavascriptCodePrinter({"strict": True})

    def __call__(self, entry: Any) -> str:
        """Return an entry; one that has no word keeps its value."""
        if isinstance(entry, sympy.Basic) and entry.free_symbols:
            try:
                return str(self._printer.doprint(entry.xreplace(self._places)))
            except PrintMethodNotImplementedError:
                pass
        return json.dumps(self._numbers(entry))

    def numbers(self, entries: Iterable[Any]) -> Array:
        """Return entries at the values that are known."""
        return np.array([self._numbers(entry) for entry in entries])

    def each(self, entries: Iterable[Any]) -> str:
        """Return an array."""
        return f"[{', '.join(map(self, entries))}]"


def _solids(worn: Iterable[WornShape], script: _Script, meshes: Mapping[int, int]) -> Iterator[dict[str, str]]:
    """Yield solids, and lines of one row; a cylinder between two places has these, no offset and rotation."""
    for one in worn:
        row, shape = one.row, one.shape
        if shape.kind is ShapeKind.LINE:
            assert shape.ends is not None
            yield _line(row, shape.ends[0], row, shape.ends[1], shape.style, shape.colour, script)
            continue
        colour = paint_of(shape.colour, row)
        item = {"row": str(row), "kind": json.dumps(shape.kind.value), "colour": json.dumps(colour)}
        if shape.kind is not ShapeKind.POINT:
            item["sizes"] = script.each(shape.sizes)
        if one.surface is not None:
            item["mesh"] = str(meshes[id(one.surface)])
        if shape.ends is None:
            turned = script.each(entry for line in shape.rotation for entry in line)
            yield {**item, "offset": script.each(shape.offset), "turn": turned}
        else:
            start, end = map(script.each, shape.ends)
            yield {**item, "from": start, "to": end}


def _lines(model: Model, script: _Script) -> Iterator[dict[str, str]]:
    """Yield lines between rows, those of which both ends have a pose."""
    rows = {one.name: row for row, one in reversed(list(enumerate(placements(model).rows)))}

    def row_of(anchor: Anchor) -> int | None:
        return GROUND if anchor.row is None else rows.get(anchor.row)

    for line in model.appearance.lines:
        start, end = row_of(line.start), row_of(line.end)
        if start is not None and end is not None:
            yield _line(start, line.start.at, end, line.end.at, line.style, line.colour, script)


def _line(start: int, first: Any, end: int, last: Any, style: str, colour: str, script: _Script) -> dict[str, str]:
    stands = start == end == GROUND
    return {
        "kind": '"line"',
        "style": json.dumps(style),
        "colour": json.dumps(hex_of(colour, FAINT if stands else INK)),
        "row": str(start),
        "from": script.each(first),
        "end": str(end),
        "to": script.each(last),
    }
