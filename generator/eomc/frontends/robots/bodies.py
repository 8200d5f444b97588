"""What moves as one: links with all that is fixed to them, and what such a body must have to be moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eomc.frontends.robots.matrices import Matrix, Triple, product, times, turned
from eomc.model.trees.records import Joint, JointKind, Link

_NOWHERE: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Body:
    """A link that a moving joint carries (or the root), with the links fixed to it as one rigid body."""

    link: Link  # of the carried link's name, with mass, centre and inertia of all
    members: tuple[str, ...]
    joint: Joint | None  # that carries it; None of the root
    above: int | None  # the body that it hangs on


def bodies_of(links: Sequence[Link], joints: Sequence[Joint], root: str) -> list[Body]:
    """Return the bodies of a tree whose entries are numbers, those above first."""
    by_name = {link.name: link for link in links}
    below: dict[str, list[Joint]] = {}
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    found: list[Body] = []
    waiting: list[tuple[str, Joint | None, int | None]] = [(root, None, None)]
    while waiting:
        name, carrier, above = waiting.pop()
        number = len(found)
        placed = list(_placed(name, below))
        found.append(
            Body(
                _merged(name, [(by_name[member], turn, place) for member, turn, place in placed]),
                tuple(member for member, _, _ in placed),
                carrier,
                above,
            )
        )
        moving = [
            joint for member, _, _ in placed for joint in below.get(member, ()) if joint.kind is not JointKind.FIXED
        ]
        waiting += [(joint.child, joint, number) for joint in reversed(moving)]
    return found


def _placed(name: str, below: dict[str, list[Joint]]) -> Iterator[tuple[str, Matrix, Triple]]:
    """Return a link and all that is fixed to it, with axes and places in the frame of the first."""
    waiting: list[tuple[str, Matrix, Triple]] = [(name, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), _NOWHERE)]
    while waiting:
        member, turn, place = waiting.pop()
        yield member, turn, place
        for joint in below.get(member, ()):
            if joint.kind is JointKind.FIXED:
                step = times(turn, _numbers(joint.offset))
                waiting.append((joint.child, product(turn, _matrix(joint.rotation)), _sum(place, step)))


def _merged(name: str, members: Sequence[tuple[Link, Matrix, Triple]]) -> Link:
    """Return several links as one, in the frame of the first."""
    heavy = [
        (float(link.mass), _sum(place, times(turn, _numbers(link.centre))), turned(_matrix(link.inertia), turn))
        for link, turn, place in members
    ]
    mass = sum(one for one, _, _ in heavy)
    x, y, z = (sum(one * centre[i] for one, centre, _ in heavy) / mass if mass else 0.0 for i in range(3))
    rows = [[0.0] * 3 for _ in range(3)]
    for one, centre, inertia in heavy:
        away = (centre[0] - x, centre[1] - y, centre[2] - z)
        square = sum(component**2 for component in away)
        for i in range(3):
            for k in range(3):
                rows[i][k] += inertia[i][k] + one * ((square if i == k else 0.0) - away[i] * away[k])
    first, second, third = ((a, b, c) for a, b, c in rows)
    return Link(name=name, mass=mass, centre=(x, y, z), inertia=(first, second, third))


def unmovable(bodies: Sequence[Body]) -> Iterator[Body]:
    """Return the bodies that nothing resists to move: no mass (or inertia, where they turn) in them or further out.

    A joint that others follow moves all that these carry as well.
    """
    mass = [float(body.link.mass) for body in bodies]
    inert = [bool(body.link.mass) or any(any(row) for row in body.link.inertia) for body in bodies]
    for number in reversed(range(len(bodies))):
        above = bodies[number].above
        if above is not None:
            mass[above] += mass[number]
            inert[above] = inert[above] or inert[number]
    resists: dict[str, bool] = {}
    for number, body in enumerate(bodies):
        if body.joint is not None:
            leader = body.joint.mimic.joint if body.joint.mimic else body.joint.name
            own = inert[number] if body.joint.kind is JointKind.REVOLUTE else mass[number] > 0
            resists[leader] = resists.get(leader, False) or own
    for body in bodies:
        if body.joint is not None and body.joint.mimic is None and not resists[body.joint.name]:
            yield body


def slack(bodies: Sequence[Body]) -> Iterator[tuple[Body, Body]]:
    """Return rows of bodies without mass or inertia, each carrying one body: the first, and the body at the end.

    Where their joints have more than six speeds together, some turn of them moves the body at the end nowhere.
    """
    carried: dict[int, list[int]] = {}
    for number, body in enumerate(bodies):
        if body.above is not None:
            carried.setdefault(body.above, []).append(number)
    for number, first in enumerate(bodies):
        body, speeds, last = first, 0, number
        while body.joint is not None and body.joint.mimic is None:
            speeds += body.joint.kind.speeds
            if speeds > 6:
                yield first, body
            if body.link.mass or any(any(row) for row in body.link.inertia) or len(carried.get(last, ())) != 1:
                break
            (last,) = carried[last]
            body = bodies[last]


def slack_branches(bodies: Sequence[Body]) -> Iterator[tuple[Body, list[Body]]]:
    """Return bodies without mass that carry several ones: the first, and the bodies at the ends.

    Where their joints have more than six speeds for each of these together, some motion of them moves no end.
    """
    bound = {joint.mimic.joint for body in bodies if (joint := body.joint) is not None and joint.mimic is not None}
    speeds, free, ends = [0] * len(bodies), [True] * len(bodies), [list[int]() for _ in bodies]
    for number, body in reversed(list(enumerate(bodies))):
        joint = body.joint
        if joint is None:
            continue
        if body.link.mass or any(any(row) for row in body.link.inertia):
            ends[number], speeds[number], free[number] = [number], 0, True
        speeds[number] += joint.kind.speeds
        free[number] = free[number] and joint.mimic is None and joint.name not in bound
        if body.above is not None:
            ends[body.above] += ends[number]
            speeds[body.above] += speeds[number]
            free[body.above] = free[body.above] and free[number]
    for number, body in enumerate(bodies):
        if body.joint is not None and free[number] and len(ends[number]) > 1:
            if speeds[number] > 6 * len(ends[number]):
                yield body, [bodies[end] for end in sorted(ends[number])]


def _sum(one: Triple, other: Triple) -> Triple:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _numbers(triple: Sequence[object]) -> Triple:
    x, y, z = (float(entry) for entry in triple)  # type: ignore[arg-type]  # entries are numbers before parameters come
    return x, y, z


def _matrix(rows: Sequence[Sequence[object]]) -> Matrix:
    first, second, third = (_numbers(row) for row in rows)
    return first, second, third
