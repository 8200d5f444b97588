"""The same emitted C by two ways: bound to Python, and as the standalone program that a user builds without Python."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.binding import Simulator

pytestmark = pytest.mark.needs_cc

MODELS = [
    ("double_pendulum", "kane"),
    ("double_pendulum", "hamilton"),
    ("spherical_pendulum", "hamilton"),
    ("rolling_disk", "kane"),
    ("chaplygin_sleigh", "kane"),
    ("cart_pole", "lagrange"),
    ("henon_heiles", "hamilton"),
]


@pytest.fixture(params=MODELS, ids="-".join)
def build(request: pytest.FixtureRequest) -> eomc.Build:
    """Return a shipped model after the last stage of the pipeline."""
    name, method = request.param
    return eomc.compile(eomc.load(name), method)


def states(sim: Simulator, count: int) -> np.ndarray:
    """Return random states near the initial one."""
    random = np.random.default_rng(1)
    return sim.initial_state + random.uniform(-0.1, 0.1, (count, len(sim.state_names)))


def test_standalone_program_makes_the_same_motion(build: eomc.Build, tmp_path: Path) -> None:
    """The program's table is what sim.simulate returns, with parameters, initial values and a step of one's own."""
    build.write(tmp_path)
    subprocess.run(["make", "-s"], cwd=tmp_path, check=True, capture_output=True)
    sim = build.load()
    changed = {name: 1.1 * value for name, value in list(sim.parameters.items())[:1]}
    program = tmp_path / sim.name
    options = ["--t-end", "0.5", "--dt", "0.001"]
    for name, value in changed.items():
        options += ["--set", f"{name}={value!r}"]
    x0 = sim.initial_state
    done = subprocess.run([program, *options], check=True, capture_output=True, text=True)
    table = np.array([line.split(",") for line in done.stdout.splitlines()[1:]], dtype=float)
    run = sim.simulate(0.5, 1e-3, x0, parameters=changed)
    np.testing.assert_allclose(table[:, 0], run.t, rtol=1e-15)
    np.testing.assert_allclose(table[:, 1 : 1 + len(x0)], run.x, rtol=1e-12, atol=1e-13)


def test_every_function_in_both_forms(build: eomc.Build) -> None:
    """K states at once give what k calls give, for whatever functions the program has."""
    sim = build.load()
    x = states(sim, 5)
    for function in build.program.functions:
        batch = sim.evaluate(function.name, 0.5, x)
        assert batch.shape == (5, *function.shape)
        np.testing.assert_array_equal(batch, [sim.evaluate(function.name, 0.5, row) for row in x])


def test_state_of_the_defaults_is_the_initial_state(build: eomc.Build) -> None:
    """sim.state() with nothing given is the state in which the model starts."""
    sim = build.load()
    np.testing.assert_allclose(sim.state(), sim.initial_state, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("name", ["double_pendulum", "rolling_disk"])
def test_single_precision(name: str) -> None:
    """The float build agrees with the double one to single rounding."""
    model = eomc.load(name)
    double, single = eomc.compile(model).load(), eomc.compile(model, real="float").load()
    x = states(double, 20)
    expected, found = double.rhs(0.0, x), single.rhs(0.0, x)
    np.testing.assert_allclose(found, expected, atol=2e-5 * (1 + abs(expected).max()))
    assert (found != expected).any()


def test_singular_configuration_is_named() -> None:
    """A spherical pendulum at its pole: the angle about the vertical has no inertia."""
    sim = eomc.compile(eomc.load("spherical_pendulum"), "hamilton").load()
    with pytest.raises(eomc.errors.SingularSystemError, match=r"spherical_pendulum: at t = 0.5 .* singular for \w*phi"):
        sim.rhs(0.5, np.zeros(len(sim.state_names)))
    with pytest.warns(RuntimeWarning, match="1 of 3 rows is NaN"):
        sim.rhs(0.5, np.vstack([sim.initial_state, np.zeros(len(sim.state_names)), sim.initial_state]))


def test_parameters_without_inertia_are_named() -> None:
    """No mass, no motion: the message lists the parameters."""
    sim = eomc.compile(eomc.load("double_pendulum"), "kane").load()
    massless = {name: 0.0 for name in sim.parameters if name.startswith("m")}
    with pytest.raises(eomc.errors.SingularSystemError):
        sim.rhs(0.0, sim.initial_state, None, massless)
