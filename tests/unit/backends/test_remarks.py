"""Units and descriptions in the emitted header and README."""

from __future__ import annotations

import re
from functools import cache

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.model import Model


@cache
def emitted(with_units: bool) -> dict[str, str]:
    """Return file name -> text of an oscillator, of whose two states and parameters at most one each has a unit."""
    x, p = dynamicsymbols("x p")
    m, k = sm.symbols("m k")
    metre, kilogram = ("m", "kg") if with_units else ("", "")
    model = eomc.from_hamiltonian(
        p**2 / (2 * m) + k * x**2 / 2,
        name="spring",
        coordinates=[x],
        momenta=[p],
        parameters={m: (1.0, kilogram, "mass"), k: (2.0, "", "stiffness")},
        initial={x: (0.1, metre, "elongation"), p: (0.0, "", "momentum")},
    )
    return {artifact.path: artifact.text for artifact in eomc.compile(model).artifacts}


def remark(header: str, word: str) -> str:
    """Return the comment that says `word`, from its opening on."""
    found = re.search(rf"/\*\*<(.*\b{word}\b.*)\*/", header)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("known", "missing"), [("elongation", "momentum"), ("mass", "stiffness")])
def test_a_missing_unit_leaves_its_column_blank(known: str, missing: str) -> None:
    """What has no unit gets no bracket, and its description stands below the others."""
    header = emitted(True)["spring.h"]
    assert remark(header, known).startswith((" [m] ", " [kg] "))
    assert "[" not in remark(header, missing)
    assert remark(header, missing).index(missing) == remark(header, known).index(known)


def test_no_column_of_units_where_nothing_has_one() -> None:
    """Without any unit the descriptions begin the comments."""
    header = emitted(False)["spring.h"]
    for word in ("elongation", "momentum", "mass", "stiffness"):
        assert remark(header, word).startswith(f" {word}")


def test_a_missing_unit_is_an_empty_cell() -> None:
    """The README's tables show nothing for a missing unit."""
    readme = emitted(True)["README.md"]
    assert "| `x` | m | 0.1 | elongation |" in readme
    assert "| `p` |  | 0 | momentum |" in readme
    assert "| `k` | `k` |  | 2 | stiffness |" in readme


def test_results_say_their_unit_and_what_they_are() -> None:
    """Header, README and trajectory tell an output's unit, and the former two what it is."""
    x, u = dynamicsymbols("x u")
    m = sm.Symbol("m")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, u * frame.x)
    model = Model(
        name="told", inertial_frame=frame, coordinates=[x], speeds=[u], bodies=[Particle("p", point, m)],
        parameters={m: 1.0}, outputs={"push": (m * u, "N s", "momentum | of the particle"), "plain": x},
    )  # fmt: skip
    build = eomc.compile(model)
    files = {artifact.path: artifact.text for artifact in build.artifacts}
    assert "TOLD_OUTPUTS_PUSH = 0, /**< [N s] momentum | of the particle */" in files["told.h"]
    assert "| `TOLD_OUTPUTS_PUSH` | `push` | N s | momentum \\| of the particle |" in files["README.md"]
    assert "[J] kinetic energy T" in files["told.h"]
    quantities = build.load().simulate(0.01, 0.01).quantities
    assert [(quantity.name, quantity.unit) for quantity in quantities[-2:]] == [("push", "N s"), ("plain", "")]


def pushed(force: sm.Expr, loads: bool) -> dict[str, str]:
    """Return the files of a particle on a rail (x) with a spring beside it (y), under a force along the rail."""
    x, y, u, v, r = dynamicsymbols("x y u v r")
    k = sm.Symbol("k")
    frame, origin, point = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(frame, 0)
    point.set_pos(origin, x * frame.x + y * frame.y)
    point.set_vel(frame, u * frame.x + v * frame.y)
    model = Model(
        name="told", inertial_frame=frame, coordinates=[x, y], speeds=[u, v], bodies=[Particle("p", point, 2)],
        potential_energy=k * y**2 / 2, loads=[(point, force * frame.x)] if loads else [], parameters={k: 1.0},
        inputs=[r] if force.has(r) else [],
    )  # fmt: skip
    return {artifact.path: artifact.text for artifact in eomc.compile(model).artifacts}


U, R = dynamicsymbols("u r")


@pytest.mark.parametrize(
    ("force", "text"),
    [
        (sm.Integer(0), "momentum of x, constant: x is cyclic"),
        (R, "momentum of x, constant while the inputs are zero: x is cyclic"),
        (R - U, "generalized momentum dL/dx' of x; its rate is the generalized force on x"),
    ],
)
def test_a_momentum_is_called_constant_where_it_is(force: sm.Expr, text: str) -> None:
    """A coordinate that does not enter L has a momentum whose rate is the force on it."""
    files = pushed(force, loads=True)
    assert f"TOLD_MOMENTA_P_X = 0 /**< {text} */" in files["told.h"]
    assert f"| `TOLD_MOMENTA_P_X` | `p_x` |  | {text} |" in files["README.md"]
    assert ("the momentum p_x is constant" in files["told.h"]) == ("constant" in text)


