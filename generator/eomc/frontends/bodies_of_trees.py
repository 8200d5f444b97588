"""A tree of joints as a system of bodies of sympy.physics.mechanics: the same mechanism, for other methods and tests.

State, parameters, inputs and outputs are those of the tree. A mimic joint moves with the coordinate that it follows;
closures become constraints on the configuration. Armature a of a joint is a rotor that turns by itself with the
joint's speeds: the kinetic energy a u^2/2 for each, and nothing else.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.physics.mechanics import RigidBody, inertia
from sympy.physics.vector import ReferenceFrame

from eomc.errors import ModelError
from eomc.frontends.linkages import Linkage, vector_in
from eomc.frontends.measured_links import Measures
from eomc.model import JointTree, MechanicalSystem, Model
from eomc.model.trees.records import WORLD, Joint, JointKind, JointLoad, Link, LinkForce, Tensor
from eomc.model.validation import validate
from eomc.model.walking import mentions


def bodies_of(model: Model) -> Model:
    """Return a model of a tree of joints as one of bodies.

    Raises
    ------
    ModelError
        The model is no tree of joints.
    """
    tree = model.dynamics
    if not isinstance(tree, JointTree):
        raise ModelError(f"model {model.name!r} is no tree of joints, but {type(tree).__name__}")
    linkage = Linkage(tree)
    measures = Measures(linkage)
    system = MechanicalSystem(
        inertial_frame=linkage.world,
        kinematical_equations=tuple(linkage.kinematical_equations),
        bodies=(*_bodies(linkage), *_rotors(linkage)),
        loads=tuple(_loads(linkage, measures)),
        gravity=None if all(entry == 0 for entry in tree.gravity) else vector_in(linkage.world, tree.gravity),
        potential_energy=sympy.S.Zero,
        dissipation_function=sympy.S.Zero,
        configuration_constraints=_constraints(model, measures),
        velocity_constraints=tuple(map(measures.write, tree.velocity_constraints)),
        dependent_coordinates=(),
        dependent_speeds=(),
        auxiliary_speeds=(),
    )
    centres = {link.name: link.centre for link in tree.links if _has_mass(link)}
    made = model.rewritten(system, measures.write, centres)
    validate(made, ignore_unused=True)  # a description of friction, say, is of no use to bodies
    return made


def _constraints(model: Model, measures: Measures) -> tuple[sympy.Expr, ...]:
    """Return the constraints on the configuration, but those of closures that hold whatever moves."""
    tree = model.dynamics
    assert isinstance(tree, JointTree)
    given = len(tree.own_constraints)
    written = [measures.write(equation) for equation in tree.configuration_constraints]
    places = set(model.coordinates)
    return tuple(one for index, one in enumerate(written) if index < given or mentions(one, places))


def _bodies(linkage: Linkage) -> list[Any]:
    """Return the links that have mass or inertia; those at rest have potential energy."""
    found = []
    for link in linkage.tree.links:
        if _has_mass(link):
            frame, centre = linkage.frames[link.name], linkage.point(link.name, link.centre)
            about = (_dyadic(frame, link.inertia), centre)
            found.append(RigidBody(link.name, centre, frame, sympy.sympify(link.mass), about))
    return found


def _has_mass(link: Link) -> bool:
    return link.mass != 0 or any(entry != 0 for row in link.inertia for entry in row)


def _dyadic(frame: Any, tensor: Tensor) -> Any:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = (map(sympy.sympify, row) for row in tensor)
    return inertia(frame, xx, yy, zz, xy, yz, xz)


def _rotors(linkage: Linkage) -> list[Any]:
    """Return a rotor for three speeds at most of each joint with armature, the same inertia about all axes."""
    found, world = [], linkage.world
    for number, joint in enumerate(linkage.tree.joints):
        if joint.armature == 0:
            continue
        speeds, armature = linkage.speeds(number), sympy.sympify(joint.armature)
        for first in range(0, len(speeds), 3):
            turning = ReferenceFrame(f"{joint.name}_rotor_{first}")
            some = speeds[first : first + 3]
            turning.set_ang_vel(world, vector_in(world, [*some, 0, 0][:3]))
            about = (inertia(world, armature, armature, armature), linkage.ground)
            found.append(RigidBody(f"{joint.name}_rotor_{first}", linkage.ground, turning, sympy.S.Zero, about))
    return found


def _loads(linkage: Linkage, measures: Measures) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    numbers = {joint.name: number for number, joint in enumerate(linkage.tree.joints)}
    for load in linkage.tree.loads:
        components = [measures.write(component) for component in load.components]
        if isinstance(load, JointLoad):
            found += _of_joint(linkage, linkage.tree.joints[numbers[load.joint]], components)
            continue
        vector = vector_in(linkage.world if load.axes == WORLD else linkage.frames[load.axes], components)
        place = linkage.point(load.link, load.at) if isinstance(load, LinkForce) else linkage.frames[load.link]
        found.append((place, vector))
    for number, joint in enumerate(linkage.tree.joints):
        if joint.damping != 0:
            found += _of_joint(linkage, joint, [-joint.damping * u for u in linkage.speeds(number)])
    return [(place, vector) for place, vector in found if vector != 0]


def _of_joint(linkage: Linkage, joint: Joint, loads: list[sympy.Expr]) -> list[tuple[Any, Any]]:
    """Return what a load on the speeds of a joint is to child and parent: its power is that of the speeds."""
    parent, child = linkage.frames[joint.parent], linkage.frames[joint.child]
    if joint.kind is JointKind.REVOLUTE:
        torque = loads[0] * linkage.axis(joint)
        return [(child, torque), (parent, -torque)]
    found: list[tuple[Any, Any]] = []
    if joint.kind in (JointKind.BALL, JointKind.FREE):
        torque = vector_in(linkage.axes_of_speeds(joint), loads[-3:])
        found += [(child, torque), (parent, -torque)]
    if joint.kind in (JointKind.PRISMATIC, JointKind.FREE):
        if joint.kind is JointKind.PRISMATIC:
            force = loads[0] * linkage.axis(joint)
        else:
            force = vector_in(linkage.axes_of_speeds(joint), loads[:3])
        origin, foot = linkage.origins[joint.child], linkage.origins[joint.parent]
        arm = origin.pos_from(foot)  # the parent is pushed back where the child's origin is
        found += [(origin, force), (foot, -force), (parent, -arm.cross(force))]
    return found
