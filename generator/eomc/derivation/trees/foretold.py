"""Which recursion solves a tree, known before anything is derived: of a long row counting would take the time."""

from __future__ import annotations

import sympy

from eomc.derivation.trees.choice import Algorithm, algorithm_asked, recursion_of, worth_trying
from eomc.derivation.trees.rows import GROUND
from eomc.ir.equations import Recursion
from eomc.model.trees.records import JointKind, JointLoad
from eomc.model.trees.tree import JointTree


def parents_of(tree: JointTree) -> list[int]:
    """Return for each joint that moves the number of the one that carries it, or `GROUND`, in the tree's order."""
    rows = {tree.links[0].name: GROUND}
    found: list[int] = []
    for joint in tree.joints:
        above = rows[joint.parent]
        rows[joint.child] = above
        if joint.kind is not JointKind.FIXED:
            rows[joint.child] = len(found)
            found.append(above)
    return found


def foretold(model: str, tree: JointTree, option: str) -> Recursion | None:
    """Return the recursion of a tree that is too deep for composite bodies; None where it takes more to know.

    Parameters
    ----------
    model
        Its name.
    tree
        The tree.
    option
        What the user asks for, as `algorithm`.
    """
    if tree.is_constrained or any(joint.mimic for joint in tree.joints) or not all(map(_acts_on_a_joint, tree.loads)):
        return None
    asked = algorithm_asked(model, option, "")
    rates = [joint.kind.speeds for joint in tree.joints if joint.kind is not JointKind.FIXED]
    tried = worth_trying(parents_of(tree), rates)
    if tried != [Algorithm.ARTICULATED]:
        return None
    algorithm = tried[0] if asked is None else asked
    return recursion_of(algorithm, {algorithm: 0}, asked=asked is not None)


def _acts_on_a_joint(load: object) -> bool:
    """Whether a load is a torque of a joint that holds no derivative, such as an acceleration."""
    return isinstance(load, JointLoad) and not any(sympy.sympify(one).has(sympy.Derivative) for one in load.loads)
