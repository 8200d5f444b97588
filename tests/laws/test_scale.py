"""Units change numbers and nothing else: lengths, masses and times multiplied by 2^33 and 2^-33."""

from __future__ import annotations

import dataclasses
import functools
import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import CONSTRAINTS
from eomc.errors import SingularSystemError
from eomc.frontends.loading import shipped_models
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.model import Model, name_of

DIMENSIONS = {  # exponents of metre, kilogram and second
    "m": (1, 0, 0), "kg": (0, 1, 0), "s": (0, 0, 1), "N": (1, 1, -2), "J": (2, 1, -2), "W": (2, 1, -3),
    "rad": (0, 0, 0), "1": (0, 0, 0),
}  # fmt: skip


class Scales(NamedTuple):
    """Powers of two by which lengths, masses and times are multiplied."""

    length: int
    mass: int
    time: int

    def of(self, unit: str) -> float:
        """Return the factor of a number with a unit."""
        return 2.0 ** sum(a * b for a, b in zip(dimension(unit), self, strict=True))


def dimension(unit: str) -> tuple[int, int, int]:
    """Return the exponents of metre, kilogram and second; a unit without name has none."""
    total, sign = [0, 0, 0], 1
    for mark, word, power in re.findall(r"([ */]?)([A-Za-z]+|1)(?:\^(-?\d+))?", unit):
        sign = -1 if mark == "/" else sign
        for axis, exponent in enumerate(DIMENSIONS[word]):
            total[axis] += sign * exponent * int(power or 1)
    return total[0], total[1], total[2]


ALONE = [Scales(33, 0, 0), Scales(-33, 0, 0), Scales(0, 33, 0), Scales(0, -33, 0), Scales(0, 0, 33), Scales(0, 0, -33)]
TOGETHER = [Scales(33, 33, 33), Scales(-33, -33, -33)]
THREE = [(ALONE[0], ALONE[3], TOGETHER[1]), (ALONE[2], ALONE[5], TOGETHER[0]), (ALONE[4], ALONE[1], TOGETHER[1])]
NUMBERS_WITHOUT_UNITS = {"henon_heiles"}
MODELS = [name for name in shipped_models() if name not in NUMBERS_WITHOUT_UNITS]
STEP, STEPS = 2.0**-12, 2


@functools.cache
def shipped(name: str, method: str | None = None) -> eomc.Build:
    """Return a shipped model, compiled."""
    return eomc.compile(eomc.load(name), method)


def is_pivoted(build: eomc.Build) -> bool:
    """Whether x' takes a system that is factored at run time."""
    graph = build.equations.graph
    return any(graph.ops[node] is Op.SOLVE for node in graph.reachable(build.equations.motion.accelerations))


def rescaled(build: eomc.Build, scales: Scales) -> Model:
    """Return a build's model with its defaults, initial values and ranges in other units."""
    model = build.model
    units = {variable.name: variable.unit for variable in build.equations.states}
    units |= {name_of(u): meaning.unit for meaning in model.meanings for u in [meaning.symbol]}

    def factor(symbol: Any) -> float:
        return scales.of(units[name_of(symbol)])

    return with_fields(
        model,
        parameters=tuple(dataclasses.replace(p, value=p.value * scales.of(p.unit)) for p in model.parameters),
        inputs=tuple(dataclasses.replace(r, value=r.value * scales.of(r.unit)) for r in model.inputs),
        initial=tuple((symbol, value * factor(symbol)) for symbol, value in model.initial),
        ranges=tuple(
            dataclasses.replace(r, low=r.low * factor(r.symbol), high=r.high * factor(r.symbol)) for r in model.ranges
        ),
    )


def with_fields(model: Model, **fields: Any) -> Model:
    """Return a model with other values of some fields."""
    made = model.renamed(model.name)
    for field, value in fields.items():
        object.__setattr__(made, field, value)
    return made


