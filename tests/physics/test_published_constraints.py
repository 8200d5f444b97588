"""Mechanisms with constraints at published states: accelerations and multipliers, by every method in every form."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import eomc
from eomc.analysis.initial import InitialState
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import CONSTRAINTS, Options
from eomc.errors import ModelError
from eomc.ir.interpreter import Sample

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

NOTES = "lecture_examples"
STENCIL = 1e-9  # accuracy of an acceleration that is found by differentiating q' along the motion


@dataclass(frozen=True)
class Equations:
    """The equations of a shipped model by one method in one form, evaluated on the graph."""

    starts: InitialState
    derived: Any

    def state(self, values: Mapping[str, float], given: Mapping[str, float]) -> Array:
        """Return the state from coordinates and speeds by name; `given` are parameters and inputs."""
        parameters = {name: value for name, value in given.items() if name in self.names("parameters")}
        return np.array(self.starts(values, 0.0, parameters).state)

    def names(self, kind: str) -> list[str]:
        """Return names of parameters, inputs or states."""
        return [variable.name for variable in getattr(self.derived, kind)]

    def at(self, x: Array, given: Mapping[str, float]) -> Sample:
        """Return the graph at a state, at t = 0."""
        equations = self.derived
        values = {v.symbol: given.get(v.name, v.value) for v in (*equations.parameters, *equations.inputs)}
        values |= {v.symbol: float(value) for v, value in zip(equations.states, x, strict=True)}
        return Sample(equations.graph, values | {equations.time: 0.0})

    def rates(self, x: Array, given: Mapping[str, float]) -> Array:
        """Return x'."""
        sample = self.at(x, given)
        return np.array(sample.vector(self.derived.motion.derivative))

    def velocities(self, x: Array, given: Mapping[str, float]) -> list[float]:
        """Return q'."""
        return self.at(x, given).vector(self.derived.motion.rates)

    def multipliers(self, x: Array, given: Mapping[str, float]) -> list[float]:
        """Return lambda."""
        return self.at(x, given).vector([multiplier.node for multiplier in self.derived.constraints.multipliers])


@dataclass(frozen=True)
class Path:
    """A motion near a state: what it is a time later."""

    equations: Equations
    x: Array
    rates: Array
    given: Mapping[str, float]

    def velocities(self, time: float) -> list[float]:
        """Return q'."""
        return self.equations.velocities(self.x + time * self.rates, self.given)

    def multipliers(self, time: float) -> list[float]:
        """Return the multipliers."""
        return self.equations.multipliers(self.x + time * self.rates, self.given)


@functools.cache
def equations(name: str, method: str, form: str) -> Equations:
    """Return the equations; each is derived once."""
    model, options = eomc.load(name), Options(form)
    chosen = choose_method(model, method)
    starts = InitialState(model, chosen, options)
    return Equations(starts, derive(model, chosen, starts.problem, options))


@dataclass(frozen=True)
class Point:
    """A published state: coordinates and speeds by name, q'' and, where they are known, u' and lambda."""

    given: dict[str, float]
    values: dict[str, float]
    accelerations: Sequence[float]
    tolerance: float
    speed_rates: Sequence[float] | None = None
    multipliers: Sequence[float] | None = None


def named(names: str, values: Sequence[float]) -> dict[str, float]:
    """Return the values by the names in a string."""
    return dict(zip(names.split(), map(float, values), strict=True))


def numbers(entry: Mapping[str, Any]) -> dict[str, float]:
    """Return the parameters of an entry."""
    return {name: float(value) for name, value in entry["parameters"].items()}


def guided(name: str, published: Function) -> list[Point]:
    """Return the point of the slider-crank of equal bars, by one speed, one multiplier or two."""
    count = int(name.partition(":")[2] or 2)
    both = "slider_crank_multiplier_example6_004", "slider_crank_multiplier_example5_004"
    entry = published(NOTES, both[0] if count == 2 else both[1])
    s, e, size = entry["state"], entry["expected"], count + 1
    values = named(" ".join(f"q{i + 1}" for i in range(size)), s["q"][:size])
    values |= named(" ".join(f"u{i + 1}" for i in range(size)), s["qd"][:size])
    forces = e["lam"] if count else None
    return [Point(numbers(entry), values, e["qdd"][:size], entry["tolerance"], multipliers=forces)]


def unequal(name: str, published: Function) -> list[Point]:
    """Return the point of the slider-crank of unequal bars, in each of its three ways."""
    entry, count = published(NOTES, "slider_crank_000"), int(name.partition(":")[2] or 2)
    s, e, size = entry["state"], entry["expected"], 2 if name.endswith(":1") else 3
    values = named("theta beta x", [s["theta"], s["beta"], s["x"]])
    values = {key: values[key] for key in list(values)[:size]} | {"u1": s["u1"]}
    rates = [e["u1d"]] if count == 0 else None
    found = [e["u1d"], e["beta_dd"], e["x_dd"]][:size]
    return [Point(numbers(entry), values, found, entry["tolerance"], speed_rates=rates)]


