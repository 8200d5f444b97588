"""Starts of quaternions: an orientation, whatever length the four numbers have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import ModelError
from eomc.trees import Closure, Joint, JointTree, Link

place, e = dynamicsymbols("x y z"), dynamicsymbols("e0:4")
speeds = dynamicsymbols("v1:4 w1:4")


def body(initial: Any, closures: Sequence[Closure] = (), **more: Any) -> eomc.Model:
    """Return a free body with a quaternion."""
    links = [Link(name="ground"), Link(name="body", mass=2.0, centre=(0.1, 0, 0.2), inertia=np.diag([0.3, 0.4, 0.5]))]
    free = Joint(name="base", kind="free", parent="ground", child="body", coordinates=[*place, *e], speeds=speeds)
    tree = JointTree(links, [free], gravity=(0, 0, -9.81), closures=closures)
    return eomc.from_tree(tree, name="body", initial=initial, **more)


@given(st.lists(st.floats(-3, 3, allow_subnormal=False), min_size=4, max_size=4))
def test_a_start_is_brought_to_length_one(four: list[float]) -> None:
    """Four numbers mean the orientation in their direction; the program starts there, and so does a state by name."""
    length = np.linalg.norm(four)
    if length < 1e-100:
        return
    build = eomc.compile(body(dict(zip(e, four, strict=True))), functions=[])
    expected = np.array(four) / length
    np.testing.assert_allclose([state.value for state in build.program.states[3:7]], expected, atol=1e-15)
    np.testing.assert_allclose(build.initial_state()[3:7], expected, atol=1e-15)


def test_one_component_turns_the_identity() -> None:
    """A component that is given alone stands beside those of the model, and what is of length one keeps its bits."""
    build = eomc.compile(body({}), functions=[])
    np.testing.assert_allclose(build.initial_state({"e1": 0.75})[3:7], [0.8, 0.6, 0, 0], atol=1e-15)
    half = np.sqrt(0.5)
    assert build.initial_state({"e0": half, "e2": half})[3:7] == [half, 0.0, half, 0.0]


def test_a_zero_quaternion_is_refused() -> None:
    """It is no orientation, and nothing near it is."""
    told = r"body: the quaternion of joint 'base' is zero at the start, which is no orientation: give e0=1, or four"
    with pytest.raises(ModelError, match=told):
        eomc.compile(body({e[0]: 0.0}))


def test_a_start_on_a_closed_loop_is_of_length_one_too() -> None:
    """The body hangs on a point of the ground, and is turned by what was given."""
    hung = Closure(name="hook", kind="point", first="ground", second="body", at_second=(0, 0, 0.5))
    build = eomc.compile(body({e[0]: 2.0, e[1]: 2.0}, closures=[hung]), functions=[])
    start = np.array(build.initial_state())
    assert np.linalg.norm(start[3:7]) == pytest.approx(1.0, abs=1e-12)
    w, x, y, z = start[3:7]
    third = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
    np.testing.assert_allclose(start[:3] + 0.5 * np.array(third), 0, atol=1e-9)


@pytest.mark.parametrize("bounds", [[(2, 3)] * 4, [(0, 0.1)] * 4, [(-0.3, 0.3)] * 4, [(0.9, 1), (0.8, 1)]])
def test_ranges_without_a_quaternion_are_refused(bounds: list[tuple[float, float]]) -> None:
    """Random states are orientations: ranges must hold one."""
    told = re.escape("ranges of e0, e1, e2, e3 hold no quaternion of length one, as the orientation of joint 'base' is")
    with pytest.raises(ModelError, match=told):
        body({}, ranges=dict(zip(e, bounds, strict=False)))
    assert body({}, ranges={e[0]: (0.9, 1), e[1]: (-0.1, 0.3)}).ranges
