"""The least inertia along a rate, against Schur complements of the mass matrix of the links as given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import SingularSystemError
from eomc.model.trees.records import JointKind
from eomc.trees import Joint, JointTree, Link

BASES = [None, JointKind.FREE, JointKind.BALL]


@pytest.mark.parametrize("base", BASES, ids=str)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
def test_no_joint_feels_less(trees: Any, base: JointKind | None, seed: int, n: int) -> None:
    """Not where all that hangs on it gives way; a body on which nothing hangs has just that, beside its rotor."""
    given_ = trees.drawn(seed, n, tuple(JointKind), base, solid=True)
    tree, state, plain = trees.on_graph(given_), trees.state(given_, seed), trees.plain(given_)
    assume(tree.flat)
    m = plain.mass_matrix(state.q, len(tree.flat))
    hanging: dict[int, set[int]] = {i: {i} for i in range(len(tree.rows.rows))}
    for i, row in reversed(list(enumerate(tree.rows.rows))):
        if row.parent >= 0:
            hanging[row.parent] |= hanging[i]
    least = [value for row in tree.rows.rows for value in row.least]
    assert len(least) == len(tree.flat)
    for k, rate in enumerate(tree.flat):
        below = [j for j, other in enumerate(tree.flat) if other.row in hanging[rate.row]]
        left = 1 / np.linalg.inv(m[np.ix_(below, below)])[below.index(k), below.index(k)]
        armature = tree.sample(state.rows, state.u, state.tau, state.ud)[tree.rows.rows[rate.row].armature]
        assert 0 < least[k] <= (left - armature) * (1 + 1e-9)
        if hanging[rate.row] == {rate.row}:
            assert np.isclose(least[k], left - armature, rtol=1e-8)


def tentacle(count: int, *, parameters: bool = False) -> eomc.Model:
    """Return slender links in a row, hinged along and across them in turn."""
    links, joints, given_ = [Link(name="ground")], [], {}
    for k in range(count):
        m, twist, bend = 0.1, 4e-5, 0.01
        if parameters:
            symbols = sympy.symbols(f"m{k} J{k} I{k}")
            given_ |= zip(symbols, (m, twist, bend), strict=True)
            m, twist, bend = symbols
        inertia = ((twist, 0, 0), (0, bend, 0), (0, 0, bend))
        links.append(Link(name=f"l{k}", mass=m, centre=(0.1, 0, 0), inertia=inertia))
        joints.append(
            Joint(
                name=f"j{k}",
                kind="revolute",
                parent=links[k].name,
                child=f"l{k}",
                axis=(1, 0, 0) if k % 2 else (0, 0, 1),
                offset=(0.2, 0, 0) if k else (0, 0, 0),
                coordinates=(dynamicsymbols(f"q{k}"),),
                speeds=(dynamicsymbols(f"u{k}"),),
            )
        )
    return eomc.from_tree(JointTree(links, joints, gravity=(0, -9.81, 0)), name="tentacle", parameters=given_)


@pytest.mark.needs_cc
@pytest.mark.parametrize("parameters", [False, True], ids=["numbers", "parameters"])
def test_a_small_link_of_a_long_row_is_no_rounding(parameters: bool) -> None:
    """In float a tentacle moves as in double, straight and bent; its whole inertia is 1e7 times that of a twist."""
    model = tentacle(60, parameters=parameters)
    single, double = (eomc.compile(model, functions=["rhs"], real=real).load() for real in ("float", "double"))
    rng, n = np.random.default_rng(5), len(model.coordinates)
    states = np.hstack([rng.uniform(-1, 1, (20, n)), rng.uniform(-0.1, 0.1, (20, n))]).astype(np.float32)
    states[0] = 0
    found, expected = single.rhs(0.0, states), double.rhs(0.0, states.astype(float))
    assert np.all(abs(found - expected).max(axis=1) <= 2e-3 * abs(expected).max(axis=1))


@pytest.mark.needs_cc
@pytest.mark.parametrize("real", ["float", "double"])
def test_what_nothing_moves_stays_refused(real: str) -> None:
    """A point above a universal joint whose cross has no mass: where it is upright, nothing resists the first hinge."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    height = sympy.Symbol("h")
    links = [Link(name="ground"), Link(name="fork"), Link(name="bob", mass=1.0, centre=(0, 0, height))]
    joints = [
        Joint(
            name="yaw", kind="revolute", parent="ground", child="fork", axis=(0, 0, 1), coordinates=q[:1], speeds=u[:1]
        ),
        Joint(
            name="pitch", kind="revolute", parent="fork", child="bob", axis=(0, 1, 0), coordinates=q[1:], speeds=u[1:]
        ),
    ]
    model = eomc.from_tree(JointTree(links, joints), name="gimbal", parameters={height: 1.0})
    sim = eomc.compile(model, functions=["rhs"], real=real).load()
    assert np.all(np.isfinite(sim.rhs(0.0, [0, 0.5, 1, 1])))
    with pytest.raises(SingularSystemError, match="yaw"):
        sim.rhs(0.0, [0, 0, 1, 1])
