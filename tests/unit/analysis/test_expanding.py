"""Whose equations power series are made of: of the same rates, with the fewest products, and said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis import expanding
from eomc.analysis.expanding import cheaper_state
from eomc.errors import UnsupportedError, UsageError
from eomc.ir.interpreter import Sample
from eomc.ir.program import Program
from eomc.programs.series import series_products

t = dynamicsymbols._t
m, k, g, length = sm.symbols("m k g length", positive=True)


def turned(turn: int = 1, of_time: Any = 1) -> eomc.Model:
    """Return two rods, the second speed being the rate of the first angle where they `turn`.

    A filter follows the first angle and pulls at the second; a force is given, and the lower mass may be `of_time`.
    """
    a, b, u, v, z, force = dynamicsymbols("a b u v z force")
    N, A, B = ReferenceFrame("N"), ReferenceFrame("A"), ReferenceFrame("B")
    A.orient_axis(N, N.z, a)
    B.orient_axis(N, N.z, b)
    rates = (v, u) if turn else (u, v)
    A.set_ang_vel(N, rates[0] * N.z)
    B.set_ang_vel(N, rates[1] * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    upper, lower = origin.locatenew("P", -length * A.y), Point("Q")
    upper.v2pt_theory(origin, N, A)
    lower = upper.locatenew("Q", -length * B.y)
    lower.v2pt_theory(upper, N, B)
    return eomc.Model(
        name="turned", inertial_frame=N, coordinates=[a, b], speeds=[u, v], gravity=-g * N.y,
        kinematical_equations=[a.diff() - rates[0], b.diff() - rates[1]],
        bodies=[Particle("upper", upper, m), Particle("lower", lower, m * of_time)],
        loads=[(lower, (force - k * z) * N.x - k * lower.vel(N))], extra_states={z: (a - z) * k + sm.sin(t)},
        inputs=[force], parameters={m: 1.3, k: 0.4, g: 9.81, length: 0.7}, initial={a: 0.6, b: -0.3, u: 1.1, v: -0.7},
    )  # fmt: skip


def scaled() -> eomc.Model:
    """Return two rods whose first speed is twice a rate: no velocity of Lagrange's equations."""
    a, b, u, v = dynamicsymbols("a b u v")
    N, A, B = ReferenceFrame("N"), ReferenceFrame("A"), ReferenceFrame("B")
    A.orient_axis(N, N.z, a)
    B.orient_axis(N, N.z, b)
    A.set_ang_vel(N, u / 2 * N.z)
    B.set_ang_vel(N, v * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    upper = origin.locatenew("P", -length * A.y)
    upper.v2pt_theory(origin, N, A)
    lower = upper.locatenew("Q", -length * B.y)
    lower.v2pt_theory(upper, N, B)
    return eomc.Model(
        name="scaled", inertial_frame=N, coordinates=[a, b], speeds=[u, v], gravity=-g * N.y,
        kinematical_equations=[a.diff() - u / 2, b.diff() - v],
        bodies=[Particle("upper", upper, m), Particle("lower", lower, m)], parameters={m: 1.3, g: 9.81, length: 0.7},
    )  # fmt: skip


def sleigh() -> eomc.Model:
    """Return Chaplygin's sleigh with the length of its path as a coordinate: speeds are rates, and no energy serves."""
    theta, s, omega, v = dynamicsymbols("theta s omega v")
    N, A, edge = ReferenceFrame("N"), ReferenceFrame("A"), Point("C")
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, omega * N.z)
    edge.set_vel(N, v * A.x)
    centre = edge.locatenew("G", length * A.x)
    centre.v2pt_theory(edge, N, A)
    return eomc.Model(
        name="sleigh", inertial_frame=N, coordinates=[theta, s], speeds=[omega, v],
        kinematical_equations=[theta.diff() - omega, s.diff() - v],
        bodies=[RigidBody("body", centre, A, m, (inertia(A, 0, 0, k), centre))],
        parameters={m: 2.0, k: 0.3, length: 0.4},
    )  # fmt: skip


MODELS = {"turned": turned, "straight": lambda: turned(0), "leaking": lambda: turned(1, 1 - t / 50)}


def built(model: eomc.Model | str, method: str | None = None, integrator: str = "taylor", **options: Any) -> eomc.Build:
    """Return a build whose runs are power series."""
    made = eomc.load(model) if isinstance(model, str) else model
    return eomc.compile(made, method, functions=(), integrator=integrator, **options)


def products(program: Program) -> int:
    """Return how many products a program sums at each order."""
    return series_products(program.series)


@pytest.mark.parametrize(
    ("model", "method", "authors"),
    [
        ("double_pendulum", None, "Lagrange"),
        ("double_pendulum", "gibbs-appell", "Lagrange"),
        ("double_pendulum", "hamilton", "Hamilton"),
        ("n_link_pendulum", "lagrange", "Kane"),
        ("n_link_pendulum", None, "Kane"),
        ("two_link_arm", None, "Lagrange"),
    ],
)
def test_the_fewest_products_are_taken(model: str, method: str | None, authors: str) -> None:
    """No form of the same state has fewer, each counted in a build of its own that names it."""
    build = built(model, method)
    assert build.program.expanded == authors
    counts = dict(build.statistics.series_products)
    named = {form: f"taylor:{form}" for form in counts if form != "hamilton"}
    assert {form: products(built(model, method, name).program) for form, name in named.items()} == {
        form: count for form, count in counts.items() if form in named
    }
    assert products(build.program) == min(counts.values())


