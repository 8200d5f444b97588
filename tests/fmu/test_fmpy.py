"""Every shipped model as fmpy has it: validated, by its solvers, built from its sources; in the stage `people`."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.fmu import write_fmu
from eomc.fmu.names import structured
from eomc.frontends.loading import shipped_models

pytestmark = [pytest.mark.needs_cc, pytest.mark.importers]
MODELS = os.environ.get("EOMC_MODELS", "").split() or shipped_models()
FIRST_KINK = {  # s
    "coulomb_bead": 0.29,  # no tolerance of 1e-12 goes over what is not smooth
    "n_four_bar": 3.1,  # all its bars are in one line for the second time at 3.17 s, and our own run stops there
    "slider_crank": 6.6,  # crank and rod, of one length, lie on each other for the third time at 6.62 s, likewise
}
LOOKED_AT = {**FIRST_KINK, "andrews_squeezer": 0.08}  # s: its speeds are 1e4/s, and our own run leaves 1e-5 at 0.065 s
BY_PROJECTION = {"n_four_bar", "slider_crank"}  # at 0.71 s and 4.22 s, where that is so, too, feedback comes to its end
TIGHTER = {  # than 1e-9, at which the error of CVode, whose formulas have low order, is 20 to 400 times that of our run
    "andrews_squeezer": 1e-10,
    "hanging_chain": 1e-10,
    "slider_crank_unequal": 1e-10,
    "two_link_arm": 1e-11,
    "two_masses_on_rod": 1e-10,
    "two_masses_on_rod_cartesian": 1e-10,
}
SHORT = {"andrews_squeezer": 0.02}  # s: steps of 1 ms are too long for more
HORIZON = {"four_bar": 100.0, "slider_crank": 10.0, "slider_crank_unequal": 10.0, "andrews_squeezer": 0.1}


@pytest.fixture(scope="session")
def fmpy() -> ModuleType:
    """Import fmpy, behind what is installed already; it warns of its own dependencies."""
    sys.path.append(os.environ["EOMC_IMPORTERS"])
    with warnings.catch_warnings(action="ignore"):
        import fmpy
        import fmpy.build
        import fmpy.validation
    return fmpy


def made(name: str, folder: Path, **options: Any) -> tuple[eomc.Build, Path]:
    """Return the build and the FMU of a shipped model."""
    build = eomc.compile(eomc.load(name), **options)
    return build, write_fmu(build, folder / f"{build.model.name}.fmu")


def states(build: eomc.Build) -> list[str]:
    """Return the names of the states as the description has them."""
    return [structured(state.name) for state in build.program.states]


def rows(result: Any, names: list[str]) -> np.ndarray:
    """Return what fmpy recorded as one row for each time."""
    return np.array([result[name] for name in names]).T


def compare_bits(fmpy: ModuleType, build: eomc.Build, path: Path, end: float) -> None:
    """Make sure that communication steps of 10 ms have the bits of `simulate`."""
    result = fmpy.simulate_fmu(
        str(path), stop_time=end, step_size=0.01, output_interval=0.01, fmi_type="CoSimulation", output=states(build)
    )
    ours = build.load().simulate(t_end=end)
    places = [np.flatnonzero(abs(ours.t - t) < 1e-9)[-1] for t in result["time"]]
    assert np.array_equal(rows(result, states(build)), ours.x[places])


def compare_builds(
    fmpy: ModuleType, build: eomc.Build, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, end: float
) -> None:
    """Make sure that the library that fmpy makes of the sources has the bits of the one that was written."""
    importers = os.environ["EOMC_IMPORTERS"]
    monkeypatch.setenv(
        "PATH", f"{importers}/bin{os.pathsep}{os.environ['PATH']}"
    )  # cmake, and where its script finds it
    monkeypatch.setenv("PYTHONPATH", importers)
    again = Path(fmpy.extract(str(path), str(folder / "again")))
    shutil.rmtree(again / "binaries")
    (folder / "build").mkdir()
    fmpy.build.build_platform_binary(again, folder / "build")
    ends = [
        fmpy.simulate_fmu(str(one), stop_time=end, step_size=0.01, fmi_type="CoSimulation", output=states(build))
        for one in (path, again)
    ]
    assert np.array_equal(rows(ends[0], states(build)), rows(ends[1], states(build)))


@pytest.mark.parametrize("name", MODELS)
def test_it_is_valid_small_and_has_our_bits(fmpy: ModuleType, tmp_path: Path, name: str) -> None:
    """No remark, a small model has less than 50 kB, co-simulation to the bit."""
    build = eomc.compile(eomc.load(name), integrator="rk4")
    path = write_fmu(build, tmp_path / "a.fmu")
    assert fmpy.validation.validate_fmu(str(path)) == []
    if len(build.program.states) <= 6:
        assert path.stat().st_size < 50_000
    compare_bits(fmpy, build, path, SHORT.get(name, 0.5))


@pytest.mark.parametrize("name", MODELS)
def test_model_exchange_is_the_motion(fmpy: ModuleType, tmp_path: Path, name: str) -> None:
    """CVode at 1e-9 or less is within 1e-4 of our run at 1e-12, for 10 s or while ours at 1e-9 is within 1e-5."""
    build = eomc.compile(eomc.load(name))
    path = write_fmu(build, tmp_path / "a.fmu", exchange="projection" if name in BY_PROJECTION else "baumgarte")
    sim, end = build.load(), LOOKED_AT.get(name, 10.0)
    times = np.linspace(0.0, end, 101)

    def run(tolerance: float) -> np.ndarray:
        return sim.simulate(t_end=end, integrator="dop853", rtol=tolerance, atol=tolerance)(times)

    best, own = run(1e-12), run(1e-9)
    near = np.cumprod(abs(own - best).max(axis=1) < 1e-5).astype(bool)
    result = fmpy.simulate_fmu(
        str(path), stop_time=end, output_interval=end / 100, relative_tolerance=TIGHTER.get(name, 1e-9),
        fmi_type="ModelExchange", output=states(build), record_events=False,
    )  # fmt: skip
    there = rows(result, states(build))
    kept = min(near.sum(), len(there))
    error = abs(there[:kept] - best[:kept]).max()
    print(f"{name}: {error:.1e} over {times[kept - 1]:.2f} s, at {TIGHTER.get(name, 1e-9):g}")
    assert kept > 5
    assert error < 1e-4


@pytest.mark.parametrize("exchange", ["baumgarte", "projection"])
@pytest.mark.parametrize("name", [name for name in HORIZON if name in MODELS])
def test_loops_stay_closed_in_model_exchange(fmpy: ModuleType, tmp_path: Path, name: str, exchange: str) -> None:
    """CVode at 1e-6 with the gains that follow from the model leaves residuals below 1e-4 of the size of the loop."""
    build = eomc.compile(eomc.load(name))
    path, end = write_fmu(build, tmp_path / "a.fmu", exchange=exchange), HORIZON[name]
    result = fmpy.simulate_fmu(
        str(path), stop_time=end, output_interval=end / 200, relative_tolerance=1e-6, fmi_type="ModelExchange",
        output=states(build),
    )  # fmt: skip
    sim = build.load()
    residuals = [
        sim.constraint_residuals(t, x) for t, x in zip(result["time"], rows(result, states(build)), strict=True)
    ]
    count = len(build.equations.constraints.configuration)
    size = max(p.value for p in build.program.parameters if p.unit == "m")
    largest = abs(np.array(residuals)[:, :count]).max() / size
    print(f"{name}, {exchange}: {largest:.1e} of the loop over {end:g} s")
    assert largest < 1e-4


@pytest.mark.parametrize("name", [name for name in ("cart_pole", "four_bar") if name in MODELS])
def test_it_is_built_again_from_its_sources(
    fmpy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """fmpy compiles what the description lists, and the bits are the same."""
    build, path = made(name, tmp_path)
    compare_builds(fmpy, build, path, tmp_path, monkeypatch, 0.1)
