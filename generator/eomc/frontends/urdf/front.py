"""A model from a file of URDF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Sequence
from typing import Any

from eomc.frontends.robots.building import Build, build_model
from eomc.frontends.robots.findings import Severity, summary
from eomc.frontends.urdf.taking import Taken, take_robot
from eomc.model import JointTree, Model
from eomc.model.arguments import sequence_of
from eomc.model.trees.records import Closure
from eomc.wording import suggesting

EARTH = (0.0, 0.0, -9.81)
"""Acceleration of free fall where z is up [m/s^2]."""


@suggesting
def from_urdf(
    path: str | os.PathLike[str],
    *,
    base: str = "fixed",
    base_speeds: str = "body",
    gravity: Sequence[Any] = EARTH,
    parameters: str | Collection[str] = "none",
    inputs: str = "torques",
    damping: bool = True,
    friction: float | None = None,
    closures: Sequence[Closure] = (),
    snap: bool = True,
    build: Build | None = None,
    name: str | None = None,
) -> Model:
    """Return the model of a robot that a file of URDF describes.

    Links and joints are read, and visuals as shapes, whose meshes `eomc.scene` opens; what other programs keep in it is
    left alone. What may be wrong with the robot is a warning, one for each kind of finding; what is wrong with the file
    is an error with the line. Angles that are right angles to twelve digits are taken as such. ``eomc stats
    robot.urdf`` shows all that is found, and the bodies.

    Parameters
    ----------
    path
        The file. One that holds xacro is refused: run xacro first.
    base
        How the root link stands in the world: ``"fixed"``, or free with a ``"quaternion"`` or three ``"angles"``, whose
        coordinates are ``base_x, base_y, base_z`` and ``base_qw, base_qx, base_qy, base_qz`` or ``base_angle_x, ...``
        (about the link's x, y, z in this order). Joints of the type floating have the same kind of coordinates.
    base_speeds
        Axes of the free base's speeds ``base_vx, ..., base_wz``: of its ``"body"`` or of the ``"world"``.
    gravity
        Acceleration of free fall in the axes of the world, or of the root link that is fixed [m/s^2].
    parameters
        Which numbers stay parameters of the model: ``"none"``, ``"all"``, or a list of links, of each of which mass
        ``m_link``, centre ``cx_link, ...`` and inertia ``Ixx_link, ...`` about the centre are parameters. With
        ``"moments"`` they are what forces are linear in, for regressors: of all links that have mass ``m_link``, first
        moments ``hx_link, ...`` = m c and inertia ``Jxx_link, ...`` about the origin of the link's frame.
    inputs
        ``"torques"``: each joint of one coordinate has the input ``tau_joint`` [N m, N]; or ``"none"``.
    damping
        Whether the viscous damping of the file is a load, -d u.
    friction
        A speed v [rad/s, m/s]: the dry friction f of the file is then the load -f tanh(u/v). By default it is left out.
    closures
        :class:`~eomc.trees.Closure` objects between links: URDF itself has no loops.
    snap
        Whether right angles that are written to twelve digits are exact.
    build
        Called with the tree of joints, returns what else the model has as a mapping: ``loads``, ``closures``,
        ``configuration_constraints``, ``velocity_constraints`` of the tree, and ``outputs``, ``extra_states``,
        ``events``, ... of :func:`~eomc.frontends.trees.from_tree`; in all of them measures of the tree may stand.
    name
        The model's name; the robot's by default.

    Returns
    -------
    Model
        Joints have the coordinate ``joint`` and the speed ``joint_d``, limits are ranges, and a start that is outside
        of them is their middle. A planar joint has the coordinates ``joint_x, joint_y, joint``. Names that C does not
        have are changed, and the descriptions tell the original.

    Raises
    ------
    UsageError
        There is no such file, or an argument cannot be meant.
    ModelError
        The file is no robot that moves: the message has the line, the link or joint, and what to do.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import eomc
    >>> inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    >>> joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    >>> text = f'<robot name="arm"><link name="a"/><link name="b">{inertial}</link>{joint}</robot>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "arm.urdf").write_text(text)
    ...     eomc.from_urdf(Path(folder, "arm.urdf"))
    <eomc.Model 'arm': JointTree, 1 coordinate, 1 speed>
    """
    taken = take_robot(
        path,
        base=base,
        base_speeds=base_speeds,
        parameters=parameters,
        inputs=inputs,
        damping=damping,
        friction=friction,
        snap=snap,
    )
    for sentence in summary(taken.findings, Severity.WARNING):
        warnings.warn(f"{os.fspath(path)}: {sentence}", stacklevel=3)
    tree = JointTree(
        taken.links,
        taken.joints,
        root=taken.root,
        gravity=gravity,
        loads=taken.loads,
        closures=sequence_of("closures", closures),
    )
    return build_model(
        tree,
        build,
        name=taken.name if name is None else name,
        description=_description(taken, base, damping, friction),
        own={"initial": taken.initial, "parameters": taken.parameters, "inputs": taken.inputs, "shapes": taken.shapes},
    )


def _description(taken: Taken, base: str, damping: bool, friction: float | None) -> str:
    """Say what is not in the file's words: how the base stands, and which losses there are."""
    stand = "the base fixed" if base == "fixed" else f"the base free, by {base if base == 'angles' else 'a quaternion'}"
    losses = []
    if any(joint.damping for joint in taken.joints):
        losses.append("viscous damping")
    elif not damping:
        losses.append("viscous damping left out")
    if friction is not None:
        losses.append(f"dry friction as f tanh(u/{friction:g})")
    elif any(joint.friction for joint in taken.joints):
        losses.append("dry friction left out")
    return "; ".join([f"from URDF, {stand}", *losses])
