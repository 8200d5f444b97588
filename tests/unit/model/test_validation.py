"""Every mistake in a model is one ModelError of one sentence that names what, where and what to do."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import sympy
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
from sympy.utilities.lambdify import implemented_function

from eomc.errors import ModelError
from eomc.model import Model
from eomc.model.shapes import Shape

t = dynamicsymbols._t
q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
F, f = dynamicsymbols("F f")
m, k, g, s = sympy.symbols("m k g s")
other = sympy.Symbol("t", real=True)


def cart(**changes: Any) -> dict[str, Any]:
    """Return the arguments of a well-formed model, two masses on a rail, with some changed."""
    N = ReferenceFrame("N")
    P, Q = Point("P"), Point("Q")
    P.set_vel(N, u1 * N.x)
    Q.set_vel(N, u2 * N.x)
    arguments = {
        "name": "cart",
        "inertial_frame": N,
        "coordinates": [q1, q2],
        "speeds": [u1, u2],
        "kinematical_equations": [q1.diff(t) - u1, q2.diff(t) - u2],
        "bodies": [Particle("A", P, m), Particle("B", Q, m)],
        "loads": [(P, (F - k * q1) * N.x)],
        "inputs": [F],
        "parameters": {m: 1.0, k: (2.0, "N/m")},
    }
    return arguments | changes


def body_in(frame: ReferenceFrame | None, point: Point) -> RigidBody:
    """Return a rigid body with a numeric inertia."""
    frame = frame or ReferenceFrame("B")
    return RigidBody("R", point, frame, m, (inertia(frame, 1, 1, 1), point))


def test_a_well_formed_model_is_accepted() -> None:
    """What the mistakes below are made from has none itself."""
    model = Model(**cart())
    assert [one.name for one in model.parameters] == ["m", "k"]
    assert model.parameters[1].unit == "N/m"


MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("name with a space", {"name": "my cart"}, r"'my cart' is no identifier .* take name='my_cart'"),
    ("empty name", {"name": ""}, "is no identifier"),
    ("no value", {"parameters": {m: 1.0}}, r"no value for k \(load 1 on P\): add parameters=\{k: 1.0\}"),
    ("no value of a signal", {"inputs": []}, r"no value for F\(t\) \(load 1 on P\): add inputs=\[F\(t\)\]"),
    ("no value in an output", {"outputs": {"y": g * q1}}, "no value for g .output 'y'."),
    ("no value in a rate", {"extra_states": {f: g * q1}}, "no value for g .the rate of f."),
    ("unused parameter", {"parameters": {m: 1, k: 1, g: 9.81}}, "g is listed .* but is used nowhere"),
    ("unused input", {"inputs": [F, f]}, r"f\(t\) is listed .* but is used nowhere"),
    ("unused names", {"inputs": [F, f], "parameters": {m: 1, k: 1, g: 1}}, r"g, f\(t\) are listed .* used nowhere"),
    ("coordinate twice", {"coordinates": [q1, q1]}, r"q1\(t\) is listed twice among the coordinates"),
    ("coordinate as speed", {"speeds": [q1, u2]}, r"q1\(t\) is listed as coordinate and as speed"),
    ("coordinate as input", {"inputs": [F, q1]}, r"q1\(t\) is listed as coordinate and as input"),
    (
        "same name",
        {"inputs": [F, sympy.Symbol("k")], "parameters": {m: 1, k: 1}},
        "k is listed as input and as parameter",
    ),
    (
        "same name, other assumptions",
        {"parameters": {m: 1, k: 1, sympy.Symbol("k", positive=True): 1}},
        "different symbols with the same name 'k'",
    ),
    (
        "symbol with other assumptions",
        {"outputs": {"y": sympy.Symbol("k", positive=True) * q1}},
        "k has the name of a listed symbol but other assumptions",
    ),
    ("output named like the time", {"outputs": {"t": q1}}, "output 't' has the name of a time"),
    ("output named like a coordinate", {"outputs": {"q1": q1}}, "output 'q1' has the name of a coordinate"),
    ("nan parameter", {"parameters": {m: float("nan"), k: 1}}, "parameter m must be a finite number, not nan"),
    ("infinite parameter", {"parameters": {m: sympy.oo, k: 1}}, "parameter m must be a finite number, not inf"),
    ("huge parameter", {"parameters": {m: 10**400, k: 1}}, "parameter m"),
    ("symbolic parameter", {"parameters": {m: k, k: 1}}, "parameter m must be a finite number, not k"),
    ("text as parameter", {"parameters": {m: "1", k: 1}}, "parameter m must be a finite number, not '1'"),
    ("expression as parameter", {"parameters": {m * k: 1.0}}, "parameter k.m is a Mul, not a plain symbol"),
    (
        "function as parameter",
        {"parameters": {m: 1, k: 1, f: 1.0}},
        r"parameter f\(t\) is a function of time, not",
    ),
    ("time as parameter", {"parameters": {m: 1, k: 1, t: 0.0}}, "parameter t is the time"),
    ("initial of a stranger", {"initial": {k: 1.0}}, "initial value of k: it is neither"),
    (
        "initial of a plain symbol",
        {"initial": {sympy.Symbol("q1"): 1.0}},
        r"initial value of q1: this is a plain symbol, and the coordinate q1 is q1\(t\): give that object as the key",
    ),
    (
        "initial of a plain velocity",
        {"initial": {sympy.Symbol("q1_d"): 1.0}},
        r"initial value of q1_d: this is a plain symbol, and the velocity q1_d is Derivative\(q1\(t\), t\): give",
    ),
    (
        "initial with other assumptions",
        {"initial": {dynamicsymbols("u1", real=True): 1.0}},
        r"initial value of u1\(t\): this is not the speed u1\(t\), but has other assumptions: give the speed itself",
    ),
    (
        "range of a plain symbol",
        {"ranges": {sympy.Symbol("u2"): (0, 1)}},
        r"range of u2: this is a plain symbol, and the speed u2 is u2\(t\): give",
    ),
    ("initial by name", {"initial": {"q1": 1.0}}, "initial value of q1: give the symbol itself"),
    ("initial nan", {"initial": {q1: float("nan")}}, "initial value of q1 must be a finite number, not nan"),
    ("range of a stranger", {"ranges": {g: (0, 1)}}, "range of g: it is neither"),
    ("empty range", {"ranges": {q1: (1, 1)}}, r"range of q1\(t\) is \(1, 1\)"),
    ("range of one number", {"ranges": {q1: 1}}, r"range of q1 is 1: give \(low, high\)"),
    ("coordinate is a symbol", {"coordinates": [k, q2]}, r"coordinate k is no function of time.*dynamicsymbols\('k'\)"),
    (
        "coordinate of another variable",
        {"coordinates": [q1, sympy.Function("q2")(k)]},
        r"coordinate q2\(k\) is no function of time alone: make it with dynamicsymbols\('q2'\)",
    ),
    (
        "coordinate of another time of the same name",
        {"coordinates": [sympy.Function("q1")(other), q2]},
        r"coordinate q1\(t\) is a function of another symbol t, with other assumptions, and not of dynamicsymbols._t, "
        r"by which sympy.physics.vector differentiates: make it with dynamicsymbols\('q1'\)",
    ),
    (
        "speed of another time",
        {"speeds": [u1, sympy.Function("u2")(sympy.Symbol("tau"))]},
        r"speed u2\(tau\) is a function of the symbol tau and not of dynamicsymbols._t",
    ),
    (
        "input of another time",
        {"inputs": [sympy.Function("F")(other).diff(other)]},
        r"input F\(t\) is a function of another symbol t, with other assumptions, .*dynamicsymbols\('F'\)",
    ),
    (
        "all of another time",
        {
            "coordinates": [sympy.Function("q1")(other)],
            "speeds": [sympy.Function("u1")(other)],
            "kinematical_equations": [],
        },
        r"coordinate q1\(t\) is a function of another symbol t",
    ),
    (
        "mixed times in a load",
        {"outputs": {"y": sympy.Function("q1")(other).diff(other)}},
        r"output 'y': q1\(t\) is a function of another symbol t, with other assumptions",
    ),
    ("coordinates no list", {"coordinates": q1}, r"coordinates is q1\(t\): give a list"),
    ("no coordinates", {"coordinates": [], "speeds": []}, "neither coordinates nor speeds"),
    ("a coordinate without a speed", {"speeds": [u1], "kinematical_equations": []}, r"q2\(t\) has no speed"),
    (
        "rate in no equation",
        {"kinematical_equations": [q1.diff(t) - u1, q1.diff(t) - u2]},
        r"coordinate q2\(t\) has no speed: Derivative\(q2\(t\), t\) appears in no kinematical equation",
    ),
    (
        "too many equations",
        {"kinematical_equations": [q1.diff(t) - u1, q2.diff(t) - u2, q1.diff(t) + q2.diff(t) - u1 - u2]},
        "3 kinematical equations for 2 coordinates",
    ),
    ("no rate", {"kinematical_equations": [u1 - q1, q2.diff(t) - u2]}, "equation 1 contains no time derivative"),
    (
        "nonlinear kinematics",
        {"kinematical_equations": [q1.diff(t) - u1**2, q2.diff(t) - u2]},
        r"kinematical equation 1 is not linear in u1\(t\)",
    ),
    (
        "product of speed and rate",
        {"kinematical_equations": [q1.diff(t) - u1, u2 * q2.diff(t) - u2]},
        r"kinematical equation 2 is not linear in",
    ),
    ("comparison as constraint", {"velocity_constraints": [u1 == u2]}, "is False, .* left side minus right side"),
    (
        "position constraint as velocity constraint",
        {"velocity_constraints": [q1 - q2], "dependent_speeds": [u2]},
        "no generalized speed appears in velocity constraint 1; is it a configuration constraint?",
    ),
    (
        "nonlinear velocity constraint",
        {"velocity_constraints": [u1 * u2], "dependent_speeds": [u2]},
        "velocity constraint 1 is not linear in",
    ),
    (
        "more dependent speeds than constraints",
        {"velocity_constraints": [u1 - u2], "dependent_speeds": [u1, u2]},
        "1 velocity constraint and 2 dependent speeds",
    ),
    (
        "dependent speed that is no speed",
        {"velocity_constraints": [u1 - u2], "dependent_speeds": [q2]},
        r"dependent_speeds has q2\(t\), which is not among the speeds",
    ),
    (
        "dependent speed twice",
        {"velocity_constraints": [u1 - u2, u1], "dependent_speeds": [u2, u2]},
        r"u2\(t\) is listed twice in dependent_speeds",
    ),
    (
        "no freedom",
        {"velocity_constraints": [u1 - u2, u1 + u2], "dependent_speeds": [u1, u2]},
        "2 dependent speeds of 2 speeds leave no freedom",
    ),
    ("auxiliary speed unknown", {"auxiliary_speeds": [f]}, r"auxiliary_speeds has f\(t\)"),
    (
        "velocity in a configuration constraint",
        {"configuration_constraints": [q1.diff(t)], "dependent_coordinates": [q1]},
        r"configuration constraint 1 contains Derivative\(q1\(t\), t\)",
    ),
    (
        "more dependent coordinates than constraints",
        {"configuration_constraints": [q1 - q2], "dependent_coordinates": [q1, q2]},
        "1 configuration constraint and 2 dependent coordinates",
    ),
    ("velocity in the potential", {"potential_energy": k * u1**2}, r"potential_energy contains u1\(t\)"),
    ("scalar gravity", {"gravity": -9.81}, "gravity is -9.81 .float.: give the acceleration as a Vector"),
    ("gravity as zero", {"gravity": 0}, "give the acceleration as a Vector"),
    ("no bodies", {"bodies": []}, "there are no bodies"),
    ("body of the wrong type", {"bodies": [Point("P")]}, "body 1 is P .Point.: give a RigidBody or a Particle"),
    (
        "body of the wrong type beside a line",
        {"bodies": [3], "lines": [Shape.line(Point("P"), Point("Q"))]},
        "body 1 is 3 .int.: give a RigidBody or a Particle",
    ),
    ("bodies no list", {"bodies": 3}, "bodies is 3: give a list"),
    ("frame of the wrong type", {"inertial_frame": "N"}, "inertial_frame is 'N' .str.: give a ReferenceFrame"),
    ("load of one thing", {"loads": [3]}, "a load is 3: give .Point, force."),
    ("load on a number", {"loads": [(3, 4)]}, "load 1 acts on 3 .int."),
    ("scalar force", {"loads": [(Point("P"), F)]}, "load 1 on P is F.t. "),
    ("parameters as a list", {"parameters": [m, k]}, "give a mapping"),
    ("text as an expression", {"outputs": {"y": "q1"}}, "output 'y' is 'q1': give a SymPy expression"),
    ("matrix as an expression", {"outputs": {"y": sympy.Matrix([q1])}}, "output 'y' is .*: give a scalar"),
    ("output without text", {"outputs": {3: q1}}, "outputs are named by text"),
    (
        "acceleration",
        {"dissipation_function": u1.diff(t)},
        r"dissipation_function contains Derivative\(u1\(t\), t\), which the equations",
    ),
    ("third rate", {"outputs": {"a": q1.diff(t, 3)}}, r"output 'a' contains Derivative\(q1\(t\), \(t, 3\)\)"),
    ("derivative of an unlisted signal", {"outputs": {"y": f.diff(t)}}, r"add inputs=\[Derivative\(f\(t\), t\)\]"),
    ("imaginary", {"outputs": {"y": sympy.I * q1}}, "output 'y': I is not a real number"),
    ("infinite", {"outputs": {"y": q1 + sympy.oo}}, "output 'y': oo is not a finite number"),
    ("undefined function", {"outputs": {"y": sympy.Function("h")(q1)}}, r"undefined function h\(q1\(t\)\)"),
    ("function of another time", {"outputs": {"y": sympy.Function("h")(s)}}, r"h\(s\) is a function of the symbol s "),
    ("function of a parameter", {"outputs": {"y": sympy.Function("h")(k)}}, r"undefined function h\(k\)"),
    ("unsupported function", {"outputs": {"y": sympy.gamma(q1)}}, r"the function gamma in gamma\(q1\(t\)\)"),
    ("delta", {"outputs": {"y": sympy.DiracDelta(q1)}}, "the function DiracDelta in"),
    (
        "table of numbers",
        {"outputs": {"y": implemented_function("h", math.sin)(q1)}},
        "output 'y': the implementation of the function h does not work with symbols",
    ),
    (
        "two functions of one name",
        {"outputs": {"y": implemented_function("h", lambda x: x)(q1), "z": implemented_function("h", abs)(q2)}},
        "output 'z': there are two functions h with different implementations",
    ),
    (
        "value inside a function",
        {"outputs": {"y": implemented_function("h", abs)(g * q1)}},
        "no value for g .output 'y'.",
    ),
    ("spring without force", {"loads": [LinearPathway(Point("A"), Point("B"))]}, "give ForceActuator.force, pathway"),
    (
        "spring between nothing",
        {"loads": [LinearSpring(k, LinearPathway(Point("A"), Point("B")))]},
        "a load is a LinearSpring that gives no forces: No Connecting Path",
    ),
    ("loads within loads", {"loads": [[(Point("A"), 0), (Point("B"), 0)]]}, r"loads=\[\*pathway.to_loads\(F\)\]"),
    ("complex part", {"outputs": {"y": sympy.re(q1)}}, "real=True"),
    ("no default", {"outputs": {"y": sympy.Piecewise((q1, q1 > 0))}}, r"add a last branch \(value, True\)"),
    (
        "derivative of an expression",
        {"outputs": {"y": sympy.Derivative(sympy.Abs(q1), t)}},
        "cannot be carried out: write out the derivative, or make the symbols in it real",
    ),
]


@pytest.mark.parametrize(("changes", "message"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_one_sentence(changes: dict[str, Any], message: str) -> None:
    """A mistake raises ModelError, on one line, with what, where and what to do."""
    with pytest.raises(ModelError, match=message) as caught:
        Model(**cart(**changes))
    assert "\n" not in str(caught.value)


def test_a_body_listed_twice() -> None:
    """The same body twice would have twice its mass."""
    arguments = cart()
    with pytest.raises(ModelError, match="body A is listed twice"):
        Model(**arguments | {"bodies": [*arguments["bodies"], arguments["bodies"][0]]})


def test_a_mass_centre_without_velocity_is_named() -> None:
    """The point and the frame are named, and the point is left as it was."""
    lost = Point("lost")
    with pytest.raises(
        ModelError, match=r"point lost, the mass centre of C, has no velocity in frame N: call lost.set_vel"
    ):
        Model(**cart(bodies=[Particle("C", lost, m)]))


def test_a_frame_without_angular_velocity_is_named() -> None:
    """The body's frame and the inertial frame are named."""
    arguments = cart()
    point = arguments["bodies"][0].point
    with pytest.raises(ModelError, match="frame B, the frame of R, has no angular velocity in frame N"):
        Model(**arguments | {"bodies": [body_in(None, point)]})


