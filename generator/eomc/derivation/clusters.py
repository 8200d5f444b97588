"""Bodies that move as one for a speed.

What a speed adds to the motion from one point or frame to the next is read from the graph. Two frames turn alike for
a speed when nothing between them depends on it, two points of a chain move as one with such a frame when the arms
between them are fixed in frames that turn alike. Then the bodies there move like one rigid body for that speed,
whatever the model's topology. A particle counts as not turning. For a serial arm these clusters are the outboard bodies
of each joint, and working with their composite inertia is the composite-rigid-body algorithm (Featherstone, *Rigid Body
Dynamics Algorithms* (2008), section 6.2); nothing here knows about trees. Bodies that move as one unseen only make
longer equations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem, GraphBody
from eomc.ir.remembered import remembered
from eomc.lowering.vectors import VectorSum, components, each
from eomc.model.sympy_private import Frame, Point

_STILL = 0

_Classes = dict[int, int]  # speed -> class of what it moves alike; a speed that is not there moves nothing


@dataclass(frozen=True, slots=True)
class Clusters:
    """For each speed, the disjoint sets of bodies that it moves, each set as one.

    `moved_by[b]` is how many speeds move body b: fewer for a body further in; `motion` sorts what single speeds add.
    """

    of_speed: tuple[tuple[frozenset[int], ...], ...]
    moved_by: tuple[int, ...]
    motion: PartialMotion


def find_clusters(system: BodySystem) -> Clusters:
    """Return the clusters of every motion variable."""
    partial = PartialMotion(system)
    groups: list[dict[Hashable, set[int]]] = [{} for _ in system.problem.motion]
    moved = []
    for b, body in enumerate(system.bodies):
        keys = partial.keys(body)
        moved.append(len(keys))
        for s, key in keys.items():
            groups[s].setdefault(key, set()).add(b)
    return Clusters(tuple(tuple(map(frozenset, found.values())) for found in groups), tuple(moved), partial)


class PartialMotion:
    """Sorts points and frames by what single speeds add to their motion.

    Parameters
    ----------
    system
        The bodies.
    """

    def __init__(self, system: BodySystem) -> None:
        self._motion = system.motion
        self._problem = system.problem
        self._numbers: dict[Hashable, int] = {}
        self._turning: dict[Frame, _Classes] = {}
        self._shifting: dict[Point, _Classes] = {}
        self._roots: dict[tuple[Point, int, int], Point] = {}

    def keys(self, body: GraphBody) -> dict[int, Hashable]:
        """Return for each speed that moves a body what it shares with those that move as one with it."""
        turning = {} if body.frame is None else self.turning(body.frame)
        shifting = self.shifting(body.center)
        return {
            s: (turning[s], self._root(body.center, s, turning[s])) if s in turning else shifting[s]
            for s in sorted({*turning, *shifting})
        }

    def turning(self, frame: Frame) -> _Classes:
        """Return the partial angular velocities of a frame, as classes of equal ones."""
        return self._along(frame, self._turning, self._motion.spin_step)

    def shifting(self, point: Point) -> _Classes:
        """Return the partial velocities of a point, as classes of equal ones."""
        return self._along(point, self._shifting, lambda here: self._motion.velocity_step(here)[:2])

    def _along(
        self, last: Hashable, known: dict[Hashable, _Classes], step: Callable[[Hashable], tuple[Hashable, VectorSum]]
    ) -> _Classes:
        """Return the classes of the end of a chain: its neighbour's, but for the speeds that add something here."""
        chain: list[Hashable] = []
        here: Hashable | None = last
        while here is not None and here not in known:
            chain.append(here)
            here, _ = step(here)
        for member in reversed(chain):
            before, gain = step(member)
            classes = {} if before is None else dict(known[before])
            for s in sorted(self._problem.speeds_in.of(components(gain))):
                key = (classes.get(s, _STILL), self._partial(gain, s))
                classes[s] = self._numbers.setdefault(key, len(self._numbers) + 1)
            known[member] = classes
        return known[last]

    def _partial(self, vector: VectorSum, s: int) -> Hashable:
        """Return the derivative of a vector's components, piece by piece, but for pieces that are zero."""
        slope, zero = self._problem.partials[s], self._problem.graph.zero
        pieces = ((frame, each(slope, piece)) for frame, piece in vector.items())
        return frozenset((frame, piece) for frame, piece in pieces if piece != (zero, zero, zero))

    def _root(self, point: Point, s: int, turning: int) -> Point:
        """Return the innermost point from which a chain of arms to here turns, for a speed, as one with a frame."""
        chain = []
        here = point
        while (here, s, turning) not in self._roots:
            chain.append(here)
            origin = self._motion.velocity_step(here)[0]
            if origin is None or not self._is_carried(here, s, turning):
                self._roots[here, s, turning] = here
                break
            here = origin
        found = self._roots[here, s, turning]
        self._roots.update(dict.fromkeys(((member, s, turning) for member in chain), found))
        return found

    def _is_carried(self, point: Point, s: int, turning: int) -> bool:
        """Whether, for a speed, the arm to a point moves like a part of a frame that turns in a given way."""
        _, _, arm = self._motion.velocity_step(point)
        return s not in self._bending(point) and all(self.turning(frame).get(s, _STILL) == turning for frame in arm)

    @remembered
    def _bending(self, point: Point) -> set[int]:
        """Return the speeds with which the arm to a point varies in its frames."""
        _, _, arm = self._motion.velocity_step(point)
        return self._problem.speeds_in.of(map(self._problem.rate, components(arm)))

    def is_fixed_in(self, body: GraphBody, point: Point) -> bool:
        """Whether a neighbour of a body's mass centre moves as one with the body for every speed that moves either."""
        center, turning = body.center, self.turning(body.frame)
        if self._motion.velocity_step(point)[0] is center:
            outer, inner = point, center
        elif self._motion.velocity_step(center)[0] is point:
            outer, inner = center, point
        else:
            return False
        speeds = {*turning, *self.shifting(outer), *self.shifting(inner)}
        return all(
            self._is_carried(outer, s, turning[s])
            if s in turning
            else self.shifting(outer).get(s, _STILL) == self.shifting(inner).get(s, _STILL)
            for s in speeds
        )
