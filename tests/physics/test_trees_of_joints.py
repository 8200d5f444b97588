"""Trees of joints written as bodies, against closed forms and laws of mechanics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.trees import Closure, Joint, JointLoad, JointTree, Link, LinkForce, LinkTorque, Mimic

t = dynamicsymbols._t
q = dynamicsymbols("q1:9")
u = dynamicsymbols("u1:9")
tau, k = dynamicsymbols("tau"), sympy.Symbol("k")
G = 9.81
GROUND = Link(name="ground")
INERTIA = ((0.7, 0.1, -0.05), (0.1, 0.9, 0.02), (-0.05, 0.02, 1.1))


def joint(name: str, parent: str, child: str, kind: str, number: int, **more: Any) -> Joint:
    """Return a joint with the coordinates and speeds from a number on."""
    turning = {"ball": 4, "free": 7}.get(kind, 1)
    speeds = {"ball": 3, "free": 6}.get(kind, 1)
    own = {"coordinates": q[number : number + turning], "speeds": u[number : number + speeds]}
    return Joint(name=name, parent=parent, child=child, kind=kind, **{**own, **more})


def bodies(tree: JointTree, **described: Any) -> eomc.Model:
    return eomc.from_tree(tree, name="tree", **described).as_bodies()


def test_a_pendulum_with_armature_and_damping() -> None:
    """(m c^2 + I + a) u' = -m g c sin(q) - d u + tau."""
    m, c, inertia, armature, damping = 1.3, 0.4, 0.05, 0.2, 0.15
    link = Link(name="rod", mass=m, centre=(0, 0, -c), inertia=np.diag([0.12, inertia, 0.1]))
    pivot = joint("pivot", "ground", "rod", "revolute", 0, axis=(0, 1, 0), armature=armature, damping=damping)
    tree = JointTree([GROUND, link], [pivot], gravity=(0, 0, -G), loads=[JointLoad(joint="pivot", loads=(tau,))])
    reference = eomc.reference(bodies(tree, inputs=[tau]))
    angle, speed, torque = 0.7, -1.2, 0.33
    expected = (-m * G * c * np.sin(angle) - damping * speed + torque) / (m * c**2 + inertia + armature)
    found = reference.rhs(0.0, [angle, speed], [torque])
    np.testing.assert_allclose(found, [speed, expected], rtol=1e-12)
    energy = reference.energy(0.0, [angle, speed])
    assert energy["kinetic"] == pytest.approx(0.5 * (m * c**2 + inertia + armature) * speed**2, rel=1e-12)


def _rotation(quaternion: Any) -> Any:
    """Return the rotation matrix of a unit quaternion, by Rodrigues' formula."""
    w, *axis = quaternion
    cross = np.cross(np.eye(3), axis)
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_a_free_body_obeys_newton_and_euler() -> None:
    """v' = R^T g - w x v and I w' = -w x I w in axes of the body; p' = R v and the quaternion's rate is q w/2."""
    link = Link(name="body", mass=2.0, inertia=INERTIA)
    tree = JointTree([GROUND, link], [joint("free", "ground", "body", "free", 0)], gravity=(0.5, 0, -G))
    quaternion = np.array([0.5, -0.1, 0.7, 0.4])
    quaternion /= np.linalg.norm(quaternion)
    v, w = np.array([0.3, -0.2, 0.5]), np.array([1.1, 0.4, -0.8])
    found = eomc.reference(bodies(tree)).rhs(0.0, [1, 2, 3, *quaternion, *v, *w])
    R, inertia = _rotation(quaternion), np.array(INERTIA)
    s, axis = quaternion[0], quaternion[1:]
    expected = [
        *(R @ v),
        -0.5 * axis @ w,
        *(0.5 * (s * w + np.cross(axis, w))),
        *(R.T @ [0.5, 0, -G] - np.cross(w, v)),
        *np.linalg.solve(inertia, -np.cross(w, inertia @ w)),
    ]
    np.testing.assert_allclose(found, expected, atol=1e-13)


