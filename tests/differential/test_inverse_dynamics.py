"""Inverse dynamics of every shipped model: the reference moves as it says, and agrees with it."""

from __future__ import annotations

import pkgutil
from typing import Any

import numpy as np
import pytest

import eomc
import eomc.models
from eomc.analysis.agreement import CONDITION_LIMIT, compare
from eomc.errors import UnsupportedError
from eomc.reference.constraints import constrained

pytestmark = pytest.mark.needs_cc

MODELS = sorted(module.name for module in pkgutil.iter_modules(eomc.models.__path__))
FUNCTIONS = ("inverse_dynamics", "gravity_forces", "coriolis_forces")


def built(model: eomc.Model, method: str, along: tuple[str, ...] = ()) -> eomc.Build | None:
    """Return a build with forces along all speeds, the independent ones or those named; None for what is refused."""
    functions = [":".join(("inverse_dynamics", *along)), *FUNCTIONS[1:]]
    why = ""
    try:
        return eomc.compile(model, method, functions=functions)
    except UnsupportedError as error:
        why = str(error)
    if "constraints bear forces" not in why:
        assert "follow the reactions" in why or "does not tell gravity" in why
        return None
    second = [state.name for state in eomc.compile(model, method).program.states[len(model.coordinates) :]]
    names = second if method in ("kane", "gibbs-appell") else [f"{q.func}_d" for q in model.coordinates]
    return built(model, method, tuple(names[: len(second)]))


def moved(balance: Any, forces: Any) -> Any:
    """Return the accelerations (k, n) of the reference under further generalized forces (k, n)."""
    return constrained(balance.matrix, balance.forcing + forces, balance.jacobian, balance.wanted)[0]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", MODELS)
def test_the_reference_moves_so(name: str) -> None:
    """With tau as further forces its accelerations are those asked for, to 1e-12 times the condition number.

    Along all speeds tau of least norm moves nothing that the constraints hold: J tau = 0.
    """
    model = eomc.load(name)
    for method in (model.methods[0], model.methods[-1]):
        build = built(model, method)
        if build is None:
            continue
        (torques,) = (one for one in build.program.functions if one.name == "inverse_dynamics")
        shares = model.is_constrained and len(torques.outputs) == len(build.program.accelerations)
        agreements = [one for one in compare(build, 4, seed=2) if one.function != "inverse_dynamics" or not shares]
        assert all(one.holds for one in agreements), method
        sim, reference, generator = build.load(), eomc.reference(model, method), np.random.default_rng(4)
        x = reference.random_state(generator, 5, 0.4)
        condition = reference.condition(0.4, x)
        x, condition = x[condition < CONDITION_LIMIT], condition[condition < CONDITION_LIMIT]
        inputs = generator.uniform(-1.0, 1.0, (len(x), len(model.inputs)))
        wanted = reference.random_accelerations(generator, 0.4, x, inputs)
        found = sim.inverse_dynamics(0.4, x, wanted, inputs)
        rates = [variable.name for variable in build.program.accelerations]
        forces = np.zeros_like(wanted)
        speeds = [rate[:-1] if rate.endswith("_dd") else rate[:-2] for rate in rates]
        for key, values in found.items():
            forces[:, speeds.index(key.removeprefix("tau_"))] = values
        balance = reference._method.balance(reference._evaluation.instant(0.4, x, inputs, None))
        size = np.max(np.abs(wanted), axis=1) + np.max(np.abs(moved(balance, 0.0)), axis=1) + 1.0
        error = np.max(np.abs(moved(balance, forces) - wanted), axis=1)
        assert np.all(error <= 1e-12 * np.maximum(condition, 10.0) * size), (method, error / size / condition)
        if shares:
            held = np.abs(np.einsum("kmn,kn->km", balance.jacobian, forces))
            assert np.all(held <= 1e-11 * np.einsum("kmn,kn->km", np.abs(balance.jacobian), np.abs(forces)) + 1e-11)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "slider_crank_unequal"])
def test_a_motor_at_the_crank(name: str) -> None:
    """Its torque is what the reference says, and with it as input the motion is the one asked for."""
    model = eomc.load(name)
    for method in (model.methods[0], model.methods[-1]):
        build = eomc.compile(model, method, functions="inverse_dynamics:tau")
        assert all(one.holds for one in compare(build, 6, seed=3)), method
        sim, reference, generator = build.load(), eomc.reference(model, method), np.random.default_rng(4)
        x = reference.random_state(generator, 4)
        for state in x:
            wanted = reference.random_accelerations(generator, 0.0, state)
            torque = sim.inverse_dynamics(0.0, state, wanted, {"tau": 123.0})  # what it is now does not matter
            balance = reference._method.balance(reference._evaluation.instant(0.0, state[None], torque, None))
            motion = constrained(balance.matrix, balance.forcing, balance.jacobian, balance.wanted)[0][0]
            np.testing.assert_allclose(motion, wanted, rtol=0.0, atol=1e-10 * (1.0 + np.abs(wanted).max()))


def linear_parameters(model: eomc.Model, along: tuple[str, ...]) -> tuple[str, ...]:
    """Return parameters that enter inverse dynamics linearly together, as many as there are."""
    found: tuple[str, ...] = ()
    for parameter in model.parameters:
        try:
            eomc.compile(model, functions=":".join(("regressor", *along, *found, parameter.name)))
            found += (parameter.name,)
        except UnsupportedError as refused:
            if "does not enter the forces linearly" not in str(refused):
                raise
    return found


@pytest.mark.parametrize(
    ("name", "along"),
    [
        ("two_link_arm", ""),
        ("cart_pole", ""),
        ("slider_crank", "tau"),
        ("rolling_disk_dependent", ""),
        ("heavy_top", ""),
    ],
)
def test_regressors(name: str, along: str) -> None:
    """Y p + y0 is inverse dynamics to 1e-12, with p as it is and three times as large; the reference agrees."""
    model = eomc.load(name)
    directions = (along,) if along else ()
    chosen = linear_parameters(model, directions)
    assert len(chosen) >= 2
    functions = [":".join(("regressor", *directions, *chosen)), ":".join(("inverse_dynamics", *directions))]
    build = eomc.compile(model, functions=functions)
    sim, reference, generator = build.load(), eomc.reference(model), np.random.default_rng(4)
    x = reference.random_state(generator, 6, 0.4)
    inputs = generator.uniform(-1.0, 1.0, (len(x), len(model.inputs)))
    rates = reference.random_accelerations(generator, 0.4, x, inputs)
    Y, y0 = sim.regressor(0.4, x, rates, inputs)
    theirs = reference.regressor(0.4, x, rates, inputs, of=(*directions, *chosen))
    for found, expected in zip((Y, y0), theirs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * (1.0 + np.abs(expected).max()))
    for factor in (1.0, 3.0):
        values = {p.name: factor * p.value for p in model.parameters if p.name in chosen}
        again, rest = sim.regressor(0.4, x, rates, inputs, values)
        np.testing.assert_array_equal(again, Y)
        np.testing.assert_array_equal(rest, y0)
        forces = np.stack(list(sim.inverse_dynamics(0.4, x, rates, inputs, values).values()), axis=1)
        p = np.array([values[one] for one in chosen])
        size = np.abs(Y) @ np.abs(p) + np.abs(y0) + 1e-300
        assert np.max(np.abs(Y @ p + y0 - forces) / size) < 1e-12
