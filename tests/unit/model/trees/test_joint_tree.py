"""Trees of joints: what their construction takes, puts in order and refuses."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

from eomc.errors import ModelError
from eomc.model.trees.records import (
    WORLD,
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
)
from eomc.model.trees.tree import JointTree

q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
BASE, ARM, HAND = Link(name="base"), Link(name="arm", mass=2.0, centre=(0, 0, 0.5)), Link(name="hand", mass=0.5)
SHOULDER = Joint(
    name="shoulder",
    kind=JointKind.REVOLUTE,
    parent="base",
    child="arm",
    coordinates=(q1,),
    speeds=(u1,),
    axis=(0, 1, 0),
)
WRIST = Joint(
    name="wrist",
    kind=JointKind.PRISMATIC,
    parent="arm",
    child="hand",
    coordinates=(q2,),
    speeds=(u2,),
    offset=(0, 0, 1),
)


def arm(**changes: Any) -> JointTree:
    return JointTree(changes.pop("links", [BASE, ARM, HAND]), changes.pop("joints", [SHOULDER, WRIST]), **changes)


def test_parents_come_first() -> None:
    """Links and joints are put in an order in which joint i carries link i + 1 and its parent comes before it."""
    tree = arm(links=[HAND, BASE, ARM], joints=[WRIST, SHOULDER])
    assert [link.name for link in tree.links] == ["base", "arm", "hand"]
    assert [joint.name for joint in tree.joints] == ["shoulder", "wrist"]
    assert tree.parents == (0, 1)
    assert (tree.root, tree.coordinates, tree.speeds) == ("base", (q1, q2), (u1, u2))
    assert tree.joints_to("hand") == [0, 1]


def test_what_is_in_order_stays() -> None:
    """Branches keep the order in which the user lists their joints, wherever their parents allow it."""
    joints = [
        replace(SHOULDER, name=name, kind="fixed", parent=parent, child=name, coordinates=(), speeds=())
        for name, parent in (("a", "base"), ("b", "base"), ("aa", "a"), ("ba", "b"), ("ab", "a"))
    ]
    tree = JointTree([BASE, *(Link(name=joint.name) for joint in joints)], joints)
    assert [joint.name for joint in tree.joints] == ["a", "b", "aa", "ba", "ab"]
    assert tree.parents == (0, 0, 1, 2, 1)


def test_a_link_alone() -> None:
    """A tree may be its root."""
    tree = JointTree([BASE])
    assert (tree.joints, tree.coordinates, tree.parents) == ((), (), ())


def test_numbers_stay_numbers() -> None:
    """Entries that are numbers are plain ones of Python, exact zeros among them; expressions of parameters stay."""
    m = sympy.Symbol("m")
    links = [BASE, replace(ARM, mass=m, centre=[np.float64(0.1), sympy.Integer(0), sympy.Float(0.25)]), HAND]
    tree = arm(links=links, gravity=[0, 0, np.float32(-9.5)])
    assert tree.links[1].mass is m
    assert [(type(entry), entry) for entry in tree.links[1].centre] == [(float, 0.1), (int, 0), (float, 0.25)]
    assert tree.gravity == (0, 0, -9.5)


def test_an_axis_becomes_a_unit_vector() -> None:
    """An axis in numbers is a direction; what is zero in it stays exactly zero."""
    tree = arm(joints=[replace(SHOULDER, axis=(0, 3, -4)), WRIST])
    assert tree.joints[0].axis == (0, 0.6, -0.8)
    assert tree.joints[1].axis == (0, 0, 1)


def test_a_rotation_is_made_orthonormal() -> None:
    """A rotation that was written to seven digits is orthonormal to the last one, and hardly another."""
    s, c = round(math.sin(0.3), 7), round(math.cos(0.3), 7)
    found = arm(joints=[replace(SHOULDER, rotation=[[c, -s, 0], [s, c, 0], [0, 0, 1]]), WRIST]).joints[0].rotation
    made = np.array(found)
    np.testing.assert_allclose(made.T @ made, np.eye(3), atol=4e-16, rtol=0)
    np.testing.assert_allclose(made, [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-7, rtol=0)
    assert found[0][2] == found[2][1] == 0
    a = sympy.Symbol("a")
    turned = [[sympy.cos(a), -sympy.sin(a), 0], [sympy.sin(a), sympy.cos(a), 0], [0, 0, 1]]
    assert arm(joints=[replace(SHOULDER, rotation=turned), WRIST]).joints[0].rotation[0][0] == sympy.cos(a)


def test_mimic_joints_follow_the_one_with_a_coordinate() -> None:
    """A joint that follows a follower has the product of their factors, and the first factor times its offset."""
    k = sympy.Symbol("k")
    follower = replace(WRIST, coordinates=(), speeds=(), mimic=Mimic(joint="shoulder", factor=2.0, offset=0.5))
    thumb = replace(follower, name="thumb", child="tip", parent="hand", mimic=Mimic(joint="wrist", factor=k, offset=1))
    tree = JointTree([BASE, ARM, HAND, Link(name="tip")], [SHOULDER, follower, thumb])
    _, second, third = tree.leads
    assert second is not None
    assert third is not None
    assert (second.joint, second.factor, second.offset) == (0, 2.0, 0.5)
    assert (third.joint, third.factor, sympy.expand(third.offset)) == (0, 2.0 * k, 0.5 * k + 1)
    assert tree.speeds == (u1,)


def _calls(count: int) -> int:
    """Return how many functions are called for a chain."""
    links = [Link(name=f"l{i}", mass=1.0, centre=(0, 0, 0.5)) for i in range(count + 1)]
    joints = [
        Joint(name=f"j{i}", kind=JointKind.REVOLUTE, parent=f"l{i}", child=f"l{i + 1}", coordinates=(q,), speeds=(u,))
        for i, (q, u) in enumerate(zip(dynamicsymbols(f"q:{count}"), dynamicsymbols(f"u:{count}"), strict=True))
    ]
    calls = 0

    def count_one(*_: Any) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count_one)
    JointTree(links, joints[::-1])
    sys.setprofile(None)
    return calls


def test_the_work_grows_with_the_number_of_joints() -> None:
    """A chain of four times the joints takes at most some four times the work."""
    _calls(10)  # what is done once
    few, many = _calls(100), _calls(400)
    assert many < 4.2 * few


MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "no links": (lambda: JointTree([]), "there are no links"),
    "no link": (lambda: JointTree([ARM, "hand"]), r"links\[1\] is 'hand': give a Link"),
    "no name": (lambda: JointTree([Link(name="")]), r"the name of links\[0\] is empty"),
    "links alike": (lambda: arm(links=[BASE, ARM, ARM, HAND]), "two links are named 'arm'"),
    "joints alike": (
        lambda: arm(joints=[SHOULDER, replace(WRIST, name="shoulder")]),
        "two joints are named 'shoulder'",
    ),
    "no parent": (lambda: arm(joints=[SHOULDER, replace(WRIST, parent="arn")]), "did you mean arm"),
    "itself": (lambda: arm(joints=[SHOULDER, replace(WRIST, parent="hand")]), "joins link 'hand' with itself"),
    "two parents": (
        lambda: arm(joints=[SHOULDER, WRIST, replace(WRIST, name="w", parent="base")]),
        "hangs on two joints",
    ),
    "two roots": (lambda: arm(joints=[SHOULDER]), "links 'base', 'hand' hang on no joint"),
    "other root": (lambda: arm(root="arm"), "the root 'arm' hangs on joint 'shoulder'"),
    "no such root": (lambda: arm(root="bose"), "did you mean base"),
    "circle": (
        lambda: arm(joints=[replace(SHOULDER, parent="hand"), WRIST]),
        "link 'arm' is not reached from the root 'base': joints go in a circle through 'arm', 'hand'",
    ),
    "all in a circle": (
        lambda: arm(joints=[SHOULDER, WRIST, replace(WRIST, name="w", parent="hand", child="base")]),
        "every link hangs on a joint, joints go in a circle",
    ),
    "kind": (lambda: arm(joints=[replace(SHOULDER, kind="planar"), WRIST]), "give one of fixed, revolute"),
    "coordinates": (
        lambda: arm(joints=[replace(SHOULDER, coordinates=(q1, q3)), WRIST]),
        "joint 'shoulder' is revolute and has 2 coordinates: give 1",
    ),
    "ball": (
        lambda: arm(joints=[replace(SHOULDER, kind="ball"), WRIST]),
        r"joint 'shoulder' is ball and has 1 coordinate: give 4 or 3 \(a quaternion or three angles\)",
    ),
    "speeds": (lambda: arm(joints=[replace(SHOULDER, speeds=()), WRIST]), "has 0 speeds: give 1"),
    "plain": (lambda: arm(joints=[replace(SHOULDER, speeds=(sympy.Symbol("u1"),)), WRIST]), "no function of time"),
    "axis": (lambda: arm(joints=[replace(SHOULDER, axis=(0, 0, 0)), WRIST]), "the axis of joint 'shoulder'.*direction"),
    "long axis": (
        lambda: arm(joints=[replace(SHOULDER, axis=(sympy.Symbol("a"), 0, 1)), WRIST]),
        "length is not 1 for all parameters",
    ),
    "rotation": (lambda: arm(joints=[replace(SHOULDER, rotation=np.ones((3, 3))), WRIST]), "the rotation of joint"),
    "mirror": (lambda: arm(joints=[replace(SHOULDER, rotation=np.diag([1, 1, -1])), WRIST]), "right-handed"),
    "rows": (lambda: arm(joints=[replace(SHOULDER, rotation=[1, 2]), WRIST]), "give three rows of three entries"),
    "skew for parameters": (
        lambda: arm(joints=[replace(SHOULDER, rotation=np.diag([1, 1, sympy.Symbol("a")])), WRIST]),
        "no rotation for all parameters",
    ),
    "speeds in": (lambda: arm(joints=[replace(SHOULDER, speeds_in="world"), WRIST]), "give 'child' or 'parent'"),
    "armature": (
        lambda: arm(joints=[replace(SHOULDER, armature=-1.0), WRIST]),
        "the armature of joint 'shoulder' is -1",
    ),
    "damping": (lambda: arm(joints=[replace(SHOULDER, damping="a lot"), WRIST]), "damping of joint 'shoulder' must be"),
    "limits": (
        lambda: arm(joints=[replace(SHOULDER, limits=Limits(lower=1, upper=0)), WRIST]),
        "1 to 0: the first must",
    ),
    "mass": (lambda: arm(links=[BASE, replace(ARM, mass=-2.0), HAND]), "the mass of link 'arm' is -2"),
    "no finite mass": (lambda: arm(links=[BASE, replace(ARM, mass=math.nan), HAND]), "must be a finite number"),
    "no double": (lambda: arm(links=[BASE, replace(ARM, mass=10**400), HAND]), "must be a finite number, not 1000"),
    "no double of SymPy": (
        lambda: arm(links=[BASE, replace(ARM, mass=sympy.Integer(10) ** 400), HAND]),
        "the mass of link 'arm' must be a finite number",
    ),
    "truth": (lambda: arm(links=[BASE, replace(ARM, mass=True), HAND]), "must be a finite number, not True"),
    "moving entry": (lambda: arm(links=[BASE, replace(ARM, mass=2 * q1), HAND]), "holds q1.t., which moves"),
    "centre": (lambda: arm(links=[BASE, replace(ARM, centre=(0, 0)), HAND]), "the centre of link 'arm' has 2 entries"),
    "inertia": (
        lambda: arm(links=[BASE, replace(ARM, inertia=((1, 2, 0), (0, 1, 0), (0, 0, 1))), HAND]),
        "the inertia of link 'arm' is not symmetric",
    ),
    "moments": (
        lambda: arm(links=[BASE, replace(ARM, inertia=(1, 2, 3)), HAND]),
        r"the inertia of link 'arm' is \(1, 2, 3\), three entries: give three rows of them",
    ),
    "gravity": (lambda: arm(gravity=9.81), "gravity is 9.81: give a list"),
    "no leader": (
        lambda: arm(joints=[SHOULDER, replace(WRIST, coordinates=(), speeds=(), mimic=Mimic(joint="elbow"))]),
        "joint 'wrist' mimics joint 'elbow', which does not exist",
    ),
    "own leader": (
        lambda: arm(joints=[SHOULDER, replace(WRIST, coordinates=(), speeds=(), mimic=Mimic(joint="wrist"))]),
        "mimics itself",
    ),
    "fixed leader": (
        lambda: arm(
            joints=[
                replace(SHOULDER, kind="fixed", coordinates=(), speeds=()),
                replace(WRIST, coordinates=(), speeds=(), mimic=Mimic(joint="shoulder")),
            ]
        ),
        "which is fixed: only",
    ),
    "own coordinate": (
        lambda: arm(joints=[SHOULDER, replace(WRIST, mimic=Mimic(joint="shoulder"))]),
        "leave these out",
    ),
    "load on no link": (lambda: arm(loads=[LinkForce(link="hant", force=(0, 0, 1))]), "load 1 on link 'hant'.*hand"),
    "load in no axes": (lambda: arm(loads=[LinkTorque(link="hand", torque=(0, 0, 1), axes="x")]), "in axes of 'x'"),
    "load of two": (lambda: arm(loads=[LinkTorque(link="hand", torque=(0, 0))]), "has 2 components: give three"),
    "load on no joint": (lambda: arm(loads=[JointLoad(joint="elbow", loads=(1,))]), "on joint 'elbow', which"),
    "joint load": (lambda: arm(loads=[JointLoad(joint="wrist", loads=(1, 2))]), "a prismatic joint takes 1"),
    "no load": (lambda: arm(loads=[(1, 2)]), "give a LinkForce, LinkTorque or JointLoad"),
    "closure": (
        lambda: arm(closures=[Closure(name="loop", kind=ClosureKind.POINT, first="hand", second="hand")]),
        "joins link 'hand' with itself",
    ),
    "closure of none": (
        lambda: arm(closures=[Closure(name="loop", kind="point", first="hand", second="foot")]),
        "closure 'loop' names link 'foot'",
    ),
    "measure": (lambda: arm().position("hant"), "did you mean hand"),
    "axes": (lambda: arm().position("hand", axes="hant"), "the position of 'hand' is in axes of link 'hant'"),
    "point": (lambda: arm().position("hand", at=(q1, 0, 0)), r"at of the position of link 'hand'\[0\] holds q1"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told(name: str) -> None:
    """What makes no tree is refused with one sentence that names the link, joint or load."""
    make, sentence = MISTAKES[name]
    with pytest.raises(ModelError, match=sentence):
        make()


def test_more_is_said_of_the_same_tree() -> None:
    """Loads, closures and constraints that are added later leave the links and joints as they are."""
    tree = arm()
    z = tree.position("hand")[2]
    loop = Closure(name="loop", kind="point", first="hand", second="base", at_second=(0, 0, 1))
    more = tree.with_loads(LinkForce(link="hand", force=(0, 0, -z))).with_closures(loop).with_constraints([z - 1])
    assert more.links is tree.links
    assert (len(more.loads), len(more.closures), more.own_constraints) == (1, 1, (z - 1,))
    assert more.is_constrained
    assert not tree.is_constrained
    assert more.configuration_constraints[0] == z - 1
    assert len(more.configuration_constraints) == 4  # and the three of the closure
    assert more.measures[0] == z.measure
    assert tree.measures == ()
    assert z.measure.axes == WORLD
