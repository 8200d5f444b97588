"""Triangles of COLLADA 1.4 and 1.5: the geometries of its scene, each where its nodes put it, in metres.

Colours are those of plain effects, the diffuse one without its opacity, on which writers do not agree.

The axis that is up in the file does not turn it, as viewers of robots have it: a link's frame is the file's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from eomc.model.colours import hex_of
from eomc.model.surfaces import Surface, joined
from eomc.scenery.finite import finite_numbers

Element = ElementTree.Element
Array = NDArray[np.float64]
Corners = NDArray[np.int64]
Piece = tuple[Array, Corners, Corners]  # points, triangles, and the number of what each of these is painted with
_DEEPEST = 100  # nodes in each other
_NONE = ElementTree.Element("none")
_MOST = 10_000  # nodes; references to nodes may double them at each level


def read_collada(content: bytes) -> Surface:
    """Return the surface.

    Raises
    ------
    ValueError
        It is no XML, has a document type, or lacks what it refers to.
    """
    try:
        parser = ElementTree.XMLParser(target=_Builder())
        root = ElementTree.fromstring(content, parser)
    except (ElementTree.ParseError, LookupError) as error:
        raise ValueError(f"it is no XML: {error}") from error
    for one in root.iter():
        one.tag = str(one.tag).rpartition("}")[2]
    if root.tag != "COLLADA":
        raise ValueError(f"its root element is <{root.tag}>, not <COLLADA>")
    return _Reading(root).whole()


class _Builder(ElementTree.TreeBuilder):
    """Builds the document, unless it has entities that may grow without bounds."""

    def doctype(self, *_: object) -> None:
        """Refuse a document type."""
        raise ValueError("it has a document type, which may define entities")


class _Reading:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._known = {one.get("id", ""): one for one in root.iter() if one.get("id")}
        unit = root.find("asset/unit")
        self._metre = 1.0 if unit is None else float(unit.get("meter", "1"))
        self._read: dict[str, Piece] = {}
        self._symbols: dict[str, int] = {}
        self._colours: dict[str, int] = {"": 0}
        self._count = 0

    def whole(self) -> Surface:
        shown = self._root.find("scene/instance_visual_scene")
        scenes = [self._at(shown)] if shown is not None else self._root.findall("library_visual_scenes/visual_scene")
        pieces: list[Piece] = []
        for scene in scenes:
            for node in scene.findall("node"):
                pieces += self._node(node, np.diag([self._metre, self._metre, self._metre, 1.0]), 0)
        return joined(*_together(pieces), list(self._colours))

    def _at(self, reference: Element, attribute: str = "url") -> Element:
        """Return what an element refers to."""
        name = reference.get(attribute, "").removeprefix("#")
        if name not in self._known:
            raise ValueError(f"<{reference.tag}> refers to {name!r}, which is not in the file")
        return self._known[name]

    def _node(self, node: Element, above: Array, depth: int) -> Iterator[Piece]:
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST:
            raise ValueError(f"it has more than {_MOST} nodes, or more than {_DEEPEST} in each other")
        here = above
        for one in node:
            if one.tag in _TRANSFORMS:
                here = here @ _TRANSFORMS[one.tag](_numbers(one))
        for one in node.findall("instance_geometry"):
            points, corners, symbols = self._geometry(self._at(one))
            yield points @ here[:3, :3].T + here[:3, 3], corners, self._painted(one)[symbols]
        for one in node.findall("node"):
            yield from self._node(one, here, depth + 1)
        for one in node.findall("instance_node"):
            yield from self._node(self._at(one), here, depth + 1)

    def _painted(self, instance: Element) -> Corners:
        """Return the number of the colour that each symbol of a material stands for in an instance of a geometry."""
        bound = {
            one.get("symbol", ""): one.get("target", "").removeprefix("#") for one in instance.iter("instance_material")
        }
        colours = (self._colour(bound.get(symbol, symbol)) for symbol in self._symbols)
        return np.array([self._colours.setdefault(one, len(self._colours)) for one in colours], dtype=np.int64)

    def _colour(self, material: str) -> str:
        """Return the plain colour of a material, "" where it has none."""
        effect = self._known.get(material, _NONE).find("instance_effect")
        found = None if effect is None else self._known.get(effect.get("url", "").removeprefix("#"), _NONE)
        plain = None if found is None else found.find("profile_COMMON/technique/*/diffuse/color")
        shares = None if plain is None else finite_numbers((plain.text or "").split()[:3])
        return hex_of(*shares) if shares is not None and len(shares) == 3 else ""

    def _geometry(self, geometry: Element) -> Piece:
        """Return points and triangles of a geometry in its own axes, painted with symbols of materials."""
        key = geometry.get("id", "")
        if key not in self._read:
            mesh = geometry.find("mesh")
            parts = [] if mesh is None else [one for one in mesh if one.tag in _CORNERS]
            self._read[key] = _together(list(map(self._primitive, parts)))
        return self._read[key]

    def _primitive(self, part: Element) -> Piece:
        wide = _wide(part)
        vertex = next((one for one in part.findall("input") if one.get("semantic") == "VERTEX"), None)
        if vertex is None:
            raise ValueError(f"its <{part.tag}> has no vertices")
        place = next(one for one in self._at(vertex, "source").iter("input") if one.get("semantic") == "POSITION")
        array = self._at(place, "source").find("float_array")
        if array is None:
            raise ValueError("its positions are no array of numbers")
        points = _numbers(array).reshape(-1, 3)
        column, corners = int(vertex.get("offset", "0")), []
        for run, counts in _CORNERS[part.tag](part):
            corners.append(_fans(run.reshape(-1, wide)[:, column], counts))
        triangles = np.concatenate([np.zeros((0, 3), int), *corners])
        symbol = self._symbols.setdefault(part.get("material", ""), len(self._symbols))
        return points, triangles, np.full(len(triangles), symbol)


def _together(pieces: Sequence[Piece]) -> Piece:
    """Return points and triangles of several pieces as those of one."""
    first = np.cumsum([0, *(len(points) for points, _, _ in pieces)])
    corners = (one + start for (_, one, _), start in zip(pieces, first, strict=False))
    return (
        np.concatenate([np.zeros((0, 3)), *(points for points, _, _ in pieces)]),
        np.concatenate([np.zeros((0, 3), int), *corners]),
        np.concatenate([np.zeros(0, int), *(paint for _, _, paint in pieces)]),
    )


def _wide(part: Element) -> int:
    """Return how many numbers a primitive has for each corner."""
    return 1 + max((int(one.get("offset", "0")) for one in part.findall("input")), default=0)


def _numbers(element: Element) -> Array:
    return np.array((element.text or "").split(), dtype=float)


def _integers(element: Element | None) -> Corners:
    return np.array([] if element is None else (element.text or "").split(), dtype=np.int64)


def _fans(corners: Corners, counts: Corners | None) -> Corners:
    """Return triangles of polygons with so many corners each; of triangles where no counts are given."""
    if counts is None or (counts == 3).all():
        return corners.reshape(-1, 3)
    ends = np.cumsum(counts)
    if ends[-1] != len(corners):
        raise ValueError("its polygons have other numbers of corners than it tells")
    fans = [
        (end - count, end - count + k, end - count + k + 1)
        for end, count in zip(ends.tolist(), counts.tolist(), strict=True)
        for k in range(1, count - 1)
    ]
    return corners[np.array(fans, dtype=np.int64).reshape(-1, 3)]


def _polygons(part: Element) -> Iterator[tuple[Corners, Corners | None]]:
    wide = _wide(part)
    for one in part.findall("p"):
        run = _integers(one)
        yield run, np.array([len(run) // wide])


_CORNERS = {
    "triangles": lambda part: ((_integers(one), None) for one in part.findall("p")),
    "polylist": lambda part: [(_integers(part.find("p")), _integers(part.find("vcount")))],
    "polygons": _polygons,
}
"""Of primitives: corners in runs, and how many each polygon has."""


def _moved(values: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, 3] = values
    return matrix


def _turned(values: Array) -> Array:
    """Return a rotation about an axis by degrees (O. Rodrigues)."""
    length = float(np.linalg.norm(values[:3]))
    axis, angle = values[:3] / (length or 1.0), np.radians(values[3])
    cross = np.cross(np.eye(3), axis)
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
    return matrix


_TRANSFORMS: dict[str, Callable[[Array], Array]] = {
    "matrix": lambda values: values.reshape(4, 4),
    "translate": _moved,
    "rotate": _turned,
    "scale": lambda values: np.diag([*values, 1.0]),
}
