"""Regressors of inverse dynamics and derivatives by parameters: closed forms, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import UnsupportedError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-13), ("float", 3e-5)])
@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
def test_cart_pole(real: str, tolerance: float, method: str) -> None:
    """tau = M [x''; 0] + m [x'' + l (theta'' cos - theta'^2 sin); l x'' cos + l^2 theta'' + g l sin] - [F; 0]."""
    sim = eomc.compile(eomc.load("cart_pole"), method, real=real, functions=["regressor:m:M"]).load()
    length, g, theta, omega = 0.6, 9.81, 0.7, -1.3
    s, c, a, b = np.sin(theta), np.cos(theta), 1.5, -0.4
    Y, y0 = sim.regressor(0.0, [0.1, theta, 0.2, omega], [a, b], {"F": 2.5}, {"l": length, "g": g, "m": 7.0})
    along_x = a + length * (b * c - omega**2 * s)
    about = length * a * c + length**2 * b + g * length * s
    np.testing.assert_allclose(Y, [[along_x, a], [about, 0.0]], atol=tolerance)
    np.testing.assert_allclose(y0, [-2.5, 0.0], atol=tolerance)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        ("regressor", UnsupportedError, "name the parameters that enter linearly"),
        ("regressor:l", UnsupportedError, "the parameter l does not enter the forces linearly$"),
        ("regressor:m:g", UnsupportedError, "the parameter m does not enter the forces linearly beside g"),
        ("regressor:m:mm", UsageError, "unknown input, speed or parameter 'mm'"),
        ("rhs_parameter_jacobian:mm", UsageError, "unknown parameter 'mm'"),
    ],
)
def test_what_is_refused(function: str, error: Any, message: str) -> None:
    """By name, and so is a name that means nothing."""
    with pytest.raises(error, match=message):
        eomc.compile(eomc.load("cart_pole"), functions=[function])


def test_constraints_that_depend_on_a_parameter() -> None:
    """A parameter of the constraints alone is none of the forces': along what is free they depend on it."""
    x, y = dynamicsymbols("x y")
    m, slope = sympy.symbols("m slope")
    model = eomc.from_lagrangian(
        m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        coordinates=[x, y],
        velocity_constraints=[y.diff() - slope * x.diff()],
        parameters={m: 2.0, slope: 0.5},
    )
    with pytest.raises(UnsupportedError, match="constraints or directions depend on it"):
        eomc.compile(model, functions=["regressor:x_d:slope"])
    sim = eomc.compile(model, functions=["regressor:x_d:m"]).load()
    Y, y0 = sim.regressor(0.0, [0.0, 0.0, 1.0, 0.5], [3.0, 1.5])
    np.testing.assert_allclose(Y, [[3.0 + 0.5 * 1.5]], atol=1e-15)
    np.testing.assert_array_equal(y0, [0.0])


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_oscillator_by_its_parameters(method: str) -> None:
    """x'' = (F - k x - c x') / m: by m, k and c, and by those that are named alone; p = m x' depends on m, too."""
    x, F = dynamicsymbols("x F")
    m, k, c = sympy.symbols("m k c")
    model = eomc.from_lagrangian(
        m * x.diff() ** 2 / 2 - k * x**2 / 2,
        coordinates=[x],
        generalized_forces={x: F - c * x.diff()},
        inputs=[F],
        parameters={m: 2.0, k: 3.0, c: 0.5},
    )
    sim = eomc.compile(model, method).load()
    place, second, force = np.array([0.3, -1.0]), np.array([0.7, 2.0]), np.array([[1.0], [-2.0]])
    P = sim.rhs_parameter_jacobian(0.0, np.stack([place, second], axis=1), force)
    zero = np.zeros(2)
    if method == "lagrange":
        rate = (force[:, 0] - 3.0 * place - 0.5 * second) / 2.0
        expected = [[zero, zero, zero], [-rate / 2.0, -place / 2.0, -second / 2.0]]
    else:  # x' = p/m, p' = F - k x - c p/m
        expected = [[-second / 4.0, zero, zero], [0.5 * second / 4.0, -place, -second / 2.0]]
    np.testing.assert_allclose(P, np.moveaxis(np.array(expected), -1, 0), atol=1e-14)
    named = eomc.compile(model, method, functions=["rhs_parameter_jacobian:c:m"]).load()
    np.testing.assert_allclose(named.rhs_parameter_jacobian(0.0, [0.3, 0.7], [1.0]), P[0][:, [2, 0]], atol=1e-15)


def test_a_mass_that_cancels() -> None:
    """A planet in polar coordinates: r'' = r phi'^2 - mu/r^2 and phi'' = -2 r' phi'/r are the same for every mass."""
    r, phi = dynamicsymbols("r phi")
    m, mu = sympy.symbols("m mu")
    model = eomc.from_lagrangian(
        m / 2 * (r.diff() ** 2 + r**2 * phi.diff() ** 2) + mu * m / r,
        coordinates=[r, phi],
        parameters={m: 2.0, mu: 3.0},
    )
    sim = eomc.compile(model, functions=["rhs_parameter_jacobian"]).load()
    P = sim.rhs_parameter_jacobian(0.0, [2.0, 0.3, 0.7, 1.1])
    np.testing.assert_allclose(P, [[0.0, 0.0], [0.0, 0.0], [0.0, -0.25], [0.0, 0.0]], atol=1e-15)


def test_nothing_to_differentiate_by() -> None:
    """A model without parameters has no such function."""
    x = dynamicsymbols("x")
    sim = eomc.compile(eomc.from_lagrangian(x.diff() ** 2 / 2, coordinates=[x])).load()
    with pytest.raises(UsageError, match="has no function 'rhs_parameter_jacobian'"):
        sim.rhs_parameter_jacobian(0.0, [0.1, 0.2])
