"""Ensembles whose blocks other processes run: by a client of Dask, or by an executor of the standard library."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.binding import Ensemble, Simulator
from eomc.binding.ensemble.blocks import BlockRunner
from eomc.binding.ensemble.progress import Progress
from eomc.binding.ensemble.result import EnsembleInterrupt
from eomc.errors import BuildError, RunError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a cache of compiled models that is empty, for this process and those that it starts."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module", params=["executor", "dask"])
def scheduler(request: pytest.FixtureRequest, cache: Path) -> Iterator[Any]:
    """Return a scheduler with two processes on this machine."""
    if request.param == "executor":
        with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            yield pool
        return
    distributed = pytest.importorskip("distributed", reason="distributed is missing: pip install 'eomc[dask]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own dependencies
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


@pytest.fixture(scope="module")
def disk() -> Simulator:
    """Return a model whose runs may fail."""
    return eomc.compile(eomc.load("rolling_disk"), math="strict").load()


@pytest.fixture(scope="module")
def x0(disk: Simulator) -> np.ndarray:
    """Return 500 starts; in one the disk lies flat, one is no state."""
    made = disk.initial_state + np.random.default_rng(1).uniform(-0.01, 0.01, (500, len(disk.state_names)))
    made[17, disk.state_names.index("theta")] = 0.0
    made[400, 1] = np.nan
    return made


OPTIONS: dict[str, Any] = {"t_end": 0.105, "dt": 0.01, "keep": 4, "reduce": ("mean", "maximum")}


@pytest.fixture(scope="module")
def expected(disk: Simulator, x0: np.ndarray) -> Ensemble:
    """Return what threads make of them."""
    with pytest.warns(RuntimeWarning, match="2 of 500 trajectories ended early"):
        return disk.ensemble(x0, **OPTIONS)


def assert_same(made: Ensemble, expected: Ensemble) -> None:
    """Compare bytes."""
    for one in ("t", "x", "status", "t_failed", "parameters"):
        np.testing.assert_array_equal(getattr(made, one), getattr(expected, one))
    for key, values in expected.reduced.items():
        np.testing.assert_array_equal(made[key], values)


@pytest.mark.filterwarnings("ignore:.*ended early")
def test_workers_make_the_same_bytes(
    disk: Simulator, x0: np.ndarray, expected: Ensemble, scheduler: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes, which compile the same C at once, failures and progress included; nothing is run here."""
    monkeypatch.setattr(BlockRunner, "run", None)
    told: list[Progress] = []
    before = set(cache.rglob("*.so"))
    monkeypatch.setenv("CFLAGS", "-O1")  # of this process: workers have an environment of their own
    assert_same(disk.ensemble(x0, scheduler=scheduler, progress=told.append, **OPTIONS), expected)
    assert told[-1].done == told[-1].total == 500 * 11
    assert len(told) > 2
    assert len(set(cache.rglob("*.so")) - before) <= 1
    assert not [*cache.rglob(".new-*")]


@pytest.mark.filterwarnings("ignore:.*ended early")
def test_an_interrupted_ensemble_goes_on_elsewhere(
    disk: Simulator,
    x0: np.ndarray,
    expected: Ensemble,
    scheduler: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C keeps the blocks that came back; threads go on from their checkpoint, and so would a scheduler."""

    def interrupting(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    monkeypatch.setattr("eomc.binding.ensemble.running._LARGEST", 8)  # more blocks than are sent at once
    file = tmp_path / "runs.ckpt"
    with pytest.raises(EnsembleInterrupt) as caught:
        disk.ensemble(x0, scheduler=scheduler, checkpoint=file, progress=interrupting, **OPTIONS)
    part = caught.value.ensemble
    done = part.status != -1
    assert 0 < np.count_nonzero(done) < 500
    np.testing.assert_array_equal(part.x[done], expected.x[done])
    assert np.isnan(part.x[~done]).all()
    size = file.stat().st_size
    assert_same(disk.ensemble(x0, checkpoint=file, **OPTIONS), expected)
    assert file.stat().st_size > size
    assert_same(disk.ensemble(x0, checkpoint=file, scheduler=scheduler, **OPTIONS), expected)  # nothing is left


def test_a_worker_that_is_lost(disk: Simulator) -> None:
    """Is told with the trajectories that it had, in one line."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(os._exit, 1)
        with pytest.raises(RunError, match="a worker of the scheduler did not run trajectories 0 to 0: BrokenProcess"):
            disk.ensemble(t_end=0.1, scheduler=pool)


def test_a_worker_without_compiler(disk: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its error is the error of the call."""
    monkeypatch.setenv("CC", "no-such-compiler")
    with ThreadPoolExecutor(1) as pool, pytest.raises(BuildError, match="CC names 'no-such-compiler'"):
        disk.ensemble(t_end=0.1, native=True, scheduler=pool)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"scheduler": "localhost:8786"},
            "a client of Dask or an executor of concurrent.futures, not 'localhost:8786'",
        ),
        ({"scheduler": ThreadPoolExecutor}, "a client of Dask or an executor of concurrent.futures, not <class"),
        ({"scheduler": object(), "threads": 2}, "threads are those of this machine"),
    ],
)
def test_what_cannot_be_meant(disk: Simulator, options: dict[str, Any], message: str) -> None:
    """One clear error."""
    with pytest.raises(UsageError, match=message):
        disk.ensemble(t_end=0.1, **options)
