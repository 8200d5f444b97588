"""What is told of the bodies of a robot, and what of them cannot move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eomc.frontends.robots.bodies import Body, bodies_of, slack, slack_branches, unmovable
from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.flaws import flaws_of, lengths_of
from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.assembly import Assembly
from eomc.frontends.urdf.elements import Robot
from eomc.frontends.urdf.faults import Fault
from eomc.model.trees.physical import Flaw, flaw_of
from eomc.wording import counted

_NAMED = 4  # joints of an error
_PLACEHOLDER = 1e-6  # of the robot's mass


def check_bodies(robot: Robot, assembly: Assembly) -> tuple[Finding, ...]:
    """Return what is told of links and of the bodies that they make.

    Raises
    ------
    Fault
        Nothing can move, or something moves that has no mass.
    """
    bodies = bodies_of(assembly.links, assembly.joints, assembly.root)
    if len(bodies) == 1:
        raise Fault(
            1,
            f"nothing of this robot moves: it has {counted(len(robot.links), 'link')}, no joint but fixed ones, and a "
            f"fixed base; base='quaternion' frees it",
        )
    stuck = list(unmovable(bodies))
    if stuck:
        raise _massless(stuck, bodies, {joint.name: joint.line for joint in robot.joints})
    for first, last in slack(bodies):
        raise _slack(first, [last], robot)
    for first, ends in slack_branches(bodies):
        raise _slack(first, ends, robot)
    lines = {link.name: link.inertial.line if link.inertial else link.line for link in robot.links}
    lengths = lengths_of(assembly.links, assembly.joints)
    return (*flaws_of(assembly.links, assembly.joints, lines), *_bodies(bodies, lengths, lines))


def _massless(stuck: Sequence[Body], bodies: Sequence[Body], lines: dict[str, int]) -> Fault:
    """Return the fault of the first body that cannot be moved; the others are counted."""
    body = stuck[0]
    name = body.joint.name if body.joint is not None else ""
    links = ", ".join(shown(member) for member in body.members[:4])
    carries = any(other.above == bodies.index(body) for other in bodies)
    what = f"{links}{' with all that is carried' if carries else ''}"
    if name not in lines:
        return Fault(1, f"the free base moves {what}, which has no mass: give a link a mass, or take base='fixed'")
    others = [shown(other.joint.name) for other in stuck[1:] if other.joint is not None]
    more = f", nor {'is that' if len(others) == 1 else 'are those'} of {_listed(others)}" if others else ""
    return Fault(
        lines[name],
        f"joint {shown(name)} moves {what}, which has no mass: its acceleration is not determined{more}; give a link a "
        f"mass and an inertia, or make the joint fixed",
    )


def _listed(names: Sequence[str]) -> str:
    """Return names, the first of many with the number of the others."""
    if len(names) <= _NAMED:
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def _slack(first: Body, ends: Sequence[Body], robot: Robot) -> Fault:
    """Return the fault of links without mass that could turn while nothing else moves."""
    lines = {joint.name: joint.line for joint in robot.joints}
    name = first.joint.name if first.joint is not None else ""
    start, line, remedy = f"joint {shown(name)}", lines.get(name, 1), ""
    if name not in lines:
        start, remedy = "the free base", ", or take base='fixed'"
    return Fault(
        line,
        f"from {start} to link {', '.join(shown(end.link.name) for end in ends)} there is no mass, and the joints have "
        f"more than six degrees of freedom{' for each' if len(ends) > 1 else ''}: some of their motions move nothing, "
        f"and accelerations are not determined; give links between them a mass{remedy}",
    )


def _bodies(bodies: Sequence[Body], lengths: dict[str, float], lines: dict[str, int]) -> Iterator[Finding]:
    """Tell what is strange of bodies that move; the root stands still."""
    total = sum(float(body.link.mass) for body in bodies)
    for body in bodies[1:]:
        name = body.link.name
        line = lines.get(name, 0)
        mass = float(body.link.mass)
        if not line:  # a link that only stands between two joints
            continue
        if not mass:
            yield Finding(Kind.MASSLESS_BODY, name, line)
        elif mass < _PLACEHOLDER * total:
            yield Finding(Kind.PLACEHOLDER, name, line, f"{mass:g} kg")
        if flaw_of(body.link, max(lengths[member] for member in body.members)) is Flaw.MOMENT:
            yield Finding(Kind.INDEFINITE_BODY, name, line)
