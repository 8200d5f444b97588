"""Faces of solids: they close, face outwards, and have the areas that they have."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.model.shapes import ShapeKind
from eomc.pictures import Motion, sampled
from eomc.pictures.facets import facets
from eomc.pictures.glb import glb
from eomc.pictures.outlines import outline
from eomc.pictures.svg import svg
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


STILL = (1.0, 0.0, 0.0, 0.0)


def seen_from_above(*solids: Solid, tilted: bool = False) -> Motion:
    """Return a motion of solids, and of a body that goes aside, or in space."""

    def poses(t: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(t), 2, 7))
        rows[:, :, 3] = 1.0
        rows[:, 1, 0] = t
        if tilted:
            rows[:, 1, 2], rows[:, 1, 1] = t**2, t**3
        return rows

    mover = Solid(1, "mover", ShapeKind.SPHERE, (0.01,), (2.0, 2.0, 0.0), STILL)
    return sampled(Scene("m", "", ("one", "mover"), (*solids, mover), (), (0.0, 0.0, 1.0)), poses, 0.0, 1.0)


@pytest.mark.parametrize("half", [(0.5, 0.2, 0.1), (0.3, 0.3, 0.0), (0.4, 0.0, 0.0)])
def test_the_outline_of_an_ellipsoid(half: tuple[float, ...]) -> None:
    """Its corners have the support of A A^T, A the projected half axes: h(d)^2 = d . A A^T d (a conic's dual)."""
    solid = Solid(0, "one", ShapeKind.ELLIPSOID, half, (0.1, 0.2, 0.3), tuple(TURNED.as_quat(scalar_first=True)))
    flat = Rotation.from_rotvec([0.3, 0.2, -0.7]).as_matrix()[:2]
    found = outline(solid, flat).points - flat @ np.array(solid.offset)
    angles = np.linspace(0.0, 2.0 * np.pi, 200)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    axes = flat @ TURNED.as_matrix() * np.array(half)
    support = np.sqrt(np.maximum(np.einsum("ki,ij,kj->k", ways, axes @ axes.T, ways), 0.0))
    assert np.abs((ways @ found.T).max(axis=1) - support).max() < 2.5e-3 * max(half)  # of 48 corners


def test_an_ellipsoid_is_drawn_in_every_flat_format() -> None:
    """In SVG and frames its area is that of an ellipse, pi a b; and a picture holds all of it."""
    solid = Solid(0, "one", ShapeKind.ELLIPSOID, (1.0, 0.5, 0.25), (0.0, 0.0, 0.0), STILL, colour="#ff0000")
    motion = seen_from_above(solid)
    assert motion.view.planar
    scale = motion.view.scale
    (told,) = re.findall(r'<polygon points="([^"]+)" fill="#ff0000"', svg(motion, 1.0))
    corners = np.array(told.split(), dtype=float).reshape(-1, 2)
    view = motion.view.axes[:2]
    across = abs(np.linalg.det((view * [1.0, 0.5, 0.25])[:, :2])) if abs(motion.view.normal[2]) > 0.5 else 0.25
    x, y = corners.T
    expected = np.pi * across * scale**2
    assert abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 == pytest.approx(expected, rel=0.01)
    image = np.asarray(still(motion, 0.0).convert("RGB"), dtype=int)
    assert ((image[..., 0] > 150) & (image[..., 1] < 100)).sum() == pytest.approx(expected, rel=0.03)


def test_ground_is_as_light_in_every_format_as_in_svg() -> None:
    """Lit from above it is paper through which 0.45 of its colour is seen, and at most a tenth darker."""
    ground = Solid(-1, "ground", ShapeKind.BOX, (8.0, 8.0, 0.1), (0.0, 0.0, -0.5), STILL)
    motion = seen_from_above(ground, tilted=True)
    assert not motion.view.planar
    image = np.asarray(still(motion, 0.0).convert("RGB"), dtype=int)
    colours, counts = np.unique(image.reshape(-1, 3), axis=0, return_counts=True)
    grey = [(count, one) for one, count in zip(colours, counts, strict=True) if np.ptp(one) < 20 and one.max() < 254]
    top = max(grey, key=lambda one: one[0])[1]
    paper = 255 * 0.55 + 0.45 * np.array([0xCC, 0xD0, 0xD5])
    assert (top >= 0.9 * paper).all()
    assert (top <= paper + 1).all()
    data = glb(motion, 1.0)
    materials = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])["materials"]
    told = [[int(one["name"][k : k + 2], 16) for k in (1, 3, 5)] for one in materials]
    assert min(np.abs(np.array(one) - paper).max() for one in told) <= 1.0
    flat = np.asarray(still(seen_from_above(replace(ground, sizes=(8.0, 8.0, 1.0))), 0.0).convert("RGB"), dtype=int)
    assert (np.abs(flat - paper).max(axis=-1) <= 1.0).any()  # and in a plane as in SVG, to the bit


