"""Ensembles in steps that follow from a tolerance: each trajectory has its own, and the bits of a run alone."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.binding import Samples, Simulator
from eomc.errors import RunError, StepError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def cart() -> Simulator:
    """Return a model with an input, whose runs have steps of their own."""
    return eomc.compile(eomc.load("cart_pole"), math="strict", integrator="dop853").load()


def starts(sim: Simulator, count: int, spread: float = 0.5) -> np.ndarray:
    """Return random states about the model's own."""
    return sim.initial_state + np.random.default_rng(count).uniform(-spread, spread, (count, len(sim.state_names)))


OPTIONS: dict[str, Any] = {"t_end": 1.005, "rtol": 1e-9, "atol": 1e-10}


@pytest.mark.parametrize(
    ("name", "integrator", "options"),
    [
        ("double_pendulum", "dopri5", {"math": "strict", "real": "float"}),
        ("rolling_disk", "dop853", {}),  # with functions of libm
        ("four_bar", "dop853", {"stabilization": "projection"}),  # alone
        ("cart_pole", "taylor", {"math": "strict"}),
        ("cart_pole", "rodas5p", {"math": "strict"}),
    ],
)
def test_each_trajectory_has_the_bits_of_a_run_alone(name: str, integrator: str, options: dict[str, str]) -> None:
    """In lanes or one by one, 11 of them, more than there are lanes."""
    sim = eomc.compile(eomc.load(name), integrator=integrator, **options).load()
    x0 = starts(sim, 11, 0.02)
    tolerances = {**OPTIONS, "rtol": 1e-4, "atol": 1e-5} if "real" in options else OPTIONS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # starts are moved onto the constraints
        made = sim.ensemble(x0, dt=0.05, **tolerances)
        assert made.t[-1] == 1.005
        assert made.t.shape == (22,)
        for k in range(11):
            np.testing.assert_array_equal(made.x[k], sim.simulate(x0=x0[k], t_eval=made.t, **tolerances).x)
    assert not made.status.any()


def test_inputs_parameters_and_jumps(cart: Simulator) -> None:
    """Of each or of all, held or between samples; an angle out of the range of the lanes is evaluated alone."""
    x0 = starts(cart, 19)
    x0[5, cart.state_names.index("theta")] = 3e6
    lengths, held = np.linspace(0.5, 1.5, 19), np.linspace(-1.0, 1.0, 19)[:, None]
    line = Samples([0.0, 0.4, 1.0], {"F": [0.0, 1.0, -1.0]})
    steps = Samples([0.0, 0.4, 0.7], {"F": [0.0, 1.0, -1.0]}, "held")
    for given, of in ((held, lambda k: held[k]), (line, lambda k: line), (steps, lambda k: steps)):
        made = cart.ensemble(x0, {"l": lengths}, given, dt=0.1, jumps=[0.3], **OPTIONS)
        for k in range(19):
            run = cart.simulate(
                x0=x0[k], parameters={"l": lengths[k]}, inputs=of(k), t_eval=made.t, jumps=[0.3], **OPTIONS
            )
            np.testing.assert_array_equal(made.x[k], run.x)


def test_points_reductions_and_order(cart: Simulator) -> None:
    """What is kept and reduced is that of all points, whatever the order, the threads and the neighbours."""
    x0 = starts(cart, 300)
    whole = cart.ensemble(x0, dt=0.01, keep="all", reduce=("minimum", "mean"), **OPTIONS)
    some = cart.ensemble(x0[::-1], dt=0.01, keep=7, threads=3, **OPTIONS)
    kept = [*range(0, 101, 7), 101]
    np.testing.assert_array_equal(some.t, whole.t[kept])
    np.testing.assert_array_equal(some.x[::-1], whole.x[:, kept])
    np.testing.assert_array_equal(cart.ensemble(x0, keep="last", **OPTIONS).x, whole.x[:, -1])
    assert cart.ensemble(x0[:0], keep="last", **OPTIONS).x.shape == (0, 4)
    theta = whole["theta"]
    np.testing.assert_array_equal(whole["theta", "minimum"], theta.min(axis=1))
    mean = np.sum(np.diff(whole.t) * (theta[:, 1:] + theta[:, :-1]) / 2, axis=1) / 1.005
    np.testing.assert_allclose(whole["theta", "mean"], mean, rtol=1e-13, atol=1e-14)
    still = cart.ensemble(x0[:9], dt=0.01, keep="all", reduce="mean", t_end=0.0)
    np.testing.assert_array_equal(still.x[:, 0], x0[:9])
    np.testing.assert_array_equal(still["x", "mean"], x0[:9, 0])


