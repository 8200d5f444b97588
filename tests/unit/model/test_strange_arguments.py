"""What else could be passed for each argument of a model: it is what it looks like, or it is refused by name.

Two tables of strange values, by the kind of argument: those taken, with the plain value that they stand for, and those
refused, with the words of the message.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols
from sympy.physics.units import kilogram, meter

import eomc
from eomc.errors import ModelError
from eomc.model.mechanism import Mechanism
from eomc.model.model import Model

t = dynamicsymbols._t
x, y, v, w, F, G = dynamicsymbols("x y v w F G")
m, k = sympy.symbols("m k")
N = ReferenceFrame("N")
A, B = Point("A"), Point("B")
A.set_vel(N, v * N.x)
B.set_vel(N, w * N.x)
a, b = Particle("a", A, m), Particle("b", B, m)
PLAIN: dict[str, Any] = {
    "name": "pair",
    "inertial_frame": N,
    "coordinates": [x, y],
    "speeds": [v, w],
    "kinematical_equations": [x.diff(t) - v, y.diff(t) - w],
    "bodies": [a, b],
    "loads": [(A, (F - k * x) * N.x), (B, G * N.x)],
    "inputs": [F, G],
    "parameters": {m: 1.0, k: (2.0, "N/m", "stiffness")},
}


def described(**changes: Any) -> list[Any]:
    """Return all that a model holds, the arguments of the plain one changed."""
    model = Model(**PLAIN | changes)
    return [getattr(model, field) for field in Mechanism.__slots__]


def refused(message: str, **changes: Any) -> None:
    """Expect one line that says what is wrong."""
    with pytest.raises(ModelError, match=message) as caught:
        Model(**PLAIN | changes)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


# -- lists -----------------------------------------------------------------------------------------------------------

LISTS = {
    "coordinates": [x, y],
    "speeds": [v, w],
    "kinematical_equations": PLAIN["kinematical_equations"],
    "bodies": [a, b],
    "loads": PLAIN["loads"],
    "inputs": [F, G],
    "velocity_constraints": [v - w],
    "configuration_constraints": [x - y],
    "dependent_coordinates": [],
    "dependent_speeds": [],
    "auxiliary_speeds": [],
    "reactions": [],
}
ORDERED: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "generator": lambda values: (value for value in values),
    "iterator": iter,
    "dictionary's keys": lambda values: dict.fromkeys(values).keys(),
    "dictionary's values": lambda values: dict(enumerate(values)).values(),
    "deque": collections.deque,
}
OF_EXPRESSIONS: dict[str, Callable[[list[Any]], Any]] = {
    "column": sympy.Matrix,
    "row": lambda values: sympy.Matrix([values]) if values else sympy.zeros(1, 0),
    "immutable column": sympy.ImmutableMatrix,
    "NumPy array": lambda values: np.array(values, dtype=object),
    "Tuple": lambda values: sympy.Tuple(*values),
    "Array": lambda values: sympy.Array(values) if values else sympy.Tuple(),
}
NO_LISTS: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "set": (set, "is a set, which has no order: give a list"),
    "frozenset": (frozenset, "is a set, which has no order: give a list"),
    "difference of keys": (lambda values: dict.fromkeys(values).keys() - {1}, "is a set, which has no order"),
    "dictionary": (lambda values: dict.fromkeys(values, 1), "is a mapping, of which a list has no use"),
    "text": (lambda values: "x y", "is 'x y': give a list"),
    "bytes": (lambda values: b"xy", "is b'xy': give a list"),
    "nothing": (lambda values: None, "is None: give a list"),
    "number": (lambda values: 1, "is 1: give a list"),
    "truth value": (lambda values: True, "is True: give a list"),
    "number in NumPy": (lambda values: np.array(1.0), "is array.*: give a list"),
    "table": (lambda values: np.array([[1.0, 2.0]]), "is array.*: give a list"),
    "matrix": (lambda values: sympy.eye(2), "is a 2 x 2 matrix: give a list"),
    "FiniteSet": (lambda values: sympy.FiniteSet(1, 2), "is a set, which has no order"),
}


@pytest.mark.parametrize("argument", LISTS)
@pytest.mark.parametrize("kind", ORDERED)
def test_whatever_has_an_order_is_a_list(argument: str, kind: str) -> None:
    """Tuples, generators, views of dictionaries: each is read once, in its order."""
    values = LISTS[argument]
    assert described(**{argument: ORDERED[kind](values)}) == described(**{argument: values})


@pytest.mark.parametrize("argument", [one for one in LISTS if one not in ("bodies", "loads")])
@pytest.mark.parametrize("kind", OF_EXPRESSIONS)
def test_vectors_of_expressions_are_lists(argument: str, kind: str) -> None:
    """Rows and columns of SymPy and arrays of NumPy hold expressions as a list does."""
    values = LISTS[argument]
    assert described(**{argument: OF_EXPRESSIONS[kind](values)}) == described(**{argument: values})


TAKES_MAPPINGS = ("kinematical_equations", "velocity_constraints", "configuration_constraints", "inputs", "reactions")


@pytest.mark.parametrize("argument", LISTS)
@pytest.mark.parametrize("kind", NO_LISTS)
def test_what_is_no_list_is_refused(argument: str, kind: str) -> None:
    """What has no order, or is no container, or has values beside its keys, is no list."""
    make, message = NO_LISTS[kind]
    if kind == "dictionary" and argument in TAKES_MAPPINGS:
        return
    refused(f"^(model 'pair': )?{argument} {message}", **{argument: make(LISTS[argument])})


@pytest.mark.parametrize("argument", [one for one in LISTS if one not in ("bodies", "loads")])
def test_lists_within_lists_are_refused(argument: str) -> None:
    """A list of lists is no list of expressions."""
    refused(rf"{argument}\[0\] is \[|(input|reaction) \[x\(t\), y\(t\)\] is \[", **{argument: [[x, y]]})


@pytest.mark.parametrize("argument", ["coordinates", "speeds", "inputs"])
def test_what_is_listed_twice_is_refused(argument: str) -> None:
    """One symbol has one role, once."""
    first, second = PLAIN[argument]
    refused("is listed twice among the", **{argument: [first, second, first]})


# -- equations -------------------------------------------------------------------------------------------------------

EQUATIONS = {
    "kinematical_equations": ([x.diff(t) - v, y.diff(t) - 2 * w], {x.diff(t): v, y.diff(t): 2 * w}),
    "velocity_constraints": ([w - 3 * v], {w: 3 * v}),
    "configuration_constraints": ([y - 3 * x], {y: 3 * x}),
}


@pytest.mark.parametrize("argument", EQUATIONS)
def test_equations_say_what_they_say(argument: str) -> None:
    """{left: right}, Eq(left, right) and Eq of two vectors stand for left - right = 0."""
    plain, mapping = EQUATIONS[argument]
    expected = described(**{argument: plain})
    sides = [sympy.Matrix(list(side)) for side in (mapping.keys(), mapping.values())]
    for equations in (
        mapping,
        collections.OrderedDict(mapping),
        types.MappingProxyType(mapping),
        sympy.Dict(mapping),
        [sympy.Eq(left, right) for left, right in mapping.items()],
        [sympy.Eq(*sides, evaluate=False)],
        [left - right for left, right in mapping.items()],
    ):
        assert described(**{argument: equations}) == expected


NO_EQUATIONS: dict[str, tuple[Any, str]] = {
    "always true": (sympy.Eq(x, x), "is True, what SymPy or Python made of an equation"),
    "never true": (sympy.Eq(sympy.Integer(1), 2), "is False, what SymPy"),
    "compared": (x == v, "is False, what SymPy or Python made of an equation"),
    "inequality": (v > w, "is the relation .*: give one expression"),
    "unequal": (sympy.Ne(v, w), "is the relation .*: give one expression"),
    "pair": ((v, w), r"is \(v\(t\), w\(t\)\): give"),
    "solution in a list": ({v: w}, "is a mapping: give it by itself as"),
    "text": ("v - w", "is 'v - w': give a SymPy expression"),
    "nothing": (None, "is None: give"),
    "matrix": (sympy.Matrix([v - w]), "is a 1 x 1 matrix: give a scalar SymPy expression, such as its element"),
    "vector": (v * N.x, "give a SymPy expression"),
    "not a number": (sympy.nan, "contains no time derivative|no generalized speed|holds no coordinate"),
    "number": (0, "contains no time derivative|no generalized speed|holds no coordinate"),
}


@pytest.mark.parametrize("argument", EQUATIONS)
@pytest.mark.parametrize("kind", NO_EQUATIONS)
def test_what_is_no_equation_is_refused(argument: str, kind: str) -> None:
    """Truth values, inequalities, pairs and numbers are no equations between what moves."""
    value, message = NO_EQUATIONS[kind]
    refused(message, **{argument: [*EQUATIONS[argument][0][:-1], value]})


@pytest.mark.parametrize("argument", EQUATIONS)
def test_sides_of_equations_are_expressions(argument: str) -> None:
    """A name in place of a symbol, or a list in place of a side, is told with the equation in which it stands."""
    refused(rf"the left side 'v' in {argument} is 'v'", **{argument: {"v": w}})
    refused(rf"the right side of v\(t\) in {argument} is \[", **{argument: {v: [w]}})


# -- numbers and units -----------------------------------------------------------------------------------------------

NUMBERS: list[tuple[Any, float]] = [
    (3, 3.0), (np.int64(3), 3.0), (np.float32(0.5), 0.5), (np.array(0.5), 0.5), (Fraction(1, 4), 0.25),
    (Decimal("0.5"), 0.5), (sympy.Rational(1, 4), 0.25), (sympy.pi / 2, np.pi / 2), (sympy.Float(0.5), 0.5),
]  # fmt: skip
NO_NUMBERS: list[tuple[Any, str]] = [
    ("2.0", "not '2.0'"), (b"2", "not b'2'"), (None, "not None"), (True, "not True"), (np.True_, "not .*True"),
    (sympy.true, "not True"), (1j, "not 1j"), (np.complex128(1 + 2j), "not .*1"), (2 * sympy.I, "not 2.I"),
    (np.array([2.0]), "not array"), (sympy.Matrix([2]), "not Matrix"), (k, "not k"), (np.float64("nan"), "not nan"),
    (sympy.oo, "not inf"), (10**400, "not 1000"), ({1}, "not .1."), ({1: 2}, "not .1: 2"), (lambda: 2.0, "not <func"),
    (np.datetime64("2020"), "not .*2020"), (np.array(2.0, dtype=object), "not array"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "number"), NUMBERS)
def test_numbers_of_all_kinds_are_numbers(value: Any, number: float) -> None:
    """Exact, decimal and NumPy's numbers have the value that they have."""
    expected = described(parameters={m: number, k: 2.0}, initial={x: number}, ranges={x: (-9, number)})
    assert described(parameters={m: value, k: 2}, initial={x: value}, ranges={x: (-9, value)}) == expected
    assert described(inputs={F: value, G: 0})[Mechanism.__slots__.index("inputs")][0].value == number


