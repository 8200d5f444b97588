"""Vectors of sympy.physics.vector as numbers in the inertial frame.

The rotation of a frame is the numeric product of the neighbours' rotation matrices on its way to the inertial
frame; no symbolic product is formed. Frames that have an angular velocity but no orientation in the inertial frame
(Euler's equations need none) form trees of their own; vectors are then kept in the root of the tree and
differentiated with the root's angular velocity.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy

from eomc.errors import ModelError
from eomc.model.sympy_private import Frame, Vector, angular_velocities, orientations
from eomc.reference.arrays import cross, product, reshaped, stack, zeros
from eomc.reference.clock import Clock
from eomc.reference.jets import Jet
from eomc.reference.plan import Plan

Dyadic: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class VectorForm:
    """A vector: places of its components in a plan, frame by frame."""

    root: Frame  # None for the zero vector
    parts: tuple[tuple[Frame, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class DyadicForm:
    """A dyadic: places of its nine components in a plan, by left and right frame."""

    root: Frame
    parts: tuple[tuple[Frame, Frame, tuple[int, ...]], ...]


def shortest_path(start: Any, neighbours: Callable[[Any], Iterable[Any]], goal: Callable[[Any], bool]) -> list[Any]:
    """Return the nodes from `start` to the nearest one that is a goal, both included; empty where there is none."""
    for node, towards in nearest_first(start, neighbours):
        if goal(node):
            path = [node]
            while path[-1] is not start:
                path.append(towards[path[-1]])
            return path[::-1]
    return []


def nearest_first(start: Any, neighbours: Callable[[Any], Iterable[Any]]) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Yield all that `start` is connected with and, for what has been met, the neighbour nearer to the start."""
    towards, queue = {start: start}, [start]
    for node in queue:  # grows while it is walked
        yield node, towards
        new = [other for other in neighbours(node) if other not in towards]
        towards.update(dict.fromkeys(new, node))
        queue += new


class Frames:
    """The frames that a model's vectors are written in; collects what has to be evaluated into `plan`."""

    def __init__(self, inertial_frame: Frame, plan: Plan) -> None:
        self.inertial_frame = inertial_frame
        self.plan = plan
        self.roots: dict[Frame, Frame] = {}
        self.steps: dict[Frame, tuple[Frame, tuple[int, ...]]] = {}
        self.angular_velocities: dict[Frame, VectorForm] = {}
        self._towards: dict[Frame, Frame] = {}
        self._register_tree(inertial_frame)

    def vector(self, vector: Vector, plan: Plan | None = None) -> VectorForm:
        """Return the form of a vector whose components are evaluated by `plan` (default: the frames' own)."""
        plan = self.plan if plan is None else plan
        parts, root = [], None
        for components, frame in getattr(vector, "args", ()):  # a zero may be the number 0
            root = self._common_root(root, self._rooted(frame), vector)
            parts.append((frame, tuple(plan.add(component) for component in components)))
        return VectorForm(root, tuple(parts))

    def dyadic(self, dyadic: Dyadic) -> DyadicForm:
        """Return the form of a dyadic, components grouped by the frames of their unit vectors."""
        matrices: dict[tuple[Frame, Frame], sympy.Matrix] = {}
        root = None
        for scalar, left, right in getattr(dyadic, "args", ()):
            for column, left_frame in left.args:
                for row, right_frame in right.args:
                    for frame in (left_frame, right_frame):
                        root = self._common_root(root, self._rooted(frame), dyadic)
                    pair = (left_frame, right_frame)
                    matrices[pair] = matrices.get(pair, sympy.zeros(3, 3)) + scalar * column * row.T
        parts = tuple((*pair, tuple(self.plan.add(entry) for entry in matrix)) for pair, matrix in matrices.items())
        return DyadicForm(root, parts)

    def angular_velocity(self, frame: Frame) -> VectorForm:
        """Return the angular velocity of `frame` in the inertial frame.

        Raises
        ------
        ModelError
            No chain of angular velocities leads there.
        """
        if frame not in self.angular_velocities:
            path = shortest_path(frame, angular_velocities, lambda other: other is self.inertial_frame)
            if not path:
                where = self.inertial_frame.name
                raise ModelError(
                    f"frame {frame.name} has no angular velocity in {where}: orient it, or use set_ang_vel"
                )
            forms = [self.vector(angular_velocities(a)[b]) for a, b in itertools.pairwise(path)]
            root = None
            for form in forms:
                root = self._common_root(root, form.root, frame)
            self.angular_velocities[frame] = VectorForm(root, tuple(part for form in forms for part in form.parts))
        return self.angular_velocities[frame]

    def is_oriented(self, vector: Vector) -> bool:
        """Tell whether all components of `vector` are in frames with an orientation in the inertial frame."""
        return all(self._rooted(frame) is self.inertial_frame for _, frame in getattr(vector, "args", ()))

    def entries(self, vector: Vector) -> list[sympy.Expr]:
        """Return the components of a vector, and those of the rotations that turn it into the root's."""
        found: list[sympy.Expr] = []
        for components, frame in getattr(vector, "args", ()):
            found += components
            while (parent := self._towards.get(frame, frame)) is not frame:
                found += orientations(parent)[frame]
                frame = parent
        return found

    def _rooted(self, frame: Frame) -> Frame:
        if frame not in self.roots:
            self._register_tree(frame)
            self.angular_velocity(frame)
        root = self.roots[frame]
        self._use(frame)
        return root

    def _register_tree(self, root: Frame) -> None:
        """Find every frame with an orientation in `root`, and the neighbour through which it is seen from there."""
        for frame, nearer in nearest_first(root, orientations):
            self.roots[frame], self._towards[frame] = root, nearer[frame]

    def _use(self, frame: Frame) -> None:
        """Put the rotation matrices between `frame` and its root into the plan."""
        while frame not in self.steps and (parent := self._towards[frame]) is not frame:
            matrix = orientations(parent)[frame]  # v_parent = matrix v_frame
            self.steps[frame] = (parent, tuple(self.plan.add(entry) for entry in matrix))
            frame = parent

    def _common_root(self, root: Frame, other: Frame, what: object) -> Frame:
        if root is None or other is None or root is other:
            return other if root is None else root
        raise ModelError(
            f"{what} joins frames {root.name} and {other.name}, which have no orientation to each other: orient one of "
            "them in the other"
        )


