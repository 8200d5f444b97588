"""Trees of joints against the same mechanisms as bodies: recursions and partial velocities share no step of the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.analysis.initial import InitialState
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import DEFAULT_OPTIONS
from eomc.errors import DerivationError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.interpreter import Sample
from eomc.trees import Closure, Joint, JointLoad, JointTree, Link, LinkForce, LinkTorque, Mimic

INERTIA = ((0.3, 0.01, 0.02), (0.01, 0.2, 0.03), (0.02, 0.03, 0.25))
TILTED = tuple(tuple(map(float, row)) for row in (sympy.rot_axis3(0.3) * sympy.rot_axis1(0.4)).tolist())
POINT = (0.1, 0.2, 0.3)
TOLERANCE = 1e-12


def robot(axes: str, angles: bool) -> eomc.Model:
    """Return a free base with an arm, a slide and a ball in a row, a joint that mimics, loads and every measure."""
    place = dynamicsymbols("x y z" + (" a b c" if angles else " e0:4"))
    moving = dynamicsymbols("v1:4 w1:4")
    q, u, p, s, pull = dynamicsymbols("q u p s pull")
    m, d = sympy.symbols("m d")
    links = [
        Link(name="ground"),
        Link(name="base", mass=3.0, centre=(0.1, 0.05, 0.2), inertia=INERTIA),
        Link(name="arm", mass=m, centre=(0.1, d, -0.5), inertia=INERTIA),
        Link(name="plate", mass=0.2, centre=(0, 0.1, 0)),
        Link(name="slide", mass=0.5, centre=(0.1, 0, 0.3), inertia=INERTIA),
        Link(name="bob", mass=0.7, centre=(0, 0.1, -0.3), inertia=INERTIA),
        Link(name="twin", mass=0.3, centre=(0, 0.1, -0.3), inertia=INERTIA),
    ]
    common: dict[str, Any] = {"rotation": TILTED, "offset": (0.3, 0.1, d)}
    joints = [
        Joint(name="free", kind="free", parent="ground", child="base", coordinates=place, speeds=moving,
              speeds_in=axes, **common),
        Joint(name="hinge", kind="revolute", parent="base", child="arm", axis=(0, 1, 0), coordinates=(q,), speeds=(u,),
              armature=0.2, damping=0.3, **common),
        Joint(name="weld", kind="fixed", parent="arm", child="plate", **common),
        Joint(name="rail", kind="prismatic", parent="plate", child="slide", axis=(1, 0, 0), coordinates=(p,),
              speeds=(s,), armature=0.1, **common),
        Joint(name="ball", kind="ball", parent="slide", child="bob", coordinates=dynamicsymbols("b0:4"),
              speeds=dynamicsymbols("o1:4"), speeds_in=axes, **common),
        Joint(name="follows", kind="revolute", parent="base", child="twin", damping=0.1,
              mimic=Mimic(joint="hinge", factor=0.5, offset=0.1), **common),
    ]  # fmt: skip
    tree = JointTree(links, joints, gravity=(0.1, 0, -9.81))
    loads = [
        LinkForce(link="bob", force=(1, pull, 3 * sympy.sin(q) - tree.velocity("bob")[2]), at=POINT),
        LinkForce(link="plate", force=(1, 2, s), at=POINT, axes="base"),
        LinkTorque(link="arm", torque=(0.1, 0.2, s), axes="arm"),
        JointLoad(joint="hinge", loads=(-q,)),
    ]
    outputs = {}
    for link, axes_of in (("bob", "world"), ("twin", "base"), ("plate", "plate")):
        for kind in ("position", "velocity", "acceleration"):
            for k, value in enumerate(getattr(tree, kind)(link, at=POINT, axes=axes_of)):
                outputs[f"{kind}_{link}_{k}"] = value
        for kind in ("angular_velocity", "angular_acceleration"):
            for k, value in enumerate(getattr(tree, kind)(link, axes=axes_of)):
                outputs[f"{kind}_{link}_{k}"] = value
        outputs[f"turn_{link}"] = tree.rotation(link, axes=axes_of)[0, 1]
    outputs["rate"] = (tree.position("bob", axes="base")[0] ** 2).diff(tree.time)
    outputs["slope"] = tree.jacobian("bob", at=POINT)[1, 6]
    return eomc.from_tree(
        tree.with_loads(*loads), name="robot", outputs=outputs, inputs=[pull], parameters={m: 1.0, d: 0.2}
    )


def derived(model: eomc.Model) -> EquationsOfMotion:
    """Return the equations of a model by Kane's method."""
    return derive(model, choose_method(model, "kane"))


