"""What is told of the preparation, against what was given."""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import dynamicsymbols

from eomc.derivation.trees.told import preparation_of
from eomc.trees import Joint, JointTree, Link

SOLID = ((0.3, 0.01, 0.02), (0.01, 0.2, 0.03), (0.02, 0.03, 0.25))


def tree_of(*joints: Joint, links: list[Link]) -> JointTree:
    return JointTree([Link(name="ground"), *links], joints, gravity=(0, 0, -9.81))


def hinge(name: str, parent: str, child: str, **more: object) -> Joint:
    moving = {"coordinates": [dynamicsymbols(f"q{name}")], "speeds": [dynamicsymbols(f"u{name}")]}
    return Joint(name=name, kind="revolute", parent=parent, child=child, axis=(0, 1, 0), **moving, **more)


def test_what_a_hinge_cannot_move_is_told() -> None:
    """Of the ten numbers of a body on a hinge m, h_z and S_zz go: seven are left, of parameters as well."""
    body = Link(name="body", mass=2.0, centre=(0.1, 0.2, 0.3), inertia=SOLID)
    told = preparation_of(tree_of(hinge("a", "ground", "body"), links=[body]))
    assert (told.rows, told.merged, told.inertias, told.kept) == (1, 0, 10, 7)
    m, c = sympy.symbols("m c")
    symbolic = Link(name="body", mass=m, centre=(c, 0.2, 0.3), inertia=SOLID)
    assert preparation_of(tree_of(hinge("a", "ground", "body"), links=[symbolic])).kept == 7


def test_what_is_fixed_slid_and_askew_is_told() -> None:
    """A fixed link is merged, an origin slides to the foot of the perpendicular, a tilted frame has no right angle."""
    links = [Link(name=name, mass=1.0, centre=(0.1, 0.2, 0.3), inertia=SOLID) for name in ("arm", "tool", "hand")]
    c, s = 0.8, 0.6
    joints = [
        hinge("a", "ground", "arm"),
        Joint(name="weld", kind="fixed", parent="arm", child="tool", offset=(0.1, 0, 0)),
        hinge("b", "tool", "hand", offset=(0.3, 0.5, 0), rotation=((c, 0, s), (0, 1, 0), (-s, 0, c))),
        hinge("c", "hand", "tip", offset=(0.3, 0.5, 0), rotation=((c, -s, 0), (s, c, 0), (0, 0, 1))),
    ]
    told = preparation_of(tree_of(*joints, links=[*links, Link(name="tip", mass=1.0, centre=(0.1, 0, 0))]))
    assert (told.links, told.rows, told.merged) == (5, 3, 1)
    assert told.right_angles < 3
    assert told.slid >= 1
    sentences = told.sentences()
    assert sentences[0] == "merged: 1 of 5 links is fixed to others"
    assert sentences[1].endswith(f"at right angles to the frames before: {told.right_angles} of 3")
