"""Ensembles: each trajectory is what `simulate` makes of it, to the last bit, whatever stands beside it."""

from __future__ import annotations

import copy
import pickle
import signal
import subprocess
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.binding import Simulator
from eomc.binding.ensemble.progress import Progress
from eomc.binding.ensemble.result import EnsembleInterrupt
from eomc.binding.ensemble.running import blocks_of
from eomc.errors import OutputError, RunError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def simulators() -> Callable[..., Simulator]:
    """Return simulators, each loaded once."""
    made: dict[Any, Simulator] = {}

    def simulator(name: str, **options: str) -> Simulator:
        key = (name, *sorted(options.items()))
        if key not in made:
            made[key] = eomc.compile(eomc.load(name), **options).load()
        return made[key]

    return simulator


def starts(sim: Simulator, count: int, spread: float = 0.1) -> np.ndarray:
    """Return random states about the model's own."""
    return sim.initial_state + np.random.default_rng(count).uniform(-spread, spread, (count, len(sim.state_names)))


def pushed(t: float) -> dict[str, float]:
    """Return a force that changes."""
    return {"F": np.sin(3.0 * t)}


def alone(sim: Simulator, x0: np.ndarray, **options: Any) -> tuple[np.ndarray, float]:
    """Return the points of one run, and the last time before it failed; NaN where it did not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return sim.simulate(x0=x0, **options).x, np.nan
        except RunError as error:
            return error.trajectory.x, error.trajectory.t[-1]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("cart_pole", {"math": "strict"}),
        ("cart_pole", {"integrator": "semi_implicit_euler"}),
        ("rolling_disk", {"math": "strict", "real": "float"}),
        ("n_link_pendulum:5", {"integrator": "heun"}),
        ("four_bar", {"stabilization": "projection"}),
        ("double_pendulum", {"integrator": "gauss3"}),
    ],
)
def test_each_trajectory_has_the_bits_of_a_run_alone(simulators, name: str, options: dict[str, str]) -> None:
    """In lanes or one by one, 13 of them and thus some left over, with a shorter last step."""
    sim = simulators(name, **options)
    x0 = starts(sim, 13, 0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # starts are moved onto the constraints
        made = sim.ensemble(x0, t_end=0.205, dt=0.01)
    assert made.x.shape == (13, 22, len(sim.state_names))
    assert made.t[-1] == 0.205
    for k in range(13):
        np.testing.assert_array_equal(made.x[k], alone(sim, x0[k], t_end=0.205, dt=0.01)[0])
    assert not made.status.any()
    assert np.isnan(made.t_failed).all()


def test_neither_block_nor_thread_nor_processor_matters(simulators) -> None:
    """A thousand trajectories in one thread and in three, one alone, in another order, for this processor."""
    sim = simulators("cart_pole", math="strict")
    x0 = starts(sim, 1000)
    options = {"t_end": 0.3, "dt": 0.01, "keep": "last"}
    made = sim.ensemble(x0, threads=1, **options).x
    assert made.shape == (1000, 4)
    np.testing.assert_array_equal(sim.ensemble(x0, threads=3, **options).x, made)
    np.testing.assert_array_equal(sim.ensemble(x0[::-1], **options).x, made[::-1])
    np.testing.assert_array_equal(sim.ensemble(x0, native=True, **options).x, made)
    for k in (0, 127, 128, 999):
        np.testing.assert_array_equal(sim.ensemble(x0[k], **options).x, made[k : k + 1])
    assert sim.ensemble(x0[:0], **options).x.shape == (0, 4)


@pytest.mark.parametrize("name", ["rolling_disk", "rolling_disk_dependent"])
def test_trajectories_that_fail_leave_the_others_right(simulators, name: str) -> None:
    """Disks that lie flat, one that is flung out of the numbers and one without a number among 21, in any lane."""
    sim = simulators(name)
    x0 = starts(sim, 21, 0.01)
    x0[[0, 4, 13], sim.state_names.index("theta")] = 0.0
    x0[[5, 20], -1] = 1e200
    x0[7, 1] = np.nan
    options = {"t_end": 0.1, "dt": 0.01}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = sim.ensemble(x0, reduce="maximum", keep="all", **options)
    told = [str(one.message) for one in caught if "ended early" in str(one.message)]
    assert len(told) == 1
    assert f"{np.count_nonzero(made.status)} of 21 trajectories ended early: " in told[0]
    assert made.status[[0, 4, 13, 5, 20, 7]].tolist() == [1, 1, 1, 4, 4, 4]
    assert made.t_failed[7] == 0.0
    for k in set(range(21)) - {5, 7, 20}:
        if made.status[k]:
            assert made.t_failed[k] == 0.0
            constrained = name == "rolling_disk_dependent"  # such a start meets no constraints
            np.testing.assert_array_equal(made.x[k, 0], x0[k] * np.nan if constrained else x0[k])
            assert np.isnan(made.x[k, 1:]).all()
            continue
        points, _ = alone(sim, x0[k], **options)
        np.testing.assert_array_equal(made.x[k], points)
        assert made["theta", "maximum"][k] == points[:, sim.state_names.index("theta")].max()
    assert np.isnan(made.x[7]).all()
    assert np.isnan(made["theta", "maximum"][made.status != 0]).all()


def test_a_failure_on_the_way_has_its_time(simulators) -> None:
    """A pendulum pushed harder and harder diverges at the time at which it does so alone."""
    sim = simulators("cart_pole")
    x0 = starts(sim, 9)
    force = np.zeros((9, 31, 1))
    force[[2, 6], 12:] = 1e308
    with pytest.warns(RuntimeWarning, match="2 of 9 trajectories ended early: 2 diverged") as told:
        made = sim.ensemble(x0, inputs=force, t_end=0.3, dt=0.01)
    assert told[0].filename == __file__
    for k in range(9):
        points, failed = alone(sim, x0[k], inputs=force[k], t_end=0.3, dt=0.01)
        np.testing.assert_array_equal(made.x[k, : len(points)], points)
        assert np.isnan(made.x[k, len(points) :]).all()
        np.testing.assert_equal(made.t_failed[k], failed)


def test_parameters_of_each(simulators) -> None:
    """As a mapping with numbers for all and for each, and in order; those that allow no motion end at once."""
    sim = simulators("cart_pole", math="strict")
    x0 = starts(sim, 1)
    lengths = np.linspace(0.5, 1.5, 11)
    options = {"t_end": 0.2, "dt": 0.01}
    made = sim.ensemble(x0, {"l": lengths, "m": 0.4}, **options)
    assert made.parameters.shape == (11, len(sim.parameter_names))
    np.testing.assert_array_equal(sim.ensemble(x0, made.parameters, **options).x, made.x)
    for k in range(11):
        own = {"l": lengths[k], "m": 0.4}
        np.testing.assert_array_equal(made.x[k], sim.simulate(x0=x0[0], parameters=own, **options).x)
    lengths[[3, 9]] = 0.0
    with pytest.warns(RuntimeWarning, match="2 of 11 trajectories ended early: 2 singular"):
        spoilt = sim.ensemble(x0, {"l": lengths, "m": 0.4}, **options)
    assert np.flatnonzero(spoilt.status).tolist() == [3, 9]
    assert spoilt.t_failed[[3, 9]].tolist() == [0.0, 0.0]
    good = spoilt.status == 0
    np.testing.assert_array_equal(spoilt.x[good], made.x[good])


def test_the_models_own_start_follows_the_parameters(simulators) -> None:
    """Momenta of Hamilton's form are made of the masses of each trajectory."""
    sim = simulators("cart_pole", method="hamilton")
    made = sim.ensemble(parameters={"m": [0.1, 0.2, 0.3]}, t_end=0.1, dt=0.01)
    for k, mass in enumerate((0.1, 0.2, 0.3)):
        np.testing.assert_array_equal(made.x[k], sim.simulate(parameters={"m": mass}, t_end=0.1, dt=0.01).x)


