"""The law of impacts: against the linear complementarity problem solved by trying, energy, cradle, rocking block."""

from __future__ import annotations

import itertools
import os

import numpy as np
import pytest
import sympy
from numpy.typing import NDArray
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.binding import Simulator
from eomc.errors import RunError

pytestmark = pytest.mark.needs_cc

Array = NDArray[np.float64]
T = dynamicsymbols._t
N, GAPS = 3, 4  # more gaps than coordinates: some follow from others
SAMPLES = 10_000 if "EOMC_THOROUGH" in os.environ else 1_000


@pytest.fixture(scope="module")
def any_impact() -> Simulator:
    """Return q with the mass matrix G^T G and gaps J q, all closed at q = 0."""
    q = dynamicsymbols(f"q:{N}")
    G, J = sympy.MatrixSymbol("G", N, N), sympy.MatrixSymbol("J", GAPS, N)
    e = sympy.symbols(f"e:{GAPS}")
    rates = [one.diff(T) for one in q]
    kinetic = sum(sum(G[i, j] * rates[j] for j in range(N)) ** 2 for i in range(N)) / 2
    gaps = [sum(J[i, j] * q[j] for j in range(N)) for i in range(GAPS)]
    model = eomc.from_lagrangian(
        kinetic,
        coordinates=list(q),
        parameters={G: np.eye(N), J: np.ones((GAPS, N)), **dict.fromkeys(e, 0.5)},
        impacts=[eomc.Impact(gap, restitution=one) for gap, one in zip(gaps, e, strict=True)],
        name="any_impact",
    )
    return eomc.compile(model).load()


def solved_by_trying(W: Array, e: Array, rates: Array) -> Array | None:
    """Return L >= 0 with rates + W L + e rates >= 0 and zero where L > 0, of all sets of gaps that could act."""
    wanted = (1.0 + e) * rates
    size = np.abs(wanted).max()
    for count in range(GAPS + 1):
        for acting in itertools.combinations(range(GAPS), count):
            rows = list(acting)
            L = np.zeros(GAPS)
            L[rows] = -np.linalg.pinv(W[np.ix_(rows, rows)], rcond=1e-11) @ wanted[rows] if rows else 0.0
            after = wanted + W @ L
            if np.all(L >= -1e-12 * size) and np.all(after >= -1e-9 * size) and np.all(abs(after[rows]) < 1e-9 * size):
                return L
    return None


def after_impacts(M: Array, J: Array, e: Array, v: Array) -> Array | None:
    """Return v+ by the law: the least coefficient for all where T would grow, again where a gap still closes.

    None of a body that is wedged between gaps: that takes rounds without an end.
    """
    inverse = np.linalg.inv(M)
    W = J @ inverse @ J.T
    start = np.abs(J @ v).max()
    for _ in range(60):
        rates = J @ v
        if np.all(rates >= -1e-11 * start):
            return v
        L = solved_by_trying(W, e, rates)
        if L is None or L @ (2.0 * rates + W @ L) > 1e-12 * np.abs(L) @ np.abs(rates):
            L = solved_by_trying(W, np.full(GAPS, e.min()), rates)
            assert L is not None
        v = v + inverse @ J.T @ L
    return None