class Rotations:
    """The frames' rotations at given states, and vectors in their roots' components."""

    def __init__(self, frames: Frames, values: Sequence[Jet], states: int) -> None:
        self.frames = frames
        self.values = values
        self.states = states
        self._matrices: dict[Frame, Jet] = {}

    def matrix(self, frame: Frame) -> Jet | None:
        """Return C with v_root = C v_frame, shape (k, 3, 3); None for a root itself."""
        chain = []
        while frame in self.frames.steps and frame not in self._matrices:
            chain.append(frame)
            frame = self.frames.steps[frame][0]
        for here in reversed(chain):
            parent, places = self.frames.steps[here]
            matrix = self._square(places, self.values)
            outer = self._matrices.get(parent)
            self._matrices[here] = matrix if outer is None else product(outer, matrix, "ij", "jk", "ik")
            frame = here
        return self._matrices.get(frame)

    def sum(self, forms: Iterable[VectorForm], values: Sequence[Jet] | None = None) -> Jet:
        """Return the sum of vectors with one root, shape (k, 3)."""
        return sum((self.vector(form, values) for form in forms), zeros(self.states, 3))

    def vector(self, form: VectorForm, values: Sequence[Jet] | None = None) -> Jet:
        """Return a vector in the components of its root, shape (k, 3)."""
        values = self.values if values is None else values
        total = zeros(self.states, 3)
        for frame, places in form.parts:
            components = stack([values[place] for place in places], (self.states,))
            matrix = self.matrix(frame)
            total = total + (components if matrix is None else product(matrix, components, "ij", "j", "i"))
        return total

    def dyadic(self, form: DyadicForm) -> Jet:
        """Return a dyadic in the components of its root, shape (k, 3, 3)."""
        total = zeros(self.states, 3, 3)
        for left, right, places in form.parts:
            part = self._square(places, self.values)
            if (matrix := self.matrix(left)) is not None:
                part = product(matrix, part, "ij", "jk", "ik")
            if (matrix := self.matrix(right)) is not None:
                part = product(part, matrix, "ij", "kj", "ik")
            total = total + part
        return total

    def truncated(self, order: int) -> Rotations:
        """Return the same with derivatives up to an order alone."""
        return Rotations(self.frames, [jet.truncated(order) for jet in self.values], self.states)

    def rate(self, root: Frame, vector: Jet, clock: Clock) -> Jet:
        """Return the derivative in the inertial frame of a vector given in the components of `root`."""
        change = clock.rate(vector)
        if root is None or root is self.frames.inertial_frame:
            return change
        return change + cross(self.vector(self.frames.angular_velocity(root)), vector)

    def _square(self, places: tuple[int, ...], values: Sequence[Jet]) -> Jet:
        return reshaped(stack([values[place] for place in places], (self.states,)), (self.states, 3, 3))
