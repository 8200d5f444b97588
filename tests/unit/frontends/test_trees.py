"""Models of trees of joints: what `eomc.from_tree` takes, gives by itself and refuses."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import ModelError, UnsupportedError
from eomc.trees import Joint, JointLoad, JointTree, Limits, Link, LinkForce, MeasureKind, Mimic

t = dynamicsymbols._t
theta, omega, F, z = dynamicsymbols("theta omega F z")
m, k, c, length = sympy.symbols("m k c l")


def rod(**pivot: Any) -> JointTree:
    joint = {
        "name": "pivot", "kind": "revolute", "parent": "ground", "child": "rod", "axis": (0, 1, 0),
        "coordinates": (theta,), "speeds": (omega,), **pivot,
    }  # fmt: skip
    links = [Link(name="ground"), Link(name="rod", mass=m, centre=(0, 0, -length / 2))]
    return JointTree(links, [Joint(**joint)], gravity=(0, 0, -9.81))


def model(tree: JointTree | None = None, **described: Any) -> eomc.Model:
    return eomc.from_tree(tree or rod(), **{"parameters": {m: 1.0, length: 0.5}, **described})


def test_measures_that_are_used_are_listed() -> None:
    """The tree of a model lists the measures of its loads and of all other expressions, once, in one order."""
    tree = rod()
    tip, speed = tree.position("rod", at=(0, 0, -length)), tree.velocity("rod", at=(0, 0, -length))
    tree = tree.with_loads(LinkForce(link="rod", force=(0, 0, -k * tip[2])))
    found = model(
        tree,
        parameters={m: 1.0, length: 0.5, k: 2.0},
        outputs={"height": tip[2], "felt": (tree.acceleration("rod", axes="rod")[0], "m/s^2")},
        extra_states={z: speed[0] - z},
        events={"passes": eomc.Event(tip[0])},
        impacts=[eomc.Impact(tree.position("rod")[2] + 1, restitution=0.5)],
    )
    kinds = [(measure.kind, measure.at) for measure in found.dynamics.measures]
    assert sorted(kinds, key=str) == sorted(
        [
            (MeasureKind.POSITION, (0, 0, -length)),
            (MeasureKind.POSITION, (0, 0, 0)),
            (MeasureKind.VELOCITY, (0, 0, -length)),
            (MeasureKind.ACCELERATION, (0, 0, 0)),
        ],
        key=str,
    )
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), found.renamed("other")):
        assert again.dynamics.measures == found.dynamics.measures
        assert [one.expression for one in again.outputs] == [one.expression for one in found.outputs]


def test_limits_are_ranges_and_quaternions_start_upright() -> None:
    """A joint's limits bound random states, a quaternion starts as no rotation; what the user gives goes before."""
    limits = Limits(lower=-1, upper=2, speed=3, effort=10)
    found = model(rod(limits=limits))
    assert {one.symbol: (one.low, one.high) for one in found.ranges} == {theta: (-1, 2), omega: (-3, 3)}
    found = model(rod(limits=limits), ranges={theta: (0, 1)})
    assert {one.symbol: (one.low, one.high) for one in found.ranges} == {theta: (0, 1), omega: (-3, 3)}

    quaternion = dynamicsymbols("e0:4")
    ball = rod(kind="ball", coordinates=quaternion, speeds=dynamicsymbols("w1:4"))
    assert model(ball).initial == ((quaternion[0], 1.0),)
    assert model(ball, initial={quaternion[2]: 1.0}).initial == ((quaternion[2], 1.0),)


FOLLOWERS = [
    ((-0.5, 0.2), {"lower": -0.3, "upper": 0.4, "speed": 1}, (-0.4, 1.0), 2.0),
    ((2.0, 0.0), {"lower": -9, "upper": 9, "speed": 60}, (-1, 2), 3.0),
    ((1.0, 0.0), {"lower": 5, "upper": 6}, (-1, 2), 3.0),
    ((0, 0.3), {"lower": -0.1, "upper": 0.4, "speed": 1}, (-1, 2), 3.0),
    ((k, 0.0), {"lower": -0.1, "upper": 0.1, "speed": 1}, (-1, 2), 3.0),
]


