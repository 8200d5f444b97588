"""Round bodies that spin about their axis: the angle of the spin is in no equation."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis.agreement import compare
from eomc.derivation.bodies import BodySystem
from eomc.derivation.pose import pose
from eomc.model import Model
from eomc.passes.differentiate import depends_on

q = dynamicsymbols("q1:4")
u = dynamicsymbols("u1:4")
A, B, C, m, g, length = sm.symbols("A B C m g l")


class Top:
    """A heavy top: precession, nutation, spin, its mass centre on the axis."""

    def __init__(self) -> None:
        self.N, self.origin = ReferenceFrame("N"), Point("O")
        self.origin.set_vel(self.N, 0)
        self.precessing = self.N.orientnew("F", "Axis", [q[0], self.N.z])
        self.carrier = self.precessing.orientnew("G", "Axis", [q[1], self.precessing.x])
        self.rotor = self.carrier.orientnew("R", "Axis", [q[2], self.carrier.z])
        self.center = self.origin.locatenew("P", length * self.rotor.z)

    def body(self, name: str, dyadic: Any, frame: Any = None) -> RigidBody:
        return RigidBody(name, self.center, frame or self.rotor, m, (dyadic, self.center))

    def model(self, *bodies: RigidBody, **more: Any) -> Model:
        values = {A: 0.1, B: 0.12, C: 0.05, m: 1.0, g: 9.81, length: 0.5}
        used = {s for body in bodies for first in body.inertia[0].args for s in sm.sympify(first[0]).free_symbols}
        return Model(
            name="top",
            inertial_frame=self.N,
            coordinates=q,
            speeds=u,
            kinematical_equations=[a.diff() - b for a, b in zip(q, u, strict=True)],
            bodies=bodies,
            gravity=-g * self.N.z,
            parameters={s: v for s, v in values.items() if s in used | {m, g, length}},
            **more,
        )


def bases(model: Model) -> list[str]:
    """Return the names of the frames in which inertias are written."""
    return [body.basis.name for body in BodySystem(pose(model)).bodies]


@pytest.mark.parametrize(("method", "most"), [("kane", 66), ("lagrange", 54), ("hamilton", 42)])
def test_the_spin_is_in_no_equation(method: str, most: int) -> None:
    """A symmetric top's equations know the angle of its spin by the name of a state alone, and are as short."""
    top = Top()
    build = eomc.compile(top.model(top.body("top", inertia(top.rotor, A, A, C))), method)
    program = build.program
    spin = program.graph.symbol(program.states[2].symbol)
    for function in program.functions:
        assert not depends_on(program.graph, function.outputs, [spin])
    assert build.statistics.code.functions[0].counts.total <= most


@pytest.mark.needs_cc
@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_a_rotor_with_torques_and_given_accelerations(method: str) -> None:
    """Forces and torques in the rotor's own axes, and an angular acceleration that was set, make no difference."""
    top = Top()
    spinning = top.rotor.ang_vel_in(top.N)
    top.rotor.set_ang_acc(top.N, spinning.dt(top.N))
    loads = [(top.center, g * top.rotor.x + top.rotor.z), (top.rotor, -C * spinning)]
    model = top.model(top.body("top", inertia(top.rotor, A, A, C)), loads=loads, ranges={q[1]: (0.5, 2.5)})
    assert bases(model) == ["G"]
    assert all(agreement.holds for agreement in compare(eomc.compile(model, method), 10))


@pytest.mark.needs_cc
def test_what_is_not_round_keeps_its_frame() -> None:
    """Other moments, products, an inertia about another point, a second body on the frame, a frame further out."""
    top = Top()
    R = top.rotor
    about_origin = RigidBody("c", top.center, R, m, (inertia(R, A, A, C), top.origin))
    cases: list[tuple[RigidBody, ...]] = [
        (top.body("a", inertia(R, A, B, C)),),
        (top.body("b", inertia(R, A, A, C, 0, 0, B / 9)),),
        (about_origin,),
        (top.body("d", inertia(R, A, A, C)), top.body("e", inertia(R, A, B, C))),
    ]
    for bodies in cases:
        model = top.model(*bodies, ranges={q[1]: (0.5, 2.5)})
        assert set(bases(model)) == {"R"}
        assert all(agreement.holds for agreement in compare(eomc.compile(model), 5))
    foreign = top.body("g", inertia(R, A, B, C), frame=top.carrier)
    assert bases(top.model(top.body("f", inertia(R, A, A, C)), foreign)) == ["R", "R"]
    tool = R.orientnew("tool", "Axis", [sm.pi / 4, R.x])
    whole = top.body("h", inertia(R, A, A, C))
    assert bases(top.model(whole)) == ["G"]  # for drawing
    assert bases(top.model(whole, loads=[(top.center, g * tool.x)])) == ["R"]


def test_an_angular_velocity_in_the_rotors_own_axes_stays_there() -> None:
    """Nothing is shorter than three speeds."""
    top = Top()
    top.rotor.set_ang_vel(top.carrier, u[0] * top.rotor.x + u[1] * top.rotor.y + u[2] * top.rotor.z)
    top.carrier.set_ang_vel(top.precessing, 0)
    top.precessing.set_ang_vel(top.N, 0)
    assert bases(top.model(top.body("top", inertia(top.rotor, A, A, C)))) == ["R"]
