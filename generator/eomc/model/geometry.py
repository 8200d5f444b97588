"""Which vectors and rotations of the user's frames and points a system of bodies really rests on.

SymPy's frames and points form graphs: frames joined by rotations and by angular velocities, points by positions. The
velocity of a point is the one that was set, or follows from the nearest point (by positions) that has one, as
``Point.vel`` finds it; here it is found without writing into the user's objects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, TypeAlias

from eomc.model.sympy_private import angular_velocities, orientations, positions, set_velocity

__all__ = ["angular_velocity_path", "connected_points", "frames_of", "orientation_path", "paths_to", "velocity_path"]

Frame: TypeAlias = Any
Point: TypeAlias = Any
Vector: TypeAlias = Any


def paths_to(root: Frame, neighbours: Callable[[Frame], Iterable[Frame]]) -> dict[Frame, Frame]:
    """Return frame -> next frame towards `root`, by shortest paths; `root` maps to itself."""
    towards = {root: root}
    queue = deque([root])
    while queue:
        frame = queue.popleft()
        for other in neighbours(frame):
            if other not in towards:
                towards[other] = frame
                queue.append(other)
    return towards


def orientation_path(inertial_frame: Frame) -> dict[Frame, Frame]:
    """Return the tree of frames that have an orientation in `inertial_frame`."""
    return paths_to(inertial_frame, orientations)


def angular_velocity_path(inertial_frame: Frame) -> dict[Frame, Frame]:
    """Return the tree of frames that have an angular velocity in `inertial_frame`."""
    return paths_to(inertial_frame, angular_velocities)


def velocity_path(point: Point, frame: Frame, oriented: Container[Frame]) -> list[Point] | None:
    """Return the points from `point` to the nearest one with a velocity set in `frame`; None where there is none.

    A path of one point means that its own velocity was set. Positions in frames that are not `oriented` lead nowhere.
    """
    came_from: dict[Point, Point | None] = {point: None}
    queue = deque([point])
    while queue:
        here = queue.popleft()
        if set_velocity(here, frame) is not None:
            path = [here]
            while (previous := came_from[path[-1]]) is not None:
                path.append(previous)
            return path[::-1]
        for other, vector in positions(here).items():
            if other not in came_from and all(where in oriented for where in frames_of(vector)):
                came_from[other] = here
                queue.append(other)
    return None


def connected_points(points: Iterable[Point]) -> Iterator[tuple[Point, Point, Vector]]:
    """Yield (point, neighbour, position of point from neighbour) once for each pair connected with `points`."""
    visited: set[Point] = set()
    pairs: set[frozenset[Point]] = set()
    stack = list(points)
    while stack:
        point = stack.pop()
        if point in visited:
            continue
        visited.add(point)
        for other, vector in positions(point).items():
            pair = frozenset((point, other))
            if pair not in pairs:
                pairs.add(pair)
                yield point, other, vector
            stack.append(other)


def frames_of(vector: Vector) -> list[Frame]:
    """Return the frames in which the components of `vector` are given."""
    return [frame for _, frame in vector.args]
