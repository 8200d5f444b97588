"""A file with the wishes of a caller as the parts of a model: links, joints, loads, symbols with their values."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import sympy

from eomc.errors import ModelError
from eomc.frontends.robots.bodies import bodies_of
from eomc.frontends.robots.constants import parametrize
from eomc.frontends.robots.coordinates import Coordinate
from eomc.frontends.robots.findings import Finding
from eomc.frontends.robots.loads import Driven, driven, friction_left_out, rubbed
from eomc.frontends.robots.names import identifier
from eomc.frontends.robots.wanted import check_choice, check_switch, speed_of_friction
from eomc.frontends.urdf.assembly import Assembly, Choices, assemble
from eomc.frontends.urdf.checks import check_bodies
from eomc.frontends.urdf.elements import Robot
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.robot import read_robot
from eomc.frontends.urdf.visuals import shapes_of
from eomc.model.shapes import Shape
from eomc.model.trees.records import Joint, Link, TreeLoad

BASES = ("fixed", "quaternion", "angles")
_SPEEDS = ("body", "world")
_INPUTS = ("torques", "none")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a model is made of, and what is to be told of it."""

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
    loads: tuple[TreeLoad, ...]
    coordinates: tuple[Coordinate, ...]  # and speeds
    inputs: Mapping[sympy.Expr, tuple[float, str, str]]
    parameters: Mapping[sympy.Symbol, tuple[float, str, str]]
    findings: tuple[Finding, ...]
    shapes: Mapping[str, list[Shape]]  # of links that have any

    @property
    def initial(self) -> dict[sympy.Expr, tuple[float, str, str]]:
        """Initial value, unit and description of each coordinate and speed."""
        return {one.symbol: (one.start, one.unit, one.meaning) for one in self.coordinates}


def take_robot(
    path: str | os.PathLike[str],
    *,
    base: str = "fixed",
    base_speeds: str = "body",
    parameters: str | Collection[str] = "none",
    inputs: str = "torques",
    damping: bool = True,
    friction: float | None = None,
    snap: bool = True,
) -> Taken:
    """Read a robot and make of it what :func:`~eomc.frontends.urdf.front.from_urdf` describes.

    Raises
    ------
    UsageError
        There is no such file, or an argument cannot be meant.
    ModelError
        The file is no robot that moves.
    """
    check_choice("base", base, BASES)
    check_choice("base_speeds", base_speeds, _SPEEDS)
    check_choice("inputs", inputs, _INPUTS)
    check_switch("damping", damping)
    check_switch("snap", snap)
    speed = speed_of_friction(friction)
    robot = read_robot(path)
    assembly = assemble(robot, Choices(base, base_speeds, snap, damping))
    try:
        found = check_bodies(robot, assembly)
    except Fault as fault:
        raise ModelError(f"{os.fspath(path)}, line {fault.line}: {fault.text}") from fault
    own = parametrize(assembly.links, parameters, _still(assembly), _heavy(robot), assembly.names)
    force = driven(assembly.joints, assembly.names) if inputs == "torques" else Driven((), {})
    dry = () if speed is None else tuple(rubbed(assembly.joints, speed))
    left = tuple(friction_left_out(assembly.joints)) if speed is None else ()
    return Taken(
        name=identifier(robot.name, "robot"),
        links=own.links,
        joints=assembly.joints,
        root=assembly.root,
        loads=(*force.loads, *dry),
        coordinates=assembly.coordinates,
        inputs=force.inputs,
        parameters=own.parameters,
        findings=(*assembly.findings, *found, *left),
        shapes=_shapes(robot, assembly, snap, os.path.dirname(os.path.abspath(path))),
    )


def _shapes(robot: Robot, assembly: Assembly, snap: bool, folder: str) -> dict[str, list[Shape]]:
    """Return the shapes of links; where no link has a visual none at all, so that all have guesses."""
    if not any(link.visuals for link in robot.links):
        return {}
    own = {link.name for link in robot.links}
    unseen: dict[str, list[Shape]] = {link.name: [] for link in assembly.links if link.name not in own}  # the world
    return unseen | {
        link.name: shapes_of(link.visuals, snap, folder) for link in robot.links if link.visuals is not None
    }


def _still(assembly: Assembly) -> tuple[str, ...]:
    """Return the links that do not move: the root with all that is fixed to it."""
    return bodies_of(assembly.links, assembly.joints, assembly.root)[0].members


def _heavy(robot: Robot) -> list[str]:
    return [link.name for link in robot.links if link.inertial is not None]
