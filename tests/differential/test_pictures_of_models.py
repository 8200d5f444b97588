"""Pictures of shipped models against SymPy's own positions and rotations, at states of a run: scene, .glb and .svg."""

from __future__ import annotations

import functools
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation, Slerp
from sympy.physics.vector import dynamicsymbols

import eomc
from eomc.frontends.loading import shipped_models
from eomc.model.placements import placements
from eomc.model.shapes import ShapeKind
from eomc.pictures import Motion, Node
from eomc.pictures.glb import glb
from eomc.pictures.svg import svg
from eomc.scenery.records import GROUND

pytestmark = [pytest.mark.needs_cc, pytest.mark.sampled(4), pytest.mark.parametrize("name", shipped_models())]
SVG = "{http://www.w3.org/2000/svg}"


class Drawn:
    """A run of a model, its motion in key frames, and where SymPy says that all of it is."""

    def __init__(self, name: str) -> None:
        model = eomc.load(name)
        simulator = eomc.compile(model, functions=["rhs", "outputs", "poses"]).load()
        self.run = simulator.simulate(t_end=min(2.0, model.run.t_end))
        self.begin, self.end = float(self.run.t[0]), float(self.run.t[-1])
        self.motion: Motion = self.run.along.motion(self.begin, self.end, self.run)
        found = placements(model)
        frames = []
        for row in found.rows:
            place, turn = row.place, sympy.eye(3)
            if not isinstance(place, tuple):
                place = tuple(place.pos_from(found.origin).to_matrix(model.dynamics.inertial_frame))
            if row.frame is not None:
                turn = model.dynamics.inertial_frame.dcm(row.frame)
            frames.append([*place, *turn])
        values = [one.symbol for one in model.parameters]
        inputs = [one.symbol for one in model.inputs]
        plain = {one: sympy.Dummy() for one in (*model.coordinates, *model.speeds, *inputs)}
        entries = [sympy.sympify(one).doit().xreplace(plain) for frame in frames for one in frame]
        arguments = [dynamicsymbols._t, *(plain[one] for one in (*model.coordinates, *inputs)), *values]
        self._evaluate = sympy.lambdify(arguments, entries, "numpy")
        self._coordinates = len(model.coordinates)
        self._rows = len(frames)

    @property
    def size(self) -> float:
        """Of what is seen [m]."""
        return float((self.motion.view.high - self.motion.view.low).max())

    def frames(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return origins (k, rows + 1, 3) and rotations (k, rows + 1, 3, 3) at shares of the run, the ground last."""
        t = self.begin + shares * (self.end - self.begin)
        q = self.run(t)[:, : self._coordinates].T
        r = [np.interp(t, self.run.t, column) for column in self.run.inputs.T]
        entries = self._evaluate(t, *q, *r, *self.run.parameters)
        found = np.stack([np.broadcast_to(one, t.shape) for one in entries], axis=1).reshape(len(t), self._rows, 12)
        ground = np.broadcast_to(np.concatenate([np.zeros(3), np.eye(3).ravel()]), (len(t), 1, 12))
        found = np.concatenate([found, ground], axis=1)
        return found[..., :3], found[..., 3:].reshape(len(t), -1, 3, 3)

    def points(self, node: Node, shares: np.ndarray) -> np.ndarray:
        """Return where SymPy has points of a node: corners of its solids, ends of its lines, (k, n, 3)."""
        origins, turns = self.frames(shares)
        rows = self.motion.scene.rows

        def at(row: int, points: np.ndarray) -> np.ndarray:
            return origins[:, row, None] + np.einsum("kij,nj->kni", turns[:, row], points)

        if node.stretched is not None:
            line = node.stretched
            ends = [at(line.start_row, np.array([line.start])), at(line.end_row, np.array([line.end]))]
            return np.concatenate(ends, axis=1)
        return at(GROUND if node.name == "ground" else rows.index(node.name), own_points(node))


def own_points(node: Node) -> np.ndarray:
    """Return points of what is in a frame, in its axes, (n, 3)."""
    found = [np.zeros((1, 3))]
    for one in node.solids:
        half = {ShapeKind.BOX: one.sizes, ShapeKind.CYLINDER: (2 * one.sizes[0], 0.0, one.sizes[-1])}.get(
            one.kind, (0.0, 0.0, 0.0)
        )
        signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        found.append(Rotation.from_quat(one.quaternion, scalar_first=True).apply(signs * half) + one.offset)
        found.append(np.array([one.offset]))
    found += [np.array([line.start, line.end]) for line in node.lines]
    return np.concatenate(found)


@functools.lru_cache(maxsize=2)
def drawn(name: str) -> Drawn:
    """Return a model's run and pictures, made once for the tests that follow each other."""
    return Drawn(name)


def test_the_scene_is_where_sympy_says(name: str) -> None:
    """At key frames every corner and end is there, to 1e-9 of what is seen; between them, within a pixel."""
    one = drawn(name)
    for node in one.motion.nodes:
        for shares, allowed in (
            (node.times, 1e-9 * one.size),
            (np.random.default_rng(2).uniform(0.0, 1.0, 300), 1.0 / one.motion.view.scale),
        ):
            truth = one.points(node, shares)
            still = not node.moves
            places = np.stack([np.interp(shares, node.times, column) for column in node.offsets.T], axis=1)
            quaternions = np.repeat(node.quaternions, 2, axis=0) if still else node.quaternions
            times = np.array([0.0, 1.0]) if still else node.times
            turns = Slerp(times, Rotation.from_quat(quaternions, scalar_first=True))(shares).as_matrix()
            if node.stretched is None:
                found = places[:, None] + np.einsum("kij,nj->kni", turns, own_points(node))
            else:
                lengths = np.interp(shares, node.times, node.lengths)
                found = np.stack([places, places + lengths[:, None] * turns[:, :, 2]], axis=1)
            assert np.linalg.norm(found - truth, axis=-1).max() <= allowed, node.name


def test_glb_reads_back(name: str) -> None:
    """At key frames its nodes have everything where SymPy has it, to 1e-6 of what is seen, after the root's turn."""
    one = drawn(name)
    data = glb(one.motion, 1.0)
    size = int.from_bytes(data[12:16], "little")
    document, body = json.loads(data[20 : 20 + size]), data[28 + size :]

    def array(k: int) -> np.ndarray:
        accessor = document["accessors"][k]
        wide = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = document["bufferViews"][accessor["bufferView"]]["byteOffset"]
        return np.frombuffer(body, "<f4", accessor["count"] * wide, start).reshape(-1, wide)

    (top,) = document["scenes"][0]["nodes"]
    numbers = document["nodes"][top]["children"]
    assert len(numbers) == len(one.motion.nodes)
    seconds = one.end - one.begin
    for number, node in zip(numbers, one.motion.nodes, strict=True):
        made = document["nodes"][number]
        paths = {path: np.array([made[path]]) for path in ("translation", "rotation", "scale") if path in made}
        for channel in document.get("animations", [{"channels": []}])[0]["channels"]:
            if channel["target"]["node"] == number:
                sampler = document["animations"][0]["samplers"][channel["sampler"]]
                np.testing.assert_allclose(array(sampler["input"])[:, 0], node.times * seconds, rtol=1e-7, atol=1e-7)
                paths[channel["target"]["path"]] = array(sampler["output"])
        turns = Rotation.from_quat(np.broadcast_to(paths["rotation"], (len(node.times), 4))).as_matrix()
        if node.stretched is None:
            own = np.broadcast_to(own_points(node), (len(node.times), *own_points(node).shape))
        else:
            lengths = np.broadcast_to(paths["scale"], (len(node.times), 3))[:, 2]
            along = lengths if node.stretched.style != "pin" else np.zeros_like(lengths)
            own = np.stack([np.zeros((len(along), 3)), along[:, None] * np.array([0.0, 0.0, 1.0])], axis=1)
        found = paths["translation"][:, None] + np.einsum("kij,knj->kni", turns, own)
        truth = one.points(node, node.times)
        last = -1 if node.stretched is not None and node.stretched.style == "pin" else None
        assert np.linalg.norm((found - truth)[:, :last], axis=-1).max() <= 1e-6 * one.size, node.name


def test_svg_reads_back(name: str) -> None:
    """What a browser draws at a time has every centre, corner and end of a planar motion, and no other corner.

    It is within 0.1 pixels at key frames of its group, and within one pixel between them.
    """
    one = drawn(name)
    view = one.motion.view
    if not view.planar:
        pytest.skip("the motion is in space")
    root = ElementTree.fromstring(svg(one.motion, 1.0))
    whole = next(group for group in root.findall(f"{SVG}g") if group.get("transform"))
    groups = list(whole.findall(f"{SVG}g"))
    assert len(groups) == len(one.motion.nodes)
    order = {id(node): 0 if node.name == "ground" else 1 if node.stretched else 2 for node in one.motion.nodes}
    depth = {id(node): round(float(node.offsets[0] @ view.normal), 9) for node in one.motion.nodes}
    nodes = sorted(one.motion.nodes, key=lambda node: (order[id(node)], depth[id(node)]))
    for group, node in zip(groups, nodes, strict=True):
        random = np.random.default_rng(4).uniform(0.0, 1.0, 40)
        for shares, allowed in ((node.times[:: max(1, len(node.times) // 40)], 0.1), (random, 1.0)):
            truth = one.points(node, shares)[:, 1:] if node.stretched is None else one.points(node, shares)
            flat = np.stack([truth @ view.right - view.low[0], view.high[1] - truth @ view.up], axis=-1) * view.scale
            corners = seen_corners(group, node)
            if not len(corners):
                continue
            for share, expected in zip(shares, flat, strict=True):
                found = (matrix_at(group, share) @ np.column_stack([corners, np.ones(len(corners))]).T)[:2].T
                apart = np.linalg.norm(found[:, None] - expected[None], axis=-1).min(axis=1)
                assert apart.max() <= allowed, (node.name, share)


def numbers(text: str) -> list[float]:
    """Return all numbers of a text."""
    return [float(one) for one in re.findall(r"-?\d*\.?\d+(?:e-?\d+)?", text)]


def seen_corners(group: ElementTree.Element, node: Node) -> np.ndarray:
    """Return points of a group that are corners of boxes, centres of circles or ends of lines, in its own axes."""
    if node.stretched is not None:
        return np.zeros((1, 2)) if node.stretched.style == "pin" else np.array([[0.0, 0.0], [1.0, 0.0]])
    listed = [[float(one.get("cx")), float(one.get("cy"))] for one in group.findall(f"{SVG}circle")]
    if not any(one.kind is ShapeKind.CYLINDER for one in node.solids):  # from the side they are polygons, too
        listed += [numbers(one.get("points")) for one in group.findall(f"{SVG}polygon")]
    assert listed or any(one.kind is ShapeKind.CYLINDER for one in node.solids) or node.lines
    return np.reshape([value for one in listed for value in one], (-1, 2))


def matrix_at(group: ElementTree.Element, share: float) -> np.ndarray:
    """Return the matrix of a group at a share of its animations, as SMIL 3.0 has it."""
    found = np.eye(3)
    animations = group.findall(f"{SVG}animateTransform")
    if not animations:
        for kind, values in re.findall(r"(\w+)\(([^)]*)\)", group.get("transform", "")):
            found = found @ transform(kind, numbers(values))
    for one in animations:
        values = np.array([numbers(value) for value in one.get("values").split(";")])
        times = numbers(one.get("keyTimes", "0"))
        now = [float(np.interp(share, times, column)) for column in values.T]
        found = found @ transform(one.get("type"), now)
    return found


def transform(kind: str, values: list[float]) -> np.ndarray:
    """Return a transform of SVG as a matrix."""
    if kind == "translate":
        return np.array([[1.0, 0.0, values[0]], [0.0, 1.0, values[1]], [0.0, 0.0, 1.0]])
    if kind == "scale":
        return np.diag([*values, 1.0])
    c, s = np.cos(np.radians(values[0])), np.sin(np.radians(values[0]))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
