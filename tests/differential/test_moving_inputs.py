"""A mass on a spring whose support is moved by an input with its derivatives, from Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.binding import Simulator
from eomc.errors import UsageError

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
X, V, F, R = dynamicsymbols("x v F r")
A, W = 0.3, 2.0  # amplitude and circular frequency of the support
N = ReferenceFrame("N")


@pytest.fixture(scope="module")
def sim() -> Simulator:
    """Return m x'' = F - k x - m r'', x being the length of the spring."""
    m, k = symbols("m k")
    wall, mass = Point("wall"), Point("mass")
    wall.set_vel(N, R.diff(T) * N.x)
    mass.set_pos(wall, X * N.x)
    mass.set_vel(N, (V + R.diff(T)) * N.x)
    model = eomc.Model(
        name="support",
        inertial_frame=N,
        coordinates=[X],
        speeds=[V],
        bodies=[Particle("mass", mass, m)],
        loads=[(mass, F * N.x)],
        potential_energy=k * X**2 / 2,
        parameters={m: 2.0, k: 18.0},
        inputs=[R, R.diff(T), R.diff(T, 2), F],
        outputs={"place": X + R},
    )
    return eomc.compile(model).load()


@pytest.mark.parametrize("by_symbol", [False, True])
def test_closed_form(sim: Simulator, by_symbol: bool) -> None:
    """At rest at first, x'' + w0^2 x = a w^2 sin(w t) has x = a w^2/(w0^2 - w^2) (sin(w t) - w/w0 sin(w0 t))."""
    names: list[Any] = [R, R.diff(T), R.diff(T, 2)] if by_symbol else ["r", "r_d", "r_dd"]

    def inputs(t: float) -> dict[Any, float]:
        values = (A * np.sin(W * t), A * W * np.cos(W * t), -A * W**2 * np.sin(W * t))
        return dict(zip(names, values, strict=True))

    run = sim.simulate(3.0, 1e-2, inputs=inputs)
    expected = A * W**2 / (9.0 - W**2) * (np.sin(W * run.t) - W / 3.0 * np.sin(3.0 * run.t))
    np.testing.assert_allclose(run["x"], expected, atol=1e-8)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["r"], r"inputs\(t\) returned r without r_d, r_dd at t = 0: give a signal with its time derivatives"),
        (["r", "r_dd"], r"inputs\(t\) returned r, r_dd without r_d "),
        (["F", "r_d"], r"inputs\(t\) returned r_d without r, r_dd "),
    ],
)
def test_a_signal_without_its_derivatives(sim: Simulator, given: list[str], message: str) -> None:
    """They would keep their defaults while the signal moves: what is missing is named."""
    with pytest.raises(UsageError, match=f"support: {message}"):
        sim.simulate(0.1, 1e-2, inputs=lambda t: dict.fromkeys(given, t))


def test_a_signal_that_is_not_given_rests(sim: Simulator) -> None:
    """Other inputs may be given alone; a held signal has no rates."""
    run = sim.simulate(1.0, 1e-2, inputs=lambda t: {"F": 18.0})
    np.testing.assert_allclose(run["x"], 1.0 - np.cos(3.0 * run.t), atol=1e-7)
    np.testing.assert_array_equal(sim.simulate(1.0, 1e-2, inputs={"F": 18.0, "r": 5.0}).x, run.x)
