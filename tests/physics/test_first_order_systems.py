"""Systems of first order: extra states alone are a model, through every stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import ModelError, UnsupportedError

a, b, r = dynamicsymbols("a b r")
c, omega = sympy.symbols("c omega")


def oscillator(**more: Any) -> Any:
    """Return a' = omega b, b' = -omega a - 2 c b + r: a linear oscillator without any mechanics."""
    given: dict[str, Any] = {
        "name": "first_order",
        "extra_states": {a: omega * b, b: -omega * a - 2 * c * b + r},
        "inputs": [r],
        "parameters": {omega: 2.0, c: 0.3},
        "initial": {a: 1.0},
        "outputs": {"square": a**2 + b**2, "b_dot": b.diff()},
    }
    return eomc.Model(**given | more)


def test_extra_states_alone(compiled: Callable[..., Any]) -> None:
    """Rates and outputs are the expressions themselves; there is no energy and no mass matrix."""
    model = oscillator()
    assert model.methods == ("kane",)
    sim = compiled(model)
    assert sim.state_names == ("a", "b")
    assert_allclose(sim.rhs(0.0, [0.5, -0.7], inputs=[0.2]), [-1.4, -1.0 + 0.42 + 0.2], rtol=1e-14)
    assert_allclose(sim.outputs(0.0, [0.5, -0.7], inputs=[0.2]), [0.74, -0.38], rtol=1e-14)
    assert [function.name for function in eomc.compile(model).program.functions] == ["rhs", "outputs"]


def test_the_motion_of_extra_states(compiled: Callable[..., Any]) -> None:
    """a(t) is the closed form of the damped oscillator that starts at a = 1, b = 0."""
    run = compiled(oscillator()).simulate(t_end=2.0, dt=0.005)
    frequency = np.sqrt(4.0 - 0.09)
    expected = np.exp(-0.3 * run.t) * (np.cos(frequency * run.t) + 0.3 / frequency * np.sin(frequency * run.t))
    assert_allclose(run.x[:, 0], expected, atol=1e-9)


def test_extra_states_agree_and_are_linearized() -> None:
    """C and reference agree; A, B and the eigenvalues -c +- i sqrt(omega^2 - c^2) are those on paper."""
    for one in compare(eomc.compile(oscillator(), functions="all"), count=10):
        assert one.holds, one
    linear = eomc.linearize(oscillator(), at=[0.0, 0.0])
    assert_allclose(linear.A, [[0.0, 2.0], [-2.0, -0.6]])
    assert_allclose(linear.B, [[0.0], [1.0]])
    assert_allclose(linear.eigenvalues.imag, [-np.sqrt(3.91), np.sqrt(3.91)], rtol=1e-12)


def test_extra_states_of_a_time_of_their_own(compiled: Callable[..., Any]) -> None:
    """Without frames any symbol is the time: x' = t - x at t = 3."""
    time = sympy.Symbol("tau")
    state = sympy.Function("s")(time)
    assert_allclose(compiled(eomc.Model(name="timed", extra_states={state: time - state})).rhs(3.0, [0.5]), [2.5])


def test_what_needs_coordinates() -> None:
    """Bodies and energies without coordinates are refused, and so is any method beside the first."""
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, 0)
    mechanics: list[dict[str, Any]] = [
        {"bodies": [Particle("p", point, 1)], "inertial_frame": frame},
        {"gravity": -9 * frame.z},
        {"potential_energy": a**2},
        {"extra_states": {}, "inputs": (), "parameters": {}, "initial": {}, "outputs": {}},
    ]
    for part in mechanics:
        with pytest.raises(ModelError, match="neither coordinates nor speeds"):
            oscillator(**part)
    for refused in (eomc.compile, eomc.reference):
        with pytest.raises(UnsupportedError, match="no coordinates and no speeds"):
            refused(oscillator(), "lagrange")


@pytest.mark.parametrize("command", ["check", "equations", "stats", "simulate", "linearize"])
def test_commands_take_extra_states(command: str, eomc_command: Callable[..., Any], tmp_path: Any) -> None:
    """Every command takes a system of first order from a file."""
    path = tmp_path / "decay.py"
    path.write_text(
        "import eomc\nfrom sympy.physics.mechanics import dynamicsymbols\nz = dynamicsymbols('z')\n"
        "model = eomc.Model(name='decay', extra_states={z: -z}, initial={z: 1})\n",
        encoding="utf-8",
    )
    more = ("--t-end", "0.1") if command == "simulate" else ()
    answer = eomc_command(command, path, *more)
    assert answer.code == 0, answer.err
    assert "z" in answer.out or command in ("check", "stats")
