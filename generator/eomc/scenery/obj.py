"""Triangles of Wavefront OBJ: vertices and polygons; materials, normals and curves are not looked at."""

from __future__ import annotations

import itertools

from eomc.model.surfaces import Surface, joined


def read_obj(content: bytes) -> Surface:
    """Return the surface; a polygon of more than three corners becomes a fan of triangles.

    Raises
    ------
    ValueError
        A number is none, or a polygon has a vertex that there is not.
    """
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    text = content.decode("utf-8", "replace").replace("\\\n", " ").replace("\\\r\n", " ")
    for number, line in enumerate(text.splitlines(), 1):
        key, *words = line.split("#", 1)[0].split() or [""]
        try:
            if key == "v":
                x, y, z = map(float, words[:3])
                points.append((x, y, z))
            elif key == "f":
                corners = [int(word.partition("/")[0]) for word in words]
                first, *others = [one - 1 if one > 0 else len(points) + one for one in corners]
                triangles += [(first, second, third) for second, third in itertools.pairwise(others)]
        except ValueError as error:
            raise ValueError(f"line {number} is not what OBJ has: {line.strip()[:40]!r}") from error
    return joined(points or [(0.0, 0.0, 0.0)], triangles)
