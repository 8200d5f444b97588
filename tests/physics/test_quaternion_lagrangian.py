"""A quaternion Lagrangian, whose mass matrix is singular without the constraint, against Euler's equations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import UnsupportedError

t = dynamicsymbols._t
SYMBOLS = dynamicsymbols("q_w q_x q_y q_z")
TORQUES = dynamicsymbols("tau1:4")
MOMENTS = (0.01, 0.02, 0.035)
J = sympy.symbols("J_xx J_yy J_zz")


def body() -> Any:
    """Return L = (w.J w) / 2 with w = 2 conj(q) q', and torques in body axes."""
    a, b, c, d = SYMBOLS
    rates = sympy.Matrix([q.diff(t) for q in SYMBOLS])
    spin = 2 * sympy.Matrix([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]]) * rates
    lagrangian = sum(moment * w**2 for moment, w in zip(J, spin, strict=True)) / 2
    forces = spin.jacobian(rates).T * sympy.Matrix(TORQUES)
    return eomc.from_lagrangian(
        lagrangian,
        coordinates=SYMBOLS,
        generalized_forces=dict(zip(SYMBOLS, forces, strict=True)),
        inputs=TORQUES,
        configuration_constraints=[a**2 + b**2 + c**2 + d**2 - 1],
        parameters=dict(zip(J, MOMENTS, strict=True)),
        initial={a: 1},
        name="quaternion_body",
    )


def carried(p: Any, vector: Any) -> Any:
    """Return q' of a quaternion and an angular velocity in body axes."""
    columns = [[-p[1], -p[2], -p[3]], [p[0], -p[3], p[2]], [p[3], p[0], -p[1]], [-p[2], p[1], p[0]]]
    return np.array(columns) @ vector / 2


@pytest.mark.parametrize("form", ["eliminated", "augmented", "null-space"])
def test_euler_equations(form: str) -> None:
    """J w' = tau - w x J w, and q'' from w and w', in every form that needs no inverse of M alone."""
    sim = eomc.compile(body(), constraints=form).load()
    q = np.array([0.8, 0.2, -0.4, 0.1]) / np.linalg.norm([0.8, 0.2, -0.4, 0.1])
    w, tau = np.array([0.4, -0.7, 1.1]), np.array([0.01, -0.02, 0.015])

    rates = carried(q, w)
    growth = (tau - np.cross(w, np.multiply(MOMENTS, w))) / MOMENTS
    expected = carried(rates, w) + carried(q, growth)
    assert_allclose(sim.rhs(0.0, [*q, *rates], inputs=tau)[4:], expected, rtol=1e-10, atol=1e-10)


def test_a_craft_with_thrust_along_its_own_axis() -> None:
    """m r'' = F R e_z - m g e_z beside Euler's equations, in four coordinates of unit norm and three of place."""
    place, (mass, g, thrust) = dynamicsymbols("x y z"), sympy.symbols("m g F")
    a, b, c, d = SYMBOLS
    turning = body().dynamics
    axis = [2 * (b * d + a * c), 2 * (c * d - a * b), a**2 - b**2 - c**2 + d**2]
    model = eomc.from_lagrangian(
        turning.expression + sum(mass * r.diff(t) ** 2 for r in place) / 2 - mass * g * place[2],
        coordinates=[*place, *SYMBOLS],
        generalized_forces={r: thrust * part for r, part in zip(place, axis, strict=True)},
        configuration_constraints=[a**2 + b**2 + c**2 + d**2 - 1],
        parameters={mass: 0.5, g: 9.81, thrust: 6.0, **dict(zip(J, MOMENTS, strict=True))},
        initial={a: 1},
        name="craft",
    )
    sim = eomc.compile(model).load()
    q = np.array([0.8, 0.2, -0.4, 0.1]) / np.linalg.norm([0.8, 0.2, -0.4, 0.1])
    w = np.array([0.4, -0.7, 1.1])
    rates = carried(q, w)
    growth = carried(rates, w) + carried(q, -np.cross(w, np.multiply(MOMENTS, w)) / MOMENTS)
    up = np.array([2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]), 1 - 2 * (q[1] ** 2 + q[2] ** 2)])
    found = sim.rhs(0.0, [0.1, 0.2, 0.3, *q, 1.0, 2.0, 3.0, *rates])[7:]
    assert_allclose(found, [*(12.0 * up - [0.0, 0.0, 9.81]), *growth], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_range_space_needs_an_inverse(method: str) -> None:
    """The range space of the constraints needs M^-1: it is refused at once, and the forms that work are named."""
    with pytest.raises(UnsupportedError, match=r"range-space.* singular.*'augmented', 'eliminated' or 'null-space'"):
        eomc.compile(body(), method, constraints="range-space")
