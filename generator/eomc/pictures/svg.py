"""A planar motion as SVG, animated by SMIL: no script, one file."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np

from eomc.errors import UsageError
from eomc.pictures.colours import FAINT, GROUND_OPACITY, INK, PAPER, colour_of, hex_of, opacity_of
from eomc.pictures.home import from_home, home_of
from eomc.pictures.motion import Array, Motion, Node, printable
from eomc.pictures.outlines import Outline, outline
from eomc.pictures.turning import inverse, product, rotated
from eomc.scenery import Segment, Solid
from eomc.scenery.records import GROUND

_WIDTHS = {"rod": 4.0, "damper": 2.0, "spring": 1.5, "rope": 1.2, "pin": 1.5, "line": 1.2}
_PIN = 4  # pixels of its radius
_TURNS = 6


def svg(motion: Motion, speed: float) -> str:
    """Return a picture of a planar motion.

    Parameters
    ----------
    motion
        What is drawn.
    speed
        Seconds of the motion in one of the picture.

    Raises
    ------
    UsageError
        The motion is not planar.
    """
    if not motion.view.planar:
        raise UsageError(
            f"{motion.scene.name}: the motion is not planar, which is what .svg draws: take .glb, .html or .webp"
        )
    drawing = _Drawing(motion, speed)
    wide, high = drawing.size
    guessed = motion.scene.guessed
    note = (
        f'<text x="8" y="{_n(high - 8)}" font-size="11">shapes guessed: {escape(printable(", ".join(guessed)))}</text>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(wide)} {_n(high)}" width="{_n(wide)}" '
            f'height="{_n(high)}" role="img" aria-labelledby="title words">',
            f'<title id="title">{escape(motion.title)}</title>',
            f'<desc id="words">{escape(motion.words)}</desc>',
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            f'<g transform="translate({drawing.start})" stroke="{INK}" stroke-linejoin="round" stroke-linecap="round">',
            *drawing.following(),
            *drawing.nodes(),
            "</g>",
            f'<g fill="{INK}" font-family="sans-serif"><text x="8" y="16" font-size="12">{escape(motion.title)}</text>'
            f"{note if guessed else ''}</g>",
            "</svg>",
            "",
        ]
    )


class _Drawing:
    """A picture with its pixels: x to the right and y downwards."""

    def __init__(self, motion: Motion, speed: float) -> None:
        self._view = motion.view
        self._scale = motion.view.scale
        low, high = motion.view.low, motion.view.high
        self.size = tuple(((high - low)[:2] * self._scale).tolist())
        home, follows = home_of(motion), len(motion.view.times) > 1
        self._nodes = from_home(motion, home)
        self._corner = np.array([low[0], high[1]]) - (0.0 if follows else motion.view.axes[:2] @ home)
        self._dur = f"{(motion.end - motion.begin) / speed:.6g}s"
        flat = (motion.view.places - (home if follows else 0.0)) @ motion.view.axes[:2].T
        self._shifts = [_pair(one) for one in flat * self._scale * [-1.0, 1.0]]
        self.start = self._shifts[0]

    def following(self) -> Iterator[str]:
        """Yield what keeps the place that the picture follows where it is."""
        view = self._view
        if len(view.times) > 1:
            yield self._animation("translate", self._shifts, view.times, "")

    def nodes(self) -> Iterator[str]:
        """Yield the nodes: the ground, lines, then what is behind before what is in front of it."""
        order = {id(node): 0 if node.name == "ground" else 1 if node.stretched else 2 for node in self._nodes}
        depths = {id(node): self._view.depth(node.offsets[0]) for node in self._nodes}
        for node in sorted(self._nodes, key=lambda node: (order[id(node)], depths[id(node)])):
            yield from self._stretched(node, node.stretched) if node.stretched else self._frame(node)

    def _frame(self, node: Node) -> Iterator[str]:
        flat = self._view.axes[:2] @ _matrix(node.quaternions[0])
        places = self._places(node)
        angles = -np.degrees(_angles(node.quaternions, self._view.normal))
        yield f'<g transform="translate({_pair(places[0])})">'
        yield from self._moving(node, ("translate", [_pair(one) for one in places]), ("rotate", list(map(_n, angles))))
        shapes = sorted(node.solids, key=lambda solid: self._view.depth(_place(solid, node)))
        for solid in shapes:
            yield self._solid(solid, outline(solid, flat))
        for line in node.lines:
            yield self._line(line, flat)
        yield "</g>"

    def _stretched(self, node: Node, line: Segment) -> Iterator[str]:
        places = self._places(node)
        if line.style == "pin":  # has no length to be seen by
            yield f'<g transform="translate({_pair(places[0])})">'
            yield from self._moving(node, ("translate", [_pair(one) for one in places]))
            yield f'<circle r="{_PIN}" {self._pen(line)}/>'
            yield "</g>"
            return
        directions = rotated(node.quaternions, np.array([0.0, 0.0, 1.0])) @ self._view.axes[:2].T
        angles = -np.degrees(np.unwrap(np.arctan2(directions[:, 1], directions[:, 0])))
        lengths = [f"{_n(one)} 1" for one in node.lengths * self._scale]
        start = f"translate({_pair(places[0])}) rotate({_n(angles[0])}) scale({lengths[0]})"
        yield f'<g transform="{start}">'
        turns, pixels = ("rotate", list(map(_n, angles))), ("scale", lengths)
        yield from self._moving(node, ("translate", [_pair(one) for one in places]), turns, pixels)
        yield f'<path d="{_way(line.style)}" vector-effect="non-scaling-stroke" {self._pen(line)}/>'
        yield "</g>"

    def _moving(self, node: Node, *changes: tuple[str, list[str]]) -> Iterator[str]:
        """Yield the animations, in the order in which they are applied: the first takes the place of the transform."""
        if not node.moves:
            return
        for k, (kind, values) in enumerate(changes):
            if k and set(values) in ({"0"}, {"1 1"}):
                continue
            yield self._animation(kind, values, node.times, ' additive="sum"' if k else "")

    def _animation(self, kind: str, values: list[str], times: Array, more: str) -> str:
        """Return one animation; what is one value has no times."""
        same = len(set(values)) == 1
        listed = values[0] if same else ";".join(values)
        keys = "" if same else f' keyTimes="{";".join(map(_share, times))}"'
        return (
            f'<animateTransform attributeName="transform" type="{kind}"{more} dur="{self._dur}" '
            f'repeatCount="indefinite"{keys} values="{listed}"/>'
        )

    def _places(self, node: Node) -> Array:
        """Return where a node's origin is, in pixels."""
        flat = node.offsets @ self._view.axes[:2].T - self._corner
        found: Array = flat * self._scale * [1.0, -1.0]
        return found

    def _solid(self, solid: Solid, seen: Outline) -> str:
        colour = colour_of(solid.colour, solid.row)
        opacity = opacity_of(colour) * (GROUND_OPACITY if solid.row == GROUND else 1.0)
        pen = f'fill="{colour[:7]}"' + (f' fill-opacity="{_n(opacity)}"' if opacity < 1.0 else "")
        pen += ' stroke-dasharray="3 2"' if solid.guessed else ""
        if seen.loops:
            ways = ("L".join(map(_pair, loop * self._scale * [1.0, -1.0])) for loop in seen.loops)
            return f'<path d="{"".join(f"M{way}Z" for way in ways)}" fill-rule="evenodd" {pen}/>'
        points = seen.points * self._scale * [1.0, -1.0]
        if len(points) > 1:
            return f'<polygon points="{" ".join(map(_pair, points))}" {pen}/>'
        (x, y), radius = points[0], seen.radius * self._scale or 4.0
        circle = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {pen}/>'
        if seen.mark is None:
            return circle
        at = seen.mark * self._scale * [1.0, -1.0]
        return f'{circle}<path d="M{_pair(points[0])}L{_pair(at)}" fill="none"/>'

    def _line(self, line: Segment, flat: Array) -> str:
        start, end = (flat @ np.array(one) * self._scale * [1.0, -1.0] for one in (line.start, line.end))
        if line.style == "pin":
            return f'<circle cx="{_n(start[0])}" cy="{_n(start[1])}" r="{_PIN}" {self._pen(line)}/>'
        if line.style not in ("spring", "damper"):
            return f'<path d="M{_pair(start)}L{_pair(end)}" {self._pen(line)}/>'
        way = end - start
        turn = _n(float(np.degrees(np.arctan2(way[1], way[0]))))
        put = f"translate({_pair(start)}) rotate({turn}) scale({_n(float(np.hypot(*way)))} 1)"
        return f'<path d="{_way(line.style)}" transform="{put}" vector-effect="non-scaling-stroke" {self._pen(line)}/>'

    def _pen(self, line: Segment) -> str:
        standing = line.start_row == line.end_row == GROUND
        colour = hex_of(line.colour, FAINT if standing else INK)
        dashes = ' stroke-dasharray="5 3"' if line.style == "rope" else ""
        return f'fill="none" stroke="{colour[:7]}" stroke-width="{_WIDTHS.get(line.style, 1.2)}"{dashes}'


