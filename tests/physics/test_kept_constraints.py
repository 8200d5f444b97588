"""Constraints that the kinematics keep: a state that drifted off is put back along their gradients, at little cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.derivation.projection import _apart
from eomc.errors import RunError
from eomc.trees import Joint, JointTree, Link

Function: TypeAlias = Callable[..., Any]

INERTIA = ((0.5, 0, 0), (0, 0.6, 0), (0, 0, 0.7))


def two_floating(more: int = 1) -> eomc.Model:
    """Two bodies apart in space, each with a quaternion, and `more` wheels on the first."""
    q, u = dynamicsymbols(f"q:{14 + more}"), dynamicsymbols(f"u:{12 + more}")
    links = [Link(name="ground"), *(Link(name=name, mass=1.0, inertia=INERTIA) for name in ("a", "b"))]
    joints = [
        Joint(name=f"to_{c}", kind="free", parent="ground", child=c, coordinates=q[7 * k : 7 * k + 7],
              speeds=u[6 * k : 6 * k + 6])
        for k, c in enumerate("ab")
    ]  # fmt: skip
    for k in range(more):
        links.append(Link(name=f"wheel_{k}", mass=0.1, inertia=INERTIA))
        joints.append(
            Joint(name=f"axle_{k}", kind="revolute", parent="a", child=f"wheel_{k}", axis=(0, 0, 1),
                  coordinates=[q[14 + k]], speeds=[u[12 + k]])
        )  # fmt: skip
    return eomc.from_tree(JointTree(links=links, joints=joints, root="ground"), name="two_floating")


def axes_of_a_body() -> eomc.Model:
    """A body whose first two axes are coordinates: six direction cosines, three constraints that share them."""
    a, b, w = dynamicsymbols("a1:4"), dynamicsymbols("b1:4"), dynamicsymbols("w1:4")
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")  # noqa: E741 - the origin
    first, second, rates = sympy.Matrix(a), sympy.Matrix(b), sympy.Matrix(w)
    matrix = sympy.Matrix.hstack(first, second, first.cross(second))
    B.orient_explicit(N, matrix)
    B.set_ang_vel(N, sum((speed * axis for speed, axis in zip(w, B, strict=True)), 0 * B.x))
    O.set_vel(N, 0)
    body = RigidBody("body", O, B, sympy.Symbol("m"), (inertia(B, *(INERTIA[k][k] for k in range(3))), O))
    turning = matrix * rates  # angular velocity in N
    q_d = [*turning.cross(first), *turning.cross(second)]
    t = dynamicsymbols._t
    return eomc.Model(
        name="axes",
        inertial_frame=N,
        coordinates=[*a, *b],
        speeds=w,
        bodies=[body],
        kinematical_equations=[q.diff(t) - rate for q, rate in zip([*a, *b], q_d, strict=True)],
        configuration_constraints=[first.dot(first) - 1, second.dot(second) - 1, first.dot(second)],
        parameters={sympy.Symbol("m"): 1.0},
        initial={a[0]: 1, b[1]: 1},
    )


@pytest.mark.needs_cc
@pytest.mark.parametrize("size", [1e-3, 0.999, 1.0, 3.0])
def test_a_quaternion_keeps_its_direction(size: float) -> None:
    """It is divided by its norm, whatever the other coordinates are, which stay to the bit."""
    sim = eomc.compile(two_floating(), stabilization="projection").load()
    rng = np.random.default_rng(3)
    x = rng.normal(size=sim.initial_state.size)
    quaternions = [[sim.state_names.index(f"q{7 * k + 3 + i}") for i in range(4)] for k in range(2)]
    for k, some in enumerate(quaternions):
        x[some] *= (size if k else 1.0) / np.linalg.norm(x[some])
    expected = x.copy()
    for some in quaternions:
        expected[some] /= np.linalg.norm(x[some])
    found = sim.project(0.0, x)
    assert_allclose(found, expected, rtol=4e-15)
    others = [i for i in range(x.size) if not any(i in some for some in quaternions)]
    assert np.array_equal(found[others], x[others])


def test_what_no_norm_holds_costs_nothing() -> None:
    """However many joints there are, a norm costs the same, and no linear system is solved for it."""

    def corrected(more: int) -> Any:
        build = eomc.compile(two_floating(more), stabilization="projection")
        [function] = [f for f in build.statistics.code.functions if f.name == "coordinate_correction"]
        return function.counts

    assert corrected(1) == corrected(6)


@pytest.mark.needs_cc
def test_a_quaternion_of_zeros_stays_open() -> None:
    """No direction is to be kept: the run is refused, and no NaN comes back."""
    sim = eomc.compile(two_floating(), stabilization="projection").load()
    x = sim.initial_state
    x[[sim.state_names.index(f"q{k}") for k in range(3, 7)]] = 0.0
    with pytest.raises(RunError):
        sim.project(0.0, x)


@pytest.mark.needs_cc
def test_constraints_that_share_coordinates() -> None:
    """Two axes become orthogonal units, by Newton's steps in the span of the gradients."""
    sim = eomc.compile(axes_of_a_body(), method="kane", stabilization="projection").load()
    rng = np.random.default_rng(5)
    x = sim.initial_state + 0.05 * rng.normal(size=sim.initial_state.size)

    def gradients(y: np.ndarray) -> np.ndarray:
        a, b, zero = y[:3], y[3:6], np.zeros(3)
        return np.array([[*(2 * a), *zero], [*zero, *(2 * b)], [*b, *a]])

    def residuals(y: np.ndarray) -> np.ndarray:
        return np.array([y[:3] @ y[:3] - 1, y[3:6] @ y[3:6] - 1, y[:3] @ y[3:6]])

    y = x[:6].copy()
    for _ in range(12):
        y -= np.linalg.lstsq(gradients(y), residuals(y), rcond=None)[0]
    found = sim.project(0.0, x)
    assert np.abs(residuals(found)).max() < 1e-15
    assert_allclose(found[:6], y, atol=1e-14)


@given(st.lists(st.lists(st.integers(0, 8), max_size=4), max_size=7))
def test_groups_share_no_column(rows: list[list[int]]) -> None:
    """Each row stands in one group; rows that share a column stand together, and others only by way of such rows."""
    groups = _apart(rows)
    assert sorted(i for some, _ in groups for i in some) == list(range(len(rows)))
    columns = [j for _, some in groups for j in some]
    assert len(set(columns)) == len(columns)
    for some, joined in groups:
        assert set(joined) == {j for i in some for j in rows[i]}
        reached, grown = {some[0]}, True
        while grown:
            near = {j for i in reached for j in rows[i]}
            more = {i for i in some if not near.isdisjoint(rows[i])} | reached
            grown, reached = more != reached, more
        assert reached == set(some)
