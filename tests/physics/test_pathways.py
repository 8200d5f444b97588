"""Actuators do the work of their force along their pathway, or they are turned, refused, or left with a word."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    ForceActuator,
    KanesMethod,
    LagrangesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    WrappingCylinder,
    WrappingPathway,
    dynamicsymbols,
)
from sympy.physics.mechanics.pathway import PathwayBase

import eomc
from eomc.errors import ModelError

q, u, v = dynamicsymbols("q u v")
r = sympy.Symbol("r", positive=True)
m, k, l0, c, g = sympy.symbols("m k l0 c g", positive=True)
VALUES = {r: 0.3, m: 1.5, k: 40.0, l0: 0.2, c: 0.7, g: 9.81}
R, M, K, L, C, G = VALUES.values()
N = ReferenceFrame("N")
TURNED = "the loads that SymPy's WrappingPathway gives for LinearSpring .* do the opposite .* they are turned"


class Bead:
    """A bead on a smooth drum of radius r with a horizontal axis, an elastic rope along the drum from angle 0."""

    def __init__(self) -> None:
        self.O = Point("O")
        self.O.set_vel(N, 0)
        self.fixed = self.O.locatenew("A", r * N.x)
        self.fixed.set_vel(N, 0)
        self.place = self.O.locatenew("B", r * sympy.cos(q) * N.x + r * sympy.sin(q) * N.y)
        self.rate = -r * u * sympy.sin(q) * N.x + r * u * sympy.cos(q) * N.y
        self.place.set_vel(N, self.rate)
        self.body = Particle("bead", self.place, m)
        path = WrappingPathway(self.fixed, self.place, WrappingCylinder(r, self.O, N.z))
        self.loads = [LinearSpring(k, path, equilibrium_length=l0), LinearDamper(c, path)]

    def model(self, loads: list[Any], **more: Any) -> eomc.Model:
        used = {s for load in loads if hasattr(load, "force") for s in load.force.free_symbols} | {m, g, r}
        return eomc.Model(
            name="bead", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[self.body], loads=loads,
            gravity=-g * N.y, parameters={s: x for s, x in VALUES.items() if s in used}, **more,
        )  # fmt: skip


def expected(angle: float, rate: float) -> float:
    """Return q'' of m r^2 q'' = -m g r cos q - (k (r |q| - l0) sign q + c r q') r."""
    rope = K * (R * abs(angle) - L) * np.sign(angle) + C * R * rate
    return float((-M * G * R * np.cos(angle) - rope * R) / (M * R**2))


STATES = ((0.9, 0.4), (2.6, -0.5), (0.01, 0.2))


@pytest.mark.parametrize("ranges", [{}, {q: (0.1, 3.0)}], ids=["either side", "one side"])
def test_a_rope_round_a_drum_pulls_when_it_is_stretched(ranges: dict[Any, Any]) -> None:
    """SymPy's loads have the other sign where the angle is positive: they are turned there, with one warning."""
    bead = Bead()
    with pytest.warns(RuntimeWarning, match=TURNED) as told:
        model = bead.model(bead.loads, ranges=ranges)
    assert len(told) == 1
    oracle = eomc.reference(model)
    build = eomc.compile(model)
    assert len(build.model.dynamics.loads) == 6
    states = STATES if ranges else (*STATES, (-0.7, 0.3))  # SymPy's length is that of |q|
    for state in states:
        assert_allclose(oracle.rhs(0.0, np.array(state))[1], expected(*state), rtol=1e-12)


@pytest.mark.needs_cc
def test_the_emitted_rope_pulls_as_the_reference_says() -> None:
    """The turned loads are the model's: the C has them as the reference does."""
    bead = Bead()
    with pytest.warns(RuntimeWarning, match=TURNED):
        sim = eomc.compile(bead.model(bead.loads)).load()
    for state in (*STATES, (-0.7, 0.3)):
        assert_allclose(sim.rhs(0.0, np.array(state))[1], expected(*state), rtol=1e-12)


def test_a_rope_in_other_front_ends() -> None:
    """Loads of a KanesMethod and of a LagrangesMethod may be actuators, and are asked the same."""
    bead = Bead()
    kane = KanesMethod(N, [q], [u], [q.diff() - u])
    with pytest.warns(RuntimeWarning, match=TURNED):
        of_kane = eomc.from_kanes_method(
            kane, bodies=[bead.body], loads=[*bead.loads, (bead.place, -m * g * N.y)], parameters=VALUES
        )
    bead.place.set_vel(N, bead.rate.subs(u, q.diff()))
    lagrange = LagrangesMethod(m * r**2 * q.diff() ** 2 / 2 - m * g * r * sympy.sin(q), [q])
    with pytest.warns(RuntimeWarning, match=TURNED):
        of_lagrange = eomc.from_lagranges_method(lagrange, loads=bead.loads, inertial_frame=N, parameters=VALUES)
    for model in (of_kane, of_lagrange):
        for state in STATES:
            assert_allclose(eomc.reference(model).rhs(0.0, np.array(state))[1], expected(*state), rtol=1e-12)


class Turned(PathwayBase):
    """A straight pathway of the user's own, its loads times a factor."""

    def __init__(self, factor: Any, *points: Any) -> None:
        super().__init__(*points)
        self._inner = LinearPathway(*points)
        self._factor = factor

    length = property(lambda self: self._inner.length)
    extension_velocity = property(lambda self: self._inner.extension_velocity)

    def to_loads(self, force: Any) -> Any:
        return self._inner.to_loads(self._factor * force)

    def __repr__(self) -> str:
        return "Turned"


@pytest.mark.parametrize("factor", [-1, 2, sympy.Rational(1, 2), q, 1 + sympy.Rational(1, 10**6)])
def test_an_actuator_that_does_other_work_is_refused(factor: Any) -> None:
    """Of a pathway of the user's own nobody knows what is meant; the message names the actuator."""
    bead = Bead()
    hook = bead.O.locatenew("hook", 2 * r * N.y)
    hook.set_vel(N, 0)
    spring = LinearSpring(k, LinearPathway(hook, bead.place))
    with pytest.raises(ModelError, match=r"the actuator LinearDamper \(loads\[1\]\) do not do the work of its"):
        bead.model([spring, LinearDamper(c, Turned(factor, bead.fixed, bead.place))])
    bead.model([spring, LinearDamper(c, Turned(1, bead.fixed, bead.place))])


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_sizes_do_not_decide(scale: float) -> None:
    """A nanometre and a thousand kilometres are refused and taken as a metre is."""
    bead = Bead()
    sizes = {one: value * (scale if one in (r, l0) else 1.0) for one, value in VALUES.items()}
    for factor, holds in ((1, True), (-1, False)):
        spring = LinearSpring(k, Turned(factor, bead.fixed, bead.place), equilibrium_length=l0)
        given = {
            "name": "bead", "inertial_frame": N, "coordinates": [q], "speeds": [u], "bodies": [bead.body],
            "loads": [spring], "parameters": {one: sizes[one] for one in (m, r, k, l0)}, "ranges": {q: (0.5, 1.0)},
        }  # fmt: skip
        if holds:
            eomc.Model(**given)
        else:
            with pytest.raises(ModelError, match="do not do the work"):
                eomc.Model(**given)


def test_a_force_that_is_zero_at_times_is_taken() -> None:
    """A rope that only pulls, friction with steps, and a force of zero do as they say."""
    bead = Bead()
    path = LinearPathway(bead.fixed, bead.place)
    slack = -k * sympy.Max(0, path.length - r)
    for force in (slack, 0, -c * sympy.sign(path.extension_velocity), sympy.Piecewise((1, q > 5), (0, True))):
        bead.model([ForceActuator(force, path)], ranges={q: (0.2, 3.0)})


def test_velocities_that_were_set_keep_the_loads_with_a_word() -> None:
    """A point on a pathway whose velocity is not the rate of its position: the loads stand as SymPy has them."""
    bead = Bead()
    slider = bead.O.locatenew("S", q * N.x + r * N.y)
    slider.set_vel(N, 3 * u * N.x)
    spring = LinearSpring(k, LinearPathway(bead.fixed, slider))
    with pytest.warns(RuntimeWarning, match=r"a velocity that was set on the pathway of LinearSpring .* they stand"):
        model = bead.model([spring])
    assert [place for place, _ in model.dynamics.loads] == [bead.fixed, slider]
    assert [vector for _, vector in model.dynamics.loads] == [load.vector for load in spring.to_loads()]


def test_auxiliary_speeds_do_no_work() -> None:
    """A velocity with an auxiliary speed in it is the rate of the position when that is zero: no warning."""
    bead = Bead()
    bead.place.set_vel(N, bead.rate + v * (sympy.cos(q) * N.x + sympy.sin(q) * N.y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eomc.Model(
            name="bead", inertial_frame=N, coordinates=[q], speeds=[u, v], kinematical_equations=[q.diff() - u],
            auxiliary_speeds=[v], bodies=[bead.body], loads=[LinearSpring(k, LinearPathway(bead.fixed, bead.place))],
            parameters={m: M, r: R, k: K},
        )  # fmt: skip
