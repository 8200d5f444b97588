"""The <visual> elements of a link: boxes, cylinders, spheres and meshes, whose files nothing here opens.

The motion does not depend on them: what is not understood is a finding, and no reason to refuse a robot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.urdf.elements import Pose, Visual
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.markup import Element
from eomc.frontends.urdf.materials import Materials
from eomc.frontends.urdf.rotations import rotation
from eomc.frontends.urdf.values import name_in, number_in, triple_in
from eomc.model.shapes import Shape, ShapeKind

_NOWHERE = (0.0, 0.0, 0.0)


def read_visuals(link: Element, name: str, materials: Materials, findings: list[Finding]) -> tuple[Visual, ...] | None:
    """Return the visuals of a link that are seen; None where there are some, and none of them is understood.

    What is not understood is told in `findings`.
    """
    elements, understood, seen = link.all("visual"), 0, []
    for element in elements:
        try:
            visual = _visual(element)
        except Fault as fault:
            findings.append(Finding(Kind.UNSEEN, name, fault.line, fault.text))
            continue
        understood += 1
        colour = materials.of(element, name)
        if colour is not None:
            seen.append(replace(visual, colour=colour))
    return tuple(seen) if understood or not elements else None


def _visual(element: Element) -> Visual:
    owner = "a visual"
    origin, geometry = element.one("origin", owner), element.one("geometry", owner)
    if geometry is None or len(geometry.children) != 1:
        raise Fault(element.line, f"{owner}: it has no element <geometry> with one shape")
    (shape,) = geometry.children
    pose = Pose()
    if origin is not None:
        pose = Pose(triple_in(origin, "xyz", owner, _NOWHERE), triple_in(origin, "rpy", owner, _NOWHERE))
    if shape.tag == "box":
        name_in(shape, "size", owner)
        return _sized(shape, ShapeKind.BOX, triple_in(shape, "size", owner, _NOWHERE), pose)
    if shape.tag == "cylinder":
        sizes = number_in(shape, "radius", owner), number_in(shape, "length", owner)
        return _sized(shape, ShapeKind.CYLINDER, sizes, pose)
    if shape.tag == "sphere":
        return _sized(shape, ShapeKind.SPHERE, (number_in(shape, "radius", owner),), pose)
    if shape.tag == "mesh":
        scale = triple_in(shape, "scale", owner, (1.0, 1.0, 1.0))
        return Visual(ShapeKind.MESH, scale, pose, name_in(shape, "filename", owner))
    raise Fault(shape.line, f"{owner}: <{shape.tag}> is no shape of URDF")


def _sized(element: Element, kind: ShapeKind, sizes: tuple[float, ...], pose: Pose) -> Visual:
    if min(sizes) < 0:
        raise Fault(element.line, f"a visual: a size of <{element.tag}> is {min(sizes):g}")
    return Visual(kind, sizes, pose)


def shapes_of(visuals: Iterable[Visual], snap: bool, folder: str) -> list[Shape]:
    """Return visuals as shapes; their file stands in `folder`."""
    return [
        Shape(
            kind=one.kind,
            sizes=one.sizes,
            offset=one.pose.xyz,
            rotation=rotation(one.pose.rpy, snap),
            file=one.file,
            folder=folder if one.file else "",
            colour=one.colour,
        )
        for one in visuals
    ]
