"""Projection as a step event of model exchange in FMI 3.0: an importer that tells of its steps stays on the loop."""

from __future__ import annotations

import numpy as np
import pytest
from importer3 import Importer3, Instance3
from scipy.integrate import DOP853

import eomc
from eomc.fmu import write_fmu

pytestmark = [pytest.mark.needs_cc, pytest.mark.importers]

VALUES_CHANGED = 3  # the place of valuesOfContinuousStatesChanged among what fmi3UpdateDiscreteStates tells


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> Importer3:
    """Load a loop whose model exchange has step events."""
    folder = tmp_path_factory.mktemp("loop")
    build = eomc.compile(eomc.load("four_bar"))
    return Importer3(write_fmu(build, folder / "a.fmu", fmi=3, exchange="projection"), folder / "x")


def run(one: Instance3, t_end: float, *, tells: bool) -> tuple[np.ndarray, list[np.ndarray]]:
    """Integrate to a time at 1e-6; return times and states at which steps end, after event mode where that was."""
    assert not any(one.discrete())
    one.must("EnterContinuousTimeMode")
    t, x = 0.0, np.array(one.get(one.importer.states))
    ts, xs = [], []
    while t < t_end:
        solver, enters = DOP853(one.rates_at, t, x, t_end, rtol=1e-6, atol=1e-6), False
        while solver.status == "running" and not enters:
            solver.step()
            t, x = solver.t, solver.y
            one.rates_at(t, x)
            if tells:
                enters, ends = one.completed()
                assert not ends
            if enters:
                one.must("EnterEventMode")
                assert one.discrete()[VALUES_CHANGED]
                one.must("EnterContinuousTimeMode")
                x = np.array(one.get(one.importer.states))
            ts.append(t)
            xs.append(x)
    return np.array(ts), xs


def test_an_importer_that_tells_of_its_steps_stays_on_the_loop(loop: Importer3) -> None:
    """To rounding, over 10 s by SciPy at 1e-6; one that does not tell leaves it, for rates are without feedback."""
    assert loop.root.find("ModelExchange").get("needsCompletedIntegratorStep") == "true"
    assert "call completedIntegratorStep after each step" in loop.root.get("description")
    assert {one.get("name") for one in loop.variables if one.get("reinit")} == set(loop.states)
    sim = eomc.compile(eomc.load("four_bar")).load()
    left = {}
    for tells in (True, False):
        ts, xs = run(Instance3(loop, "ModelExchange").initialized(), 10.0, tells=tells)
        assert len(ts) > 50
        left[tells] = max(abs(sim.constraint_residuals(t, x)).max() for t, x in zip(ts, xs, strict=True))
    assert left[True] < 1e-12
    assert left[False] > 1e-7
    best = sim.simulate(t_end=10.0, integrator="dop853", rtol=1e-12, atol=1e-12).x[-1]
    one = Instance3(loop, "ModelExchange").initialized()
    assert abs(run(one, 10.0, tells=True)[1][-1] - best).max() < 1e-2


def test_a_state_on_the_loop_needs_no_event(loop: Importer3) -> None:
    """The start is there: nothing is asked for, and in event mode nothing changes; a state beside it is moved."""
    one = Instance3(loop, "ModelExchange").initialized()
    one.discrete()
    one.must("EnterContinuousTimeMode")
    start = np.array(one.get(loop.states))
    assert one.completed() == (False, False)
    beside = start + 1e-3 * np.eye(6)[1]
    one.rates_at(0.0, beside)
    assert one.completed() == (True, False)
    assert np.array_equal(one.get(loop.states), beside)  # it is only asked for: the importer has the state
    one.must("EnterEventMode")
    assert one.discrete()[VALUES_CHANGED]
    closed = np.array(one.get(loop.states))
    sim = eomc.compile(eomc.load("four_bar")).load()
    assert abs(sim.constraint_residuals(0.0, closed)).max() < 1e-12
    assert 0.0 < abs(closed - beside).max() < 2e-3
    assert not one.discrete()[VALUES_CHANGED]
