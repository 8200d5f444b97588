"""Kane, Lagrange and Hamilton describe one motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import eomc

Function: TypeAlias = Callable[..., Any]
Array: TypeAlias = NDArray[np.float64]

SEVERAL = [
    "simple_pendulum",
    "double_pendulum",
    "double_pendulum_bars",
    "spherical_pendulum",
    "two_masses_on_rod",
    "rolling_cylinder",
    "rolling_disk_with_slip",
    "n_link_pendulum",
    "cart_pole",
    "two_link_arm",
    "dissipative_chain",
    "heavy_top",
]
CONSTRAINED = [
    "rolling_disk_dependent",
    "two_masses_on_rod_cartesian",
    "slider_crank",
    "slider_crank_unequal",
    "four_bar",
    "n_four_bar",
    "hanging_chain",
    "snakeboard",
]
STATES = 100


def random_states(model: Any, count: int, seed: int) -> Array:
    """Return states [q; u], shape (count, nx), drawn from the model's ranges."""
    rng, ranges = np.random.default_rng(seed), {b.symbol: (b.low, b.high) for b in model.ranges}
    low, high = np.transpose([ranges.get(symbol, (-1.0, 1.0)) for symbol in (*model.coordinates, *model.speeds)])
    return rng.uniform(low, high, (count, len(low)))


def speeds_from_rates(name: str, q: Array) -> Array:
    """Return Y of u = Y q', shape (k, n, n), at k configurations: the unit matrix but for the disk with slip."""
    matrix = np.tile(np.eye(q.shape[1]), (len(q), 1, 1))
    if name == "rolling_disk_with_slip":  # u2 = phi' sin theta, u3 = phi' cos theta + psi'
        matrix[:, 1, 1], matrix[:, 2, 1] = np.sin(q[:, 0]), np.cos(q[:, 0])
    return matrix


def carried(name: str, kane: Any, x: Array, method: str) -> Array:
    """Return the states of another method, [q; q'] or [q; p], from k states [q; u]: q' = Y^-1 u, p = Y^T M u."""
    n = x.shape[1] // 2
    q, u, y = x[:, :n], x[:, n:, None], speeds_from_rates(name, x[:, :n])
    second = np.linalg.solve(y, u) if method == "lagrange" else y.transpose(0, 2, 1) @ (kane.mass_matrix(0.0, x) @ u)
    return np.hstack([q, second[..., 0]])


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
@pytest.mark.parametrize("name", SEVERAL)
def test_methods_agree(name: str, method: str, simulator: Function, derivative: Function) -> None:
    """Kane's q' and u', carried over to the other method's state, are that method's state derivative.

    At 100 random states, |a - b| <= 1e-10 (1 + |b|) in the maximum norm. With x = X(q, u) the state of the other
    method, x' is the derivative of X along (q', u').
    """
    kane, other = simulator(name, "kane"), simulator(name, method)
    model = eomc.load(name)
    x = random_states(model, STATES, seed=11)
    assert np.linalg.cond(kane.mass_matrix(0.0, x)).max() < 1e6
    inputs = np.random.default_rng(1).uniform(-1.0, 1.0, len(model.inputs))
    rates = kane.rhs(0.0, x, inputs=inputs)
    expected = derivative(lambda h: carried(name, kane, x + h * rates, method))
    found = other.rhs(0.0, carried(name, kane, x, method), inputs=inputs)
    assert (np.abs(found - expected).max(axis=1) <= 1e-10 * (1 + np.abs(expected).max(axis=1))).all()


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
@pytest.mark.parametrize("name", SEVERAL)
def test_states_are_converted(name: str, method: str, simulator: Function) -> None:
    """`sim.state` gives q' = Y^-1 u and p = Y^T M u, the momenta of the textbook."""
    kane, other = simulator(name, "kane"), simulator(name, method)
    for x in random_states(eomc.load(name), 3, seed=13):
        n = len(x) // 2
        q, u = (dict(zip(kane.state_names[part], x[part], strict=True)) for part in (slice(n), slice(n, None)))
        expected = carried(name, kane, x[None], method)[0]
        assert_allclose(other.state(q, u), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", SEVERAL)
def test_energies_and_outputs_agree(name: str, simulator: Function) -> None:
    """T, V and the outputs are functions of the motion, whatever the method's state."""
    sims = {method: simulator(name, method) for method in ("kane", "lagrange", "hamilton")}
    kane, x = sims["kane"], random_states(eomc.load(name), STATES, seed=12)
    for method in ("lagrange", "hamilton"):
        state = carried(name, kane, x, method)
        for key in ("kinetic", "potential", "total"):
            found = sims[method].energy(0.0, state)[key]
            assert_allclose(found, kane.energy(0.0, x)[key], rtol=1e-11, atol=1e-11)
        assert_allclose(sims[method].outputs(0.0, state), kane.outputs(0.0, x), rtol=1e-11, atol=1e-11)


def admissible_states(name: str, kane: Any) -> Array:
    """Return states [q; u] that meet the constraints, and are not next to where these are dependent."""
    model = eomc.load(name)
    drawn = eomc.reference(model).random_state(np.random.default_rng(14), 2 * STATES, 0.0)
    states = np.array([kane.project(0.0, x) for x in drawn])
    assert np.abs(kane.constraint_residuals(0.0, states)).max() < 1e-12
    away = np.abs(kane.rhs(0.0, states)).max(axis=1) < 1e3
    assert away.sum() >= STATES
    return np.asarray(states[away][:STATES])


def converted(name: str, sims: dict[str, Any], x: Array, method: str) -> Array:
    """Return the states of another method, as `carried`; the disk's M is over its independent speeds only."""
    kane = sims["kane"]
    if method in ("kane", "gibbs-appell"):
        return x
    if name not in ("rolling_disk_dependent", "snakeboard"):
        return carried(name, kane, x, "lagrange" if method == "lagrange" else "hamilton")
    n = x.shape[1] // 2
    parts = (
        [dict(zip(kane.state_names[part], row[part], strict=True)) for part in (slice(n), slice(n, None))] for row in x
    )
    return np.array([sims[method].state(q, u) for q, u in parts])


def same(found: Any, expected: Any) -> bool:
    """Whether |a - b| <= 1e-10 (1 + |b|) in the maximum norm at every state."""
    a, b = np.asarray(found), np.asarray(expected)
    return bool((np.abs(a - b).max(axis=1) <= 1e-10 * (1 + np.abs(b).max(axis=1))).all())


@pytest.mark.sampled(2)  # one of each kind: rolling, masses or a slider, loops, chains
@pytest.mark.parametrize("name", CONSTRAINED)
def test_methods_agree_under_constraints(
    name: str, methods: dict[str, tuple[str, ...]], simulator: Function, derivative: Function
) -> None:
    """At 100 random admissible states q'' is the same by every method, and so are energies and outputs.

    q'' is found by differentiating q' along the motion: the state of Hamilton's methods is in momenta.
    """
    kane = simulator(name, "kane")
    states, n = admissible_states(name, kane), len(eomc.load(name).coordinates)

    def second(sim: Any, x: Array) -> Any:
        rates = sim.rhs(0.0, x)
        return derivative(lambda h: sim.rhs(0.0, x + h * rates)[:, :n], step=1e-3)

    expected = second(kane, states)
    sims = {method: simulator(name, method) for method in methods[name]}
    for method, sim in sims.items():
        x = converted(name, sims, states, method)
        assert same(sim.rhs(0.0, x)[:, :n], kane.rhs(0.0, states)[:, :n]), method
        assert same(second(sim, x), expected), method
        for key in ("kinetic", "potential", "total"):
            assert_allclose(sim.energy(0.0, x)[key], kane.energy(0.0, states)[key], rtol=1e-11, atol=1e-11)
        assert_allclose(sim.outputs(0.0, x), kane.outputs(0.0, states), rtol=1e-11, atol=1e-11)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CONSTRAINED)
