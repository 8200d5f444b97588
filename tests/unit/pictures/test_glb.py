"""Binary glTF, read back by its specification, against motions in closed form."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.model.shapes import ShapeKind
from eomc.pictures import sampled
from eomc.pictures.glb import glb
from eomc.pictures.meshes import MESHES
from eomc.pictures.page import page

BEGIN, END = 1.0, 5.0


class Read:
    """A file as its chunks and accessors tell it."""

    def __init__(self, data: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert (size % 4, kind) == (0, b"JSON")
        self.document: dict[str, Any] = json.loads(data[20 : 20 + size])
        length, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert (kind, 28 + size + length) == (b"BIN\0", len(data))
        self.body = data[28 + size :]

    def array(self, k: int) -> np.ndarray:
        """Return an accessor's values; its bounds, where there are any, are theirs."""
        one = self.document["accessors"][k]
        view = self.document["bufferViews"][one["bufferView"]]
        kind = {5126: "<f4", 5123: "<u2"}[one["componentType"]]
        wide = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[one["type"]]
        values = np.frombuffer(self.body, kind, one["count"] * wide, view["byteOffset"]).reshape(-1, wide)
        if "min" in one:
            assert values.min(axis=0).tolist() == one["min"]
            assert values.max(axis=0).tolist() == one["max"]
        return values

    def animated(self, name: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return times and values of each path of a node."""
        found = {}
        for one in self.document["animations"][0]["channels"]:
            if self.document["nodes"][one["target"]["node"]]["name"] == name:
                sampler = self.document["animations"][0]["samplers"][one["sampler"]]
                assert "min" in self.document["accessors"][sampler["input"]]
                found[one["target"]["path"]] = self.array(sampler["input"])[:, 0], self.array(sampler["output"])
        return found


@pytest.mark.parametrize("name", ["mill", "gyro"])
@pytest.mark.parametrize("speed", [1.0, 0.5])
def test_key_frames_read_back(name: str, speed: float, request: pytest.FixtureRequest) -> None:
    """At key frames the arm is where the motion is, to 1e-6; quaternions are units of continuous sign."""
    known = request.getfixturevalue(name)
    read = Read(glb(sampled(known.scene, known.poses, BEGIN, END), speed))
    times, turns = read.animated("arm")["rotation"]
    assert (np.diff(times) > 0.0).all()
    assert times[-1] == pytest.approx((END - BEGIN) / speed)
    assert np.abs(np.linalg.norm(turns, axis=1) - 1.0).max() < 1e-6
    assert ((turns[1:] * turns[:-1]).sum(axis=1) > 0.0).all()
    found = Rotation.from_quat(turns).apply([1.0, 0.05, 0.05])
    truth = known.corners(BEGIN + times.astype(float) * speed)[:, 7]
    assert np.abs(found - truth).max() < 5e-6  # of which the time's own rounding, at 15 rad/s, is 4e-6
    exact = np.round(times.astype(float) / times[-1], 5)
    assert np.abs(found - known.corners(BEGIN + exact * (END - BEGIN))[:, 7]).max() < 1e-6


def test_springs_read_back(gyro) -> None:
    """A line from the ground is moved, turned and stretched to the tip of the arm."""
    read = Read(glb(sampled(gyro.scene, gyro.poses, BEGIN, END), 1.0))
    paths = read.animated("spring")
    assert set(paths) == {"rotation", "scale"}
    times = paths["rotation"][0]
    exact = BEGIN + np.round(times.astype(float) / times[-1], 5) * (END - BEGIN)
    along = Rotation.from_quat(paths["rotation"][1]).apply([0.0, 0.0, 1.0]) * paths["scale"][1][:, 2:]
    assert np.abs(along + np.array([0.0, 2.0, 0.0]) - gyro.tip(exact)).max() < 2e-6


@pytest.mark.parametrize("up", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (0.6, 0.0, 0.8), None])
def test_up_becomes_y(gyro, up) -> None:
    """The root turns what is against gravity, and z where there is none, to y."""
    scene = gyro.scene
    given = type(scene)(scene.name, scene.description, scene.rows, scene.solids, scene.segments, up)
    read = Read(glb(sampled(given, gyro.poses, BEGIN, END), 1.0))
    (root,) = read.document["scenes"][0]["nodes"]
    turned = Rotation.from_quat(read.document["nodes"][root]["rotation"]).apply(up or (0.0, 0.0, 1.0))
    np.testing.assert_allclose(turned, [0.0, 1.0, 0.0], atol=1e-12)


def test_a_still_has_no_animation(mill) -> None:
    """A run of no length is a picture that stands."""
    read = Read(glb(sampled(mill.scene, mill.poses, 2.0, 2.0), 1.0))
    assert "animations" not in read.document


@pytest.mark.parametrize(("name", "volume"), [("box", 1.0), ("cylinder", np.pi), ("sphere", 4.0 * np.pi / 3.0)])
def test_meshes_are_closed_and_face_outwards(name: str, volume: float) -> None:
    """The volume by the divergence theorem is that of the solid, and normals are those of the triangles."""
    mesh = MESHES[name]()
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    assert np.einsum("ki,ki->", a, np.cross(b, c)) / 6.0 == pytest.approx(volume, rel=0.05)
    across = np.cross(b - a, c - a)
    assert (np.linalg.norm(across, axis=1) > 1e-6).all()
    normals = mesh.normals[mesh.triangles].mean(axis=1)
    assert (np.einsum("ki,ki->k", across, normals) > 0.0).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)


@pytest.mark.parametrize("home", [(0.0, 0.0, 0.0), (1e7, -3e7, 2e6)])
def test_far_from_the_origin_nothing_is_rounded_away(gyro, home: tuple[float, float, float]) -> None:
    """Single precision has 2 m there: places are told from the root's, which is a number of JSON."""
    at = np.array(home)
    solids = tuple(replace(one, offset=tuple(one.offset + at)) if one.row == -1 else one for one in gyro.scene.solids)
    (spring,) = gyro.scene.segments
    scene = replace(gyro.scene, solids=solids, segments=(replace(spring, start=tuple(spring.start + at)),))

    def poses(t: np.ndarray) -> np.ndarray:
        return gyro.poses(t) + np.concatenate([at, np.zeros(4)])

    read = Read(glb(sampled(scene, poses, BEGIN, END), 1.0))
    nodes = read.document["nodes"]
    (root,) = (nodes[k] for k in read.document["scenes"][0]["nodes"])
    assert ("translation" in root) == any(home)
    moved = Rotation.from_quat(root["rotation"]).inv().apply(root.get("translation", (0.0, 0.0, 0.0)))
    times, places = read.animated("disk")["translation"]
    assert np.abs(places).max() < 10.0
    exact = BEGIN + np.round(times.astype(float) / times[-1], 5) * (END - BEGIN)
    assert np.abs(moved + places - at - gyro.tip(exact)).max() < 1e-6
    (ground,) = (one for one in nodes if one.get("name") == "ground")
    for k in ground["children"]:
        np.testing.assert_allclose(moved + ground["translation"] + nodes[k]["translation"], at, atol=1e-6)
    (line,) = (one for one in nodes if one.get("name") == "spring")
    np.testing.assert_allclose(moved + line["translation"], at + np.array([0.0, 2.0, 0.0]), atol=1e-6)


def test_a_page_draws_what_is_far_off_near_its_root(gyro) -> None:
    """Its eye looks at the middle of the picture, from where the root is."""

    def poses(t: np.ndarray) -> np.ndarray:
        return gyro.poses(t) + np.array([1e7, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    scene = replace(gyro.scene, solids=gyro.scene.solids[:2], segments=())
    text = page(sampled(scene, poses, BEGIN, END), 1.0)
    middle = np.array(json.loads(re.search(r"const middle = (\[.*?\]),", text)[1]))
    shift = np.array(json.loads(re.search(r"times: .*?, values: Float64Array.from\((\[.*?\])\.flat", text)[1]))
    assert np.linalg.norm(middle) > 9e6
    assert np.abs(middle + shift).max() < 3.0
    assert "delete gltf.nodes[gltf.scenes[0].nodes[0]].translation" in text


def test_what_light_passes_is_blended(mill) -> None:
    """A colour of eight digits is a material of this opacity; one of six is opaque."""
    arm, *others = mill.scene.solids
    scene = replace(mill.scene, solids=(replace(arm, colour="#ff000080"), *others))
    read = Read(glb(sampled(scene, mill.poses, BEGIN, END), 1.0))
    modes = {one["name"]: one for one in read.document["materials"]}
    clear = modes.pop("#ff000080")
    assert clear["alphaMode"] == "BLEND"
    assert clear["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([1.0, 0.0, 0.0, 128 / 255], abs=1e-4)
    for one in modes.values():
        assert "alphaMode" not in one
        assert one["pbrMetallicRoughness"]["baseColorFactor"][3] == 1.0


def test_an_ellipsoid_is_a_sphere_with_three_scales(gyro) -> None:
    """The corners of its mesh are on it: (x/a)^2 + (y/b)^2 + (z/c)^2 = 1 in its own axes."""
    arm, *others = gyro.scene.solids
    half = np.array([0.5, 0.2, 0.1])
    scene = replace(gyro.scene, solids=(replace(arm, kind=ShapeKind.ELLIPSOID, sizes=tuple(half)), *others))
    read = Read(glb(sampled(scene, gyro.poses, BEGIN, END), 1.0))
    nodes, meshes = read.document["nodes"], read.document["meshes"]
    (body,) = (one for one in nodes if one.get("name") == "arm")
    (solid,) = (nodes[k] for k in body["children"])
    points = read.array(meshes[solid["mesh"]]["primitives"][0]["attributes"]["POSITION"]) * solid["scale"]
    np.testing.assert_allclose(((points / half) ** 2).sum(axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(points.max(axis=0), half, rtol=0.02)
