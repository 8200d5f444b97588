"""Numbers beside units: wherever a model is written, and where its builds are given numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import ModelError, UsageError
from eomc.model.amounts import state_units

theta, omega, M = dynamicsymbols("theta omega M")
m, l, g, k = sympy.symbols("m l g k")  # noqa: E741 - as in text-books
C = sympy.MatrixSymbol("C", 2, 1)


def pendulum(**given: Any) -> eomc.Model:
    """Return a pendulum of 200 mm, started at 30 degrees, in the units of a workshop."""
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, omega * N.z)
    pivot = Point("O")
    pivot.set_vel(N, 0)
    bob = pivot.locatenew("bob", -l * A.y)
    bob.set_vel(N, l * omega * A.x)
    described: dict[str, Any] = {
        "parameters": {
            m: (500, "g"),
            l: (200, "mm", "length"),
            g: (9.81, "m/s^2"),
            k: (20, "N*mm/deg"),
            C: ([1, 2], "mN*m*s"),
        },
        "initial": {theta: (30, "deg"), omega: (1, "rpm")},
        "inputs": {M: (2, "N-mm")},
        "ranges": {theta: (-90, 90, "deg"), l: (0.1, 0.3)},
        "outputs": {"height": (-l * sympy.cos(theta), "m")},
        **given,
    }
    return eomc.Model(
        name="pendulum",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[omega],
        bodies=[Particle("bob", bob, m)],
        loads=[(A, (M - k * theta - (C[0] + C[1]) * omega) * N.z)],
        gravity=-g * N.y,
        **described,
    )


def test_records_are_in_si_and_keep_what_was_written() -> None:
    """A number beside a unit is in that unit; records have it in SI, with the unit as it was written."""
    model = pendulum()
    rows = {one.name: (one.value, one.unit, one.written) for one in (*model.parameters, *model.inputs)}
    stiffness = 0.020 * 180 / math.pi
    assert rows == {
        "m": (0.5, "kg", "g"),
        "l": (0.2, "m", "mm"),
        "g": (9.81, "m/s^2", "m/s^2"),
        "k": (pytest.approx(stiffness, rel=1e-14), "N m/rad", "N*mm/deg"),
        "C[0]": (0.001, "N m s", "mN*m*s"),
        "C[1]": (0.002, "N m s", "mN*m*s"),
        "M": (0.002, "N m", "N-mm"),
    }
    starts = {str(symbol.func): value for symbol, value in model.initial}
    assert starts == {"theta": pytest.approx(math.pi / 6, rel=1e-15), "omega": pytest.approx(math.pi / 30, rel=1e-15)}
    assert [(one.unit, one.written) for one in model.meanings] == [("rad", "deg"), ("rad/s", "rpm")]
    assert [(one.low, one.high) for one in model.ranges] == [(-math.pi / 2, math.pi / 2), (0.1, 0.3)]
    assert state_units(model) == {"theta": "rad", "omega": "rad/s", "theta_d": "rad/s"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"parameters": {m: (1, "stone age"), l: 1, g: 1, k: 1, C: [1, 2]}}, "parameter m: the unit 'stone age'"),
        ({"parameters": {m: (20, "degC"), l: 1, g: 1, k: 1, C: [1, 2]}}, "parameter m: the unit 'degC' .* kelvin"),
        ({"parameters": {m: (1e308, "Mg"), l: 1, g: 1, k: 1, C: [1, 2]}}, "parameter m in SI must be a finite number"),
        ({"inputs": {M: (0, "Nmm")}}, "input M: the unit 'Nmm'"),
        ({"initial": {theta: (None, "deg/", "")}}, "initial value of theta: the unit 'deg/'"),
        ({"ranges": {theta: (0, 1, "dag/")}}, "the range of theta: the unit 'dag/'"),
        (
            {"ranges": {theta: ((0, "deg"), (1, "m"))}},
            "the range of theta goes from deg to m: give both in units of one",
        ),
        ({"ranges": {theta: (1, (10, "deg"))}}, r"the range of theta\(t\) is \(1, 0.174533\): the first must be the"),
        ({"outputs": {"lean": (theta, "deg")}}, "output 'lean' has the unit deg, and outputs are in SI: give 'rad'"),
    ],
)
def test_what_is_refused(given: dict[str, Any], told: str) -> None:
    """The place and the unit are named; an output in another unit than SI could be meant in two ways."""
    with pytest.raises(ModelError, match=told):
        pendulum(**given)


@pytest.mark.parametrize(
    "bounds", [((-90, "deg"), (math.pi / 2, "rad")), ((-90, "deg"), 90, "deg"), (-math.pi / 2, [90, "deg"])]
)
def test_each_bound_of_a_range_may_have_its_unit(bounds: Any) -> None:
    """One beside both, or one beside each; a bare number beside another is in SI."""
    (found,) = pendulum(ranges={theta: bounds}).ranges
    assert (found.low, found.high, found.unit) == (-math.pi / 2, math.pi / 2, "rad")


@pytest.mark.needs_cc
def test_workshop_units_make_the_same_motion() -> None:
    """The same pendulum in SI has the same bits but for what conversions round, and builds take units by name."""
    stiffness, turn = 0.020 * 180 / math.pi, math.pi / 30
    written = pendulum(
        parameters={m: 0.5, l: 0.2, g: 9.81, k: stiffness, C: [0.001, 0.002]},
        initial={theta: math.pi / 6, omega: turn},
        inputs={M: 0.002},
        ranges={},
        outputs={},
    )
    builds = [eomc.compile(model) for model in (pendulum(), written)]
    ours, theirs = (build.load() for build in builds)
    (header,) = (one.text for one in builds[0].artifacts if one.path.endswith(".h") and one.kind == "header")
    assert all(f"[{unit}]" in header for unit in ("kg", "m", "N m/rad", "N m s", "rad/s"))
    state, run = ours.initial_state, ours.simulate(t_end=0.5, dt=1e-2)
    np.testing.assert_allclose(run.x, theirs.simulate(t_end=0.5, dt=1e-2).x, rtol=1e-12)

    plain = ours.rhs(0.0, state, {"M": 0.5}, {"l": 0.3, "C": [0.004, 0.002]})
    given = {"l": (300, "mm"), "C": ([4, 2], "mN m s")}
    np.testing.assert_array_equal(ours.rhs(0.0, state, {"M": (500, "mN m")}, given), plain)
    np.testing.assert_array_equal(ours.state({theta: (90, "deg")}, {"omega": (60, "rpm")}), [math.pi / 2, 2 * math.pi])
    with pytest.raises(UsageError, match="parameter l is given in kg, and is measured in m"):
        ours.rhs(0.0, state, parameters={"l": (1, "kg")})
    with pytest.raises(UsageError, match="coordinate theta is given in m, and is measured in rad"):
        ours.state({"theta": (1, "m")})
    of_each, same = ({"l": column} for column in ((np.array([100, 300]), "mm"), [0.1, 0.3]))
    ends = [ours.ensemble(parameters=one, t_end=0.1, dt=0.01, keep="last").x for one in (of_each, same)]
    np.testing.assert_array_equal(*ends)
    A = eomc.linearize(pendulum(), {"theta": (90, "deg")}, inputs={"M": (1, "N m")}).A
    np.testing.assert_array_equal(A, eomc.linearize(pendulum(), {"theta": math.pi / 2}, inputs={"M": 1.0}).A)
