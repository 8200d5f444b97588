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


@pytest.mark.parametrize("form", ["eliminated", "augmented", "null-space"])
def test_euler_equations(form: str) -> None:
    """J w' = tau - w x J w, and q'' from w and w', in every form that needs no inverse of M alone."""
    sim = eomc.compile(body(), constraints=form).load()
    q = np.array([0.8, 0.2, -0.4, 0.1]) / np.linalg.norm([0.8, 0.2, -0.4, 0.1])
    w, tau = np.array([0.4, -0.7, 1.1]), np.array([0.01, -0.02, 0.015])

    def carried(p: Any, vector: Any) -> Any:
        columns = [[-p[1], -p[2], -p[3]], [p[0], -p[3], p[2]], [p[3], p[0], -p[1]], [-p[2], p[1], p[0]]]
        return np.array(columns) @ vector / 2

    rates = carried(q, w)
    growth = (tau - np.cross(w, np.multiply(MOMENTS, w))) / MOMENTS
    expected = carried(rates, w) + carried(q, growth)
    assert_allclose(sim.rhs(0.0, [*q, *rates], inputs=tau)[4:], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_range_space_needs_an_inverse(method: str) -> None:
    """The range space of the constraints needs M^-1: it is refused at once, and the forms that work are named."""
    with pytest.raises(UnsupportedError, match=r"range-space.* singular.*'augmented', 'eliminated' or 'null-space'"):
        eomc.compile(body(), method, constraints="range-space")