def test_what_a_load_acts_on_must_move_in_a_defined_way() -> None:
    """A force on a point without velocity, a torque on a frame without angular velocity."""
    N = ReferenceFrame("N")
    for place in (Point("lost"), ReferenceFrame("lost")):
        with pytest.raises(ModelError, match=r"lost, on which load 1 acts, has no (angular )?velocity in frame N"):
            Model(**cart(loads=[(place, N.x)]))


def test_a_velocity_found_from_positions_is_enough_and_writes_nothing() -> None:
    """SymPy would find the velocity from a neighbour's; validation sees that without writing into the point."""
    arguments = cart()
    N = arguments["inertial_frame"]
    origin = Point("O")
    origin.set_vel(N, 0)
    length = sympy.Symbol("length")
    point = origin.locatenew("P2", length * (sympy.cos(q1) * N.x + sympy.sin(q2) * N.y))
    changed = arguments | {"bodies": [Particle("A", point, m)], "loads": [], "inputs": []}
    with pytest.raises(ModelError, match=r"no value for length \(the position of P2 from O\)"):
        Model(**changed | {"parameters": {m: 1.0}})
    Model(**changed | {"parameters": {m: 1.0, length: 2.0}})
    assert point._vel_dict == {}


def test_a_position_in_a_frame_without_orientation_gives_no_velocity() -> None:
    """A neighbour counts only if the way to it can be expressed in the inertial frame."""
    arguments = cart()
    origin = Point("O")
    origin.set_vel(arguments["inertial_frame"], 0)
    point = origin.locatenew("P2", q1 * ReferenceFrame("adrift").x)
    with pytest.raises(ModelError, match="point P2, the mass centre of A, has no velocity"):
        Model(**arguments | {"bodies": [Particle("A", point, m)]})


