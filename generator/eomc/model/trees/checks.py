"""What makes links, joints, loads and closures of a tree well formed; each comes out with its entries normalised."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import ModelError
from eomc.model.arguments import expression_of, expressions_of, kind_of, number_of, quoted, text_of
from eomc.model.names import name_of
from eomc.model.trees.entries import (
    direction_of,
    entry_of,
    is_number,
    matrix_of,
    rotation_of,
    symmetric_of,
    triple_of,
)
from eomc.model.trees.records import (
    IDENTITY,
    NO_INERTIA,
    WORLD,
    ZERO,
    Closure,
    ClosureKind,
    Joint,
    JointKind,
    JointLoad,
    Limits,
    Link,
    LinkForce,
    LinkTorque,
    Mimic,
    TreeLoad,
)
from eomc.wording import counted, did_you_mean, with_article

_Part = TypeVar("_Part")
_Kind = TypeVar("_Kind", bound=Enum)


_RECORDS: dict[str, type[Link | Joint | Closure]] = {"links": Link, "joints": Joint, "closures": Closure}


def take(check: Callable[[Any], _Part], what: str, number: int, part: Any) -> _Part:
    """Return a part of a list as `check` makes it; what is no record of the right kind is told by its place."""
    kind = _RECORDS[what]
    if not isinstance(part, kind):
        raise ModelError(f"{what}[{number - 1}] is {quoted(part)}: give {with_article(kind.__name__)}")
    if not text_of(f"the name of {what}[{number - 1}]", part.name):
        raise ModelError(f"the name of {what}[{number - 1}] is empty: give text")
    return check(part)


def link_of(link: Link) -> Link:
    """Return a link with its entries normalised."""
    what = f"link {link.name!r}"
    mass = entry_of(f"the mass of {what}", link.mass)
    if is_number(mass) and mass < 0:
        raise ModelError(f"the mass of {what} is {mass:g}: it cannot be negative")
    if link.centre is ZERO and link.inertia is NO_INERTIA:
        return link if mass is link.mass else replace(link, mass=mass)
    centre = triple_of(f"the centre of {what}", link.centre)
    moments = link.moments
    if moments is not None:
        first, about_origin = moments
        moments = (
            triple_of(f"the first moments of {what}", first),
            symmetric_of(f"the inertia of {what}", about_origin),
        )
    inertia = symmetric_of(f"the inertia of {what}", link.inertia)
    return replace(link, mass=mass, centre=centre, inertia=inertia, moments=moments)


def joint_of(joint: Joint) -> Joint:
    """Return a joint with its entries normalised."""
    what = f"joint {joint.name!r}"
    kind = _kind_of(JointKind, f"the kind of {what}", joint.kind)
    for end, link in (("parent", joint.parent), ("child", joint.child)):
        text_of(f"the {end} of {what}", link)
    coordinates = expressions_of(f"coordinates of {what}", joint.coordinates)
    speeds = expressions_of(f"speeds of {what}", joint.speeds)
    for symbol in (*coordinates, *speeds):
        if not isinstance(symbol, AppliedUndef):
            raise ModelError(
                f"{what} has {quoted(symbol)} among its coordinates and speeds, no function of time: make it with "
                f"dynamicsymbols({name_of(symbol)!r})"
            )
    mimic = _mimic_of(what, kind, joint.mimic)
    _check_counts(what, kind, coordinates, speeds, mimic)
    if joint.speeds_in not in ("child", "parent"):
        raise ModelError(f"speeds_in of {what} is {quoted(joint.speeds_in)}: give 'child' or 'parent'")
    has_axis = kind in (JointKind.REVOLUTE, JointKind.PRISMATIC)
    armature, damping, friction = (
        entry_of(f"the {name} of {what}", getattr(joint, name)) for name in ("armature", "damping", "friction")
    )
    for name, entry in (("armature", armature), ("damping", damping), ("friction", friction)):
        if is_number(entry) and entry < 0:
            raise ModelError(f"the {name} of {what} is {entry:g}: it cannot be negative")
    return Joint(
        name=joint.name,
        kind=kind,
        parent=joint.parent,
        child=joint.child,
        rotation=IDENTITY if joint.rotation is IDENTITY else rotation_of(f"the rotation of {what}", joint.rotation),
        offset=ZERO if joint.offset is ZERO else triple_of(f"the offset of {what}", joint.offset),
        axis=direction_of(f"the axis of {what}", joint.axis) if has_axis else joint.axis,
        coordinates=coordinates,
        speeds=speeds,
        speeds_in=joint.speeds_in,
        armature=armature,
        damping=damping,
        friction=friction,
        limits=_limits_of(what, joint.limits),
        mimic=mimic,
    )


def _kind_of(kinds: type[_Kind], what: str, value: Any) -> _Kind:
    """Return a kind, given as itself or by its word."""
    words = [kind.value for kind in kinds]
    if isinstance(value, kinds):
        return value
    if isinstance(value, str) and value in words:
        return kinds(value)
    raise ModelError(f"{what} is {quoted(value)}: give one of {', '.join(words)}")


def _check_counts(
    what: str, kind: JointKind, coordinates: tuple[sympy.Expr, ...], speeds: tuple[sympy.Expr, ...], mimic: Mimic | None
) -> None:
    if mimic is not None:
        if coordinates or speeds:
            raise ModelError(f"{what} mimics joint {mimic.joint!r} and has coordinates or speeds: leave these out")
        return
    if len(coordinates) not in kind.coordinates:
        numbers = " or ".join(map(str, sorted(set(kind.coordinates), reverse=True)))
        raise ModelError(
            f"{what} is {kind.value} and has {counted(len(coordinates), 'coordinate')}: give {numbers}"
            f"{' (a quaternion or three angles)' if len(kind.coordinates) > 1 else ''}"
        )
    if len(speeds) != kind.speeds:
        raise ModelError(f"{what} is {kind.value} and has {counted(len(speeds), 'speed')}: give {kind.speeds}")


def _mimic_of(what: str, kind: JointKind, mimic: Any) -> Mimic | None:
    if mimic is None:
        return None
    if not isinstance(mimic, Mimic):
        raise ModelError(f"mimic of {what} is {quoted(mimic)}: give a Mimic, or None")
    if kind.speeds != 1:
        raise ModelError(f"{what} is {kind.value} and mimics another: only a revolute or prismatic joint can")
    return Mimic(
        joint=text_of(f"the joint that {what} mimics", mimic.joint),
        factor=entry_of(f"the mimic factor of {what}", mimic.factor),
        offset=entry_of(f"the mimic offset of {what}", mimic.offset),
    )


def _limits_of(what: str, limits: Any) -> Limits:
    if not isinstance(limits, Limits):
        raise ModelError(f"limits of {what} are {quoted(limits)}: give Limits(lower=..., upper=...)")
    found = {}
    for name in ("lower", "upper", "speed", "effort"):
        value = getattr(limits, name)
        found[name] = None if value is None else number_of(f"the limit {name!r} of {what}", value)
    lower, upper = found["lower"], found["upper"]
    if lower is not None and upper is not None and lower > upper:
        raise ModelError(f"the limits of {what} are {lower:g} to {upper:g}: the first must be the smaller one")
    return Limits(**found)


def closure_of(closure: Closure) -> Closure:
    """Return a closure with its entries normalised."""
    what = f"closure {closure.name!r}"
    kind = _kind_of(ClosureKind, f"the kind of {what}", closure.kind)
    hinge = kind is ClosureKind.HINGE
    return Closure(
        name=closure.name,
        kind=kind,
        first=text_of(f"the first link of {what}", closure.first),
        second=text_of(f"the second link of {what}", closure.second),
        at_first=triple_of(f"at_first of {what}", closure.at_first),
        at_second=triple_of(f"at_second of {what}", closure.at_second),
        rotation=(rotation_of if kind is ClosureKind.FIXED else matrix_of)(f"the rotation of {what}", closure.rotation),
        axis_first=(direction_of if hinge else triple_of)(f"axis_first of {what}", closure.axis_first),
        axis_second=(direction_of if hinge else triple_of)(f"axis_second of {what}", closure.axis_second),
    )


def load_of(load: Any, number: int, links: Collection[str], joints: Mapping[str, Joint]) -> TreeLoad:
    """Return load `number` with its components as expressions, on links and joints that exist."""
    what = f"load {number}"
    if isinstance(load, JointLoad):
        what = f"{what} on joint {load.joint!r}"
        if load.joint not in joints:
            raise ModelError(f"{what}, which does not exist: {did_you_mean(str(load.joint), [*joints])}")
        loads = expressions_of(what, load.loads)
        wanted = joints[load.joint].kind.speeds
        if len(loads) != wanted or not wanted:
            kind = joints[load.joint].kind.value
            raise ModelError(f"{what} has {counted(len(loads), 'component')}: a {kind} joint takes {wanted}")
        return JointLoad(joint=load.joint, loads=loads)
    if not isinstance(load, (LinkForce, LinkTorque)):
        raise ModelError(f"{what} is {quoted(load)} ({kind_of(load)}): give a LinkForce, LinkTorque or JointLoad")
    what = f"{what} on link {load.link!r}"
    if load.link not in links:
        raise ModelError(f"{what}, which does not exist: {did_you_mean(str(load.link), [*links])}")
    if load.axes != WORLD and load.axes not in links:
        near = did_you_mean(str(load.axes), [WORLD, *links])
        raise ModelError(f"{what} is in axes of {quoted(load.axes)}, which does not exist: {near}")
    given = expressions_of(what, load.force if isinstance(load, LinkForce) else load.torque)
    if len(given) != 3:
        raise ModelError(f"{what} has {counted(len(given), 'component')}: give three, in x, y and z")
    x, y, z = (expression_of(what, one) for one in given)
    if isinstance(load, LinkTorque):
        return LinkTorque(link=load.link, torque=(x, y, z), axes=load.axes)
    return LinkForce(link=load.link, force=(x, y, z), at=triple_of(f"at of {what}", load.at), axes=load.axes)
