"""Models from a Lagrangian or a Hamiltonian."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import ModelError
from eomc.frontends.hamiltonian import from_hamiltonian
from eomc.frontends.lagrangian import from_lagrangian
from eomc.model import Hamiltonian, Lagrangian

t = dynamicsymbols._t
x, y, px, py, F = dynamicsymbols("x y px py F")
z = sympy.Function("x")(sympy.Symbol("t", real=True))
m, k = sympy.symbols("m k")
L = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - k * (x**2 + y**2) / 2
H = (px**2 + py**2) / (2 * m) + k * (x**2 + y**2) / 2


def lagrangian(**changes: Any) -> Any:
    """Return the planar oscillator as a Lagrangian, with some arguments changed."""
    return from_lagrangian(**{"L": L, "coordinates": [x, y], "parameters": {m: 1.0, k: 2.0}} | changes)


def hamiltonian(**changes: Any) -> Any:
    """Return the planar oscillator as a Hamiltonian, with some arguments changed."""
    arguments = {"H": H, "coordinates": [x, y], "momenta": [px, py], "parameters": {m: 1.0, k: 2.0}}
    return from_hamiltonian(**arguments | changes)


def test_a_lagrangian_has_rates_as_speeds() -> None:
    """The speeds are q' in the order of the coordinates; forces not named are zero."""
    model = lagrangian(generalized_forces={y: F}, inputs=[F], initial={x.diff(t): 2.0})
    assert isinstance(model.dynamics, Lagrangian)
    assert model.speeds == (x.diff(t), y.diff(t))
    assert model.dynamics.generalized_forces == (0, F)
    assert model.dynamics.expression == L
    assert model.initial == ((x.diff(t), 2.0),)


def test_a_hamiltonian_has_momenta_as_speeds() -> None:
    """The speeds are the user's momenta; forces not named are zero."""
    model = hamiltonian(generalized_forces={x: -px})
    assert isinstance(model.dynamics, Hamiltonian)
    assert model.speeds == (px, py)
    assert model.dynamics.generalized_forces == (-px, 0)


@pytest.mark.parametrize(
    ("make", "changes", "message"),
    [
        (lagrangian, {"generalized_forces": {F: 1}}, r"a force for F\(t\), which is not among the coordinates"),
        (lagrangian, {"generalized_forces": [1, 2]}, "generalized_forces .* give a mapping"),
        (lagrangian, {"L": L + x.diff(t, 2)}, r"the Lagrangian contains Derivative\(x\(t\), \(t, 2\)\)"),
        (lagrangian, {"L": "x"}, "the Lagrangian is 'x': give a SymPy expression"),
        (lagrangian, {"coordinates": []}, "there are no coordinates"),
        (lagrangian, {"coordinates": [x]}, r"no value for Derivative\(y\(t\), t\)"),
        (lagrangian, {"velocity_constraints": [x - y]}, "is it a configuration constraint"),
        (lagrangian, {"velocity_constraints": [x.diff(t) * y.diff(t)]}, "velocity constraint 1 is not linear"),
        (lagrangian, {"configuration_constraints": [x.diff(t)]}, "configuration constraint 1 contains"),
        (lagrangian, {"initial": {px: 1.0}}, r"initial value of px\(t\)"),
        (lagrangian, {"initial": {sympy.Symbol("y"): 1.0}}, r"plain symbol, and the coordinate y is y\(t\)"),
        (
            lagrangian,
            {"coordinates": [z, y]},
            r"coordinate y\(t\) is .* not of the time t of x\(t\): make",
        ),
        (lagrangian, {"coordinates": [z]}, r"the Lagrangian: \w\(t\) is a function of another symbol t, with other"),
        (hamiltonian, {"momenta": [px]}, "2 coordinates and 1 momentum:"),
        (hamiltonian, {"momenta": [px, px]}, r"px\(t\) is listed twice among the momenta"),
        (hamiltonian, {"momenta": [px, m]}, "momentum m is no function of time"),
        (hamiltonian, {"H": H + x.diff(t)}, r"the Hamiltonian contains Derivative\(x\(t\), t\)"),
        (hamiltonian, {"H": H + px.diff(t)}, r"the Hamiltonian contains Derivative\(px\(t\), t\)"),
        (hamiltonian, {"parameters": {m: 1.0}}, r"no value for k \(the Hamiltonian\)"),
        (hamiltonian, {"name": "2 bodies"}, "take name='model_2_bodies'"),
    ],
)
def test_mistakes(make: Any, changes: dict[str, Any], message: str) -> None:
    """A mistake raises ModelError with one sentence."""
    with pytest.raises(ModelError, match=message) as caught:
        make(**changes)
    assert "\n" not in str(caught.value)


def test_a_generalized_force_of_a_hamiltonian_may_hold_rates() -> None:
    """H = (p - a x)^2/2m + k x^2/2, Q = -c x' with x' = dH/dp = (p - a x)/m: p' = a x' - k x - c x', power -c x'^2."""
    a, c = sympy.symbols("a c")
    model = from_hamiltonian(
        (px - a * x) ** 2 / (2 * m) + k * x**2 / 2,
        coordinates=[x],
        momenta=[px],
        generalized_forces={x: -c * x.diff(t)},
        parameters={m: 2.0, k: 3.0, a: 0.5, c: 0.25},
    )
    build = eomc.compile(model, functions="all")
    simulator = build.load()
    rate = (1.7 - 0.5 * 0.4) / 2.0
    np.testing.assert_allclose(simulator.rhs(0, [0.4, 1.7]), [rate, 0.5 * rate - 1.2 - 0.25 * rate], rtol=1e-15)
    assert simulator.power(0, [0.4, 1.7])["hamiltonian"] == pytest.approx(-0.25 * rate**2, rel=1e-14)
    assert not any("constant" in note for note in build.program.notes)
    for agreement in compare(build, 20, 0):
        assert agreement.holds, agreement
