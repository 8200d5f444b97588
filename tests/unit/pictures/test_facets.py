"""Faces of solids: they close, face outwards, and have the areas that they have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.model.shapes import ShapeKind
from eomc.pictures.facets import facets
from eomc.scenery import Solid

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