def masses_on_rod(name: str, published: Function) -> list[Point]:
    """Return the point of the masses on a rod in Cartesian coordinates."""
    entry = published(NOTES, "two_masses_on_rod_004")
    s, e = entry["state"], entry["expected"]
    values = named("x1 y1 x2 y2", s["cart"]) | named("x1d y1d x2d y2d", s["cartd"])
    return [Point(numbers(entry), values, e["cart_dd"], entry["tolerance"], multipliers=e["lam"])]


def disk(name: str, published: Function) -> list[Point]:
    """Return the points of the rolling disk; the multipliers are minus the horizontal force of the ground."""
    entry, points = published(NOTES, "rolling_disk_no_slip_000"), []
    for point in entry["points"]:
        s, e = point["state"], point["expected"]
        theta, phi = s["q"][:2]
        forces = None
        if "contact_force_in_B0" in e:
            i0 = [np.cos(phi), np.sin(phi)]
            j0 = [-np.cos(theta) * np.sin(phi), np.cos(theta) * np.cos(phi)]
            k0 = [np.sin(theta) * np.sin(phi), -np.sin(theta) * np.cos(phi)]
            forces = -np.array(e["contact_force_in_B0"]) @ [i0, j0, k0]
        values = named("theta phi psi x y", s["q"]) | named("u1 u2 u3 u4 u5", [*s["u"], *e["qd"][3:]])
        rates = [*e["ud"], *e["qdd"][3:]]
        points.append(Point(numbers(point), values, e["qdd"], entry["tolerance"], rates, forces))
    return points


CRANK = np.pi / 3
COUPLER, ROCKER = 0.2917652398481, 1.2901429945502
RATIOS = -0.143090951758, 0.543745616681


def four_bar(name: str, published: Function) -> list[Point]:
    """Return the four-bar linkage at rest and turning; only the crank's acceleration is known."""
    return [
        Point({}, {"q1": CRANK, "u1": rate}, [acceleration], 5e-9)
        for rate, acceleration in ((0.0, -2.43846072), (1.0, -2.79951648))
    ]


POINTS: dict[str, Callable[[str, Function], list[Point]]] = {
    "slider_crank": guided,
    "slider_crank:1": guided,
    "slider_crank:0": guided,
    "slider_crank_unequal": unequal,
    "slider_crank_unequal:1": unequal,
    "slider_crank_unequal:0": unequal,
    "two_masses_on_rod_cartesian": masses_on_rod,
    "rolling_disk_dependent": disk,
    "four_bar": four_bar,
}


@pytest.mark.parametrize("name", POINTS)
def test_published_accelerations_and_multipliers(name: str, published: Function, derivative: Function) -> None:
    """The same q'' and lambda (the constraint force is -J^T lambda) by every method in every solution form.

    Hamilton's state is in momenta: q'' is found by differentiating q' along the motion. With dependent coordinates
    his multipliers are sigma, of p = M q' + J^T sigma, and sigma' is lambda.
    """
    for method, form in itertools.product(eomc.load(name).methods, CONSTRAINTS):
        ours = equations(name, method, form)
        for point in POINTS[name](name, published):
            given, n = point.given, len(ours.derived.motion.rates)
            close: dict[str, Any] = {"rtol": point.tolerance, "atol": point.tolerance}
            stencil: dict[str, Any] = {"rtol": max(STENCIL, point.tolerance), "atol": STENCIL}
            x = ours.state(point.values, given)
            stated = [point.values.get(key, value) for key, value in zip(ours.names("states")[:n], x[:n], strict=True)]
            assert_allclose(x[:n], stated, **close)
            rates = ours.rates(x, given)
            path = Path(ours, x, rates, given)
            if method.startswith("hamilton"):
                known = len(point.accelerations)
                assert_allclose(derivative(path.velocities)[:known], point.accelerations, **stencil)
            else:
                of_speeds = point.speed_rates if method in ("kane", "gibbs-appell") else None
                expected = point.accelerations if of_speeds is None else of_speeds
                assert_allclose(rates[n : n + len(expected)], expected, **close)
            if point.multipliers is None:
                continue
            if method == "hamilton":
                assert_allclose(derivative(path.multipliers), point.multipliers, **stencil)
            else:
                assert_allclose(path.multipliers(0.0), point.multipliers, **close)


