"""A motion as binary glTF 2.0: solids as nodes of shared meshes, key frames as one animation."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from eomc.model.shapes import ShapeKind
from eomc.model.surfaces import Surface
from eomc.pictures.colours import FAINT, INK, hex_of, opacity_of, paint_of, rgb_of
from eomc.pictures.facets import is_wheel
from eomc.pictures.home import from_home, home_of
from eomc.pictures.meshes import MESHES, Mesh
from eomc.pictures.motion import Array, Motion, Node, printable
from eomc.pictures.turning import along
from eomc.scenery import Segment, Solid
from eomc.scenery.numbers import quaternion_of
from eomc.scenery.records import GROUND
from eomc.version import __version__

_FLOAT, _SHORT, _LONG = 5126, 5123, 5125
_STORED = {_FLOAT: "<f4", _SHORT: "<u2", _LONG: "<u4"}
_PIXELS = {"rod": 2.5, "damper": 4.0, "spring": 5.0, "rope": 1.0, "pin": 3.0, "line": 1.3}
_LINE_STRIP = 3


def glb(motion: Motion, speed: float) -> bytes:
    """Return a motion as a .glb file: y upwards, seen from positive z; key frames [s] of the picture.

    Parameters
    ----------
    motion
        What is drawn.
    speed
        Seconds of the motion in one of the picture.
    """
    return _Writer(motion, speed).file()


class _Writer:
    """The document so far, and its buffer."""

    def __init__(self, motion: Motion, speed: float) -> None:
        self._motion, self._dur = motion, (motion.end - motion.begin) / speed
        self._pixel = 1.0 / motion.view.scale
        self._buffer = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._known: dict[Any, int] = {}
        self._materials: dict[str, int] = {}
        self._meshes: list[dict[str, Any]] = []
        self._nodes: list[dict[str, Any]] = []
        self._samplers: list[dict[str, Any]] = []
        self._channels: list[dict[str, Any]] = []
        self._home = home_of(motion)

    def file(self) -> bytes:
        """Return the whole file."""
        top = [self._node(one) for one in from_home(self._motion, self._home)]
        root = {
            "name": self._motion.title,
            "rotation": _xyzw(np.array(quaternion_of(upright_axes(self._motion)))),
            "children": top,
        }
        if self._home.any():
            root["translation"] = _list(upright_axes(self._motion) @ self._home)
        self._nodes.append(root)
        document: dict[str, Any] = {
            "asset": {
                "version": "2.0",
                "generator": f"eomc {__version__}",
                "extras": {"description": self._motion.words},
            },
            "scene": 0,
            "scenes": [{"name": self._motion.title, "nodes": [len(self._nodes) - 1]}],
            "nodes": self._nodes,
            "meshes": self._meshes,
            "materials": [_material(colour) for colour in self._materials],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self._buffer)}],
        }
        if self._channels:
            document["animations"] = [{"name": "motion", "channels": self._channels, "samplers": self._samplers}]
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        body = bytes(self._buffer)
        length = 12 + 8 + len(text) + 8 + len(body)
        head = struct.pack("<4sII", b"glTF", 2, length)
        chunk, data = struct.pack("<I4s", len(text), b"JSON"), struct.pack("<I4s", len(body), b"BIN\0")
        return head + chunk + text + data + body

    def _node(self, node: Node) -> int:
        """Add what moves as one, its shapes below it, and return its number."""
        made: dict[str, Any] = {"name": printable(node.name), "translation": _list(node.offsets[0])}
        made["rotation"] = _xyzw(node.quaternions[0])
        if node.stretched:
            thick = _PIXELS[node.stretched.style] * self._pixel
            lengths = np.full_like(node.lengths, thick) if node.stretched.style == "pin" else node.lengths
            scales = np.stack([np.full_like(node.lengths, thick)] * 2 + [lengths], axis=1)
            made["scale"] = _list(scales[0])
            made["children"] = [self._stick(node.stretched)]
        else:
            scales = np.ones((len(node.times), 3))
            made["children"] = [self._solid(one) for one in node.solids]
            made["children"] += [self._line(one) for one in node.lines]
        self._nodes.append(made)
        number = len(self._nodes) - 1
        if node.moves and self._dur > 0.0:
            turned = np.roll(node.quaternions, -1, axis=1)
            for path, values in (("translation", node.offsets), ("rotation", turned), ("scale", scales)):
                if not (values == values[:1]).all():
                    self._animate(number, path, node.times, values)
        return number

    def _solid(self, solid: Solid) -> int:
        least = 0.2 * self._pixel  # what is flat has two sides
        if solid.kind in (ShapeKind.BOX, ShapeKind.ELLIPSOID):
            scale = np.maximum(solid.sizes, least)
        elif solid.kind is ShapeKind.CYLINDER:
            scale = np.maximum([solid.sizes[0], solid.sizes[0], solid.sizes[1]], least)
        elif solid.surface is not None:
            scale = np.array(solid.sizes)
        else:
            radius = solid.sizes[0] if solid.kind is ShapeKind.SPHERE else 4.0 * self._pixel
            scale = np.full(3, max(radius, least))
        shape = solid.kind.value if solid.kind.value in MESHES else "sphere"
        mesh = self._mesh(solid.surface or shape, paint_of(solid.colour, solid.row))
        made = {"mesh": mesh, "translation": list(solid.offset), "rotation": _xyzw(np.array(solid.quaternion))}
        made["scale"] = _list(scale)
        if is_wheel(solid):  # a spoke tells how it turns
            spoke = {"mesh": self._mesh("box", INK), "translation": [0.5, 0.0, 0.0], "scale": [1.0, 0.04, 1.02]}
            self._nodes.append(spoke)
            made["children"] = [len(self._nodes) - 1]
        if solid.guessed:
            made["name"] = printable(f"{solid.name}, shape guessed")
        self._nodes.append(made)
        return len(self._nodes) - 1

    def _stick(self, line: Segment) -> int:
        """Add what a line looks like, from the origin to 1 along z; a pin is a ball at the origin."""
        standing = line.start_row == line.end_row == GROUND
        shape = {"spring": "spring", "pin": "sphere"}.get(line.style, "cylinder")
        made: dict[str, Any] = {"mesh": self._mesh(shape, hex_of(line.colour, FAINT if standing else INK))}
        if shape == "cylinder":
            made["translation"] = [0.0, 0.0, 0.5]
        self._nodes.append(made)
        return len(self._nodes) - 1

    def _line(self, line: Segment) -> int:
        start, end = np.array(line.start), np.array(line.end)
        length = float(np.linalg.norm(end - start))
        thick = _PIXELS[line.style] * self._pixel
        long = thick if line.style == "pin" else max(length, 1e-3 * thick)
        self._nodes.append(
            {
                "name": line.style,
                "translation": _list(start),
                "rotation": _xyzw(_towards(end - start)),
                "scale": [thick, thick, long],
                "children": [self._stick(line)],
            }
        )
        return len(self._nodes) - 1

    def _mesh(self, shape: str | Surface, colour: str) -> int:
        """Add a mesh once for each colour; a surface has no normals, so that viewers show its triangles as flat."""
        key = shape, colour
        if key not in self._known:
            if isinstance(shape, Surface):
                mesh = Mesh(shape.points, np.empty((0, 3)), shape.triangles)
            else:
                mesh = MESHES[shape]()
            material = self._materials.setdefault(colour, len(self._materials))
            attributes = {"POSITION": self._accessor((shape, "p"), mesh.vertices, "VEC3", _FLOAT, 34962, bounds=True)}
            part: dict[str, Any] = {"attributes": attributes, "material": material}
            if len(mesh.normals):
                attributes["NORMAL"] = self._accessor((shape, "n"), mesh.normals, "VEC3", _FLOAT, 34962)
            if len(mesh.triangles):
                wide = _SHORT if len(mesh.vertices) <= 65535 else _LONG  # the last of each means that a strip ends
                part["indices"] = self._accessor((shape, "i"), mesh.triangles.reshape(-1), "SCALAR", wide, 34963)
            else:
                part["mode"] = _LINE_STRIP
            self._known[key] = len(self._meshes)
            self._meshes.append({"name": shape if isinstance(shape, str) else "mesh", "primitives": [part]})
        return self._known[key]

    def _animate(self, node: int, path: str, times: Array, values: Array) -> None:
        seconds = times * self._dur
        clock = self._accessor(("t", times.tobytes()), seconds, "SCALAR", _FLOAT, None, bounds=True)
        kind = "VEC4" if values.shape[1] == 4 else "VEC3"
        output = self._accessor((node, path), values, kind, _FLOAT, None)
        self._samplers.append({"input": clock, "output": output, "interpolation": "LINEAR"})
        self._channels.append({"sampler": len(self._samplers) - 1, "target": {"node": node, "path": path}})

    def _accessor(
        self, key: Any, values: Any, kind: str, component: int, target: int | None, bounds: bool = False
    ) -> int:
        """Add an array once for each key, and return its number."""
        if key in self._known:
            return self._known[key]
        stored = np.ascontiguousarray(values, dtype=_STORED[component])
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._buffer), "byteLength": stored.nbytes}
        self._views.append(view if target is None else {**view, "target": target})
        self._buffer += stored.tobytes()
        self._buffer += b"\0" * (-len(self._buffer) % 4)
        made: dict[str, Any] = {"bufferView": len(self._views) - 1, "componentType": component}
        made |= {"count": len(stored), "type": kind}
        if bounds:
            low, high = stored.reshape(len(stored), -1).min(axis=0), stored.reshape(len(stored), -1).max(axis=0)
            made |= {"min": low.tolist(), "max": high.tolist()}
        self._accessors.append(made)
        self._known[key] = len(self._accessors) - 1
        return self._known[key]


def _material(colour: str) -> dict[str, Any]:
    """Return a material; factors of glTF are linear light."""
    linear = [round(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4, 4) for c in rgb_of(colour)]
    opacity = opacity_of(colour)
    look = {"baseColorFactor": [*linear, round(opacity, 4)], "metallicFactor": 0.0, "roughnessFactor": 0.7}
    made = {"name": colour, "pbrMetallicRoughness": look, "doubleSided": True}
    return {**made, "alphaMode": "BLEND"} if opacity < 1.0 else made


def upright_axes(motion: Motion) -> Array:
    """Return the rotation of the root as a matrix: what is up becomes y; of a planar motion its normal becomes z."""
    view = motion.view
    if view.planar:
        return view.axes
    up = np.array([0.0, 0.0, 1.0]) if motion.scene.up is None else np.array(motion.scene.up)
    axes: Array = np.stack([view.right, up, np.cross(view.right, up)])
    return axes


def _towards(way: Array) -> Array:
    """Return a rotation that takes z to a way."""
    length = float(np.linalg.norm(way))
    found: Array = along((way / length if length > 0.0 else np.array([0.0, 0.0, 1.0]))[None])[0]
    return found


def _list(values: Array) -> list[float]:
    return [float(one) for one in values]


def _xyzw(quaternion: Array) -> list[float]:
    w, x, y, z = (float(one) for one in quaternion)
    return [x, y, z, w]
