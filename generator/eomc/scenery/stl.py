"""Triangles of STL, binary or text (M. Burns, *Automated Fabrication* (1993), section 6.5)."""

from __future__ import annotations

import re

import numpy as np

from eomc.model.surfaces import Surface, joined

_HEAD, _EACH = 84, 50  # bytes
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(content: bytes) -> Surface:
    """Return the surface.

    Raises
    ------
    ValueError
        It is none, or ends too early.
    """
    count = int.from_bytes(content[80:_HEAD], "little") if len(content) >= _HEAD else 0
    exact = len(content) >= _HEAD and len(content) == _HEAD + _EACH * count
    if not exact and content.lstrip()[:5].lower() == b"solid":
        return _of_text(content)
    if len(content) < _HEAD + _EACH * count or len(content) < _HEAD:
        raise ValueError(f"it ends too early: it tells of {count} triangles")
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
    read = np.frombuffer(content, record, count, _HEAD)
    return joined(read["corners"].astype(float), np.arange(3 * count))


def _of_text(content: bytes) -> Surface:
    found = _VERTEX.findall(content)
    try:
        points = np.array(found, dtype=float)
    except ValueError as error:
        raise ValueError("a vertex of it is not three numbers") from error
    if len(found) % 3 or len(found) != len(re.findall(rb"\bvertex\b", content, re.IGNORECASE)):
        raise ValueError("it ends too early: a triangle has not three vertices")
    return joined(points, np.arange(len(found)))
