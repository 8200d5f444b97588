"""Points, frames and mechanisms that carry no body and no load are none of a model's business."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import ModelError
from eomc.model.parts import MechanicalSystem

Builder: TypeAlias = Callable[[], tuple[Any, dict[Any, float], Callable[[], None]]]

SHIPPED = ("rolling_disk", "heavy_top", "four_bar", "n_link_pendulum:3", "snakeboard", "thin_coin", "whipple_bicycle")


def emitted(model: eomc.Model, method: str | None = None) -> list[tuple[str, str]]:
    """Return path and text of everything that is emitted."""
    return [(artifact.path, artifact.text) for artifact in eomc.compile(model, method=method).artifacts]


def drawn_upon(model: eomc.Model) -> None:
    """Hang points and frames that nobody asks about on every point and every frame of a model."""
    system = model.dynamics
    assert isinstance(system, MechanicalSystem)
    where = system.inertial_frame
    length, (angle, place, rate) = sympy.Symbol("of_no_use"), dynamicsymbols("angle place rate")
    points = {body.masscenter for body in system.bodies}
    points |= {place for body in system.bodies for place in body.masscenter._pos_dict}
    frames = {where, *(body.frame for body in system.bodies if isinstance(body, RigidBody))}
    for frame in frames:
        outer = frame.orientnew("drawn", "Axis", (angle, frame.x))
        outer.orientnew("further", "Axis", (angle, outer.z)).set_ang_vel(outer, rate * outer.x)
    for point in points:
        marker = point.locatenew("marker", length * where.x)
        velocity = point._vel_dict.get(where)
        if velocity is not None and velocity == 0:
            marker.set_vel(where, 0)
        if velocity is not None:  # else sympy takes the velocity of the point from the nearest that has one
            marker.locatenew("moving", place * where.y).set_vel(where, rate * where.y)


@pytest.mark.parametrize("spec", SHIPPED)
def test_what_hangs_on_a_mechanism_without_a_body_changes_not_a_byte(spec: str) -> None:
    """The emitted files are the same with and without points and frames that are there for drawing."""
    before = emitted(eomc.load(spec))
    model = eomc.load(spec)
    drawn_upon(model)
    assert emitted(model) == before
    assert model.renamed(model.name).methods == eomc.load(spec).methods


def pendulum(beside: str, by_kane: bool) -> eomc.Model:
    """Return a pendulum with something beside it."""
    q, u, x, v = dynamicsymbols("q u x v")
    m, length, g, d = sympy.symbols("m l g d")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", (q, N.z))
    A.set_ang_vel(N, u * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    P = origin.locatenew("P", -length * A.y)
    P.v2pt_theory(origin, N, A)
    if beside == "marker on the origin":
        origin.locatenew("marker", d * N.x)
    if beside == "marker on the bob":
        P.locatenew("marker", d * A.x)
    if beside == "second mechanism":
        M = origin.locatenew("cart", x * N.x)
        M.set_vel(N, v * N.x)
        B = N.orientnew("B", "Axis", (x, N.z))
        RigidBody("other", M, B, d, (inertia(B, d, d, d), M))
    values = {m: 1.0, length: 0.5, g: 9.81}
    bodies = [Particle("bob", P, m)]
    if by_kane:
        from sympy.physics.mechanics import KanesMethod

        kane = KanesMethod(N, [q], [u], [q.diff() - u])
        kane.kanes_equations(bodies, [(P, -m * g * N.y)])
        return eomc.from_kanes_method(kane, parameters=values)
    return eomc.Model(
        name="pendulum", inertial_frame=N, coordinates=[q], speeds=[u], bodies=bodies, gravity=-g * N.y,
        parameters=values,
    )  # fmt: skip


@pytest.mark.parametrize("by_kane", [False, True])
@pytest.mark.parametrize("beside", ["marker on the origin", "marker on the bob", "second mechanism"])
def test_a_pendulum_needs_no_value_of_what_stands_beside_it(beside: str, by_kane: bool) -> None:
    """theta'' = -g/l sin(theta) in the reference, and the same bytes of C, whatever else the notebook holds."""
    model = pendulum(beside, by_kane)
    found = eomc.reference(model).rhs(0.0, np.array([0.4, 0.0]))
    assert_allclose(found, [0.0, -9.81 / 0.5 * np.sin(0.4)], rtol=1e-12)
    assert emitted(model) == emitted(pendulum("nothing", by_kane))


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_heights_in_the_reference_are_measured_from_the_mechanism(method: str) -> None:
    """A resting point for drawing, nearer in the list than the pivot, is no origin of the potential energy."""
    model = pendulum("nothing", False)
    drawn_upon(model)
    energy = eomc.reference(model, method=method).energy(0.0, np.array([0.4, 0.0]))
    assert_allclose(energy["potential"], -9.81 * 0.5 * np.cos(0.4), rtol=1e-12)


def test_what_lies_between_bodies_still_needs_a_value() -> None:
    """A joint without a body between pivot and bob belongs to the mechanism: its distance needs a value."""
    q, u = dynamicsymbols("q u")
    m, a, b, g = sympy.symbols("m a b g")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", (q, N.z))
    A.set_ang_vel(N, u * N.z)
    pivot = Point("pivot")
    pivot.set_vel(N, 0)
    bob = pivot.locatenew("joint", a * A.x).locatenew("bob", b * A.x)
    bob.set_vel(N, 2 * u * A.y)
    with pytest.raises(ModelError, match=r"no value for a \(the position of joint from pivot\)"):
        eomc.Model(
            name="two_parts", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("bob", bob, m)],
            gravity=-g * N.y, parameters={m: 1, b: 1, g: 9.81},
        )  # fmt: skip