@pytest.mark.parametrize("angles", [False, True])
def test_axes_of_speeds_are_a_matter_of_words(angles: bool) -> None:
    """A free joint turned and set off in a turned parent moves alike with speeds in axes of child and of parent."""
    s, c = np.sin(0.4), np.cos(0.4)
    turned = ((c, 0, s), (0, 1, 0), (-s, 0, c))
    first = joint("first", "ground", "arm", "revolute", 7, axis=(1, 0, 0), offset=(0, 0, 0.2))
    coordinates = q[:6] if angles else q[:7]
    models = []
    for axes in ("child", "parent"):
        second = joint(
            "second", "arm", "body", "free", 0, rotation=turned, offset=(0.1, 0.2, 0.3), speeds_in=axes, damping=0.2,
            coordinates=coordinates,
        )  # fmt: skip
        links = [GROUND, Link(name="arm", mass=0.5, centre=(0.1, 0.3, 0), inertia=INERTIA)]
        tree = JointTree([*links, Link(name="body", mass=2.0, centre=(0.1, 0, 0.2), inertia=INERTIA)], [first, second])
        tip = {"at": (0.3, 0.1, -0.2)}
        outputs = {
            **{f"v{i}": value for i, value in enumerate(tree.velocity("body", **tip))},
            **{f"w{i}": value for i, value in enumerate(tree.angular_velocity("body", axes="arm"))},
            **{f"a{i}": value for i, value in enumerate(tree.acceleration("body", **tip))},
            **{f"R{i}": value for i, value in enumerate(tree.rotation("body", axes="body" if angles else "arm"))},
            **{f"C{i}": value for i, value in enumerate(tree.rotation("body", axes="arm"))},
        }
        models.append(eomc.reference(bodies(tree, outputs=outputs)))
    place = [0.6, 0.3, -0.2, 0.1, *([0.4, -0.3, 0.2] if angles else [0.1, -0.7, 0.5, 0.5])]
    speeds = np.array([0.7, 0.4, -0.2, 0.3, 0.9, -0.5, 0.6])
    first_state = [*place, *speeds]
    count = len(models[0].output_names)
    C = models[0].outputs(0.0, first_state)[count - 9 :].reshape(3, 3)
    other = [*place, speeds[0], *(C @ speeds[1:4]), *(C @ speeds[4:])]
    np.testing.assert_allclose(models[1].outputs(0.0, other), models[0].outputs(0.0, first_state), atol=2e-13)


def test_geared_wheels() -> None:
    """(I1 + k^2 I2) u' = tau1 + k tau2 - (d1 + k^2 d2) u, the second wheel turning by k q + 0.3."""
    wheels = [
        Link(name=name, mass=1.0, inertia=np.diag([9, 9, inertia])) for name, inertia in (("a", 0.2), ("b", 0.05))
    ]
    lead = joint("lead", "ground", "a", "revolute", 0, damping=0.1)
    follow = Joint(
        name="follow", kind="revolute", parent="ground", child="b", offset=(1, 0, 0), damping=0.3, armature=0.02,
        mimic=Mimic(joint="lead", factor=k, offset=0.3),
    )  # fmt: skip
    tree = JointTree([GROUND, *wheels], [lead, follow])
    tree = tree.with_loads(JointLoad(joint="lead", loads=(0.7,)), LinkTorque(link="b", torque=(0, 0, 0.4)))
    outputs = {"turned": tree.rotation("b")[1, 0], "speed": tree.angular_velocity("b")[2]}
    reference = eomc.reference(bodies(tree, parameters={k: -3.0}, outputs=outputs))
    speed = 1.5
    expected = (0.7 - 3 * 0.4 - (0.1 + 9 * 0.3) * speed) / (0.2 + 9 * (0.05 + 0.02))
    np.testing.assert_allclose(reference.rhs(0.0, [0.25, speed]), [speed, expected], rtol=1e-12)
    np.testing.assert_allclose(reference.outputs(0.0, [0.25, speed]), [np.sin(-3 * 0.25 + 0.3), -3 * speed], rtol=1e-12)


