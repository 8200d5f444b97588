"""eomc.trim: equilibria and steady motions in closed form, published steady turns, families and their absence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.optimize import brentq, fsolve
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.analysis.least_squares import Residuals, minimize, open_directions
from eomc.errors import OutputError, RunError, UsageError


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton", "gibbs-appell"])
@pytest.mark.parametrize(("first", "rest"), [(1.2, np.pi / 2), (-1.2, -np.pi / 2)])
def test_pendulum(method: str, first: float, rest: float) -> None:
    """It hangs, or stands on its head, at rest: whatever its momentum or speed is called."""
    found = eomc.trim(eomc.load("simple_pendulum"), {"theta": first}, method)
    np.testing.assert_allclose(found.state, [rest, 0.0], atol=1e-9)
    assert found.family == ()
    np.testing.assert_allclose(found.rates, 0.0, atol=1e-9)


def test_cart_pole_upright() -> None:
    """The pole stands, the cart is anywhere and may roll: a family over its place and speed, until both are held."""
    model = eomc.load("cart_pole")
    found = eomc.trim(model, {"theta": 2.9, "x_d": 0.0})
    np.testing.assert_allclose(found.state, [0.0, np.pi, 0.0, 0.0], atol=1e-9)
    assert found.family == ("x", "x_d")
    assert "one of a family over x, x_d" in repr(found)
    held = eomc.trim(model, {"theta": 2.9}, held={"x": 0.7, "x_d": 0.0})
    np.testing.assert_allclose(held.state, [0.7, np.pi, 0.0, 0.0], atol=1e-9)
    assert held.family == ()
    assert held["x"] == 0.7


def test_what_may_have_any_value_keeps_that_of_the_start() -> None:
    """The place of a cart enters nothing: a search that begins around the start leaves it where it was."""
    found = eomc.trim(eomc.load("cart_pole"), held={"x_d": 1.0})
    assert found.family == ("x",)
    assert (found["x"], found["x_d"], round(np.sin(found["theta"]), 12)) == (0.0, 1.0, 0.0)


def test_cart_pole_that_speeds_up() -> None:
    """A pole at rest in an accelerated cart hangs along the apparent weight: tan theta = -a/g, F = (M + m) a."""
    model, values = eomc.load("cart_pole"), {"M": 1.3, "m": 0.4, "l": 0.6, "g": 9.81}
    a = 2.0
    found = eomc.trim(model, {"theta": 0.1}, parameters=values, held=["x", "x_d"], free=["F"], rates={"x_d": a})
    assert found["theta"] == pytest.approx(-np.arctan(a / 9.81), abs=1e-9)
    assert found["F"] == pytest.approx(1.7 * a, abs=1e-9)
    with_unit = {"x_d": (100 * a, "cm/s^2")}
    again = eomc.trim(model, {"theta": 0.1}, parameters=values, held=["x", "x_d"], free=["F"], rates=with_unit)
    np.testing.assert_array_equal(again.state, found.state)
    with pytest.raises(UsageError, match=r"the rate of x_d is given in m/s, and is measured in m/s\^2"):
        eomc.trim(model, held=["x", "x_d"], rates={"x_d": (a, "m/s")})
    leaning = eomc.trim(
        model, {"theta_d": 0.0}, parameters=values, held={"x": 0, "x_d": 0, "theta": 0.3}, free="F", rates={"x_d": None}
    )
    assert leaning["F"] == pytest.approx(-1.7 * 9.81 * np.tan(0.3), abs=1e-9)


def test_rolling_disk_in_a_circle() -> None:
    """(Ia + m R^2) u2 u3 - It u2^2 cot theta = -m g R cos theta (O'Reilly, 1996): the spin of a lean and a turn."""
    model, theta, u2 = eomc.load("rolling_disk"), 1.2, 2.0
    found = eomc.trim(model, {"theta": theta, "u2": u2}, held={"theta": theta, "u2": u2})
    p = dict(zip((one.name for one in model.parameters), found.parameters.tolist(), strict=True))
    weight = p["m"] * p["g"] * p["R"] * np.cos(theta)
    spin = (p["It"] * u2**2 / np.tan(theta) - weight) / ((p["Ia"] + p["m"] * p["R"] ** 2) * u2)
    assert found["u3"] == pytest.approx(spin, rel=1e-9)
    assert found["u1"] == 0.0
    assert found.family == ("phi", "psi", "x", "y")
    assert eomc.linearize(model, at=found).drift == 0.0


def test_bicycle_in_a_turn(published: Any) -> None:
    """A slight lean at 5 m/s: (g K0 + v^2 K2) q = f of Meijaard et al. (2007) gives steer angle and steer torque."""
    entry = published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")
    matrices, p, v, lean = entry["expected"]["published_matrices"], entry["parameters"], 5.0, 1e-4
    stiffness = p["g"] * np.array(matrices["K0"]) + v**2 * np.array(matrices["K2"])
    steer = -stiffness[0, 0] * lean / stiffness[0, 1]
    found = eomc.trim(
        eomc.load("whipple_bicycle:5"), held={"phi": lean, "uR": -v / p["rR"]}, free=["T_delta"], rates={"psi": None}
    )
    assert found["delta"] == pytest.approx(steer, rel=1e-5)
    assert found["T_delta"] == pytest.approx(stiffness[1] @ [lean, steer], rel=1e-4)
    assert found.family == ("x", "y", "psi", "theta_R", "theta_F")
    assert abs(found["upsi"]) > 1e-5  # it turns


def test_hanging_chain() -> None:
    """tan qi = (i - (n + 1)/2) m g/H, the horizontal pull H being the one that spans the supports."""
    model, n = eomc.load("hanging_chain"), 6
    found = eomc.trim(model)
    p = dict(zip((one.name for one in model.parameters), found.parameters.tolist(), strict=True))
    places = np.arange(1, n + 1) - (n + 1) / 2

    def angles(pull: float) -> np.ndarray:
        return np.arctan(places * p["m"] * p["g"] / pull)

    pull = brentq(lambda H: np.sum(np.cos(angles(H))) - p["span"] / p["length"], 1e-3, 1e3, xtol=1e-14)
    np.testing.assert_allclose(found.state, [*angles(pull), *np.zeros(n)], atol=1e-9)
    assert found.family == ()


def test_four_bar_held_by_a_torque() -> None:
    """The torque that holds a crank is dV/dq1, the loop being closed on the way."""
    model, q1 = eomc.load("four_bar"), 1.0
    found = eomc.trim(model, held={"q1": q1}, free=["tau"])
    p = dict(zip((one.name for one in model.parameters), found.parameters.tolist(), strict=True))
    a, b, c, d = (p[name] for name in "abcd")

    def closed(q: float) -> np.ndarray:
        def open_loop(x: np.ndarray) -> list[float]:
            return [
                a * np.cos(q) + b * np.cos(x[0]) - c * np.cos(x[1]) - d,
                a * np.sin(q) + b * np.sin(x[0]) - c * np.sin(x[1]),
            ]

        return fsolve(open_loop, found.state[1:3], xtol=1e-14)

    def potential(q: float) -> float:
        q2, q3 = closed(q)
        coupler = a * np.sin(q) + b / 2 * np.sin(q2)
        return p["g"] * (p["m1"] * a / 2 * np.sin(q) + p["m2"] * coupler + p["m3"] * c / 2 * np.sin(q3))

    h = 1e-4
    slope = (8 * (potential(q1 + h) - potential(q1 - h)) - (potential(q1 + 2 * h) - potential(q1 - 2 * h))) / (12 * h)
    np.testing.assert_allclose(found.state[1:3], closed(q1), atol=1e-9)
    assert found["tau"] == pytest.approx(slope, rel=1e-8)
    linear = eomc.linearize(model, at=found)  # with the torque
    assert linear.drift == 0.0
    np.testing.assert_array_equal(linear.A, eomc.linearize(model, found.state, inputs={"tau": found["tau"]}).A)


def test_double_roots() -> None:
    """A free rigid body rests, or spins about an axis: products of speeds vanish, and so do their slopes at rest."""
    found = eomc.trim(eomc.load("free_rigid_body"), {"w1": 0.1, "w2": 0.2, "w3": 0.3})
    spins = [found[name] for name in ("w1", "w2", "w3")]
    assert sum(abs(spin) > 1e-6 for spin in spins) <= 1
    assert np.max(np.abs(found.rates[-3:])) < 1e-12


def with_a_force_that_cancels(along_y: Callable[[sympy.Symbol, sympy.Expr], sympy.Expr]) -> eomc.Model:
    """Return a point in a plane: the force along x is s^3 written twice, of which rounding is left."""
    (x, y), (m, k) = dynamicsymbols("x y"), sympy.symbols("m k")
    s = x + y + sympy.Rational(1, 3)
    energy = m * (x.diff() ** 2 + y.diff() ** 2) / 2
    forces = {x: k * (s**3 - sympy.expand(s**3)), y: along_y(k, y)}
    return eomc.from_lagrangian(
        energy, coordinates=[x, y], name="pair", generalized_forces=forces, parameters={m: 1.0, k: 1e3},
        initial={x: 0.3, y: 0.2},
    )  # fmt: skip


def test_a_force_that_cancels_is_none() -> None:
    """Its rounding moves no unknown from where it was, and leaves it free; nor is it what stays, however it is held."""
    found = eomc.trim(with_a_force_that_cancels(lambda k, y: -k * (y - 1)))
    assert found.family == ("x", "x_d")
    np.testing.assert_allclose(found.state, [0.3, 1.0, 0.0, 0.0], atol=1e-12)
    without = with_a_force_that_cancels(lambda k, y: -k * (sympy.Rational(1, 10**6) + (y - 1) ** 2))
    for held in (["x"], []):
        with pytest.raises(RunError, match=r"the rate of y_d stays -0\.001 off"):
            eomc.trim(without, held=held)


def test_where_there_is_none() -> None:
    """A pendulum that is held aside moves: what stays, and what could be done, is said."""
    with pytest.raises(
        RunError, match=r"no steady motion found from 17 starts: the rate of theta_d stays 14 off; hold"
    ):
        eomc.trim(eomc.load("simple_pendulum"), held={"theta": 0.0})
    with pytest.raises(RunError, match=r"no steady motion found"):  # though the force fades far away
        eomc.trim(eomc.load("kepler"))
    with pytest.raises(RunError, match=r"free inputs \(free=\['F'\]\)"):
        eomc.trim(eomc.load("cart_pole"), held={"theta": 0.3, "x": 0.0, "x_d": 0.0})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"held": ["thta"]}, "unknown state 'thta'; did you mean theta"),
        ({"free": ["theta"]}, "unknown input 'theta'"),
        ({"rates": {"F": 0.0}}, "unknown state 'F'"),
        ({"held": {"theta": None, "x": "far"}}, "x must be a finite number"),
        ({"rates": {"x_d": float("nan")}}, "the rate of x_d must be a finite number"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    """Names and values that are none."""
    with pytest.raises(UsageError, match=message):
        eomc.trim(eomc.load("cart_pole"), **options)


def test_a_trim_of_another_model() -> None:
    """A trim belongs to its model and method."""
    found = eomc.trim(eomc.load("simple_pendulum"), {"theta": 1.0})
    with pytest.raises(UsageError, match="this trim is of simple_pendulum by kane"):
        eomc.linearize(eomc.load("cart_pole"), at=found)
    with pytest.raises(UsageError, match=r"unknown state or input 'F'"):
        found["F"]


def test_names_in_python_control(monkeypatch: pytest.MonkeyPatch) -> None:
    """States, inputs and outputs keep their names; without outputs the states are the outputs; no inputs are none."""
    control = pytest.importorskip("control")
    linear = eomc.linearize(eomc.load("cart_pole"))
    system = linear.to_control()
    assert isinstance(system, control.StateSpace)
    assert (system.name, system.state_labels) == ("cart_pole", ["x", "theta", "x_d", "theta_d"])
    assert (system.input_labels, system.output_labels) == (["F"], ["bob_x", "bob_y"])
    for found, own in zip((system.A, system.B, system.C, system.D), linear, strict=True):
        np.testing.assert_array_equal(found, own)
    bare = eomc.linearize(eomc.load("henon_heiles"))
    assert bare.output_names == ()
    assert bare.to_control().output_labels == list(bare.state_names)
    np.testing.assert_array_equal(bare.to_control().C, np.eye(4))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(OutputError, match=r"a StateSpace needs control: pip install 'eomc\[control\]'"):
        linear.to_control()


# -- least squares -----------------------------------------------------------------------------------------------------


def test_least_squares_in_any_units() -> None:
    """Rosenbrock's valley, its second unknown in units of a billion: the one root."""

    def valley(y: np.ndarray) -> Residuals:
        x, z = y[0], y[1] * 1e9
        return Residuals(np.array([10 * (z - x**2), 1 - x]), np.array([[-20 * x, 1e10], [-1.0, 0.0]]))

    found, there = minimize(valley, np.array([-1.2, 1e-9]))
    np.testing.assert_allclose(found, [1.0, 1e-9], rtol=1e-12)
    assert np.max(np.abs(there.values)) < 1e-12


def test_least_squares_without_a_root() -> None:
    """The least sum of squares of x - 1 and x + 1 is at 0."""
    found, there = minimize(lambda y: Residuals(np.array([y[0] - 1, y[0] + 1]), np.ones((2, 1))), np.array([3.0]))
    np.testing.assert_allclose(found, 0.0, atol=1e-12)
    np.testing.assert_allclose(there.values, [-1.0, 1.0])


def test_open_directions() -> None:
    """As many unknowns as dimensions, which fix a solution: one of x + y = 0, both of nothing, none of x = y = 0."""
    assert open_directions(np.array([[1.0, 1.0]])) == [0]
    assert open_directions(np.array([[1.0, 0.0], [0.0, 0.0]])) == [1]
    assert open_directions(np.zeros((0, 2))) == [0, 1]
    assert open_directions(np.eye(2)) == []
    assert open_directions(np.array([[0.0, 1.0, 1.0], [0.0, 2.0, 2.0]])) == [0, 1]
