"""Sensitivities of motions by power series: closed forms, and those of another scheme."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.linalg
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import dynamicsymbols

import eomc

pytestmark = pytest.mark.needs_cc

q, push = dynamicsymbols("q push")
m, length, g, k, c = sm.symbols("m l g k c")
v = q.diff()


def test_a_pendulum_in_elliptic_functions() -> None:
    """Released at q0: sin(q/2) = s cd(w t | s^2), s = sin(q0/2), w^2 = g/l; by q0 and l, at times within steps, too."""
    model = eomc.from_lagrangian(
        m * length**2 * v**2 / 2 + m * g * length * sm.cos(q),
        coordinates=[q],
        parameters={m: 1.3, length: 0.7, g: 9.81},
        initial={q: 1.2},
        name="pendulum",
    )
    times = np.array([0.31, 0.9, 2.0])
    sim = eomc.compile(model, integrator="taylor").load()
    found = sim.sensitivities(2.0, ["l", "m"], rtol=1e-15, atol=1e-15, t_eval=times)

    def angle(t: float, start: Any, rod: Any) -> Any:
        s = mpmath.sin(start / 2)
        return 2 * mpmath.asin(s * mpmath.ellipfun("cd", mpmath.sqrt(mpmath.mpf("9.81") / rod) * t, m=s**2))

    with mpmath.workdps(40):
        expected = [
            [mpmath.diff(lambda *by, t=t: angle(t, *by), (1.2, 0.7), order) for order in ((1, 0), (0, 1))]
            for t in times.tolist()
        ]
    assert_allclose(found["q", "q"], np.array(expected, dtype=float)[:, 0], rtol=2e-14)
    assert_allclose(found["q", "l"], np.array(expected, dtype=float)[:, 1], rtol=2e-14)
    assert_allclose(found["q", "m"], 0.0, atol=1e-15)  # whatever it weighs


def oscillator(**more: Any) -> Any:
    """Return a mass on a spring that may be pushed."""
    model = eomc.from_lagrangian(
        v**2 / 2 - k * q**2 / 2,
        coordinates=[q],
        generalized_forces={q: push - c * v},
        inputs=[push],
        parameters={k: 4.0, c: 0.3},
        initial={q: 0.4, v: -0.2},
        name="oscillator",
        **more,
    )
    return eomc.compile(model, integrator="taylor:12").load()


def test_inputs_between_samples() -> None:
    """With a ramp that kinks, by k: exponentials of q, v, the input and its rate, and of how q and v change."""
    sim = oscillator()
    ramp = eomc.Samples([0.0, 1.0, 2.5], {"push": [0.5, 2.0, -1.0]})
    found = sim.sensitivities(2.5, "k", inputs=ramp, rtol=1e-14, atol=1e-14)
    A = np.zeros((6, 6))  # q, v, u, u', dq, dv
    A[0, 1] = A[2, 3] = A[4, 5] = 1.0
    A[1, :3] = -4.0, -0.3, 1.0
    A[5, [0, 4, 5]] = -1.0, -4.0, -0.3
    state = np.array([0.4, -0.2, 0.5, 1.5, 0.0, 0.0])
    state = scipy.linalg.expm(A) @ state
    state[2:4] = 2.0, -2.0
    state = scipy.linalg.expm(1.5 * A) @ state
    assert_allclose(found.trajectory.x[-1], state[:2], rtol=1e-13)
    assert_allclose(found.dx_dp[-1, :, 0], state[4:], rtol=1e-12)
    flow = scipy.linalg.expm(2.5 * np.array([[0.0, 1.0], [-4.0, -0.3]]))
    assert_allclose(found.dx_dx0[-1], flow, atol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "constraints"),
    [("rolling_disk", "eliminated"), ("four_bar", "eliminated"), ("four_bar", "augmented"), ("two_link_arm", "")],
)
def test_as_by_stages(name: str, constraints: str) -> None:
    """What a scheme with stages makes of the same motion: systems of all forms are differentiated as such."""
    sim = eomc.compile(eomc.load(name), constraints=constraints or "eliminated").load()
    chosen = sim.parameter_names[:3]
    series = sim.sensitivities(0.8, chosen, integrator="taylor", rtol=1e-14, atol=1e-14)
    stages = sim.sensitivities(0.8, chosen, integrator="dop853", rtol=1e-13, atol=1e-13)
    for of in ("dx_dx0", "dx_dp", "dy_dx0", "dy_dp"):
        one, other = (getattr(found, of)[-1] for found in (series, stages))
        assert_allclose(one, other, atol=1e-11 * max(1.0, np.abs(other).max(initial=0.0)))


def test_floats() -> None:
    """In single precision, to its rounding."""
    model = eomc.load("simple_pendulum")
    single = eomc.compile(model, real="float", integrator="taylor").load().sensitivities(1.0, x0=[0.3, 0.1], rtol=1e-6)
    double = eomc.compile(model).load().sensitivities(1.0, x0=[0.3, 0.1], rtol=1e-10)
    for of in ("dx_dx0", "dx_dp"):
        one, other = (getattr(found, of)[-1] for found in (single, double))
        assert_allclose(one, other, rtol=2e-5, atol=2e-5 * np.abs(other).max())
