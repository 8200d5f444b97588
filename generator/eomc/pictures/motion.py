"""The sampled motion of a scene, from which every format is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.scenery import Scene, Segment, Solid

Array = NDArray[np.float64]

PICTURE = 480.0
"""Pixels along the longer side of a picture: what errors and widths of lines are measured with."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """What moves as one: a frame with its shapes, or a line that is stretched from one frame to another.

    Attributes
    ----------
    name
        Of the body, link or point; ``"ground"``; of a stretched line its style.
    solids, lines
        In the axes of the frame; of a stretched line none.
    stretched
        The line, from the origin along z in units of `lengths`.
    times
        Of the key frames, shape (k,), as shares of the run, decimal numbers: 0.0 alone of what stands still.
    offsets, quaternions, lengths
        At the key frames, shapes (k, 3), (k, 4) and (k,); between them offsets and lengths go linearly and quaternions
        on great arcs, by the sign that they have.
    """

    name: str
    solids: tuple[Solid, ...]
    lines: tuple[Segment, ...]
    stretched: Segment | None
    times: Array
    offsets: Array
    quaternions: Array
    lengths: Array

    @property
    def moves(self) -> bool:
        """Whether it has more than one key frame."""
        return len(self.times) > 1


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """From where a motion is seen.

    Attributes
    ----------
    planar
        Whether all of it moves in planes across the direction of the view.
    right, up, normal
        Unit vectors, the normal towards the eye.
    low, high
        Corners of what is seen, along right, up and normal [m], from the place that the picture follows.
    times, places
        Key frames of that place, shapes (k,) and (k, 3); the origin where the picture stands.
    """

    planar: bool
    right: Array
    up: Array
    normal: Array
    low: Array
    high: Array
    times: Array
    places: Array

    def followed(self, share: float) -> Array:
        """Return the place that the picture follows, at a share of the run."""
        return np.array([np.interp(share, self.times, column) for column in self.places.T])

    def depth(self, place: Array) -> float:
        """Return how far a place is towards the eye [pixels], rounded: what is nearly as deep keeps its order."""
        return round(float(place @ self.normal) * self.scale, 6)

    @property
    def axes(self) -> Array:
        """Right, up and normal as rows."""
        return np.stack([self.right, self.up, self.normal])

    @property
    def scale(self) -> float:
        """Pixels in a metre."""
        return PICTURE / float(max(self.high[0] - self.low[0], self.high[1] - self.low[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A motion in key frames.

    Attributes
    ----------
    scene
        What moves.
    begin, end
        Of the run [s].
    nodes
        All that is drawn, the ground first.
    view
        From where.
    error
        The farthest that anything between key frames is from the motion [pixels].
    note
        What was done to its meshes; "" where nothing was.
    """

    scene: Scene
    begin: float
    end: float
    nodes: tuple[Node, ...]
    view: View
    error: float
    note: str = ""

    @property
    def title(self) -> str:
        """What is seen, in one line."""
        return printable(self.scene.name)

    @property
    def words(self) -> str:
        """What is seen, for those who do not see it."""
        parts = [self.scene.description.rstrip(".")] if self.scene.description else []
        parts.append(f"motion from t = {self.begin:g} s to {self.end:g} s")
        if self.scene.guessed:
            parts.append(f"shapes guessed from mass and inertia: {', '.join(self.scene.guessed)}")
        if self.scene.left_out:
            parts.append("not seen: " + "; ".join(f"{name}, {reason}" for name, reason in self.scene.left_out))
        if self.scene.unread:
            parts.append(self.scene.unread_words)
        if self.note:
            parts.append(self.note)
        told = ". ".join(part[:1].upper() + part[1:] for part in parts) + "."
        return printable(told)


def printable(text: str) -> str:
    """Return a text in one line, without what no document holds: control characters, halves of surrogate pairs."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())