def test_a_parameter_of_a_rotation_is_used_and_needs_a_value() -> None:
    """Orientations between a force's frame and the inertial frame are part of the model."""
    arguments = cart()
    N = arguments["inertial_frame"]
    slope = sympy.Symbol("slope")
    B = N.orientnew("B", "Axis", [slope, N.z])
    place = arguments["loads"][0][0]
    changed = arguments | {"loads": [(place, F * B.x)]}
    with pytest.raises(ModelError, match=r"no value for slope \(the orientation of B in N\)"):
        Model(**changed | {"parameters": {m: 1.0}})
    Model(**changed | {"parameters": {m: 1.0, slope: 0.1}})


def test_an_unused_frame_asks_for_nothing() -> None:
    """A frame on which no body, load or velocity depends may hold any symbol."""
    arguments = cart()
    N = arguments["inertial_frame"]
    N.orientnew("B", "Axis", [sympy.Symbol("slope"), N.z])
    Model(**arguments)


def test_derivatives_of_a_signal_in_the_motion_count_as_used() -> None:
    """A prescribed velocity f' makes the derivation need f'', which the user lists and which appears nowhere."""
    arguments = cart()
    N = arguments["inertial_frame"]
    P = Point("P")
    P.set_vel(N, (u1 + f.diff(t)) * N.x)
    body = [Particle("A", P, m), arguments["bodies"][1]]
    Model(**arguments | {"bodies": body, "loads": [(P, (F - k * q1) * N.x)], "inputs": [F, f.diff(t), f.diff(t, 2)]})
    with pytest.raises(ModelError, match="used nowhere"):  # a force needs no derivatives
        Model(**cart(inputs=[F, F.diff(t)]))


