"""A <joint> of the file as a record."""

from __future__ import annotations

import math
from collections.abc import Iterator

from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.matrices import Triple
from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.elements import JointElement, JointType, LimitElement, MimicElement, Pose
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.known import check_element
from eomc.frontends.urdf.links import read_pose
from eomc.frontends.urdf.markup import Element
from eomc.frontends.urdf.values import bounded, name_in, number_in, triple_in
from eomc.wording import did_you_mean

_TYPES = [kind.value for kind in JointType]
_TURNS = 100 * 2 * math.pi  # a limit beyond is written by somebody who means none
_UNIT = 1e-9  # how far the length of an axis may be from one, unsaid


def read_joint(element: Element, findings: list[Finding]) -> JointElement:
    """Return a joint; what is told about it is added to `findings`.

    Raises
    ------
    Fault
        It lacks its name, type, parent or child, a number is none, its axis is zero, or its limits hold nothing.
    """
    name = name_in(element, "name", "a joint")
    owner = f"joint {shown(name)}"
    findings += check_element(element, owner)
    text = name_in(element, "type", owner)
    if text not in _TYPES:
        raise Fault(element.line, f"{owner}: there is no type of joint {shown(text)}: {did_you_mean(text, _TYPES)}")
    kind = JointType(text)
    origin = element.one("origin", owner)
    if origin is None:
        findings.append(Finding(Kind.NO_ORIGIN, name, element.line))
    damping, friction = _losses(owner, kind, element.one("dynamics", owner), findings)
    return JointElement(
        name=name,
        type=kind,
        parent=_link(element, "parent", owner, findings),
        child=_link(element, "child", owner, findings),
        pose=read_pose(origin, owner, findings) if origin else Pose(),
        axis=_axis(name, owner, kind, element, findings),
        damping=damping,
        friction=friction,
        limit=_limit(name, owner, kind, element, findings),
        mimic=_mimic(name, owner, kind, element.one("mimic", owner), findings),
        line=element.line,
    )


def _link(element: Element, tag: str, owner: str, findings: list[Finding]) -> str:
    found = element.one(tag, owner)
    if found is None:
        raise Fault(element.line, f"{owner}: it has no element <{tag}>, which names a link")
    findings += check_element(found, owner)
    return name_in(found, "link", owner)


def _axis(name: str, owner: str, kind: JointType, element: Element, findings: list[Finding]) -> Triple:
    found = element.one("axis", owner)
    default = (1.0, 0.0, 0.0)
    needed = kind not in (JointType.FIXED, JointType.FLOATING)
    if found is None:
        if needed:
            findings.append(Finding(Kind.NO_AXIS, name, element.line))
        return default
    findings += check_element(found, owner)
    axis = triple_in(found, "xyz", owner, default)
    if not needed:
        return default
    length = math.hypot(*axis)
    if length == 0.0:
        raise Fault(found.line, f"{owner}: the axis is zero: give a direction")
    if abs(length - 1) > _UNIT:
        findings.append(Finding(Kind.LONG_AXIS, name, found.line, f"{length:.6g}"))
    x, y, z = (component / length for component in axis)
    return x, y, z


def _losses(owner: str, kind: JointType, element: Element | None, findings: list[Finding]) -> tuple[float, float]:
    if element is None:
        return 0.0, 0.0
    findings += check_element(element, owner)
    losses = [
        bounded(number_in(element, what, owner, 0.0), f"{owner}: {what} of <dynamics>", element.line)
        for what in ("damping", "friction")
    ]
    if min(losses) < 0:
        raise Fault(element.line, f"{owner}: damping or friction is negative: it would give energy")
    return (0.0, 0.0) if kind is JointType.FIXED else (losses[0], losses[1])