@pytest.mark.parametrize(("value", "message"), NO_NUMBERS)
def test_what_only_converts_to_a_number_is_refused(value: Any, message: str) -> None:
    """Text, truth values, complex numbers, arrays: none is a number, wherever one is wanted."""
    message = f"must be a finite number, {message}"
    refused(f"parameter m {message}", parameters={m: value, k: 2})
    refused(f"parameter m {message}", parameters={m: (value, "kg"), k: 2})
    refused(f"input F {message}", inputs={F: value, G: 0})
    refused(f"initial value of x {message}", initial={x: value})
    refused(f"the range of x {message}", ranges={x: (-1, value)})


def test_a_quantity_is_no_number() -> None:
    """The unit stands beside the number, as text."""
    message = "is 5.kilogram, a quantity with a unit: give its number in SI units"
    refused(f"parameter m {message}", parameters={m: 5 * kilogram, k: 2})
    refused(f"initial value of x {message}", initial={x: 5 * kilogram})


@pytest.mark.parametrize("unit", [9.81, None, meter, ["m"], b"m", True])
def test_units_and_descriptions_are_text(unit: Any) -> None:
    """A number in the place of the unit is a mistake, not a unit."""
    refused("the unit of parameter m is .*, not text", parameters={m: (1.0, unit), k: 2})
    refused("the description of parameter m is .*, not text", parameters={m: (1.0, "kg", unit), k: 2})
    refused("the unit of input F is .*, not text", inputs={F: (0, unit), G: 0})
    refused("the unit of initial value of x is .*, not text", initial={x: (0, unit)})
    refused("the unit of initial value of x is .*, not text", initial={x: (None, unit, "")})
    refused("the unit of output 'z' is .*, not text", outputs={"z": (x, unit)})