def _way(style: str) -> str:
    """Return the path of a line along x from 0 to 1, y in pixels."""
    if style == "spring":
        teeth = " ".join(f"{_n(0.15 + 0.7 * (k + 0.5) / (2 * _TURNS))} {(-5, 5)[k % 2]}" for k in range(2 * _TURNS))
        return f"M0 0L.15 0L{teeth}L.85 0L1 0"
    if style == "damper":
        return "M0 0L.4 0M.4 5L.4 -5M.3 -7L.7 -7L.7 7L.3 7M.7 0L1 0"
    return "M0 0L1 0"


def _matrix(quaternion: Array) -> Array:
    """Return R of a quaternion."""
    return np.stack([rotated(quaternion, axis) for axis in np.eye(3)], axis=1)


def _place(solid: Solid, node: Node) -> Array:
    """Return the middle of a solid from the origin of its node; a mesh may be far from its own."""
    middle = np.array(solid.offset)
    if solid.surface is not None:
        own = (solid.surface.low + solid.surface.high) / 2 * np.array(solid.sizes)
        middle = middle + rotated(np.array(solid.quaternion), own)
    return rotated(node.quaternions[0], middle)


def _angles(quaternions: Array, normal: Array) -> Array:
    """Return by which angles frames have turned about the normal [rad]."""
    turned = product(quaternions, inverse(quaternions[:1]))
    found: Array = np.unwrap(2.0 * np.arctan2(turned[:, 1:] @ normal, turned[:, 0]))
    return found


def _n(value: float) -> str:
    """Return a number with two decimals at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _share(value: float) -> str:
    """Return a share of the run, as short as it is."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _pair(point: Array) -> str:
    return f"{_n(point[0])} {_n(point[1])}"
