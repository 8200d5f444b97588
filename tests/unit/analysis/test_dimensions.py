"""Dimensions of all expressions of a model: what is wrong is named with both sides, what may be right is left alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy
from sympy import Rational, cos, exp, sin, sqrt
from sympy.physics.mechanics import (
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

import eomc
from eomc import trees
from eomc.analysis.dimensions import check_dimensions, states_its_units
from eomc.analysis.dimensions.forms import PURE, Form, Unknowns
from eomc.errors import ModelError
from eomc.frontends.loading import shipped_models
from eomc.units import read_unit

x, theta, v, omega, F, z = dynamicsymbols("x theta v omega F z")
T = dynamicsymbols._t
m, J, k, c, l, g, n, tau = symbols = sympy.symbols("m J k c l g n tau")  # noqa: E741 - as in text-books
UNITS = {m: "kg", J: "kg m^2", k: "N/m", c: "N s/m", l: "m", g: "m/s^2", n: "1", tau: "s"}


def cart(**changes: Any) -> eomc.Model:
    """Return a cart with a body that turns on it, all of whose parameters have units."""
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, changes.pop("angle", theta))
    A.set_ang_vel(N, changes.pop("spin", omega) * N.z)
    O = Point("O")  # noqa: E741 - as in text-books
    O.set_vel(N, 0)
    P = O.locatenew("P", changes.pop("place", x) * N.x)
    P.set_vel(N, changes.pop("velocity", v) * N.x)
    C = P.locatenew("C", changes.pop("arm", l) * A.x)
    given: dict[str, Any] = {
        "inputs": [F],
        "parameters": {symbol: (1.5, changes.pop("units", {}).get(symbol, unit)) for symbol, unit in UNITS.items()},
        "unused": "ignore",
        "gravity": -changes.pop("fall", g) * N.y,
        "loads": [
            (P, changes.pop("force", F - k * x - c * v) * N.x),
            (A, changes.pop("torque", l * F) * N.z),
            *changes.pop("actuators", lambda *_: ())(O, P),
        ],
    }
    return eomc.Model(
        name="cart",
        inertial_frame=N,
        coordinates=[x, theta],
        speeds=[v, omega],
        bodies=[
            Particle("P", P, changes.pop("mass", m)),
            RigidBody("bar", C, A, m, (inertia(A, 0, 0, changes.pop("inertia", J)), C)),
        ],
        **{**given, **changes},
    )


@pytest.mark.parametrize("name", shipped_models())
def test_shipped_models_are_consistent(name: str) -> None:
    """All of them say their units, and these agree."""
    model = eomc.load(name)
    assert states_its_units(model) or not model.parameters
    check_dimensions(model)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"force": k * x * l}, r"load 1 on P along N\.x: N against N m: the term k\*l\*x has N m"),
        ({"force": F - k * v}, r"load 1 on P along N\.x: N against kg m/s\^3: the term -k\*v has kg m/s\^3"),
        ({"torque": m * l}, r"load 2 on A along N\.z: N m against kg m: the term l\*m has kg m"),
        ({"mass": J}, r"the mass of P: kg against kg m\^2"),
        ({"inertia": m * l}, r"the inertia of bar: kg m\^2 against kg m: the term l\*m"),
        ({"fall": l}, r"gravity along N\.y: m/s\^2 against m"),
        ({"velocity": v * l}, r"kinematical equation 1: .*|the velocity of P in N along N\.x: m/s against"),
        ({"arm": m}, r"the position of C from P along A\.x: m against kg: the term m has kg"),
        ({"potential_energy": k * x}, r"the potential energy: J against N: the term k\*x has N"),
        ({"dissipation_function": c * v}, r"dissipation_function: W against N"),
        ({"outputs": {"y": (x + v, "m")}}, r"output 'y': m against m/s: the term v has m/s"),
        ({"outputs": {"y": x + l * v}}, r"output 'y': (m|m\^2/s) against .* beside it"),
        (
            {"outputs": {"y": (x, "s")}},
            r"output 'y': s against m: the term x has m \(x has no unit of its own, and m by",
        ),
        ({"outputs": {"y": sin(x)}}, r"output 'y': 1 against m: the argument x has m"),
        ({"outputs": {"y": exp(-T)}}, r"output 'y': 1 against s: the argument -t has s"),
        ({"outputs": {"y": sin(3 * T / l)}}, r"output 'y': 1 against s/m: the argument 3\*t/l has s/m"),
        ({"outputs": {"y": sin(2 * T**2 / tau)}}, r"output 'y': 1 against s: the argument 2\*t\*\*2/tau has s"),
        ({"outputs": {"y": sympy.atan2(x, v)}}, r"output 'y': .*(x|v).* beside it"),
        ({"outputs": {"y": n**x}}, r"output 'y': 1 against m: the exponent x has m"),
        ({"outputs": {"y": l**theta}}, r"output 'y': 1 against m: the base .* l has m"),
        ({"outputs": {"y": (sqrt(l), "m")}}, r"output 'y': m against m\^\(1/2\)"),
        ({"outputs": {"y": sympy.Max(x, v)}}, r"output 'y': .* beside it"),
        ({"outputs": {"y": sympy.Piecewise((x, v > l), (0, True))}}, r"output 'y': .*(v|l).* beside it"),
        ({"outputs": {"y": sympy.Piecewise((x, v > 0), (v, True))}}, r"output 'y': .* beside it"),
        ({"outputs": {"y": (abs(x), "kg")}}, r"output 'y': kg against m"),
        ({"outputs": {"y": (v.diff(T), "m/s")}}, r"output 'y': m/s against m/s\^2"),
        ({"extra_states": {z: (x - z) / l}, "initial": {z: (0, "m")}}, r"the rate of z: m/s against 1"),
        ({"events": {"hit": eomc.Event(x - v)}}, r"event 'hit': .* beside it"),
        ({"events": {"hit": eomc.Event(x, reset={v: x})}}, r"the reset of v in event 'hit': m/s against m"),
        ({"events": {"hit": eomc.Event(at=l)}}, r"event 'hit': s against m"),
        ({"impacts": [eomc.Impact(x - l + m)]}, r"the gap of impact 'impact_1': .* beside it"),
        ({"impacts": [eomc.Impact(x, restitution=n * l)]}, r"the restitution of impact 'impact_1': 1 against m"),
        ({"initial": {x: (1, "kg")}}, r"the position of P from O along N\.x: m against kg"),
        ({"initial": {x.diff(T): (1, "m"), x: (1, "m")}}, r"the unit of x_d: m against m/s"),
        ({"ranges": {x: (1, 2, "kg")}}, r"the position of P from O along N\.x: m against kg"),
        (
            {"inputs": {F: (0, "N"), F.diff(T): (0, "N")}, "torque": l * F + J * F.diff(T) / (m * l)},
            "the unit of F_d: N",
        ),
        (
            {"actuators": lambda O, P: [LinearSpring(c, LinearPathway(O, P))]},  # noqa: E741 - as in text-books
            r"load 3 on O along N\.x: N against kg m/s",
        ),
    ],
)
def test_what_is_inconsistent_is_named(changes: dict[str, Any], told: str) -> None:
    """Place, both units of SI and the term, in one sentence that tells the way out; `ignore` takes the model."""
    model = cart(**changes)
    with pytest.raises(ModelError, match=rf"^model 'cart': ({told}).*correct a unit .* units='ignore'$") as caught:
        eomc.compile(model)
    assert "\n" not in str(caught.value)


def test_units_may_be_ignored() -> None:
    """The model is then compiled as it stands, also where it is unpickled."""
    import pickle

    wrong = cart(force=F - k * v)
    build = eomc.compile(wrong, units="ignore")
    eomc.linearize(build)  # what was checked or ignored once is not checked again
    again = pickle.loads(pickle.dumps(build))
    assert [one.text for one in again.artifacts] == [one.text for one in build.artifacts]


@pytest.mark.parametrize("asked", [eomc.compile, eomc.equations, eomc.linearize, eomc.trim])
def test_all_that_derives_checks(asked: Any) -> None:
    """Equations for reading, A, B, C, D and steady motions come from a model whose units agree, or are ignored."""
    right, wrong = cart(gravity=None), cart(force=F - k * x - k * v, gravity=None)
    asked(right)
    with pytest.raises(ModelError, match=r"load 1 on P along N\.x: N against kg m/s\^3"):
        asked(wrong)
    asked(wrong, units="ignore")
    with pytest.raises(eomc.errors.UsageError, match="units is 'no': it must be 'check' or 'ignore'"):
        asked(right, units="no")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"force": F - 3 - k * (x - 1) + 9.81 * m - 0.5 * v},  # bare numbers; floats in products
        {"force": 5.0 * sin(3 * T) - k * l * cos(T / 10 + theta), "outputs": {"y": (4 * T, "m")}},  # 3 in a second
        {"mass": 2, "inertia": Rational(1, 3), "arm": 0.5, "fall": 9.81},
        {"force": k * sqrt(x**2 + l**2) * sympy.sign(x) - c * abs(v) ** Rational(1, 2) * v * sqrt(l / tau) / abs(v)},
        {"force": -k * l * (x / l) ** n - k * l * sympy.Abs(x / l) ** 1.5},
        {"force": -k * x**n / l ** (n - 1), "units": {}},  # a power by the value of n, 1.5
        {"force": F * sympy.Heaviside(x) + sympy.Piecewise((-k * x, x > 0), (0, True)) + sympy.Max(0, -k * x)},
        {"torque": m * g * l * cos(theta) - k * l**2 * sympy.Mod(theta, 2 * sympy.pi)},
        {"outputs": {"degrees": 180 / sympy.pi * theta, "phase": sympy.atan2(x, l) + theta, "floor": sympy.floor(T)}},
        {"outputs": {"power": (F * v, "W"), "torque": (l * F, "J"), "turn": (omega, "1/s"), "pure": (n, "rad")}},
        {"extra_states": {z: (F - z) / tau}, "events": {"hit": eomc.Event(x, reset={v: -n * v, tau: tau * 2, x: 0})}},
        {"impacts": [eomc.Impact(x, restitution=n / 2), eomc.Impact(theta - 1, restitution=0)]},
        {"actuators": lambda O, P: [LinearSpring(k, LinearPathway(O, P), equilibrium_length=l)]},  # noqa: E741 - as in text-books
        {"initial": {x: (20, "mm"), theta: (3, "deg"), v: (1, "km/h")}, "ranges": {x: (1, 2, "cm")}},
    ],
)
def test_what_may_be_right_is_left_alone(changes: dict[str, Any]) -> None:
    """Bare numbers match anything; rad is 1, energy is torque; what has no unit has the one that it needs."""
    model = cart(**changes)
    assert states_its_units(model)
    check_dimensions(model)


def test_only_models_that_state_all_units_are_checked() -> None:
    """A parameter without a unit leaves the model alone."""
    loose = cart(force=F - k * v, parameters={**{one: (1, unit) for one, unit in UNITS.items()}, g: 9.81})
    assert not states_its_units(loose)
    eomc.compile(loose)


@pytest.mark.parametrize(
    ("L", "told"),
    [
        (m * x.diff(T) ** 2 / 2 - k * x**2 / 2 - m * g * x, ""),
        (m * x.diff(T) ** 2 / 2 - k * x / 2, "the Lagrangian: J against N: the term -k.x/2"),
        (x.diff(T) ** 2 / 2 - g * x, "the Lagrangian: J against m^2/s^2"),
    ],
)
def test_lagrangians_are_energies(L: sympy.Expr, told: str) -> None:
    """So are Hamiltonians, whose momenta are J s over the coordinate; where nothing has a dimension, nothing has."""
    given = {one: (1.0, UNITS[one]) for one in (m, k, g)}
    made = eomc.from_lagrangian(
        L, coordinates=[x], generalized_forces={x: -m * g}, parameters=given, unused="ignore", initial={x: (0, "m")}
    )
    if not told:
        check_dimensions(made)
        return
    with pytest.raises(ModelError, match=told.replace("^", r"\^")):
        check_dimensions(made)


def test_momenta_of_a_hamiltonian() -> None:
    """A momentum is J s over the unit of its coordinate."""
    p = dynamicsymbols("p")
    for unit, right in (("kg m/s", True), ("kg m^2/s", False)):
        made = eomc.from_hamiltonian(
            p**2 / (2 * m) + k * x**2 / 2,
            coordinates=[x],
            momenta=[p],
            parameters={m: (1, "kg"), k: (1, "N/m")},
            initial={x: (0, "m"), p: (0, unit)},
        )
        if right:
            check_dimensions(made)
        else:
            with pytest.raises(ModelError, match=r"the momentum p: kg m/s against kg m\^2/s"):
                check_dimensions(made)


def arm(**changes: Any) -> eomc.Model:
    """Return a tree of two joints with parameters in its entries."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    links = [
        trees.Link(name="base"),
        trees.Link(name="upper", mass=m, centre=(l, 0, 0)),
        trees.Link(name="tip", mass=m),
    ]
    joints = [
        trees.Joint(
            name="shoulder", kind=trees.JointKind.REVOLUTE, parent="base", child="upper",
            coordinates=(q1,), speeds=(u1,), armature=changes.pop("armature", J),
        ),
        trees.Joint(
            name="slide", kind=trees.JointKind.PRISMATIC, parent="upper", child="tip", axis=(1, 0, 0),
            offset=(changes.pop("offset", l), 0, 0), coordinates=(q2,), speeds=(u2,),
            damping=changes.pop("damping", c),
        ),
    ]  # fmt: skip
    tree = trees.JointTree(links, joints, gravity=(0, -g, 0))
    height = tree.position("tip")[1]
    column = tree.jacobian("tip")[0, 0]
    load = trees.JointLoad(joint="shoulder", loads=(changes.pop("load", l * F - k * l**2 * q1),))
    outputs = {"height": (height, "m"), "jacobian": (column, "m"), "fall": (height.diff(T), "m/s")}
    given = {"outputs": changes.pop("outputs", outputs), **changes}
    parameters = {one: (1.0, UNITS[one]) for one in symbols}
    tree = tree.with_loads(load)
    return eomc.from_tree(tree, name="arm", inputs=[F], parameters=parameters, unused="ignore", **given)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"armature": m}, "the armature of joint 'shoulder': kg m^2 against kg"),
        ({"damping": k}, "the damping of joint 'slide': N s/m against N/m"),
        ({"offset": g}, "the offset of joint 'slide': m against m/s^2"),
        ({"load": F - k * l}, "load 1 on joint 'shoulder': N m against N"),
        ({"initial": {dynamicsymbols("q2"): (1, "rad")}}, "the coordinate q2 of joint 'slide', which is prismatic: m"),
    ],
)
def test_trees_of_joints(changes: dict[str, Any], told: str) -> None:
    """Entries, loads, coordinates and measures are measured as the kinds of joints and measures are."""
    made = arm(**changes)
    if not told:
        check_dimensions(made)
        return
    with pytest.raises(ModelError, match=told.replace("^", r"\^")):
        check_dimensions(made)


