"""Every shipped model in FMI 3.0 as fmpy has it; in the stage `people`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import test_fmpy
from test_fmpy import BY_PROJECTION, FIRST_KINK, MODELS, SHORT, compare_bits, compare_builds, rows, states

import eomc
from eomc.fmu import write_fmu

fmpy = test_fmpy.fmpy  # the fixture
pytestmark = test_fmpy.pytestmark

Made = Callable[[str], tuple[eomc.Build, Path]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return a function (name of a shipped model) that writes its FMU once."""
    folder, known = tmp_path_factory.mktemp("three"), {}

    def of(name: str) -> tuple[eomc.Build, Path]:
        if name not in known:
            build = eomc.compile(eomc.load(name), integrator="rk4")
            exchange = "projection" if name in BY_PROJECTION else "baumgarte"
            known[name] = build, write_fmu(build, folder / f"{name}.fmu", fmi=3, exchange=exchange)
        return known[name]

    return of


@pytest.mark.parametrize("name", MODELS)
def test_it_is_valid_small_and_has_our_bits(fmpy: ModuleType, made: Made, name: str) -> None:
    """No remark, a small model has less than 50 kB, co-simulation to the bit."""
    build, path = made(name)
    assert fmpy.validation.validate_fmu(str(path)) == []
    if build.view.projection is None and len(build.program.states) <= 6:
        assert path.stat().st_size < 50_000
    compare_bits(fmpy, build, path, SHORT.get(name, 0.5))


@pytest.mark.parametrize("name", MODELS)
def test_model_exchange_is_the_motion(fmpy: ModuleType, made: Made, name: str) -> None:
    """CVode at 1e-9 is within 1e-4 of our run at 1e-12 after a second, or as long as that goes."""
    build, path = made(name)
    end = {**SHORT, **FIRST_KINK}.get(name, 1.0)
    result = fmpy.simulate_fmu(
        str(path), stop_time=end, output_interval=end / 100, relative_tolerance=1e-9, fmi_type="ModelExchange",
        output=states(build), record_events=False,
    )  # fmt: skip
    best = build.load().simulate(t_end=end, integrator="dop853", rtol=1e-12, atol=1e-12).x[-1]
    assert abs(rows(result, states(build))[-1] - best).max() < 1e-4


@pytest.mark.parametrize("name", MODELS)
def test_states_are_restored_and_derivatives_are_exact(fmpy: ModuleType, made: Made, tmp_path: Path, name: str) -> None:
    """By fmpy's functions: a state that was written out gives the same bits; df/dx and df/dr along and against."""
    build, path = made(name)
    described, folder = fmpy.read_model_description(str(path)), fmpy.extract(str(path), str(tmp_path))
    one = fmpy.fmi3.FMU3Slave(
        guid=described.guid, modelIdentifier=described.coSimulation.modelIdentifier, unzipDirectory=folder
    )
    one.instantiate()
    one.enterInitializationMode()
    one.exitInitializationMode()
    references = {variable.name: variable.valueReference for variable in described.modelVariables}
    x = [references[name] for name in states(build)]
    r = [variable.valueReference for variable in described.modelVariables if variable.causality == "input"]
    rates = [unknown.variable.valueReference for unknown in described.derivatives]

    def step(t: float) -> list[float]:
        one.doStep(currentCommunicationPoint=t, communicationStepSize=0.001)
        return list(one.getFloat64(x))

    step(0.0)
    state = one.getFMUState()
    written = one.serializeFMUState(state)
    ends = [step(0.001)]
    one.freeFMUState(state)
    read = one.deserializeFMUState(written)
    one.setFMUState(read)
    one.freeFMUState(read)
    now = np.array(one.getFloat64(x))
    if described.coSimulation.providesDirectionalDerivative:
        sim, rng = build.load(), np.random.default_rng(7)
        jacobian = np.hstack(sim.jacobian(0.001, now, one.getFloat64(r) if r else None))
        along, against = rng.normal(size=len(x) + len(r)), rng.normal(size=len(rates))
        sensitivity = one.getDirectionalDerivative(rates, [*x, *r], along)
        scale = 1.0 + abs(jacobian).max()
        assert abs(sensitivity - jacobian @ along).max() < 1e-10 * scale
        back = one.getAdjointDerivative(rates, [*x, *r], against, nSensitivity=len(x) + len(r))
        assert abs(back - against @ jacobian).max() < 1e-10 * scale
    ends.append(step(0.001))
    one.terminate()
    one.freeInstance()
    assert ends[0] == ends[1]


@pytest.mark.parametrize("name", MODELS)
def test_it_is_built_again_from_its_sources(
    fmpy: ModuleType, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """fmpy compiles what the description of the build lists, and the bits are the same."""
    build, path = made(name)
    compare_builds(fmpy, build, path, tmp_path, monkeypatch, 0.02)
