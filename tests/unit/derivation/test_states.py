"""Units of states and momenta, where those of the coordinates tell them."""

from __future__ import annotations

import re
from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.report import render_equations

m, k = sm.symbols("m k")
x, phi, y = dynamicsymbols("x phi y")
L = m * (x.diff() ** 2 + x**2 * phi.diff() ** 2 + y.diff() ** 2) / 2 - k * x**2 / 2


def polar(initial: dict[Any, Any]) -> eomc.Model:
    """Return a particle on a spring in cylindrical coordinates; phi and y are cyclic."""
    return eomc.from_lagrangian(L, coordinates=[x, phi, y], parameters={m: 1.0, k: 2.0}, initial=initial)


@pytest.mark.parametrize(
    ("initial", "expected"),
    [
        ({x: (1.0, "m"), phi: (0.1, "rad"), y: (0.2, "m")}, ("kg m/s", "kg m^2/s", "kg m/s")),
        ({x: 1.0, phi.diff(): (0.1, "rad/s"), y.diff(): (0.2, "m/s")}, ("", "kg m^2/s", "kg m/s")),
        ({x: (1.0, "mm"), phi: (0.1, "deg"), y: 0.3}, ("kg m/s", "kg m^2/s", "")),
        ({x: (1.0, "1"), phi: (0.1, "kg"), y: 0.3}, ("", "", "")),
    ],
)
def test_units_of_momenta(initial: dict[Any, Any], expected: tuple[str, str, str]) -> None:
    """dL/dq' of a length is kg m/s, of an angle kg m^2/s, of anything else it is not said."""
    model = polar(initial)
    canonical = eomc.compile(model, "hamilton").program.states
    assert tuple(state.unit for state in canonical[3:]) == expected
    for method in ("lagrange", "hamilton"):
        momenta = {
            quantity.name: quantity.unit for quantity in eomc.compile(model, method).equations.energetics.momenta
        }
        assert momenta == {"p_phi": expected[1], "p_y": expected[2]}


def test_units_of_momenta_are_in_the_header() -> None:
    """The text that people read has them."""
    build = eomc.compile(polar({x: (1.0, "m"), phi: (0.1, "rad"), y: (0.2, "m")}))
    header = next(artifact.text for artifact in build.artifacts if artifact.path.endswith(".h"))
    line = next(line for line in header.splitlines() if "cyclic" in line and "phi" in line)
    assert "[kg m^2/s] momentum of phi" in line


def test_units_of_given_momenta() -> None:
    """Momenta of a Hamiltonian have the units that they were given: nobody knows whether H is in J."""
    p, p_phi = dynamicsymbols("p p_phi")
    H = p**2 / (2 * m) + p_phi**2 / (2 * m * x**2) + k * x**2 / 2
    arguments = {"coordinates": [x, phi], "momenta": [p, p_phi], "parameters": {m: 1.0, k: 2.0}}
    model = eomc.from_hamiltonian(H, initial={x: (1.0, "m"), phi: (0.1, "rad"), p_phi: (1.0, "N m s")}, **arguments)
    equations = eomc.compile(model).equations
    assert [state.unit for state in equations.states] == ["m", "rad", "", "N m s"]
    assert [(quantity.name, quantity.unit) for quantity in equations.energetics.momenta] == [("p_phi", "N m s")]


def test_units_of_momenta_are_in_the_report() -> None:
    """So are they in the equations as text."""
    build = eomc.compile(polar({x: (1.0, "m"), phi: (0.1, "rad"), y: (0.2, "m")}))
    assert re.search(r"p_phi = .*# momentum of phi, .*\[kg m\^2/s\]", render_equations(build, format="text"))


@pytest.mark.parametrize(("factor", "told"), [(1, "phi"), (2, "")])
def test_a_speed_that_is_the_rate_of_a_coordinate_and_called_so_says_it(factor: int, told: str) -> None:
    """phi' = phi_d is told, and not x' = u, a name of its own, nor phi' = 2 phi_d, another quantity."""
    N = sm.physics.mechanics.ReferenceFrame("N")
    origin, P = map(sm.physics.mechanics.Point, "OP")
    u, phi_d = dynamicsymbols("u phi_d")
    P.set_pos(origin, x * N.x + phi * N.y)
    origin.set_vel(N, 0)
    P.set_vel(N, u * N.x + factor * phi_d * N.y)
    model = eomc.Model(
        name="plane",
        inertial_frame=N,
        coordinates=[x, phi],
        speeds=[u, phi_d],
        kinematical_equations=[u - x.diff(), factor * phi_d - phi.diff()],
        bodies=[sm.physics.mechanics.Particle("p", P, m)],
        parameters={m: 1.0},
    )
    states = eomc.compile(model, "kane").equations.states
    assert [state.rate_of for state in states] == ["", "", "", told]
    by_rates = eomc.compile(model, "lagrange").equations.states
    assert [state.rate_of for state in by_rates] == ["", "", "x", "phi"]