def test_what_faces_the_eye_has_its_colour() -> None:
    """Of planar pictures frames have the colours that SVG has."""
    box = Solid(0, "one", ShapeKind.BOX, (4.0, 4.0, 2.0), (0.0, 0.0, 0.0), STILL, colour="#e69f00")
    motion = seen_from_above(box)
    assert motion.view.planar
    image = np.asarray(still(motion, 0.0).convert("RGB"), dtype=int)
    assert (image == [0xE6, 0x9F, 0x00]).all(axis=-1).mean() > 0.1


def test_a_face_turned_to_the_light_is_brighter() -> None:
    """The top of a box is brighter than its sides."""
    box = Solid(0, "one", ShapeKind.BOX, (4.0, 4.0, 2.0), (0.0, 0.0, 0.0), STILL, colour="#ffffff")
    motion = seen_from_above(box, tilted=True)
    image = np.asarray(still(motion, 0.0).convert("RGB"), dtype=int)
    view = motion.view

    def pixel(place: tuple[float, float, float]) -> int:
        flat = view.axes[:2] @ np.array(place)
        return int(image[round((view.high[1] - flat[1]) * view.scale), round((flat[0] - view.low[0]) * view.scale)][0])

    side = max(((-2.0, 0.1, 0.2), (2.0, 0.1, 0.2), (0.1, -2.0, 0.2), (0.1, 2.0, 0.2)), key=lambda p: view.normal @ p)
    assert pixel((0.1, 0.3, 1.0)) > pixel(side) + 10


@pytest.mark.parametrize(("alpha", "share"), [("", 1.0), ("ff", 1.0), ("80", 128 / 255)])
def test_what_light_passes_in_flat_formats(alpha: str, share: float) -> None:
    """Of a box over a black one, white shows by its opacity; SVG says it as fill-opacity."""
    black = Solid(0, "one", ShapeKind.BOX, (1.0, 1.0, 0.2), (0.0, 0.0, -1.0), STILL, colour="#000000")
    white = Solid(0, "one", ShapeKind.BOX, (1.0, 1.0, 0.2), (0.0, 0.0, 1.0), STILL, colour=f"#ffffff{alpha}")
    across = [replace(one, quaternion=STILL) for one in (black, white)]
    motion = seen_from_above(*across)
    if abs(motion.view.normal[2]) < 0.5:  # a straight way is seen from the side: one behind the other along y
        across = [replace(one, offset=(0.0, -np.sign(motion.view.normal[1]) * -one.offset[2], 0.0)) for one in across]
        motion = seen_from_above(*across)
    view = motion.view
    image = np.asarray(still(motion, 0.0).convert("RGB"), dtype=int)
    row, column = round(view.high[1] * view.scale) - 3, round(-view.low[0] * view.scale) + 3
    assert image[row, column][0] == pytest.approx(255 * share * 0.95, abs=20)
    told = f'fill="#ffffff" fill-opacity="{share:.1f}"' if share < 1.0 else 'fill="#ffffff"/'
    assert told in svg(motion, 1.0)
