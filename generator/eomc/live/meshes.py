"""Meshes for a page that runs: few triangles, in two bytes a number, which a page unpacks once."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.vectors import Array
from eomc.model.surfaces import Surface
from eomc.pictures.coarsening import coarser

MOST = 2_000
"""Triangles of all meshes of a page, each file counted once: a page sorts them anew for each picture that it draws."""

_STEPS = 65_535


@dataclass(frozen=True, slots=True)
class Packed:
    """Surfaces of a page."""

    numbers: dict[int, int]  # of surfaces as they were read, by identity
    sizes: tuple[dict[str, Any], ...]  # of each how many points and triangles, and between which corners [file's unit]
    data: str  # points in shares of that box, then triangles; all in two bytes, low ones first, deflated, in base64


def packed(surfaces: Iterable[tuple[Surface, Array]]) -> Packed:
    """Return surfaces as a page takes them.

    Parameters
    ----------
    surfaces
        As they were read, with the factors that make metres of their units, shape (3,).
    """
    made = coarser(surfaces, MOST).surfaces
    sizes, data = [], b""
    for one in made.values():
        span = np.where(one.high > one.low, one.high - one.low, 1.0)
        shares = np.rint((one.points - one.low) / span * _STEPS)
        data += shares.astype("<u2").tobytes() + one.triangles.astype("<u2").tobytes()
        corners = {name: [float(f"{x:.6g}") for x in at] for name, at in (("low", one.low), ("high", one.low + span))}
        sizes.append({"points": len(one.points), "triangles": len(one.triangles), **corners})
    return Packed(
        {key: number for number, key in enumerate(made)},
        tuple(sizes),
        base64.b64encode(zlib.compress(data, 9)).decode() if made else "",
    )
