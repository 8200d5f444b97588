"""The shipped models: their names, their documentation, their arguments."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
import eomc.models
from eomc.errors import EomcError

# model -> file and entry whose parameters it takes, as parameters and inputs
ENTRIES = {
    "simple_pendulum": ("lecture_examples", "simple_pendulum_kane_004"),
    "double_pendulum_bars": ("lecture_examples", "double_pendulum_bars_example4_004"),
    "spherical_pendulum": ("lecture_examples", "spherical_pendulum_hamilton_000"),
    "two_masses_on_rod": ("lecture_examples", "two_masses_on_rod_004"),
    "rolling_cylinder": ("lecture_examples", "cylinder_in_cylinder_004"),
    "chaplygin_sleigh": ("lecture_examples", "chaplygin_sleigh_003"),
    "vertical_rolling_disk": ("lecture_examples", "vertical_rolling_disk_002"),
    "rolling_disk_with_slip": ("lecture_examples", "rolling_disk_with_slip_000"),
    "free_rigid_body": ("closed_forms", "torque_free_asymmetric_top"),
    "bar_on_moving_pivot": ("lecture_examples", "bar_prescribed_z_004"),
    "two_link_arm": ("lecture_examples", "two_arm_manipulator_004"),
    "dissipative_chain": ("lecture_examples", "dissipation_function_001"),
    "two_masses_on_rod_cartesian": ("lecture_examples", "constrained_hamilton_004"),
    "slider_crank_unequal": ("lecture_examples", "slider_crank_000"),
    "heavy_top": ("closed_forms", "heavy_symmetric_top_nutation"),
    "kepler": ("closed_forms", "kepler_two_body"),
    "henon_heiles": ("closed_forms", "henon_heiles"),
}

STATES = {
    "simple_pendulum": "theta | theta_d",
    "bouncing_ball": "y | v",
    "double_pendulum": "th1 th2 | th1d th2d",
    "double_pendulum_bars": "q1 q2 | q1d q2d",
    "spherical_pendulum": "theta phi | theta_d phi_d",
    "two_masses_on_rod": "q1 q2 | q1d q2d",
    "rolling_cylinder": "theta | theta_d",
    "chaplygin_sleigh": "q1 q2 q3 | u1 u3",
    "vertical_rolling_disk": "x y theta phi | theta_d v",
    "rolling_disk": "theta phi psi x y | u1 u2 u3",
    "rolling_disk_with_slip": "theta phi psi X Y | u1 u2 u3 u4 u5",
    "n_link_pendulum": "q0 q1 q2 q3 | u0 u1 u2 u3",
    "cart_pole": "x theta | x_d theta_d",
    "free_rigid_body": "e0 e1 e2 e3 | w1 w2 w3",
    "bar_on_moving_pivot": "theta | theta_d",
    "two_link_arm": "theta2 theta3 | theta2_d theta3_d",
    "dissipative_chain": "th1 th2 | th1d th2d",
    "thin_coin": "theta phi psi x y | wx wy wz",
    "rolling_disk_dependent": "theta phi psi x y | u1 u2 u3 u4 u5",
    "two_masses_on_rod_cartesian": "x1 y1 x2 y2 | x1d y1d x2d y2d",
    "slider_crank": "q1 q2 q3 | u1 u2 u3",
    "slider_crank_unequal": "theta beta x | u1 u2 u3",
    "four_bar": "q1 q2 q3 | u1 u2 u3",
    "n_four_bar": "psi0 psi1 psi2 beta1 beta2 | psi0_d psi1_d psi2_d beta1_d beta2_d",
    "hanging_chain": "q1 q2 q3 q4 q5 q6 | u1 u2 u3 u4 u5 u6",
    "andrews_squeezer": ("beta theta gamma phi delta omega epsilon | betad thetad gammad phid deltad omegad epsilond"),
    "whipple_bicycle": "x y psi phi theta delta theta_R theta_F | ux uy upsi uphi utheta udelta uR uF",
    "heavy_top": "theta phi psi | theta_d phi_d psi_d",
    "snakeboard": "x y theta psi phi_b phi_f | u1 u2 u3 u4 u5 u6",
    "coulomb_bead": "theta | theta_d w",
    "kepler": "x y | px py",
    "henon_heiles": "x y | px py",
}


def names(symbols: Any) -> list[str]:
    """Return the names of time functions."""
    return [str(symbol.func) for symbol in symbols]


def test_the_list_of_shipped_models_is_complete(methods: dict[str, tuple[str, ...]]) -> None:
    """Every module of eomc.models is a shipped model, and these tests know it."""
    assert {module.name for module in pkgutil.iter_modules(eomc.models.__path__)} == set(methods)


def test_a_shipped_model_is_named_after_its_file(shipped: str, loaded: Callable[[str], Any]) -> None:
    """`eomc.load(name)` is the model of that name, and it says in one line what it is."""
    model = loaded(shipped)
    assert model.name == shipped
    assert model.description
    assert "\n" not in model.description


def test_the_methods_of_a_shipped_model(
    shipped: str, methods: dict[str, tuple[str, ...]], loaded: Callable[[str], Any]
) -> None:
    """Bodies with as many speeds as coordinates admit every method; fewer speeds only Kane's; a Hamiltonian its own."""
    found = loaded(shipped).methods
    assert sorted(found) == sorted(methods[shipped])
    assert found[0] == methods[shipped][0]