@pytest.mark.parametrize("bounds", [{1, 2}, {1: 0, 2: 0}, "12", 1, None, (1,), (1, 2, 3), range(3), sympy.eye(2)])
def test_ranges_are_pairs(bounds: Any) -> None:
    """Low and high have an order."""
    refused(r"the range of x is .*: give \(low, high\)", ranges={x: bounds})


@pytest.mark.parametrize("bounds", [[-2, 2], np.array([-2.0, 2.0]), sympy.Matrix([-2, 2]), iter([-2, 2])])
def test_ranges_may_be_any_two_numbers_in_order(bounds: Any) -> None:
    """A list or a vector of two numbers is a range."""
    assert described(ranges={x: bounds}) == described(ranges={x: (-2.0, 2.0)})


# -- mappings --------------------------------------------------------------------------------------------------------

MAPPINGS: dict[str, dict[Any, Any]] = {
    "parameters": {m: 1.0, k: 2.0},
    "initial": {x: 0.5, y: 1.0},
    "ranges": {x: (0, 1), y: (0, 2)},
    "outputs": {"second": x, "first": y},
    "extra_states": {dynamicsymbols("z2"): x, dynamicsymbols("z1"): y},
}


@pytest.mark.parametrize("argument", MAPPINGS)
def test_mappings_keep_their_order(argument: str) -> None:
    """Any mapping is taken, in the order in which it was written."""
    values = MAPPINGS[argument]
    for mapping in (collections.OrderedDict(values), types.MappingProxyType(values), collections.ChainMap(values)):
        assert described(**{argument: mapping}) == described(**{argument: values})


