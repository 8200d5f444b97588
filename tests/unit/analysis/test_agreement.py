"""Comparing the emitted C with the reference: which states are drawn, and what counts as agreement."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Expr, Matrix, Rational, Symbol, cos, exp, sin, sqrt, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis.agreement import CONDITION_LIMIT, TOLERANCE, Agreement, compare, compare_all, draw, judge
from eomc.analysis.agreement.masses import sizes_by_diagonal, sizes_of_accelerations, sizes_of_forces
from eomc.analysis.agreement.parameters import Near
from eomc.analysis.agreement.sampling import _near_group
from eomc.errors import ModelError, UsageError
from eomc.reference.noise import spread
from eomc.trees import Joint, JointLoad, JointTree, Link


def test_the_states_are_many_admissible_and_well_conditioned() -> None:
    """As many states as asked for, on the constraints, with a condition number below the limit."""
    source = eomc.reference(eomc.load("chaplygin_sleigh"))
    groups = draw(source, 37, seed=3)
    assert sum(len(group.states) for group in groups) == 37
    for group in groups:
        condition = source.condition(group.time, group.states, parameters=group.parameters)
        assert np.all(condition < CONDITION_LIMIT)
        assert group.inputs.shape == (len(group.states), len(source.input_names))


def test_a_seed_gives_its_states() -> None:
    """The same seed draws the same states, another one others."""
    source = eomc.reference(eomc.load("cart_pole"))
    first, again, other = (draw(source, 8, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a.states, b.states) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0].states, other[0].states)


def test_time_inputs_and_parameters_vary() -> None:
    """Half of the samples have the defaults, at several times; the others have parameters and times of their own."""
    source = eomc.reference(eomc.load("cart_pole"))
    groups = draw(source, 30, seed=0)
    nominal = [p.value for p in source.model.parameters]
    usual = [group for group in groups if np.array_equal(group.parameters, nominal)]
    assert sum(len(group.states) for group in usual) == 15
    assert len({group.time for group in groups}) == len(groups)
    assert len({tuple(group.parameters) for group in groups}) == 1 + 15
    assert np.ptp(np.concatenate([group.inputs for group in groups])) > 0.5


def test_a_model_without_well_conditioned_states() -> None:
    """A mass matrix that is nearly singular everywhere is the model's fault, and said so."""
    with pytest.raises(ModelError, match=r"unlike.*condition number below 1e\+06"):
        draw(eomc.reference(two_on_a_line((1, 1), (1, 1 + 1e-4), 1.0, 1.0)), 3, seed=0)


@pytest.mark.parametrize("count", [1, 3, 40])
@pytest.mark.parametrize(
    ("masses", "blamed"), [((1.0, 0.0), "m2 is zero: give m2"), ((0.0, 0.0), "m2 is zero: give m2"), ((0.0, 1.0), "")]
)
def test_a_mass_that_is_zero_is_blamed(masses: tuple[float, float], blamed: str, count: int) -> None:
    """The second mass of a double pendulum must not be zero, the first one may: ranges have no part in it."""
    model = eomc.load("double_pendulum").renamed("double_pendulum")  # a copy: the shipped one is shared
    values = dict(zip(("m1", "m2"), masses, strict=True))
    parameters = tuple(replace(one, value=values.get(one.name, one.value)) for one in model.parameters)
    object.__setattr__(model, "parameters", parameters)
    source = eomc.reference(model)
    if not blamed:
        assert sum(len(group.states) for group in draw(source, count, seed=0)) == count
        return
    with pytest.raises(ModelError, match=f"the mass matrix is singular at all random states .* {blamed} another value"):
        draw(source, count, seed=0)


