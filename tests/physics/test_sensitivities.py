"""Derivatives of motions by their starts and by parameters: of the discrete map, and of linear systems."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import sympy as sm
from numpy.testing import assert_allclose, assert_array_equal
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import StepError, UnsupportedError, UsageError
from eomc.integrators import INTEGRATORS, Integrator

pytestmark = pytest.mark.needs_cc

q, p, torque = dynamicsymbols("q p tau")
m, length, g = sm.symbols("m l g")
VALUES = np.array([1.3, 0.7, 9.81])
STEPPED = [row for row in INTEGRATORS if not row.expands]


@pytest.fixture(scope="module")
def pendulum() -> Any:
    """Return a driven pendulum, whose Hamiltonian is separable."""
    hamiltonian = p**2 / (2 * m * length**2) - m * g * length * sm.cos(q)
    model = eomc.from_hamiltonian(
        hamiltonian,
        coordinates=[q],
        momenta=[p],
        generalized_forces={q: torque},
        inputs=[torque],
        parameters=dict(zip((m, length, g), VALUES.tolist(), strict=True)),
        initial={q: 0.8, p: 0.1},
        outputs={"height": -length * sm.cos(q)},
        name="driven_pendulum",
    )
    return eomc.compile(model).load()


def drive(t: float) -> dict[str, float]:
    """Return the torque at a time."""
    return {"tau": 0.4 * np.sin(3.0 * t)}


def rates(t: float, x: Any, values: Any) -> Any:
    """Return q' and p' of the pendulum; numbers may be complex."""
    mass, rod, gravity = values
    return np.array([x[1] / (mass * rod**2), drive(t)["tau"] - mass * gravity * rod * np.sin(x[0])])


def linearly_implicit(row: Any, t: float, h: float, x: Any, values: Any) -> Any:
    """Return the end of a step of a scheme of Rosenbrock."""
    mass, rod, gravity = values
    A = np.array([[0.0, 1.0 / (mass * rod**2)], [-mass * gravity * rod * np.cos(x[0]), 0.0]])
    by_time = np.array([0.0, 1.2 * np.cos(3.0 * t)])
    found: list[Any] = []
    for a, coupled, c, d in zip(row.a, row.couplings, row.c, row.d, strict=True):
        y = x + sum(float(weight) * u for weight, u in zip(a, found, strict=True))
        pulled = sum(float(weight) * u for weight, u in zip(coupled, found, strict=True)) / h
        right = rates(t + float(c) * h, y, values) + pulled + h * float(d) * by_time
        found.append(np.linalg.solve(np.eye(2) / (h * float(row.gamma)) - A, right))
    return x + sum(float(weight) * u for weight, u in zip(row.b, found, strict=True))


def stepped(row: Any, t: float, h: float, x: Any, values: Any) -> Any:
    """Return the end of one step by the table of a scheme, written anew."""
    if row.name == "rodas5p":
        return linearly_implicit(row, t, h, x, values)
    if row.drifts:
        for i, drift in enumerate(map(float, row.drifts)):
            x = x + drift * h * rates(t, x, values) * [1, 0]
            if i < len(row.b):
                x = x + float(row.b[i]) * h * rates(t + float(row.c[i]) * h, x, values) * [0, 1]
        return x
    if getattr(row, "semi_implicit", False):
        x = x + h * rates(t, x, values) * [0, 1]
        return x + h * rates(t, x, values) * [1, 0]
    a = np.zeros((len(row.b), len(row.b)))
    for i, weights in enumerate(row.a):
        a[i, : len(weights)] = [float(weight) for weight in weights]
    slopes = np.zeros((len(row.b), 2), dtype=complex)
    for _ in range(60 if row.implicit else len(row.b)):  # an explicit scheme has all of them after as many rounds
        slopes = np.array([rates(t + float(c) * h, x + h * w @ slopes, values) for c, w in zip(row.c, a, strict=True)])
    return x + h * np.array([float(b) for b in row.b]) @ slopes


def along(row: Any, t: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return d x/d(x0, m, l, g) at the ends of steps, by complex steps through all of them."""
    found = np.empty((len(t), 2, 5))
    for j in range(5):
        start, values = x.astype(complex), VALUES.astype(complex)
        if j < 2:
            start[j] += 1e-40j
        else:
            values[j - 2] += 1e-40j
        found[0, :, j] = start.imag / 1e-40
        for k, (now, after) in enumerate(itertools.pairwise(t)):
            start = stepped(row, now, after - now, start, values)
            found[k + 1, :, j] = start.imag / 1e-40
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("integrator", STEPPED, ids=lambda row: row.name)
def test_every_scheme(integrator: Integrator, pendulum: Any) -> None:
    """They are those of the steps that were taken, each differentiated through its stages, to rounding."""
    options = {"rtol": 1e-8} if integrator.adaptive else {"dt": 0.03}
    found = pendulum.sensitivities(1.0, integrator=integrator.name, inputs=drive, **options)
    run = found.trajectory
    assert run.t[-1] == 1.0
    expected = along(integrator.row, run.t, run.x[0])
    assert_allclose(found.dx_dx0, expected[:, :, :2], rtol=1e-10, atol=1e-11)
    assert_allclose(found.dx_dp, expected[:, :, 2:], rtol=1e-10, atol=1e-11)
    plain = pendulum.simulate(1.0, integrator=integrator.name, inputs=drive, **options)
    assert_array_equal(run.x, plain.x)