def test_hamilton_s_equations_with_dependent_coordinates(published: Function, derivative: Function) -> None:
    """Given p with some sigma in it, q' and sigma come back, and p' is as published: sigma' = lambda."""
    entry = published(NOTES, "constrained_hamilton_004")
    s, e, given = entry["state"], entry["expected"], numbers(entry)
    close = {"rtol": entry["tolerance"], "atol": entry["tolerance"]}
    for form in CONSTRAINTS:
        ours = equations("two_masses_on_rod_cartesian", "hamilton", form)
        x = np.array([*s["q"], *e["p"]])
        assert_allclose(ours.rates(x, given), [*s["qd"], *e["pdot"]], **close)
        assert_allclose(ours.multipliers(x, given), s["sigma"], **close)
        path = Path(ours, x, ours.rates(x, given), given)
        assert_allclose(derivative(path.multipliers), e["sigmadot_equals_lambda"], rtol=STENCIL)


def test_coefficients_and_inertia_forces_of_the_slider_crank(published: Function) -> None:
    """One speed: a1 u1' + a2 u1^2 + (m1 + m2) g l1 cos(theta)/2 = tau; inertia forces of rod and slider."""
    entry = published(NOTES, "slider_crank_000")
    p, s, e = entry["parameters"], entry["state"], entry["expected"]
    ours = equations("slider_crank_unequal:0", "kane", "eliminated")
    x = ours.state({"theta": s["theta"], "beta": s["beta"], "x": s["x"], "u1": s["u1"]}, numbers(entry))
    sample, equation = ours.at(x, numbers(entry)), ours.derived
    close = {"rtol": entry["tolerance"]}
    assert_allclose(sample[equation.matrices.mass_matrix[0][0]], e["a1"], **close)
    load = p["tau"] - (p["m1"] + p["m2"]) * p["g"] * p["l1"] * np.cos(s["theta"]) / 2
    assert_allclose((load - sample[equation.matrices.forcing[0]]) / s["u1"] ** 2, e["a2"], **close)
    sine, cosine = np.sin([s["theta"], s["beta"]]), np.cos([s["theta"], s["beta"]])
    rates = ours.rates(x, numbers(entry))
    assert_allclose(rates[:3], [s["u1"], e["beta_d"], e["x_d"]], **close)
    squares, (theta_dd, beta_dd) = rates[:2] ** 2, (rates[3], e["beta_dd"])
    along = -p["l1"] * (sine[0] * theta_dd + cosine[0] * squares[0]) + p["l2"] / 2 * (
        cosine[1] * beta_dd - sine[1] * squares[1]
    )
    up = -p["l2"] / 2 * (sine[1] * beta_dd + cosine[1] * squares[1])  # the rod's middle is half as high as its pin
    assert_allclose([-p["m2"] * along, -p["m2"] * up], e["F2star"], **close)
    assert_allclose(-p["m2"] * p["l2"] ** 2 / 12 * beta_dd, e["M2star"], **close)
    assert_allclose(-p["m3"] * e["x_dd"], e["F3star"], **close)


@pytest.mark.parametrize(("models", "massless"), [
    (["slider_crank_unequal", "slider_crank_unequal:1", "slider_crank_unequal:0"], {}),
    (["slider_crank", "slider_crank:1", "slider_crank:0"], {"m3": 0.0}),
])  # fmt: skip
def test_slider_cranks_in_three_ways(models: list[str], massless: dict[str, float]) -> None:
    """Two multipliers, one, or one speed: the crank turns the same; without mass the slider is no body."""
    for angle in (-2.5, -0.7, 0.4, 1.1, 2.0):
        found = []
        for name in models:
            ours = equations(name, "kane", "eliminated")
            names, given = ours.names("states"), {**massless, "tau": 0.7}
            branch = {"q2": np.pi - 2 * angle} if "q2" in names else {}
            x = ours.state({names[0]: angle, "u1": 1.3, **branch}, given)
            found.append(ours.rates(x, given)[len(ours.derived.motion.rates)])
        assert_allclose(found[1:], found[0], rtol=1e-11)


def test_four_bar_linkage_closes(published: Function) -> None:
    """Guessed angles of coupler and rocker become those of the open branch, with the rates that belong to them."""
    for method in eomc.load("four_bar").methods:
        ours = equations("four_bar", method, "eliminated")
        for guess in ({}, {"q2": 0.5, "q3": 1.0}):
            x = ours.state({"q1": CRANK, "u1": 1.0, **guess}, {})
            assert_allclose(x[:3], [CRANK, COUPLER, ROCKER], rtol=1e-12)
            assert_allclose(ours.rates(x, {})[:3], [1.0, *RATIOS], rtol=1e-11)


