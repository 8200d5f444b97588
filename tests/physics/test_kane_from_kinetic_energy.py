"""Kane's equations of a Lagrangian alone: generalized inertia forces from the kinetic energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import UnsupportedError

Function: TypeAlias = Callable[..., Any]

t = dynamicsymbols._t
m, g, L, c, rate = sm.symbols("m g L c rate")


def spherical() -> eomc.Model:
    """Return a damped spherical pendulum."""
    theta, phi = dynamicsymbols("theta phi")
    kinetic = m * L**2 * (theta.diff() ** 2 + sm.sin(theta) ** 2 * phi.diff() ** 2) / 2
    return eomc.from_lagrangian(
        kinetic + m * g * L * sm.cos(theta),
        coordinates=[theta, phi],
        generalized_forces={theta: -c * theta.diff()},
        parameters={m: 1.3, g: 9.81, L: 0.7, c: 0.2},
        initial={theta: 1.0, theta.diff(): 0.1, phi.diff(): 2.0},
        name="spherical",
    )


def bead_on_turning_rod() -> eomc.Model:
    """Return a bead on a rod that turns at a given rate: L has a part without r'."""
    r = dynamicsymbols("r")
    lagrangian = m * (r.diff() ** 2 + (rate * r) ** 2) / 2 - m * g * r * sm.sin(rate * t)
    return eomc.from_lagrangian(
        lagrangian, coordinates=[r], parameters={m: 0.4, g: 9.81, rate: 1.5}, initial={r: 0.5}, name="bead"
    )


def moving_frame() -> eomc.Model:
    """Return a Lagrangian with a part linear in x', as of a charge in a field that changes."""
    x, y = dynamicsymbols("x y")
    lagrangian = m * (x.diff() ** 2 + y.diff() ** 2) / 2 + c * sm.sin(t) * (x * y.diff() - y * x.diff()) - g * x**2 / 2
    return eomc.from_lagrangian(
        lagrangian, coordinates=[x, y], parameters={m: 0.4, g: 2.0, c: 1.5}, initial={x: 0.5}, name="charge"
    )


@pytest.mark.parametrize("make", [spherical, bead_on_turning_rod, moving_frame])
def test_one_motion_with_lagrange(make: Callable[[], eomc.Model], compiled: Function) -> None:
    """The state is [q; q'], and at 100 random states its derivative is Lagrange's to 1e-10."""
    model = make()
    assert model.methods[0] == "lagrange"
    kane, lagrange = compiled(model, "kane"), compiled(model, "lagrange")
    assert kane.state_names == lagrange.state_names
    assert_allclose(kane.initial_state, lagrange.initial_state)
    x = np.random.default_rng(5).uniform(-1.5, 1.5, (100, len(kane.state_names)))
    for time in (0.0, 0.7):
        found, expected = kane.rhs(time, x), lagrange.rhs(time, x)
        assert (np.abs(found - expected).max(axis=1) <= 1e-10 * (1 + np.abs(expected).max(axis=1))).all()
        for quantity, values in lagrange.energy(time, x).items():
            assert_allclose(kane.energy(time, x)[quantity], values, rtol=1e-13, atol=1e-13)


def test_the_equations_are_the_text_book_s(compiled: Function) -> None:
    """(g/L) sin(theta) and what the damping and phi' bring: theta'' = phi'^2 s c - (g/L) s - c theta'/(m L^2)."""
    theta, dtheta, dphi = 0.8, -0.3, 1.7
    rates = compiled(spherical(), "kane").rhs(0.0, [theta, 0.2, dtheta, dphi])
    s, co = np.sin(theta), np.cos(theta)
    expected = [dphi**2 * s * co - 9.81 / 0.7 * s - 0.2 * dtheta / (1.3 * 0.49), -2 * dtheta * dphi * co / s]
    assert_allclose(rates, [dtheta, dphi, *expected], rtol=1e-14)


def test_what_is_said_of_them() -> None:
    """Momenta of cyclic coordinates and constants are found, as by Lagrange; the speeds are q'."""
    equations = eomc.compile(spherical(), "kane").equations
    assert equations.method.name == "kane"
    assert equations.motion.labels == ("theta_d", "phi_d")
    assert {invariant.name for invariant in equations.energetics.invariants} == {"p_phi"}
    assert "generalized active forces" in equations.blocks[1].title


def test_no_gibbs_function_without_bodies() -> None:
    """A Lagrangian alone has no accelerations; the message says what can serve it."""
    with pytest.raises(UnsupportedError, match=r"no accelerations.*lagrange"):
        eomc.compile(spherical(), "gibbs-appell")
