"""Triangles of Wavefront OBJ with the plain colours of its materials; no normals, curves and textures."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from eomc.model.colours import hex_of
from eomc.model.surfaces import Surface, joined
from eomc.scenery.finite import finite_numbers


def _nothing(_: str) -> bytes:
    return b""


def read_obj(content: bytes, beside: Callable[[str], bytes] = _nothing) -> Surface:
    """Return the surface; a polygon of more than three corners becomes a fan of triangles.

    Parameters
    ----------
    content
        The file.
    beside
        Returns what a file beside it has, nothing where there is none: its materials, which may be missing.

    Raises
    ------
    ValueError
        A number is none, or a polygon has a vertex that there is not.
    """
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    paint: list[int] = []
    materials: dict[str, int] = {"": 0}
    used, libraries = 0, []
    for number, line in enumerate(_lines(content), 1):
        key, *words = line.split("#", 1)[0].split() or [""]
        try:
            if key == "v":
                x, y, z = map(float, words[:3])
                points.append((x, y, z))
            elif key == "f":
                corners = [int(word.partition("/")[0]) for word in words]
                first, *others = [one - 1 if one > 0 else len(points) + one for one in corners]
                triangles += [(first, second, third) for second, third in itertools.pairwise(others)]
                paint += [used] * (len(others) - 1)
            elif key == "usemtl":
                used = materials.setdefault(" ".join(words), len(materials))
            elif key == "mtllib":
                libraries.append(" ".join(words))
        except ValueError as error:
            raise ValueError(f"line {number} is not what OBJ has: {line.strip()[:40]!r}") from error
    known = {name: colour for library in libraries for name, colour in _colours(beside(library))}
    return joined(points or [(0.0, 0.0, 0.0)], triangles, paint, [known.get(name, "") for name in materials])


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").replace("\\\n", " ").replace("\\\r\n", " ").splitlines()


def _colours(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the materials of a library that have a plain colour: a diffuse one in red, green, blue, and no texture."""
    name = ""
    found: dict[str, list[float] | None] = {}
    for line in [*_lines(content), "newmtl"]:
        key, *words = line.split("#", 1)[0].split() or [""]
        if key == "newmtl":
            shares = found.get("Kd")
            if shares is not None and len(shares) == 3 and "map_Kd" not in found:
                red, green, blue = shares
                yield name, hex_of(red, green, blue, _opacity(found))
            name, found = " ".join(words), {}
        elif key in ("Kd", "d", "Tr", "map_Kd"):
            found[key] = finite_numbers(words)


def _opacity(found: dict[str, list[float] | None]) -> float:
    """Return d, or 1 - Tr; nothing is written as wholly transparent but by mistake."""
    for key, begin, sign in (("d", 0.0, 1.0), ("Tr", 1.0, -1.0)):
        numbers = found.get(key)
        if numbers and len(numbers) == 1:
            opacity = begin + sign * numbers[0]
            return opacity if opacity > 0.0 else 1.0
    return 1.0
