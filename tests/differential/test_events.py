"""Functions of events in C against the reference: every method, forms of constraints, speeds of all kinds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.agreement.comparing import compare
from eomc.model import Model

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
N = ReferenceFrame("N")


def double_pendulum() -> Model:
    """Other speeds than q', a mode that a mass depends on, a wall that an input moves, a reset of everything."""
    q1, q2, u1, u2, z, w = dynamicsymbols("q1 q2 u1 u2 z w")
    m, g, load, e = sympy.symbols("m g load e")
    top = Point("top")
    top.set_vel(N, 0)
    first, second = ReferenceFrame("A"), ReferenceFrame("B")
    first.orient_axis(N, N.z, q1)
    second.orient_axis(N, N.z, q2)
    first.set_ang_vel(N, u1 * N.z)
    second.set_ang_vel(N, (u1 + u2) * N.z)
    upper = top.locatenew("upper", -first.y)
    lower = upper.locatenew("lower", -second.y)
    upper.v2pt_theory(top, N, first)
    lower.v2pt_theory(upper, N, second)
    x, y = sympy.sin(q1) + sympy.sin(q2), -sympy.cos(q1) - sympy.cos(q2)
    return eomc.Model(
        name="links",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2],
        kinematical_equations=[q1.diff() - u1, q2.diff() - u1 - u2],
        bodies=[Particle("upper", upper, m), Particle("lower", lower, m + load)],
        gravity=-g * N.y,
        extra_states={z: u1 - z},
        inputs=[w, w.diff(T)],
        parameters={m: 1.3, g: 9.81, load: 0.5, e: 0.7},
        events={
            "all": eomc.Event(x * y + z, falling=True, reset={q2: q1 / 2, u2: -e * u2 + q1, z: 2 * z, load: load + 1}),
            "places": eomc.Event(u1 + w, reset={q1: q1 + q2 / 3}),
            "grabs": eomc.Event(q1.diff(T) - 2, stop=True, reset={load: 0.1}),
            "watched": eomc.Event(y + q2.diff(T, 2)),
            "late": eomc.Event(at=2 * e, reset={u1: 0}),
        },
        impacts=[eomc.Impact(x - w, restitution=e), eomc.Impact(y + 3, name="floor")],
    )


def on_circle() -> Model:
    """A mass on a circle, in two coordinates: a wall that a constraint turns into a rebound along the circle."""
    x, y = dynamicsymbols("x y")
    m, g = sympy.symbols("m g")
    L = m * (x.diff(T) ** 2 + y.diff(T) ** 2) / 2 - m * g * y
    return eomc.from_lagrangian(
        L,
        coordinates=[x, y],
        configuration_constraints=[x**2 + y**2 - 1],
        parameters={m: 2.0, g: 9.81},
        initial={y: -1},
        ranges={x: (-1, 1)},
        events={"kick": eomc.Event(y.diff(T), reset={x.diff(T): 2 * x.diff(T), y: -y})},
        impacts=[eomc.Impact(x + sympy.Rational(1, 2), restitution=sympy.Rational(1, 3))],
        name="circle",
    )


def canonical() -> Model:
    """A Hamiltonian as given."""
    q, p = dynamicsymbols("q p")
    m, k = sympy.symbols("m k")
    return eomc.from_hamiltonian(
        p**2 / (2 * m * (2 + sympy.cos(q))) + k * q**2 / 2,
        coordinates=[q],
        momenta=[p],
        parameters={m: 2.0, k: 3.0},
        events={"back": eomc.Event(q - 1, reset={p: -p, q: 0.99})},
        impacts=[eomc.Impact(2 * q + 1)],
        name="canonical",
    )


def skate() -> Model:
    """Three coordinates and two speeds."""
    x, y, phi, u, w = dynamicsymbols("x y phi u w")
    m, J = sympy.symbols("m J")
    body, center = ReferenceFrame("S"), Point("C")
    body.orient_axis(N, N.z, phi)
    body.set_ang_vel(N, w * N.z)
    center.set_vel(N, u * body.x)
    from sympy.physics.mechanics import RigidBody, inertia

    return eomc.Model(
        name="skate",
        inertial_frame=N,
        coordinates=[x, y, phi],
        speeds=[u, w],
        kinematical_equations=[x.diff() - u * sympy.cos(phi), y.diff() - u * sympy.sin(phi), phi.diff() - w],
        bodies=[RigidBody("skate", center, body, m, (inertia(body, 0, 0, J), center))],
        parameters={m: 1.5, J: 0.3},
        events={"turn": eomc.Event(x, reset={w: -w, phi: phi + 1})},
        impacts=[eomc.Impact(y + sympy.sin(phi)), eomc.Impact(1 - x)],
    )


MODELS = [double_pendulum, on_circle, canonical, skate]


@pytest.mark.parametrize("make", MODELS)
def test_the_c_and_the_reference_agree(make: Callable[[], Model]) -> None:
    """By every method, to 1e-10 of the terms; rates along the motion as far as differences tell."""
    model = make()
    for method in model.methods:
        found = {one.function: one for one in compare(eomc.compile(model, method), 8)}
        assert {"events", "event_rates", "resets", "impacts"} <= found.keys()
        for one in found.values():
            assert one.holds, (method, one)


@pytest.mark.parametrize("form", ["augmented", "range-space", "null-space"])
def test_impulses_meet_constraints_in_every_form(form: str) -> None:
    """As they do in the eliminated one."""
    assert compare(eomc.compile(on_circle(), constraints=form), 8).holds