def test_fewer_speeds_than_coordinates_are_welcome() -> None:
    """A coordinate may follow from another's speed."""
    arguments = cart()
    Q = arguments["bodies"][1].point
    Q.set_vel(arguments["inertial_frame"], u1 * arguments["inertial_frame"].y)
    model = Model(**arguments | {"speeds": [u1], "kinematical_equations": [q1.diff(t) - u1, q2.diff(t) - q1 * u1]})
    assert len(model.speeds) == 1


def test_a_quaternion_may_have_its_norm_as_configuration_constraint() -> None:
    """Where coordinates outnumber speeds, kinematics alone may keep a configuration constraint."""
    arguments = cart()
    arguments["bodies"][1].point.set_vel(arguments["inertial_frame"], 0)
    model = Model(
        **arguments
        | {
            "speeds": [u1],
            "kinematical_equations": [q1.diff(t) + q2 * u1, q2.diff(t) - q1 * u1],
            "configuration_constraints": [q1**2 + q2**2 - 1],
            "dependent_coordinates": [q2],
        }
    )
    assert model.dynamics.configuration_constraints == (q1**2 + q2**2 - 1,)


def test_terms_that_cancel_leave_a_linear_constraint() -> None:
    """Linearity is a property of the function, not of how it is written."""
    constraint = (u1 + q1) ** 2 - u1**2 - u2
    Model(**cart(velocity_constraints=[constraint], dependent_speeds=[u2]))