def drawn(generator: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Return G, J, e, and v with a gap that closes; no two walls but equal ones are nearly one."""
    while True:
        root = generator.normal(size=(N, N)) + 2.0 * np.diag(generator.uniform(0.2, 2.0, N))
        J = generator.normal(size=(GAPS, N))
        unit = np.linalg.solve(root.T, J.T)
        unit /= np.linalg.norm(unit, axis=0)
        if np.linalg.cond(root) < 100.0 and all(
            np.linalg.cond(unit[:, list(rows)]) < 30.0 for rows in itertools.combinations(range(GAPS), 3)
        ):
            break
    if generator.random() < 0.3:
        J[3] = J[generator.integers(3)] * generator.uniform(0.5, 2.0)  # two gaps that are one
    e = generator.uniform(0.0, 1.0, GAPS)
    e = np.full(GAPS, e[0]) if generator.random() < 0.3 else e
    v = generator.normal(size=N)
    return root, J, e, -v if (J @ v)[0] > 0.0 else v


def parameters(G: Array, J: Array, e: Array) -> Array:
    """Return the parameters of the simulator, in their order."""
    return np.concatenate([G.ravel(), J.ravel(), e])


def test_energy_never_grows_and_the_law_holds(any_impact: Simulator) -> None:
    """T+ <= T- and no gap closes afterwards at random M, J, e, v; v+ is that of trying at each tenth."""
    generator = np.random.default_rng(1)
    compared = 0
    for number in range(SAMPLES):
        G, J, e, v = drawn(generator)
        M = G.T @ G
        x = any_impact.reset("impact_1", 0.0, np.concatenate([np.zeros(N), v]), parameters=parameters(G, J, e))
        after = x[N:]
        assert after @ M @ after <= v @ M @ v * (1.0 + 1e-12)
        assert np.all(J @ after >= -1e-8 * np.abs(J @ v).max())
        if number % 10 == 0:
            expected = after_impacts(M, J, e, v)
            if expected is None:
                continue
            assert np.abs(after - expected).max() <= 1e-8 * np.abs(v).max(), (M, J, e, v)
            compared += 1
    assert compared > SAMPLES // 12


def cradle(first_gap: float, second_gap: float, e: float = 1.0) -> Array:
    """Return the speeds of three equal balls in a row after the first one has met the others at speed 1."""
    x = dynamicsymbols("x:3")
    m, r, restitution = sympy.symbols("m r e")
    model = eomc.from_lagrangian(
        sum(m * one.diff(T) ** 2 / 2 for one in x),
        coordinates=list(x),
        parameters={m: 0.3, r: 0.1, restitution: e},
        impacts=[eomc.Impact(b - a - 2 * r, restitution=restitution) for a, b in itertools.pairwise(x)],
        name="cradle",
    )
    state = np.array([0.0, 0.2 + first_gap, 0.4 + first_gap + second_gap, 1.0, 0.0, 0.0])
    return eomc.compile(model).load().reset("impact_1", 0.0, state)[3:]


def test_touching_balls_share_the_impulse() -> None:
    """Newton's law at one instant: (-1/3, 2/3, 2/3), and momentum and energy are what they were."""
    np.testing.assert_allclose(cradle(0.0, 0.0), [-1 / 3, 2 / 3, 2 / 3], atol=1e-14)


def test_balls_that_are_apart_meet_one_by_one() -> None:
    """The second stops at the third only later: the first impulse hands on all there is."""
    np.testing.assert_allclose(cradle(0.0, 1e-6), [0.0, 1.0, 0.0], atol=1e-14)


def test_plastic_impacts_make_one_body_of_three() -> None:
    """With e = 0 all have the common speed 1/3."""
    np.testing.assert_allclose(cradle(0.0, 0.0, e=0.0), [1 / 3, 1 / 3, 1 / 3], atol=1e-14)


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.6])
def test_rocking_block(alpha: float) -> None:
    """Housner (1963): w+/w- = 1 - 3/2 sin^2 alpha as the block goes from one corner to the other without slip."""
    x, y, theta, vx, vy, w = dynamicsymbols("x y theta vx vy w")
    b, h, m = sympy.symbols("b h m")
    frame, block = ReferenceFrame("N"), ReferenceFrame("B")
    block.orient_axis(frame, frame.z, theta)
    block.set_ang_vel(frame, w * frame.z)
    origin, base = Point("O"), Point("base")
    origin.set_vel(frame, 0)
    base.set_pos(origin, x * frame.x + y * frame.y)
    base.set_vel(frame, vx * frame.x + vy * frame.y)
    center = base.locatenew("C", h * block.y)
    center.v2pt_theory(base, frame, block)
    J = m * (b**2 + h**2) / 3
    model = eomc.Model(
        name="block",
        inertial_frame=frame,
        coordinates=[x, y, theta],
        speeds=[vx, vy, w],
        bodies=[RigidBody("block", center, block, m, (inertia(block, 0, 0, J), center))],
        velocity_constraints=[vx],
        dependent_speeds=[vx],
        parameters={b: float(np.sin(alpha)), h: float(np.cos(alpha)), m: 2.0},
        impacts=[
            eomc.Impact(y - b * sympy.sin(theta), restitution=0, name="left"),
            eomc.Impact(y + b * sympy.sin(theta), restitution=0, name="right"),
        ],
    )
    for method in ("kane", "lagrange", "hamilton-multipliers"):
        sim = eomc.compile(model, method).load()
        # About the left corner, clockwise: the right one comes down.
        before = sim.state(speeds={"w": -1.0, "vy": -float(np.sin(alpha))})
        after = sim.reset("right", 0.0, before)
        ratio = sim.rhs(0.0, after)[2] / sim.rhs(0.0, before)[2]
        assert ratio == pytest.approx(1.0 - 1.5 * np.sin(alpha) ** 2, rel=1e-13), method


def test_impulses_without_an_end_are_told() -> None:
    """A gap that nothing can open: a wall that comes down on a mass on a fixed floor."""
    y = dynamicsymbols("y")
    model = eomc.from_lagrangian(
        y.diff(T) ** 2 / 2,
        coordinates=[y],
        impacts=[eomc.Impact(y, restitution=1, name="floor"), eomc.Impact(-T - y, restitution=1, name="wall")],
        name="press",
    )
    with pytest.raises(RunError, match=r"press: at t = 0 impulses of wall follow each other without an end"):
        eomc.compile(model).load().reset("wall", 0.0, [0.0, 0.0])


def test_a_particle_in_a_corner() -> None:
    """Two walls at right angles do not know of each other."""
    frame, origin, point = ReferenceFrame("N"), Point("O"), Point("P")
    x, y, vx, vy = dynamicsymbols("x y vx vy")
    origin.set_vel(frame, 0)
    point.set_pos(origin, x * frame.x + y * frame.y)
    point.set_vel(frame, vx * frame.x + vy * frame.y)
    m = sympy.symbols("m")
    model = eomc.Model(
        name="corner",
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=[vx, vy],
        bodies=[Particle("P", point, m)],
        parameters={m: 3.0},
        impacts=[eomc.Impact(x, restitution=0.5), eomc.Impact(y, restitution=0.25)],
    )
    after = eomc.compile(model).load().reset("impact_1", 0.0, [0.0, 0.0, -1.0, -2.0])
    np.testing.assert_allclose(after, [0.0, 0.0, 0.5, 0.5], atol=1e-15)