def test_inputs_held_sampled_and_as_functions(simulators) -> None:
    """For all or for each: what `simulate` does with the same inputs."""
    sim = simulators("cart_pole", math="strict")
    x0, random = starts(sim, 10), np.random.default_rng(3)
    options = {"t_end": 0.1, "dt": 0.01}
    held, sampled = random.uniform(-1, 1, (10, 1)), random.uniform(-1, 1, (10, 11, 1))
    for given, of in (
        ({"F": 0.7}, lambda k: {"F": 0.7}),
        (held, lambda k: held[k]),
        (sampled, lambda k: sampled[k]),
        (sampled[:1], lambda k: sampled[0]),
        (pushed, lambda k: pushed),
    ):
        made = sim.ensemble(x0, inputs=given, **options)
        for k in range(10):
            np.testing.assert_array_equal(made.x[k], sim.simulate(x0=x0[k], inputs=of(k), **options).x)


def test_points_that_are_kept(simulators) -> None:
    """All, each fourth and the last, or the last alone."""
    sim = simulators("cart_pole", math="strict")
    x0 = starts(sim, 3)
    options = {"t_end": 0.1, "dt": 0.01}
    whole = sim.ensemble(x0, keep="all", **options)
    some = sim.ensemble(x0, keep=4, **options)
    np.testing.assert_array_equal(some.t, whole.t[[0, 4, 8, 10]])
    np.testing.assert_array_equal(some.x, whole.x[:, [0, 4, 8, 10]])
    last = sim.ensemble(x0, keep="last", **options)
    np.testing.assert_array_equal(last.x, whole.x[:, -1])
    np.testing.assert_array_equal(last["theta"], whole["theta"][:, -1])
    assert last.t.tolist() == [0.1]
    alike = sim.ensemble(x0, t_end=0.0, reduce="mean")
    np.testing.assert_array_equal(alike["theta", "mean"], x0[:, sim.state_names.index("theta")])


