"""Which vectors and rotations of the user's frames and points a system of bodies really rests on.

SymPy's frames and points form graphs: frames joined by rotations and by angular velocities, points by positions. The
velocity of a point is the one that was set, or follows from the nearest point (by positions) that has one, as
``Point.vel`` finds it; here it is found without writing into the user's objects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

import sympy

from eomc.model.sympy_private import Frame, Point, Vector, entries, positions, set_velocity


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


def ways(points: Iterable[Point], frame: Frame) -> dict[Point, Point | None]:
    """Return point -> next point on its way to the root of what positions connect with it, for `points` and the ways.

    Neighbours nearer to a root come first; a root has None. It is the point whose velocity in `frame` has the fewest
    components, of equals the nearest to the first of the `points`; where none of the connected points has a velocity
    there are no ways. Points on no way carry nothing: they are there for drawing, or belong to another mechanism.
    """
    found: dict[Point, Point | None] = {}
    wanted = list(dict.fromkeys(points))
    met: set[Point] = set()
    for start in wanted:
        if start in met:
            continue
        connected = paths_to(start, positions)
        met.update(connected)
        moving = [(point, set_velocity(point, frame)) for point in connected]
        velocities = {point: velocity for point, velocity in moving if velocity is not None}
        if velocities:
            still = (point for point, velocity in velocities.items() if not velocity.args)  # none has fewer
            root = next(still, None) or min(velocities, key=lambda point: _size(velocities[point]))
            found.update(_pruned(paths_to(root, positions), (point for point in wanted if point in connected)))
    return found


def fixed_point(points: Iterable[Point], frame: Frame) -> Point | None:
    """Return the first point at rest in `frame` to which positions connect `points`; None where nothing is at rest."""
    for point, inwards in ways(points, frame).items():
        velocity = set_velocity(point, frame)
        if inwards is None and velocity is not None and not velocity.args:
            return point
    return None


def _pruned(towards: dict[Point, Point], points: Iterable[Point]) -> dict[Point, Point | None]:
    """Return those of a tree's points that lie between `points` and the root, in the tree's order."""
    kept: set[Point] = set()
    for point in points:
        while point not in kept:
            kept.add(point)
            point = towards[point]
    return {point: None if towards[point] is point else towards[point] for point in towards if point in kept}


def _size(velocity: Vector) -> int:
    """Return the number of components of a vector that are not zero."""
    return sum(1 for matrix, _ in velocity.args for entry in entries(matrix) if entry != 0)


def steps(frames: Iterable[Frame], towards: dict[Frame, Frame]) -> Iterator[tuple[Frame, Frame]]:
    """Yield the (frame, next frame) pairs on the ways from `frames` to the root, each once."""
    done: set[Frame] = set()
    for frame in frames:
        while frame in towards and frame not in done and towards[frame] is not frame:
            done.add(frame)
            yield frame, towards[frame]
            frame = towards[frame]


def entries_of(vector: Vector) -> list[Any]:
    """Return all components of `vector`, those of one frame side by side."""
    found: list[Any] = []
    for components, _ in vector.args:
        found += components_of(components)
    return found


def components_of(part: Any) -> list[Any]:
    """Return the components of the part of a vector in one frame; nan * N.x holds nan itself."""
    return entries(part) if isinstance(part, sympy.MatrixBase) else [part]


def frames_of(vector: Vector) -> list[Frame]:
    """Return the frames in which the components of `vector` are given."""
    return [frame for _, frame in vector.args]
