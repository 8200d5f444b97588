"""A System and a LagrangesMethod: the emitted C agrees with the equations that SymPy forms of them itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    LagrangesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    TorqueActuator,
    dynamicsymbols,
    inertia,
)

import eomc

pytestmark = pytest.mark.needs_cc

Array: TypeAlias = np.typing.NDArray[np.float64]

t = dynamicsymbols._t
q1, q2, q3, u1, u2, u3, F = dynamicsymbols("q1 q2 q3 u1 u2 u3 F")
m, b, k, c, g = sympy.symbols("m b k c g")
VALUES = {m: 1.3, b: 0.7, k: 3.0, c: 0.4, g: 9.81}
FORCE = 0.8


def bars(count: int) -> tuple[System, RigidBody, list[RigidBody]]:
    """Return a wall with a chain of bars of length b, joined by pins, under gravity."""
    wall = RigidBody("wall")
    system = System.from_newtonian(wall)
    links = []
    parent = wall
    for i in range(count):
        bar = RigidBody(f"bar{i}", mass=m)
        bar.inertia = (inertia(bar.frame, 0, 0, m * b**2 / 12), bar.masscenter)
        end = b / 2 * parent.x if i else None
        q, u = ((q1, u1), (q2, u2), (q3, u3))[i]
        joint = PinJoint(f"J{i}", parent, bar, q, u, parent_point=end, child_point=-b / 2 * bar.x, joint_axis=parent.z)
        system.add_joints(joint)
        links.append(bar)
        parent = bar
    system.apply_uniform_gravity(-g * system.y)
    return system, wall, links


def cart_with_a_bar() -> System:
    """Return a cart on a rail with a spring and a damper to the wall, and a driven bar on it with a torsion spring."""
    wall, cart, bar = RigidBody("wall"), RigidBody("cart", mass=2 * m), RigidBody("bar", mass=m)
    bar.inertia = (inertia(bar.frame, 0, 0, m * b**2 / 12), bar.masscenter)
    cart.inertia = (inertia(cart.frame, 0, 0, 0), cart.masscenter)
    system = System.from_newtonian(wall)
    rail = PrismaticJoint("rail", wall, cart, q1, u1, joint_axis=wall.x)
    pin = PinJoint("pin", cart, bar, q2, u2, child_point=b / 2 * bar.y, joint_axis=cart.z)
    system.add_joints(rail, pin)
    system.apply_uniform_gravity(-g * wall.y)
    hook = wall.masscenter.locatenew("hook", -b * wall.x + b / 3 * wall.y)
    path = LinearPathway(hook, cart.masscenter)
    system.add_actuators(
        LinearSpring(k, path, b / 2), LinearDamper(c, path), TorqueActuator.at_pin_joint(-k * q2 - c * u2, pin)
    )
    system.add_loads((bar.masscenter, F * cart.x), (cart.frame, F * b * cart.z))
    return system


def closed_loop() -> System:
    """Return three bars of which the last ends at a fixed point, three pins' angles in two equations."""
    system, wall, links = bars(3)
    tip = links[-1].masscenter.locatenew("tip", b / 2 * links[-1].x)
    gap = tip.pos_from(wall.masscenter) - sympy.Rational(3, 2) * b * wall.x
    system.add_holonomic_constraints(gap.dot(wall.x), gap.dot(wall.y))
    system.q_ind, system.q_dep = (q1,), (q2, q3)
    system.u_ind, system.u_dep = (u1,), (u2, u3)
    system.add_loads((links[0].frame, F * wall.z))
    return system


def on_a_runner() -> System:
    """Return two bars whose end runs along its own direction, nonholonomic."""
    system, wall, links = bars(2)
    tip = links[-1].masscenter.locatenew("tip", b / 2 * links[-1].x)
    tip.v2pt_theory(links[-1].masscenter, wall.frame, links[-1].frame)
    system.add_nonholonomic_constraints(tip.vel(wall.frame).dot(wall.x + links[-1].y / 2))
    system.u_ind, system.u_dep = (u1,), (u2,)
    system.add_loads((links[0].frame, F * wall.z))
    return system


def function_of(symbols: list[Any], expressions: Any) -> Callable[[Array], Array]:
    """Return SymPy expressions as a function of numbers; time functions and their derivatives go by plain symbols."""
    plain = {symbol: sympy.Dummy() for symbol in symbols}
    order = sorted(symbols, key=lambda symbol: -int(isinstance(symbol, sympy.Derivative)))
    replaced = expressions
    for symbol in order:
        replaced = replaced.subs(symbol, plain[symbol])
    function = sympy.lambdify(list(plain.values()), replaced)
    return lambda values: np.array(function(*values), dtype=np.float64)


