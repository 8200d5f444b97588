"""The reference of trees of joints against that of the same mechanisms written out as bodies."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.trees import Closure, Joint, JointKind, JointLoad, JointTree, Link, LinkForce, LinkTorque, Mimic

t = dynamicsymbols._t
m, c, k, length = sympy.symbols("m c k l")
tau, z = dynamicsymbols("tau z")
KINDS = ("revolute", "prismatic", "ball", "free", "fixed")


def _rotation(draw: random.Random) -> Any:
    """Return a random rotation, exact in its zeros, a general one or one by a parameter."""
    kind = draw.randrange(3)
    if kind == 0:
        return draw.choice([((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 0, 1), (1, 0, 0), (0, 1, 0))])
    if kind == 1:
        a = sympy.Symbol("a")
        return ((sympy.cos(a), 0, sympy.sin(a)), (0, 1, 0), (-sympy.sin(a), 0, sympy.cos(a)))
    return np.linalg.qr(np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)]))[0] * 1.0


def random_tree(seed: int, count: int = 2) -> JointTree:
    """Return a tree with joints of all kinds, loads and measures."""
    draw = random.Random(seed)

    def triple() -> tuple[float, float, float]:
        return draw.uniform(-0.5, 0.5), draw.choice([0, draw.uniform(-0.5, 0.5)]), draw.uniform(-0.5, 0.5)

    links, joints = [Link(name="base", mass=2.0, centre=(0.1, 0, 0.3))], []
    for number in range(count):
        root = np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)])
        inertia = (root @ root.T + np.eye(3)).tolist()
        inertia[0][0] = inertia[0][0] + m
        link = Link(name=f"link{number}", mass=m + number, centre=triple(), inertia=inertia)
        kind = JointKind(draw.choice(KINDS if number else KINDS[:4]))
        massless = kind is JointKind.FIXED and draw.random() < 0.5
        links.append(Link(name=f"link{number}") if massless else link)
        rotation = np.array(_rotation(draw), dtype=object)
        if rotation.dtype == object and all(isinstance(x, float) for x in rotation.flat):
            rotation = rotation * np.sign(np.linalg.det(rotation.astype(float)))
        axis = [draw.gauss(0, 1) for _ in range(3)]
        wanted = draw.choice(kind.coordinates)
        names = [f"q{number}_{i}" for i in range(wanted)], [f"u{number}_{i}" for i in range(kind.speeds)]
        mimic = None
        followed = [joint.name for joint in joints if joint.kind.speeds == 1]
        if kind.speeds == 1 and followed and draw.random() < 0.4:
            mimic, names = Mimic(joint=draw.choice(followed), factor=-k, offset=0.2), ([], [])
        joints.append(
            Joint(
                name=f"joint{number}", kind=kind, parent=draw.choice(links[:-1]).name, child=f"link{number}",
                rotation=rotation.tolist(), offset=triple(), axis=(np.array(axis) / np.linalg.norm(axis)).tolist(),
                coordinates=list(map(dynamicsymbols, names[0])), speeds=list(map(dynamicsymbols, names[1])),
                speeds_in=draw.choice(["child", "parent"]), armature=draw.choice([0, 0.3]), damping=draw.choice([0, c]),
                mimic=mimic,
            )
        )  # fmt: skip
    draw.shuffle(links)
    tree = JointTree(links, joints[::-1], root="base", gravity=(0.3, -1.2, -9.81))
    last, other = f"link{count - 1}", f"link{draw.randrange(count)}"
    place, speed = tree.position(last, at=(0.1, 0, length)), tree.velocity(last, at=(0.1, 0, length), axes=other)
    spring = [-k * x - c * v for x, v in zip(place, speed, strict=True)]
    twist = [tau, tree.rotation(last, axes=other)[0, 1], -c * tree.angular_velocity(other)[1]]
    loads: list[Any] = [
        LinkForce(link=last, at=(0.1, 0, length), force=spring, axes=other),
        LinkTorque(link=other, torque=twist),
    ]
    loads += [
        JointLoad(joint=joint.name, loads=[tau * (i + 1) for i in range(joint.kind.speeds)])
        for joint in tree.joints
        if joint.kind.speeds
    ]
    return tree.with_loads(*loads)


def model_of(tree: JointTree, **described: Any) -> eomc.Model:
    """Return a model with outputs of every kind of measure, an extra state, an event and an impact."""
    last, other = tree.links[-1].name, tree.links[1].name
    at = (0.2, -0.1, length)
    vectors = [
        *(tree.position(last, at, axes) for axes in ("world", other)),
        *(tree.velocity(last, at, axes) for axes in ("world", other)),
        tree.acceleration(last, at, other),
        *(tree.angular_velocity(last, axes) for axes in ("world", other)),
        tree.angular_acceleration(last, other),
        tree.rotation(last, other),
        tree.jacobian(last, at, other),
        tree.rotation(last, other).diff(t)[:, 0],
    ]
    entries, place = [entry for vector in vectors for entry in vector], tree.position(last)
    speed = tree.velocity(last)
    given = {
        "parameters": {m: 1.2, c: 0.3, k: 1.7, length: 0.25, sympy.Symbol("a"): 0.4},
        "inputs": {tau: 0.7},
        "outputs": {f"y{i}": entry for i, entry in enumerate(entries)},
        "extra_states": {z: -z + tree.acceleration(last)[0]},
        "events": {"passes": eomc.Event(tree.coordinates[0] + place[2] - 0.1 * speed[0], reset={z: place[1]})},
        "impacts": [eomc.Impact(tree.coordinates[0] + tree.position(last, at)[2] + 3, restitution=0.5)],
        "unused": "ignore",
        **described,
    }  # fmt: skip
    return eomc.from_tree(tree, name="tree", **given)


def _agree(one: Any, other: Any) -> None:
    scale = 1.0 + np.max(np.abs(np.nan_to_num(other)), initial=0.0)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-10 * scale)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(24))
def test_random_trees(seed: int) -> None:
    """All that the reference says of a tree it says of the tree's bodies, whatever the joints."""
    model = model_of(random_tree(seed))
    ours, theirs = eomc.reference(model), eomc.reference(model.as_bodies())
    assert ours.state_names == theirs.state_names
    assert ours.parameter_names == theirs.parameter_names
    generator = np.random.default_rng(seed)
    states = theirs.random_state(generator, 3)
    parameters = np.array([p.value for p in model.parameters]) * generator.uniform(0.8, 1.2, len(model.parameters))
    at = (0.3, states, [0.4], parameters)
    for name in ("rhs", "mass_matrix", "forcing", "gravity_forces", "coriolis_forces", "velocities", "accelerations"):
        _agree(getattr(ours, name)(*at), getattr(theirs, name)(*at))
    for name in ("outputs", "events", "resets", "condition"):
        _agree(getattr(ours, name)(*at), getattr(theirs, name)(*at))
    for one, other in zip(ours.impacts(*at), theirs.impacts(*at), strict=True):
        _agree(one, other)
    rates = generator.uniform(-1, 1, (3, len(model.speeds)))
    found, expected = ours.inverse_dynamics(*at[:2], rates, *at[2:]), theirs.inverse_dynamics(*at[:2], rates, *at[2:])
    assert found.keys() == expected.keys()
    for name in ("energy", "momenta", "gibbs"):
        found, expected = (getattr(reference, name)(*at) for reference in (ours, theirs))
        assert found.keys() == expected.keys()
        for key in found:
            _agree(found[key], expected[key])
    alike = [reference.random_state(np.random.default_rng(seed), 3) for reference in (ours, theirs)]
    _agree(*alike)


