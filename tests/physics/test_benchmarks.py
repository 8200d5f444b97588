"""Published benchmarks: Andrews' squeezing mechanism, the Whipple bicycle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.optimize import brentq, root

import eomc
from eomc.derivation.options import CONSTRAINTS

pytestmark = pytest.mark.needs_cc


@pytest.fixture
def andrews(published: Callable[..., Any]) -> Any:
    """Return the published entry of the squeezing mechanism."""
    return published("andrews_squeezer", "andrews_squeezing_mechanism")


@pytest.fixture
def bicycle(published: Callable[..., Any]) -> Any:
    """Return the published entry of the bicycle."""
    return published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")


# -- Andrews' squeezing mechanism --------------------------------------------------------------------------------------


def test_andrews_parameters_are_the_published_ones(andrews: Any) -> None:
    """Name by name."""
    build = eomc.compile(eomc.load("andrews_squeezer"))
    assert {one.name: one.value for one in build.program.parameters} == andrews["parameters"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
@pytest.mark.parametrize("form", CONSTRAINTS)
def test_andrews_accelerations_and_multipliers_at_the_start(method: str, form: str, andrews: Any) -> None:
    """The published 29 digits of beta'', theta'' and lambda, as far as doubles go."""
    expected, close = andrews["expected"]["t0"], {"rtol": 1e-9, "atol": 1e-7}
    simulator = eomc.compile(eomc.load("andrews_squeezer"), method, constraints=form).load()
    state = simulator.state()
    accelerations = simulator.rhs(0, state)[7:]
    np.testing.assert_allclose(accelerations, expected["qdd"], **close)
    np.testing.assert_allclose(accelerations[:2], np.array(expected["published_qdd_beta_theta"], float), **close)
    multipliers = list(simulator.multipliers(0, state).values())
    np.testing.assert_allclose(multipliers, expected["lam"], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(multipliers[:2], np.array(expected["published_lam12"], float), rtol=1e-9)


@pytest.mark.parametrize("stabilization", ["none", "baumgarte", "projection"])
def test_andrews_end_state(stabilization: str, andrews: Any) -> None:
    """At t = 0.03 s, against digits on which two integrators agree."""
    expected = andrews["end_state_recomputed"]
    simulator = eomc.compile(eomc.load("andrews_squeezer"), stabilization=stabilization).load()
    end = simulator.simulate(0.03, 1e-6, every=30_000).x[-1]
    np.testing.assert_allclose(end[:7], expected["q"], rtol=1e-10)
    np.testing.assert_allclose(end[7:], expected["qd"], rtol=1e-9)
    rates = simulator.rhs(0.03, end)[7:]
    np.testing.assert_allclose(rates, expected["qdd"], rtol=1e-6)
    multipliers = list(simulator.multipliers(0.03, end).values())
    np.testing.assert_allclose(multipliers, expected["lam"], rtol=1e-6)
    assert np.max(np.abs(simulator.constraint_residuals(0.03, end)[:6])) < (
        1e-15 if stabilization == "projection" else 1e-11
    )


def test_andrews_end_state_as_published(andrews: Any) -> None:
    """The digits of the test set, as far as they are good."""
    expected, tolerance = andrews["expected"], andrews["tolerance"]
    simulator = eomc.compile(eomc.load("andrews_squeezer"), stabilization="projection").load()
    end = simulator.simulate(expected["t"], 1e-6, every=30_000).x[-1]
    np.testing.assert_allclose(end[:7], expected["q"], rtol=tolerance["end_q_rel"])
    np.testing.assert_allclose(end[7:], expected["qd"], rtol=tolerance["end_qd_rel"])
    np.testing.assert_allclose(simulator.rhs(0.03, end)[7:], expected["qdd"], rtol=tolerance["end_qdd_rel"])
    multipliers = list(simulator.multipliers(0.03, end).values())
    np.testing.assert_allclose(multipliers, expected["lam"], rtol=tolerance["end_qdd_rel"])


# -- the bicycle -------------------------------------------------------------------------------------------------------


def test_bicycle_parameters_are_the_benchmarks(bicycle: Any) -> None:
    """Name by name."""
    build = eomc.compile(eomc.load("whipple_bicycle"))
    assert {one.name: one.value for one in build.program.parameters} == bicycle["parameters"]


def slopes(simulator: eomc.Simulator, speed: float) -> np.ndarray:
    """Return d(phi', delta', phi'', delta'')/d(phi, delta, phi', delta') by differences of fourth order."""
    places = [simulator.state_names.index(name) for name in ("phi", "delta", "uphi", "udelta")]

    def rate(z: np.ndarray) -> np.ndarray:
        state = simulator.state({"phi": z[0], "delta": z[1]}, {"uphi": z[2], "udelta": z[3], "uR": -speed / 0.3})
        return simulator.rhs(0.0, state)[places]

    h = 1e-4
    columns = [(8 * (rate(h * e) - rate(-h * e)) - (rate(2 * h * e) - rate(-2 * h * e))) / (12 * h) for e in np.eye(4)]
    return np.transpose(columns)


@pytest.mark.parametrize("form", ["eliminated", "null-space"])
def test_bicycle_eigenvalues(form: str, bicycle: Any) -> None:
    """Those of the published table for 0 to 10 m/s, to 1e-11."""
    simulator = eomc.compile(eomc.load("whipple_bicycle"), constraints=form).load()
    for row in bicycle["expected"]["eigenvalues"]:
        wanted = np.sort_complex([complex(value["re"], value["im"]) for value in row["recomputed"]])
        found = np.sort_complex(np.linalg.eigvals(slopes(simulator, row["v"])))
        np.testing.assert_allclose(found, wanted, atol=1e-11)


def test_bicycle_canonical_matrices(bicycle: Any) -> None:
    """A at 0 and 5 m/s against -M^-1 (g K0 + v^2 K2) and -M^-1 v C1 of the published M, C1, K0, K2."""
    tables = bicycle["expected"]["published_matrices"]
    M, C1, K0, K2 = (np.array(tables[name]) for name in ("M", "C1", "K0", "K2"))
    simulator = eomc.compile(eomc.load("whipple_bicycle")).load()
    for speed in (0.0, 5.0):
        found = slopes(simulator, speed)
        np.testing.assert_allclose(-M @ found[2:, :2], 9.81 * K0 + speed**2 * K2, atol=1e-9)
        np.testing.assert_allclose(-M @ found[2:, 2:], speed * C1, atol=1e-9)


def test_bicycle_rolls_upright_at_the_speed_asked_for() -> None:
    """whipple_bicycle:4 moves straight at 4 m/s; disturbed at a stable speed it rights itself and keeps its energy."""
    upright = eomc.compile(eomc.load("whipple_bicycle:4")).load()
    rates = dict(zip(upright.state_names, upright.rhs(0.0, upright.state()), strict=True))
    assert rates["x"] == pytest.approx(4.0)
    assert all(abs(value) < 1e-12 for name, value in rates.items() if name not in ("x", "theta_R", "theta_F"))
    simulator = eomc.compile(eomc.load("whipple_bicycle"), stabilization="projection").load()
    run = simulator.simulate(10.0, 2e-3, simulator.state(speeds={"uphi": 0.5}))
    total = simulator.energy(run.t, run.x)["total"]
    kinetic = simulator.energy(run.t, run.x)["kinetic"]
    assert np.max(np.abs(total - total[0])) < 1e-8 * np.max(kinetic)
    assert abs(run.x[-1, simulator.state_names.index("phi")]) < 0.1
    assert np.max(np.abs(simulator.constraint_residuals(run.t, run.x))) < 1e-12


def state_matrix(speed: float) -> np.ndarray:
    """Return A of phi, delta and their rates, rolling upright."""
    model = eomc.load(f"whipple_bicycle:{speed}")
    linear = eomc.linearize(model, at=model.initial)
    places = [linear.state_names.index(name) for name in ("phi", "delta", "uphi", "udelta")]
    return np.asarray(linear.A[np.ix_(places, places)])


@pytest.fixture(scope="module")
def upright() -> Callable[[float], np.ndarray]:
    """Return a function speed -> A, whose lower left grows as v^2 and whose lower right as v."""
    still, moving = state_matrix(0.0), state_matrix(2.0)

    def at(speed: float) -> np.ndarray:
        matrix = still + (moving - still) * (speed / 2.0)
        matrix[2:, :2] = still[2:, :2] + (moving - still)[2:, :2] * (speed / 2.0) ** 2
        return matrix

    np.testing.assert_allclose(at(5.0), state_matrix(5.0), rtol=1e-11, atol=1e-11)
    return at


def test_bicycle_state_matrix_in_published_form(upright: Callable[[float], np.ndarray], bicycle: Any) -> None:
    """The rows of phi'' and delta'' that SymPy's test prints, as functions of v."""
    _, _, text = bicycle["expected"]["state_matrix_A_published_form"].rpartition(": ")
    printed = sympy.Matrix(sympy.sympify(f"[{text.replace(' v', '*v').replace('^', '**')}]"))
    for speed in (0.0, 3.0):
        expected = np.array(printed.subs("v", speed), float)
        np.testing.assert_allclose(upright(speed)[2:], expected, rtol=1e-13, atol=1e-13)