def without_numbers(build: eomc.Build) -> list[str]:
    """Return the words of the emitted files, with one sign for every number and for every hash."""
    texts = (artifact.text for artifact in sorted(build.artifacts, key=lambda a: a.path))
    number = r"(?<![\w.])-?(0x[0-9a-f]+U?|\d+(\.\d+)?(e[-+]?\d+)?|[0-9a-f]{8,})(?!\w)"
    return [re.sub(number, "#", re.sub(r"_[0-9a-f]{8}\b", "_#", word)) for text in texts for word in text.split()]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", MODELS)
def test_the_emitted_c_differs_in_numbers_alone(name: str) -> None:
    """Recompiled with defaults, initial values and ranges in other units, every word but numbers is the same."""
    build = shipped(name)
    expected = without_numbers(build)
    for scales in THREE[MODELS.index(name) % 3]:  # the others with the neighbours in the list
        other = eomc.compile(rescaled(build, scales), build.method)
        assert without_numbers(other) == expected
        for one, many in zip(build.equations.states, other.equations.states, strict=True):
            assert many.value == pytest.approx(one.value * scales.of(one.unit), rel=1e-12, abs=0.0)


def form(model: Model, method: str) -> list[Any]:
    """Return all that equations of motion are made of but the values of variables."""
    equations = derive(model, choose_method(model, method))
    graph = equations.graph
    apart = ("graph", "states", "inputs", "parameters", "on_request")
    names = [field.name for field in dataclasses.fields(equations) if field.name not in apart]
    rest = [equations.on_request.balance(), equations.on_request.poses()]
    rest += [getattr(equations, name) for name in names]
    return [graph.ops, graph.args, graph.data, *rest]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", MODELS)
def test_every_method_has_one_form(name: str) -> None:
    """Node by node, constants included, the equations of each method are the same in all units."""
    build = shipped(name)
    for method in build.model.methods:
        assert form(rescaled(build, Scales(33, -33, 33)), method) == form(build.model, method)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", MODELS)
def test_a_default_never_changes_the_form(name: str) -> None:
    """Node by node the equations are the same whatever the parameters are by default, zero and equal ones too."""
    model = shipped(name).model
    expected = form(model, model.methods[0])
    generator = random.Random(name)
    for draw in (lambda: 0.0, lambda: 1e-12, lambda: 1.0, lambda: generator.choice((0.0, 1e-12, 1.0, 1e9))):
        defaults = tuple(dataclasses.replace(p, value=draw()) for p in model.parameters)
        assert form(with_fields(model, parameters=defaults), model.methods[0]) == expected


def by_the_graph(build: eomc.Build, scales: Scales) -> list[float]:
    """Return the state after a few steps of Runge and Kutta through the interpreter."""
    program = build.program
    roots = next(f for f in program.functions if f.name == "rhs").outputs
    given = {v.symbol: v.value * scales.of(v.unit) for v in (*program.parameters, *program.inputs)}
    h = STEP * scales.of("s")

    def rates(time: float, state: Sequence[float]) -> list[float]:
        places = {v.symbol: x for v, x in zip(program.states, state, strict=True)}
        return Sample(program.graph, {**given, program.time: time, **places}).vector(roots)

    def after(state: Sequence[float], length: float, slope: Sequence[float]) -> list[float]:
        return [x + length * k for x, k in zip(state, slope, strict=True)]

    x = [v.value * scales.of(v.unit) for v in program.states]
    for n in range(STEPS):
        t = n * h
        k1 = rates(t, x)
        k2 = rates(t + h / 2, after(x, h / 2, k1))
        k3 = rates(t + h / 2, after(x, h / 2, k2))
        k4 = rates(t + h, after(x, h, k3))
        x = after(x, h / 6, [a + 2 * b + 2 * c + d for a, b, c, d in zip(k1, k2, k3, k4, strict=True)])
    return x


