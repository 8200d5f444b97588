"""Runs by Taylor series from Python: agreement, times that are asked for, energy, inputs that have no series."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.analysis.balance import balance
from eomc.analysis.following import Followed
from eomc.errors import UnsupportedError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def build() -> eomc.Build:
    """Return a cart and pole whose runs are Taylor series."""
    return eomc.compile(eomc.load("cart_pole"), integrator="taylor")


def test_a_run_agrees_with_another_integrator(build: eomc.Build) -> None:
    """To the tolerance of both; times that are asked for move no step and lie on the same motion."""
    sim = build.load()
    ran = sim.simulate(3.0, rtol=1e-13, atol=1e-13)
    other = sim.simulate(3.0, integrator="dop853", rtol=1e-12, atol=1e-12)
    assert len(ran.t) < len(other.t) / 2
    assert ran.x[-1] == pytest.approx(other.x[-1], abs=1e-10)
    asked = sim.simulate(3.0, rtol=1e-13, atol=1e-13, t_eval=[*ran.t[::5], 3.0])
    assert np.array_equal(asked.x[:-1], ran.x[::5])
    assert np.array_equal(asked.x[-1], ran.x[-1])


def test_sampled_inputs_have_a_series(build: eomc.Build) -> None:
    """Lines between samples: the force enters the series with its rate."""
    force = eomc.Samples([0.0, 0.6, 1.1, 2.0], {"F": [0.0, 2.0, -1.0, 0.5]})
    sim = build.load()
    ran = sim.simulate(2.0, inputs=force, rtol=1e-13, atol=1e-13)
    other = sim.simulate(2.0, inputs=force, integrator="dop853", rtol=1e-12, atol=1e-12, jumps=[0.6, 1.1])
    assert {0.6, 1.1} <= set(ran.t)
    assert ran.x[-1] == pytest.approx(other.x[-1], abs=1e-10)


def test_inputs_that_are_called_are_refused(build: eomc.Build) -> None:
    """The message says what serves."""
    with pytest.raises(UsageError, match=r"function of time have no power series for taylor: give eomc\.Samples"):
        build.load().simulate(1.0, inputs=lambda t: {"F": t})


def test_the_energy_balance_is_taken_along_the_series() -> None:
    """Friction does work between the ends of steps; the balance sees it, which a run as it goes does not follow."""
    build = eomc.compile(eomc.load("dissipative_chain"), integrator="taylor")
    found = balance(build, 3.0, rtol=1e-13, atol=1e-13)
    assert found.holds
    assert abs(found.work) > 1e-2
    assert found.defect < 1e-10 * found.turnover
    assert not Followed.can(build)


def test_what_has_no_series_is_refused_from_python() -> None:
    """A kink in a model that was compiled for another integrator."""
    sim = eomc.compile(eomc.load("coulomb_bead")).load()
    with pytest.raises(UnsupportedError, match="has no power series: it has a kink"):
        sim.simulate(1.0, integrator="taylor")


def test_sums_are_compensated_from_step_to_step() -> None:
    """The energy of 100,000 short steps along an orbit errs by some units in the last place; it would by hundreds."""
    sim = eomc.compile(eomc.load("kepler"), integrator="taylor").load()
    energy = sim.simulate(500.0, rtol=2.3e-16, atol=1e-16, max_step=0.005, every=1000)["energy_hamiltonian"]
    assert np.abs(energy / energy[0] - 1.0).max() < 3e-15


def test_another_order_is_a_part_of_the_name() -> None:
    """Fewer orders take more steps to the same motion; the C, the command and other simulators know the order."""
    usual, fewer = (eomc.compile(eomc.load("kepler"), integrator=name) for name in ("taylor", "taylor:12"))
    assert "#define KEPLER_TAYLOR_ORDER 12\n" in next(one.text for one in fewer.artifacts if one.path == "kepler.h")
    runs = [build.load().simulate(2.0, rtol=1e-10, atol=1e-10) for build in (usual, fewer)]
    assert len(runs[1].t) > 1.3 * len(runs[0].t)
    assert runs[1].x[-1] == pytest.approx(runs[0].x[-1], abs=1e-8)
    same = usual.load().simulate(2.0, rtol=1e-10, atol=1e-10, integrator="taylor:12")
    assert np.array_equal(same.x, runs[1].x)
    assert [row.order for row in fewer.with_integrator("dop853,taylor:12").integrators] == [8, 12]
    for name, told in (
        ("taylor:2", "the order is a whole number from 3 to 100"),
        ("rk4:5", "the order of rk4 is 4; taylor has any"),
        ("taylor,taylor:12", "names taylor twice"),
    ):
        with pytest.raises(UsageError, match=told):
            eomc.compile(eomc.load("kepler"), integrator=name)
