"""Units of states that nobody wrote: those that follow from q' = u and from joints."""

from __future__ import annotations

import sympy
from sympy.physics import mechanics as me

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.model import JointTree
from eomc.model.trees.records import Joint, JointKind, Link

q1, q2, u1, u2 = me.dynamicsymbols("q1 q2 u1 u2")


def units_of(model: eomc.Model) -> dict[str, str]:
    """Return the units of the states by Kane's method."""
    return {one.name: one.unit for one in derive(model, choose_method(model, "kane")).states}


def slide(*equations: sympy.Expr, units: tuple[str, str] = ("m", "m"), more: dict | None = None) -> eomc.Model:
    """Return a particle in a plane with these kinematical equations."""
    m, N, origin = sympy.Symbol("m"), me.ReferenceFrame("N"), me.Point("O")
    P = origin.locatenew("P", q1 * N.x + q2 * N.y)
    origin.set_vel(N, 0)
    rates = sympy.solve(equations, [q1.diff(), q2.diff()])
    P.set_vel(N, rates[q1.diff()] * N.x + rates[q2.diff()] * N.y)
    return eomc.Model(
        name="slide", inertial_frame=N, coordinates=[q1, q2], speeds=[u1, u2], bodies=[me.Particle("b", P, m)],
        kinematical_equations=equations, parameters={m: 1.0},
        initial={q1: (0.1, units[0]), q2: (0.2, units[1]), **(more or {})},
    )  # fmt: skip


def test_a_speed_that_is_a_rate_has_its_unit() -> None:
    """Where q' = u, however it is written, m makes m/s and rad rad/s; of a sum of rates nothing is told."""
    assert units_of(slide(q1.diff() - u1, u2 - q2.diff())) == {"q1": "m", "q2": "m", "u1": "m/s", "u2": "m/s"}
    found = units_of(slide(2 * q1.diff() - 2 * u2, q2.diff() - u2 + u1, units=("rad", "rad")))
    assert found == {"q1": "rad", "q2": "rad", "u1": "", "u2": "rad/s"}
    assert units_of(slide(q1.diff() - 2.5 * u1, q2.diff() - u2))["u1"] == ""  # a float may have any unit
    assert units_of(slide(q1.diff() - u1, q2.diff() - u2, more={u1: (1.0, "mm/s")}))["u1"] == "m/s"


def test_joints_tell_the_units_of_their_states() -> None:
    """A tree whose start has no units is in rad and m by its joints."""
    unit = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    links = [Link(name="base"), *(Link(name=name, mass=1.0, inertia=unit) for name in ("arm", "hand"))]
    joints = [
        Joint(name="turn", kind=JointKind.REVOLUTE, parent="base", child="arm", coordinates=(q1,), speeds=(u1,)),
        Joint(name="slide", kind=JointKind.PRISMATIC, parent="arm", child="hand", coordinates=(q2,), speeds=(u2,)),
    ]
    model = eomc.from_tree(JointTree(links, joints), initial={q1: 0.1})
    assert units_of(model) == {"q1": "rad", "q2": "m", "u1": "rad/s", "u2": "m/s"}
    assert "rad/s" in model._repr_html_()
