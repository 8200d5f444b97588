"""Comparing the emitted C with the reference: which states are drawn, and what counts as agreement."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Expr, Symbol, sqrt, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.agreement import CONDITION_LIMIT, TOLERANCE, Agreement, compare, draw
from eomc.errors import ModelError


def test_the_states_are_many_admissible_and_well_conditioned() -> None:
    """As many states as asked for, on the constraints, with a condition number below the limit."""
    source = eomc.reference(eomc.load("chaplygin_sleigh"))
    groups = draw(source, 37, seed=3)
    assert sum(len(group.states) for group in groups) == 37
    for group in groups:
        condition = source.condition(group.time, group.states, parameters=group.parameters)
        assert np.all(condition < CONDITION_LIMIT)
        assert group.inputs.shape == (len(group.states), len(source.input_names))


def test_a_seed_gives_its_states() -> None:
    """The same seed draws the same states, another one others."""
    source = eomc.reference(eomc.load("cart_pole"))
    first, again, other = (draw(source, 8, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a.states, b.states) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].states, other[0].states)


def test_time_inputs_and_parameters_vary() -> None:
    """Default values alone would hide a parameter that stands in another's place."""
    source = eomc.reference(eomc.load("cart_pole"))
    groups = draw(source, 30, seed=0)
    assert len({group.time for group in groups}) == len(groups)
    assert len({tuple(group.parameters) for group in groups}) == len(groups)
    assert np.ptp(np.concatenate([group.inputs for group in groups])) > 0.5


def test_a_model_without_well_conditioned_states() -> None:
    """A mass matrix that is nearly singular everywhere is the model's fault, and said so."""
    x, y, u, v = dynamicsymbols("x y u v")
    light, heavy = symbols("light heavy")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    near, far = origin.locatenew("A", x * frame.x), origin.locatenew("B", y * frame.x)
    near.set_vel(frame, u * frame.x)
    far.set_vel(frame, v * frame.x)
    model = eomc.Model(
        name="unlike",
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("a", near, light), Particle("b", far, heavy)],
        parameters={light: 1e-4, heavy: 1e4},
    )
    with pytest.raises(ModelError, match=r"unlike.*condition number below 1e\+06"):
        draw(eomc.reference(model), 3, seed=0)


x, v = dynamicsymbols("x v")


def particle(force: Expr, parameters: dict[Symbol, float], mass: Expr | int = 1) -> eomc.Model:
    """Return a particle on a line under a force that may depend on x and v."""
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, v * frame.x)
    return eomc.Model(
        name="particle",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("p", point, mass)],
        loads=[(point, force * frame.x)],
        parameters=parameters,
    )


def drawn(model: eomc.Model) -> dict[str, list[float]]:
    """Return the values that each parameter takes beside its default."""
    groups = [group for seed in range(3) for group in draw(eomc.reference(model), 10, seed)[1:]]
    return {p.name: [group.parameters[k] for group in groups] for k, p in enumerate(model.parameters)}


def test_parameters_that_default_to_zero_are_moved() -> None:
    """At zero, two such parameters could change places unseen; small values of either sign tell them apart."""
    c, d, k = symbols("c d k")
    values = drawn(particle(-k * x - c * v - d * v**3, {c: 0.0, d: 0.0, k: 2.0}))
    for name in ("c", "d"):
        assert all(0.0 < abs(value) <= 0.1 for value in values[name])
        assert min(values[name]) < 0.0 < max(values[name])
    assert len(set(values["c"] + values["d"])) == 2 * len(values["c"])


def test_zeros_move_only_where_the_equations_go_on() -> None:
    """A negative number has no root, a negative mass no motion; what else is zero moves all the same."""
    c, m, near, above, only = symbols("c m near above only")
    force = -c * v - sqrt(above) * x + (sqrt(only) + sqrt(-only)) * x
    values = drawn(particle(force, {c: 0.0, near: 0.0, above: 0.0, only: 0.0, m: 0.002}, mass=m - near**2 + near / 10))
    assert all(values["c"])
    assert all(values["near"])
    assert all(m - n**2 + n / 10 > 0 for m, n in zip(values["m"], values["near"], strict=True))
    assert all(value > 0.0 for value in values["above"])
    assert not any(values["only"])


@pytest.mark.needs_cc
def test_every_function_is_compared() -> None:
    """None of the functions in the C goes unlooked at."""
    build = eomc.compile(eomc.load("n_link_pendulum:2"))
    found = compare(build, 10)
    assert [one.function for one in found] == [function.name for function in build.program.functions]
    assert [one.size for one in found] == [len(function.outputs) for function in build.program.functions]
    assert all(one.holds for one in found)


@pytest.mark.parametrize("worst", [2 * TOLERANCE, float("nan"), float("inf")])
def test_what_is_no_agreement(worst: float) -> None:
    """A larger difference, and one that is no number."""
    assert not Agreement("rhs", 1, worst).holds
