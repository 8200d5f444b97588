"""Letters of the report that a model has taken: whatever the report says, it says with the other letter."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.backends.report import FORMATS, render_equations
from eomc.backends.report.notation import Names
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.methods.kane import KANE
from eomc.derivation.options import Options

T = dynamicsymbols._t


def report(model: Any, method: str, form: str = "text", options: Options | None = None) -> str:
    """Return the equations as they are printed."""
    equations = derive(model, choose_method(model, method), options=options or Options())
    return render_equations(SimpleNamespace(model=model, equations=equations), form)


def plane(taken: str, constrained: bool = False, inputs: Any = ()) -> Any:
    """Return two particles in a plane with a spring and a load, and parameters that are called `taken`."""
    x, y, u, v = dynamicsymbols("x y u v")
    m, k, *others = sm.symbols(f"m k {taken}", seq=True)
    N, origin, P = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    P.set_pos(origin, x * N.x + y * N.y)
    P.set_vel(N, u * N.x + v * N.y)
    return eomc.Model(
        name="plane",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        bodies=[Particle("P", P, m)],
        potential_energy=k * x**2 / 2,
        loads=[(P, (-u - sum(others) * u + sum(inputs)) * N.x)],
        velocity_constraints=[v - x * u] if constrained else [],
        dependent_speeds=[v] if constrained else [],
        inputs=list(inputs),
        parameters={symbol: 1.0 for symbol in (m, k, *others)},
    )


def test_comments_follow_the_energies() -> None:
    """T, V, E and h are taken: what is printed as K is called K in every comment and among the constants."""
    text = report(plane("T V E h"), "kane")
    assert re.search(r"^  K = .*# kinetic energy K$", text, re.MULTILINE)
    assert re.search(r"^  U = .*# potential energy U; the loads are not in it$", text, re.MULTILINE)
    assert re.search(r"^  W = K \+ U   # total energy K \+ U$", text, re.MULTILINE)
    assert re.search(r"^  J = .*# Jacobi integral K2 - K0 \+ U, degrees in q'$", text, re.MULTILINE)


def test_what_is_not_taken_stays() -> None:
    """Without a clash the letters are those of the text-books."""
    text = report(plane(""), "kane")
    assert re.search(r"^  E = T \+ V   # total energy T \+ V$", text, re.MULTILINE)
    assert "M(q, t) u' = f(q, u, r, t)" in text


def test_the_form_of_the_equations_follows() -> None:
    """The line below the title and the headings name the same matrix as the equations."""
    text = report(plane("M f"), "kane")
    assert "Kane's method: W(q, t) u' = F(q, u, r, t), q'" in text
    assert "Mass matrix W of W u' = F" in text
    assert "Generalized active and inertia forces F, without u'" in text


def test_the_lagrangian_gives_way() -> None:
    """A length L and a charge Q: dL/dq would be read as a derivative of the length."""
    text = report(plane("L Q"), "lagrange")
    assert "f = N + dLagr/dq - d/dt(dLagr/dq'), without q''" in text
    assert report(plane(""), "lagrange").count("f = Q + dL/dq - d/dt(dL/dq'), without q''") == 1
    text = report(plane("L Q H"), "hamilton")
    assert "Hamilton's method: q' = dK/dp, p' = -dK/dq + N, with q' solved from p = M q' + b" in text
    assert "p' = dLagr/dq + N = -dK/dq + N" in text


def test_accelerations_end_their_products() -> None:
    """S of Euler's equations is sorted by u', as it is differentiated: each product ends with one."""
    text = " ".join(report(eomc.load("free_rigid_body"), "gibbs-appell").split())
    mixed = ("I3*w2*w3*w1'", "I2*w2*w3*w1'", "I1*w1*w3*w2'", "I3*w1*w3*w2'", "I2*w1*w2*w3'", "I1*w1*w2*w3'")
    assert all(product in text for product in mixed)


def test_the_gibbs_function_gives_way() -> None:
    """S and Q are taken."""
    text = report(plane("S Q"), "gibbs-appell")
    assert "dG/du' = N with the Gibbs function G: M(q, t) u' = f(q, u, r, t)" in " ".join(text.split())
    assert "f = N - dG/du' at u' = 0" in text
    assert re.search(r"^  G = ", text, re.MULTILINE)


def test_dependent_speeds_and_multipliers_follow() -> None:
    """A and B of the dependent speeds, J of the multipliers; a transposed matrix keeps its T."""
    text = report(plane("A B", constrained=True), "kane")
    assert "Dependent speeds: u_D = G u_I + D" in text
    assert "Dependent speeds: u_D' = G u_I' + D'" in text
    assert re.search(r"^  G = \[ x \]$", text, re.MULTILINE)
    text = report(plane("J T", constrained=True), "lagrange", options=Options(constraints="augmented"))
    assert "M q'' + C^T lambda = f, C q'' = -(C' q' + b')" in " ".join(text.split())
    assert "Motion under the constraints: M v' + C^T lambda = f, C v' = -(C' v + b')" in text


def test_numbered_letters_keep_off_the_model_and_off_entries() -> None:
    """A parameter b1 drives right sides b1, b2, ... to B1, B2, ...; no matrix with entries M11 has such a letter."""
    names = Names(derive(plane("b1 b_2"), KANE))
    assert [names.numbered(letter) for letter in "Sxb"] == ["S", "x", "B"]
    everything = derive(plane("M1 W1 f1 F1 R1 A1 G1 Fa1"), KANE)
    names = Names(everything)
    numbered = {names.numbered(letter) for letter in "Sxbz"}
    assert numbered.isdisjoint(names.letter(letter) for letter in "MfFA")


def test_coordinates_that_are_renamed_are_so_in_words() -> None:
    """Two coordinates are spelled alike in ASCII: momentum and remark are those of the second."""
    a, b = dynamicsymbols("theta θ")
    lagrangian = (a.diff() ** 2 + b.diff() ** 2) / 2 - a**2 / 2
    text = report(eomc.from_lagrangian(lagrangian, coordinates=[a, b], name="twins"), "lagrange")
    assert re.search(
        r"^  p_theta_2 = theta_2'   # momentum of theta_2, constant: theta_2 is cyclic$", text, re.MULTILINE
    )
    assert re.search(r"^  p_theta_2 is constant$", text, re.MULTILINE)


def test_an_output_with_the_name_of_something_else() -> None:
    """An output is printed under a name that nothing else on the page has."""
    a = dynamicsymbols("theta")
    model = eomc.from_lagrangian(a.diff() ** 2 / 2 - a**2, coordinates=[a], outputs={"θ": 2 * a}, name="twins")
    assert re.search(r"^  theta_2 = 2\*theta$", report(model, "lagrange"), re.MULTILINE)


def test_derivatives_of_an_input_have_primes() -> None:
    """R', r'' of a signal r, whatever the order of the list; another signal that is called r_d is not one of them."""
    r, other = dynamicsymbols("r r_d")
    text = report(plane("", inputs=[r.diff(T, 2), r.diff(T, 3), r]), "kane")
    assert re.search(
        r"^  r''   0    second time derivative of r\n  r'''  0    third time .*\n  r     0$", text, re.MULTILINE
    )
    assert re.search(r"^  f1 = r \+ r'' \+ r''' - u - k\*x$", text, re.MULTILINE)
    text = report(plane("", inputs=[r, other]), "kane")
    assert re.search(r"^  f1 = r \+ r_d - u - k\*x$", text, re.MULTILINE)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_follows(form: str) -> None:
    """The remarks are the same in text, LaTeX and HTML."""
    text = report(plane("T"), "kane", form)
    assert "kinetic energy K" in text
    assert "kinetic energy T" not in text