class Numbers:
    """Equations at a state by name, with the names in the order of the equations."""

    def __init__(self, equations: EquationsOfMotion, values: dict[str, float]) -> None:
        variables = [*equations.states, *equations.inputs, *equations.parameters]
        balance = equations.on_request.balance()
        assert balance is not None
        self._balance, self._equations = balance, equations
        every = {v.symbol: values[v.name] for v in (*variables, *balance.accelerations)}
        self._at = Sample(equations.graph, {**every, equations.time: 0.0})

    def all(self) -> dict[str, np.ndarray]:
        equations, balance, at = self._equations, self._balance, self._at.vector
        energies = [q.node for q in equations.energetics.energies if q.name in ("kinetic", "potential", "total")]
        return {
            "rates": np.array(at(equations.motion.derivative)),
            "matrix": np.array([at(row) for row in equations.matrices.mass_matrix]),
            "forcing": np.array(at(equations.matrices.forcing)),
            "outputs": np.array(at([q.node for q in equations.outputs])),
            "energies": np.array(at(energies)),
            "missing": np.array(at(balance.missing)),
            "coriolis": np.array(at(balance.coriolis)),
            "gravity": np.array(at(balance.gravity)),
        }


def at_random(equations: EquationsOfMotion, seed: int) -> dict[str, float]:
    """Return a value for everything, quaternions of length one."""
    rng = np.random.default_rng(seed)
    balance = equations.on_request.balance()
    assert balance is not None
    every = [*equations.states, *equations.inputs, *equations.parameters, *balance.accelerations]
    values = {v.name: float(rng.uniform(0.3, 1.0)) for v in every}
    for name in ("e", "b"):
        four = [f"{name}{k}" for k in range(4) if f"{name}{k}" in values]
        length = np.sqrt(sum(values[one] ** 2 for one in four))
        values.update({one: values[one] / length for one in four})
    return values


@pytest.mark.filterwarnings("ignore:.*the angular velocity of a frame is not the rate")  # off the unit quaternions
@pytest.mark.parametrize(("axes", "angles"), [("child", False), ("parent", True)])
def test_a_tree_moves_as_its_bodies(axes: str, angles: bool) -> None:
    """Accelerations, M, f, energies, measures and the terms of inverse dynamics agree, for each kind of joint."""
    model = robot(axes, angles)
    tree, bodies = derived(model), derived(model.as_bodies())
    assert [s.name for s in tree.states] == [s.name for s in bodies.states]
    for seed in range(3):
        values = at_random(tree, seed)
        ours, theirs = (Numbers(equations, values).all() for equations in (tree, bodies))
        for what, found in ours.items():
            expected = theirs[what]
            if what == "energies" and len(expected) < len(found):
                found = found[: len(expected)]  # bodies off the unit quaternions claim no potential
            assert np.allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE * (1 + abs(expected).max())), what