def test_bicycle_critical_speeds(upright: Callable[[float], np.ndarray], bicycle: Any) -> None:
    """Where two real eigenvalues meet, where weave gets stable and with what frequency, where capsize gets unstable."""

    def weave(v: float) -> complex:
        """Return the eigenvalue above the real axis."""
        return max(np.linalg.eigvals(upright(v)), key=lambda z: z.imag)

    def meeting(unknown: np.ndarray) -> list[float]:
        """Return the characteristic polynomial and its slope, both zero at a double root."""
        eigenvalue, v = unknown
        polynomial = np.poly(upright(float(v)))
        return [float(np.polyval(polynomial, eigenvalue)), float(np.polyval(np.polyder(polynomial), eigenvalue))]

    weave_speed = brentq(lambda v: weave(v).real, 4.0, 4.6, xtol=1e-14)
    eigenvalue, double_root = root(meeting, [3.8, 0.7], tol=1e-13).x
    found = {
        "double_root": double_root,
        "weave": weave_speed,
        "capsize": brentq(lambda v: np.linalg.det(upright(v)), 5.5, 6.5, xtol=1e-14),
        "eigenvalue_at_double_root": eigenvalue,
        "weave_frequency_at_weave_speed": weave(weave_speed).imag,
    }
    expected = bicycle["expected"]
    for key in ("critical_speeds_published", "critical_speeds_recomputed"):
        for name, value in expected[key].items():
            assert found[name] == pytest.approx(value, rel=bicycle["tolerance"]["eigenvalues"]), name


def test_bicycle_at_rest_stands_on_its_wheels(bicycle: Any) -> None:
    """The multiplier of the front wheel's contact is the force of the ground; the rear wheel bears the rest."""
    model = eomc.load("whipple_bicycle:0")
    simulator = eomc.compile(model).load()
    multipliers = simulator.multipliers(0.0, simulator.state())
    front = multipliers["lambda_configuration_0"]  # z is down: -lambda along it is up
    p, force = bicycle["parameters"], bicycle["expected"]["static_normal_force"]
    weight = (p["mR"] + p["mB"] + p["mH"] + p["mF"]) * p["g"]
    assert front == pytest.approx(force["front"], rel=1e-12)
    assert weight - front == pytest.approx(force["rear"], rel=1e-12)
