"""Inertias that a motion never needs: those of a body that turns about one fixed axis, but for the one about it.

With w = w k, k fixed, the kinetic energy holds k.I.k alone, and so do Kane's k.(I w' + w x I w). What is said here is
read off the rotations and angular velocities as they are written; what is not seen at once is needed.
"""

from __future__ import annotations

from typing import Any

import sympy

from eomc.model import geometry
from eomc.model.parts import MechanicalSystem
from eomc.model.sympy_private import angular_velocities, inertia_of, orientations, set_angular_acceleration


class Turning:
    """The fixed axes about which the bodies of a system turn."""

    def __init__(self, system: MechanicalSystem) -> None:
        self._inertial_frame = system.inertial_frame
        self._towards = geometry.paths_to(system.inertial_frame, orientations)
        self._spins = geometry.paths_to(system.inertial_frame, angular_velocities)

    def needed(self, body: Any) -> list[bool]:
        """Return for each term of a body's inertia dyadic whether the motion may need it."""
        dyadic, _ = inertia_of(body)
        if set_angular_acceleration(body.frame, self._inertial_frame) is not None:
            return [True] * len(dyadic.args)
        axes = {
            self._axis(vector)
            for frame, parent in geometry.steps([body.frame], self._spins)
            if (vector := angular_velocities(frame)[parent]) != 0
        }
        if not axes:
            return [False] * len(dyadic.args)
        axis = axes.pop()
        if axes or axis is None:
            return [True] * len(dyadic.args)
        return [
            not all(self._is_told(unit, axis) for unit in units) or all(self._axis(unit) == axis for unit in units)
            for _, *units in dyadic.args
        ]

    def _axis(self, vector: Any) -> int | None:
        """Return the axis of the inertial frame along which a vector lies, None where that is not seen."""
        axes = {
            self._fixed(frame, index)
            for components, frame in vector.args
            for index in range(3)
            if components[index] != 0
        }
        return axes.pop() if len(axes) == 1 else None

    def _fixed(self, frame: Any, index: int) -> int | None:
        """Return the axis of the inertial frame along which an axis of a frame lies, None where that is not seen."""
        while frame is not self._inertial_frame:
            if frame not in self._towards:
                return None
            outer = self._towards[frame]
            row = [abs(entry) for entry in orientations(frame)[outer].row(index)]
            if sorted(map(sympy.sympify, row), key=str) != [0, 0, 1]:
                return None
            frame, index = outer, row.index(1)
        return index

    def _is_told(self, unit: Any, axis: int) -> bool:
        """Whether a unit vector's frame turns about the axis, so that its other axes are at right angles to it."""
        ((_, frame),) = unit.args
        return any(self._fixed(frame, index) == axis for index in range(3))