@pytest.mark.parametrize("argument", MAPPINGS)
@pytest.mark.parametrize("value", [[(m, 1.0)], {m}, "m", 1, [m], (), sympy.Matrix([m])])
def test_what_is_no_mapping_is_refused(argument: str, value: Any) -> None:
    """Pairs in a list and sets have keys at best."""
    refused(f"^{argument} is .*: give a mapping", **{argument: value})


@pytest.mark.parametrize("argument", ["parameters", "initial", "ranges"])
def test_keys_are_the_symbols_themselves(argument: str) -> None:
    """A name is not its symbol, and a symbol with other assumptions is another symbol."""
    plain = MAPPINGS[argument]
    first = next(iter(plain))
    refused("not its name|symbol itself", **{argument: {str(first): plain[first]}})
    name = "m" if argument == "parameters" else "x"
    twin = sympy.Symbol("m", positive=True) if argument == "parameters" else dynamicsymbols("x", real=True)
    refused(f"{name}.*(other assumptions|different symbols)", **{argument: {twin: plain[first], **plain}})


# -- single values ---------------------------------------------------------------------------------------------------

NO_EXPRESSIONS: list[tuple[Any, str]] = [
    ("x**2", "is 'x.*give a SymPy expression"), (True, "is True: give"), (None, "is None: give"),
    ([x], "give a SymPy expression|give a scalar"), ({x: y}, "give a SymPy expression|give a scalar"),
    ({x}, "give a SymPy expression|give a scalar"), (sympy.Eq(x, y), "is the relation .*: give one expression"),
    (x > y, "is the relation .*: give one expression"), (sympy.Matrix([x]), "is a 1 x 1 matrix: give a scalar"),
    (sympy.ImmutableMatrix([x]), "is a 1 x 1 matrix: give a scalar"), (np.array([x]), "give a scalar|give a SymPy"),
    (x * N.x, "give a SymPy expression|give a scalar"), (sympy.MatrixSymbol("M", 1, 1), "give a scalar"),
    (1j, "is not a real number"), (sympy.nan, "not a finite number"), (x * kilogram, "kilogram is a unit"),
    (float("inf"), "not a finite number"), (x**2 + sympy.I * y, "is not a real number"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "message"), NO_EXPRESSIONS)
def test_what_is_no_scalar_expression_is_refused(value: Any, message: str) -> None:
    """Energies, outputs, rates and components of loads are real scalars."""
    for argument in ("potential_energy", "dissipation_function"):
        refused(message, **{argument: value})
    refused(message, extra_states={dynamicsymbols("z"): value})
    if not isinstance(value, list):  # (expression, unit, description)
        refused(message, outputs={"z": value})