@pytest.mark.parametrize("model", ["double_pendulum", "two_link_arm", "spherical_pendulum", *MODELS])
def test_rates_are_those_of_the_equations(model: str) -> None:
    """At random states, times, inputs and parameters, in the order of the state; Lagrange's are Kane's."""
    build = built(MODELS[model]() if model in MODELS else model, integrator="taylor:lagrange")
    program = build.program
    assert program.expanded == "Lagrange"
    for seed in range(20):
        sample = Sample(program.graph, {}, seed)
        rates = sample.vector(program.functions[0].outputs)
        assert sample.vector(program.series[0].outputs[: len(rates)]) == pytest.approx(rates, rel=1e-11, abs=1e-11)


@pytest.mark.needs_cc
@pytest.mark.parametrize("model", ["double_pendulum", *MODELS])
def test_a_run_is_the_same_to_rounding(model: str) -> None:
    """By either form: ends of steps, names, and the right-hand side to the last bit."""
    made = MODELS[model]() if model in MODELS else eomc.load(model)
    given, other = (built(made, integrator=f"taylor:{form}").load() for form in ("kane", "lagrange"))
    assert (given.state_names, given.method) == (other.state_names, other.method)
    runs = [sim.simulate(3.0, rtol=1e-15, atol=1e-15, t_eval=[1.0, 2.0, 3.0]).x for sim in (given, other)]
    assert np.abs(runs[0] - runs[1]).max() < 2e-13
    assert not np.array_equal(*runs)
    states = np.random.default_rng(1).normal(size=(20, len(given.state_names)))
    assert np.array_equal(given.rhs(0.3, states), other.rhs(0.3, states))


@pytest.mark.parametrize(
    ("model", "method", "form", "told"),
    [
        ("four_bar", None, "lagrange", "away from the constraints, where rounding takes a run, other equations have"),
        ("four_bar", "hamilton", "kane", "the state holds momenta; taylor expands the equations of hamilton"),
        (scaled(), None, "lagrange", "whose speeds are not the rates of coordinates one by one: compile it by lagr"),
        (scaled(), "lagrange", "kane", "the state of kane is not that of lagrange"),
        (sleigh(), None, "lagrange", "is no rate of a position: no energy gives the inertia forces"),
        ("rolling_disk", None, "lagrange", "it has 2 speeds fewer than coordinates"),
    ],
)
def test_others_are_refused(model: Any, method: str | None, form: str, told: str) -> None:
    """Where rates or states differ the form is the one that was given; another that is named is told why not."""
    own = built(model, method)
    assert own.program.expanded == own.equations.method.authors
    assert form not in dict(own.statistics.series_products)
    with pytest.raises(UnsupportedError, match=told):
        built(model, method, f"taylor:{form}")


def test_long_derivations_and_short_code_stay_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a size no other equations are derived; where bytes count, two forms would take twice as many."""
    names = [method for method, _ in built("double_pendulum", optimize="size").statistics.series_products]
    assert names == ["kane"]
    monkeypatch.setattr(expanding, "MOST", 100)
    alone = built("double_pendulum")
    assert alone.statistics.series_products == (("kane", 20),)
    assert products(built("double_pendulum", integrator="taylor:lagrange").program) == 16


def test_another_state_is_a_hint() -> None:
    """By a fifth fewer products: momenta of a top; none for a pendulum, whose two forms have the same state."""
    found = {}
    for name in ("heavy_top", "double_pendulum"):
        build = built(name, integrator="taylor:kane")
        count = products(build.program)
        found[name] = cheaper_state(build.model, build.equations, build.options, count)
        assert count == products(built(name, integrator="taylor:kane").program)
    method, fewer = found["heavy_top"] or (None, 0)
    assert method is not None
    assert (method.name, fewer) == ("hamilton", products(built("heavy_top", "hamilton").program))
    assert fewer * 5 <= 20 * 4
    assert found["double_pendulum"] is None


def test_what_is_taken_is_said() -> None:
    """In the header of the run; the name of the integrator keeps its words, and others are refused."""
    build = built("double_pendulum", integrator="taylor:kane:15")
    texts = {artifact.path: artifact.text for artifact in build.artifacts}
    assert "The series is that of Kane's equations." in texts["double_pendulum_taylor.h"]
    assert "#define DOUBLE_PENDULUM_TAYLOR_ORDER 15\n" in texts["double_pendulum.h"]
    assert build.integrator.asked == "taylor:15:kane"
    usual = build.with_integrator("taylor")
    assert usual.program.expanded == "Lagrange"
    assert usual.artifacts == built("double_pendulum").artifacts
    for name, told in (
        ("taylor:hamilton", "the method whose equations are expanded is one of kane, lagrange, gibbs-appell"),
        ("taylor:15:16", "give one order and one method, as in taylor:15:kane"),
        ("taylor:kane:lagrange", "give one order and one method"),
    ):
        with pytest.raises(UsageError, match=told):
            built("double_pendulum", integrator=name)
