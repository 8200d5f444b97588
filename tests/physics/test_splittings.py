"""Splittings of separable motions: order with inputs that move, energies, the definition, what is refused and why."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sm
from numpy.testing import assert_allclose
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.analysis.balance import balance
from eomc.errors import UnsupportedError
from eomc.reference.steps import step
from eomc.tableaus import SPLITTINGS, Tableau, tableau

pytestmark = pytest.mark.needs_cc

EVERY = pytest.mark.parametrize("scheme", SPLITTINGS, ids=lambda row: row.name)
x, p, force = dynamicsymbols("x p F")
m, k, c = sm.symbols("m k c")
t = dynamicsymbols._t


def oscillator(friction: sm.Expr = sm.S.Zero, stiffness: sm.Expr = k) -> eomc.Model:
    """Return a mass m = 2 on a spring k = 8 by its Hamiltonian, driven by a force."""
    return eomc.from_hamiltonian(
        p**2 / (2 * m) + stiffness * x**2 / 2,
        coordinates=[x],
        momenta=[p],
        generalized_forces={x: force - friction},
        name="oscillator",
        inputs=[force],
        parameters={m: 2.0, k: 8.0} | ({c: 0.8} if friction != 0 else {}),
        initial={x: 0.0},
    )


def test_published_weights() -> None:
    """Yoshida's w1 = 1/(2 - 2^(1/3)) and w0 = 1 - 2 w1; drifts and kicks make a whole step each, at their times."""
    outer = tableau("yoshida4").b[0]
    assert abs((2 - 1 / outer) ** 3 - 2) < Fraction(1, 10**45)
    for row in SPLITTINGS:
        assert sum(row.b) == sum(row.drifts) == 1
        assert row.b == row.b[::-1]
        assert row.drifts == row.drifts[::-1]
        assert row.c == tuple(sum(row.drifts[: i + 1]) for i in range(len(row.b)))
    assert tableau("verlet").times(projected=False) == (Fraction(1, 2),)


@EVERY
def test_order_of_convergence(scheme: Tableau) -> None:
    """In resonance from rest x = F (sin(w t) - w t cos(w t)) / (2 m w^2), p = m x': errors fall as the row says."""
    sim = eomc.compile(oscillator(), integrator=scheme.name).load()
    exact = np.array([3.0 * (np.sin(4.0) - 4.0 * np.cos(4.0)) / 16, 3.0 * 2.0 * np.sin(4.0) / 4 * 2])
    runs = [sim.simulate(2.0, 2.0 / n, inputs=lambda t: {"F": 3.0 * np.sin(2.0 * t)}) for n in (128, 256)]
    errors = [np.linalg.norm(run.x[-1] - exact) for run in runs]
    assert_allclose(np.log2(errors[0] / errors[1]), scheme.order, atol=0.1)


@EVERY
@pytest.mark.parametrize(("name", "method"), [("henon_heiles", None), ("kepler", None), ("simple_pendulum", "kane")])
def test_a_step_is_its_definition_on_the_reference(scheme: Tableau, name: str, method: str | None) -> None:
    """Five steps equal drifts and kicks in turn, on rates of the reference; the balance holds."""
    model = eomc.load(name)
    build = eomc.compile(model, method, integrator=scheme.name)
    sim, reference = build.load(), eomc.reference(model, method)
    found, h = sim.simulate(0.1, 0.02), 0.02
    state, nothing = np.array(found.x[:1]), np.zeros((1, 0))

    def rates(times: Any, states: Any, _: Any) -> Any:
        return np.atleast_2d(reference.rhs(times, states))

    for i in range(5):
        state = step(rates, scheme, i * h, state, nothing, h, len(model.coordinates))
        assert_allclose(found.x[i + 1], state[0], rtol=1e-13, atol=1e-14)
    if build.equations.energetics.no_power == "":
        run = balance(build, 1.0, 1e-3)
        assert run.defect <= run.tolerance


