"""Systems with more zeros than not, and in several chunks: the emitted C against the reference."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
import sympy.physics.mechanics as me

import eomc
from eomc.analysis.agreement import compare_all
from eomc.derivation.options import CONSTRAINTS

pytestmark = pytest.mark.needs_cc


def test_a_chain_of_loops() -> None:
    """Ten loops: 21 speeds, 20 rows; the places of M and J are cleared in one call, not by hundreds of statements."""
    model = eomc.load("n_four_bar:10")
    builds = [eomc.compile(model, constraints=form) for form in CONSTRAINTS]
    for build in builds:
        source = source_of(build)
        assert "clear_reals(" in source
        assert source.count("= REAL(0.0);") < 1000
    for build, comparison in compare_all(builds, count=4):
        assert comparison.holds, (build.options, comparison)


def oscillators(n: int, stiffness: float) -> eomc.Model:
    """Return n particles on a line, between springs to their neighbours and to two walls, or free."""
    frame, origin = me.ReferenceFrame("N"), me.Point("O")
    origin.set_vel(frame, 0)
    q, u = list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))
    m, k = sympy.symbols(f"m:{n}"), sympy.Symbol("k")
    bodies, loads = [], []
    places = [0, *q, 0]
    for i in range(n):
        point = origin.locatenew(f"P{i}", q[i] * frame.x)
        point.set_vel(frame, u[i] * frame.x)
        bodies.append(me.Particle(f"B{i}", point, m[i]))
        if stiffness:
            loads.append((point, k * (places[i] - 2 * q[i] + places[i + 2]) * frame.x))
    return eomc.Model(
        name=f"oscillators_{n}",
        inertial_frame=frame,
        coordinates=q,
        speeds=u,
        kinematical_equations=[x.diff(me.dynamicsymbols._t) - v for x, v in zip(q, u, strict=True)],
        bodies=bodies,
        loads=loads,
        parameters={**{mass: 1.0 + i for i, mass in enumerate(m)}, **({k: stiffness} if stiffness else {})},
    )


def source_of(build: eomc.Build) -> str:
    return "".join(artifact.text for artifact in build.artifacts if artifact.kind == "source")


@pytest.mark.parametrize("stiffness", [0.0, 10.0])
def test_particles_are_emitted_in_proportion(stiffness: float) -> None:
    """A diagonal M and a band of springs: four times as many particles make four times as much C, all functions in."""
    small, large = (eomc.compile(oscillators(n, stiffness), functions="all") for n in (25, 100))
    assert len(large.program.graph) <= 4.1 * len(small.program.graph)
    assert len(source_of(large)) <= 4.4 * len(source_of(small))


def test_many_oscillators() -> None:
    """Natural frequencies of a chain between walls, 2 sqrt(k/m) sin(i pi / (2 n + 2)), from A; M and rates by NumPy."""
    n, stiffness = 210, 10.0
    sim = eomc.compile(oscillators(n, stiffness), functions=["jacobian", "mass_matrix"]).load()
    masses = {f"m{i}": 2.0 for i in range(n)}
    a, _ = sim.jacobian(0.0, np.zeros(2 * n), parameters=masses)
    found = np.sort(np.sqrt(-np.linalg.eigvalsh(a[n:, :n])))
    i = np.arange(1, n + 1)
    assert found == pytest.approx(2 * np.sqrt(stiffness / 2.0) * np.sin(i * np.pi / (2 * n + 2)), rel=1e-9)
    assert np.array_equal(sim.mass_matrix(0.0, np.zeros(2 * n)), np.diag(1.0 + np.arange(n)))
    x = np.random.default_rng(1).normal(size=2 * n)
    displaced = np.concatenate([[0.0], x[:n], [0.0]])
    rates = np.concatenate([x[n:], stiffness * np.diff(displaced, 2) / (1.0 + np.arange(n))])
    assert sim.rhs(0.0, x) == pytest.approx(rates, rel=1e-13, abs=1e-13)


def test_a_chain_of_forty_loops_is_emitted_in_proportion() -> None:
    """Text per loop does not grow, M and all."""
    builds = {n: eomc.compile(eomc.load(f"n_four_bar:{n}")) for n in (10, 40)}
    lines = {n: source_of(build).count("\n") / n for n, build in builds.items()}
    assert lines[40] < 1.3 * lines[10]
