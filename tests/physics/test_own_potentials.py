"""Potential energies that bodies have of their own: added once, by every way in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    LinearPathway,
    LinearSpring,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

import eomc
from eomc.errors import ModelError

q, u = dynamicsymbols("q u")
m, length, g, k = sympy.symbols("m l g k")
STATE = np.array([0.3, 0.2])
RIGHT = -9.81 / 0.5 * np.sin(0.3)


class Pendulum:
    """A bob on a rod, written in u or in q'."""

    def __init__(self, potential: Any, rate: Any = u) -> None:
        self.N = ReferenceFrame("N")
        self.A = self.N.orientnew("A", "Axis", (q, self.N.z))
        self.A.set_ang_vel(self.N, rate * self.N.z)
        self.O = Point("O")
        self.O.set_vel(self.N, 0)
        self.P = self.O.locatenew("P", -length * self.A.y)
        self.P.v2pt_theory(self.O, self.N, self.A)
        self.bob = Particle("bob", self.P, m)
        self.bob.potential_energy = potential

    def model(self, **more: Any) -> eomc.Model:
        values = {m: 1.0, length: 0.5} | more.pop("parameters", {})
        return eomc.Model(
            name="pendulum", inertial_frame=self.N, coordinates=[q], speeds=[u], bodies=[self.bob],
            parameters=values, **more,
        )  # fmt: skip


def weight(gravity: Any = 9.81) -> Any:
    """Return the potential energy of the bob."""
    return -m * gravity * length * sympy.cos(q)


def rate(model: eomc.Model, state: Any = STATE) -> float:
    """Return the acceleration in the reference."""
    return float(eomc.reference(model).rhs(0.0, np.asarray(state))[1])


@pytest.mark.parametrize("method", ["kane", "gibbs-appell", "lagrange", "hamilton"])
@pytest.mark.needs_cc
def test_the_potential_energy_of_a_body_counts(method: str) -> None:
    """theta'' = -g/l sin(theta), and the energy holds it."""
    sim = eomc.compile(Pendulum(weight()).model(), method=method).load()
    x = sim.state({"q": 0.3}, {"u": 0.2})
    found = sim.rhs(0.0, x)[1] / (0.25 if method == "hamilton" else 1.0)
    assert_allclose(found, RIGHT, rtol=1e-13)
    assert_allclose(sim.energy(0.0, x)["potential"], -9.81 * 0.5 * np.cos(0.3), rtol=1e-14)


def test_it_counts_once_in_every_front_end() -> None:
    """Model, KanesMethod, System (whose ground may bear it), and LagrangesMethod, whose L has it already."""
    one = Pendulum(weight())
    kane = KanesMethod(one.N, [q], [u], [q.diff() - u])
    of_kane = eomc.from_kanes_method(kane, bodies=[one.bob], loads=[], parameters={m: 1.0, length: 0.5})
    two = Pendulum(weight(), q.diff())
    lagrange = LagrangesMethod(Lagrangian(two.N, two.bob), [q])
    of_lagrange = eomc.from_lagranges_method(lagrange, parameters={m: 1.0, length: 0.5})
    models = [of_kane, of_lagrange]
    for told in ("ground", "bob"):
        ground, bob = RigidBody("ground"), RigidBody("bob", mass=m)
        bob.inertia = (inertia(bob.frame, 0, 0, 0), bob.masscenter)
        joint = PinJoint("J", ground, bob, q, u, child_point=length * bob.frame.y, joint_axis=ground.frame.z)
        system = System.from_newtonian(ground)
        system.add_joints(joint)
        {"ground": ground, "bob": bob}[told].potential_energy = weight()
        models.append(eomc.from_system(system, parameters={m: 1.0, length: 0.5}))
    for model in models:
        assert_allclose(rate(model), RIGHT, rtol=1e-12)


