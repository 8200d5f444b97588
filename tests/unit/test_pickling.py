"""Builds and simulators go to other processes and come back."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle

import numpy as np
import pytest

import eomc
from eomc.binding import Simulator
from eomc.build import Build
from eomc.errors import VerificationError
from eomc.frontends.loading import shipped_models


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", shipped_models())
def test_builds_come_back_with_the_same_bytes(name: str) -> None:
    """Model and options make the same files again; what was pickled is small."""
    model = eomc.load(name)
    integrator = "dop853,heun" if model.events else "heun"
    build = eomc.compile(
        model, model.methods[-1], math="strict", integrator=integrator, functions=["jacobian", "energy"]
    )
    data = pickle.dumps(build)
    back = pickle.loads(data)
    assert back.artifacts == build.artifacts
    assert len(data) < 40_000


def test_options_come_back() -> None:
    """Scalar type, form of the constraints and the files of a processor."""
    build = eomc.compile(eomc.load("cart_pole"), real="float", constraints="augmented", target="cortex-m4")
    back = pickle.loads(pickle.dumps(build))
    assert back.artifacts == build.artifacts
    assert back.target == build.target
    given = set(inspect.signature(eomc.compile).parameters) - {"model", "method"}
    assert set(build.__reduce__()[1][2]) == given  # an option that is new comes back, too


def test_other_versions_are_refused() -> None:
    """Where the same model gives other C, as with another SymPy, nothing else is computed in silence."""
    make, arguments = eomc.compile(eomc.load("simple_pendulum")).__reduce__()
    with pytest.raises(
        VerificationError, match=r"simple_pendulum: the C derived here, by eomc .* pickled build, by old"
    ):
        make(*arguments[:3], "old", "0" * 64)


def test_copies_are_the_same_object() -> None:
    """Nothing of a build can change, so that copies of it, and what holds it, share it."""
    build = eomc.compile(eomc.load("simple_pendulum"))
    assert copy.copy(build) is copy.deepcopy(build) is build


@pytest.fixture(scope="module")
def sim() -> Simulator:
    """Return a simulator."""
    return eomc.compile(eomc.load("cart_pole")).load()


@pytest.mark.needs_cc
def test_copies_share_the_library(sim: Simulator) -> None:
    """A copy, alone or in what holds it, computes the same, also when the first is gone."""
    held = copy.deepcopy({"sim": sim, "also": sim})
    assert held["sim"] is held["also"]
    again = pickle.loads(pickle.dumps(sim))
    x = sim.state({"theta": 0.3})
    expected = sim.rhs(0.0, x)
    for one in (copy.copy(sim), held["sim"], again):
        np.testing.assert_array_equal(one.rhs(0.0, x), expected)
    assert again.state_names == sim.state_names


@pytest.mark.needs_cc
def test_other_processes(sim: Simulator) -> None:
    """A process that was spawned, and shares nothing, gets functions and builds, and gives runs and builds back."""
    x = np.linspace(-0.5, 0.5, 12).reshape(3, 4)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        rates = pool.starmap(sim.rhs, [(0.0, row) for row in x])
        run = pool.apply(sim.simulate, (0.1, 0.01), {"inputs": {"F": 1.0}})
        build = pool.apply(Build.with_integrator, (eomc.compile(eomc.load("cart_pole")), "euler"))
    np.testing.assert_array_equal(rates, sim.rhs(0.0, x))
    np.testing.assert_array_equal(run.x, sim.simulate(0.1, 0.01, inputs={"F": 1.0}).x)
    assert build.artifacts == eomc.compile(eomc.load("cart_pole"), integrator="euler").artifacts
