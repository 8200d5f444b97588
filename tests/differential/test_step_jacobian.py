"""The derivative of a step: every scheme against the reference's own step, and closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import SingularSystemError, UnsupportedError, UsageError
from eomc.programs.choice import chosen_functions
from eomc.tableaus import TABLEAUS

pytestmark = pytest.mark.needs_cc

H = 0.02


@pytest.mark.sampled(3)
@pytest.mark.parametrize("integrator", [row.name for row in TABLEAUS if row.explicit])
@pytest.mark.parametrize(
    ("name", "method", "stabilization"),
    [
        ("cart_pole", "kane", "none"),
        ("rolling_disk", "kane", "none"),
        ("four_bar", "kane", "none"),
        ("cart_pole", "hamilton", "none"),
        ("two_masses_on_rod", "lagrange", "none"),
        ("kepler", "hamilton", "none"),
    ],
)
def test_every_scheme(name: str, method: str, stabilization: str, integrator: str) -> None:
    """F and G are the derivatives of the reference's step to 1e-10; the state is that of a step, to the bit."""
    model = eomc.load(name)
    sim = eomc.compile(
        model, method, stabilization=stabilization, functions=["step_jacobian"], integrator=integrator
    ).load()
    reference, generator = eomc.reference(model, method), np.random.default_rng(3)
    inputs = generator.uniform(-1.0, 1.0, len(model.inputs))
    for x in reference.random_state(generator, 2, 0.3):
        found, expected = (
            one.step_jacobian(0.3, x, H, inputs, **more)
            for one, more in ((sim, {}), (reference, {"integrator": integrator}))
        )
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=1e-10 * (1.0 + np.abs(theirs).max(initial=0.0)))
        run = sim.simulate(t_end=0.3 + H, dt=H, t0=0.3, x0=x, inputs=inputs)
        np.testing.assert_array_equal(found[0], run.x[-1])


@pytest.mark.parametrize("integrator", ["gauss3", "verlet"])
def test_schemes_without_a_derivative_say_so(integrator: str) -> None:
    """By the name of the function, wherever it is asked for."""
    with pytest.raises(UnsupportedError, match="step_jacobian"):
        eomc.compile(eomc.load("henon_heiles"), functions=["step_jacobian"], integrator=integrator)


def oscillator(sign: int = 1) -> eomc.Model:
    """Return m x'' = F - k x + sin t."""
    x, F = dynamicsymbols("x F")
    m, k = sympy.symbols("m k")
    return eomc.from_lagrangian(
        m * x.diff() ** 2 / 2 - sign * k * x**2 / 2,
        coordinates=[x],
        generalized_forces={x: F + sympy.sin(dynamicsymbols._t)},
        inputs=[F],
        parameters={m: 2.0, k: 3.0},
    )


@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-15), ("float", 1e-6)])
def test_a_linear_system(real: str, tolerance: float) -> None:
    """Of x' = A x + B F the classical step is F = sum (h A)^k / k!, k to 4, and G = sum h^k A^(k-1) B / k!."""
    sim = eomc.compile(oscillator(), real=real).load()
    A, B = np.array([[0.0, 1.0], [-1.5, 0.0]]), np.array([[0.0], [0.5]])
    powers = [np.linalg.matrix_power(A, k) for k in range(5)]
    factorial = [1.0, 1.0, 2.0, 6.0, 24.0]
    _, F, G = sim.step_jacobian(0.7, [0.3, -0.4], 0.1, {"F": 2.0})
    np.testing.assert_allclose(F, sum(0.1**k * powers[k] / factorial[k] for k in range(5)), atol=tolerance)
    np.testing.assert_allclose(G, sum(0.1**k * powers[k - 1] @ B / factorial[k] for k in range(1, 5)), atol=tolerance)
    _, F, G = sim.step_jacobian(0.7, [0.3, -0.4], 0.1, {"F": 2.0}, integrator="euler")
    np.testing.assert_allclose(F, np.eye(2) + 0.1 * A, atol=tolerance)
    np.testing.assert_allclose(G, 0.1 * B, atol=tolerance)


def test_zero_and_huge_steps() -> None:
    """A step of length zero is the identity, to the bit; one far too long overflows to what it is."""
    sim = eomc.compile(oscillator()).load()
    x, F, G = sim.step_jacobian(0.7, [0.3, -0.4], 0.0)
    np.testing.assert_array_equal(x, [0.3, -0.4])
    np.testing.assert_array_equal(F, np.eye(2))
    np.testing.assert_array_equal(G, np.zeros((2, 1)))
    _, F, _ = sim.step_jacobian(0.7, [0.3, -0.4], 1e60)
    assert np.abs(F).max() > 1e230


def test_names_and_refusals() -> None:
    """The name in C says the scheme; a stage without motion fails."""
    assert chosen_functions("heun_step_jacobian", "heun") == ("step_jacobian",)
    with pytest.raises(UsageError, match="unknown function 'heun_step_jacobian'"):
        chosen_functions("heun_step_jacobian", "rk4")
    with pytest.raises(UsageError, match="compiled without 'step_jacobian'"):
        eomc.compile(eomc.load("slider_crank"), functions="energy").load().step_jacobian(0.0, np.zeros(6), H)
    build = eomc.compile(eomc.load("spherical_pendulum"), functions="step_jacobian", integrator="heun")
    assert "spherical_pendulum_heun_step_jacobian(" in build.artifacts[0].text
    assert "jacobian" in [function.name for function in build.program.functions]
    sim, still = build.load(), np.zeros(4)
    with pytest.raises(SingularSystemError):
        sim.step_jacobian(0.0, still, H)  # at the pole the azimuth has no inertia


@pytest.mark.parametrize("stabilization", ["baumgarte", "projection"])
@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_on_constraints(name: str, stabilization: str) -> None:
    """With feedback against drift or a projection at the end, the derivatives are those of the emitted step itself."""
    sim: Any = eomc.compile(eomc.load(name), stabilization=stabilization, functions="step_jacobian").load()
    x = sim.state() + 1e-3  # off the constraints
    _, F, G = sim.step_jacobian(0.0, x, H)
    slopes = [
        (sim.step_jacobian(0.0, x + e, H)[0] - sim.step_jacobian(0.0, x - e, H)[0]) / 2e-5 for e in 1e-5 * np.eye(6)
    ]
    np.testing.assert_allclose(F, np.stack(slopes, axis=1), atol=1e-7)
    forward, back = (sim.step_jacobian(0.0, x, H, {"tau": force})[0] for force in (1e-3, -1e-3))
    np.testing.assert_allclose(G[:, 0], (forward - back) / 2e-3, atol=1e-9)
