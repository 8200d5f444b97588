"""A <link> of the file as a record: mass, centre and inertia, and what it looks like; collisions are not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.elements import Inertial, LinkElement, Pose
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.known import check_element
from eomc.frontends.urdf.markup import Element
from eomc.frontends.urdf.materials import Materials
from eomc.frontends.urdf.values import bounded, name_in, number_in, triple_in
from eomc.frontends.urdf.visuals import read_visuals

_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def read_link(element: Element, materials: Materials, findings: list[Finding]) -> LinkElement:
    """Return a link; what is told about it is added to `findings`.

    Raises
    ------
    Fault
        It has no name, its inertial element lacks mass or inertia, or a number is none.
    """
    name = name_in(element, "name", "a link")
    owner = f"link {shown(name)}"
    findings += check_element(element, owner)
    found = element.one("inertial", owner)
    inertial = None if found is None else _inertial(found, owner, findings)
    findings += _told(name, element.line, inertial)
    return LinkElement(name, inertial, element.line, read_visuals(element, name, materials, findings))


def read_pose(element: Element | None, owner: str, findings: list[Finding]) -> Pose:
    """Return the frame of an <origin>; the identity where there is none."""
    if element is None:
        return Pose()
    findings += check_element(element, owner)
    zero = (0.0, 0.0, 0.0)
    return Pose(triple_in(element, "xyz", owner, zero), triple_in(element, "rpy", owner, zero))


def _inertial(element: Element, owner: str, findings: list[Finding]) -> Inertial:
    findings += check_element(element, owner)
    mass, inertia = _part(element, "mass", owner, findings), _part(element, "inertia", owner, findings)
    value = bounded(number_in(mass, "value", owner), f"{owner}: value of <mass>", mass.line)
    if value < 0:
        raise Fault(mass.line, f"{owner}: the mass is {value:g}: a mass is not negative")
    ixx, ixy, ixz, iyy, iyz, izz = (
        bounded(number_in(inertia, name, owner), f"{owner}: {name} of <inertia>", inertia.line) for name in _MOMENTS
    )
    pose = read_pose(element.one("origin", owner), owner, findings)
    return Inertial(value, pose, (ixx, ixy, ixz, iyy, iyz, izz), element.line)


def _part(element: Element, tag: str, owner: str, findings: list[Finding]) -> Element:
    found = element.one(tag, owner)
    if found is None:
        raise Fault(element.line, f"{owner}: <inertial> has no element <{tag}>: give both mass and inertia, or neither")
    findings += check_element(found, owner)
    return found


def _told(name: str, line: int, inertial: Inertial | None) -> Iterator[Finding]:
    if inertial is None:
        yield Finding(Kind.NO_INERTIAL, name, line)
        return
    has_inertia = any(inertial.inertia)
    if not inertial.mass:
        yield Finding(Kind.INERTIA_WITHOUT_MASS if has_inertia else Kind.NO_MASS, name, inertial.line)
    elif not has_inertia:
        yield Finding(Kind.POINT_MASS, name, inertial.line)
    if any(inertial.pose.rpy) and has_inertia:
        yield Finding(Kind.TURNED_INERTIA, name, inertial.line)