@EVERY
def test_the_energy_stays(scheme: Tableau) -> None:
    """Over many periods the error is no larger than over the first few, and falls with h to the order."""
    sim = eomc.compile(eomc.load("henon_heiles"), integrator=scheme.name).load()
    errors = []
    for h in (0.1, 0.05):
        run = sim.simulate(500.0, h)
        energy = next(iter(sim.energy(run.t, run.x).values()))
        errors.append(np.abs(energy - energy[0]))
        early = len(errors[-1]) // 10
        assert errors[-1][early:].max() < 1.2 * errors[-1][:early].max()
    assert_allclose(np.log2(errors[0].max() / errors[1].max()), scheme.order, atol=0.5)


@EVERY
def test_the_potential_may_depend_on_the_time(scheme: Tableau) -> None:
    """A spring whose stiffness swings: a tenth of the step is the motion, to the order of the scheme."""
    sim = eomc.compile(oscillator(stiffness=k * (1 + sm.sin(3 * t) / 2)), integrator=scheme.name).load()
    ends = [sim.simulate(1.0, h, x0=[1.0, 0.0]).x[-1] for h in (0.02, 0.01, 0.0005)]
    errors = [np.linalg.norm(end - ends[-1]) for end in ends[:-1]]
    assert_allclose(np.log2(errors[0] / errors[1]), scheme.order, atol=0.15)


def test_what_is_refused() -> None:
    """Damping, a mass matrix that depends on coordinates, time in T, further states: by name; projections too."""
    ends = r"; use integrator gauss3 or rk4$"
    for model, method, said in (
        (
            oscillator(friction=c * p),
            None,
            r"^oscillator has no step of verlet: p' depends on p: a damping, another",
        ),
        (
            eomc.load("double_pendulum"),
            "hamilton",
            r"^double_pendulum has .*: th1' depends on th1, .* mass matrix",
        ),
        (eomc.load("cart_pole"), "kane", r"^cart_pole has .*: x_d' depends on theta_d: a damping, .* a mass matrix"),
        (eomc.load("rolling_disk"), "kane", r"^rolling_disk has no step of verlet: of its 8 states 5 are coordinates"),
        (eomc.load("bar_on_moving_pivot:1"), "hamilton", r"^bar_on_moving_pivot.*: theta' depends on "),
    ):
        with pytest.raises(UnsupportedError, match=said) as told:
            eomc.compile(model, method, integrator="verlet")
        assert told.match(ends)
    with pytest.raises(UnsupportedError, match=r"^four_bar has no step of yoshida4 with .*'projection'"):
        eomc.compile(eomc.load("four_bar"), stabilization="projection", integrator="yoshida4")
    with pytest.raises(UnsupportedError, match=r"^step_jacobian: a step of verlet .* use integrator rk4$"):
        eomc.compile(oscillator(), functions="step_jacobian", integrator="verlet")


def test_both_programs_take_it() -> None:
    """By the build, by the run, and with the functions of both parts in the header."""
    build = eomc.compile(oscillator(), integrator="yoshida4")
    run = eomc.compile(oscillator()).load().simulate(1.0, 0.1, inputs={"F": 1.0}, integrator="yoshida4")
    assert build.load().simulate(1.0, 0.1, inputs={"F": 1.0}).x.tobytes() == run.x.tobytes()
    header = next(file.text for file in build.artifacts if file.path == "oscillator.h")
    for name in (
        "oscillator_rates(",
        "oscillator_forces(",
        "oscillator_yoshida4_step(",
        "oscillator_yoshida4_step_held(",
    ):
        assert name in header


@EVERY
def test_an_ensemble_has_the_bits_of_single_runs(scheme: Tableau) -> None:
    """Lanes of a scheme that is no explicit one go by themselves."""
    sim = eomc.compile(eomc.load("henon_heiles"), functions=[], integrator=scheme.name).load()
    x0 = np.array([[0.1, -0.2, 0.3, 0.15], [0.2, 0.1, 0.1, 0.1], [0.05, 0.1, 0.2, 0.1]])
    ends = np.array([sim.simulate(0.5, 0.01, x).x[-1] for x in x0])
    assert np.array_equal(np.squeeze(sim.ensemble(x0, t_end=0.5, dt=0.01, keep="last").x), ends)
