"""Trees whose links are no bodies: the mass matrix is indefinite at some states, which a status tells at run time.

A double pendulum of a rod without mass and a bob whose moment of inertia about its centre is negative. With D = m l^2,
B = m l c and C = I + m c^2 > 0 the pivot of the upper hinge is D - B^2 cos(q2)^2/C.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import SingularSystemError
from eomc.trees import Joint, JointTree, Link

pytestmark = pytest.mark.needs_cc

LENGTH, CENTRE, OWN = 1.0, 0.5, -0.125
D, B, C = LENGTH**2, LENGTH * CENTRE, OWN + CENTRE**2  # the pivot is positive where cos(q2)^2 < 1/2
GRAVITY = 9.81


def pendulum() -> eomc.Model:
    (q1, q2), (u1, u2) = dynamicsymbols("q1 q2"), dynamicsymbols("u1 u2")
    impossible = ((0.1, 0, 0), (0, OWN, 0), (0, 0, 0.1))
    links = [
        Link(name="ground"),
        Link(name="rod"),
        Link(name="bob", mass=1.0, centre=(0, 0, -CENTRE), inertia=impossible),
    ]
    hinge = {"kind": "revolute", "axis": (0, 1, 0)}
    joints = [
        Joint(name="upper", parent="ground", child="rod", coordinates=[q1], speeds=[u1], **hinge),
        Joint(name="lower", parent="rod", child="bob", offset=(0, 0, -LENGTH), coordinates=[q2], speeds=[u2], **hinge),
    ]
    tree = JointTree(links, joints, gravity=(0, 0, -GRAVITY))
    with pytest.warns(UserWarning, match="two: link 'bob': a principal moment of inertia is negative"):
        return eomc.from_tree(tree, name="two", initial={q2: np.pi / 2})


def accelerations(x: np.ndarray) -> np.ndarray:
    """Return u' by Lagrange's equations of two hinges in a plane."""
    q1, q2, u1, u2 = x
    c, s = B * np.cos(q2), B * np.sin(q2)
    mass = np.array([[D + C + 2 * c, C + c], [C + c, C]])
    lower = CENTRE * GRAVITY * np.sin(q1 + q2)
    weight = np.array([LENGTH * GRAVITY * np.sin(q1) + lower, lower])
    return np.linalg.solve(mass, s * np.array([u2 * (2 * u1 + u2), -(u1**2)]) - weight)


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("algorithm", ["composite", "articulated"])
def test_a_state_is_refused_where_and_only_where_the_matrix_is_indefinite(algorithm: str, real: str) -> None:
    """Else the accelerations are those that the matrix gives."""
    sim = eomc.compile(pendulum(), functions=["rhs"], algorithm=algorithm, real=real).load()
    states = np.random.default_rng(2).uniform(-3, 3, (200, 4)).astype(np.float32).astype(float)
    left = D - B**2 * np.cos(states[:, 1]) ** 2 / C
    states = states[abs(left) > 1e-3]
    possible = left[abs(left) > 1e-3] > 0
    assert 0 < possible.sum() < len(states)
    with pytest.warns(RuntimeWarning, match="upper"):
        found = sim.rhs(0.0, states)
    assert np.array_equal(np.isfinite(found).all(axis=1), possible)
    expected = np.array([accelerations(x) for x in states[possible]])
    errors = abs(found[possible, 2:] - expected).max(axis=1) / abs(expected).max(axis=1)
    assert errors.max() < (1e-11 if real == "double" else 2e-3)
    with pytest.raises(SingularSystemError, match="upper"):
        sim.rhs(0.0, states[~possible][0])


CHECK = r"""
#include "two.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    two_real x[TWO_NX] = {(two_real)0.1, (two_real)0.2, (two_real)0.3, (two_real)0.4}, kept[TWO_NX];
    two_real dx[TWO_NX] = {1, 2, 3, 4}, before[TWO_NX];
    two_constants c;
    two_work work;

    memcpy(kept, x, sizeof x);
    memcpy(before, dx, sizeof dx);
    if (two_prepare(&two_default_parameters, &c) != TWO_OK) {
        return 1;
    }
    if (two_rhs(0, x, &two_default_inputs, &c, &work, dx) != TWO_SINGULAR || memcmp(dx, before, sizeof dx) != 0) {
        return 2;
    }
    printf("%s ", two_check_names[work.failed]);
    work.failed = -1;
    if (two_rk4_step_held(0, (two_real)0.01, &two_default_inputs, &c, &work, x) != TWO_SINGULAR) {
        return 3;
    }
    printf("%s", two_check_names[work.failed]);
    return memcmp(x, kept, sizeof x) == 0 ? 0 : 4;
}
"""


@pytest.mark.parametrize("algorithm", ["composite", "articulated"])
def test_in_c_nothing_is_written(tmp_path: Path, algorithm: str) -> None:
    """The status and the name of the hinge tell of it; derivative and state stay what they were."""
    eomc.compile(pendulum(), algorithm=algorithm).write(tmp_path, library=True)
    (tmp_path / "check.c").write_text(CHECK, encoding="utf-8")
    subprocess.run(["gcc", "-std=c99", "check.c", "two.c", "-lm", "-o", "check"], cwd=tmp_path, check=True)
    done = subprocess.run(["./check"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "upper upper")