def _limit(name: str, owner: str, kind: JointType, element: Element, findings: list[Finding]) -> LimitElement | None:
    """Return the limits that mean something; what is taken as none is told."""
    found = element.one("limit", owner)
    if found is None:
        if kind in (JointType.REVOLUTE, JointType.PRISMATIC):
            findings.append(Finding(Kind.NO_LIMIT, name, element.line))
        return None
    findings += check_element(found, owner)
    lower, upper, effort, velocity = (
        None if found.get(what) is None else number_in(found, what, owner)
        for what in ("lower", "upper", "effort", "velocity")
    )
    if not kind.is_single:
        return None
    if any(value is not None and value <= 0 for value in (effort, velocity)):
        findings.append(Finding(Kind.NO_EFFORT, name, found.line))
        effort, velocity = (value if value is not None and value > 0 else None for value in (effort, velocity))
    if kind is JointType.CONTINUOUS:
        findings += [
            Finding(Kind.IGNORED_ATTRIBUTE, f"limit/{what} of {name}, which is continuous", found.line)
            for what, bound in (("lower", lower), ("upper", upper))
            if bound
        ]
        return LimitElement(None, None, effort, velocity)
    said, bounds = _bounds(owner, kind, found.line, lower, upper)
    if said is not None:
        findings.append(Finding(said, name, found.line))
    return LimitElement(bounds[0], bounds[1], effort, velocity)


def _bounds(
    owner: str, kind: JointType, line: int, lower: float | None, upper: float | None
) -> tuple[Kind | None, tuple[float, float] | tuple[None, None]]:
    if lower is None and upper is None:
        return Kind.NO_BOUNDS, (None, None)
    low, high = lower or 0.0, upper or 0.0  # the format's defaults
    if low > high:
        raise Fault(line, f"{owner}: the lower limit {low:g} is above the upper limit {high:g}")
    if low == high:
        return Kind.EQUAL_BOUNDS, (None, None)
    if kind is JointType.REVOLUTE and max(-low, high) > _TURNS:
        return Kind.ENDLESS, (None, None)
    return None, (low, high)


def _mimic(
    name: str, owner: str, kind: JointType, element: Element | None, findings: list[Finding]
) -> MimicElement | None:
    if element is None:
        return None
    findings += check_element(element, owner)
    multiplier, offset = (
        bounded(number_in(element, what, owner, default), f"{owner}: {what} of <mimic>", element.line)
        for what, default in (("multiplier", 1.0), ("offset", 0.0))
    )
    joint = name_in(element, "joint", owner)
    if kind is JointType.FIXED:
        findings.append(Finding(Kind.FIXED_MIMIC, name, element.line, joint))
        return None
    if not kind.is_single:
        raise Fault(
            element.line,
            f"{owner}: a {kind.value} joint cannot mimic {shown(joint)}: only joints of one coordinate can",
        )
    if multiplier == 0:
        raise Fault(
            element.line,
            f"{owner}: it mimics {shown(joint)} by the multiplier 0, so that it never moves: make it fixed",
        )
    findings.append(Finding(Kind.MIMIC, name, element.line, joint))
    return MimicElement(joint, multiplier, offset, element.line)


def followed(joints: dict[str, JointElement]) -> Iterator[tuple[JointElement, MimicElement]]:
    """Return every joint that mimics with the joint at the end of its row of followers, and the law to that one.

    Raises
    ------
    Fault
        A joint mimics one that does not exist, that is not movable by one coordinate, or in the end itself.
    """
    for joint in joints.values():
        mimic = joint.mimic
        if mimic is None:
            continue
        factor, offset, seen, line = mimic.multiplier, mimic.offset, [joint.name], mimic.line
        while True:
            owner = f"joint {shown(joint.name)}"
            leader = joints.get(mimic.joint)
            if leader is None:
                lost = [one for one in joints.values() if one.mimic is not None and one.mimic.joint not in joints]
                more = f" ({len(lost) - 1} more followers name no joint)" if len(lost) > 1 else ""
                raise Fault(
                    line,
                    f"{owner} mimics {shown(mimic.joint)}, which is no joint of this robot: "
                    f"{did_you_mean(mimic.joint, list(joints))}{more}",
                )
            if leader.name in seen:
                raise Fault(line, f"{owner} mimics itself, by way of {', '.join(map(shown, seen))}")
            if not leader.type.is_single:
                raise Fault(
                    line, f"{owner} mimics {shown(leader.name)}, a {leader.type.value} joint: it has not one coordinate"
                )
            if leader.mimic is None:
                yield joint, MimicElement(leader.name, factor, offset, line)
                break
            mimic = leader.mimic
            offset += factor * mimic.offset
            factor *= mimic.multiplier
            seen.append(leader.name)
