"""Measures of a tree at given states: their values, and how they change along the motion.

In axes of a link A with the angular velocity w: x = R^T r, x' = R^T (v - w x r) and, with a and alpha at u' = 0,
x'' = R^T (a - alpha x r - 2 w x v + w x (w x r)). The columns of a rotation are vectors that turn, with v = w_L x r.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import sympy

from eomc.model import JointTree
from eomc.model.trees.measures import ACCELERATIONS, Component
from eomc.model.trees.records import WORLD, Measure, MeasureKind
from eomc.reference.arrays import crossed, multiplied
from eomc.reference.jets import Array
from eomc.reference.trees.entries import Entries
from eomc.reference.trees.links import LinkAt, columns_crossed


@dataclass(frozen=True, slots=True)
class Change:
    """Value, rate and second rate at u' = 0 of a scalar (k,), and the slopes of the rate by the speeds (k, n)."""

    value: Array
    rate: Array
    second: Array
    slopes: Array


@dataclass(frozen=True, slots=True)
class _Vector:
    """A vector (k, 3) in the root's axes that moves: v, a at u' = 0, dv/du (k, 3, n)."""

    value: Array
    rate: Array
    second: Array
    slopes: Array

    def seen_from(self, axes: LinkAt) -> _Vector:
        """Return its components in turning axes."""
        back, w = np.swapaxes(axes.rotation, 1, 2), axes.spin
        rate = self.rate - crossed(w, self.value)
        second = self.second - crossed(axes.spin_bias, self.value) - 2 * crossed(w, self.rate)
        second = second + crossed(w, crossed(w, self.value))
        slopes = self.slopes - columns_crossed(axes.turning, self.value)
        return _Vector(multiplied(back, self.value), multiplied(back, rate), multiplied(back, second), back @ slopes)


class Measuring:
    """The measures that a model holds."""

    def __init__(self, tree: JointTree, components: Iterable[Component], entries: Entries) -> None:
        self.components = list(components)
        self._tree = tree
        self._points = {one.measure: entries.add(one.measure.at) for one in self.components}

    def values(self, links: list[LinkAt], given: list[Array]) -> dict[sympy.Basic, Array]:
        """Return values (k,) of all but accelerations."""
        quiet = [one for one in self.components if one.measure.kind not in ACCELERATIONS]
        arrays: dict[Measure, Array] = {}
        for one in quiet:
            if one.measure not in arrays:
                arrays[one.measure] = self._value(one.measure, links, given)
        return {one: np.moveaxis(arrays[one.measure], 0, -1)[one.index] for one in quiet}

    def accelerations(self, links: list[LinkAt], given: list[Array], speed_rates: Array) -> Mapping[sympy.Basic, Array]:
        """Return values (k,) of accelerations at u' (k, n)."""
        found = {}
        for one in self.components:
            if one.measure.kind not in ACCELERATIONS:
                continue
            link, axes = self._ends(one.measure, links)
            if one.measure.kind is MeasureKind.ACCELERATION:
                _, _, bias, jacobian = link.point(given[self._points[one.measure]])
            else:
                bias, jacobian = link.spin_bias, link.turning
            vector = bias + multiplied(jacobian, speed_rates)
            found[one] = multiplied(np.swapaxes(axes.rotation, 1, 2), vector)[:, one.index[0]]
        return found

    def change(self, one: Component, links: list[LinkAt], given: list[Array]) -> Change:
        """Return a component of a position or a rotation with its rates."""
        link, axes = self._ends(one.measure, links)
        if one.measure.kind is MeasureKind.POSITION:
            vector = _Vector(*link.point(given[self._points[one.measure]]))
        else:
            column = link.rotation[:, :, one.index[1]]
            second = crossed(link.spin_bias, column) + crossed(link.spin, crossed(link.spin, column))
            slopes = columns_crossed(link.turning, column)
            vector = _Vector(column, crossed(link.spin, column), second, slopes)
        seen, i = vector.seen_from(axes), one.index[0]
        return Change(seen.value[:, i], seen.rate[:, i], seen.second[:, i], seen.slopes[:, i])

    def velocity(self, one: Component, links: list[LinkAt], given: list[Array]) -> tuple[Array, Array, Array]:
        """Return a component of a velocity (k,), its rate at u' = 0 and its slopes by the speeds (k, n)."""
        link, axes = self._ends(one.measure, links)
        if one.measure.kind is MeasureKind.VELOCITY:
            _, value, bias, slopes = link.point(given[self._points[one.measure]])
        else:
            value, bias, slopes = link.spin, link.spin_bias, link.turning
        back, i = np.swapaxes(axes.rotation, 1, 2), one.index[0]
        rate = bias - crossed(axes.spin, value)
        return multiplied(back, value)[:, i], multiplied(back, rate)[:, i], (back @ slopes)[:, i]

    def _value(self, measure: Measure, links: list[LinkAt], given: list[Array]) -> Array:
        link, axes = self._ends(measure, links)
        back = np.swapaxes(axes.rotation, 1, 2)
        place, velocity, _, moving = link.point(given[self._points[measure]])
        if measure.kind is MeasureKind.ROTATION:
            return back @ link.rotation
        if measure.kind is MeasureKind.JACOBIAN:
            return np.concatenate([back @ moving, back @ link.turning], axis=1)
        vectors = {MeasureKind.POSITION: place, MeasureKind.VELOCITY: velocity, MeasureKind.ANGULAR_VELOCITY: link.spin}
        return multiplied(back, vectors[measure.kind])

    def _ends(self, measure: Measure, links: list[LinkAt]) -> tuple[LinkAt, LinkAt]:
        """Return a measure's link, and that in whose axes it is."""
        axes = 0 if measure.axes == WORLD else self._tree.place(measure.axes)
        return links[self._tree.place(measure.link)], links[axes]