def test_extra_states_have_units_as_outputs_have() -> None:
    """The unit is the state's, in SI; initial values may say the same, and what they alone say stands beside it."""
    z = dynamicsymbols("z")
    model = Model(**PLAIN, extra_states={z: (x, "A", "current")})
    assert [(one.symbol, one.unit, one.description) for one in model.meanings] == [(z, "A", "current")]
    assert model.extra_states == Model(**PLAIN, extra_states={z: x}).extra_states
    assert Model(**PLAIN, extra_states={z: (x, "A")}, initial={z: (2, "A", "current")}).meanings == model.meanings
    told = Model(**PLAIN, extra_states={z: (x, "A", "current")}, initial={z: 2.0, x: (1, "m")}).meanings
    assert [(one.symbol, one.unit) for one in told] == [(z, "A"), (x, "m")]
    refused("states are in SI: give 'A', and the rate so", extra_states={z: (x, "mA")})
    refused("z has the unit A among the extra states and V among", extra_states={z: (x, "A")}, initial={z: (1, "V")})
    for wrong in ((), (x, "A", "current", 4), (x, 5)):
        refused("extra state z|the unit of extra state z", extra_states={z: wrong})


def test_functions_of_another_time_are_refused() -> None:
    """sympy.physics.vector differentiates by its own symbol: a function of another one would stand still."""
    stranger = sympy.Function("x")(sympy.Symbol("t", real=True))
    refused("with other assumptions, and not of dynamicsymbols._t", coordinates=[stranger, y])
    refused("with other assumptions, and not of dynamicsymbols._t", outputs={"z": stranger})


@pytest.mark.parametrize("value", [None, 5, m, b"pair", ["pair"]])
def test_names_are_text(value: Any) -> None:
    """What merely prints like an identifier is no name."""
    refused("the model's name .* give text", name=value)
    refused("the description of pair is .* give text", description=value)


@pytest.mark.parametrize(
    "load",
    [{A, N.x}, {A: N.x}, "AB", A, None, (A,), (A, N.x, N.y), [(A, N.x), (B, N.x)], np.array([1.0, 2.0]), 3.0],
)
def test_a_load_is_a_pair_of_a_place_and_a_vector(load: Any) -> None:
    """Place and vector have an order, and nothing else is read as them."""
    refused(r"a load is|load 3 ", loads=[*PLAIN["loads"], load])


def test_parameters_are_constants() -> None:
    """A function of time is called that, not by the class that SymPy made of its name."""
    refused(r"parameter F\(t\) is a function of time, not a plain symbol", parameters={m: 1, k: 2, F: 1}, inputs=[G])
    refused(r"parameter 2\*m is a Mul, not a plain symbol", parameters={2 * m: 1, k: 2})
    refused("parameter 1 is .*, not a plain symbol", parameters={1: 1, m: 1, k: 2})


def test_equations_of_other_front_ends_are_read_alike() -> None:
    """A Lagrangian's constraints may be a mapping, too; its coordinates may be no set."""
    lagrangian = (x.diff(t) ** 2 + m * y.diff(t) ** 2) / 2
    given = {"coordinates": [x, y], "parameters": {m: 1.0}}
    for argument, plain, mapping in (
        ("velocity_constraints", [y.diff(t) - 3 * x.diff(t)], {y.diff(t): 3 * x.diff(t)}),
        ("configuration_constraints", [y - 3 * x], {y: 3 * x}),
    ):
        one, other = (eomc.from_lagrangian(lagrangian, **given, **{argument: value}) for value in (plain, mapping))
        assert one.dynamics == other.dynamics
    rates = [x.diff(t) - v, y.diff(t) - 2 * w]
    kane = KanesMethod(N, [x, y], [v, w], rates)
    solved = kane.kindiffdict()  # {x': v, y': 2 w}
    one, other = (
        eomc.from_kanes_method(kane, bodies=[a, b], loads=[], parameters={m: 1.0}, **more)
        for more in ({}, {"kinematical_equations": solved})
    )
    assert one.dynamics == other.dynamics
    assert described(kinematical_equations=solved) == described(kinematical_equations=rates)
    with pytest.raises(ModelError, match="coordinates is a set, which has no order"):
        eomc.from_lagrangian(lagrangian, **given | {"coordinates": {x, y}})
    with pytest.raises(ModelError, match="momenta is a set, which has no order"):
        eomc.from_hamiltonian((v**2 + w**2) / 2, coordinates=[x, y], momenta={v, w})
