"""Inertias that a motion never needs may lack a value; parameters that a model never uses may be ignored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

import eomc
from eomc.errors import ModelError

q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
m, length, g = sympy.symbols("m l g")
IXX, IYY, IZZ, IXY, IYZ, IZX = MOMENTS = sympy.symbols("Ixx Iyy Izz Ixy Iyz Izx")
FULL = {IXX: 0.7, IYY: 0.9, IZZ: 0.3, IXY: 0.05, IYZ: 0.03, IZX: 0.02}


def pendulum(values: dict[Any, float], axis: str = "z", second: bool = False, **more: Any) -> eomc.Model:
    """Return a body on a pin, on a second pin that is parallel or at right angles to the first."""
    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)
    A = N.orientnew("A", "Axis", (q1, N.z))
    A.set_ang_vel(N, u1 * N.z)
    frame, speeds = A, [u1]
    if second:
        frame = A.orientnew("B", "Axis", (q2, getattr(A, axis)))
        frame.set_ang_vel(A, u2 * getattr(A, axis))
        speeds = [u1, u2]
    C = origin.locatenew("C", length * frame.x)
    C.v2pt_theory(origin, N, frame)
    body = RigidBody("body", C, frame, m, (inertia(frame, *MOMENTS), C))
    return eomc.Model(
        name="pendulum", inertial_frame=N, coordinates=[q1, q2][: len(speeds)], speeds=speeds, bodies=[body],
        gravity=-g * N.y, parameters={m: 2.0, length: 0.5, g: 9.81, **values}, **more,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["kane", "gibbs-appell", "lagrange", "hamilton"])
@pytest.mark.parametrize("second", [False, True])
@pytest.mark.needs_cc
def test_a_planar_body_needs_its_inertia_about_the_normal_alone(second: bool, method: str) -> None:
    """Without a value of the others the motion is that with them, in C and in the reference."""
    lean, full = pendulum({IZZ: 0.3}, second=second), pendulum(FULL, second=second)
    if second:
        with pytest.raises(eomc.errors.DerivationError, match="singular"):  # two pins on one axis
            eomc.compile(lean, method=method)
        return
    sim = eomc.compile(lean, method=method).load()
    assert sim.parameter_names == ("m", "l", "g", "Izz")
    x = sim.state({"q1": 0.4}, {"u1": -0.7})
    expected = -2.0 * 9.81 * 0.5 * np.cos(0.4) / (2.0 * 0.25 + 0.3)
    found = sim.rhs(0.0, x)[1] / (0.8 if method == "hamilton" else 1.0)
    assert_allclose(found, expected, rtol=1e-13)
    for model in (lean, full):
        oracle = eomc.reference(model, method=method)
        assert_allclose(oracle.rhs(0.0, x), sim.rhs(0.0, x), rtol=1e-13)
        assert_allclose(oracle.energy(0.0, x)["kinetic"], 0.5 * 0.8 * 0.49, rtol=1e-13)


def test_a_body_that_turns_about_two_axes_needs_its_inertias() -> None:
    """What is not seen to be idle is asked for."""
    with pytest.raises(ModelError, match=r"no value for Ixx \(the inertia of body\), Ixy .*, Izx .*, Iyy .*, Iyz"):
        pendulum({IZZ: 0.3}, axis="x", second=True)
    with pytest.raises(ModelError, match=r"no value for Izz \(the inertia of body\)"):
        pendulum({})


def test_bodies_of_joints_need_no_more_than_they_use() -> None:
    """SymPy gives each body six inertias: a cart needs none of them, a pendulum on it one."""
    ground, cart, rod = RigidBody("ground"), RigidBody("cart", mass=1), RigidBody("rod", mass=2)
    system = System.from_newtonian(ground)
    system.add_joints(
        PrismaticJoint("rail", ground, cart, q1, u1, joint_axis=ground.frame.x),
        PinJoint("pin", cart, rod, q2, u2, child_point=length * rod.frame.y, joint_axis=cart.frame.z),
    )
    with pytest.raises(ModelError, match=r"no value for rod_izz \(the inertia of rod\): add parameters={rod_izz: 1.0}"):
        eomc.from_system(system, parameters={length: 0.5})
    moment = next(s for s in rod.central_inertia.to_matrix(rod.frame).free_symbols if s.name == "rod_izz")
    model = eomc.from_system(system, parameters={length: 0.5, moment: 0.1})
    assert {symbol.name for symbol in model.idle} >= {"cart_ixx", "cart_izz", "rod_ixx", "rod_iyz"}
    # M = [[3, 2 l c], [2 l c, I + 2 l^2]] with c = cos q2, and the rod's mass centre at -l y
    found = eomc.reference(model).mass_matrix(0.0, np.array([0.0, 0.3, 0.0, 0.0]))
    expected = [[3.0, 2 * 0.5 * np.cos(0.3)], [2 * 0.5 * np.cos(0.3), 0.1 + 2 * 0.25]]
    assert_allclose(np.abs(found), expected, rtol=1e-13)


def test_an_inertia_in_a_frame_that_turns_otherwise_is_needed() -> None:
    """A dyadic that is given in a frame with another axis keeps all of its symbols, and so do set accelerations."""
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", (q1, N.z))
    A.set_ang_vel(N, u1 * N.z)
    tilted = A.orientnew("T", "Axis", (sympy.pi / 6, A.x))
    C = Point("C")
    C.set_vel(N, 0)
    for frame, accelerated in ((tilted, False), (A, True)):
        if accelerated:
            A.set_ang_acc(N, u1.diff() * N.z)
        body = RigidBody("body", C, A, 1, (inertia(frame, IXX, 1, 1), C))
        with pytest.raises(ModelError, match="no value for Ixx"):
            eomc.Model(name="body", inertial_frame=N, coordinates=[q1], speeds=[u1], bodies=[body])


def test_an_idle_inertia_that_stands_elsewhere_needs_a_value() -> None:
    """In an output, or in another body, it is no longer idle."""
    with pytest.raises(ModelError, match=r"no value for Ixx \(output"):
        pendulum({IZZ: 0.3}, outputs={"moment": IXX})


def test_unused_parameters_and_inputs_may_be_ignored() -> None:
    """They are refused by default, for they may be misspelt; ignored, the program is the one without them."""
    extra, force, torque = sympy.Symbol("extra"), dynamicsymbols("F"), dynamicsymbols("T")
    with pytest.raises(ModelError, match=r'extra is listed .* used nowhere: .* or pass unused="ignore"'):
        pendulum({IZZ: 0.3, extra: 1.0})
    with pytest.raises(ModelError, match=r'F\(t\) is listed .* used nowhere: .* or pass unused="ignore"'):
        pendulum({IZZ: 0.3}, inputs=[force])
    kept: dict[str, Any] = {"outputs": {"drive": torque}}
    more: dict[str, Any] = {"inputs": [force, torque], "ranges": {extra: (0, 1), q1: (0, 1), force: (0, 2)}}
    ignoring = pendulum({IZZ: 0.3, extra: 1.0}, unused="ignore", **more, **kept)
    plain = pendulum({IZZ: 0.3}, ranges={q1: (0, 1)}, inputs=[torque], **kept)
    files = [[(a.path, a.text) for a in eomc.compile(model).artifacts] for model in (ignoring, plain)]
    assert files[0] == files[1]
    with pytest.raises(ModelError, match="unused is 'drop': give 'refuse' or 'ignore'"):
        pendulum({IZZ: 0.3}, unused="drop")


def test_every_front_end_ignores_what_it_is_told_to() -> None:
    """unused="ignore" means the same in all of them."""
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Particle

    extra, N, P = sympy.Symbol("extra"), ReferenceFrame("N"), Point("P")
    P.set_vel(N, u1 * N.x)
    rate = q1.diff()
    given: dict[str, Any] = {"parameters": {m: 1.0, extra: 2.0}, "unused": "ignore"}
    bodies = [Particle("a", P, m)]
    system = System(N, Point("O"))
    system.add_bodies(*bodies)
    system.q_ind, system.u_ind, system.kdes = [q1], [u1], [rate - u1]
    models = [
        eomc.from_kanes_method(KanesMethod(N, [q1], [u1], [rate - u1]), bodies=bodies, loads=[], **given),
        eomc.from_lagranges_method(LagrangesMethod(m * rate**2 / 2, [q1]), **given),
        eomc.from_lagrangian(m * rate**2 / 2, coordinates=[q1], **given),
        eomc.from_hamiltonian(u1**2 / (2 * m), coordinates=[q1], momenta=[u1], **given),
        eomc.from_system(system, **given),
    ]
    assert all([one.name for one in model.parameters] == ["m"] for model in models)