@pytest.mark.parametrize("make", [cart_with_a_bar, closed_loop, on_a_runner], ids=lambda make: make.__name__)
def test_system(make: Callable[[], System]) -> None:
    """The accelerations are SymPy's by every method that can serve, at states that meet the constraints."""
    system = make()
    used = dict(VALUES) if system.actuators else {symbol: VALUES[symbol] for symbol in (m, b, g)}
    model = eomc.from_system(system, parameters=used, inputs={F: FORCE}, name=make.__name__)
    system.form_eoms()
    speeds = list(system.u)
    known = [*system.q, *speeds, *VALUES, F]
    matrix, forcing = (function_of(known, of) for of in (system.mass_matrix_full, system.forcing_full))
    n = len(system.q)
    assert {"kane", "gibbs-appell", "lagrange"} <= set(model.methods)
    for method in model.methods:
        sim = eomc.compile(model, method=method).load()
        for angle, rate in ((0.9, 0.6), (1.2, -1.1)):
            guess = {"q1": angle, "q2": -0.8, "q3": -0.9} if len(system.q) == 3 else {"q1": angle, "q2": 0.4}
            x = sim.state(guess, {"u1": rate})
            # q and u from q and q': the speeds are q' here
            q, u = x[:n], sim.rhs(0.0, x)[:n]
            values = np.array([*q, *u, *VALUES.values(), FORCE])
            assert abs(rate - u[0]) < 1e-10
            expected = np.linalg.solve(matrix(values), forcing(values).ravel())[n:]
            assert_allclose(second_derivatives(sim, x, n), expected, rtol=1e-7, atol=1e-7, err_msg=method)


def second_derivatives(sim: Any, x: Array, n: int) -> Array:
    """Return q'' by differences of q' along the motion, whatever the second half of the state is."""
    rates, h = sim.rhs(0.0, x), 1e-3
    weights = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
    pairs = [(w, sim.rhs(0.0, x + i * h * rates)[:n] - sim.rhs(0.0, x - i * h * rates)[:n]) for i, w in weights]
    return np.asarray(sum(w * difference for w, difference in pairs) / h)


def lagranges(kind: str) -> tuple[LagrangesMethod, dict[str, float], dict[str, float]]:
    """Return a bar on a plane with forces, free or under constraints, and a state that meets them."""
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    B = N.orientnew("B", "Axis", [q3, N.z])
    centre = origin.locatenew("C", q1 * N.x + q2 * N.y)
    centre.set_vel(N, q1.diff(t) * N.x + q2.diff(t) * N.y)
    tip = centre.locatenew("T", b / 2 * B.x)
    tip.v2pt_theory(centre, N, B)
    bar = RigidBody("bar", centre, B, m, (inertia(B, 0, 0, m * b**2 / 12), centre))
    lagrangian = bar.kinetic_energy(N) - m * g * q2 - k * (q1**2 + q3**2) / 2
    loads = [(tip, F * B.y - c * tip.vel(N)), (B, -c * q3.diff(t) * N.z)]
    constraints: dict[str, Any] = {
        "free": {},
        "holonomic": {"hol_coneqs": [q2 - sympy.sin(q1) / 2, q3 - q1**2]},
        "nonholonomic": {"nonhol_coneqs": [tip.vel(N).dot(B.y)]},
        "both": {"hol_coneqs": [q2 - sympy.sin(q1) / 2], "nonhol_coneqs": [tip.vel(N).dot(B.y)]},
    }
    place = {"q1": 0.6, "q2": 0.5 * np.sin(0.6), "q3": 0.36}
    rates = {"q1_d": 1.1, "q2_d": 0.55 * np.cos(0.6), "q3_d": 1.32 if kind == "holonomic" else 0.0}
    if kind in ("nonholonomic", "both"):  # -x' sin q3 + y' cos q3 + b/2 q3' = 0
        rates["q3_d"] = (np.sin(0.36) * rates["q1_d"] - np.cos(0.36) * rates["q2_d"]) / 0.35
    method = LagrangesMethod(lagrangian, [q1, q2, q3], forcelist=loads, frame=N, **constraints[kind])
    return method, place, rates


@pytest.mark.parametrize("kind", ["free", "holonomic", "nonholonomic", "both"])
def test_lagranges_method(kind: str) -> None:
    """The accelerations are SymPy's, which are solved together with its multipliers."""
    lagrange, place, rates = lagranges(kind)
    model = eomc.from_lagranges_method(lagrange, parameters=VALUES, inputs={F: FORCE}, name=kind)
    lagrange.form_lagranges_equations()
    coordinates = [q1, q2, q3]
    known = [*(q.diff(t) for q in coordinates), *coordinates, *VALUES, F]
    values = np.array([*rates.values(), *place.values(), *VALUES.values(), FORCE])
    matrix, forcing = (function_of(known, of)(values) for of in (lagrange.mass_matrix_full, lagrange.forcing_full))
    expected = np.linalg.solve(matrix, forcing.ravel())[3:6]
    assert {"lagrange", "kane"} <= set(model.methods)
    for method in model.methods:
        if method == "hamilton" and kind == "both":
            continue  # it is nonholonomic
        sim = eomc.compile(model, method=method).load()
        x = sim.state(place, rates)
        assert_allclose(x[:3], list(place.values()), rtol=1e-12)
        if method in ("lagrange", "kane"):
            assert_allclose(sim.rhs(0.0, x)[3:], expected, rtol=1e-10, err_msg=method)
        assert_allclose(second_derivatives(sim, x, 3), expected, rtol=1e-7, err_msg=method)