@pytest.mark.needs_cc
def test_ill_conditioned_accelerations_are_judged_by_their_forces(monkeypatch: pytest.MonkeyPatch) -> None:
    """M u' is compared with f where u' tells nothing: one acceleration that is wrong by 1e-8 is seen."""
    x, y, u, v = dynamicsymbols("x y u v")
    links = [Link(name="ground"), Link(name="light", mass=1e-7), Link(name="heavy", mass=1.0)]
    rails = [
        Joint(name=name, kind="prismatic", parent=parent, child=child, coordinates=(q,), speeds=(rate,))
        for name, parent, child, q, rate in (("a", "ground", "light", x, u), ("b", "light", "heavy", y, v))
    ]
    springs = [JointLoad(joint="a", loads=(-3 * x - 0.3 * u,)), JointLoad(joint="b", loads=(-2 * sin(y),))]
    model = eomc.from_tree(JointTree(links, rails, loads=springs), name="light_in_between")
    source, build = eomc.reference(model), eomc.compile(model)
    comparison = compare(build, 20)
    assert (comparison.ill, comparison.holds) == (20, True)
    assert source.condition(0.0, [0.1, 0.2, 0.3, 0.4]) == pytest.approx(4e7, rel=1e-3)  # 4 (m1 + m2)/m1
    simulator = type(build.load())
    right = simulator.rhs

    def wrong(self: Any, *arguments: Any) -> Any:
        return right(self, *arguments) * [1.0, 1.0, 1.0 + 1e-8, 1.0]

    monkeypatch.setattr(simulator, "rhs", wrong)
    assert [one.function for one in compare(build, 20) if not one.holds] == ["rhs"]


def test_units_make_no_condition() -> None:
    """A gram beside a thousand tons, moved by speeds of their own: what is ill-conditioned is but the units."""
    source = eomc.reference(two_on_a_line((1, 0), (0, 1), 1e-3, 1e6))
    assert sum(len(group.states) for group in draw(source, 3, seed=0)) == 3
    assert source.condition(0.0, [0.1, 0.2, 0.3, 0.4]) == pytest.approx(1.0)


def two_on_a_line(first: tuple[float, float], second: tuple[float, float], light: float, heavy: float) -> eomc.Model:
    """Return two particles whose velocities are combinations of two speeds."""
    x, y, u, v = dynamicsymbols("x y u v")
    masses = symbols("light heavy")
    frame = ReferenceFrame("N")
    bodies = []
    for (a, b), mass in zip((first, second), masses, strict=True):
        point = Point("P")
        point.set_vel(frame, (a * u + b * v) * frame.x)
        bodies.append(Particle(str(mass), point, mass))
    return eomc.Model(
        name="unlike",
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=bodies,
        parameters=dict(zip(masses, (light, heavy), strict=True)),
    )


x, v = dynamicsymbols("x v")


def particle(force: Expr, parameters: dict[Symbol, float], mass: Expr | int = 1) -> eomc.Model:
    """Return a particle on a line under a force that may depend on x and v."""
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, v * frame.x)
    return eomc.Model(
        name="particle",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("p", point, mass)],
        loads=[(point, force * frame.x)],
        parameters=parameters,
    )


def drawn(model: eomc.Model, count: int = 60, seed: int = 0) -> dict[str, Any]:
    """Return the values that each parameter takes in the samples that have other values than the defaults."""
    nominal = [p.value for p in model.parameters]
    groups = [g for g in draw(eomc.reference(model), count, seed) if not np.array_equal(g.parameters, nominal)]
    return {p.name: np.array([group.parameters[k] for group in groups]) for k, p in enumerate(model.parameters)}


def test_parameters_are_drawn_over_decades() -> None:
    """Each on its own, sign kept, log-uniform over 1e-3 to 1e3 of its size: that of 1 where it is zero or tiny."""
    c, d, k, n = symbols("c d k n")
    values = drawn(particle(-k * x - c * v - d * v**3 + n, {c: 0.0, d: 1e-12, k: 2e4, n: -3.0}), count=400)
    for name, size in (("c", 1.0), ("d", 1.0), ("k", 2e4), ("n", 3.0)):
        decades = np.sort(np.log10(np.abs(values[name]) / size))
        assert len(decades) == 200
        uniform = np.linspace(-3.0, 3.0, len(decades))
        assert np.abs(decades - uniform).max() < 6.0 * 1.63 / np.sqrt(len(decades))  # Kolmogorov and Smirnov, 1 %
    assert np.all(values["k"] > 0.0)
    assert np.all(values["d"] > 0.0)
    assert np.all(values["n"] < 0.0)
    assert 50 < np.count_nonzero(values["c"] > 0.0) < 150
    together = np.corrcoef(np.log(np.abs(np.array(list(values.values())))))
    assert np.abs(together - np.eye(4)).max() < 0.25