def by_emitted_c(build: eomc.Build, scales: Scales) -> list[float]:
    """Return the state after as many steps of the emitted integrator."""
    h = STEP * scales.of("s")
    parameters, inputs = (
        {v.name: v.value * scales.of(v.unit) for v in given}
        for given in (build.program.parameters, build.program.inputs)
    )
    x = [v.value * scales.of(v.unit) for v in build.program.states]
    found: list[float] = (
        build.load().simulate(STEPS * h, h, x0=x, parameters=parameters, inputs=inputs or None).x[-1].tolist()
    )
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", MODELS)
def test_the_motion_is_the_same_in_all_units(name: str) -> None:
    """With parameters and states in other units x scales to the last bit, under run-time pivoting to 1e-12."""
    build = shipped(name)
    run = by_emitted_c if is_pivoted(build) else by_the_graph
    states = build.program.states
    expected = np.array(run(build, Scales(0, 0, 0)))
    assert max(abs(expected - [v.value for v in states])) > 1e-6
    for scales in (*ALONE, *TOGETHER):
        found = np.array(run(build, scales)) / [scales.of(v.unit) for v in states]
        if run is by_the_graph:
            assert found.tolist() == expected.tolist()
        else:
            for unit in {v.unit for v in states}:
                same = [k for k, v in enumerate(states) if v.unit == unit]
                size = np.abs(expected[same]).max()
                np.testing.assert_allclose(found[same], expected[same], rtol=1e-12, atol=1e-12 * size)