def test_what_acts_between_links_changes_no_momentum() -> None:
    """Loads and damping of joints between free links leave sum m a = 0, whatever the kinds of the joints."""
    links = [Link(name=n, mass=1.0 + i, centre=(0.1 * i, 0.2, -0.1), inertia=INERTIA) for i, n in enumerate("abcd")]
    coordinates, speeds = dynamicsymbols("p1:14"), dynamicsymbols("s1:12")
    joints = [
        Joint(name="free", kind="free", parent="ground", child="a", coordinates=coordinates[:7], speeds=speeds[:6]),
        Joint(
            name="slide", kind="prismatic", parent="a", child="b", axis=(0.6, 0, 0.8), offset=(0.3, 0.1, 0),
            damping=0.4, coordinates=coordinates[7:8], speeds=speeds[6:7],
        ),
        Joint(
            name="ball", kind="ball", parent="b", child="c", offset=(0, 0.2, 0.1), speeds_in="parent", damping=0.3,
            coordinates=coordinates[8:12], speeds=speeds[7:10],
        ),
        Joint(
            name="turn", kind="revolute", parent="c", child="d", axis=(0, 1, 0), offset=(0.2, 0, 0),
            coordinates=coordinates[12:], speeds=speeds[10:],
        ),
    ]  # fmt: skip
    tree = JointTree([GROUND, *links], joints)
    tree = tree.with_loads(
        JointLoad(joint="slide", loads=(0.7,)),
        JointLoad(joint="ball", loads=(0.1, -0.4, 0.3)),
        JointLoad(joint="turn", loads=(tree.position("d")[0],)),
    )
    force, torque = sympy.zeros(3, 1), sympy.zeros(3, 1)
    for link in links:
        place, moved = tree.position(link.name, at=link.centre), tree.acceleration(link.name, at=link.centre)
        force += link.mass * moved
        spin, turned = (
            getattr(tree, f"angular_{what}")(link.name, axes=link.name) for what in ("velocity", "acceleration")
        )
        inertia = sympy.Matrix(INERTIA)
        own = inertia * sympy.Matrix(turned) + sympy.Matrix(spin).cross(inertia * sympy.Matrix(spin))
        torque += sympy.Matrix(place).cross(link.mass * sympy.Matrix(moved)) + tree.rotation(link.name) * own
    outputs = {f"m{i}": value for i, value in enumerate([*force, *torque])}
    reference = eomc.reference(bodies(tree, outputs=outputs))
    states = reference.random_state(np.random.default_rng(0), 3)
    assert np.max(np.abs(reference.rhs(0.0, states))) > 0.1
    np.testing.assert_allclose(reference.outputs(0.0, states), 0.0, atol=1e-11)


def _slider_crank() -> JointTree:
    links = [Link(name=n, mass=1.0, centre=(0.2, 0, 0), inertia=INERTIA) for n in ("crank", "rod", "slider")]
    joints = [
        joint("first", "ground", "crank", "revolute", 0, axis=(0, 1, 0)),
        joint("second", "crank", "rod", "revolute", 1, axis=(0, 1, 0), offset=(0.5, 0, 0)),
        joint("rail", "ground", "slider", "prismatic", 2, axis=(1, 0, 0)),
    ]
    pin = Closure(
        name="pin", kind="hinge", first="rod", second="slider", at_first=(1.2, 0, 0), axis_first=(0, 1, 0),
        axis_second=(0, 1, 0),
    )  # fmt: skip
    return JointTree([GROUND, *links], joints, gravity=(0, 0, -G), closures=[pin])


def test_a_slider_crank_is_closed() -> None:
    """x = r cos q + sqrt(l^2 - r^2 sin^2 q), and its rate; rows of the hinge that always hold are left out."""
    model = bodies(_slider_crank(), initial={q[2]: 1.5, q[1]: -0.5})
    assert len(model.dynamics.configuration_constraints) == 2
    reference = eomc.reference(model)
    angle, speed, r, length = 0.8, 1.3, 0.5, 1.2
    found = reference.state({q[0]: angle}, {u[0]: speed})
    root = np.sqrt(length**2 - (r * np.sin(angle)) ** 2)
    assert found[2] == pytest.approx(r * np.cos(angle) + root, abs=1e-12)
    rate = -r * np.sin(angle) * (1 + r * np.cos(angle) / root) * speed
    assert found[5] == pytest.approx(rate, abs=1e-12)


def test_fixed_closures_hold_everything() -> None:
    """A ball joint and a fixed closure to the ground leave nothing free: the link stays where it is closed."""
    s, c = np.sin(0.5), np.cos(0.5)
    turned = ((c, -s, 0), (s, c, 0), (0, 0, 1))
    weld = Closure(name="weld", kind="fixed", first="ground", second="body", rotation=turned)
    link = Link(name="body", mass=1.0, inertia=INERTIA)
    tree = JointTree([GROUND, link], [joint("ball", "ground", "body", "ball", 0)], closures=[weld])
    reference = eomc.reference(bodies(tree))
    found = reference.state({q[0]: 0.9, q[3]: 0.3})
    np.testing.assert_allclose(found[:4], [np.cos(0.25), 0, 0, np.sin(0.25)], atol=1e-12)