def test_solution_forms_agree(name: str, simulator: Function) -> None:
    """At 100 random admissible states u' and lambda are the same in every form."""
    kane = simulator(name, "kane")
    states = admissible_states(name, kane)
    multipliers = np.column_stack(list(kane.multipliers(0.0, states).values()))
    for form in ("augmented", "range-space", "null-space"):
        sim = eomc.compile(eomc.load(name), constraints=form, functions="multipliers").load()
        assert same(sim.rhs(0.0, states), kane.rhs(0.0, states)), form
        assert same(np.column_stack(list(sim.multipliers(0.0, states).values())), multipliers), form


def test_the_same_motion(simulator: Function) -> None:
    """The double pendulum after 1 s by each method, and as published (RK4, 1 ms)."""
    parameters = {"m1": 1.0, "m2": 2.0, "l1": 1.0, "l2": 0.5, "g": 9.81}
    q, u = {"th1": 0.3, "th2": -0.7}, {"th1d": 1.2, "th2d": 0.4}
    for method in ("kane", "lagrange", "hamilton"):
        sim = simulator("double_pendulum", method)
        motion = sim.simulate(1.0, 1e-3, sim.state(q, u, parameters=parameters), parameters=parameters)
        end = motion.x[-1]
        assert_allclose(end[:2], [0.374136381249, -0.590039974991], atol=2e-9)
        assert_allclose(sim.rhs(1.0, end, parameters=parameters)[:2], [-0.549868038905, -2.223221893031], atol=2e-8)
        energy = sim.energy(motion.t, motion.x, parameters=parameters)["total"]
        assert_allclose(energy[0], -33.159309625411, atol=1e-11)
        if method != "hamilton":  # the published step errors are those of a state of angles and angular velocities
            assert_allclose(end, [0.374136381249, -0.590039974991, -0.549868038905, -2.223221893031], atol=2e-12)
            assert_allclose(energy[-1] - energy[0], -2.0e-10, atol=0.05e-10)
