"""A model from a file of MJCF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Sequence
from typing import Any

from eomc.errors import ModelError
from eomc.frontends.mjcf.assembly import Assembly, Choices, assemble
from eomc.frontends.mjcf.closing import closures_of, equations_of
from eomc.frontends.mjcf.compiled import compile_file
from eomc.frontends.mjcf.geoms import shapes_of
from eomc.frontends.mjcf.loads import actuated, passive
from eomc.frontends.mjcf.records import Body, Compiled
from eomc.frontends.robots.bodies import bodies_of
from eomc.frontends.robots.building import Build, build_model
from eomc.frontends.robots.constants import parametrize
from eomc.frontends.robots.findings import Severity, summary
from eomc.frontends.robots.loads import Driven, driven, friction_left_out, rubbed
from eomc.frontends.robots.names import identifier
from eomc.frontends.robots.wanted import check_choice, check_switch, speed_of_friction
from eomc.model import JointTree, Model
from eomc.model.shapes import Shape
from eomc.model.trees.records import Link
from eomc.wording import suggesting


@suggesting
def from_mjcf(
    path: str | os.PathLike[str],
    *,
    orientation: str = "quaternion",
    speeds: str = "body",
    gravity: Sequence[Any] | None = None,
    parameters: str | Collection[str] = "none",
    inputs: str = "actuators",
    damping: bool = True,
    friction: float | None = None,
    build: Build | None = None,
    name: str | None = None,
) -> Model:
    """Return the model of a robot that a file of MJCF describes, as MuJoCo's compiler understands it.

    The package `mujoco` reads the file (``pip install 'eomc[mjcf]'``), with all defaults, includes and meshes. Taken
    over are bodies, joints, springs, tendons along joints, actuators, and constraints between bodies or joints, which
    hold exactly here and are soft in MuJoCo. Every coordinate has the value that MuJoCo gives it. What else has a part
    in MuJoCo's motion, contacts above all, is left out and told by a warning.

    Parameters
    ----------
    path
        The file.
    orientation
        Coordinates of free and ball joints: a ``"quaternion"``, or three ``"angles"`` about the link's x, y and z.
    speeds
        Axes of the speeds of free and ball joints: of the ``"body"``, or of its parent, ``"world"``. MuJoCo's own are
        the world's for velocities and the body's for angular ones.
    gravity
        Acceleration of free fall [m/s^2]; by default that of the file.
    parameters
        Which numbers stay parameters, as of :func:`~eomc.frontends.urdf.front.from_urdf`.
    inputs
        ``"actuators"``: the controls of the file's actuators; ``"torques"``: each joint of one coordinate has the input
        ``tau_joint`` [N m, N] instead; or ``"none"``.
    damping
        Whether the viscous damping of joints and tendons is a load.
    friction
        A speed v [rad/s, m/s]: the dry friction f of a joint is then the load -f tanh(u/v). By default it is left out.
    build
        Called with the tree, returns what else the model has, as of :func:`~eomc.frontends.urdf.front.from_urdf`.
    name
        The model's name; the file's by default.

    Returns
    -------
    Model
        It starts where bodies are as the file gives them.

    Raises
    ------
    UsageError
        There is no such file, MuJoCo is not installed, or an argument cannot be meant.
    ModelError
        MuJoCo refuses the file, or it has what no tree of rigid bodies has; the message names it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import eomc
    >>> body = '<body name="b"><joint name="j"/><geom size="0.1" contype="0" conaffinity="0"/></body>'
    >>> text = f'<mujoco model="arm"><worldbody>{body}</worldbody></mujoco>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "arm.xml").write_text(text)
    ...     eomc.from_mjcf(Path(folder, "arm.xml"))
    <eomc.Model 'arm': JointTree, 1 coordinate, 1 speed>
    """
    check_choice("orientation", orientation, ("quaternion", "angles"))
    check_choice("speeds", speeds, ("body", "world"))
    check_choice("inputs", inputs, ("actuators", "torques", "none"))
    check_switch("damping", damping)
    speed = speed_of_friction(friction)
    compiled = compile_file(path, actuators=inputs == "actuators")
    assembly = assemble(compiled, Choices(orientation, speeds, damping))
    if not any(joint.kind.speeds for joint in assembly.joints):
        raise ModelError(f"{os.fspath(path)}: nothing of this robot moves: no body has a joint")
    force = _driven(compiled, assembly, inputs)
    dry = () if speed is None else tuple(rubbed(assembly.joints, speed))
    left = tuple(friction_left_out(assembly.joints)) if speed is None else ()
    told = [sentence for severity in Severity for sentence in summary(compiled.findings, severity)]
    for sentence in (*compiled.left_out, *told, *summary(left, Severity.WARNING)):
        warnings.warn(f"{os.fspath(path)}: {sentence}", stacklevel=3)
    still = bodies_of(assembly.links, assembly.joints, assembly.root)[0].members
    heavy = [link.name for link in assembly.links if link.mass]
    own = parametrize(assembly.links, parameters, still, heavy, assembly.names)
    tree = JointTree(
        own.links,
        assembly.joints,
        root=assembly.root,
        gravity=compiled.gravity if gravity is None else gravity,
        closures=tuple(closures_of(compiled)),
    )
    tree = tree.with_constraints(configuration=tuple(equations_of(compiled, assembly)))
    tree = tree.with_loads(*passive(compiled, assembly, tree.gravity, damping=damping), *force.loads, *dry)
    return build_model(
        tree,
        build,
        name=identifier(compiled.name, "robot") if name is None else name,
        description="from MJCF",
        own={
            "initial": {one.symbol: (one.start, one.unit, one.meaning) for one in assembly.coordinates},
            "parameters": own.parameters,
            "inputs": force.inputs,
            "shapes": _shapes(compiled.bodies, assembly.links),
        },
    )


def _shapes(bodies: Sequence[Body], links: Sequence[Link]) -> dict[str, list[Shape]]:
    """Return the shapes of links; none at all where no body has a geom, so that all have guesses."""
    if not any(body.geoms for body in bodies):
        return {}
    made: dict[str, list[Shape] | None] = {link.name: [] for link in links}
    made |= {body.name: shapes_of(body.geoms) for body in bodies}
    return {name: shapes for name, shapes in made.items() if shapes is not None}


def _driven(compiled: Compiled, assembly: Assembly, inputs: str) -> Driven:
    if inputs == "actuators":
        return actuated(compiled, assembly)
    return driven(assembly.joints, assembly.names) if inputs == "torques" else Driven((), {})