def test_inertias_are_those_of_bodies() -> None:
    """No principal moment is larger than the other two together, also where they are no plain parameters."""
    values = drawn(eomc.load("free_rigid_body"))
    moments = np.sort(np.array([values[name] for name in ("I1", "I2", "I3")]), axis=0)
    assert len(moments[0]) == 30
    assert np.all(moments[0] + moments[1] >= moments[2] * (1 - 1e-9))
    assert moments.max() / moments.min() > 1e4


def test_values_exist_as_with_the_defaults() -> None:
    """A negative number has no root, a negative mass no motion; what else is zero moves all the same."""
    c, m, near, above = symbols("c m near above")
    force = -c * v - sqrt(above) * x
    values = drawn(particle(force, {c: 0.0, near: 0.0, above: 0.0, m: 0.002}, mass=m - near**2 + near / 10))
    assert np.all(values["m"] - values["near"] ** 2 + values["near"] / 10 > 0.0)
    assert np.all(values["above"] > 0.0)
    assert np.min(values["c"]) < 0.0 < np.max(values["c"])


def narrow() -> eomc.Model:
    """Return a particle under a force that has a value only where three parameters are within 0.75 to 1.25."""
    p, q, r, only = symbols("p q r only")
    force = sum(sqrt((one - Rational(74, 100)) * (Rational(126, 100) - one)) for one in (p, q, r)) * x
    return particle(force + (sqrt(only) + sqrt(-only)) * x, {p: 1.0, q: 1.0, r: 1.0, only: 0.0})


def test_parameters_near_the_defaults() -> None:
    """Where no values over decades do, those within 25 % of the defaults are taken, which is told; a zero stays."""
    groups = draw(eomc.reference(narrow()), 20, seed=0)
    near = [group for group in groups if group.near]
    assert sum(len(group.states) for group in near) == 10
    for group in near:
        assert np.all(np.abs(group.parameters[:3] - 1.0) <= 0.25)
        assert len(set(group.parameters)) == 4
        assert group.parameters[3] == 0.0


@pytest.mark.needs_cc
def test_every_function_is_compared() -> None:
    """None of the functions in the C goes unlooked at."""
    build = eomc.compile(eomc.load("n_link_pendulum:2"))
    found = compare(build, 10)
    assert (found.samples, found.near) == (10, 0)
    assert [one.function for one in found] == [function.name for function in build.program.functions]
    assert [one.size for one in found] == [len(function.outputs) for function in build.program.functions]
    assert all(one.holds for one in found)