def test_speeds_may_be_given_as_time_derivatives() -> None:
    """A speed q' becomes the time function q_d with its kinematical equation, also in initial values."""
    arguments = cart(speeds=[q1.diff(t), u2], kinematical_equations=[q2.diff(t) - u2], initial={q1.diff(t): 3.0})
    N = arguments["inertial_frame"]
    arguments["bodies"][0].point.set_vel(N, q1.diff(t) * N.x)
    model = Model(**arguments)
    speed = sympy.Function("q1_d")(t)
    assert model.speeds == (speed, u2)
    assert speed - q1.diff(t) in model.dynamics.kinematical_equations
    assert model.initial == ((speed, 3.0),)


def test_speeds_without_equations_are_the_rates_in_order() -> None:
    """Without kinematical equations u_r = q_r'."""
    model = Model(**cart(kinematical_equations=()))
    assert model.dynamics.kinematical_equations == (u1 - q1.diff(t), u2 - q2.diff(t))


def test_every_missing_name_is_counted() -> None:
    """A long list of places is cut, with the number of what is left out; the line to add is whole."""
    symbols = sympy.symbols("a:9")
    with pytest.raises(ModelError, match="and 3 more: ") as caught:
        Model(**cart(outputs={"y": sympy.Add(*symbols)}))
    line = re.search(r": add parameters=\{(.*)\}$", str(caught.value))[1]
    assert sorted(line.split(", ")) == [f"a{k}: 1.0" for k in range(9)]
    assert caught.value.remedy == f"parameters={{{line}}}"


