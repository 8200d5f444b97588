"""Mass and inertia of bodies and links in numbers, in the frames in which their shapes stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.model import MechanicalSystem, Model
from eomc.model.geometry import paths_to
from eomc.model.placements import points_from
from eomc.model.shapes import Shape
from eomc.model.sympy_private import inertia_of, orientations, positions
from eomc.model.trees.tree import JointTree
from eomc.scenery.guessing import POINT, guessed_shape
from eomc.scenery.numbers import Array, Numbers


class Guesses:
    """Shapes by mass and inertia, for bodies and links without any of their own.

    Where the axes of an inertia turn against the body, as those of a round wheel may, they are taken at the start.
    """

    def __init__(self, model: Model, parameters: dict[Any, float]) -> None:
        start = {symbol: 0.0 for symbol in (*model.coordinates, *model.speeds)}
        inputs = {one.symbol: one.value for one in model.inputs}
        idle = dict.fromkeys(model.idle, 0.0)
        self._numbers = Numbers({**start, **inputs, **idle, model.time: 0.0, **dict(model.initial), **parameters})
        self._dynamics = model.dynamics

    def of(self, name: str) -> Shape:
        """Return the shape of a body or link; a point for what is no body."""
        dynamics = self._dynamics
        if isinstance(dynamics, JointTree):
            link = next((one for one in dynamics.links if one.name == name), None)
            if link is None:
                return POINT
            shape = guessed_shape(self._numbers(link.mass), self._numbers.matrix(link.inertia))
            x, y, z = self._numbers.each(link.centre)
            return shape.moved((x, y, z))
        if isinstance(dynamics, MechanicalSystem):
            body = next((one for one in dynamics.bodies if str(one.name) == name), None)
            if body is not None and hasattr(body, "frame"):
                return self._of_body(dynamics, body)
        return POINT

    def _of_body(self, system: MechanicalSystem, body: Any) -> Shape:
        try:
            return guessed_shape(self._numbers(body.mass), self._inertia(system, body))
        except (TypeError, KeyError):  # what is no number at the start, or is given in frames that lead nowhere
            return POINT

    def _inertia(self, system: MechanicalSystem, body: Any) -> Array:
        """Return the inertia about the mass centre, in axes of the body."""
        dyadic, about = inertia_of(body)
        found = np.zeros((3, 3))
        for scalar, first, second in dyadic.args:
            left, right = (self._components(vector, body.frame) for vector in (first, second))
            found += self._numbers(scalar) * np.outer(left, right)
        if about is body.masscenter:
            return found
        arm = np.zeros(3)
        towards = points_from(about, paths_to(system.inertial_frame, orientations))
        point = body.masscenter
        while point is not about:
            arm += self._components(positions(point)[towards[point]], body.frame)
            point = towards[point]
        return found - self._numbers(body.mass) * (arm @ arm * np.eye(3) - np.outer(arm, arm))

    def _components(self, vector: Any, frame: Any) -> Array:
        """Return the components of a vector in axes of a frame."""
        found = np.zeros(3)
        towards = paths_to(frame, orientations)
        for matrix, here in vector.args:
            piece = np.array(self._numbers.each(matrix.flat()))
            while here is not frame:
                neighbour = towards[here]
                piece = self._numbers.matrix(orientations(neighbour)[here].tolist()) @ piece
                here = neighbour
            found += piece
        return found