@pytest.mark.parametrize("stabilization", ["projection", "baumgarte"])
@pytest.mark.parametrize("name", ["slider_crank_unequal", "two_masses_on_rod_cartesian"])
def test_the_way_back_onto_the_constraints_is_the_same_in_all_units(name: str, stabilization: str) -> None:
    """From a start that is off by a hundredth a stabilized motion scales to 1e-12, and so does the projected start."""
    build = eomc.compile(eomc.load(name), stabilization=stabilization)
    states, sim = build.program.states, build.load()
    units = [v.unit for v in states]

    def found(scales: Scales) -> Any:
        sizes = np.array([scales.of(unit) for unit in units])
        parameters = {v.name: v.value * scales.of(v.unit) for v in build.program.parameters}
        inputs = {v.name: v.value * scales.of(v.unit) for v in build.program.inputs}
        start = np.array([v.value * 1.01 for v in states]) * sizes
        if stabilization == "projection":
            return sim.project(0.0, start, inputs or None, parameters) / sizes
        rates = sizes / scales.of("s")
        return sim.rhs(0.0, start, inputs or None, parameters) / rates

    expected = found(Scales(0, 0, 0))
    for scales in (*ALONE, *TOGETHER):
        np.testing.assert_allclose(found(scales), expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def three_cranks() -> Model:
    """Return three parallel cranks under one bar: six constraints, of which one follows from the others.

    The second bar, in a slot along x, is driven twice; where `twice` is not 1 the drives contradict each other.
    """
    angles, (x, y, tilt, slot) = dynamicsymbols("p1 p2 p3"), dynamicsymbols("x y tilt slot")
    m, bar, moment, length, apart, g, reach, pace, twice = sympy.symbols("m M J l d g reach pace twice")
    kinetic = sum(m * length**2 / 6 * p.diff() ** 2 for p in angles) + m * slot.diff() ** 2 / 2
    kinetic += bar * (x.diff() ** 2 + y.diff() ** 2) / 2 + moment * tilt.diff() ** 2 / 2
    potential = sum(m * g * length / 2 * sympy.cos(p) for p in angles) + bar * g * y
    closing = []
    for place, p in zip((-apart, 0, apart), angles, strict=True):
        closing.append(x + place * sympy.cos(tilt) - place - length * sympy.sin(p))
        closing.append(y + place * sympy.sin(tilt) - length * sympy.cos(p))
    drive = reach * pace * sympy.sin(pace * dynamicsymbols._t)
    return eomc.from_lagrangian(
        kinetic - potential, name="three_cranks", coordinates=[*angles, x, y, tilt, slot],
        configuration_constraints=closing,
        velocity_constraints=[slot.diff() - drive, slot.diff() - twice * drive],
        parameters={
            m: (1.2, "kg"), bar: (2.0, "kg"), moment: (0.7, "kg m^2"), length: (0.8, "m"), apart: (1.0, "m"),
            g: (9.81, "m/s^2"), reach: (0.3, "m"), pace: (2.0, "1/s"), twice: (1.0, ""),
        },
        initial={
            **{p: (0.7, "rad") for p in angles}, **{p.diff(): (0.0, "rad/s") for p in (*angles, tilt)},
            **{place: (0.6, "m") for place in (x, y)}, **{v.diff(): (0.0, "m/s") for v in (x, y, slot)},
            tilt: (0.0, "rad"), slot: (0.0, "m"),
        },
    )  # fmt: skip


STATES = {  # of the cranks: the first one's rate, the third one's beside it, g, the drives' ratio, and whether it moves
    "moving": (1.3, 1.0, 9.81, 1.0, True),
    "at rest": (0.0, 1.0, 9.81, 1.0, True),
    "at rest without weight": (0.0, 1.0, 0.0, 1.0, True),
    "moving, off by little": (1.3, 1.0 + 1e-6, 9.81, 1.0, True),
    "moving, off by more": (1.3, 1.001, 9.81, 1.0, True),
    "moving without weight, off by more": (1.3, 1.001, 0.0, 1.0, True),
    "hardly moving, and wrongly": (1e-7, 2.0, 9.81, 1.0, True),
    "moving wrongly": (1.3, 2.0, 9.81, 1.0, False),
    "moving wrongly without weight": (1.3, 2.0, 0.0, 1.0, False),
    "driven wrongly": (1.3, 1.0, 9.81, 1.3, False),
    "at rest, driven wrongly": (0.0, 1.0, 9.81, 1.3, False),
    "at rest without weight, driven wrongly": (0.0, 1.0, 0.0, 1.3, False),
}


@pytest.mark.needs_cc
@pytest.mark.parametrize("form", CONSTRAINTS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_contradictions_are_the_same_in_all_units(form: str, real: str) -> None:
    """A redundant row contradicts the others, or does not, whatever metre, kilogram and second are."""
    build = eomc.compile(three_cranks(), constraints=form, real=real)
    program, sim = build.program, build.load()
    p, length = 0.7, 0.8
    for rate, third, g, twice, moves in STATES.values():
        x, y = length * np.sin(p), length * np.cos(p)
        given = {"g": g, "twice": twice}
        values = np.array([p, p, p, x, y, 0.0, 0.0, rate, rate, third * rate, y * rate, -x * rate, 0.0, 0.0])
        expected = None
        for scales in (Scales(0, 0, 0), *ALONE):
            units = np.array([scales.of(v.unit) for v in program.states])
            parameters = {v.name: given.get(v.name, v.value) * scales.of(v.unit) for v in program.parameters}
            state = values * units
            if not moves:
                with pytest.raises(SingularSystemError, match="contradicts the others"):
                    sim.rhs(0.0, state, parameters=parameters)
                continue
            found = sim.rhs(0.0, state, parameters=parameters) / units * scales.of("s")
            expected = found if expected is None else expected
            tolerance = 1e-11 if real == "double" else 1e-3
            np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())


def test_units_are_read() -> None:
    """Products, quotients and powers as the models write them."""
    found = map(dimension, ("kg m^2", "kg*m^2", "N s/m", "1/s", "m^3/s^2", "", "rad/s", "N m s/rad"))
    assert list(found) == [
        (2, 1, 0), (2, 1, 0), (0, 1, -1), (0, 0, -1), (3, 0, -2), (0, 0, 0), (0, 0, -1), (2, 1, -1)
    ]  # fmt: skip