@pytest.mark.needs_cc
@pytest.mark.parametrize(("name", "witnesses"), [("slider_crank", 1), ("rolling_disk_dependent", 2)])
def test_forms_of_constraints_share_a_reference(name: str, witnesses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """States are drawn once for all forms, twice where M is of other speeds; the findings are those of `compare`."""
    drawn: list[int] = []

    def counted(*arguments: Any) -> Any:
        drawn.append(1)
        return draw(*arguments)

    monkeypatch.setattr("eomc.analysis.agreement.witness.draw", counted)
    model = eomc.load(name)
    builds = [eomc.compile(model, constraints=form) for form in ("eliminated", "augmented", "null-space")]
    found = list(compare_all(builds, 6, 3))
    assert len(drawn) == witnesses
    assert [build for build, _ in found] == builds
    for build, comparison in found:
        assert comparison == compare(build, 6, 3)
        assert comparison.holds


@pytest.mark.needs_cc
def test_another_method_has_another_reference() -> None:
    """Builds of two methods and models, one after the other, each beside a reference of its own."""
    builds = [eomc.compile(eomc.load(name), "hamilton") for name in ("cart_pole", "simple_pendulum")]
    builds.append(eomc.compile(builds[-1].model, "kane"))
    assert all(comparison.holds for _, comparison in compare_all(builds, 5))


def test_the_size_of_terms() -> None:
    """Sizes are those of the terms, not of what is left of them; errors those of their rounding."""
    arguments = np.tile([1e8, 1.0, 2.0], (50, 1)) * np.random.default_rng(0).uniform(0.9, 1.1, (50, 3))
    arguments[:, 1] = arguments[:, 0] * (1.0 + 1e-7 * arguments[:, 1])

    def differences(y: Any) -> Any:
        a, b, c = y.T
        return np.stack([a - b, a * c - c * b, 3.0 * c, 0.0 * c], axis=1)

    middle = differences(arguments)
    found = spread(differences, middle, arguments)
    a, c = arguments[:, 0], arguments[:, 2]
    for column, terms in enumerate((a, a * c, 3.0 * c)):
        # Sizes of two draws of the signs: now and then the terms cancel in one of them.
        assert np.median(found.size[:, column] / terms) > 0.5
        assert np.all(found.size[:, column] < 4.0 * terms)
        exact = [[Fraction(x) for x in row] for row in arguments.tolist()]
        true = [[p - q, (p - q) * r, 3 * r][column] for p, q, r in exact]
        wrong = np.array([abs(float(Fraction(x) - y)) for x, y in zip(middle[:, column].tolist(), true, strict=True)])
        assert np.all(wrong <= 100.0 * found.noise[:, column] + 1e-16 * terms)
        assert np.all(found.noise[:, column] < 1e-15 * terms)
    assert not found.size[:, 3].any()
    assert not found.noise[:, 3].any()


def test_what_cannot_be_told() -> None:
    """Errors larger than 1e-8 of the terms in all samples hide what is asked; those of a zero hide nothing."""
    ours, theirs = np.array([[1.0, 1e-9]] * 3), np.array([[1.0 + 1e-7, -1e-9]] * 3)
    size = np.ones((3, 2))
    told = judge(ours, theirs, size, np.full((3, 2), 1e-6), 1e-10)
    assert told.blind
    assert told.worst == 0.0
    one = np.array([[1e-6, 1e-6]] * 2 + [[1e-12, 1e-6]])
    told = judge(ours, theirs, size, one, 1e-10)
    assert not told.blind
    assert told.worst == pytest.approx(5e-8, rel=1e-4)
    assert not Agreement("rhs", 1, 0.0, told=False).holds


def test_an_error_that_is_small_beside_the_whole_hides_nothing() -> None:
    """It excuses no difference that is larger than itself, and none where the whole has no size."""
    theirs, error = np.full((3, 1), 1e-13), np.full((3, 1), 1e-15)
    for far, whole, blind in ((3e-16, 1.0, False), (3e-16, 1e-6, True), (3e-16, 0.0, True), (1e-12, 1.0, False)):
        told = judge(theirs + far, theirs, 0 * theirs, error, 1e-10, np.full((3, 1), whole))
        assert (told.blind, told.worst > 1e-10) == (blind, far > 1e-15)


def test_entries_beside_the_diagonal() -> None:
    """Units of the speeds go with the entries; a diagonal that is negative, zero or no number gives no size."""
    matrix = np.array([[4.0, 7.0, 0.1], [-7.0, 9.0, 0.2], [0.1, 0.2, -1.0]])
    units = np.array([1.0, 1e5, 1e-3])
    found = sizes_by_diagonal(np.stack([matrix.ravel(), (matrix * np.outer(units, units)).ravel()])).reshape(2, 3, 3)
    np.testing.assert_array_equal(found[0], [[4.0, 6.0, 0.0], [6.0, 9.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(found[1], found[0] * np.outer(units, units), rtol=1e-15)
    empty = sizes_by_diagonal(np.array([[np.nan, 1.0, 1.0, 4.0], [0.0, 1.0, 1.0, np.inf]]))
    np.testing.assert_array_equal(empty, [[0.0, 0.0, 0.0, 4.0], [0.0, 0.0, 0.0, 0.0]])


@given(st.integers(0, 1000))
def test_forces_and_accelerations_beside_the_largest(seed: int) -> None:
    """What does as much as the largest, sqrt(M_ii) |D^-1 f| and |D u'| / sqrt(M_ii), in any units of the speeds."""
    rng = np.random.default_rng(seed)
    half, units = rng.normal(size=(3, 3)), 10.0 ** rng.uniform(-5, 5, 3)
    matrix, force = half @ half.T + np.eye(3), rng.normal(size=3)
    rate = np.linalg.solve(matrix, force)
    root = np.sqrt(np.diag(matrix))
    scaled = (matrix * np.outer(units, units)).reshape(1, 9)
    np.testing.assert_allclose(
        sizes_of_forces(scaled, (force * units)[None])[0], root * units * np.max(abs(force) / root), rtol=1e-12
    )
    np.testing.assert_allclose(
        sizes_of_accelerations(scaled, (rate / units)[None])[0], np.max(abs(rate) * root) / root / units, rtol=1e-12
    )
    scaled[0, 4] = -1.0
    assert sizes_of_forces(scaled, (force * units)[None])[0, 1] == 0.0
    assert sizes_of_accelerations(scaled, (rate / units)[None])[0, 1] == 0.0


def wrist(off_axis: float) -> eomc.Model:
    """Return a slide, an elbow and a wrist across it, whose centre of mass is so far from its axis."""
    (a, b, c), (u, v, w) = dynamicsymbols("a b c"), dynamicsymbols("u v w")
    inertia = ((0.02, 0.001, 0), (0.001, 0.03, 0), (0, 0, 0.04))
    links = [
        Link(name="ground"),
        Link(name="arm", mass=2.0, centre=(0.3, 0.1, 0.02), inertia=inertia),
        Link(name="fore", mass=1.3, centre=(0.1, 0.2, 0.02), inertia=inertia),
        Link(name="hand", mass=0.1, centre=(off_axis, 0, 0.05), inertia=((1e-4, 0, 0), (0, 1e-4, 0), (0, 0, 1e-4))),
    ]
    joints = [
        Joint(name=name, kind=kind, parent=parent, child=child, axis=axis, offset=offset, coordinates=(q,), speeds=(s,))
        for name, kind, parent, child, axis, offset, q, s in (
            ("lift", "prismatic", "ground", "arm", (0, 0, 1), (0, 0, 0), a, u),
            ("elbow", "revolute", "arm", "fore", (0, 1, 0), (0.4, 0, 0.1), b, v),
            ("wrist", "revolute", "fore", "hand", (0, 0, 1), (0.3, 0.05, 0.1), c, w),
        )
    ]
    return eomc.from_tree(JointTree(links, joints), name="wrist")


@pytest.mark.needs_cc
@pytest.mark.parametrize("off_axis", [1e-17, 0.01])
@pytest.mark.parametrize(("share", "holds"), [(0.0, True), (1e-9, False)])
def test_entries_of_the_mass_matrix_that_are_rounding(
    off_axis: float, share: float, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the wrist with the others are 1e-20: they are told from any that is 1e-9 of sqrt(M_ii M_jj) off."""
    build = eomc.compile(wrist(off_axis), functions="mass_matrix")
    simulator = type(build.load())
    right = simulator.mass_matrix

    def spoilt(self: Any, *arguments: Any) -> Any:
        matrix = right(self, *arguments)
        diagonal = np.sqrt(np.diagonal(matrix, axis1=-2, axis2=-1))
        matrix[..., 1, 2] += share * diagonal[..., 1] * diagonal[..., 2]
        return matrix

    monkeypatch.setattr(simulator, "mass_matrix", spoilt)
    found = {one.function: one for one in compare(build, 20)}["mass_matrix"]
    assert (found.told, found.holds) == (True, holds)


@pytest.mark.needs_cc
@pytest.mark.parametrize(("function", "off_axis"), [("forcing", 1e-15), ("forcing", 1e-11), ("rhs", 1e-13)])
def test_forces_and_accelerations_that_are_rounding(
    function: str, off_axis: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the wrist feels is rounding beside the others: it is told, and so is an error of 1e-9 of theirs."""
    build = eomc.compile(wrist(off_axis), functions=["forcing", "mass_matrix"])
    simulator = type(build.load())
    assert compare(build, 20).holds
    right = getattr(simulator, function)

    def spoilt(self: Any, *arguments: Any) -> Any:
        found = right(self, *arguments)
        root = np.sqrt(np.diagonal(self.mass_matrix(*arguments), axis1=-2, axis2=-1))
        other = root[..., 0] / root[..., 2] if function == "rhs" else root[..., 2] / root[..., 0]
        found[..., -1] += 1e-9 * other * np.abs(found[..., -3])
        return found

    monkeypatch.setattr(simulator, function, spoilt)
    assert {one.function: one.holds for one in compare(build, 20)} == {
        name: name != function for name in ("rhs", "forcing", "mass_matrix")
    }


@pytest.mark.needs_cc
def test_powers_are_told_from_the_rounding_of_their_differences() -> None:
    """Of two links, each 1e-10 m off: at one of a hundred states rounding is the same in all differences of T."""
    (a, b), (u, v) = dynamicsymbols("a b"), dynamicsymbols("u v")
    inertia = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    links = [
        Link(name="ground"),
        Link(name="fore", mass=1.3, centre=(0.1 - 1e-10, 0, 0), inertia=inertia),
        Link(name="hand", mass=0.7, centre=(0, 0.2, -1e-10), inertia=inertia),
    ]
    joints = [
        Joint(
            name=name, kind="revolute", parent=parent, child=child, axis=axis, damping=0.1,
            coordinates=(q,), speeds=(s,),
        )
        for name, parent, child, axis, q, s in (
            ("elbow", "ground", "fore", (0, 0, 1), a, u),
            ("wrist", "fore", "hand", (0, 1, 0), b, v),
        )
    ]  # fmt: skip
    model = eomc.from_tree(JointTree(links, joints), name="arm")
    (power,) = [one for one in compare(eomc.compile(model, functions=["power"])) if one.function == "power"]
    assert power.holds, power.worst


@pytest.mark.needs_cc
def test_accelerations_stand_before_extra_states() -> None:
    """An auxiliary speed is none of the state: what follows the accelerations there has no forces."""
    x, y, u, v, lift, z, hold = dynamicsymbols("x y u v lift z hold")
    m, ground, origin = symbols("m"), ReferenceFrame("N"), Point("O")
    origin.set_vel(ground, 0)
    bead = origin.locatenew("B", x * ground.x + y * ground.y)
    bead.set_vel(ground, u * ground.x + v * ground.y + lift * ground.z)
    model = eomc.Model(
        name="bead",
        inertial_frame=ground,
        coordinates=[x, y],
        speeds=[u, v, lift],
        auxiliary_speeds=[lift],
        kinematical_equations=[x.diff() - u, y.diff() - v],
        bodies=[Particle("bead", bead, m)],
        loads=[(bead, hold * ground.z - u * ground.x)],
        reactions=[hold],
        extra_states={z: x - z},
        parameters={m: 2.0},
    )
    assert compare(eomc.compile(model, functions=["forcing"]), 20).holds


@pytest.mark.parametrize("worst", [2 * TOLERANCE, float("nan"), float("inf")])
def test_what_is_no_agreement(worst: float) -> None:
    """A larger difference, and one that is no number."""
    assert not Agreement("rhs", 1, worst).holds


q, rate = dynamicsymbols("q"), dynamicsymbols("q", 1)
lever, lag, arm, pull = symbols("lever lag arm pull")
TERMS = (lever * rate**2 / 2, lag * arm**2 * rate**2 * cos(q) / 4, -pull * arm * sin(q), -lag * q**2 / 2, -pull * q**4)


def oscillator(factors: dict[int, Rational]) -> eomc.Model:
    """Return an oscillator whose Lagrangian has some terms with a factor of their own."""
    return eomc.from_lagrangian(
        sum(factors.get(k, 1) * term for k, term in enumerate(TERMS)),
        name="oscillator",
        coordinates=[q],
        parameters={lever: 3.0, lag: 2.0, arm: 0.5, pull: 9.81},
    )


@pytest.mark.needs_cc
@pytest.mark.parametrize("term", range(len(TERMS)))
def test_an_error_in_the_eighth_digit_is_found(term: int) -> None:
    """A term of the Lagrangian that is off by 1e-8 of itself: right-hand side and energy differ."""
    wrong = eomc.compile(oscillator({term: 1 + Rational(1, 10**8)}))
    found = {one.function: one.holds for one in compare(replace(wrong, model=oscillator({})), 40)}
    assert not found["rhs"]
    assert not found["energy"]


@pytest.mark.needs_cc
def test_a_right_build_agrees() -> None:
    """The same Lagrangian without an error."""
    assert compare(eomc.compile(oscillator({}), functions="all"), 40).holds


def two_particles(tiny: float, merged: bool) -> eomc.Model:
    """Return two particles on one coordinate, the second 1 + e times as fast; `merged` takes them for one body."""
    a, b, e, k = symbols("a b e k")
    x, v = dynamicsymbols("x v")
    frame = ReferenceFrame("N")
    bodies = []
    for name, mass, factor in (("A", a, 1), ("B", b, 1 if merged else 1 + e)):
        point = Point(name)
        point.set_vel(frame, factor * v * frame.x)
        bodies.append(Particle(name, point, mass))
    parameters = {a: 1.0, b: 1.0, e: tiny, k: 1.0}
    potential = k * x**2 / 2 + e * x**4
    return eomc.Model(
        name="tiny", inertial_frame=frame, coordinates=[x], speeds=[v], bodies=bodies, potential_energy=potential,
        parameters=parameters,
    )  # fmt: skip


def wheels(distance: float, merged: bool) -> eomc.Model:
    """Return two equal wheels on parallel axes, turned by one speed; `merged` takes them for one rigid body.

    Each turns about its own centre, at rest: M = 2 I. As one body they would have m d^2/2 more.
    """
    m, i, d, k = symbols("m i d k")
    a, w = dynamicsymbols("a w")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    first, second = (frame.orientnew(name, "Axis", [a, frame.z]) for name in "RS")
    for wheel in (first, second):
        wheel.set_ang_vel(frame, w * frame.z)
    other = origin.locatenew("P", d * frame.x)
    other.set_vel(frame, 0)
    more = m * d**2 / 4 if merged else 0
    bodies = [
        RigidBody(name, point, wheel, m, (inertia(wheel, 0, 0, i + more), point))
        for name, point, wheel in (("A", origin, first), ("B", other, second))
    ]
    potential = k * a**2 / 2 + k * d * a**4
    parameters = {m: 1.0, i: distance**2 / 2, d: distance, k: distance**2}
    return eomc.Model(
        name="wheels", inertial_frame=frame, coordinates=[a], speeds=[w], bodies=bodies, potential_energy=potential,
        parameters=parameters,
    )  # fmt: skip


@pytest.mark.needs_cc
@pytest.mark.parametrize("make", [two_particles, wheels])
@pytest.mark.parametrize("size", [1e-12, 3e-10, 1e-6, 5e-3])
def test_bodies_that_do_not_move_as_one(make: Any, size: float) -> None:
    """Bodies that move as one with the defaults, and only there, are told apart: by parameters over decades."""
    wrong = replace(eomc.compile(make(size, True)), model=make(size, False))
    found = {one.function: one.holds for one in compare(wrong, 20)}
    assert not found["mass_matrix"]
    assert not found["rhs"]


@pytest.mark.parametrize("seed", [5, 34])
def test_parameters_near_the_defaults_close_the_constraints(seed: int) -> None:
    """Seven bars that are off by a quarter need not meet in three loops: such sets are drawn again, still near."""
    oracle = eomc.reference(eomc.load("andrews_squeezer"))
    near = Near(oracle)
    generator = np.random.default_rng(seed)
    first = near.draw(generator, float(generator.uniform(0.0, 10.0)))
    _, admitted = oracle.candidates(generator, np.zeros(20), np.tile(first, (20, 1)))
    assert not np.any(admitted)
    found = _near_group(oracle, np.random.default_rng(seed), 2, near)
    nominal = np.array([one.value for one in oracle.model.parameters])
    assert 0.0 < np.max(np.abs(found.parameters - nominal) / np.abs(nominal)) <= 0.25
    residuals = oracle.constraint_residuals(np.full(2, found.time), found.states, None, found.parameters)
    assert np.max(np.abs(residuals)) < 1e-9


def quaternion_pendulum() -> eomc.Model:
    """A heavy body about a fixed point, four components of a quaternion and three speeds, without a constraint."""
    e, w = dynamicsymbols("e0:4"), dynamicsymbols("w1:4")
    m, g, ground, frame, pivot = symbols("m"), symbols("g"), ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    frame.orient_quaternion(ground, e)
    frame.set_ang_vel(ground, w[0] * frame.x + w[1] * frame.y + w[2] * frame.z)
    pivot.set_vel(ground, 0)
    centre = pivot.locatenew("G", frame.z / 2 + frame.x / 5)
    centre.v2pt_theory(pivot, ground, frame)
    spin = Matrix([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]]) / 2
    return eomc.Model(
        name="quaternion_pendulum",
        inertial_frame=ground,
        coordinates=e,
        speeds=w,
        kinematical_equations=list(Matrix(e).diff(dynamicsymbols._t) - spin * Matrix(w)),
        bodies=[RigidBody("body", centre, frame, m, (inertia(frame, 0.1, 0.2, 0.15), centre))],
        gravity=-g * ground.z,
        outputs={"height": centre.pos_from(pivot).dot(ground.z)},
        parameters={m: 1.3, g: 9.81},
        initial={e[0]: 1.0},
    )


@pytest.mark.needs_cc
@pytest.mark.parametrize("function", ["jacobian", "outputs_jacobian"])
def test_slopes_along_which_rotations_stay_rotations(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The length of a quaternion has no say, for what the equations are there depends on their form; its turns have."""
    build = eomc.compile(quaternion_pendulum(), functions=["jacobian", "outputs_jacobian"])
    assert compare(build, 6).holds
    simulator = type(build.load())
    right = getattr(simulator, function)
    for along, holds in ((True, False), (False, True)):

        def spoilt(self: Any, t: Any, x: Any, *more: Any, along: bool = along) -> Any:
            """The length's gradient, or one across it, in the slopes of the last row."""
            first, second = right(self, t, x, *more)
            e = np.asarray(x)[..., :4]
            added = e[..., [1, 0, 3, 2]] * [-1, 1, -1, 1] if along else e
            first[..., -1, :4] += 1e-5 * added
            return first, second

        monkeypatch.setattr(simulator, function, spoilt)
        assert {one.function: one.holds for one in compare(build, 6)}[function] is holds


@pytest.mark.needs_cc
@pytest.mark.parametrize("function", ["energy", "coriolis_forces"])
def test_what_a_difference_swallows(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """m exp(-e t) falls to 1e-250 for some parameters: the reference has the kinetic energy as a difference, and 0."""
    r, phi = dynamicsymbols("r phi")
    m, k, e, t = *symbols("m k e"), dynamicsymbols._t
    mass, squares = m * exp(-e * t), r.diff() ** 2 + r**2 * phi.diff() ** 2
    model = eomc.from_lagrangian(
        mass * squares / 2 - k * r**2 / 2, coordinates=[r, phi], parameters={m: 1.3, e: 0.9, k: 7.0}
    )
    build = eomc.compile(model, functions=["energy", "coriolis_forces", "gravity_forces"])
    assert compare(build, 4).holds
    simulator = type(build.load())
    right = getattr(simulator, function)

    def spoilt(self: Any, *arguments: Any) -> Any:
        found = right(self, *arguments)
        return {**found, "kinetic": found["kinetic"] * (1.0 + 1e-8)} if function == "energy" else found * (1.0 + 1e-8)

    monkeypatch.setattr(simulator, function, spoilt)
    assert {one.function for one in compare(build, 4) if not one.holds} == {function}


@pytest.mark.needs_cc
@pytest.mark.parametrize("method", ["lagrange", "hamilton"])
def test_a_singular_mass_matrix_that_constraints_complete(method: str) -> None:
    """T of a quaternion's rates has no inertia along the quaternion itself, and its norm holds that: it is compared."""
    e = dynamicsymbols("e0:4")
    rates = Matrix(e).diff(dynamicsymbols._t)
    across = Matrix([[-e[1], e[0], e[3], -e[2]], [-e[2], -e[3], e[0], e[1]], [-e[3], e[2], -e[1], e[0]]])
    spin, m = 2 * across * rates, symbols("m")
    kinetic = (spin[0] ** 2 + 2 * spin[1] ** 2 + 3 * spin[2] ** 2) / 20
    model = eomc.from_lagrangian(
        kinetic - m * (e[0] ** 2 - e[1] ** 2 - e[2] ** 2 + e[3] ** 2),
        coordinates=list(e),
        configuration_constraints=[sum(one**2 for one in e) - 1],
        parameters={m: 1.5},
        initial={e[0]: 1.0},
    )
    assert compare(eomc.compile(model, method), 4).holds


def test_feedback_is_not_compared() -> None:
    """Rates with Baumgarte's feedback are not those of the reference: that is said, and what can be compared."""
    build = eomc.compile(eomc.load("slider_crank"), stabilization="baumgarte")
    with pytest.raises(UsageError, match=r"slider_crank: Baumgarte's feedback is no part .* stabilization='none'"):
        compare(build)
