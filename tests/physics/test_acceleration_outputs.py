"""Outputs that hold accelerations: an accelerometer, a constraint force, filters of both, by every method."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import ModelError

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

METHODS = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t
x, q, v, u, w, F, z = dynamicsymbols("x q v u w F z")
M, m, ell, s, g, mu, tau, N_n = sympy.symbols("M m ell s g mu tau N_n")
CART, BOB, ROD, PLACE, FALL = 1.0, 0.2, 0.5, 0.3, 9.81


def cart(**more: Any) -> Any:
    """Return a pendulum on a cart, an accelerometer on its rod; its outputs are those of the textbook by hand."""
    frame = ReferenceFrame("N")
    rod = frame.orientnew("A", "Axis", (q, frame.z))
    rod.set_ang_vel(frame, u * frame.z)
    origin = Point("O")
    origin.set_vel(frame, 0)
    body = origin.locatenew("C", x * frame.x)
    body.set_vel(frame, v * frame.x)
    bob, sensor = body.locatenew("P", -ell * rod.y), body.locatenew("S", -s * rod.y)
    bob.v2pt_theory(body, frame, rod)
    sensor.v2pt_theory(body, frame, rod)
    felt = sensor.acc(frame) + g * frame.y
    outputs = {"fx": felt.dot(rod.x), "fy": felt.dot(rod.y), "a2": v.diff(t) ** 2 + u.diff(t) ** 2, "b": q.diff(t, 2)}
    given: dict[str, Any] = {
        "name": "imu",
        "inertial_frame": frame,
        "coordinates": [x, q],
        "speeds": [v, u],
        "kinematical_equations": [x.diff(t) - v, q.diff(t) - u],
        "bodies": [Particle("c", body, M), Particle("p", bob, m)],
        "gravity": -g * frame.y,
        "loads": [(body, F * frame.x)],
        "inputs": [F],
        "parameters": {M: CART, m: BOB, ell: ROD, g: FALL, s: PLACE},
        "outputs": outputs,
    }
    return eomc.Model(**given | more)


def by_hand(angle: Any, spin: Any, force: Any) -> Array:
    """Return the outputs of the cart at an angle: (M + m) v' + m l c u' = F + m l s u^2, c v' + l u' = -g s."""
    c, si = np.cos(angle), np.sin(angle)
    matrix = np.array([[CART + BOB, BOB * ROD * c], [BOB * ROD * c, BOB * ROD**2]])
    a, b = np.linalg.solve(matrix, [force + BOB * ROD * spin**2 * si, -BOB * FALL * ROD * si])
    along = a * c + PLACE * b + FALL * si
    return np.array([along, -a * si + PLACE * spin**2 + FALL * c, a * a + b * b, b])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_accelerometer(method: str, compiled: Function) -> None:
    """a - g in the axes of the rod, at the motion of that instant, in C and in the reference."""
    model = cart()
    sim, reference = compiled(model, method), eomc.reference(model, method)
    state = sim.state(coordinates={"x": 0.1, "q": 0.3}, speeds={"v": -0.4, "u": 1.2})
    expected = by_hand(0.3, 1.2, 1.5)
    assert_allclose(sim.outputs(0.0, state, inputs=[1.5]), expected, rtol=1e-12)
    assert_allclose(reference.outputs(0.0, state, inputs=[1.5]), expected, rtol=1e-11)


def test_accelerometer_is_linearized(derivative: Function) -> None:
    """C and D of an accelerometer are the slopes of its closed form."""
    model = cart()
    linear = eomc.linearize(model, at={q: 0.3, u: 1.2}, inputs=[1.5])
    assert_allclose(linear.C[:, 1], derivative(lambda angle: by_hand(angle, 1.2, 1.5), 0.3), rtol=1e-9, atol=1e-9)
    assert_allclose(linear.C[:, 3], derivative(lambda spin: by_hand(0.3, spin, 1.5), 1.2), rtol=1e-9, atol=1e-9)
    assert_allclose(linear.D[:, 0], derivative(lambda force: by_hand(0.3, 1.2, force), 1.5), rtol=1e-9, atol=1e-9)


def test_trajectory_has_accelerations(compiled: Function) -> None:
    """Every row of a simulation has the outputs of its own state."""
    sim = compiled(cart())
    run = sim.simulate(t_end=0.2, dt=0.01, x0=sim.state(coordinates={"q": 0.3}), inputs=[1.5])
    expected = [by_hand(row[1], row[3], 1.5) for row in run.x]
    assert_allclose(run.outputs, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.needs_cc
def test_emitted_program_writes_accelerations(tmp_path: Path) -> None:
    """The emitted main writes the outputs in columns of their own, each row at its state."""
    eomc.compile(cart(initial={q: 0.3})).write(tmp_path)
    subprocess.run(["make"], cwd=tmp_path, check=True, capture_output=True)
    command = ["./imu", "--t-end", "0.2", "--dt", "0.01"]
    rows = list(
        csv.DictReader(
            subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.splitlines()
        )
    )
    found = [[float(row[name]) for name in ("fx", "fy", "a2", "b")] for row in rows]
    expected = [by_hand(float(row["q"]), float(row["u"]), 0.0) for row in rows]
    assert len(rows) == 21
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_extra_state_of_an_accelerometer(method: str, compiled: Function) -> None:
    """A filter z' = (u' - z) / tau of an acceleration, and z' itself as an output."""
    model = cart(
        extra_states={z: (u.diff(t) - z) / tau},
        outputs={"z_dot": z.diff(t)},
        parameters={M: CART, m: BOB, ell: ROD, g: FALL, tau: 0.1},
    )
    sim = compiled(model, method)
    state = [*sim.state(coordinates={"q": 0.3}, speeds={"u": 1.2})[:-1], 0.25]
    expected = (by_hand(0.3, 1.2, 0.0)[3] - 0.25) / 0.1
    assert_allclose(sim.rhs(0.0, state)[-1], expected, rtol=1e-12)
    assert_allclose(sim.outputs(0.0, state), [expected], rtol=1e-12)
    reference = eomc.reference(model, method)
    assert_allclose(reference.rhs(0.0, state)[-1], expected, rtol=1e-10)
    assert_allclose(reference.outputs(0.0, state), [expected], rtol=1e-10)


