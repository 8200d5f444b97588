"""Lagrangians that are no T - V: h = q'.dL/dq' - L is the energy, h at q' = 0 its potential part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import dynamicsymbols

import eomc

pytestmark = pytest.mark.needs_cc

x, y = dynamicsymbols("x y")
x_d, y_d = x.diff(), y.diff()
m, c, k, e, B = sympy.symbols("m c k e B")


class Known(NamedTuple):
    """A Lagrangian, a state, and by hand: q'', kinetic and potential energy of a state."""

    model: Callable[[], eomc.Model]
    start: list[float]
    second: Callable[[Any], Any]
    kinetic: Callable[[Any], Any]
    potential: Callable[[Any], Any]


def relativistic() -> eomc.Model:
    """Return an oscillator near the speed of light."""
    lagrangian = -m * c**2 * sympy.sqrt(1 - x_d**2 / c**2) - k * x**2 / 2
    return eomc.from_lagrangian(lagrangian, coordinates=[x], parameters={m: 2.0, c: 1.5, k: 3.0}, name="relativistic")


def magnetic() -> eomc.Model:
    """Return a charge on a spring in a magnetic field, which does no work."""
    lagrangian = m * (x_d**2 + y_d**2) / 2 + e * B * (x * y_d - y * x_d) / 2 - k * x**2 / 2
    values = {m: 2.0, B: 1.5, e: -0.7, k: 3.0}
    return eomc.from_lagrangian(lagrangian, coordinates=[x, y], parameters=values, name="magnet")


def slow(z: Any) -> Any:
    """Return 1/gamma^2."""
    return 1 - z[..., 1] ** 2 / 2.25


KNOWN = {
    "relativistic": Known(
        relativistic,
        [0.4, 0.9],
        lambda z: [-1.5 * z[0] * slow(z) ** 1.5],
        lambda z: 4.5 * (1 / np.sqrt(slow(z)) - 1),
        lambda z: 4.5 + 1.5 * z[..., 0] ** 2,  # with the energy of rest
    ),
    "magnetic": Known(
        magnetic,
        [0.3, -0.4, 0.7, 0.2],
        lambda z: [(-0.7 * 1.5 * z[3] - 3 * z[0]) / 2, 0.7 * 1.5 * z[2] / 2],
        lambda z: z[..., 2] ** 2 + z[..., 3] ** 2,
        lambda z: 1.5 * z[..., 0] ** 2,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_energies_of_a_lagrangian_alone(name: str) -> None:
    """(gamma - 1) m c^2 and m v^2/2 are kinetic; with k x^2/2 (and m c^2) they make what is constant in a run."""
    known = KNOWN[name]
    model, z = known.model(), np.array(known.start)
    sim, oracle = eomc.compile(model, functions=["energy"]).load(), eomc.reference(model)
    assert_allclose(sim.rhs(0.0, z)[z.size // 2 :], known.second(z), rtol=1e-12)
    kinetic, potential = known.kinetic(z), known.potential(z)
    for found in (sim.energy(0.0, z), oracle.energy(0.0, z)):
        both = kinetic + potential
        right = {"kinetic": kinetic, "potential": potential, "total": both, "jacobi": both}
        assert {key: found[key] for key in right} == pytest.approx(right, rel=1e-12)
    run = sim.simulate(2.0, 1e-3, x0=z)
    along = sim.energy(run.t, run.x)
    assert_allclose(along["kinetic"], known.kinetic(run.x), rtol=1e-11, atol=1e-12)
    assert np.ptp(along["total"]) < 1e-11


@pytest.mark.parametrize("name", KNOWN)
def test_the_header_defines_them(name: str) -> None:
    """The word "kinetic energy" stands where L is quadratic in q' without a linear part, and there alone."""
    header = eomc.compile(KNOWN[name].model()).artifacts[0].text
    assert "h - potential" in header
    assert "h at q' = 0" in header
    assert "kinetic energy" not in header
    usual = eomc.from_lagrangian(m * x_d**2 / 2 - k * x**2 / 2, coordinates=[x], parameters={m: 2.0, k: 3.0})
    assert "kinetic energy" in eomc.compile(usual).artifacts[0].text