def test_closed_loops() -> None:
    """A four-bar linkage closed by a hinge: rows that hold whatever moves are left out."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    links = [Link(name="ground")]
    joints = []
    for k, length in enumerate((1.0, 2.0, 1.5)):
        inertia = ((0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1))
        links.append(Link(name=f"bar{k}", mass=1.0 + k, centre=(length / 2, 0, 0), inertia=inertia))
        offset = (0, 0, 0) if k == 0 else ((1.0, 2.0)[k - 1], 0, 0)
        joints.append(
            Joint(
                name=f"hinge{k}", kind="revolute", parent=links[k].name, child=f"bar{k}", offset=offset,
                coordinates=(q[k],), speeds=(u[k],),
            )
        )  # fmt: skip
    end = Closure(name="end", kind="hinge", first="ground", second="bar2", at_first=(2.0, 0, 0), at_second=(1.5, 0, 0))
    joined = JointTree(links, joints, gravity=(0, -9.81, 0), closures=[end])
    model = eomc.from_tree(joined, name="loop", initial={q[0]: 1.2, q[1]: -0.9, q[2]: -1.5, u[0]: 1.0})
    tree, bodies = derived(model), derived(model.as_bodies())
    start = InitialState(model, choose_method(model, None), DEFAULT_OPTIONS)({}).state
    values = {s.name: x for s, x in zip(tree.states, start, strict=True)}
    balance = tree.on_request.balance()
    assert balance is not None
    values.update({v.name: 0.0 for v in balance.accelerations})
    ours, theirs = (Numbers(one, values).all() for one in (tree, bodies))
    assert np.allclose(ours["rates"], theirs["rates"], rtol=1e-11, atol=1e-11)
    assert abs(ours["rates"]).max() > 1


@pytest.mark.parametrize("algorithm", ["composite", "articulated", "auto"])
def test_a_joint_that_moves_nothing_is_refused_by_name(algorithm: str) -> None:
    """By either recursion its pivot is zero, whatever the state."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    links = [Link(name="ground"), Link(name="arm", mass=1.0, inertia=INERTIA), Link(name="leaf")]
    joints = [
        Joint(name=f"j{k}", kind="revolute", parent=links[k].name, child=links[k + 1].name, coordinates=(q[k],),
              speeds=(u[k],), axis=(0, k, 1 - k))
        for k in range(2)
    ]  # fmt: skip
    with pytest.raises(DerivationError, match="the pivot of j1 is 0; give j1 a positive inertia"):
        eomc.compile(eomc.from_tree(JointTree(links, joints), name="leafy"), algorithm=algorithm)


def test_a_link_that_moves_may_be_called_world() -> None:
    """Axes of the world are those of the root, but a point of a link of this name is a point of this link."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    links = [
        Link(name="ground"),
        *(Link(name=n, mass=1.0, centre=(0.1, 0, 0.3), inertia=INERTIA) for n in ("world", "arm")),
    ]
    common: dict[str, Any] = {"kind": "revolute", "rotation": TILTED, "offset": (0.3, 0.1, 0)}
    joints = [
        Joint(
            name=f"j{k}", parent=links[k].name, child=links[k + 1].name, coordinates=(q[k],), speeds=(u[k],), **common
        )
        for k in range(2)
    ]
    tree = JointTree(links, joints, gravity=(0, 0, -9.81))
    tree = tree.with_loads(
        LinkForce(link="world", at=POINT, force=(1, 2, 3)), LinkTorque(link="arm", torque=(1, 2, 3), axes="world")
    )
    outputs = {f"y{k}": value for k, value in enumerate(tree.jacobian("world", at=POINT)[:, 0])}
    outputs |= {f"v{k}": value for k, value in enumerate(tree.velocity("arm", axes="world"))}
    model = eomc.from_tree(tree, name="two_worlds", outputs=outputs)
    equations = derived(model)
    values = at_random(equations, 1)
    ours, theirs = (Numbers(one, values).all() for one in (equations, derived(model.as_bodies())))
    for what, found in ours.items():
        assert np.allclose(found, theirs[what], rtol=TOLERANCE, atol=TOLERANCE), what


def test_a_link_called_world_closes_a_loop() -> None:
    """The axis that a hinge has on such a link is in its axes: residuals do not depend on what a link is called."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    residuals = []
    for name in ("bar", "world"):
        links = [Link(name="ground"), Link(name="arm", mass=1.0), Link(name=name, mass=1.0, inertia=INERTIA)]
        joints = [
            Joint(name=f"j{k}", kind="revolute", parent=links[k].name, child=links[k + 1].name, coordinates=(q[k],),
                  speeds=(u[k],), axis=(0, k, 1 - k), rotation=TILTED, offset=(0.3, 0, 0.1))
            for k in range(2)
        ]  # fmt: skip
        end = Closure(name="end", kind="hinge", first=name, second="arm", at_first=POINT, axis_first=(0, 0.6, 0.8))
        model = eomc.from_tree(JointTree(links, joints, closures=[end]), name="loop")
        residuals.append(eomc.reference(model).constraint_residuals(0.0, [0.4, -0.7, 0, 0]))
    np.testing.assert_allclose(residuals[0], residuals[1], rtol=0, atol=1e-15)
    assert np.abs(residuals[0]).min() > 1e-3


