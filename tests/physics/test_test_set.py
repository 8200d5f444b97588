"""Motions of the Test Set for IVP Solvers, against its digits and against long arithmetic by other equations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import eomc
from eomc.errors import UnsupportedError
from eomc.integrators import INTEGRATORS, Integrator

pytestmark = pytest.mark.needs_cc

MODELS = "tests/data/models"
STABILIZATIONS = ("none", "projection")


class Case(NamedTuple):
    """A motion: its model, the entry of its end, and by integrator the tolerance and the error that is allowed."""

    model: str
    entry: str
    allowed: dict[str, tuple[float, float]]


def cases() -> list[Case]:
    """Return the motions that were computed in long arithmetic."""
    return [
        Case(
            f"{MODELS}/pleiades.py",
            "pleiades_in_long_arithmetic",
            {"dop853": (1e-13, 1e-10), "taylor": (1e-15, 3e-11), "rodas5p": (1e-9, 3e-6)},
        ),
        Case(
            f"{MODELS}/car_axis.py",
            "car_axis_in_long_arithmetic",
            {"dop853": (1e-13, 2e-11), "taylor": (1e-15, 5e-13), "rodas5p": (1e-10, 1e-9)},
        ),
        Case(
            "andrews_squeezer",
            "andrews_in_long_arithmetic",
            {"dop853": (1e-13, 2e-11), "taylor": (1e-15, 1e-11), "rodas5p": (1e-10, 2e-7)},
        ),
    ]


def motions() -> list[str]:
    """Return the motions whose ends are published; that of the squeezer is the subject of `test_benchmarks`."""
    return ["pleiades", "car_axis"]


def numbers(entry: dict[str, Any], key: str) -> np.ndarray:
    """Return the numbers of an entry that are expected, as doubles."""
    return np.array([float(value) for value in entry["expected"][key]])


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.entry)
def test_ends_in_long_arithmetic(case: Case, published: Callable[..., Any], root: Any) -> None:
    """States, in units of 1 + |x|, and multipliers are those that other equations have in 50 digits."""
    entry = published("extended", case.entry)
    exact, t_end = numbers(entry, "end"), float(entry["t_end"])
    spec = str(root / case.model) if case.model.endswith(".py") else case.model
    build = eomc.compile(eomc.load(spec), integrator=",".join(case.allowed), functions=["multipliers"])
    sim = build.load()
    for scheme, (tolerance, error) in case.allowed.items():
        end = sim.simulate(t_end, integrator=scheme, rtol=tolerance, atol=tolerance, t_eval=[t_end]).x[-1]
        apart = np.abs(end - exact) / (1.0 + np.abs(exact))
        assert apart.max() < error, scheme
        if "multipliers" in entry["expected"]:
            forces = np.array(list(sim.multipliers(t_end, end).values()))
            wanted = numbers(entry, "multipliers")
            assert np.abs(forces - wanted).max() < 1e3 * error * np.abs(wanted).max(), scheme


@pytest.mark.parametrize("name", motions())
def test_long_arithmetic_has_the_published_digits(name: str, published: Callable[..., Any]) -> None:
    """As far as these are good; the constraint force is +J^T lambda there, -J^T lambda here."""
    said, found = published("test_set", name), published("extended", f"{name}_in_long_arithmetic")
    for key, sign in (("end", 1.0), ("multipliers", -1.0))[: len(said["expected"])]:
        np.testing.assert_allclose(numbers(found, key), sign * numbers(said, key), rtol=0.0, atol=said["tolerance"])


@pytest.mark.parametrize("name", motions())
def test_models_start_as_published(name: str, published: Callable[..., Any], root: Any) -> None:
    """State for state; masses are M eps^2/2."""
    entry = published("test_set", name)
    model = eomc.load(str(root / MODELS / f"{name}.py"))
    sim = eomc.compile(model, functions=[]).load()
    np.testing.assert_array_equal(sim.state(), np.concatenate(list(entry["state"].values())))
    if name == "car_axis":
        p, ours = entry["parameters"], {one.name: one.value for one in model.parameters}
        assert ours["m"] == pytest.approx(p["M"] * p["eps"] ** 2 / 2)
        assert {key: ours[key] for key in ("L", "L0", "r", "w")} == {key: p[key] for key in ("L", "L0", "r", "w")}


STEPS = {1: 65536, 2: 8192, 4: 4096, 5: 2048, 6: 512, 8: 256}
"""By order: steps to t = 3 at which errors are far from rounding and fall as the order says."""


@pytest.mark.parametrize("stabilization", STABILIZATIONS)
def test_order_under_constraints(
    stabilization: str, published: Callable[..., Any], root: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the car axis, whose constraints depend on the time, every scheme is of its order, or is refused by name."""
    monkeypatch.setenv("CFLAGS", "-std=c99 -O0 -DCAR_AXIS_TAYLOR_ORDER=6")
    model = eomc.load(str(root / MODELS / "car_axis.py"))
    exact = numbers(published("extended", "car_axis_in_long_arithmetic"), "end")
    build, served = eomc.compile(model, stabilization=stabilization, functions=[]), []
    for row in INTEGRATORS:
        try:
            build.with_integrator(row.name)
        except UnsupportedError:
            continue
        served.append(row)
    sim = build.with_integrator(",".join(row.name for row in served)).load()
    for row in served:
        order = 6 if row.expands else row.order
        errors = [np.linalg.norm(end_in_steps(sim, row, count) - exact) for count in (STEPS[order], 2 * STEPS[order])]
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15), row.name
    refused = {row.name for row in INTEGRATORS if row not in served}
    assert refused == {"verlet", "yoshida4"} | ({"gauss3", "taylor"} if stabilization == "projection" else set())


def end_in_steps(sim: Any, row: Integrator, count: int) -> np.ndarray:
    """Return x(3) after steps of one length, which an adaptive scheme takes where its tolerance allows any."""
    h = 3.0 / count
    if row.adaptive:
        loose = {"rtol": 0.5, "atol": 1e3, "first_step": h, "max_step": h, "t_eval": [3.0]}
        return np.asarray(sim.simulate(3.0, integrator=row.name, **loose).x[-1])
    return np.asarray(sim.simulate(3.0, h, integrator=row.name, every=count).x[-1])
