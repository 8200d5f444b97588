"""Coordinates and speeds that a reader makes, named after their joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.frontends.robots.names import Names, identifier
from eomc.model.names import name_of
from eomc.model.trees.records import JointKind

_PLACES = ("x", "y", "z")
_LINEAR = ("v", "m/s", "velocity")
_ANGULAR = ("w", "rad/s", "angular velocity")

Made = tuple[tuple[sympy.Expr, ...], tuple[sympy.Expr, ...]]
"""Coordinates and speeds of a joint."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A coordinate (or a speed) of the model: where it starts, and what it is."""

    symbol: sympy.Expr
    start: float
    unit: str
    meaning: str


class Coordinates:
    """The coordinates and speeds of the joints that are made so far.

    Attributes
    ----------
    names
        Those that are taken.
    made
        The coordinates and speeds, in the order in which they were made.
    """

    def __init__(self) -> None:
        self.names = Names(str(dynamicsymbols._t))
        self.made: list[Coordinate] = []

    def single(self, joint: str, kind: JointKind, start: float, effort: float | None) -> Made:
        """Return those of a revolute or prismatic joint."""
        unit = "rad" if kind is JointKind.REVOLUTE else "m"
        told = "" if effort is None else f", effort at most {effort:g} {effort_unit(unit)}"
        q = self._one(identifier(joint, "joint"), start, unit, f"joint {joint}{told}")
        return (q,), (self._one(f"{name_of(q)}_d", 0.0, f"{unit}/s", f"speed of joint {joint}"),)

    def wide(self, joint: str, link: str, place: Sequence[float], turn: Sequence[float], axes: str) -> Made:
        """Return those of a ball or free joint.

        Parameters
        ----------
        link
            What it carries.
        place
            Where its origin starts [m]; () of a ball joint.
        turn
            How it starts: a quaternion (w, x, y, z), or three angles about the link's x, y and z.
        axes
            Of the speeds, in words.
        """
        word, meaning = identifier(joint, "joint"), f"of link {link}"
        q = [
            self._one(f"{word}_{axis}", start, "m", f"position {meaning}, {axis}")
            for axis, start in zip(_PLACES if place else (), place, strict=True)
        ]
        if len(turn) == 3:
            q += [
                self._one(f"{word}_angle_{axis}", start, "rad", f"angle {meaning} about {axis}")
                for axis, start in zip(_PLACES, turn, strict=True)
            ]
        else:
            q += [
                self._one(f"{word}_q{part}", start, "1", f"quaternion {meaning}, {part}")
                for part, start in zip(("w", *_PLACES), turn, strict=True)
            ]
        u = [
            self._one(f"{word}_{letter}{axis}", 0.0, unit, f"{what} {meaning}, {axis} {axes}")
            for letter, unit, what in ((_LINEAR, _ANGULAR) if place else (_ANGULAR,))
            for axis in _PLACES
        ]
        return tuple(q), tuple(u)

    def _one(self, name: str, start: float, unit: str, meaning: str) -> sympy.Expr:
        symbol = sympy.Function(self.names.take(name))(dynamicsymbols._t)
        self.made.append(Coordinate(symbol, start, unit, meaning))
        return symbol


def effort_unit(unit: str) -> str:
    """Return the unit of what drives a coordinate in rad or m."""
    return {"rad": "N m", "m": "N"}[unit]
