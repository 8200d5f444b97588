"""Meshes in pictures: as they are in .glb, as outlines in .svg, with fewer triangles where there are too many."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.model.shapes import ShapeKind
from eomc.model.surfaces import Surface
from eomc.pictures import Motion, sampled
from eomc.pictures.coarsening import coarsened
from eomc.pictures.glb import glb
from eomc.pictures.meshes import sphere
from eomc.pictures.page import page
from eomc.pictures.silhouettes import covered, loops, silhouette
from eomc.pictures.svg import svg
from eomc.pictures.webp import still
from eomc.scenery import Scene, Solid

TURNED = Rotation.from_rotvec([0.0, 0.0, 0.3])
L = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]])  # an L, which is not convex
FLAT = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]


def plate() -> Surface:
    """Return an L of even thickness."""
    points = np.concatenate([np.column_stack([L, np.full(6, z)]) for z in (0.0, 0.5)])
    sides = [(k, (k + 1) % 6, 6 + k) for k in range(6)] + [((k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
    lids = [(a, c, b) for a, b, c in FLAT] + [(a + 6, b + 6, c + 6) for a, b, c in FLAT]
    return Surface(points, np.array(sides + lids))


def ball(times: int) -> Surface:
    """Return a sphere whose triangles are divided into four so many times."""
    mesh = sphere()
    points, triangles = mesh.vertices, mesh.triangles.astype(int)
    for _ in range(times):
        a, b, c = (points[triangles[:, k]] for k in range(3))
        corners = np.stack([a, b, c, (a + b) / 2, (b + c) / 2, (c + a) / 2], axis=1)
        pieces = corners[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]].reshape(-1, 3)
        points, number = np.unique(np.round(pieces, 12), axis=0, return_inverse=True)
        triangles = number.reshape(-1, 3)
    return Surface(points, triangles)


def moving(surface: Surface, scale: tuple[float, ...] = (1.0, 1.0, 1.0), count: int = 1) -> Motion:
    """Return a motion of a mesh that turns about z."""
    solids = tuple(
        Solid(k, f"one{k}", ShapeKind.MESH, scale, (0.1, 0.2, 0.0), tuple(TURNED.as_quat(scalar_first=True)),
              "a.stl", "#ff0000", surface=surface) for k in range(count)
    )  # fmt: skip
    scene = Scene("mesh", "", tuple(one.name for one in solids), solids, (), (0.0, 1.0, 0.0))

    def poses(t: np.ndarray) -> np.ndarray:
        turn = Rotation.from_rotvec(np.outer(t, [0.0, 0.0, 1.0])).as_quat(scalar_first=True)
        return np.stack([np.concatenate([np.full((len(t), 3), float(k)), turn], axis=1) for k in range(count)], axis=1)

    return sampled(scene, poses, 0.0, 1.0)


def read(data: bytes) -> tuple[dict, bytes]:
    """Return the document of a .glb and its buffer."""
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20 : 20 + size]), data[28 + size :]


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.001, 0.002, -0.003)])
def test_corners_of_a_mesh_in_glb(scale: tuple[float, ...]) -> None:
    """Its node scales, turns and moves them to where the shape has them; triangles are those of the file, flat."""
    surface = plate()
    document, body = read(glb(moving(surface, scale), 1.0))
    (node,) = (one for one in document["nodes"] if "mesh" in one)
    (part,) = document["meshes"][node["mesh"]]["primitives"]
    assert set(part["attributes"]) == {"POSITION"}
    place, run = (document["accessors"][k] for k in (part["attributes"]["POSITION"], part["indices"]))
    start = document["bufferViews"][place["bufferView"]]["byteOffset"]
    points = np.frombuffer(body, "<f4", 3 * place["count"], start).reshape(-1, 3)
    start = document["bufferViews"][run["bufferView"]]["byteOffset"]
    triangles = np.frombuffer(body, "<u2", run["count"], start).reshape(-1, 3)
    found = Rotation.from_quat(node["rotation"]).apply(points * node["scale"]) + node["translation"]
    expected = TURNED.apply(surface.points * scale) + np.array([0.1, 0.2, 0.0])
    np.testing.assert_allclose(found[triangles], expected[surface.triangles], rtol=1e-6, atol=1e-9)
    (material,) = (document["materials"][part["material"]],)
    assert material["name"] == "#ff0000"


def test_one_file_is_one_mesh_and_many_points_have_long_numbers() -> None:
    """Two wheels share their points; more than 65535 points are numbered by 32 bits."""
    document, _ = read(glb(moving(plate(), count=3), 1.0))
    assert len(document["meshes"]) == 1
    assert len([one for one in document["nodes"] if "mesh" in one]) == 3
    many = np.arange(3 * 25_000).reshape(-1, 3)
    cloud = np.random.default_rng(0).normal(size=(75_000, 3))
    document, _ = read(glb(moving(Surface(cloud, many)), 1.0))
    (part,) = document["meshes"][0]["primitives"]
    kinds = {document["accessors"][k]["componentType"] for k in (part["indices"], part["attributes"]["POSITION"])}
    assert kinds == {5125, 5126}


def test_fewer_triangles_are_near_those_that_they_stand_for() -> None:
    """At most as many as allowed, no point farther off than told, the ball still a ball; and the caption says so."""
    motion = moving(ball(4))
    before = len(ball(4).triangles)
    assert before > 60_000
    (solid,) = motion.scene.solids
    assert 20_000 < len(solid.surface.triangles) <= 60_000
    told = re.search(r"Meshes of (\d+) triangles are drawn with (\d+), off by at most (\S+) mm", motion.words)
    assert (int(told[1]), int(told[2])) == (before, len(solid.surface.triangles))
    made = coarsened(motion.scene, 1000)
    (few,) = made.scene.solids
    assert made.after == len(few.surface.triangles) <= 1000
    assert made.moved < 0.3
    corners = few.surface.points[few.surface.triangles]
    assert np.abs(np.linalg.norm(few.surface.points, axis=1) - 1.0).max() < 0.02  # points of the ball itself
    volume = np.einsum("ki,ki->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    assert volume == pytest.approx(4.0 * np.pi / 3.0, rel=0.1)
    assert coarsened(motion.scene, 10**6).note == ""


def test_what_is_small_does_not_vanish() -> None:
    """A tiny mesh beside a large one becomes a box of its size, at its place."""
    tiny = Surface(ball(0).points * 1e-4 + 5.0, ball(0).triangles)
    turned = (1.0, 0.0, 0.0, 0.0)
    solids = tuple(
        Solid(k, str(k), ShapeKind.MESH, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), turned, surface=one)
        for k, one in enumerate((ball(3), tiny))
    )
    _, small = coarsened(Scene("two", "", ("0", "1"), solids, (), None), 500).scene.solids
    assert len(small.surface.triangles) == 12
    np.testing.assert_allclose([small.surface.low, small.surface.high], [tiny.low, tiny.high], rtol=1e-12)


def area(loop: np.ndarray) -> float:
    """Return the area that a loop encloses counterclockwise (C. F. Gauss)."""
    x, y = loop.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_the_outline_of_an_l_is_an_l(size: float) -> None:
    """Six corners, the area of it, whatever its size: no hull, and no edges of triangles."""
    (loop,) = silhouette(size * L, np.array(FLAT))
    assert len(loop) == 6
    assert area(loop) == pytest.approx(4.0 * size**2, rel=0.02)
    apart = np.linalg.norm(loop[:, None] - size * L[None], axis=-1).min(axis=1)
    assert apart.max() < 0.02 * size


def test_holes_are_kept() -> None:
    """A ring has two loops, the inner one clockwise."""
    angles = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    round_ = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.concatenate([round_, 0.5 * round_])
    k = np.arange(60)
    after = (k + 1) % 60
    triangles = np.concatenate([np.stack([k, after, k + 60], axis=1), np.stack([after, after + 60, k + 60], axis=1)])
    found = sorted(map(area, silhouette(points, triangles)))
    assert found == pytest.approx([-np.pi / 4, np.pi], rel=0.03)


def test_every_cell_that_a_triangle_reaches_is_covered() -> None:
    """Random triangles, thin ones too, against points inside of them; and no cell far from them is covered."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        corners = rng.uniform(1.0, 19.0, (4, 3, 2)) * [[[1.0, 1.0]]]
        corners[0, 2] = (corners[0, 0] + corners[0, 1]) / 2
        grid = covered(corners, (20, 20))
        weights = rng.dirichlet([0.5, 0.5, 0.5], 4000)
        inside = np.einsum("nk,mki->mni", weights, corners).reshape(-1, 2)
        assert grid[inside[:, 1].astype(int), inside[:, 0].astype(int)].all()
        for y, x in np.argwhere(grid):
            assert np.linalg.norm(inside - [x + 0.5, y + 0.5], axis=1).min() < 1.5


