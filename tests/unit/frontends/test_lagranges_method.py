"""A LagrangesMethod becomes a Lagrangian model without being derived."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import LagrangesMethod, Point, ReferenceFrame, dynamicsymbols

from eomc.errors import ModelError
from eomc.frontends.lagranges_method import from_lagranges_method
from eomc.model import Lagrangian

t = dynamicsymbols._t
q1, q2, F, T = dynamicsymbols("q1 q2 F T")
m, b, a = sympy.symbols("m b a")
L = m * (q1.diff(t) ** 2 + a**2 * q2.diff(t) ** 2) / 2


def two_frames() -> tuple[ReferenceFrame, ReferenceFrame, Point, Point]:
    """Return N, a frame turned by q2, a point moved by q1 and one on the turned frame, whose velocity is not set."""
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [q2, N.z])
    P = Point("P")
    P.set_vel(N, q1.diff(t) * N.x)
    return N, B, P, P.locatenew("Q", a * B.x)


def test_generalized_forces_are_virtual_power() -> None:
    """Q_r = sum F . dv/dq_r' + sum T . domega/dq_r' is what SymPy's own derivation uses."""
    N, B, P, Q = two_frames()
    loads = [(P, -b * q1.diff(t) * N.x), (Q, F * N.y + F * B.y), (B, T * N.z)]
    method = LagrangesMethod(L, [q1, q2], forcelist=loads, frame=N)
    model = from_lagranges_method(method, parameters={m: 1.0, b: 0.1, a: 0.5}, inputs=[F, T])
    assert isinstance(model.dynamics, Lagrangian)
    assert Q._vel_dict == {}, "the user's point was written to"
    method.form_lagranges_equations()
    for found, expected in zip(model.dynamics.generalized_forces, method._term4, strict=True):
        assert sympy.simplify(found - expected) == 0


def test_forces_by_keyword_are_added_and_loads_replaced() -> None:
    """generalized_forces come on top; loads and inertial_frame given by keyword win."""
    N, _, P, _ = two_frames()
    method = LagrangesMethod(L, [q1, q2])
    model = from_lagranges_method(
        method,
        loads=[(P, F * N.x)],
        inertial_frame=N,
        generalized_forces={q1: T, q2: T},
        parameters={m: 1.0, a: 0.5},
        inputs=[F, T],
    )
    assert model.dynamics.generalized_forces == (F + T, T)


def test_constraints_are_the_raw_ones() -> None:
    """Configuration constraints are not differentiated, velocity constraints are taken as given; keywords win."""
    method = LagrangesMethod(L, [q1, q2], hol_coneqs=[q1 - a * sympy.sin(q2)])
    values: dict[str, Any] = {"parameters": {m: 1.0, a: 0.5}}
    assert from_lagranges_method(method, **values).dynamics.configuration_constraints == (q1 - a * sympy.sin(q2),)
    rolling = LagrangesMethod(L, [q1, q2], nonhol_coneqs=[q1.diff(t) - a * q2.diff(t)])
    assert from_lagranges_method(rolling, **values).dynamics.velocity_constraints == (q1.diff(t) - a * q2.diff(t),)
    other = from_lagranges_method(rolling, velocity_constraints=[q1.diff(t)], **values)
    assert other.dynamics.velocity_constraints == (q1.diff(t),)


def test_mistakes() -> None:
    """Something else, a load without velocity, loads without a frame: one sentence each."""
    N, B, P, _ = two_frames()
    with pytest.raises(ModelError, match="int is no LagrangesMethod"):
        from_lagranges_method(3)
    method = LagrangesMethod(L, [q1, q2], forcelist=[(P, F * N.x)])
    with pytest.raises(ModelError, match="give inertial_frame=N"):
        from_lagranges_method(method)
    for place in (Point("lost"), ReferenceFrame("lost")):
        with pytest.raises(ModelError, match=r"lost, on which load 1 acts, has no (angular )?velocity in frame N"):
            from_lagranges_method(method, loads=[(place, B.x)], inertial_frame=N)