def test_acceleration_that_would_move_itself() -> None:
    """A position that moves with the filter of an acceleration is refused: the acceleration would hold itself."""
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    place = origin.locatenew("P", (x + z) * frame.x)
    with pytest.raises(ModelError, match=r"z.*whose rate contains accelerations"):
        eomc.Model(
            name="loop",
            inertial_frame=frame,
            coordinates=[x],
            speeds=[v],
            bodies=[Particle("p", place, 2)],
            loads=[(place, 3 * frame.x)],
            extra_states={z: v.diff(t)},
        )


@pytest.mark.parametrize("what", ["potential_energy", "dissipation_function"])
def test_accelerations_have_no_place_in_energies(what: str) -> None:
    """u' in an energy is refused, also where an output holds the same u'."""
    frame = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(frame, 0)
    place = origin.locatenew("P", x * frame.x)
    with pytest.raises(ModelError, match=r"(energy|dissipation_function) contains .* may not be used here"):
        eomc.Model(
            name="misplaced",
            inertial_frame=frame,
            coordinates=[x],
            speeds=[v],
            bodies=[Particle("p", place, 2)],
            outputs={"a": v.diff(t)},
            **{what: v.diff(t) * x},
        )


def test_outputs_of_a_hamiltonian(compiled: Function) -> None:
    """q'' and p' of a given H = p^2 / (2 m) + k q^4 / 4 with a mass that varies, m = 1 + t: q'' = p'/m - p/m^2."""
    p = dynamicsymbols("p")
    model = eomc.from_hamiltonian(
        p**2 / (2 * (1 + t)) + q**4 / 4,
        coordinates=[q],
        momenta=[p],
        outputs={"a": q.diff(t, 2), "f": p.diff(t)},
        name="growing",
    )
    expected = [-(0.5**3) / 3 - 0.7 / 9, -(0.5**3)]
    assert_allclose(compiled(model).outputs(2.0, [0.5, 0.7]), expected, rtol=1e-13)
    assert_allclose(eomc.reference(model).outputs(2.0, [0.5, 0.7]), expected, rtol=1e-13)


@pytest.mark.parametrize("constraints", ["eliminated", "augmented", "null-space"])
@pytest.mark.parametrize("method", ["lagrange", "hamilton", "hamilton-multipliers"])
def test_accelerations_under_constraints(method: str, constraints: str) -> None:
    """A pendulum in x and y: x x'' + y y'' + v^2 = 0, and the specific force along the rod is v^2 / l + g cos."""
    y = dynamicsymbols("y")
    model = eomc.from_lagrangian(
        m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y,
        coordinates=[x, y],
        configuration_constraints=[x**2 + y**2 - ell**2],
        outputs={"felt": -(x * x.diff(t, 2) + y * (y.diff(t, 2) + g)) / ell},
        parameters={m: 0.2, g: FALL, ell: ROD},
        initial={x: 0.3, y: -0.4},
        name="xy",
    )
    sim = eomc.compile(model, method, constraints=constraints).load()
    state = sim.state(coordinates={"x": 0.3, "y": -0.4}, speeds={"x_d": 0.8, "y_d": 0.6})
    expected = 1.0 / ROD + FALL * 0.4 / ROD
    assert_allclose(sim.outputs(0.0, state), [expected], rtol=1e-11)
    assert_allclose(eomc.reference(model, method).outputs(0.0, state), [expected], rtol=1e-9)


def test_friction_as_an_output(compiled: Function) -> None:
    """A sliding block: its friction mu N and its acceleration stand in outputs; N = m g, v' = -mu g."""
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    block = origin.locatenew("B", x * frame.x)
    block.set_vel(frame, v * frame.x + w * frame.y)
    model = eomc.Model(
        name="block",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v, w],
        kinematical_equations=[x.diff(t) - v],
        auxiliary_speeds=[w],
        reactions=[N_n],
        bodies=[Particle("b", block, m)],
        gravity=-g * frame.y,
        loads=[(block, N_n * frame.y - mu * sympy.Abs(N_n) * sympy.sign(v) * frame.x)],
        outputs={"friction": mu * N_n, "a": v.diff(t), "still": w.diff(t)},
        parameters={m: 2.0, g: FALL, mu: 0.3},
    )
    expected = [0.3 * 2 * FALL, -0.3 * FALL, 0.0]
    assert_allclose(compiled(model).outputs(0.0, [0.0, 1.0]), expected, rtol=1e-13)
    assert_allclose(eomc.reference(model).outputs(0.0, [0.0, 1.0]), expected, rtol=1e-12)
