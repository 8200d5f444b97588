"""Models without equations of motion: one sentence each, naming what is to blame."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.derivation import methods
from eomc.errors import DerivationError, UnsupportedError, UsageError
from eomc.model import Model
from eomc.trees import Joint, JointTree, Link

x, y, u, v, f = dynamicsymbols("x y u v f")
m, g = sm.symbols("m g")
T = dynamicsymbols._t


def plane(**changes: Any) -> Model:
    """Return a particle in a plane, with changes."""
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, changes.pop("velocity", lambda frame: u * frame.x + v * frame.y)(N))
    described: dict[str, Any] = {
        "name": "plane",
        "inertial_frame": N,
        "coordinates": [x, y],
        "speeds": [u, v],
        "bodies": [Particle("p", point, m)],
        "parameters": {m: 1.0},
    }
    return Model(**(described | changes))


def test_a_kinematic_matrix_without_inverse_names_the_coordinate() -> None:
    """Two equations for x' and none for y'."""
    model = plane(kinematical_equations=[x.diff() + y.diff() - u, x.diff() + y.diff() - v])
    with pytest.raises(DerivationError, match=r"kinematical_equations has no inverse: [xy]_d is not determined"):
        eomc.compile(model)


def test_a_singular_mass_matrix_names_the_speed() -> None:
    """Nothing moves with v."""
    model = plane(velocity=lambda frame: u * frame.x)
    with pytest.raises(DerivationError, match="mass matrix is singular: v has no inertia"):
        eomc.compile(model)


def test_a_degenerate_lagrangian_names_the_coordinate() -> None:
    """L = (x^2 + y^2 - x'^2)/2 - y'/2 has no y'' (case B1)."""
    L = x**2 / 2 + y**2 / 2 - x.diff() ** 2 / 2 - y.diff() / 2
    model = eomc.from_lagrangian(L, coordinates=[x, y])
    for method in ("lagrange", "hamilton"):
        with pytest.raises(DerivationError, match="mass matrix is singular: coordinate y has no inertia"):
            eomc.compile(model, method)


def test_a_dependent_speed_that_the_constraints_do_not_hold() -> None:
    """U = 0 does not determine v."""
    model = plane(velocity_constraints=[u], dependent_speeds=[v])
    with pytest.raises(DerivationError, match="do not determine the dependent speed v"):
        eomc.compile(model)


def test_velocities_must_be_linear_in_the_speeds() -> None:
    """v = u^2 has no partial velocity."""
    model = plane(velocity=lambda frame: u**2 * frame.x + v * frame.y)
    with pytest.raises(DerivationError, match="velocity of point P is not linear in the speeds"):
        eomc.compile(model)


def test_a_prescribed_motion_needs_its_derivatives() -> None:
    """A support that moves by an input f needs f' for velocities and f'' for accelerations, and says which."""
    theta, w = dynamicsymbols("theta w")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, theta)
    origin = Point("O")
    origin.set_vel(N, 0)
    pivot = origin.locatenew("S", f * N.x)
    pivot.set_vel(N, f.diff() * N.x)
    bob = pivot.locatenew("B", -A.y)
    bob.v2pt_theory(pivot, N, A)

    def model(inputs: list[sm.Expr]) -> Model:
        return Model(name="moved", inertial_frame=N, coordinates=[theta], speeds=[w], bodies=[Particle("b", bob, m)],
                     gravity=-g * N.y, inputs=inputs, parameters={m: 1.0, g: 9.81})  # fmt: skip

    with pytest.raises(UnsupportedError, match=r"list f.diff\(t, 2\) among the inputs"):
        eomc.compile(model([f, f.diff()]))
    sim = eomc.compile(model([f, f.diff(), f.diff().diff()])).load()
    assert list(sim.input_names) == ["f", "f_d", "f_dd"]
    dx = sim.rhs(0.0, [0.4, 0.0], inputs={"f_dd": 2.0})
    assert dx[1] == pytest.approx(-9.81 * sm.sin(0.4).evalf() - 2.0 * sm.cos(0.4).evalf(), rel=1e-12)


def test_an_unknown_method_lists_the_known_ones() -> None:
    """Newton is not on the list."""
    with pytest.raises(UsageError, match="unknown method 'newton': choose one of kane, lagrange, hamilton"):
        eomc.compile(plane(), "newton")


