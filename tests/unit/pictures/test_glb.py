"""Binary glTF, read back by its specification, against motions in closed form."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.pictures import sampled
from eomc.pictures.glb import glb
from eomc.pictures.meshes import MESHES

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
