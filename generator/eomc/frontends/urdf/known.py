"""Which elements and attributes of URDF are read, which are left alone, and which are mistakes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.markup import Element

_READ = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual"),
    "inertial": ("origin", "mass", "inertia"),
    "joint": ("parent", "child", "origin", "axis", "dynamics", "limit", "mimic"),
}
_IGNORED = {
    "robot": ("gazebo", "ros2_control", "sensor", "transmission"),
    "link": ("collision", "collision_checking", "contact", "self_filter", "surface"),
    "joint": ("calibration", "hardwareInterface", "safety_controller"),
}
_ATTRIBUTES = {
    "robot": ("name", "version"),
    "link": ("name", "type"),
    "joint": ("name", "type"),
    "origin": ("xyz", "rpy"),
    "mass": ("value",),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "parent": ("link",),
    "child": ("link",),
    "axis": ("xyz",),
    "limit": ("lower", "upper", "effort", "velocity"),
    "dynamics": ("damping", "friction"),
    "mimic": ("joint", "multiplier", "offset"),
}
_LOOSE = ("robot", "link", "joint", "limit", "dynamics")
"""Elements that other programs give attributes of their own; those of the others say where things are."""

_NEAR = 0.8  # likeness of a name to one that is meant


def check_element(element: Element, owner: str) -> Iterator[Finding]:
    """Tell what of an element is not read, by name.

    Raises
    ------
    Fault
        It has text, or an element or attribute whose name is nearly one that would be read.
    """
    if element.text:
        raise Fault(
            element.line, f"{owner}: <{element.tag}> holds the text {shown(element.text)}: values are attributes here"
        )
    yield from _attributes(element, owner)
    read, ignored = _READ.get(element.tag, ()), _IGNORED.get(element.tag, ())
    for child in element.children:
        if child.tag in read:
            continue
        _refuse_misspelt(f"{owner}: the element <{{}}> of <{element.tag}>", child.tag, read + ignored, child.line)
        kind = Kind.IGNORED_ELEMENT if child.tag in ignored else Kind.UNKNOWN_ELEMENT
        yield Finding(kind, f"{element.tag}/{child.tag}", child.line)


def _attributes(element: Element, owner: str) -> Iterator[Finding]:
    known = _ATTRIBUTES.get(element.tag, ())
    for name, _ in element.attributes:
        if name in known or name.partition(":")[0] == "xmlns":
            continue
        missing = tuple(one for one in known if element.get(one) is None)
        _refuse_misspelt(f"{owner}: the attribute {{}} of <{element.tag}>", name, missing, element.line)
        if element.tag not in _LOOSE:
            raise Fault(
                element.line,
                f"{owner}: the attribute {shown(name)} of <{element.tag}> is not known; it has {', '.join(known)}",
            )
        yield Finding(Kind.IGNORED_ATTRIBUTE, f"{element.tag}/{name}", element.line)


def _refuse_misspelt(what: str, name: str, known: tuple[str, ...], line: int) -> None:
    near = [] if name in known else difflib.get_close_matches(name, known, n=1, cutoff=_NEAR)
    if near:
        raise Fault(line, f"{what.format(shown(name)[1:-1])} is not known: did you mean {near[0]}?")