def test_numbers_with_a_name_and_conditions_are_welcome() -> None:
    """pi, E, relations, And, Or, Not and nested Piecewise are part of the language."""
    inside = sympy.Piecewise((q1, sympy.And(q1 > 0, sympy.Or(q2 < 1, sympy.Not(sympy.Eq(q1, q2))))), (sympy.pi, True))
    Model(**cart(outputs={"y": sympy.Piecewise((inside, q1 > sympy.E), (sympy.sinc(q1), True))}))


def test_what_lies_on_the_ways_between_points_needs_a_value() -> None:
    """Positions, velocities and rotations between the points that matter are read; a load makes its point matter."""
    h, slope, speed = sympy.symbols("h slope speed")

    def marked(vector: Any, acting: bool) -> dict[str, Any]:
        arguments = cart()
        N = arguments["inertial_frame"]
        marker = arguments["bodies"][0].masscenter.locatenew("marker", 0)
        vector(N, arguments["bodies"][0].masscenter, marker)
        return arguments | {"loads": [*arguments["loads"], (marker, N.x)]} if acting else arguments

    def turned(frame: Any, point: Any, marker: Any) -> None:
        marker.set_pos(point, frame.orientnew("B", "Axis", [slope, frame.z]).x)

    cases = {
        r"no value for h \(the position of (marker from P|P from marker)\): add parameters=\{h: 1.0\}": (
            lambda frame, point, marker: marker.set_pos(point, h * frame.y)
        ),
        r"no value for speed \(the velocity of marker in N\)": (
            lambda frame, point, marker: marker.set_vel(frame, speed * frame.x)
        ),
        r"no value for slope \(the orientation of B in N\)": turned,
    }
    for message, vector in cases.items():
        with pytest.raises(ModelError, match=message):
            Model(**marked(vector, acting=True))
        Model(**marked(vector, acting=False))  # for drawing