def _closed(kind: str) -> JointTree:
    """Return a chain of four links in space whose end is joined with the ground."""
    q, u = dynamicsymbols("q0:5"), dynamicsymbols("u0:5")
    axes = ((0, 0, 1), (0, 0, 1), (0, 0.6, 0.8), (0, 0, 1), (1, 0, 0))
    if kind == "hinge":  # a four-bar linkage
        axes = ((0, 0, 1),) * 3
    links = [Link(name=f"link{i}", mass=1.0 + i, centre=(0.5, 0.1, 0), inertia=np.eye(3)) for i in range(len(axes))]
    joints = [
        Joint(
            name=f"joint{i}", kind="revolute", parent=f"link{i - 1}" if i else "base", child=f"link{i}", axis=axis,
            offset=(1.0 if i else 0.0, 0, 0), coordinates=(q[i],), speeds=(u[i],),
        )
        for i, axis in enumerate(axes)
    ]  # fmt: skip
    end = Closure(
        name="end", kind=kind, first=links[-1].name, second="base", at_first=(1.0, 0.1, 0), at_second=(1.3, 0.4, 0),
    )  # fmt: skip
    return JointTree([Link(name="base"), *links], joints, gravity=(0, -9.81, 0), closures=[end])


@pytest.mark.parametrize("kind", ["point", "hinge"])
def test_closed_loops(kind: str) -> None:
    """Closures are met by the same states, hold with the same forces and leave the same motion."""
    tree = _closed(kind)
    q = tree.coordinates
    slipping = tree.velocity(tree.links[-1].name, axes="link0")[0] - z
    tree = tree.with_constraints(velocity=[slipping] if kind == "point" else [])
    ranges = {q[0]: (1.0, 1.4), q[1]: (-1.2, -0.9), q[2]: (-1.6, -1.2)}
    model = eomc.from_tree(tree, name="loop", extra_states={z: -z}, ranges=ranges)
    ours, theirs = eomc.reference(model), eomc.reference(model.as_bodies())
    states = ours.random_state(np.random.default_rng(3), 3)
    assert np.max(np.abs(ours.constraint_residuals(0.2, states))) < 1e-11
    assert np.max(np.abs(theirs.constraint_residuals(0.2, states))) < 1e-11
    _agree(ours.rhs(0.2, states), theirs.rhs(0.2, states))
    found, expected = ours.constraint_forces(0.2, states), theirs.constraint_forces(0.2, states)
    for name in expected:
        _agree(found[name], expected[name])