def test_hamilton_refuses_fewer_speeds_and_says_what_to_give() -> None:
    """The rolling disk has three speeds for five coordinates."""
    with pytest.raises(UnsupportedError, match="give 5 speeds and 2 velocity constraints instead"):
        eomc.compile(eomc.load("rolling_disk"), "hamilton")


@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_coordinates_that_the_speeds_do_not_determine_are_no_lack_of_inertia(method: str) -> None:
    """u = x' + y' and v = 2 x' + 2 y' give no y', in which velocities are written under lagrange and hamilton."""
    model = plane(kinematical_equations=[x.diff() + y.diff() - u, 2 * x.diff() + 2 * y.diff() - v])
    with pytest.raises(DerivationError, match="matrix of kinematical_equations has no inverse: y_d is not determined"):
        eomc.compile(model, method)


def test_a_negative_mass_names_the_model() -> None:
    """A pivot that is a negative number is refused with the name of the model (the mass is a literal)."""
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x)
    model = Model(
        name="light", inertial_frame=N, coordinates=[x], speeds=[u], bodies=[Particle("p", point, -1)], parameters={}
    )
    with pytest.raises(DerivationError, match="light: the matrix is not positive definite: the pivot of u is -1"):
        eomc.compile(model)


def test_a_constraint_that_says_nothing_new_is_named() -> None:
    """Three times the first row less y times the second follows from the two (case B3)."""
    w, z = dynamicsymbols("w z")
    rows = [u + sm.cos(x) * v, w - u, 3 * (u + sm.cos(x) * v) - (w - u) * y]
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + v * N.y + w * N.z)
    s, r = dynamicsymbols("s r")
    model = Model(
        name="double", inertial_frame=N, coordinates=[x, y, z, s], speeds=[u, v, w, r],
        bodies=[Particle("p", point, 1)], velocity_constraints=rows, dependent_speeds=[v, w, u],
    )  # fmt: skip
    with pytest.raises(DerivationError, match=r"double: velocity_constraints\[2\] follows from the others"):
        eomc.compile(model)


@pytest.mark.parametrize(
    ("row", "serves"),
    [(x.diff() - y.diff(), True), (3 * u - 3 * v, True), (u - x * v, False), (u - 2 * v, False), (u - v - 1, False)],
)
def test_methods_lists_hamilton_where_the_velocity_constraint_is_a_rate(row: Any, serves: bool) -> None:
    """One constraint of each kind: the counts agree, and d(x - y)/dt = u - v decides; derivation says the same."""
    model = plane(configuration_constraints=[x - y], velocity_constraints=[row], dependent_speeds=[u])
    assert ("hamilton" in model.methods) is serves
    assert {"kane", "lagrange", "hamilton-multipliers", "gibbs-appell"} <= set(model.methods)
    if serves:
        assert eomc.compile(model, "hamilton").method == "hamilton"
        return
    with pytest.raises(UnsupportedError, match="velocity constraint 1 is no rate of a configuration constraint"):
        eomc.compile(model, "hamilton")


def test_choosing_a_method_derives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The constraints' rates are looked at for the list of methods, not for a choice."""
    monkeypatch.setattr(methods, "constraint_rows", lambda problem: pytest.fail("derived"))
    model = plane(configuration_constraints=[x - y], velocity_constraints=[u - x * v], dependent_speeds=[u])
    assert methods.choose_method(model, None).name == "kane"
    assert methods.choose_method(model, "lagrange").name == "lagrange"


@pytest.mark.parametrize(
    ("mass", "height", "gravity"),
    [(1e200, 1e200, 9.81), (1.0, 1e160, 9.81), (2, 10**160, 9.81), (1.0, 1e10, 1e308), (3.0, -1e10, 1e300)],
)
def test_numbers_that_come_to_more_than_a_double_holds(mass: float, height: float, gravity: float) -> None:
    """m h^2 of a link, or m g h: what is too large is no entry, but what is made of entries, at whatever stage."""
    rod = Link(name="rod", mass=mass, centre=(0, 0, height))
    hinge = Joint(
        name="hinge", kind="revolute", parent="ground", child="rod", axis=(0, 1, 0), coordinates=[x], speeds=[u]
    )
    model = eomc.from_tree(JointTree([Link(name="ground"), rod], [hinge], gravity=(0, 0, -gravity)), name="tower")
    with pytest.raises(DerivationError, match="tower: a product or a sum of its numbers is larger than a double"):
        eomc.compile(model)