def test_loops_go_around_all_cells() -> None:
    """The areas of the loops of a random grid, holes and cells that touch at a corner included, are its cells."""
    for seed in range(20):
        grid = np.random.default_rng(seed).uniform(size=(9, 7)) < 0.5
        assert sum(map(area, loops(grid))) == pytest.approx(grid.sum())


def test_an_l_in_svg_page_and_webp() -> None:
    """An outline in the first, in the second the same, and in the third its colour where it is and white where not."""
    motion = moving(plate())
    text = svg(motion, 1.0)
    (path,) = re.findall(r'<path d="(M[^"]+Z)" fill-rule="evenodd" fill="#ff0000"', text)
    corners = np.array([list(map(float, one.split())) for one in path[1:-1].split("L")])
    assert abs(area(corners)) == pytest.approx(4.0 * motion.view.scale**2, rel=0.02)
    assert path in page(motion, 1.0)
    image = np.asarray(still(motion, 0.0).convert("RGB"), dtype=int)

    def pixel(x: float, y: float) -> np.ndarray:
        place = TURNED.apply([x, y, 0.0])[:2] + np.array([0.1, 0.2])
        right, down = place[0] - motion.view.low[0], motion.view.high[1] - place[1]
        return image[round(down * motion.view.scale), round(right * motion.view.scale)]

    assert pixel(0.5, 2.0)[0] > 200 > 60 > pixel(0.5, 2.0)[1]
    assert pixel(1.6, 2.0).min() > 240  # in the corner of the L
