"""Models with constraints: as `simulate` keeps to them in co-simulation, by Baumgarte's feedback in model exchange."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from importer import MODEL_EXCHANGE, Importer
from scipy.integrate import solve_ivp

import eomc
from eomc.fmu import write_fmu

pytestmark = [pytest.mark.needs_cc, pytest.mark.importers]


@pytest.fixture(scope="module")
def projected(tmp_path_factory: pytest.TempPathFactory) -> Importer:
    """Load a loop whose steps end on the constraints."""
    folder = tmp_path_factory.mktemp("four_bar")
    build = eomc.compile(eomc.load("four_bar"), stabilization="projection")
    return Importer(write_fmu(build, folder / "four_bar.fmu"), folder)


def test_cosimulation_keeps_to_the_constraints_as_simulate_does(projected: Importer) -> None:
    """Every bit is that of a run whose steps end on the constraints."""
    one = projected.instance().initialized()
    for k in range(20):
        one.step(k * 0.01, 0.01)
    sim = eomc.compile(eomc.load("four_bar"), stabilization="projection").load()
    assert one.get(projected.states) == sim.simulate(t_end=0.2).x[-1].tolist()
    assert abs(sim.constraint_residuals(0.2, one.get(projected.states))).max() < 1e-12


def test_a_start_that_is_set_is_moved_onto_the_constraints(projected: Importer) -> None:
    """A start off the constraints is closed and the log says so; one that is left has its bits."""
    sim = eomc.compile(eomc.load("four_bar"), stabilization="projection").load()
    untouched = projected.instance().initialized()
    assert untouched.get(projected.states) == sim.state().tolist()
    first = projected.states[0]
    one = projected.instance().initialized(**{first: sim.state()[0] + 0.01})
    assert abs(sim.constraint_residuals(0.0, one.get(projected.states))).max() < 1e-12
    assert "moved onto the constraints" in one.log[0]


def test_model_exchange_is_offered_where_it_does_not_drift(projected: Importer, tmp_path: Path) -> None:
    """Without feedback there is co-simulation alone; with it, an integrator at 1e-6 stays within 1e-4 of the loop."""
    assert projected.root.find("ModelExchange") is None
    refused = projected.instance(MODEL_EXCHANGE)
    assert refused.handle is None
    assert "co-simulation alone" in refused.log[0]

    build = eomc.compile(eomc.load("four_bar"), stabilization="baumgarte")
    importer = Importer(write_fmu(build, tmp_path / "a.fmu"), tmp_path)
    one = importer.instance(MODEL_EXCHANGE).initialized()
    one.must("EnterContinuousTimeMode")
    x0 = one.get(importer.states)
    run = solve_ivp(one.rates_at, (0.0, 10.0), x0, method="LSODA", rtol=1e-6, atol=1e-6)
    sim = build.load()
    residuals = np.array([sim.constraint_residuals(t, x) for t, x in zip(run.t, run.y.T, strict=True)])
    assert abs(residuals).max() < 1e-4