def test_symbols_of_accelerations_that_were_set_are_used_and_need_values() -> None:
    """The derivation reads set accelerations: u' and q'' may stand there, and every parameter needs a value."""
    h, w = sympy.symbols("h w")
    arguments = cart()
    N = arguments["inertial_frame"]
    arguments["bodies"][0].masscenter.set_acc(N, (u1.diff(t) + h * u2) * N.x + q2.diff(t, 2) * N.y)
    with pytest.raises(ModelError, match=r"no value for h \(the acceleration of P in N\): add parameters=\{h: 1.0\}"):
        Model(**arguments)
    parameters = {m: 1.0, k: 1.0, h: 0.5}
    Model(**arguments | {"parameters": parameters})
    B, C = N.orientnew("B", "Axis", [q1, N.z]), Point("C")
    C.set_vel(N, u1 * N.x)
    B.set_ang_acc(N, w * u1 * N.z)
    bodies = [*arguments["bodies"], body_in(B, C)]
    with pytest.raises(ModelError, match=r"no value for w \(the angular acceleration of B in N\)"):
        Model(**arguments | {"parameters": parameters, "bodies": bodies})
    Model(**arguments | {"parameters": parameters | {w: 1.0}, "bodies": bodies})


def test_third_derivatives_are_no_accelerations() -> None:
    """An acceleration may hold u' and q'', nothing further, and no rate of an extra state."""
    for entry in (u1.diff(t, 2), q1.diff(t, 3), f.diff(t)):
        arguments = cart(extra_states={f: q1})
        N = arguments["inertial_frame"]
        arguments["bodies"][0].masscenter.set_acc(N, entry * N.x)
        with pytest.raises(ModelError, match=r"the acceleration of P in N contains .* may not be used"):
            Model(**arguments)