def test_points(pendulum: Any) -> None:
    """Each n-th point has the derivative that it has among all; names pick columns, and the chosen ones come alone."""
    every = pendulum.sensitivities(1.0, dt=0.03)
    some = pendulum.sensitivities(1.0, dt=0.03, every=7, by=[length, "m"])
    chosen = [0, 7, 14, 21, 28, 34]
    assert_array_equal(some.trajectory.t, every.trajectory.t[chosen])
    assert_array_equal(some.dx_dx0, every.dx_dx0[chosen])
    assert some.parameters == ("l", "m")
    assert_array_equal(some["p", length], every.dx_dp[chosen, 1, 1])
    assert_array_equal(some[p, "q"], every.dx_dx0[chosen, 1, 0])
    angle = some.trajectory["q"]
    assert_allclose(some["height", "q"], 0.7 * np.sin(angle) * some["q", "q"], atol=1e-14)
    assert_allclose(some["height", "l"], 0.7 * np.sin(angle) * some["q", "l"] - np.cos(angle), atol=1e-14)
    assert some.dy_dp.shape == (6, 1, 2)
    alone = pendulum.sensitivities(0.0, by=())
    assert_array_equal(alone.dx_dx0, [np.eye(2)])
    assert alone.dx_dp.shape == (1, 2, 0)
    nothing = pendulum.sensitivities(0.0, t_eval=[], rtol=1e-8)
    assert (nothing.dx_dx0.shape, nothing.dt_dp.shape) == ((0, 2, 2), (0, 3))


