"""Published benchmarks: Andrews' squeezing mechanism, the Whipple bicycle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

import eomc
from eomc.derivation.options import CONSTRAINTS

pytestmark = pytest.mark.needs_cc

REFERENCE = Path(__file__).parents[1] / "data" / "reference"


def entry(name: str) -> dict:
    """Return the only entry of a table."""
    return yaml.safe_load((REFERENCE / f"{name}.yaml").read_text(encoding="utf-8"))["entries"][0]


# -- Andrews' squeezing mechanism --------------------------------------------------------------------------------------


def test_andrews_parameters_are_the_published_ones() -> None:
    """Name by name."""
    build = eomc.compile(eomc.load("andrews_squeezer"))
    assert {one.name: one.value for one in build.program.parameters} == entry("andrews_squeezer")["parameters"]


@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
@pytest.mark.parametrize("form", CONSTRAINTS)
def test_andrews_accelerations_and_multipliers_at_the_start(method: str, form: str) -> None:
    """The published 29 digits of beta'', theta'' and lambda, as far as doubles go."""
    expected = entry("andrews_squeezer")["expected"]["t0"]
    simulator = eomc.compile(eomc.load("andrews_squeezer"), method, constraints=form).load()
    state = simulator.state()
    np.testing.assert_allclose(simulator.rhs(0, state)[7:], expected["qdd"], rtol=1e-9, atol=1e-7)
    multipliers = list(simulator.multipliers(0, state).values())
    np.testing.assert_allclose(multipliers, expected["lam"], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("stabilization", ["none", "baumgarte", "projection"])
def test_andrews_end_state(stabilization: str) -> None:
    """At t = 0.03 s, against digits on which two integrators agree."""
    expected = entry("andrews_squeezer")["end_state_recomputed"]
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


# -- the bicycle -------------------------------------------------------------------------------------------------------


def test_bicycle_parameters_are_the_benchmarks() -> None:
    """Name by name."""
    build = eomc.compile(eomc.load("whipple_bicycle"))
    assert {one.name: one.value for one in build.program.parameters} == entry("bicycle_whipple")["parameters"]


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
def test_bicycle_eigenvalues(form: str) -> None:
    """Those of the published table for 0 to 10 m/s, to 1e-11."""
    simulator = eomc.compile(eomc.load("whipple_bicycle"), constraints=form).load()
    for row in entry("bicycle_whipple")["expected"]["eigenvalues"]:
        wanted = np.sort_complex([complex(value["re"], value["im"]) for value in row["recomputed"]])
        found = np.sort_complex(np.linalg.eigvals(slopes(simulator, row["v"])))
        np.testing.assert_allclose(found, wanted, atol=1e-11)


def test_bicycle_canonical_matrices() -> None:
    """A at 0 and 5 m/s against -M^-1 (g K0 + v^2 K2) and -M^-1 v C1 of the published M, C1, K0, K2."""
    tables = entry("bicycle_whipple")["expected"]["published_matrices"]
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
