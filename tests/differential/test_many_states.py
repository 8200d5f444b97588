"""The right-hand side of many states through Python, several of them side by side where that is faster."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import eomc
from eomc.binding import Simulator
from eomc.errors import UsageError

pytestmark = pytest.mark.needs_cc


def pair(name: str, real: str = "double") -> tuple[Simulator, Simulator]:
    """Return a model that takes its states one by one, and the same with lanes."""
    model = eomc.load(name)
    return tuple(eomc.compile(model, real=real, functions=chosen).load() for chosen in ([], ["rhs_lanes"]))


def lanes_of(sim: Simulator) -> int:
    """Return how many states the library evaluates at once."""
    return int(sim._library.model.lanes)


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 16, 29])
def test_any_number_of_states(count: int, real: str) -> None:
    """None, fewer than stand side by side, some left over: each row as it is alone, with its time and inputs."""
    alone, together = pair("n_link_pendulum:5", real)
    assert (lanes_of(alone), lanes_of(together)) == (0, 8)
    random = np.random.default_rng(count)
    x = random.uniform(-1.0, 1.0, (count, 12))
    times, inputs = random.uniform(0.0, 9.0, count), random.uniform(-2.0, 2.0, (count, 1))
    for t, r in ((0.5, None), (times, {"F": 1.5}), (times, inputs)):
        rates = together.rhs(t, x, r)
        assert rates.shape == (count, 12)
        np.testing.assert_array_equal(rates, alone.rhs(t, x, r))
    rows = [together.rhs(times[k], x[k], {"F": inputs[k, 0]}) for k in range(count)]
    np.testing.assert_array_equal(together.rhs(times, x, inputs), np.reshape(rows, (count, 12)))


def test_lanes_agree_with_the_reference() -> None:
    """Thirty random states of a disk with dependent speeds, against the oracle in NumPy, with other parameters, too."""
    model = eomc.load("rolling_disk_dependent")
    sim = eomc.compile(model, functions=["rhs_lanes"]).load()
    assert lanes_of(sim) == 8
    x = sim.initial_state + np.random.default_rng(0).uniform(-0.3, 0.3, (30, len(sim.state_names)))
    for parameters in (None, {"m": 3.5}):
        expected = np.array([eomc.reference(model).rhs(0.0, row, None, parameters) for row in x])
        np.testing.assert_allclose(sim.rhs(0.0, x, None, parameters), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("flat", [[0], [7], [3, 4], [8], [17], [0, 5, 9, 18], list(range(19))])
def test_rows_that_fail(flat: list[int]) -> None:
    """Disks that lie flat, first and last in their lanes or left over: NaN, counted, the first one named."""
    alone, together = pair("rolling_disk_dependent")
    x = alone.initial_state + np.random.default_rng(1).uniform(-0.1, 0.1, (19, len(alone.state_names)))
    x[flat, alone.state_names.index("theta")] = 0.0
    found = []
    for sim in (alone, together):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append((sim.rhs(0.0, x), [str(one.message) for one in caught]))
    assert f"{len(flat)} of 19 rows" in found[0][1][0]
    assert f"row {flat[0]}:" in found[1][1][0]
    assert found[0][1] == found[1][1]
    np.testing.assert_array_equal(found[0][0], found[1][0])
    assert sorted(np.flatnonzero(np.isnan(found[1][0]).all(axis=1))) == flat


def test_short_functions_and_kernels_stay_as_they_are() -> None:
    """Where it costs more to bring states into lanes than lanes gain, Python does without; the C has the function."""
    for name in ("henon_heiles", "rolling_disk", "four_bar"):
        build = eomc.compile(eomc.load(name), functions=["rhs_lanes"])
        assert f"{name}_rhs_lanes(" in build.artifacts[0].text
        assert lanes_of(build.load()) == 0


def test_it_is_emitted_where_it_is_named() -> None:
    """Neither the usual functions nor all of one state bring it; beside all it can be had, and it is no method."""
    model = eomc.load("henon_heiles")
    for chosen in (None, "all"):
        assert "rhs_lanes" not in eomc.compile(model, functions=chosen).artifacts[0].text
    build = eomc.compile(model, functions="all,rhs_lanes")
    assert "functions=all,rhs_lanes" in build.artifacts[0].text
    assert "henon_heiles_jacobian(" in build.artifacts[0].text
    sim = build.load()
    assert "rhs_lanes" not in sim.functions
    with pytest.raises(UsageError, match="has no function 'rhs_lanes'"):
        sim.evaluate("rhs_lanes", 0.0, sim.initial_state)
    with pytest.raises(UsageError, match="did you mean rhs_lanes"):
        eomc.compile(model, functions=["rhs_lane"])