@pytest.mark.needs_cc
def test_the_emitted_jacobian_of_a_tree() -> None:
    """A = df/dx of joints of every kind is that of differences of the reference, by each entry of a quaternion, too."""
    kinds = ["free", "ball", "revolute", "free"]
    joints, links = [], [Link(name="base")]
    for number, kind in enumerate(map(JointKind, kinds)):
        links.append(
            Link(
                name=f"l{number}", mass=1.0 + number, centre=(0.1, 0.2, -0.3), inertia=np.diag([0.3, 0.4, 0.5]).tolist()
            )
        )
        joints.append(
            Joint(
                name=f"j{number}", kind=kind, parent=links[-2].name, child=links[-1].name, offset=(0.1, 0.3, 0.2),
                coordinates=list(map(dynamicsymbols, [f"q{number}_{i}" for i in range(kind.coordinates[0])])),
                speeds=list(map(dynamicsymbols, [f"u{number}_{i}" for i in range(kind.speeds)])),
                speeds_in="child" if number else "parent", damping=0.1,
            )
        )  # fmt: skip
    model = eomc.from_tree(JointTree(links, joints, gravity=(0.3, -1.2, -9.81)), name="mixed")
    reference, simulator = eomc.reference(model), eomc.compile(model, functions="jacobian").load()
    state = reference.random_state(np.random.default_rng(4), 1)[0]
    n, h = len(state), 1e-3
    steps = h * np.arange(-3, 4)[:, None, None] * np.eye(n)
    values = reference.rhs(0.0, (state + steps).reshape(-1, n)).reshape(7, n, n)
    weights = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
    expected = np.einsum("s,sji->ij", weights, values)
    found, _ = simulator.jacobian(0.0, state)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * abs(expected).max())


@pytest.mark.needs_cc
def test_the_emitted_code_of_a_tree() -> None:
    """What recursions emit for a free body with a ball joint agrees with the reference, impacts and measures, too."""
    model = model_of(random_tree(5))
    reference, simulator = eomc.reference(model), eomc.compile(model).load()
    states = reference.random_state(np.random.default_rng(4), 4)
    for name in ("rhs", "outputs", "mass_matrix", "events", "resets"):
        _agree(getattr(simulator, name)(0.0, states), getattr(reference, name)(0.0, states))
    for one, other in zip(simulator.impacts(0.0, states), reference.impacts(0.0, states), strict=True):
        _agree(one, other)
    for name, value in reference.energy(0.0, states).items():
        _agree(simulator.energy(0.0, states)[name], value)
