"""Which bodies, links and points of a model have a pose, from which point, and why others have none.

A position is the sum of the vectors that the user set between neighbouring points, an orientation the product of the
rotations between neighbouring frames: where either way is broken, velocities may be known, but no pose is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from eomc.errors import ModelError
from eomc.model import geometry
from eomc.model.mechanism import Mechanism
from eomc.model.parts import MechanicalSystem, fixed_point_of
from eomc.model.sympy_private import Frame, Point, orientations, positions
from eomc.model.trees.tree import JointTree


@dataclass(frozen=True, slots=True)
class Placement:
    """What has a pose: a body at its mass centre, a link at its frame's origin, a point.

    Attributes
    ----------
    place
        A Point, the name of a link, or three expressions along the axes of the inertial frame.
    frame
        Of a rigid body; None for what does not turn, and for links.
    is_link
        Whether the place is the name of a link.
    """

    name: str
    place: Any
    frame: Frame | None = None
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class Placements:
    """All that has a pose, in the model's order, and what has none.

    Attributes
    ----------
    origin
        The point from which positions count; None where they need none, or there is none.
    left_out
        Names of bodies and points, each with the reason.
    """

    rows: tuple[Placement, ...]
    origin: Point | None
    inertial: str  # the name of the inertial frame, or of the root
    left_out: tuple[tuple[str, str], ...] = ()


def placements(model: Mechanism) -> Placements:
    """Return what has a pose.

    Raises
    ------
    ModelError
        The origin that was given belongs to no body, or the model has none that needs an origin.
    """
    dynamics, origin = model.dynamics, model.appearance.origin
    if isinstance(dynamics, MechanicalSystem):
        return _of_bodies(model, dynamics)
    if origin is not None:
        raise ModelError(f"origin is {origin}, and the model has no Points: leave it out")
    named = model.appearance.points
    rows = [Placement(link.name, link.name, is_link=True) for link in getattr(dynamics, "links", ())]
    for one in named:
        if not isinstance(one.place, tuple):
            raise ModelError(f"points[{one.name!r}] is {one.place}, and the model has no Points: give (x, y, z)")
        rows.append(Placement(one.name, one.place))
    return Placements(tuple(rows), None, dynamics.root if isinstance(dynamics, JointTree) else "the axes")


def _of_bodies(model: Mechanism, system: MechanicalSystem) -> Placements:
    origin = model.appearance.origin or fixed_point_of(system)
    oriented = geometry.paths_to(system.inertial_frame, orientations)
    reached = {} if origin is None else points_from(origin, oriented)
    named = [Placement(one.name, one.place) for one in model.appearance.points]
    rows: list[Placement] = []
    left_out: list[tuple[str, str]] = []
    for one in (*_bodies(system), *named):
        if not isinstance(one.place, tuple) and one.place not in reached:
            left_out.append((one.name, "no point is fixed" if origin is None else f"no position from {origin}"))
        elif one.frame is not None and one.frame not in oriented:
            left_out.append((one.name, f"no orientation in {system.inertial_frame}"))
        else:
            rows.append(one)
    if model.appearance.origin is not None and system.bodies and not rows:
        raise ModelError(f"origin is {origin}, from which no body has a position: give a point that is connected")
    return Placements(tuple(rows), origin, str(system.inertial_frame), tuple(left_out))


def _bodies(system: MechanicalSystem) -> Iterator[Placement]:
    for body in system.bodies:
        yield Placement(str(body.name), body.masscenter, getattr(body, "frame", None))


def points_from(origin: Point, oriented: Iterable[Frame]) -> dict[Point, Point]:
    """Return point -> next point towards the origin, by positions in frames whose orientation is known."""
    known = set(oriented)

    def neighbours(point: Point) -> Iterator[Point]:
        return (other for other, arm in positions(point).items() if known.issuperset(geometry.frames_of(arm)))

    return geometry.paths_to(origin, neighbours)