def test_times_in_between(pendulum: Any) -> None:
    """At times that are asked for they are those of the motion to the tolerance, also where steps end."""
    options = {"rtol": 1e-11, "atol": 1e-11, "inputs": drive}
    ends = pendulum.sensitivities(1.0, **options)
    inner = ends.trajectory.t[5]
    found = pendulum.sensitivities(1.0, t_eval=[0.0, inner, 0.3, 0.77, 1.0], **options)
    assert_array_equal(found.dx_dp[[0, 1, 4]], ends.dx_dp[[0, 5, -1]])
    shorter = pendulum.sensitivities(0.77, **options)
    assert_allclose(found.dx_dx0[3], shorter.dx_dx0[-1], rtol=1e-9, atol=1e-9)
    assert_allclose(found.dx_dp[3], shorter.dx_dp[-1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("real", "tolerance", "options"),
    [
        ("double", 1e-10, {"rtol": 1e-12, "atol": 1e-12}),
        ("double", 1e-8, {"rtol": 1e-11, "atol": 1e-11, "integrator": "rodas5p"}),
        ("double", 1e-12, {"rtol": 1e-15, "integrator": "taylor"}),
        ("float", 2e-5, {"dt": 0.01}),
    ],
)
def test_a_linear_system(real: str, tolerance: float, options: dict[str, Any]) -> None:
    """Of x' = A x they are exp(A t) and, by k, the corner of the exponential of [A, dA/dk; 0, A] t, times x0.

    An array names its elements.
    """
    x, a = dynamicsymbols("x"), sm.IndexedBase("a")
    speed = x.diff()
    model = eomc.from_lagrangian(
        speed**2 - a[0] * x**2 / 2,
        coordinates=[x],
        generalized_forces={x: -a[1] * speed},
        parameters={a[0]: 3.0, a[1]: 0.4},
        initial={x: 1.0, speed: -0.5},
        name="linear",
    )
    found = eomc.compile(model, real=real).load().sensitivities(3.0, by="a", **options)
    A = np.array([[0.0, 1.0], [-1.5, -0.2]])
    for name, change in (("a[0]", [[0.0, 0.0], [-0.5, 0.0]]), ("a[1]", [[0.0, 0.0], [0.0, -0.5]])):
        whole = scipy.linalg.expm(3.0 * np.block([[A, np.array(change)], [np.zeros((2, 2)), A]]))
        assert_allclose(found.dx_dx0[-1], whole[:2, :2], atol=tolerance)
        by = [found["x", name][-1], found["x_d", name][-1]]
        assert_allclose(by, whole[:2, 2:] @ [1.0, -0.5], atol=tolerance)


def test_seconds_may_be_of_any_length() -> None:
    """q'' = -w^2 q over three radians by implicit steps, w from 1e-12 to 1e12 1/s: of the closed form, d q/d w too."""
    w = sm.Symbol("w")
    model = eomc.from_lagrangian(
        q.diff() ** 2 / 2 - w**2 * q**2 / 2, coordinates=[q], parameters={w: 1.0}, name="oscillator"
    )
    sim = eomc.compile(model).load()
    for rate in (1e-12, 1.0, 1e12):
        found = sim.sensitivities(
            3.0 / rate, x0=[1.0, 0.0], parameters={"w": rate}, integrator="gauss3", dt=0.03 / rate
        )
        assert_allclose(found.dx_dx0[-1, 0], [np.cos(3.0), np.sin(3.0) / rate], rtol=1e-12)
        assert_allclose(found["q", "w"][-1] * rate, -3.0 * np.sin(3.0), rtol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("rtol", "off"), [(1e-10, 3e-8), (1e-4, 3e-3)])
@pytest.mark.parametrize("integrator", ["taylor", "dop853", "dopri5", "rodas5p"])
def test_a_mass_at_rest(integrator: str, rtol: float, off: float) -> None:
    """A motion that stands still takes few steps, and its changes take theirs: exp(A t), however long those are."""
    x, stiffness, damping = dynamicsymbols("x"), *sm.symbols("k c")
    speed = x.diff()
    model = eomc.from_lagrangian(
        speed**2 / 2 - stiffness * x**2 / 2,
        coordinates=[x],
        generalized_forces={x: -damping * speed},
        parameters={stiffness: 4.0, damping: 0.3},
        name="oscillator",
    )
    sim = eomc.compile(model, integrator="taylor").load()
    found = sim.sensitivities(20.0, integrator=integrator, rtol=rtol, atol=rtol)
    assert len(found.trajectory) < 20
    flow = scipy.linalg.expm(20.0 * np.array([[0.0, 1.0], [-4.0, -0.3]]))
    assert_allclose(found.dx_dx0[-1], flow, atol=off)
    assert not found.dx_dp.any()
    with pytest.raises(
        StepError, match=r"oscillator: sensitivities: at t = .* changes of the motion need steps that are"
    ):
        sim.sensitivities(1e12, integrator=integrator)


def test_refusals(pendulum: Any) -> None:
    """What is not differentiated is named, with what to do, before the run."""
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: pendulum.sensitivities(controller=print, sample_time=1.0), UnsupportedError, "controller is called"),
        (lambda: pendulum.sensitivities(by=["mass"]), UsageError, "unknown parameter 'mass'; known are parameters, m"),
        (lambda: pendulum.sensitivities(by=3), UsageError, "by is 3: give names of parameters"),
        (lambda: pendulum.sensitivities(0.1, dt=0.1)["q"], UsageError, "give a state or output, and what"),
        (lambda: pendulum.sensitivities(follow=print), UsageError, "follow is not for sensitivities"),
        (lambda: pendulum.sensitivities(0.1, dt=0.1)["q", "x"], UsageError, "unknown state or parameter 'x'"),
        (lambda: pendulum.sensitivities(0.1, dt=0.1)["x", "q"], UsageError, "unknown state or output 'x'"),
    ]
    for call, kind, text in refused:
        with pytest.raises(kind, match=text):
            call()
    with pytest.raises(TypeError, match="no argument 'stride'"):
        pendulum.sensitivities(stride=2)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("stabilization", ["projection", "baumgarte", "none"])
def test_a_closed_loop(stabilization: str) -> None:
    """Of a four-bar linkage, against differences: whatever leaves the constraints is moved onto them at the start.

    Steps that end with a projection are differentiated through its rounds.
    """
    sim = eomc.compile(eomc.load("four_bar"), stabilization=stabilization).load()
    start, values = sim.initial_state, np.array(list(sim.parameters.values()))
    options = {"integrator": "semi_implicit_euler"} if stabilization == "none" else {}

    def end(of: np.ndarray) -> np.ndarray:
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            return sim.simulate(0.4, 0.02, x0=of[:6], parameters=of[6:], **options).x[-1]

    found = sim.sensitivities(0.4, dt=0.02, **options)
    at, h = np.concatenate([start, values]), 1e-4
    whole = np.hstack([found.dx_dx0[-1], found.dx_dp[-1]])
    for j, by in enumerate(whole.T):
        e = h * np.eye(len(at))[j]
        expected = (8 * (end(at + e) - end(at - e)) - end(at + 2 * e) + end(at - 2 * e)) / (12 * h)
        assert_allclose(by, expected, rtol=1e-8, atol=1e-10 + 1e-8 * np.abs(expected).max())