def test_four_bar_linkage_that_cannot_be_assembled() -> None:
    """Bars too short to bridge the ground: the error names the constraint and its residual."""
    short = {"a": 2.0, "b": 1.0, "c": 1.0, "d": 5.0}
    with pytest.raises(ModelError, match=r"no coordinates near .* meet configuration constraint 1: its residual stays"):
        equations("four_bar", "kane", "eliminated").state({"q1": CRANK}, short)


def test_inertia_and_ground_force_of_the_four_bar_linkage() -> None:
    """Effective inertia at the crank; the force of the ground on the crank at rest, by the balance of two bars."""
    ours = equations("four_bar", "kane", "eliminated")
    x = ours.state({"q1": CRANK, "u1": 0.0}, {})
    sample = ours.at(x, {})
    matrix = np.array([[sample[entry] for entry in row] for row in ours.derived.matrices.mass_matrix])
    ratios = np.array([1.0, *RATIOS])
    assert_allclose(ratios @ matrix @ ratios, 18.431067431, rtol=1e-10)

    crank, coupler, _ = ours.rates(x, {})[3:]
    pin = 2.0 * np.array([-np.sin(CRANK), np.cos(CRANK)]) * crank
    middle = pin + 2.0 * np.array([-np.sin(COUPLER), np.cos(COUPLER)]) * coupler
    weight, on_coupler = np.array([0.0, -(2.0 + 4.0) * 9.81]), -np.array(ours.multipliers(x, {}))
    ground = 2.0 * pin / 2 + 4.0 * middle - weight - on_coupler
    assert_allclose(ground, [15.737753, 33.817307], rtol=5e-8)


def parallelogram(n: int, psi: float) -> float:
    """Return psi'' of N linkages that move as parallelograms."""
    return float(((n + 1) / 2 + n) * 9.81 * np.sin(psi) / ((n + 1) / 3 + n))


@pytest.mark.parametrize("n", [1, 2, 10])
def test_linkages_in_a_row_move_as_one(n: int) -> None:
    """((N + 1)/3 + N) psi'' = ((N + 1)/2 + N) g sin psi; the joining links stay horizontal."""
    ours = equations(f"n_four_bar:{n}", "kane", "eliminated")
    for psi in (0.4, -2.0, 3.0):
        x = ours.state({f"psi{i}": psi for i in range(n + 1)} | {"psi0_d": 1.7}, {})
        rates = ours.rates(x, {})[2 * n + 1 :]
        assert_allclose(x[2 * n + 1 :], [1.7] * (n + 1) + [0.0] * n, atol=1e-12)
        assert_allclose(rates, [parallelogram(n, psi)] * (n + 1) + [0.0] * n, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("method", eomc.load("n_four_bar").methods)
def test_two_linkages_as_published(method: str, simulator: Function, published: Function) -> None:
    """Place and velocity of B0 through ten passages of the horizontal, where the constraints are dependent.

    Hamilton's velocity M^-1 p is slightly off the constraints, and is magnified there: less is asked of it.
    """
    sim, entry = simulator("n_four_bar", method), published("iftomm_benchmarks", "A02_N_four_bar_N2")
    tolerance = entry["tolerance"] if method != "hamilton-multipliers" else 1e-5
    places = [sim.output_names.index(f"B0_{name}") for name in ("x", "y", "xd", "yd")]
    period = entry["expected"]["rotation_period"]
    turned = {"t": period, "x": 0.0, "y": 1.0, "xd": 1.0, "yd": 0.0}  # back at the start after a whole turn
    for point in [turned, *entry["expected"]["points"]]:
        motion = sim.simulate(point["t"], 1e-3, every=10**6)
        found = sim.outputs(motion.t[-1], motion.x[-1])[places]
        assert_allclose(found, [point[name] for name in ("x", "y", "xd", "yd")], atol=tolerance, rtol=0)


@pytest.mark.parametrize("n", [3, 6, 9])
def test_a_chain_at_rest(n: int) -> None:
    """tan q_i grows by m g/H from link to link, whatever H, and the right support carries H and half the weight."""
    pull, given = 3.0, {"m": 1.2 / n, "length": 1.8 / n, "g": 9.81}
    steps = (np.arange(n) - (n - 1) / 2) * given["m"] * 9.81 / pull
    angles = np.arctan(steps)
    given["span"] = float(given["length"] * np.cos(angles).sum())
    values = {f"q{i + 1}": float(angle) for i, angle in enumerate(angles)}
    for method in ("kane", "lagrange", "hamilton-multipliers"):
        ours = equations(f"hanging_chain:{n}", method, "eliminated")
        x = ours.state(values, given)
        assert_allclose(x, [*angles, *[0.0] * n], atol=1e-14)
        assert_allclose(ours.rates(x, given), 0.0, atol=1e-10)
        assert_allclose(ours.multipliers(x, given), [-pull, -1.2 * 9.81 / 2], rtol=1e-11)