def test_loads_are_said_not_to_be_in_the_potential_energy() -> None:
    """Only where there are some."""
    told, silent = pushed(R, loads=True)["told.h"], pushed(sm.Integer(0), loads=False)["told.h"]
    assert "[J] potential energy V; the loads are not in it" in told
    assert "[J] potential energy V  " in silent


def test_generalized_forces_are_said_not_to_be_in_the_energies() -> None:
    """Beside a Lagrangian or a Hamiltonian, where there are some."""
    x, p = dynamicsymbols("x p")
    for force, said in ((-p, True), (0, False)):
        model = eomc.from_hamiltonian(p**2 / 2 + x**2, coordinates=[x], momenta=[p], generalized_forces={x: force})
        header = next(one.text for one in eomc.compile(model).artifacts if one.path.endswith(".h"))
        assert ("H as given; the generalized forces are not in it" in header) == said
    for force, said in ((-x.diff(), True), (0, False)):
        model = eomc.from_lagrangian(x.diff() ** 2 / 2 - x**2, coordinates=[x], generalized_forces={x: force})
        header = next(one.text for one in eomc.compile(model).artifacts if one.path.endswith(".h"))
        assert ("h at q' = 0; the generalized forces are not in it" in header) == said


def test_derivatives_of_inputs_say_what_they_are() -> None:
    """Field, table and help of a support's velocity and acceleration."""
    x, r = dynamicsymbols("x r")
    t = dynamicsymbols._t
    model = eomc.from_lagrangian(
        (x.diff() + r.diff()) ** 2 / 2 - x**2 - r * x, coordinates=[x], name="told",
        inputs={r: (0.0, "m", "place of the support"), r.diff(): 0.0, r.diff(t, 2): 0.0},
    )  # fmt: skip
    files = {artifact.path: artifact.text for artifact in eomc.compile(model).artifacts}
    assert "told_real r_d;  /**< [m/s]   first time derivative of r  */" in files["told.h"]
    assert "told_real r_dd; /**< [m/s^2] second time derivative of r */" in files["told.h"]
    assert "| `r_dd` | `r_dd` | m/s^2 | 0 | second time derivative of r |" in files["README.md"]
    assert "r_d  = 0 m/s  first time derivative of r" in files["main.c"]


def comments(build: eomc.Build) -> str:
    """Return the header and the C of a build, without the code between."""
    texts = [artifact.text for artifact in build.artifacts if artifact.path.endswith((".h", ".c"))]
    return "\n".join(re.findall(r"/\*.*?\*/", "\n".join(texts), re.DOTALL))


@pytest.mark.parametrize(
    ("method", "said", "never"),
    [
        ("kane", ["M of M u' = f", "f of M u' = f", "M u' + J^T lambda = f"], "q''"),
        ("gibbs-appell", ["M of M u' = f", "M u' + J^T lambda = f"], "M q''"),
        ("lagrange", ["M of M q'' = f", "f of M q'' = f", "M q'' + J^T lambda"], "M u'"),
        ("hamilton", ["M of p = M q' + b", "p = M q' + b + J^T sigma"], "M u'"),
        ("hamilton-multipliers", ["M of p = M q' + b", "M q'' + J^T lambda = f"], "M u'"),
    ],
)
def test_equations_are_named_in_the_letters_of_the_method(method: str, said: list[str], never: str) -> None:
    """u' are the accelerations of Kane's equations, q'' those of Lagrange's; v is the name of neither."""
    text = comments(eomc.compile(eomc.load("two_masses_on_rod_cartesian"), method))
    assert all(words in text for words in said)
    assert never not in text
    assert "M v'" not in text


@pytest.mark.parametrize(("name", "power"), [("double_pendulum", "zero: nothing changes T + V"), ("cart_pole", "")])
def test_power_without_a_cause(name: str, power: str) -> None:
    """Where nothing does work on the mechanism there is no sum of which the header could speak, nor a load."""
    text = comments(eomc.compile(eomc.load(name)))
    assert ("their sum, the rate of T + V" in text) is ("power of the loads" in text) is not power
    assert power in text
    assert not power or "load" not in text


def test_an_output_is_no_symbol_of_the_text_books() -> None:
    """A comment tells an output named f or M from the forcing and the mass matrix."""
    x, p = dynamicsymbols("x p")
    outputs = {"f": x**2 * p, "M": x**2}
    model = eomc.from_hamiltonian(p**2 / 2 + x**2, name="m", coordinates=[x], momenta=[p], outputs=outputs)
    assert "/* output f */" in comments(eomc.compile(model))
