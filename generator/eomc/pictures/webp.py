"""A motion as frames of WebP, drawn by Pillow: flat outlines, what is behind first."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from eomc.errors import OutputError, UsageError
from eomc.model.shapes import ShapeKind
from eomc.model.surfaces import Surface
from eomc.pictures.coarsening import coarsened
from eomc.pictures.colours import FAINT, INK, PAPER, hex_of, paint_of, rgb_of
from eomc.pictures.facets import facets, is_wheel
from eomc.pictures.motion import PICTURE, Array, Motion, Node
from eomc.pictures.outlines import outline
from eomc.pictures.turning import rotated, slerp
from eomc.scenery import Segment, Solid
from eomc.scenery.records import GROUND

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_FINE = 2  # a picture is drawn larger and made smaller: smooth edges
_MOST = 3000
_FASTEST = 100.0  # viewers take what is shorter than 10 ms for something else
_TRIANGLES = 8000  # of all meshes of a frame
_SHADES = 32
_SIDE = 2.0 / np.pi
"""The mean of a cosine over half a turn: of the side of a cylinder."""
_LIGHT = np.array([0.35, 0.55, 0.75])
"""From where light comes, along right, up and towards the eye, as in pages."""
_WIDTHS = {"rod": 4.0, "damper": 3.0, "spring": 2.0, "rope": 1.0, "pin": 3.0, "line": 1.2}


def refuse_without_pillow(before: str = "") -> None:
    """Say what is missing, where it is."""
    if importlib.util.find_spec("PIL") is None:
        raise OutputError(f"{before}.webp needs Pillow: pip install 'eomc[pictures]'")


def webp(motion: Motion, speed: float, fps: float, pixels: int = round(PICTURE)) -> bytes:
    """Return an animation of frames at equal distances, so many pixels along its longer side.

    Raises
    ------
    UsageError
        More frames, or more of them a second, than viewers take.
    OutputError
        Pillow is not installed.
    """
    refuse_without_pillow()
    seconds = (motion.end - motion.begin) / speed
    if fps > _FASTEST:
        raise UsageError(f"{motion.scene.name}: fps is {fps:g}: .webp takes up to {_FASTEST:g} frames a second")
    count = max(1, round(seconds * fps))
    if count > _MOST:
        raise UsageError(
            f"{motion.scene.name}: {count} frames are too many for .webp, which takes up to {_MOST}: a shorter run, "
            "fewer frames a second or a higher speed; .svg, .glb and .html have no such limit"
        )
    light = _lighter(motion)
    first, *others = [still(light, share, pixels) for share in np.arange(count) / count]
    ends = np.round(np.arange(count + 1) * 1000.0 / fps).astype(int)  # whole milliseconds, whose sum is the run's time
    file = io.BytesIO()
    durations = np.diff(ends).tolist()
    first.save(file, "WEBP", save_all=True, append_images=others, duration=durations, loop=0, quality=50, method=4)
    return file.getvalue()


def _lighter(motion: Motion) -> Motion:
    """Return a motion whose meshes have as many triangles as are drawn one by one in each frame."""
    made = coarsened(motion.scene, _TRIANGLES)
    if made.after == made.before:
        return motion
    instead = dict(zip(map(id, motion.scene.solids), made.scene.solids, strict=True))
    nodes = (replace(node, solids=tuple(instead[id(one)] for one in node.solids)) for node in motion.nodes)
    return replace(motion, scene=made.scene, nodes=tuple(nodes))


def still(motion: Motion, share: float, pixels: int = round(PICTURE)) -> Image:
    """Return the picture at a share of the run, as Pillow has it, so many pixels along its longer side."""
    from PIL import Image, ImageDraw

    view = motion.view
    scale = view.scale * _FINE * pixels / PICTURE
    wide, high = (max(_FINE, round(float(one))) for one in (view.high - view.low)[:2] * scale)
    image = Image.new("RGB", (wide, high), PAPER)
    corner = np.array([view.low[0], view.high[1]]) + view.axes[:2] @ view.followed(share)
    brush = _Brush(ImageDraw.Draw(image, "RGBA"), corner, scale)
    strokes: list[tuple[bool, float, Callable[[], None]]] = []
    for node in motion.nodes:
        offset, turn, length = at_share(node, share)
        matrix = np.stack([rotated(turn, axis) for axis in np.eye(3)], axis=1)
        front = node.name != "ground"
        for solid in node.solids:
            if solid.surface is not None:
                faces = brush.mesh(solid, solid.surface, view.axes @ matrix, view.axes @ offset)
                strokes += [(front, *one) for one in faces]
                continue
            depth = view.depth(offset + matrix @ np.array(solid.offset))
            strokes.append((front, depth, partial(brush.solid, solid, view.axes @ matrix, view.axes[:2] @ offset)))
        ways = [(one, np.array([one.start, one.end]) @ matrix.T + offset) for one in node.lines]
        if node.stretched:
            ways.append((node.stretched, np.stack([offset, offset + length * matrix[:, 2]])))
        for line, ends in ways:
            strokes.append((front, view.depth(ends.mean(axis=0)), partial(brush.line, line, ends @ view.axes[:2].T)))
    for _, _, stroke in sorted(strokes, key=lambda one: one[:2]):
        stroke()
    return image.resize((wide // _FINE, high // _FINE), Image.Resampling.LANCZOS)


class _Brush:
    """What draws outlines and lines that are given in metres along right and up."""

    def __init__(self, draw: ImageDraw, corner: Array, scale: float) -> None:
        self._draw, self._corner, self._scale = draw, corner, scale

    def _pixels(self, points: Array) -> Array:
        found: Array = (points - self._corner) * [self._scale, -self._scale]
        return found

    def solid(self, solid: Solid, axes: Array, origin: Array) -> None:
        """Draw a solid whose frame has its origin there: its outline, then the faces that are seen, lit as in pages.

        `axes` takes vectors of the frame to right, up and towards the eye.
        """
        seen = outline(solid, axes[:2])
        fill = paint_of(solid.colour, solid.row)
        points = self._pixels(seen.points + origin)
        if len(points) > 2:
            shade = fill
            if solid.kind is ShapeKind.CYLINDER:
                axis = axes @ rotated(np.array(solid.quaternion), np.array([0.0, 0.0, 1.0]))
                shade = _shaded(fill, _SIDE * float(np.linalg.norm(np.cross(axis, _LIGHT))))
            if solid.kind is not ShapeKind.BOX:  # which its faces cover
                self._draw.polygon(list(map(tuple, points.tolist())), fill=shade, outline=INK, width=_FINE)
            for normal, corners in facets(solid):
                if float(axes[2] @ normal) > 1e-6:
                    face = self._pixels(corners @ axes[:2].T + origin).tolist()
                    lit = _shaded(fill, float(_towards_light((axes @ normal)[None])[0]))
                    self._draw.polygon(list(map(tuple, face)), fill=lit, outline=INK, width=_FINE)
                    if is_wheel(solid):
                        spoke = np.array([np.mean(face, axis=0), face[0]]).tolist()
                        self._draw.line(list(map(tuple, spoke)), fill=INK, width=2 * _FINE)
            return
        if len(points) == 2:
            self._draw.line(list(map(tuple, points.tolist())), fill=INK, width=_FINE)
            return
        (x, y), radius = points[0].tolist(), seen.radius * self._scale or 4.0 * _FINE
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=INK, width=_FINE)
        if seen.mark is not None:
            self._draw.line([(x, y), tuple(self._pixels(seen.mark + origin).tolist())], fill=INK, width=_FINE)

    def mesh(
        self, solid: Solid, surface: Surface, axes: Array, origin: Array
    ) -> Iterator[tuple[float, Callable[[], None]]]:
        """Yield each triangle with its depth; all are drawn, for files do not agree on which side is out."""
        points = rotated(np.array(solid.quaternion), surface.points * np.array(solid.sizes)) + np.array(solid.offset)
        corners = (points @ axes.T + origin)[surface.triangles]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sizes = np.linalg.norm(across, axis=1)
        towards = _towards_light(across / np.where(sizes > 0.0, sizes, 1.0)[:, None])
        fill = paint_of(solid.colour, solid.row)
        shades = [_shaded(fill, -0.6 + 1.6 * k / _SHADES) for k in range(_SHADES + 1)]
        depths = (corners[:, :, 2].mean(axis=1) * self._scale / _FINE).tolist()
        pixels = self._pixels(corners[:, :, :2]).reshape(-1, 6).tolist()
        for number, face, shade in zip(depths, pixels, np.round(towards * _SHADES).astype(int).tolist(), strict=True):
            yield number, partial(self._draw.polygon, face, fill=shades[shade])

    def line(self, line: Segment, ends: Array) -> None:
        """Draw a line between its ends."""
        standing = line.start_row == line.end_row == GROUND
        way = self._pixels(ends)
        colour = hex_of(line.colour, FAINT if standing else INK)
        if line.style == "pin":
            (x, y), radius = way[0].tolist(), 4.0 * _FINE
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=colour, width=_FINE)
            return
        if line.style == "spring":
            way = _zigzag(way)
        self._draw.line(list(map(tuple, way.tolist())), fill=colour, width=round(_WIDTHS[line.style] * _FINE))


def _towards_light(normals: Array) -> Array:
    """Return how far unit normals of faces are turned to the light, 1 as much as what is seen straight on."""
    found: Array = np.minimum(np.abs(normals @ _LIGHT) / _LIGHT[2], 1.0)
    return found


def _shaded(colour: str, towards: float) -> str:
    """Return a colour of a face by the cosine of its angle with the light: what stands along it is darker."""
    light = 0.7 + 0.3 * towards
    return "#" + "".join(f"{round(255 * light * one):02x}" for one in rgb_of(colour)) + colour[7:]


def at_share(node: Node, share: float) -> tuple[Array, Array, float]:
    """Return offset, quaternion and length of a node at a share of the run, by its key frames."""
    if not node.moves:
        return node.offsets[0], node.quaternions[0], float(node.lengths[0])
    k = int(np.clip(np.searchsorted(node.times, share, side="right") - 1, 0, len(node.times) - 2))
    part = (share - node.times[k]) / (node.times[k + 1] - node.times[k])
    offset = node.offsets[k] + part * (node.offsets[k + 1] - node.offsets[k])
    turn = slerp(node.quaternions[k], node.quaternions[k + 1], np.array([part]))[0]
    return offset, turn, float(node.lengths[k] + part * (node.lengths[k + 1] - node.lengths[k]))


def _zigzag(ends: Array) -> Array:
    """Return the corners of a spring between two points, in pixels."""
    way = ends[1] - ends[0]
    across = np.array([-way[1], way[0]]) / (float(np.hypot(*way)) or 1.0)
    shares = np.concatenate([[0.0, 0.15], 0.15 + 0.7 * (np.arange(12) + 0.5) / 12, [0.85, 1.0]])
    sides = 5.0 * _FINE * np.array([0, 0, *(1 - 2 * (np.arange(12) % 2)), 0, 0])
    found: Array = ends[0] + shares[:, None] * way + sides[:, None] * across
    return found
