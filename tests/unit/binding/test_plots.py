"""Phase pictures, sections, and dots of ensembles: what is drawn are the states that are meant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.binding import Simulator
from eomc.errors import UsageError

pytestmark = pytest.mark.needs_cc


def test_named_quantities_over_time(sim: Simulator, tmp_path: Path) -> None:
    """Names in their order, inputs and energies, too; a name with an ending is the path."""
    run = sim.simulate(1.0, 0.1, inputs={"tau": 0.3})
    figure = run.plot("omega", "tau", str(tmp_path / "x.svg"))
    assert [axis.get_ylabel().partition(" [")[0] for axis in figure.axes] == ["Speeds", "Inputs"]
    np.testing.assert_array_equal(figure.axes[0].lines[0].get_ydata(), run["omega"])
    assert (tmp_path / "x.svg").is_file()
    with pytest.raises(UsageError, match=r"unknown column 'omgea'; .*omega"):
        run.plot("omgea")
    with pytest.raises(UsageError, match="two paths"):
        run.plot(tmp_path / "x.png", path=tmp_path / "y.png")


def test_one_quantity_over_another(sim: Simulator) -> None:
    """The first is along x with its unit, the second along y."""
    run = sim.simulate(1.0, 0.1)
    (axis,) = run.plot(phase=("theta", "omega")).axes
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("theta [rad]", "omega [rad/s]")
    np.testing.assert_array_equal(axis.lines[0].get_xydata(), np.stack([run["theta"], run["omega"]], axis=1))
    for wrong in (("theta",), "theta", ("theta", "omega", "omega")):
        with pytest.raises(UsageError, match="phase= takes two names"):
            run.plot(phase=wrong)
    with pytest.raises(UsageError, match="phase= takes two names, and no others"):
        run.plot("theta", phase=("theta", "omega"))


def test_a_section_by_a_period(sim: Simulator) -> None:
    """Dots are the states at t0 + k T, also between points, the last at the end of the run."""
    run = sim.simulate(1.0, 0.01, t0=0.1)
    (axis,) = run.plot(phase=("theta", "omega"), section=0.15).axes
    expected = run(0.1 + 0.15 * np.arange(7))[:, :2]
    np.testing.assert_allclose(axis.lines[0].get_xydata(), expected, rtol=1e-12)
    assert axis.lines[0].get_linestyle() == "None"
    with pytest.raises(UsageError, match="phase"):
        run.plot(section=0.15)
    with pytest.raises(UsageError, match="power is none"):
        run.plot(phase=("theta", "power"), section=0.15)
    with pytest.raises(UsageError, match="section"):
        run.plot(phase=("theta", "omega"), section=0.0)
    with pytest.raises(UsageError, match="unknown event 'impact'"):
        run.plot(phase=("theta", "omega"), section="impact")


def test_a_section_by_an_event() -> None:
    """Dots are the states after each impact: a ball goes up as fast as its coefficient of restitution lets it."""
    sim = eomc.compile(eomc.load("bouncing_ball")).load()
    run = sim.simulate(2.0)
    (name,) = {hit.name for hit in run.events}
    (axis,) = run.plot(phase=("y", "v"), section=name).axes
    speeds = axis.lines[0].get_ydata()
    assert len(speeds) == len(run.events) > 2
    assert (speeds > 0.0).all()
    falling = np.array([hit.before[1] for hit in run.events])
    np.testing.assert_allclose(speeds, -run.parameters[sim.parameter_names.index("e")] * falling, rtol=1e-12)


def test_level_signals_are_lines() -> None:
    """The energy of a pendulum that hangs at rest has an axis of its own size, not of its last digits."""
    sim = eomc.compile(eomc.load("double_pendulum")).load()
    run = sim.simulate(1.0, x0=sim.state(coordinates={"th1": 0.0, "th2": 0.0}, speeds={"th1d": 0.0, "th2d": 0.0}))
    (axis,) = run.plot("energy_total").axes
    low, high = axis.get_ylim()
    assert high - low >= abs(run["energy_total"][0])


def test_a_bifurcation_picture(tmp_path: Path) -> None:
    """Each run's kept points after a time stand over its parameter."""
    sim = eomc.compile(eomc.load("cart_pole")).load()
    name = sim.parameter_names[0]
    values = np.linspace(0.5, 1.5, 5)
    runs = sim.ensemble(parameters={name: values}, t_end=1.0, dt=0.01, keep=10)
    figure = runs.plot("theta", "theta_d", over=name, after=0.45, path=tmp_path / "b.png")
    assert [axis.get_ylabel() for axis in figure.axes] == ["theta [rad]", "theta_d [rad/s]"]
    assert figure.axes[-1].get_xlabel() == "M [kg]"
    kept = runs.t >= 0.45
    assert 0 < kept.sum() < len(runs.t)
    dots = figure.axes[1].lines[0].get_xydata()
    np.testing.assert_array_equal(dots[:, 1], runs["theta_d"][:, kept].ravel())
    np.testing.assert_array_equal(dots[:, 0], np.repeat(values, kept.sum()))
    (axis,) = runs.plot(phase=("theta", "theta_d")).axes
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("theta [rad]", "theta_d [rad/s]")
    np.testing.assert_array_equal(axis.lines[0].get_xdata(), runs["theta"].ravel())
    assert (tmp_path / "b.png").is_file()


def test_pictures_of_ensembles_that_are_none() -> None:
    """Unknown names, no points, both or neither of what may be drawn."""
    sim = eomc.compile(eomc.load("cart_pole")).load()
    runs = sim.ensemble(t_end=0.1, dt=0.01)
    name = sim.parameter_names[0]
    for asked in ({}, {"over": name}, {"over": name, "phase": ("theta", "theta_d")}):
        with pytest.raises(UsageError, match="over="):
            runs.plot(**asked)
    with pytest.raises(UsageError, match="unknown parameter 'none'"):
        runs.plot("theta", over="none")
    with pytest.raises(UsageError, match="unknown state 'none'"):
        runs.plot("none", over=name)
    with pytest.raises(UsageError, match=r"no points are kept from t = 5 s on"):
        runs.plot("theta", over=name, after=5.0)
    with pytest.raises(UsageError, match="after must be a finite number"):
        runs.plot("theta", over=name, after="late")
