"""Energies, and which of them are said to be constant."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.ir.interpreter import Sample
from eomc.model import Model


def invariants(model: Model, method: str | None = None) -> dict[str, str]:
    """Return name -> condition of what the derivation says is constant."""
    return {
        invariant.name: invariant.condition for invariant in eomc.compile(model, method).equations.energetics.invariants
    }


def test_a_driven_rotation_keeps_the_jacobi_integral_only(rod_with_bead: Model) -> None:
    """A bead on a rod at a given rate: T2 - T0 + V is constant, T + V is not, and only the former is claimed."""
    for method in rod_with_bead.methods:
        build = eomc.compile(rod_with_bead, method)
        assert invariants(rod_with_bead, method) == {"jacobi": ""}
        constant = [note for note in build.program.notes if "constant" in note]
        assert constant == ["the Jacobi integral T2 - T0 + V is constant"]
    sim = eomc.compile(rod_with_bead).load()
    motion = sim.simulate(5.0, 1e-3)
    energy = sim.energy(motion.t, motion.x)
    assert np.ptp(energy["jacobi"]) < 1e-10
    assert np.ptp(energy["total"]) > 0.1
    r, v = motion.x.T
    np.testing.assert_allclose(energy["jacobi"], 0.3 * (v**2 - 4 * r**2) / 2 + 2.5 * r**2, rtol=1e-13)


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({}, {"total": "", "jacobi": "", "p_x": ""}),
        ({"input"}, {"total": "while the inputs are zero", "jacobi": "while the inputs are zero",
                     "p_x": "while the inputs are zero"}),
        ({"damping"}, {"p_x": ""}),
        ({"load"}, {}),
        ({"time"}, {"p_x": ""}),
    ],
)  # fmt: skip
def test_what_is_constant_and_when(extra: set[str], expected: dict[str, str]) -> None:
    """Loads, damping, inputs and explicit time each take away what they destroy, and nothing else."""
    x, y, u, v, force = dynamicsymbols("x y u v F")
    m, k, c = sm.symbols("m k c")
    t = dynamicsymbols._t
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + v * N.y)
    spring = k * y**2 / 2 * ((2 + sm.sin(t)) if "time" in extra else 1)
    model = Model(
        name="plane",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("p", point, m)],
        potential_energy=spring,
        dissipation_function=c * v**2 / 2 if "damping" in extra else 0,
        loads=[(point, force * N.x)] if "input" in extra else [(point, -k * u * N.x)] if "load" in extra else [],
        inputs=[force] if "input" in extra else [],
        parameters={m: 1.0, k: 2.0, **({c: 0.3} if "damping" in extra else {})},
    )
    for method in model.methods:
        got = invariants(model, method)
        wanted = dict(expected)
        if "load" in extra:
            got.pop("p_x", None)
        assert got == wanted, method


def test_no_potential_is_claimed_where_gravity_cannot_be_placed() -> None:
    """A mass centre without a place in height has a weight but no potential energy: T alone is offered."""
    z, w = dynamicsymbols("z w")
    m, g = sm.symbols("m g")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, w * N.z)
    model = Model(
        name="lost",
        inertial_frame=N,
        coordinates=[z],
        speeds=[w],
        bodies=[Particle("p", point, m)],
        gravity=-g * N.z,
        parameters={m: 1.0, g: 9.81},
    )
    build = eomc.compile(model)
    assert [quantity.name for quantity in build.equations.energetics.energies] == ["kinetic"]
    assert not build.equations.energetics.invariants
    np.testing.assert_allclose(build.load().rhs(0.0, [1.0, 2.0]), [2.0, -9.81])


def test_a_load_that_cannot_do_without_its_input_claims_nothing() -> None:
    """A force k/r of an input r has no value at r = 0: nothing is said to be constant, and nothing fails."""
    x, u, distance = dynamicsymbols("x u r")
    m, k = sm.symbols("m k")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x)
    model = Model(
        name="pulled",
        inertial_frame=N,
        coordinates=[x],
        speeds=[u],
        bodies=[Particle("p", point, m)],
        loads=[(point, k / distance * N.x)],
        inputs={distance: 2.0},
        parameters={m: 1.0, k: 3.0},
    )
    for method in model.methods:
        assert invariants(model, method) == {}
    np.testing.assert_allclose(eomc.compile(model).load().rhs(0.0, [0.0, 1.0]), [1.0, 1.5])


def test_no_momenta_where_the_coordinates_do_not_determine_the_speeds() -> None:
    """With x' = u and y' = u, nothing says what v is: Kane's equations exist, T in terms of q' does not."""
    x, y, u, v = dynamicsymbols("x y u v")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x + v * N.y)
    model = Model(
        name="half_known",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        kinematical_equations=[x.diff() - u, y.diff() - u],
        bodies=[Particle("P", P, 2)],
    )
    assert eomc.compile(model, "kane").equations.energetics.momenta == ()


@pytest.mark.parametrize(
    "name", ["cart_pole", "n_link_pendulum:4", "spherical_pendulum", "rolling_disk_with_slip", "rolling_cylinder"]
)
def test_momenta_cost_what_they_cost_in_velocities(name: str) -> None:
    """Kane's momenta take no more operations than dL/dq': no product is computed once for each half of it."""
    model = eomc.load(name)
    codes = [eomc.compile(model, method).statistics.code for method in ("kane", "lagrange")]
    counts = [sum(f.counts.total for f in code.functions if f.name == "momenta") for code in codes]
    assert counts[0] <= counts[1]


def test_momenta_under_a_given_rate() -> None:
    """A bead on a line that moves with speed c along itself: p = m (v + c), of which c is what M u leaves out."""
    x, v = dynamicsymbols("x v")
    m, c = sm.symbols("m c")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, (v + c) * N.x)
    model = Model(
        name="moving_line",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", P, m)],
        parameters={m: 2.0, c: 3.0},
    )
    equations = eomc.compile(model, "kane").equations
    symbols = {variable.symbol: variable.value for variable in (*equations.states, *equations.parameters)}
    symbols[equations.states[1].symbol] = 0.5
    assert Sample(equations.graph, symbols)[equations.energetics.momenta[0].node] == 7.0


@pytest.mark.parametrize(("tied", "expected"), [(0, {"total": "", "jacobi": ""}), (1, {})])
def test_a_load_on_a_point_that_is_moved_does_no_work_on_the_rest(tied: int, expected: dict[str, str]) -> None:
    """P in x' = u, S massless at x_S = tied x + sin t: the load F on S changes T + V by F (x_S' - cos t) = tied F u."""
    x, u = dynamicsymbols("x u")
    m, k, force = sm.symbols("m k F")
    t = dynamicsymbols._t
    N, P, S = ReferenceFrame("N"), Point("P"), Point("S")
    P.set_vel(N, u * N.x)
    S.set_vel(N, (tied * u + sm.cos(t)) * N.x)
    model = Model(
        name="moved",
        inertial_frame=N,
        coordinates=[x],
        speeds=[u],
        bodies=[Particle("p", P, m)],
        potential_energy=k * x**2 / 2,
        loads=[(S, force * sm.cos(x) * (1 + u**2) * N.x)],
        parameters={m: 1.0, k: 3.0, force: 2.0},
    )
    for method in ("kane", "lagrange", "hamilton"):
        assert invariants(model, method) == expected
    simulator = eomc.compile(model).load()
    power = simulator.power(0.3, [0.4, 0.5])["total"]
    assert power == pytest.approx(tied * 2.0 * np.cos(0.4) * 1.25 * 0.5, abs=1e-15)