def test_measures_have_their_dimensions() -> None:
    """A height is no velocity, and a column of a Jacobian is a length where the speed is one of turning."""
    for number, unit in enumerate(("m/s", "m/s", "m")):
        made = arm()
        wrong = replace(made.outputs[number], unit=unit)
        changed = made._changed(outputs=(*made.outputs[:number], wrong, *made.outputs[number + 1 :]))
        with pytest.raises(ModelError, match=f"output '{wrong.name}': {unit} against"):
            check_dimensions(changed)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", shipped_models())
def test_each_wrong_unit_is_named(name: str) -> None:
    """A unit of a parameter, input, coordinate, speed or output, times m, s or kg, contradicts some expression."""
    model = eomc.load(name)
    for field in ("parameters", "inputs", "meanings", "outputs"):
        rows = getattr(model, field)
        for number, row in enumerate(rows):
            for by in ("m", "s", "kg") if row.unit else ():
                wrong = replace(row, unit=f"({row.unit}) {by}")
                changed = model._changed(**{field: (*rows[:number], wrong, *rows[number + 1 :])})
                with pytest.raises(ModelError, match=r": .+ against .+: the (term|argument|exponent) .+ has "):
                    check_dimensions(changed)


def test_shared_subexpressions_are_visited_once() -> None:
    """A hundred steps of which each holds the one before twice, 2^100 nodes as a tree, take a moment."""
    ratio = x
    for _ in range(100):
        sums = [sympy.Add(ratio, x, evaluate=False) for _ in range(2)]
        ratio = sympy.Mul(sums[0], sympy.Pow(sums[1], -1, evaluate=False), x, evaluate=False)
    check_dimensions(cart(outputs={"y": (ratio, "m")}))
    with pytest.raises(ModelError, match=r"output 'y': s against m: the term Mul.* has m"):
        check_dimensions(cart(outputs={"y": (ratio, "s")}))


def test_unification() -> None:
    """x y = m, x^2 = m y^-4 have one solution, x = m^(3/2)... by hand: x = m/y, m^2/y^2 = m/y^4, y^2 = 1/m."""
    unknowns = Unknowns()
    a, b = unknowns.new("a"), unknowns.new("b")
    metre = Form(read_unit("", "m").dimension)
    assert unknowns.equate(a * b, metre)
    assert unknowns.equate(a**2, metre * b**-4)
    assert unknowns.spelled(b) == "1/m^(1/2)"
    assert unknowns.spelled(a) == "m^(3/2)"
    assert not unknowns.equate(a, metre)
    assert unknowns.equate(a * b * metre**-1, PURE)