def test_coordinates_and_speeds_have_the_documented_names(shipped: str, loaded: Callable[[str], Any]) -> None:
    """Names and order are those of the source and of the module's docstring."""
    model = loaded(shipped)
    q, _, u = STATES[shipped].partition(" | ")
    assert names(model.coordinates) == q.split()
    assert names(model.speeds) == u.split()
    docstring = importlib.import_module(f"eomc.models.{shipped}").__doc__ or ""
    assert "Source: " in docstring
    if shipped != "n_link_pendulum":
        assert f"``{q}``" in docstring
        assert f"``{u}``" in docstring


@pytest.mark.parametrize("name", ENTRIES)
def test_parameters_and_inputs_have_the_published_names(name: str, published: Callable[..., Any]) -> None:
    """Every published parameter is a parameter or an input, in the published order."""
    model = eomc.load(name)
    listed, inputs = list(published(*ENTRIES[name])["parameters"]), [given.name for given in model.inputs]
    assert [parameter.name for parameter in model.parameters] == [entry for entry in listed if entry not in inputs]
    assert inputs == [entry for entry in listed if entry in inputs]


@pytest.mark.parametrize(("name", "entry"), [
    ("double_pendulum", "double_pendulum_point_masses_004"),
    ("rolling_disk", "rolling_disk_no_slip_000"),
    ("rolling_disk_dependent", "rolling_disk_no_slip_000"),
])  # fmt: skip
def test_parameters_of_an_entry_with_several_points(name: str, entry: str, published: Callable[..., Any]) -> None:
    """The same law, for entries that list their parameters point by point."""
    first = published("lecture_examples", entry)["points"][0]
    assert [parameter.name for parameter in eomc.load(name).parameters] == list(first["parameters"])


def test_every_parameter_is_documented(shipped: str, loaded: Callable[[str], Any]) -> None:
    """Each parameter and input has a unit and says what it is."""
    model = loaded(shipped)
    for quantity in (*model.parameters, *model.inputs):
        assert quantity.unit
        assert quantity.description


def moving_speeds(model: Any) -> list[Any]:
    """Return the speeds that are states; auxiliary ones are always zero."""
    return [u for u in model.speeds if u not in getattr(model.dynamics, "auxiliary_speeds", ())]


def test_every_state_and_output_is_documented(shipped: str, loaded: Callable[[str], Any]) -> None:
    """Each coordinate, speed, momentum and output says what it is, with its unit unless it has no dimension."""
    model = loaded(shipped)
    told = {meaning.symbol: meaning for meaning in model.meanings}
    without_dimension = {"e0", "e1", "e2", "e3", "quaternion_norm", "eccentricity_x", "eccentricity_y"}
    without_dimension |= {"axis_x", "axis_y", "axis_z"}
    for symbol in (*model.coordinates, *moving_speeds(model)):
        assert told[symbol].description
        assert told[symbol].unit or shipped == "henon_heiles" or symbol.name in without_dimension
    for output in model.outputs:
        assert output.description
        assert output.unit or output.name in without_dimension


def test_every_state_has_an_initial_value_inside_its_range(shipped: str, loaded: Callable[[str], Any]) -> None:
    """Initial coordinates lie within the ranges of random states; what has no value is left to the constraints."""
    model = loaded(shipped)
    initial = dict(model.initial)
    assert set(initial) <= {*model.coordinates, *model.speeds, *(state.symbol for state in model.extra_states)}
    closing = len(getattr(model.dynamics, "configuration_constraints", ()))
    rolling = len(getattr(model.dynamics, "velocity_constraints", ()))
    assert len(set(model.coordinates) - set(initial)) <= closing
    assert len(set(moving_speeds(model)) - set(initial)) <= closing + rolling
    for bounds in model.ranges:
        assert bounds.low < bounds.high
        if bounds.symbol in model.coordinates and bounds.symbol in initial:
            assert bounds.low <= initial[bounds.symbol] <= bounds.high


