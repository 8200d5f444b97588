"""Lagrangians whose mass matrix is regular without being positive definite have equations of motion, too."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_two_coupled_oscillators_with_one_mixed_kinetic_term(method: str) -> None:
    """L = m x'y' - k x y gives m x'' = -k x and m y'' = -k y, with p_x = m y' (Bateman's Lagrangian, undamped)."""
    x, y = dynamicsymbols("x y")
    m, k = sm.symbols("m k")
    L = m * x.diff() * y.diff() - k * x * y
    model = eomc.from_lagrangian(L, coordinates=[x, y], parameters={m: 2.0, k: 3.0}, name="bateman")
    build = eomc.compile(model, method)
    sim = build.load()
    state = sim.state({"x": 0.3, "y": -0.7}, {"x_d": 0.2, "y_d": 0.5})
    if method == "lagrange":
        assert sim.rhs(0.0, state) == pytest.approx([0.2, 0.5, -1.5 * 0.3, 1.5 * 0.7], rel=1e-14)
    else:
        assert state[2:] == pytest.approx([1.0, 0.4], rel=1e-14)
        assert sim.rhs(0.0, state) == pytest.approx([0.2, 0.5, 3.0 * 0.7, -3.0 * 0.3], rel=1e-14)
    told = [block.title for function in build.program.functions for block in function.blocks]
    assert any("by elimination (M is not positive definite)" in title for title in told)
    assert not any("L D L^T" in title for title in told)


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
@pytest.mark.parametrize("n", [3, 6])
def test_any_signature(method: str, n: int) -> None:
    """L = (1 + q1^2) q'.S q'/2 - q.K q/2 gives (1 + q1^2) q'' = -S^-1 K q at rest, by formulas and by pivoted LU."""
    rng = np.random.default_rng(n)
    half = rng.uniform(-1, 1, (2, n, n))
    S, K = half + half.transpose(0, 2, 1)
    signs = np.sign(np.linalg.eigvalsh(S))
    assert {-1.0, 1.0} == set(signs)
    q = sm.Matrix(dynamicsymbols(f"q1:{n + 1}"))
    rates = q.diff(dynamicsymbols._t)
    swell = 1 + q[0] ** 2  # keeps the matrix from being a constant
    L = swell * (rates.T * sm.Matrix(S) * rates)[0] / 2 - (q.T * sm.Matrix(K) * q)[0] / 2
    sim = eomc.compile(eomc.from_lagrangian(L, coordinates=list(q), name="signature"), method).load()
    at = rng.uniform(-1, 1, n)
    state = sim.state({f"q{i + 1}": float(a) for i, a in enumerate(at)})
    second = -np.linalg.solve(S, K @ at) / (1 + at[0] ** 2)
    if method == "lagrange":
        np.testing.assert_allclose(sim.rhs(0.0, state)[n:], second, rtol=1e-10)
        return
    momenta = rng.uniform(-1, 1, n)
    dx = sim.rhs(0.0, [*at, *momenta])
    rates_there = np.linalg.solve(S, momenta) / (1 + at[0] ** 2)
    np.testing.assert_allclose(dx[:n], rates_there, rtol=1e-10)
    slopes = -K @ at
    slopes[0] += at[0] * rates_there @ S @ rates_there
    np.testing.assert_allclose(dx[n:], slopes, rtol=1e-10, atol=1e-12)
