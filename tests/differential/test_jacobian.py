"""Emitted Jacobians against differences of the reference: every shipped model, method, form and precision."""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
import eomc.models
from eomc.analysis.agreement import CONDITION_LIMIT, compare
from eomc.derivation.options import CONSTRAINTS
from eomc.errors import EomcError
from eomc.reference.differences import estimates

pytestmark = pytest.mark.needs_cc

DERIVATIVES = ("jacobian", "time_derivative", "outputs_jacobian", "rhs_parameter_jacobian")
MODELS = sorted(module.name for module in pkgutil.iter_modules(eomc.models.__path__))


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest) -> eomc.Model:
    """Return a shipped model."""
    return eomc.load(request.param)


@pytest.fixture(scope="module")
def built(model: eomc.Model) -> Callable[..., eomc.Build]:
    """Return a function (method, form, precision) -> Build of the model: its tests share what it makes."""

    @functools.cache
    def build(method: str, form: str = CONSTRAINTS[0], real: str = "double") -> eomc.Build:
        return eomc.compile(model, method, constraints=form, real=real, functions=DERIVATIVES)

    return build


def constraints(model: eomc.Model) -> list[Any]:
    """Return the constraints of both kinds."""
    dynamics = model.dynamics
    return [*getattr(dynamics, "configuration_constraints", ()), *getattr(dynamics, "velocity_constraints", ())]


def tried(model: eomc.Model) -> tuple[str, ...]:
    """Return the methods of a model; of a large one, which takes long, the native one alone."""
    return model.methods[: 1 if len(model.coordinates) > 4 else None]


def distance(ours: Any, theirs: Any) -> float:
    """Return the worst |a - b|/(1 + |b|) of A and B."""
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        size = 1.0 + np.max(np.abs(b), axis=(1, 2), initial=0.0)
        worst = max(worst, float(np.max(np.max(np.abs(a - b), axis=(1, 2), initial=0.0) / size)))
    return worst


@pytest.mark.sampled(6)
def test_every_model_and_method(model: eomc.Model, built: Callable[..., eomc.Build]) -> None:
    """A, B, C, D, df/dp and df/dt agree with the reference's to 1e-8 at random states, times, inputs and parameters."""
    compared = 0
    for method in tried(model):
        try:
            eomc.reference(model, method)
        except EomcError:
            continue  # a method that the reference does not know: see below
        found = [one for one in compare(built(method), 3, seed=1) if one.function in DERIVATIVES]
        assert all(one.holds for one in found), (method, found)
        compared += len(found)
    assert compared


@pytest.mark.sampled(4)
def test_every_method_and_form(model: eomc.Model, built: Callable[..., eomc.Build]) -> None:
    """A and B are the derivatives of the emitted right-hand side around the start, off the constraints too."""
    generator = np.random.default_rng(5)
    for method in tried(model):
        forms = CONSTRAINTS if constraints(model) and method == model.methods[0] else CONSTRAINTS[:1]
        for form in forms:
            sim = built(method, form).load()
            n, m = len(sim.state_names), len(sim.input_names)
            points = np.append(sim.initial_state, np.zeros(m)) + generator.uniform(-0.3, 0.3, (6, n + m))
            slopes, *_ = estimates(
                lambda v, sim=sim, n=n: sim.rhs(0.4, v[:, :n], v[:, n:]), points, 1.0 + np.abs(points)
            )
            ours = sim.jacobian(0.4, points[:, :n], points[:, n:])
            assert distance(ours, (slopes[..., :n], slopes[..., n:])) < 1e-8, (method, form)


@pytest.mark.sampled(4)
def test_float_follows_double(model: eomc.Model, built: Callable[..., eomc.Build]) -> None:
    """The float build has the same Jacobians to single precision, at well-conditioned states."""
    double, single = (built(model.methods[0], real=real).load() for real in ("double", "float"))
    source = eomc.reference(model)
    parameters = np.array([p.value for p in model.parameters])  # others may be beyond the range of a float
    generator = np.random.default_rng(3)
    for time in (0.0, 1.7, 4.1, 8.6):
        states = source.random_state(generator, 4, time, parameters)
        states = states[source.condition(time, states) < CONDITION_LIMIT][:3]
        assert len(states) > 0
        arguments = (time, states, generator.uniform(-1.0, 1.0, (len(states), len(model.inputs))), parameters)
        condition = source.condition(*arguments)
        for ours, theirs in zip(single.jacobian(*arguments), double.jacobian(*arguments), strict=True):
            for a, b, number in zip(ours, theirs, condition, strict=True):
                distance = np.max(np.abs(a - b), initial=0.0) / (1.0 + np.max(np.abs(b), initial=0.0))
                assert distance < 1e-6 * max(10.0, number)


def test_a_long_function_in_parts() -> None:
    """Jacobians of a chain of ten bars, which come in many chunks, are those of the reference."""
    build = eomc.compile(eomc.load("n_link_pendulum:10"), functions=["jacobian"])
    figures = {one.name: one for one in build.statistics.code.functions}
    assert figures["jacobian"].chunks > 3
    (jacobian,) = (one for one in compare(build, count=2) if one.function == "jacobian")
    assert jacobian.holds, jacobian.worst
