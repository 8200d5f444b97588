"""What symbols mean in C: constants, powers, choices and names on which other generators of code have stumbled."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import EomcError, LoweringError, ModelError

pytestmark = pytest.mark.needs_cc

z, w = dynamicsymbols("z w")
k = sm.Symbol("k", real=True)
HUGE = sm.Rational(1015308793816973697, 2361183241434822606848)

CASES = {  # expression in z, w and k; its value at z = 3, w = -2, k = 0.5
    "pi_and_e": (sm.pi * z + sm.E * w + sm.sqrt(2), 3 * math.pi - 2 * math.e + math.sqrt(2)),
    "half": (sm.Rational(1, 2) * z, 1.5),
    "third": (-z / 3, -1.0),
    "over": (3 / z + 1 / w, 0.5),
    "huge_integer": (10**20 * k, 5e19),
    "huge_rational": (HUGE * z, 3 * 1015308793816973697 / 2361183241434822606848),
    "square": (z**2 + (z + w) ** 2, 10.0),
    "inverse_square": (z**-2, 1 / 9),
    "roots": (sm.sqrt(z) + z ** sm.Rational(3, 2), 3**0.5 + 3**1.5),
    "high_powers": (w**7 + w**25, (-2.0) ** 7 + (-2.0) ** 25),
    "nested_max": (sm.Max(sm.Abs(z), sm.Abs(w), 0), 3.0),
    "nested_min": (sm.Min(sm.Max(z, w), sm.Heaviside(w)), 0.0),
    "step_at_zero": (sm.Heaviside(z - 3), 0.5),
    "step_with_a_value": (sm.Heaviside(z - 3, 0.25), 0.25),
    "sign_at_zero": (sm.sign(z - 3), 0.0),
    "three_branches": (sm.Piecewise((1, z < 0), (2, z < 2), (3, True)), 3.0),
    "conditions": (sm.Piecewise((5, sm.And(z > 2, sm.Or(w > 0, k < 1))), (7, True)), 5.0),
    "nested_choice": (sm.Piecewise((sm.Piecewise((1, w > 0), (2, True)), z > 0), (3, True)), 2.0),
    "equal": (sm.Piecewise((1, sm.Eq(z, 3)), (0, True)), 1.0),
    "not_expanded": (((z + w) ** 25).subs(w, w), 1.0),  # expanded, this is rounding of numbers of 1e17
    "constant": (sm.Integer(7), 7.0),
}


@pytest.fixture(scope="module")
def model():
    """Return a model that is nothing but outputs of two states."""
    outputs = {name: expression for name, (expression, _) in CASES.items()}
    return eomc.Model(
        name="semantics", extra_states={z: w, w: -k * z}, parameters={k: 0.5}, outputs=outputs, initial={z: 3, w: -2}
    )


@pytest.mark.parametrize("real", ["double", "float"])
def test_values(model, real):
    """Each expression is what mathematics say, to rounding; floats in floats."""
    sim = eomc.compile(model, real=real).load()
    found = dict(zip(sim.output_names, sim.outputs(0.0, [3.0, -2.0]), strict=True))
    epsilon = float(np.finfo(real if real == "double" else "single").eps)
    for name, (_, value) in CASES.items():
        assert found[name] == pytest.approx(value, rel=8 * epsilon, abs=0.0), name


def test_literals_are_floating(model):
    """No integer and no rational of integers stands in an expression; pi needs no M_PI."""
    (source,) = [one.text for one in eomc.compile(model).library if one.path.endswith(".c")]
    body = source[source.index("semantics_outputs(") :]
    assert "M_PI" not in source
    assert "100000000000000000000" not in body
    assert "1015308793816973697" not in body


def test_complex_and_infinite_leftovers_are_refused():
    """I x and zoo have no meaning in real arithmetic; a chain of choices needs its last."""
    for expression in (sm.I * z, sm.zoo * z, sm.nan * z):
        with pytest.raises(EomcError):
            eomc.compile(eomc.Model(name="no", extra_states={z: expression}))
    with pytest.raises(EomcError, match=r"[Pp]iecewise"):
        eomc.compile(eomc.Model(name="no", extra_states={z: sm.Piecewise((1, z < 0))}))


def test_cube_roots_are_those_of_sympy_where_they_are_real():
    """x^(1/3) is the real root of positive numbers, and NaN below zero: as NumPy, and not as cbrt."""
    sim = eomc.compile(eomc.Model(name="root", extra_states={z: 0}, outputs={"y": z ** sm.Rational(1, 3)})).load()
    assert sim.outputs(0.0, [8.0]) == pytest.approx([2.0])
    assert np.isnan(sim.outputs(0.0, [-8.0])).all()


def test_an_oscillator_without_parameters_or_inputs_builds(tmp_path, silent):
    """Nothing is empty that C wants filled; strict flags find nothing."""
    eomc.compile(eomc.Model(name="oscillator", extra_states={z: w, w: -z})).write(tmp_path)
    silent(tmp_path, "OSCILLATOR", ["oscillator.c", "main.c"], "-fsyntax-only")


def test_parameters_have_names_not_places():
    """Mass, spring and damper, x = 1 and v = 2, with 1, 2 and 3: whatever the order in which they are given."""
    (m, c, s), (x, v) = sm.symbols("m c s", real=True), dynamicsymbols("x v")
    values = {m: 1.0, c: 2.0, s: 3.0}
    for order in ((m, c, s), (s, c, m)):
        model = eomc.Model(
            name="damper", extra_states={x: v, v: -(s * x + c * v) / m}, parameters={one: values[one] for one in order}
        )
        assert eomc.compile(model).load().rhs(0.0, [1.0, 2.0]) == pytest.approx([2.0, -7.0])


def test_derivatives_are_symbols_before_they_are_shared():
    """a q'' + b q' + a b q + a^2 at q'' = 2, q' = 3, q = 4, a = 5, b = 6 is 173."""
    q = dynamicsymbols("q")
    a, b = sm.symbols("a b", real=True)
    expression = a * q.diff(t := dynamicsymbols._t, 2) + b * q.diff(t) + a * b * q + a**2
    energy = q.diff(t) ** 2 / 2
    model = eomc.from_lagrangian(
        energy, coordinates=[q], generalized_forces={q: 2}, outputs={"f": expression}, parameters={a: 5, b: 6}
    )
    assert eomc.compile(model).load().outputs(0.0, [4.0, 3.0]) == pytest.approx([173.0])


HOSTILE = [
    "int", "double", "restrict", "inline", "_Bool", "complex", "I", "y0", "j1", "gamma", "signbit", "INFINITY", "NULL",
    "errno", "main", "time", "t_", "M_PI", "x", "dx", "p", "x_{1}", "f_{ext}", "\\theta_0", "q'", "two words", "1x",
    "θ", "φ̇", "ñ", "lambda", "is", "in", "from", "work", "c", "r", "h", "z0", "REAL", "sin", "E", "S", "N",
    "a" * 70 + "1", "a" * 70 + "2",
]  # fmt: skip


def test_hostile_names(tmp_path, silent):
    """Keywords, macros, LaTeX, Unicode, Python's words and names of 71 letters compile, and keep their values apart."""
    symbols = [sm.Symbol(name, real=True) for name in HOSTILE]
    total = sum(place * symbol for place, symbol in enumerate(symbols, start=1))
    model = eomc.Model(
        name="hostile",
        extra_states={z: total},
        parameters={symbol: 1.0 / place for place, symbol in enumerate(symbols, start=1)},
    )
    build = eomc.compile(model)
    build.write(tmp_path)
    silent(tmp_path, "HOSTILE", ["hostile.c", "main.c"], "-fsyntax-only")
    for artifact in build.library:
        assert artifact.text.isascii()
    sim = build.load()
    assert sim.rhs(0.0, [0.0]) == pytest.approx([len(HOSTILE)])
    assert sim.rhs(0.0, [0.0], parameters={"lambda": 0.0}) == pytest.approx([len(HOSTILE) - 1])


def test_too_small_for_a_double():
    """A number below the smallest double is refused or zero, but no literal that underflows."""
    try:
        build = eomc.compile(eomc.Model(name="tiny", extra_states={z: sm.Float("1e-400") * z}))
    except (LoweringError, ModelError):
        return
    assert "e-400" not in "".join(one.text for one in build.library)