@pytest.mark.parametrize("angle", [0.3, 1.6, 2.5, 3.1])
def test_fixed_closures_do_not_close_half_a_turn_off(angle: float) -> None:
    """Two links that start turned apart end in the same axes, however far they are turned."""
    links = [Link(name=name, mass=1.0, inertia=INERTIA) for name in ("one", "other")]
    joints = [joint("free", "ground", "one", "free", 0), joint("ball", "ground", "other", "ball", 7)]
    places = [*q, *dynamicsymbols("q9:12")]
    joints[1] = replace(joints[1], coordinates=places[7:11], speeds=u[4:7])
    joints[0] = replace(joints[0], speeds=dynamicsymbols("w1:7"))
    weld = Closure(name="weld", kind="fixed", first="one", second="other")
    model = eomc.from_tree(JointTree([GROUND, *links], joints, closures=[weld]), name="welded")
    apart = [np.cos(angle / 2), *(np.sin(angle / 2) * np.array([2.0, -1.0, 2.0]) / 3)]
    found = eomc.reference(model).state(dict(zip(places[3:7], apart, strict=True)))
    np.testing.assert_allclose(_rotation(found[3:7]), _rotation(found[7:11]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(found[:3], 0, atol=1e-12)


def test_measures_are_consistent() -> None:
    """J u is the velocity, and rates of measures are what they say along the motion, in turning axes, too."""
    links = [Link(name=n, mass=1.0, centre=(0, 0.2, 0), inertia=INERTIA) for n in "abc"]
    joints = [
        joint("ball", "ground", "a", "ball", 0, speeds_in="parent"),
        joint("turn", "a", "b", "revolute", 4, axis=(0, 0.6, 0.8), offset=(0.1, 0, 0.3)),
        joint("slide", "b", "c", "prismatic", 5, axis=(0, 0, 1), offset=(0, 0.2, 0)),
    ]
    speeds = (*u[:3], *u[4:6])
    tree = JointTree([GROUND, *links], joints, gravity=(0, 0, -G))
    tip, axes = (0.1, -0.3, 0.2), "b"
    vectors = [tree.position("c", tip, axes), tree.velocity("c", tip), tree.angular_velocity("c", axes)]
    rates = [vector.diff(t) for vector in vectors]
    moving = tree.jacobian("c", tip) * sympy.Matrix(speeds)
    moving -= sympy.Matrix([*tree.velocity("c", tip), *tree.angular_velocity("c")])
    entries = [*(e for v in vectors for e in v), *tree.rotation("c", axes)]
    outputs = {f"y{i}": value for i, value in enumerate([*entries, *(e.diff(t) for e in entries), *moving])}
    assert all(rates)
    reference = eomc.reference(bodies(tree, outputs=outputs))
    state = reference.random_state(np.random.default_rng(1))
    found = reference.outputs(0.0, state)
    count = len(entries)
    np.testing.assert_allclose(found[2 * count :], 0.0, atol=1e-13)
    along = reference.outputs_jacobian(0.0, state)[0][:count] @ reference.rhs(0.0, state)
    np.testing.assert_allclose(along, found[count : 2 * count], atol=1e-7)


@pytest.mark.needs_cc
def test_the_emitted_code_of_a_tree_as_bodies() -> None:
    """What is compiled from the bodies of a tree with loops, gears and rotors agrees with the reference."""
    tree = _slider_crank()
    wheel = Link(name="wheel", mass=0.3, centre=(0, 0, 0.1), inertia=INERTIA)
    gear = Joint(
        name="gear", kind="revolute", parent="slider", child="wheel", armature=k, mimic=Mimic(joint="first", factor=2)
    )
    tree = JointTree([*tree.links, wheel], [*tree.joints, gear], gravity=tree.gravity, closures=tree.closures)
    foot = tree.position("wheel", at=(0, 0, 0.3))
    tree = tree.with_loads(LinkForce(link="wheel", at=(0, 0, 0.3), force=(0, 0, -k * foot[2])))
    model = bodies(
        tree, parameters={k: 1.5}, initial={q[2]: 1.5, q[1]: -0.5}, outputs={"felt": tree.acceleration("wheel")[2]},
        ranges={q[0]: (0.2, 0.6), q[1]: (-0.5, -0.2), q[2]: (1.4, 1.8)},
    )  # fmt: skip
    build = eomc.compile(model)
    reference, simulator = eomc.reference(model), build.load()
    states = reference.random_state(np.random.default_rng(2), 4)
    np.testing.assert_allclose(simulator.rhs(0.0, states), reference.rhs(0.0, states), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(simulator.outputs(0.0, states), reference.outputs(0.0, states), rtol=1e-10, atol=1e-10)
