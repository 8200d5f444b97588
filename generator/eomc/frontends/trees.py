"""A model from a tree of joints: the mechanism as a robot's description lists it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Unpack

import sympy

from eomc.errors import ModelError
from eomc.frontends.robots.findings import Severity, summary
from eomc.frontends.robots.flaws import flaws_of
from eomc.frontends.robots.ranges import bounds_of
from eomc.model import JointTree, Model
from eomc.model.arguments import mapping_of, quoted
from eomc.model.described import Described
from eomc.model.names import name_of
from eomc.wording import suggesting


@suggesting
def from_tree(tree: JointTree, *, name: str = "tree", **described: Unpack[Described]) -> Model:
    """Return the model of a tree of joints.

    Parameters
    ----------
    tree
        Links, joints, loads, closures and constraints. Its measures, such as ``tree.position("hand")``, may stand in
        outputs, rates of extra states, events and gaps of impacts; those of accelerations in outputs, rates and events.
    parameters, initial, inputs, outputs, ranges, events, impacts, extra_states, origin, points, shapes, ground,
    lines, run, unused, name, description
        As for :class:`~eomc.model.model.Model`. Quaternions start at (1, 0, 0, 0); a joint's limits, and those of
        joints that follow it, are the ranges of its coordinate and speed, unless others are given. Quaternions that
        start with another length than one are brought to it.

    Returns
    -------
    Model
        Its coordinates and speeds are those of the joints, in the tree's order.

    Raises
    ------
    ModelError
        Something is missing, listed twice, unused, or of the wrong kind; the message names it.

    Warns
    -----
    UserWarning
        A link in numbers has principal moments of inertia that no body has.

    Examples
    --------
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> from eomc.trees import Joint, JointTree, Link
    >>> theta, omega = dynamicsymbols("theta omega")
    >>> pivot = Joint(
    ...     name="pivot", kind="revolute", parent="ground", child="rod", axis=(0, 1, 0), coordinates=(theta,),
    ...     speeds=(omega,),
    ... )
    >>> tree = JointTree(
    ...     [Link(name="ground"), Link(name="rod", mass=1.0, centre=(0, 0, -0.5))], [pivot], gravity=(0, 0, -9.81)
    ... )
    >>> from_tree(tree, name="pendulum", outputs={"height": tree.position("rod", at=(0, 0, -1))[2]})
    <eomc.Model 'pendulum': JointTree, 1 coordinate, 1 speed>
    """
    if not isinstance(tree, JointTree):
        raise ModelError(f"eomc.from_tree takes a JointTree, not {quoted(tree)}")
    model = model_of_tree(tree, name=name, **described)
    for sentence in summary(flaws_of(tree.links, tree.joints), Severity.WARNING):
        warnings.warn(f"{model.name}: {sentence}", stacklevel=3)
    return model


def model_of_tree(tree: JointTree, *, name: str, **described: Unpack[Described]) -> Model:
    """Return what `from_tree` does, of a tree whose links another reader has looked at."""
    described["initial"] = {**_starts(tree, described), **mapping_of("initial", described.get("initial"))}
    described["ranges"] = {**bounds_of(tree.joints, tree.leads), **mapping_of("ranges", described.get("ranges"))}
    model = Model.of_dynamics(tree, name=name, coordinates=tree.coordinates, speeds=tree.speeds, **described)
    _check_quaternions(model, tree)
    return model


def _check_quaternions(model: Model, tree: JointTree) -> None:
    """Refuse ranges of a quaternion's components that hold none of length one."""
    given = {bounds.symbol: (bounds.low, bounds.high) for bounds in model.ranges}
    for joint in tree.joints:
        ranges = [given.get(component, (-1.0, 1.0)) for component in joint.quaternion]
        least = sum(0.0 if low <= 0.0 <= high else min(low**2, high**2) for low, high in ranges)
        most = sum(max(low**2, high**2) for low, high in ranges)
        if ranges and not least <= 1.0 <= most:
            names = ", ".join(name_of(component) for component in joint.quaternion)
            raise ModelError(
                f"ranges of {names} hold no quaternion of length one, as the orientation of joint {joint.name!r} is: "
                f"widen them, up to -1 and 1"
            )


def _starts(tree: JointTree, described: Described) -> Mapping[sympy.Expr, Any]:
    """Return the initial values of quaternions of which the user gives no part."""
    given = mapping_of("initial", described.get("initial"))
    found = {}
    for joint in tree.joints:
        if joint.quaternion and not any(component in given for component in joint.quaternion):
            found[joint.quaternion[0]] = 1.0
    return found