def test_reductions_are_those_of_all_points(simulators) -> None:
    """Minimum, maximum and mean over time of states and outputs, many calls into C or one; the last step is short."""
    sim = simulators("double_pendulum", math="strict")
    x0 = starts(sim, 11)
    options = {"t_end": 0.505, "dt": 0.01}
    names = (*sim.state_names, *sim.output_names)
    made = sim.ensemble(x0, reduce=dict.fromkeys(names, ("minimum", "maximum", "mean")), **options)
    assert made.x.shape == (11, 0, 4)  # no points
    assert made.t.shape == (0,)
    for k in range(11):
        run = sim.simulate(x0=x0[k], **options)
        for name in names:
            assert made[name, "minimum"][k] == run[name].min()
            assert made[name, "maximum"][k] == run[name].max()
            mean = np.sum(np.diff(run.t) * (run[name][1:] + run[name][:-1]) / 2) / 0.505
            assert made[name, "mean"][k] == pytest.approx(mean, rel=1e-13, abs=1e-14)


def test_reductions_do_not_depend_on_the_calls(simulators, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many steps in one call as there are, or three at a time."""
    sim = simulators("cart_pole", math="strict")
    x0, options = starts(sim, 20), {"t_end": 0.205, "dt": 0.01, "reduce": ("mean", "minimum"), "keep": 5}
    whole = sim.ensemble(x0, inputs=pushed, **options)
    monkeypatch.setattr("eomc.binding.ensemble.blocks._STEPS", 60)
    parts = sim.ensemble(x0, inputs=pushed, threads=1, **options)
    np.testing.assert_array_equal(parts.x, whole.x)
    for key in whole.reduced:
        np.testing.assert_array_equal(parts[key], whole[key])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x0": np.zeros((3, 5))}, r"x0 must have the shape \(k, 4\)"),
        ({"x0": np.zeros((3, 4)), "parameters": {"m": [1.0, 2.0]}}, "there are x0 3, parameters 2"),
        ({"parameters": {"m": [1.0, 2.0], "l": [1.0, 2.0, 3.0]}}, "parameter m 2, parameter l 3"),
        ({"parameters": {"mm": [1.0, 2.0]}}, "unknown parameter 'mm'"),
        ({"parameters": {"m": [1.0, np.nan]}}, "must be a finite number|finite"),
        ({"inputs": np.zeros((2, 3, 1))}, r"\(k, 10001, 1\), one row at each time, not \(2, 3, 1\)"),
        ({"keep": "some"}, 'keep must be "all", "last", "none" or'),
        ({"keep": 0}, "keep must be a positive whole number"),
        ({"reduce": "maximun"}, "unknown reduction 'maximun'; did you mean maximum"),
        ({"reduce": {"thet": "maximum"}}, "unknown state or output 'thet'; did you mean theta"),
        ({"reduce": {"theta": ()}}, "nothing is reduced"),
        ({"threads": 0}, "threads must be a positive whole number"),
        ({"dt": 0.0}, "dt must be a positive number"),
    ],
)
def test_what_cannot_be_meant(simulators, arguments: dict[str, Any], message: str) -> None:
    """One clear error."""
    with pytest.raises(UsageError, match=message):
        simulators("cart_pole", math="strict").ensemble(**arguments)


@pytest.mark.parametrize(("count", "workers", "lanes"), [(32, 2, 8), (5, 2, 16), (1000, 3, 16), (100_000, 2, 32)])
def test_blocks_are_whole_groups_of_lanes(count: int, workers: int, lanes: int) -> None:
    """Each trajectory is in one; few of them are shared by all workers, as far as groups are not torn."""
    blocks = blocks_of(count, workers, lanes)
    assert [first for first, _ in blocks] == [0, *(end for _, end in blocks[:-1])]
    assert blocks[-1][1] == count
    assert all((end - first) % lanes == 0 for first, end in blocks[:-1])
    assert len(blocks) >= min(workers, -(-count // lanes))
    left = blocks_of(count, workers, lanes, [(0, lanes), (2 * lanes, 3 * lanes)] if count > 3 * lanes else [])
    assert sum(end - first for first, end in left) == count - (2 * lanes if count > 3 * lanes else 0)


def test_points_that_fit_into_no_memory(simulators) -> None:
    """It is said before anything runs."""
    sim = simulators("cart_pole", math="strict")
    x0 = np.broadcast_to(sim.initial_state, (10**6, 4))
    with pytest.raises(UsageError, match="do not fit into memory; keep each n-th"):
        sim.ensemble(x0, t_end=1e6, dt=1e-3)


def test_memory_of_a_trajectory_is_that_of_its_results(simulators, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one that is reduced: 8 bytes for each reduction, 9 for status and time of failure; nothing given is copied."""
    monkeypatch.setattr("eomc.binding.ensemble.running._LARGEST", 256)  # blocks are the same for few and for many
    sim, peaks = simulators("double_pendulum", math="strict"), []
    options = {"t_end": 0.02, "dt": 0.01, "reduce": {"th1": ("maximum", "mean"), "th2": "maximum"}, "threads": 1}
    counts = (4_000, 44_000)
    many = starts(sim, counts[1])
    masses = np.linspace(0.5, 1.5, counts[1])
    for count in counts:
        sim.ensemble(many[:1024], {"m1": masses[:1024], "m2": 0.7}, **options)
        tracemalloc.start()
        made = sim.ensemble(many[:count], {"m1": masses[:count], "m2": 0.7}, **options)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert np.isfinite(made["th1", "mean"]).all()
    assert (peaks[1] - peaks[0]) / (counts[1] - counts[0]) < 3 * 8 + 9 + 4


class Interrupting:
    """Interrupts from the keyboard, when half of the steps are done."""

    def __init__(self) -> None:
        self.told: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        self.told.append(progress)
        if 0.4 < progress.done / progress.total < 0.9:
            raise KeyboardInterrupt


@pytest.mark.parametrize("cut", [0, 5])
def test_an_interrupted_ensemble_keeps_what_is_done_and_goes_on(
    simulators, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cut: int
) -> None:
    """By the file of finished blocks, the last of which was cut off by a kill, with the bytes of an undisturbed run."""
    monkeypatch.setattr("eomc.binding.ensemble.threads.PATIENCE", 1e-4)
    monkeypatch.setattr("eomc.binding.ensemble.running._LARGEST", 64)
    monkeypatch.setattr("eomc.binding.ensemble.blocks._STEPS", 64 * 20)
    sim, file = simulators("cart_pole", math="strict"), tmp_path / "runs.ckpt"
    x0, options = starts(sim, 4000), {"t_end": 2.0, "dt": 0.01, "keep": 50, "reduce": "mean"}
    whole = sim.ensemble(x0, **options)
    with pytest.raises(EnsembleInterrupt) as caught:
        sim.ensemble(x0, checkpoint=file, progress=Interrupting(), threads=2, **options)
    part = caught.value.ensemble
    finished = part.status == 0
    assert 0 < np.count_nonzero(finished) < 4000
    assert set(part.status.tolist()) == {-1, 0}
    np.testing.assert_array_equal(part.x[finished], whole.x[finished])
    assert np.isnan(part.x[~finished]).all()
    if cut:
        file.write_bytes(file.read_bytes()[:-cut])
    watcher = Interrupting()
    watcher.told = []
    resumed = sim.ensemble(x0, checkpoint=file, progress=watcher.told.append, **options)
    np.testing.assert_array_equal(resumed.x, whole.x)
    np.testing.assert_array_equal(resumed["theta", "mean"], whole["theta", "mean"])
    assert watcher.told[-1].done == watcher.told[-1].total == 4000 * 200
    again = sim.ensemble(x0, checkpoint=file, **options)  # nothing is left to do
    np.testing.assert_array_equal(again.x, whole.x)
    with pytest.raises(UsageError, match="belongs to another run: remove it"):
        sim.ensemble(x0, checkpoint=file, **{**options, "dt": 0.02})


KILLED = """
import os, signal, sys
import numpy as np
import eomc
from eomc.binding.ensemble import running, threads

running._LARGEST, threads.PATIENCE = 64, 1e-4


def kill(progress):
    if progress.done > progress.total / 2:
        os.kill(os.getpid(), signal.SIGKILL)


sim = eomc.compile(eomc.load("cart_pole"), math="strict").load()
sim.ensemble(np.load(sys.argv[1]), t_end=2.0, dt=0.01, reduce="mean", checkpoint=sys.argv[2], progress=kill)
"""


def test_a_killed_ensemble_goes_on(simulators, tmp_path: Path) -> None:
    """Half way, without a word: the same call takes up what was finished, and comes to the same bytes."""
    sim, file, states = simulators("cart_pole", math="strict"), tmp_path / "runs.ckpt", tmp_path / "x0.npy"
    x0, options = starts(sim, 4000), {"t_end": 2.0, "dt": 0.01, "reduce": "mean"}
    np.save(states, x0)
    command = [sys.executable, "-c", KILLED, str(states), str(file)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    left = file.stat().st_size
    resumed = sim.ensemble(x0, checkpoint=file, **options)
    assert left > 4000 * (4 * 8 + 9) / 3  # a third at least was finished, and is not written again
    assert file.stat().st_size < 4000 * (4 * 8 + 9) * 1.1
    whole = sim.ensemble(x0, **options)
    for key, values in whole.reduced.items():
        np.testing.assert_array_equal(resumed[key], values)
    np.testing.assert_array_equal(resumed.status, whole.status)


def test_a_checkpoint_that_is_none(simulators, tmp_path: Path) -> None:
    """A file of something else is not written over, a folder that is not there is told."""
    sim, file = simulators("cart_pole", math="strict"), tmp_path / "notes.txt"
    file.write_text("notes\n")
    with pytest.raises(UsageError, match="belongs to something else"):
        sim.ensemble(t_end=0.1, checkpoint=file)
    assert file.read_text() == "notes\n"
    with pytest.raises(OutputError, match="cannot be opened: No such file"):
        sim.ensemble(t_end=0.1, checkpoint=tmp_path / "none" / "file")
    with pytest.raises(UsageError, match=r"^checkpoint must be the name of a file, not 3$"):
        sim.ensemble(t_end=0.1, checkpoint=3)


def test_progress_is_shown(simulators, capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr, which ends when all is done."""
    simulators("cart_pole", math="strict").ensemble(t_end=0.1, dt=0.01, progress=True)
    assert capsys.readouterr().err.rpartition("\r")[2].startswith("100 %, ")


def test_results_go_to_other_processes(simulators) -> None:
    """Pickled twice and copied an ensemble is what it was, its reductions too."""
    made = simulators("cart_pole", math="strict").ensemble(
        np.full((3, 4), 0.1), t_end=0.1, dt=0.05, keep="last", reduce={"theta": "mean"}
    )
    for back in (pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(made)))), copy.deepcopy(made)):
        np.testing.assert_array_equal(back.x, made.x)
        np.testing.assert_array_equal(back["theta", "mean"], made["theta", "mean"])
        assert repr(back) == repr(made)


def test_the_first_and_the_last_point(simulators) -> None:
    """A `keep` beyond all steps leaves these two, however large it is."""
    simulator = simulators("cart_pole", math="strict")
    for keep in (2, 3, 2**63, 10**30):
        assert simulator.ensemble(t_end=0.1, dt=0.05, keep=keep).t.tolist() == [0.0, 0.1]


def test_names_of_results(simulators) -> None:
    """An unknown state or reduction is told with what there is."""
    made = simulators("cart_pole", math="strict").ensemble(t_end=0.1, dt=0.05, reduce={"theta": "mean"})
    assert "1 trajectory, 0 points each" in repr(made)
    with pytest.raises(UsageError, match="unknown state 'thet'; did you mean theta"):
        made["thet"]
    with pytest.raises(UsageError, match="unknown reduction 'theta, maximum'; did you mean theta, mean"):
        made["theta", "maximum"]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_all_c_is_clean(monkeypatch, strict: dict[str, list[str]], compiler: str) -> None:
    """A user's CFLAGS with warnings as errors break neither the private C nor what is emitted.

    Warnings of clang need no optimizer.
    """
    if compiler not in strict:
        pytest.skip(f"{compiler} is missing")
    monkeypatch.setenv("CC", compiler)
    monkeypatch.setenv("CFLAGS", " ".join([*strict["gcc"][1:], *(["-O0"] if compiler == "clang" else [])]))
    sim = eomc.compile(eomc.load("double_pendulum"), real="float", functions=["outputs"]).load()
    assert sim.ensemble(t_end=0.1, dt=0.05).x.shape == (1, 3, 4)
    assert sim.ensemble(t_end=0.1, dt=0.05, rtol=1e-4).x.shape == (1, 3, 4)
    ball = eomc.compile(eomc.load("bouncing_ball"), real="float", functions=[]).load()
    assert ball.ensemble(t_end=0.1, dt=0.05, keep="last", reduce={"bounce": "count"}).x.shape == (1, 3)


def test_held_samples_jump_at_the_ends_of_steps(simulators: Callable[..., Simulator]) -> None:
    """As in a run alone, to the last bit; within a step they are refused, for all steps are as long."""
    sim = simulators("cart_pole", math="strict")
    held = eomc.Samples([-1.0, 0.3, 0.55, 3.0], {"F": [1.0, 8.0, -4.0, 9.0]}, "held")
    runs = sim.ensemble(inputs=held, t_end=1.0, dt=0.05)
    np.testing.assert_array_equal(runs.x[0], sim.simulate(1.0, 0.05, inputs=held).x)
    with pytest.raises(UsageError, match=r"samples jump at t = 0\.55, within a step of dt = 0\.1: .*choose dt"):
        sim.ensemble(inputs=held, t_end=1.0, dt=0.1)
    own = sim.ensemble(inputs=held, t_end=1.0, dt=0.1, rtol=1e-8)
    np.testing.assert_array_equal(own.x[0, -1], sim.simulate(1.0, inputs=held, rtol=1e-8).x[-1])
    idle = eomc.Samples([0.0, 0.123], {"F": [2.0, 2.0]}, "held")
    np.testing.assert_array_equal(
        sim.ensemble(inputs=idle, t_end=1.0, dt=0.1).x[0], sim.simulate(1.0, 0.1, inputs={"F": 2.0}).x
    )


@pytest.mark.parametrize("scheme", ["rk4", "gauss3"])
def test_steps_are_counted_through_jumps(scheme: str) -> None:
    """q'' = F cos(9 t): each jump at the decimal of a grid time is there, in an ensemble as in a run alone.

    Grid times stay t0 + k dt, the bits of the state are the same with the time in the forces, and a row that is that
    before it ends no step.
    """
    q, force, t = dynamicsymbols("q"), dynamicsymbols("F"), dynamicsymbols._t
    model = eomc.from_lagrangian(
        q.diff(t) ** 2 / 2, coordinates=[q], generalized_forces={q: force * sm.cos(9 * t)}, inputs=[force], name="swept"
    )
    sim = eomc.compile(model, integrator=scheme, math="strict").load()
    decimals = [0.0, 0.3, 0.6, 0.65, 0.7]
    held = eomc.Samples(decimals, {"F": [1.0, -8.0, 3.0, 3.0, 2.0]}, "held")
    run = sim.simulate(1.0, 0.1, t0=0.0, inputs=held)
    assert run.t[:-1].tolist() == [k * 0.1 for k in range(10)] != [round(k * 0.1, 9) for k in range(10)]
    assert run.inputs[:, 0].tolist() == [1.0] * 3 + [-8.0] * 3 + [3.0] + [2.0] * 4
    runs = sim.ensemble(inputs=held, t_end=1.0, dt=0.1)
    np.testing.assert_array_equal(runs.t, run.t)
    np.testing.assert_array_equal(runs.x[0], run.x)