def test_two_bodies_on_one_point_have_one_each() -> None:
    """What two bodies have is added up, equal or not."""
    one = Pendulum(weight())
    twin = Particle("twin", one.P, m)
    twin.potential_energy = weight()
    given = {"name": "twins", "inertial_frame": one.N, "coordinates": [q], "speeds": [u]}
    model = eomc.Model(**given, bodies=[one.bob, twin], parameters={m: 1.0, length: 0.5})
    assert_allclose(rate(model), RIGHT, rtol=1e-13)


def test_other_potential_energies_stand_beside_it() -> None:
    """A spring in potential_energy or in loads, beside a weight in the body; a spring in the body beside gravity."""
    right = RIGHT - 3.0 * 0.3 / 0.25
    values = {k: 3.0}
    models = [
        Pendulum(weight()).model(potential_energy=k * q**2 / 2, parameters=values),
        Pendulum(k * q**2 / 2).model(potential_energy=weight(), parameters=values),
    ]
    pendulum = Pendulum(k * q**2 / 2)
    models.append(pendulum.model(gravity=-9.81 * pendulum.N.y, parameters=values))
    pendulum = Pendulum(weight())
    models.append(pendulum.model(loads=[(pendulum.A, -k * q * pendulum.N.z)], parameters=values))
    for model in models:
        assert_allclose(rate(model), right, rtol=1e-13)


@pytest.mark.parametrize(
    ("potential", "gravity"),
    [
        (weight(), 9.81),
        (weight(g), g),
        (weight(g) + k * q**2 / 2, g),
        (m * g * (5 * length - length * sympy.cos(q)), g),
        (m * g * length * 2 * sympy.sin(q / 2) ** 2, g),
    ],
    ids=["numbers", "symbols", "with a spring", "from a height", "in other words"],
)
def test_a_weight_that_is_given_twice_is_refused(potential: Any, gravity: Any) -> None:
    """By gravity or by a load beside the body's own potential energy: one of them too many."""
    values = {s: 3.0 for s in (g, k) if sympy.sympify(potential).has(s)}
    one = Pendulum(potential)
    with pytest.raises(ModelError, match=r"the potential energy of body bob and gravity.* make the same force"):
        one.model(gravity=-gravity * one.N.y, parameters=values)
    with pytest.raises(ModelError, match=r"potential energy of body bob and load 1 on P make the same force"):
        one.model(loads=[(one.P, -m * gravity * one.N.y)], parameters=values)


def test_a_spring_that_is_given_twice_is_refused() -> None:
    """An actuator's pair of forces is compared as a whole."""
    one = Pendulum(0)
    hook = one.O.locatenew("hook", length * one.N.x)
    hook.set_vel(one.N, 0)
    path = LinearPathway(hook, one.P)
    one.bob.potential_energy = k * path.length**2 / 2
    with pytest.raises(ModelError, match=r"bob and (LinearSpring \(loads\[0\]\)|load 2 on P) make the same"):
        one.model(loads=[LinearSpring(k, path)], parameters={k: 3.0})


@pytest.mark.parametrize("more", [0, k * q**2 / 2])
def test_an_energy_that_is_listed_twice_is_refused(more: Any) -> None:
    """potential_energy=body.potential_energy was the way to have it counted: now it would count twice."""
    one = Pendulum(weight())
    with pytest.raises(ModelError, match=r"potential_energy holds bob.potential_energy, which is added by itself"):
        one.model(potential_energy=one.bob.potential_energy + more, parameters={k: 1.0})


def test_a_potential_energy_of_speeds_is_refused() -> None:
    """Of a body's own as of any other."""
    with pytest.raises(ModelError, match=r"potential_energy contains u\(t\)"):
        Pendulum(m * u**2).model()
    body = RigidBody("disk", masscenter=Point("C"))
    body.potential_energy = sympy.Symbol("nowhere") * q
    N = ReferenceFrame("N")
    body.masscenter.set_vel(N, 0)
    body.frame.set_ang_vel(N, u * N.z)
    body.inertia = (inertia(body.frame, 1, 1, 1), body.masscenter)
    with pytest.raises(ModelError, match=r"no value for nowhere \(the potential energy\)"):
        eomc.Model(name="disk", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[body], parameters={body.mass: 1})
