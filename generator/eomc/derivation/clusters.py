"""Bodies that move as one for a speed.

At a random state the partial twist of each body for each speed, taken about one common point, is compared: bodies
with equal twists move like one rigid body for that speed, whatever the model's topology. A particle counts as not
turning. For a serial arm these clusters are the outboard bodies of each joint, and working with their composite
inertia is the composite-rigid-body algorithm (Featherstone, *Rigid Body Dynamics Algorithms* (2008), section 6.2);
nothing here knows about trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem
from eomc.derivation.motion import TwistNumbers
from eomc.ir.graph import Node
from eomc.passes.differentiate import depends_on
from eomc.passes.smoothness import is_smooth

__all__ = ["Clusters", "find_clusters"]

_SAME = 1e-9

_Twist = tuple[float, ...]  # velocity of the common point, then angular velocity


@dataclass(frozen=True, slots=True)
class Clusters:
    """For each speed, the disjoint sets of bodies that it moves, each set as one.

    `moved_by[b]` is how many speeds move body b: fewer for a body further in.
    """

    of_speed: tuple[tuple[frozenset[int], ...], ...]
    moved_by: tuple[int, ...]


def find_clusters(system: BodySystem) -> Clusters:
    """Return the clusters of every motion variable."""
    problem, motion = system.problem, system.motion
    numbers = system.twists
    order = sorted(depends_on(problem.graph, numbers.nodes, problem.motion))
    places = [motion.place(body.center) for body in system.bodies]
    rest = _twists(system, numbers, order, None)
    comparable = is_smooth(problem.graph, numbers.nodes)  # of functions with kinks one state does not tell
    moved = [0] * len(system.bodies)
    of_speed = []
    for index in range(len(problem.motion)):
        groups: list[tuple[_Twist, object, set[int]]] = []
        for b, twist in enumerate(_twists(system, numbers, order, index)):
            gain = [x - y for x, y in zip(twist, rest[b], strict=True)]
            if comparable and max(map(abs, gain)) <= _SAME * max(map(abs, (*twist, *rest[b]))):
                continue
            moved[b] += 1
            velocity, spin = gain[:3], gain[3:]
            root, arm = places[b]
            where = (root if any(spin) else None) if comparable else system.bodies[b]
            _join(groups, b, _twist(velocity, spin, arm), where)
        of_speed.append(tuple(frozenset(members) for _, _, members in groups))
    return Clusters(tuple(of_speed), tuple(moved))


def _twists(system: BodySystem, numbers: TwistNumbers, order: Sequence[Node], index: int | None) -> list[list[float]]:
    """Return the inertial components of all twists with one speed at 1 and the others at 0."""
    leaves = {u: float(k == index) for k, u in enumerate(system.problem.motion)}
    found = numbers(system.sample.changed(order, leaves).__getitem__)
    still = [0.0, 0.0, 0.0]
    return [[*found[body.center], *(still if body.frame is None else found[body.frame])] for body in system.bodies]


def _twist(velocity: Sequence[float], spin: Sequence[float], arm: Sequence[float]) -> _Twist:
    """Move a twist from a body's mass centre to the root of its points, at `-arm` from there."""
    x, y, z = arm
    return (
        velocity[0] - (spin[1] * z - spin[2] * y),
        velocity[1] - (spin[2] * x - spin[0] * z),
        velocity[2] - (spin[0] * y - spin[1] * x),
        *spin,
    )


def _join(groups: list[tuple[_Twist, object, set[int]]], body: int, twist: _Twist, root: object) -> None:
    for known, where, members in groups:
        if where is root and _close(known, twist):
            members.add(body)
            return
    groups.append((twist, root, {body}))


def _close(a: Sequence[float], b: Sequence[float]) -> bool:
    size = max(map(abs, (*a, *b)))
    return all(abs(x - y) <= _SAME * size for x, y in zip(a, b, strict=True))  # NaN is close to nothing
