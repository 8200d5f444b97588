"""A model from a file of URDF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import sympy

from eomc.errors import UsageError
from eomc.frontends.trees import from_tree
from eomc.frontends.urdf.findings import Severity, summary
from eomc.frontends.urdf.taking import Taken, take_robot
from eomc.model import JointTree, Model
from eomc.model.arguments import mapping_of, quoted, sequence_of
from eomc.model.described import Described
from eomc.model.trees.records import Closure
from eomc.wording import did_you_mean, suggesting

EARTH = (0.0, 0.0, -9.81)
"""Acceleration of free fall where z is up [m/s^2]."""

_HUNG = ("loads", "closures", "configuration_constraints", "velocity_constraints")
_MERGED = ("initial", "ranges", "parameters", "inputs")


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
    build: Callable[[JointTree], Mapping[str, Any]] | None = None,
    name: str | None = None,
) -> Model:
    """Return the model of a robot that a file of URDF describes.

    Links and joints alone are read: no mesh is opened, and what other programs keep in the file is left alone. What may
    be wrong with the robot is a warning, one for each kind of finding; what is wrong with the file is an error with the
    line. Angles that are right angles to twelve digits are taken as such. ``eomc stats robot.urdf`` shows all that is
    found, and the bodies.

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
    wishes = {} if build is None else _wishes(build, tree)
    tree = tree.with_loads(*sequence_of("loads", wishes.get("loads", ())))
    tree = tree.with_closures(*sequence_of("closures", wishes.get("closures", ())))
    tree = tree.with_constraints(
        configuration=wishes.get("configuration_constraints", ()), velocity=wishes.get("velocity_constraints", ())
    )
    described: dict[str, Any] = {key: value for key, value in wishes.items() if key not in (*_HUNG, *_MERGED)}
    own = {"initial": taken.initial, "ranges": {}, "parameters": taken.parameters, "inputs": taken.inputs}
    for key in _MERGED:
        described[key] = {**own[key], **_pairs(key, wishes.get(key, {}))}
    described.setdefault("description", _description(taken, base, damping, friction))
    return from_tree(tree, name=taken.name if name is None else name, **described)


def _wishes(build: Callable[[JointTree], Mapping[str, Any]], tree: JointTree) -> Mapping[str, Any]:
    """Return what `build` makes of a tree, with names that are known."""
    if not callable(build):
        raise UsageError(f"build={quoted(build)}: give a function that takes the tree and returns a mapping")
    wishes = build(tree)
    known = [*_HUNG, *Described.__annotations__]
    if not isinstance(wishes, Mapping):
        raise UsageError(
            f"build returns {quoted(wishes)}: it returns a mapping, such as {{'outputs': ...}}, of {', '.join(known)}"
        )
    for key in wishes:
        if key not in known:
            raise UsageError(f"build returns {key!r} among its keys: {did_you_mean(str(key), known)}")
    return wishes


def _pairs(what: str, given: Any) -> Mapping[sympy.Expr, Any]:
    """Return a mapping; of inputs, which may be a list, with the value zero."""
    if what == "inputs" and not isinstance(given, Mapping):
        return dict.fromkeys(sequence_of(what, given), 0.0)
    return mapping_of(what, given)


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