def test_the_number_of_links_is_an_argument() -> None:
    """`n_link_pendulum:2` has a cart and two links, and is named n_link_pendulum_2."""
    model = eomc.load("n_link_pendulum:2")
    assert model.name == "n_link_pendulum_2"
    assert names(model.coordinates) == ["q0", "q1", "q2"]
    assert [p.name for p in model.parameters] == ["m0", "m1", "m2", "l0", "l1", "g"]
    assert [r.name for r in model.inputs] == ["F"]


@pytest.mark.parametrize("count", ["0", "-1", "two", "2.5"])
def test_a_senseless_number_of_links_is_refused(count: str) -> None:
    """A pendulum has a positive whole number of links; the message says so."""
    with pytest.raises(EomcError, match="link"):
        eomc.load(f"n_link_pendulum:{count}")


@pytest.mark.parametrize(("spec", "name", "coordinates", "parameters"), [
    ("n_four_bar:40", "n_four_bar_40", 81, "link_mass link_length g"),
    ("hanging_chain:20", "hanging_chain_20", 20, "m length span g"),
    ("dissipative_chain:3", "dissipative_chain_3", 3, "m1 m2 m3 l1 l2 l3 c1 c2 c3 g"),
    ("slider_crank:1", "slider_crank_1", 2, "m1 m2 length g"),
    ("slider_crank_unequal:0", "slider_crank_unequal_0", 3, "m1 m2 m3 l1 l2 g"),
    ("bar_on_moving_pivot:1", "bar_on_moving_pivot_1", 1, "m2 l2 J2 g"),
    ("heavy_top:quaternion", "heavy_top_quaternion", 4, "A C mgl"),
])  # fmt: skip
def test_other_arguments_of_shipped_models(spec: str, name: str, coordinates: int, parameters: str) -> None:
    """A model with an argument has it in its name, and the size that it says."""
    model: Any = eomc.load(spec)
    assert model.name == name
    assert len(model.coordinates) == coordinates
    assert [p.name for p in model.parameters] == parameters.split()
    if spec == "n_four_bar:40":
        assert len(model.dynamics.configuration_constraints) == 80
    if spec == "bar_on_moving_pivot:1":
        assert [r.name for r in model.inputs] == ["M2", "z", "z_d", "z_dd"]


@pytest.mark.parametrize("spec", [
    "n_four_bar:0", "n_four_bar:1.5", "hanging_chain:2", "dissipative_chain:-1", "slider_crank:3",
    "slider_crank_unequal:0.5", "bar_on_moving_pivot:2",
])  # fmt: skip
def test_senseless_arguments_are_refused(spec: str) -> None:
    """The message names the model and what it takes."""
    with pytest.raises(EomcError, match=rf"^{spec.partition(':')[0]}:.*(number|write)"):
        eomc.load(spec)


def test_sympy_s_own_n_link_pendulum_has_the_same_equations(simulator: Callable[..., Any]) -> None:
    """sympy.physics.mechanics.models.n_link_pendulum_on_cart, solved by sympy and NumPy, gives the same u'."""
    import sympy
    from sympy.physics.mechanics import dynamicsymbols
    from sympy.physics.mechanics.models import n_link_pendulum_on_cart

    sim = simulator("n_link_pendulum")
    kane = n_link_pendulum_on_cart(3)
    unknowns = [*kane.q, *kane.u, dynamicsymbols("F"), *sympy.symbols(" ".join(sim.parameter_names))]
    system = sympy.lambdify([unknowns], (kane.mass_matrix, kane.forcing), cse=True)
    rng = np.random.default_rng(3)
    for _ in range(10):
        x, force = rng.uniform(-2, 2, 8), rng.uniform(-5, 5)
        parameters = rng.uniform(0.5, 2.0, len(sim.parameter_names))
        mass_matrix, forcing = system([*x, force, *parameters])
        expected = np.linalg.solve(mass_matrix, np.ravel(forcing))
        found = sim.rhs(0.0, x, inputs={"F": force}, parameters=parameters)
        np.testing.assert_allclose(found[4:], expected, rtol=1e-11, atol=1e-11)
        np.testing.assert_array_equal(found[:4], x[4:])