@pytest.mark.parametrize(("law", "limits", "expected", "speed"), FOLLOWERS)
def test_limits_of_followers_narrow_those_of_their_leader(
    law: tuple[Any, float], limits: dict[str, float], expected: tuple[float, float], speed: float
) -> None:
    """q = f p + o is within its limits where p is within theirs; limits that exclude each other, and laws of
    parameters, narrow nothing. The follower may be listed first.
    """
    leader = rod(limits=Limits(lower=-1, upper=2, speed=3))
    follower = Joint(
        name="beside", kind="revolute", parent="ground", child="other", axis=(0, 1, 0), limits=Limits(**limits),
        mimic=Mimic(joint="pivot", factor=law[0], offset=law[1]),
    )  # fmt: skip
    tree = JointTree([*leader.links, Link(name="other", mass=1.0)], [follower, *leader.joints], gravity=(0, 0, -9.81))
    given = {k: 0.5} if law[0] is k else {}
    found = model(tree, parameters={m: 1.0, length: 0.5, **given}, unused="ignore")
    ranges = {one.symbol: (one.low, one.high) for one in found.ranges}
    assert ranges[theta] == pytest.approx(expected)
    assert ranges[omega] == pytest.approx((-speed, speed))


def test_a_parameter_that_is_not_linear_points_to_moments() -> None:
    """Of links alone, and by the way that serves."""
    with pytest.raises(UnsupportedError, match=r"l does not enter the .*; of a link .*='moments'.*of_moments"):
        eomc.compile(model(), functions=["regressor:l"])


def test_a_tree_is_constrained_by_its_closures() -> None:
    """Closures count as constraints, as equations do."""
    tip = rod().position("rod", at=(0, 0, -length))
    assert not model().is_constrained
    assert model(rod().with_constraints([tip[0] - length / 4])).is_constrained
    assert model(rod().with_constraints(velocity=[rod().velocity("rod", at=(0, 0, -length))[0]])).is_constrained


TREE = rod()
TIP = {kind: getattr(TREE, kind)("rod", at=(0, 0, -length))[0] for kind in ("position", "velocity", "acceleration")}
OTHER = JointTree([Link(name="a"), Link(name="b")], [Joint(name="j", kind="fixed", parent="a", child="b")])

MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "no tree": (lambda: eomc.from_tree([1, 2]), "takes a JointTree, not"),
    "nothing moves": (lambda: eomc.from_tree(OTHER), "no joint of the tree can move"),
    "no value": (lambda: eomc.from_tree(rod(), parameters={m: 1}), r"no value for l \(the centre of link 'rod'\)"),
    "no value of a point": (
        lambda: model(outputs={"y": TREE.position("rod", at=(0, c, 0))[1]}),
        r"no value for c \(the point of the position of link 'rod'\)",
    ),
    "unused": (lambda: model(parameters={m: 1, length: 1, k: 1}), "k is listed"),
    "other tree": (lambda: model(outputs={"y": OTHER.position("b")[0]}), "which the tree does not have"),
    "measure without a tree": (
        lambda: eomc.Model(name="lag", extra_states={z: -z}, outputs={"y": TIP["position"]}),
        "a measure of a tree of joints that is not this model's",
    ),
    "acceleration in a load": (
        lambda: model(rod().with_loads(LinkForce(link="rod", force=(TIP["acceleration"], 0, 0)))),
        "load 1 on link 'rod' contains acceleration_rod",
    ),
    "u' in a load": (
        lambda: model(rod().with_loads(JointLoad(joint="pivot", loads=(-omega.diff(t),)))),
        "load 1 on joint 'pivot' contains Derivative",
    ),
    "acceleration in a constraint": (
        lambda: model(rod().with_constraints(velocity=[TIP["acceleration"]])),
        "write it in positions, rotations and velocities",
    ),
    "velocity in a constraint on places": (
        lambda: model(rod().with_constraints([TIP["velocity"]])),
        "configuration constraint 1 contains velocity_rod",
    ),
    "no velocity": (
        lambda: model(rod().with_constraints(velocity=[TIP["position"]])),
        "no generalized speed appears in velocity constraint 1",
    ),
    "not linear": (
        lambda: model(rod().with_constraints(velocity=[TIP["velocity"] ** 2 - 1])),
        "velocity constraint 1 is not linear in velocity_rod",
    ),
    "jerk": (
        lambda: model(outputs={"jerk": TIP["acceleration"].diff(t)}),
        "no measure is the time derivative of acceleration_rod",
    ),
    "gap of speeds": (
        lambda: model(impacts=[eomc.Impact(TIP["velocity"], restitution=0)]),
        "the gap of impact .* contains velocity_rod",
    ),
    "two roles": (lambda: model(rod(speeds=(theta,))), "listed as coordinate and as speed"),
    "input that is none": (lambda: model(inputs=[F]), "F.* is listed among"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told(name: str) -> None:
    """What has no meaning is refused with one sentence that says where it stands."""
    make, sentence = MISTAKES[name]
    with pytest.raises(ModelError, match=sentence):
        make()


def test_other_methods_say_what_to_do() -> None:
    """Recursions over joints are Kane's method; what else is asked for needs bodies, and is told so."""
    assert model().methods == ("kane",)
    with pytest.raises(UnsupportedError, match="as_bodies"):
        eomc.compile(model(), "lagrange")


MOMENTS = {
    "negative": (-1.0, 1.0, 1.0),
    "triangle": (1.0, 1.0, sympy.Rational(5, 2)),
    "by a parameter": (1.0, 1.0, 2.5 * c),
    "plate": (0.1, 0.2, 0.1 + 0.2),
    "rod": (0.0, 1e-9, 1e-9),
}
FLAWS = {
    "negative": "a principal moment of inertia is negative: no body has such",
    "triangle": "a principal moment of inertia is larger than the sum of the others: no body has such",
}


@pytest.mark.parametrize("kind", MOMENTS)
def test_a_link_that_is_no_body_is_told_as_of_a_file(kind: str, tmp_path: Path) -> None:
    """In the words of a robot's file, once; what holds parameters has a function of its own."""
    x, y, z = MOMENTS[kind]
    links = [
        Link(name="ground"),
        Link(name="hand", mass=1.0, centre=(0, 0, -1), inertia=((x, 0, 0), (0, y, 0), (0, 0, z))),
    ]
    pivot = rod().joints[0]
    tree = JointTree(links, [dataclasses.replace(pivot, child="hand")], gravity=(0, 0, -9.81))
    held = {c: 1.0} if kind == "by a parameter" else {}
    file = tmp_path / "arm.urdf"
    file.write_text(
        '<robot name="arm"><link name="ground"/><link name="hand"><inertial><origin xyz="0 0 -1"/><mass value="1"/>'
        f'<inertia ixx="{x}" ixy="0" ixz="0" iyy="{y}" iyz="0" izz="{float(z.subs(c, 1)) if held else float(z)}"/>'
        '</inertial></link><joint name="pivot" type="continuous"><parent link="ground"/><child link="hand"/>'
        '<axis xyz="0 1 0"/></joint></robot>'
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        eomc.from_tree(tree, name="arm", parameters=held)
        of_tree = len(told)
        eomc.from_urdf(file)
    said = [str(one.message) for one in told]
    expected = [FLAWS[kind]] if kind in FLAWS else []
    assert said[:of_tree] == [f"arm: link 'hand': {flaw}" for flaw in expected]
    if not held:
        assert [one for one in said[of_tree:] if "no body" in one] == [
            f"{file}: link 'hand' (line 1): {flaw}" for flaw in expected
        ]
    assert {one.filename for one in told} <= {__file__}
