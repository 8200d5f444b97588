"""Small oscillations about hanging equilibria, against the eigenfrequencies of the textbooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from scipy.special import jn_zeros

import eomc

Function: TypeAlias = Callable[..., Any]

FORMS = "closed_forms"


def frequencies(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positive imaginary parts of the eigenvalues, sorted."""
    imaginary = np.linalg.eigvals(matrix).imag
    return np.sort(imaginary[imaginary > 1e-6])


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_double_pendulum(method: str, simulator: Function, published: Function, jacobian: Function) -> None:
    """w^2 = g [(1 + mu)(l1 + l2) -+ sqrt((1 + mu)^2 (l1 + l2)^2 - 4 (1 + mu) l1 l2)]/(2 l1 l2), mu = m2/m1."""
    sim, entry = simulator("double_pendulum", method), published(FORMS, "double_pendulum_normal_modes")
    found = frequencies(jacobian(sim, np.zeros(4)))
    assert_allclose(found, entry["expected"]["omega"], rtol=1e-10)
    equal = {"m1": 1.0, "m2": 1.0, "l1": 1.0, "l2": 1.0}
    found = frequencies(jacobian(sim, np.zeros(4), parameters=equal))
    assert_allclose(found, entry["expected"]["omega_equal_l1"], rtol=1e-10)
    if method != "hamilton":  # by derivatives of the graph, and so to all digits
        for parameters, key in ((None, "omega"), (equal, "omega_equal_l1")):
            exact, _ = sim.jacobian(0.0, np.zeros(4), parameters=parameters)
            assert_allclose(frequencies(exact), entry["expected"][key], rtol=entry["tolerance"])


@pytest.mark.parametrize(("links", "method", "key"), [
    (3, "kane", "omega_n3"), (3, "lagrange", "omega_n3"), (3, "hamilton", "omega_n3"), (5, "kane", "omega_n5"),
])  # fmt: skip
def test_chain_of_links(
    links: int, method: str, key: str, simulator: Function, published: Function, jacobian: Function
) -> None:
    """Equal masses on equal links below a support: w_k^2 = (g/l) x_k, x_k the zeros of the Laguerre polynomial L_n.

    The support is the cart with so much mass that it does not move.
    """
    sim = simulator("n_link_pendulum" if links == 3 else f"n_link_pendulum:{links}", method)
    parameters = {f"l{i}": 1.0 / links for i in range(links)} | {"m0": 1e15}
    hanging = sim.state({f"q{i}": np.pi for i in range(1, links + 1)}, {}, parameters=parameters)
    hanging[links + 1 :] = 0.0
    kept = [i for i in range(2 * links + 2) if i not in (0, links + 1)]
    found = frequencies(jacobian(sim, hanging, parameters=parameters)[np.ix_(kept, kept)])
    expected = published(FORMS, "planar_n_link_pendulum_modes")["expected"][key]
    assert_allclose(found, expected, rtol=1e-9)


def test_a_chain_of_many_links_is_nearly_a_rope(published: Function) -> None:
    """Sixty links, and the limit w_k = (j_k/2) sqrt(g/L) of a rope, j_k the zeros of the Bessel function J0.

    Zeros of Laguerre polynomials are x_k = j^2/v (1 + (j^2 - 2)/(3 v^2) + ...), v = 4 n + 2 (Abramowitz, Stegun,
    22.16.8): with these terms the chain is the rope up to terms of the order (j/v)^4.
    """
    entry, n = published(FORMS, "planar_n_link_pendulum_modes"), 60
    e = entry["expected"]
    model = eomc.load(f"n_link_pendulum:{n}")
    parameters = {f"l{i}": 1.0 / n for i in range(n)} | {"m0": 1e12}
    hanging = dict(zip(model.coordinates, [0.0] + [np.pi] * n, strict=True))
    linear = eomc.linearize(model, at=hanging | dict.fromkeys(model.speeds, 0.0), parameters=parameters)
    kept = [i for i in range(2 * n + 2) if i not in (0, n + 1)]
    found = frequencies(linear.A[np.ix_(kept, kept)])[:3]
    assert_allclose(found, e["omega_n60_first3"], rtol=entry["tolerance"])
    assert_allclose(jn_zeros(0, 3), e["j0_zeros"], rtol=entry["tolerance"])
    j, v = np.array(e["j0_zeros"]), 4 * n + 2
    assert_allclose(j / 2 * np.sqrt(9.81), e["chain_limit"], rtol=entry["tolerance"])
    rope = found * np.sqrt(v / (4 * n) / (1 + (j**2 - 2) / (3 * v**2)))
    assert (np.abs(rope / e["chain_limit"] - 1) < (j / v) ** 4).all()


def test_two_bars(simulator: Function, jacobian: Function) -> None:
    """Hinged bars hanging: the frequencies of M and K written down by hand."""
    sim = simulator("double_pendulum_bars")
    m1, m2, g = 1.3, 0.8, 9.81
    mass = np.array([[4 * m1 / 3 + m2 * (16 / 3 + 4), m2 * (4 / 3 + 2)], [m2 * (4 / 3 + 2), 4 * m2 / 3]])
    stiffness = g * np.array([[m1 + 3 * m2, m2], [m2, m2]])
    expected = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness))))
    assert_allclose(frequencies(jacobian(sim, np.zeros(4))), expected, rtol=1e-10)
