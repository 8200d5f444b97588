"""From where the places of a picture are told: numbers of formats and viewers have single precision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eomc.pictures.motion import PICTURE, Array, Motion, Node
from eomc.scenery import Segment, Solid
from eomc.scenery.records import GROUND, Floats

_FINE = 1e-6


def home_of(motion: Motion) -> Array:
    """Return from where places are told: the origin, or the middle of what moves where that is far off.

    Far off is where the rounding of single precision is more than a millionth of the picture.
    """
    places = [node.offsets for node in motion.nodes if node.moves] or [node.offsets for node in motion.nodes]
    if not places:
        return np.zeros(3)
    low, high = (pick([pick(one, axis=0) for one in places], axis=0) for pick in (np.min, np.max))
    largest = float(max(np.abs(low).max(), np.abs(high).max()))
    far = largest * 2.0**-24 > _FINE * PICTURE / motion.view.scale
    found: Array = (low + high) / 2 if far else np.zeros(3)
    return found


def from_home(motion: Motion, home: Array) -> tuple[Node, ...]:
    """Return the nodes with their places from there; what stands on the ground is moved in the ground's own node."""
    if not home.any():
        return motion.nodes
    return tuple(_moved(node, home) for node in motion.nodes)


def _moved(node: Node, home: Array) -> Node:
    if any(one.row == GROUND for one in node.solids) or any(one.start_row == GROUND for one in node.lines):
        solids = tuple(_solid(one, home) for one in node.solids)
        return replace(node, solids=solids, lines=tuple(_line(one, home) for one in node.lines))
    return replace(node, offsets=node.offsets - home)


def _solid(solid: Solid, home: Array) -> Solid:
    return replace(solid, offset=_less(solid.offset, home))


def _line(line: Segment, home: Array) -> Segment:
    return replace(line, start=_less(line.start, home), end=_less(line.end, home))


def _less(place: Floats, home: Array) -> Floats:
    return tuple((np.array(place) - home).tolist())
