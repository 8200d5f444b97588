"""Faces of solids: they close, face outwards, and have the areas that they have."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.model.shapes import ShapeKind
from eomc.pictures import sampled
from eomc.pictures.facets import facets
from eomc.pictures.glb import glb
from eomc.pictures.webp import still
from eomc.scenery import Scene, Solid

TURNED = Rotation.from_rotvec([0.4, -0.9, 0.2])


def area(corners: np.ndarray) -> np.ndarray:
    """Return the vector of a flat polygon's area."""
    return np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0) / 2


@pytest.mark.parametrize(
    ("kind", "sizes", "areas"),
    [
        (ShapeKind.BOX, (1.0, 2.0, 3.0), [6.0, 6.0, 3.0, 3.0, 2.0, 2.0]),
        (ShapeKind.CYLINDER, (0.5, 2.0), [np.pi / 4, np.pi / 4]),
        (ShapeKind.SPHERE, (1.0,), []),
    ],
)
def test_areas_and_normals(kind: ShapeKind, sizes: tuple[float, ...], areas: list[float]) -> None:
    """Each is across its normal and as far out as the solid is; a round rim of 32 corners loses 1 % of its disk."""
    place = (0.1, 0.2, 0.3)
    solid = Solid(0, "one", kind, sizes, place, tuple(TURNED.as_quat(scalar_first=True).tolist()))
    found = list(facets(solid))
    assert [np.linalg.norm(area(corners)) for _, corners in found] == pytest.approx(areas, rel=0.01)
    halves = np.repeat(np.array(sizes if kind is ShapeKind.BOX else sizes[1:]) / 2, 2)
    for (normal, corners), half in zip(found, halves, strict=False):
        np.testing.assert_allclose((corners - place) @ normal, half, rtol=1e-12)


@pytest.mark.parametrize(("length", "shown"), [(0.2, True), (3.0, False)])
def test_a_wheel_that_turns_about_its_axle_is_seen_to_turn(length: float, shown: bool) -> None:
    """Its spoke moves in flat pictures and in .glb; a rod has none."""
    one = Solid(0, "one", ShapeKind.CYLINDER, (1.0, length), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    other = Solid(1, "other", ShapeKind.SPHERE, (0.1,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))

    def poses(t: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(t), 2, 7))
        rows[:, 0, 3:] = Rotation.from_rotvec(np.outer(t, [0.0, 0.0, 3.0])).as_quat(scalar_first=True)
        rows[:, 1, 3] = 1.0
        rows[:, 1, 0], rows[:, 1, 2] = 3.0 + t, t**2  # what makes it a motion in space
        rows[:, 1, 3:] = Rotation.from_rotvec(np.outer(t, [3.0, 0.0, 0.0])).as_quat(scalar_first=True)
        return rows

    motion = sampled(Scene("m", "", ("one", "other"), (one, other), (), (0.0, 0.0, 1.0)), poses, 0.0, 1.0)
    assert not motion.view.planar
    first, later = (np.asarray(still(motion, share).convert("RGB"), dtype=int) for share in (0.0, 0.5))
    blue = (first[..., 2] > first[..., 0] + 50) & (later[..., 2] > later[..., 0] + 50)  # of the wheel in both
    spokes = np.abs(first - later).max(axis=-1) > 40
    around = np.pad(spokes, 1)[2:, 1:-1] | np.pad(spokes, 1)[:-2, 1:-1]
    assert (around & blue).sum() > 300 or not shown  # without the spoke 168: the edges of the rim
    data = glb(motion, 1.0)
    nodes = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])["nodes"]
    assert len([node for node in nodes if node.get("scale") == [1.0, 0.04, 1.02]]) == shown