def test_trajectories_that_fail_leave_the_others_right() -> None:
    """Disks that lie flat, one without a number and some that need more steps than they may try, in any lane."""
    sim = eomc.compile(eomc.load("rolling_disk"), integrator="dop853", math="strict").load()
    x0 = starts(sim, 29, 0.01)
    x0[[0, 4, 13], sim.state_names.index("theta")] = 0.0
    x0[7, 1] = np.nan
    x0[[9, 28], -3:] += 400.0
    with pytest.warns(RuntimeWarning, match="29 trajectories ended early: 3 singular, 1 diverged, 2 tried too many"):
        made = sim.ensemble(x0, dt=0.01, max_steps=300, **OPTIONS)
    assert made.status[[0, 4, 13, 7, 9, 28]].tolist() == [1, 1, 1, 4, 6, 6]
    assert made.t_failed[[0, 4, 13, 7]].tolist() == [0.0] * 4
    np.testing.assert_array_equal(made.x[0, 0], x0[0])
    assert np.isnan(made.x[0, 1:]).all()
    assert np.isnan(made.x[7]).all()
    for k in range(29):
        if made.status[k] == 6:
            with pytest.raises(StepError) as caught:
                sim.simulate(x0=x0[k], max_steps=300, **OPTIONS)
            assert made.t_failed[k] == caught.value.trajectory.t[-1]
            assert np.isnan(made.x[k, made.t > made.t_failed[k]]).all()
            assert np.isfinite(made.x[k, made.t <= made.t_failed[k]]).all()
        elif made.status[k] == 0:
            np.testing.assert_array_equal(made.x[k], sim.simulate(x0=x0[k], t_eval=made.t, **OPTIONS).x)


def test_the_models_own_integrator_and_tolerances() -> None:
    """A tolerance alone means dop853, as in `simulate`; what a scheme does not take is refused."""
    sim = eomc.compile(eomc.load("cart_pole"), math="strict").load()
    x0 = starts(sim, 2)
    made = sim.ensemble(x0, t_end=0.5, dt=0.1, rtol=1e-6)
    for k in range(2):
        np.testing.assert_array_equal(made.x[k], sim.simulate(0.5, x0=x0[k], rtol=1e-6, t_eval=made.t).x)
    for options, message in (
        ({"integrator": "rk4", "rtol": 1e-6}, "rtol is not for rk4, whose steps are fixed"),
        ({"max_step": 0.1}, "max_step is not for rk4"),
        ({"rtol": -1.0}, "rtol must be above zero"),
        ({"rtol": 1e-6, "inputs": np.zeros((2, 6, 1))}, "in adaptive steps need their times: eomc.Samples"),
    ):
        with pytest.raises(UsageError, match=message):
            sim.ensemble(x0, t_end=0.5, dt=0.1, **options)


def test_a_checkpoint_belongs_to_its_tolerance(cart: Simulator, tmp_path: Path) -> None:
    """A run that was stopped goes on to the same bytes; with another tolerance it is another run."""
    x0, file = starts(cart, 500), tmp_path / "runs.ckpt"
    whole = cart.ensemble(x0, dt=0.1, **OPTIONS)

    def interrupting(progress: Any) -> None:
        if progress.done:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eomc.binding.ensemble.threads.PATIENCE", 1e-4)
        patch.setattr("eomc.binding.ensemble.running._LARGEST", 16)
        with pytest.raises(KeyboardInterrupt):
            cart.ensemble(x0, dt=0.1, checkpoint=file, progress=interrupting, **OPTIONS)
    np.testing.assert_array_equal(cart.ensemble(x0, dt=0.1, checkpoint=file, **OPTIONS).x, whole.x)
    with pytest.raises(UsageError, match="belongs to another run"):
        cart.ensemble(x0, dt=0.1, checkpoint=file, **{**OPTIONS, "atol": 1e-9})


def test_a_failure_is_that_of_a_run_alone(cart: Simulator) -> None:
    """A force beyond the numbers ends a trajectory at once, and a run alone."""
    x0, force = starts(cart, 9), np.zeros((9, 1))
    force[3] = 1e308
    with pytest.warns(RuntimeWarning, match="1 of 9 trajectories ended early"):
        made = cart.ensemble(x0, inputs=force, dt=0.1, **OPTIONS)
    with pytest.raises(RunError) as caught:
        cart.simulate(x0=x0[3], inputs=force[3], **OPTIONS)
    assert (
        type(caught.value).__name__ == {1: "SingularSystemError", 4: "DivergenceError", 5: "StepError"}[made.status[3]]
    )
    assert np.isfinite(made.x[[0, 1, 2, 4, 5, 6, 7, 8]]).all()
