"""The methods beside each other: q'' and multipliers at the same q and q'."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis.agreement.methods import MOTION_TOLERANCE, compare_methods

m, a, C, g, B = sm.symbols("m a C g B")
t = dynamicsymbols._t


def sleigh() -> eomc.Model:
    """Return Chaplygin's sleigh with the length of its path as a coordinate: no energy gives its motion."""
    theta, s, omega, v = dynamicsymbols("theta s omega v")
    N, A, edge = ReferenceFrame("N"), ReferenceFrame("A"), Point("C")
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, omega * N.z)
    edge.set_vel(N, v * A.x)
    centre = edge.locatenew("G", a * A.x)
    centre.v2pt_theory(edge, N, A)
    return eomc.Model(
        name="sleigh", inertial_frame=N, coordinates=[theta, s], speeds=[omega, v],
        bodies=[RigidBody("body", centre, A, m, (inertia(A, 0, 0, C), centre))], parameters={m: 2.0, C: 0.3, a: 0.4},
    )  # fmt: skip


def idle() -> eomc.Model:
    """Return a free particle under a constraint that never carries a force, beside one that does."""
    x, y, z = dynamicsymbols("x y z")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", x * N.x + y * N.y + z * N.z)
    return eomc.Model(
        name="idle", inertial_frame=N, coordinates=[x, y, z], speeds=[x.diff(), y.diff(), z.diff()],
        bodies=[Particle("p", place, m)], gravity=-g * N.z, velocity_constraints=[z.diff() - x.diff() / 2, y.diff()],
        parameters={m: 2.0, g: 9.81},
    )  # fmt: skip


def charge() -> eomc.Model:
    """Return a charge in a magnetic field on a cylinder, by its Lagrangian."""
    x, y = dynamicsymbols("x y")
    kinetic = m * (x.diff() ** 2 + (2 + sm.cos(x)) * y.diff() ** 2) / 2
    return eomc.from_lagrangian(
        kinetic + B * x * y.diff() - g * x**2 / 2,
        coordinates=[x, y],
        parameters={m: 1.0, B: 0.7, g: 3.0},
        name="charge",
    )


@pytest.mark.parametrize(
    "model",
    [*map(eomc.load, ("rolling_disk_with_slip", "four_bar", "rolling_disk_dependent", "bar_on_moving_pivot")), idle(),
     charge()],
    ids=lambda model: model.name,
)  # fmt: skip
def test_the_methods_of_a_model_give_one_motion(model: eomc.Model) -> None:
    """Every method beside the native one, its multipliers too, where they are lambda and there are any."""
    found = compare_methods(model, model.methods, 6)
    assert all(one.holds and one.worst < 1e-10 for one in found)
    assert {(one.method, one.native) for one in found} == {(name, model.methods[0]) for name in model.methods[1:]}
    constrained = bool(model.dynamics.velocity_constraints or model.dynamics.configuration_constraints)
    for one in found:
        assert one.size == (len(model.coordinates) if one.quantity == "q''" else 2)
    with_lambda = {one.method for one in found if one.quantity == "multipliers"}
    assert with_lambda == ({name for name in model.methods[1:] if name != "hamilton"} if constrained else set())


def test_a_method_that_does_not_hold_is_found(
    monkeypatch: pytest.MonkeyPatch, eomc_command: Callable[..., Any], tmp_path: Any
) -> None:
    """With the refusals out of the way: Lagrange's and Hamilton's q'' of the sleigh are zero, where Kane's are not."""
    home = importlib.import_module("eomc.reference.method")  # eomc.reference is a function once it was asked for
    monkeypatch.setattr(home, "refuse_other_velocities", lambda *_: None)
    found = {one.method: one for one in compare_methods(sleigh(), ("kane", "gibbs-appell", "lagrange", "hamilton"), 6)}
    assert found["gibbs-appell"].holds
    for method in ("lagrange", "hamilton"):
        assert found[method].quantity == "q''"
        assert not found[method].holds
        assert found[method].worst > 0.1


@pytest.mark.needs_cc
def test_check_of_all_methods_compares_them(eomc_command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for each other method; a method that gives another motion fails the check."""
    arguments = ("check", "simple_pendulum", "--method", "all", "--samples", "5", "--json")
    answer = eomc_command(*arguments)
    assert answer.code == 0
    rows = {
        entry["method"]: [row for row in entry["functions"] if "as by" in row["name"]]
        for entry in json.loads(answer.out)
    }
    assert rows.pop("kane") == []
    assert set(rows) == {"lagrange", "hamilton", "gibbs-appell"}
    for (row,) in rows.values():
        assert row["name"] == "q'' as by kane"
        assert row["tolerance"] == MOTION_TOLERANCE
        assert row["worst"] < 1e-12
    single = json.loads(eomc_command(*arguments[:2], "--samples", "5", "--json").out)
    assert not any("as by" in row["name"] for row in single[0]["functions"])
    monkeypatch.setattr("eomc.analysis.agreement.methods.MOTION_TOLERANCE", -1.0)
    answer = eomc_command(*arguments)
    assert answer.code == 1
