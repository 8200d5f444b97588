"""What the tests of mechanics share: published numbers, compiled simulators, derivatives along a line."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

import eomc

Array: TypeAlias = NDArray[np.float64]

REFERENCE = Path(__file__).resolve().parents[1] / "data" / "reference"

NONHOLONOMIC = ("kane", "gibbs-appell")
HOLONOMIC = (*NONHOLONOMIC, "lagrange", "hamilton")  # bodies with as many speeds as coordinates
CLOSED = (*HOLONOMIC, "hamilton-multipliers")  # the same with configuration constraints
METHODS = {
    "bouncing_ball": HOLONOMIC,
    "simple_pendulum": HOLONOMIC,
    "double_pendulum": HOLONOMIC,
    "double_pendulum_bars": HOLONOMIC,
    "spherical_pendulum": HOLONOMIC,
    "two_masses_on_rod": HOLONOMIC,
    "rolling_cylinder": HOLONOMIC,
    "chaplygin_sleigh": NONHOLONOMIC,
    "vertical_rolling_disk": NONHOLONOMIC,
    "rolling_disk": NONHOLONOMIC,
    "rolling_disk_with_slip": HOLONOMIC,
    "n_link_pendulum": HOLONOMIC,
    "cart_pole": HOLONOMIC,
    "free_rigid_body": NONHOLONOMIC,
    "bar_on_moving_pivot": HOLONOMIC,
    "two_link_arm": HOLONOMIC,
    "dissipative_chain": HOLONOMIC,
    "thin_coin": NONHOLONOMIC,
    "rolling_disk_dependent": (*NONHOLONOMIC, "lagrange", "hamilton-multipliers"),
    "two_masses_on_rod_cartesian": CLOSED,
    "slider_crank": CLOSED,
    "slider_crank_unequal": CLOSED,
    "four_bar": CLOSED,
    "n_four_bar": CLOSED,
    "hanging_chain": CLOSED,
    "andrews_squeezer": CLOSED,
    "whipple_bicycle": (*NONHOLONOMIC, "lagrange", "hamilton-multipliers"),
    "heavy_top": HOLONOMIC,
    "snakeboard": (*NONHOLONOMIC, "lagrange", "hamilton-multipliers"),
    "coulomb_bead": NONHOLONOMIC,
    "kepler": ("hamilton",),
    "henon_heiles": ("hamilton",),
}
"""Every shipped model, and the methods that must be able to derive it."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `shipped` for every shipped model, one that takes `served` for every model and method."""
    if "shipped" in metafunc.fixturenames:
        metafunc.parametrize("shipped", METHODS)
    if "served" in metafunc.fixturenames:
        pairs = [(name, method) for name, methods in METHODS.items() for method in methods]
        metafunc.parametrize("served", pairs, ids=["-".join(pair) for pair in pairs])


@pytest.fixture(scope="session")
def methods() -> dict[str, tuple[str, ...]]:
    """Return the methods that must be able to derive each shipped model."""
    return METHODS


@functools.cache
def _entries(file: str) -> dict[str, dict[str, Any]]:
    text = (REFERENCE / f"{file}.yaml").read_text(encoding="utf-8")
    return {entry["name"]: entry for entry in yaml.safe_load(text)["entries"]}


@functools.cache
def _loaded(name: str) -> eomc.Model:
    return eomc.load(name)


@functools.cache
def _built(name: str, method: str | None) -> eomc.Build:
    model = _loaded(name)
    stabilization = "projection" if model.is_constrained else "none"
    return eomc.compile(model, method=method, stabilization=stabilization)


@functools.cache
def _shipped(name: str, method: str | None) -> Any:
    return _built(name, method).load()


@pytest.fixture(scope="session")
def published() -> Callable[[str, str], dict[str, Any]]:
    """Return a function that takes a file and an entry of it to the published numbers."""
    return lambda file, entry: _entries(file)[entry]


@pytest.fixture(scope="session")
def loaded() -> Callable[[str], eomc.Model]:
    """Return a function that takes the name of a shipped model to the model; each is made once."""
    return _loaded


@pytest.fixture(scope="session")
def built() -> Callable[..., eomc.Build]:
    """Return a function (name of a shipped model, method or None) -> Build, that of `simulator`."""
    return lambda name, method=None: _built(name, method)


@pytest.fixture(scope="session")
def simulator() -> Callable[..., Any]:
    """Return a function (name of a shipped model, method or None) -> Simulator; each is compiled once.

    Models with constraints are stepped with projection.
    """
    return lambda name, method=None: _shipped(name, method)


@pytest.fixture(scope="session")
def compiled() -> Callable[..., Any]:
    """Return a function (model, method or None) -> Simulator, for models that a test makes itself."""
    return lambda model, method=None: eomc.compile(model, method=method).load()


@pytest.fixture(scope="session")
def derivative() -> Callable[..., Array]:
    """Return a function that differentiates an array function of one variable at a point, to about twelve digits.

    Central differences of order 8; `step` must be small against the scale on which the function changes.
    """

    def differentiate(function: Callable[[float], Any], at: float = 0.0, step: float = 3e-3) -> Array:
        weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
        differences = (
            w * (np.asarray(function(at + k * step)) - np.asarray(function(at - k * step)))
            for k, w in enumerate(weights, start=1)
        )
        return np.asarray(sum(differences)) / step

    return differentiate


@pytest.fixture(scope="session")
def accelerations(derivative: Callable[..., Array]) -> Callable[..., Array]:
    """Return a function (simulator, t, x, ...) -> q'', by differentiating q' along the motion, for any method."""

    def second_derivatives(sim: Any, t: float, x: Array, **values: Any) -> Array:
        n = len(x) // 2
        rates = sim.rhs(t, x, **values)
        return derivative(lambda s: sim.rhs(t + s, x + s * rates, **values)[:n])

    return second_derivatives


@pytest.fixture(scope="session")
def jacobian(derivative: Callable[..., Array]) -> Callable[..., Array]:
    """Return a function (simulator, x, ...) -> d rhs/dx, shape (nx, nx), by central differences."""

    def of(sim: Any, x: Array, step: float = 1e-2, **values: Any) -> Array:
        units = np.eye(len(x))
        return np.column_stack([derivative(lambda s, e=e: sim.rhs(0.0, x + s * e, **values), step=step) for e in units])

    return of