def skew_row(n: int) -> JointTree:
    """Return rods in a row, each hinged about an axis of its own."""
    rng = np.random.default_rng(8)
    links, joints = [Link(name="ground")], []
    for i in range(n):
        spread = rng.normal(size=(3, 3))
        moments = 0.0045 * (np.sum(spread**2) * np.eye(3) - spread @ spread.T)
        links.append(Link(name=f"rod{i}", mass=0.5, centre=tuple(0.09 * rng.normal(size=3)), inertia=moments.tolist()))
        frame = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        place = {"rotation": (frame * np.linalg.det(frame)).tolist(), "offset": tuple(0.15 * rng.normal(size=3))}
        moving = {"coordinates": dynamicsymbols(f"q{i}:{i + 1}"), "speeds": dynamicsymbols(f"u{i}:{i + 1}")}
        axis = rng.normal(size=3)
        ends = {"parent": links[-2].name, "child": links[-1].name}
        joints.append(
            Joint(name=f"j{i}", kind="revolute", axis=tuple(axis / np.linalg.norm(axis)), **ends, **place, **moving)
        )
    return JointTree(links, joints, gravity=(0, 0, -9.81))


@pytest.mark.needs_cc
def test_a_long_row_of_skew_joints_is_not_called_singular(monkeypatch: pytest.MonkeyPatch) -> None:
    """Composite bodies of 25 joints, whose M has the condition 2000, are factored by a loop, for impulses too.

    Its pivots are told from rounding by bounds in which turns do not multiply: sums over rotated entries grow sixfold
    from joint to joint. An elastic impact turns the speed of the gap round, and kinetic energy stays.
    """
    monkeypatch.setenv("CFLAGS", "-O0")
    tree, n = skew_row(25), 25
    tip = tree.position("rod24")
    start = float(eomc.reference(eomc.from_tree(tree, name="row", outputs={"z": tip[2]})).outputs(0.0, [0.0] * 50)[0])
    floor = eomc.Impact(tip[2] - start + 0.02, restitution=1.0, name="floor")
    model = eomc.from_tree(tree, name="row", impacts=[floor], outputs={"vz": tree.velocity("rod24")[2]})
    state = np.random.default_rng(1).uniform(-0.5, 0.5, 2 * n)
    simulator, reference = eomc.compile(model, algorithm="composite").load(), eomc.reference(model)
    expected = reference.rhs(0.0, state)
    found = simulator.rhs(0.0, state)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    hit = simulator.simulate(0.2, rtol=1e-6).events[0]
    before, after = (reference.outputs(0.0, x)[0] for x in (hit.before, hit.after))
    assert after == pytest.approx(-before, rel=1e-9)
    kinetic = [reference.energy(0.0, x)["kinetic"] for x in (hit.before, hit.after)]
    assert kinetic[0] == pytest.approx(kinetic[1], rel=1e-9)
