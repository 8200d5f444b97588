"""The emitted C of the 69 robots against Pinocchio: the same file, the same states, nothing snapped or damped.

Differences are judged beside natural sizes, which Pinocchio's numbers alone make. With d = sqrt(diag M), speeds d u,
forces f/d and the entries M_ij/(d_i d_j) are without units and comparable: entries of M count beside one, forces beside
the largest of what they are made of (weights, the rest of the bias, inertia forces), accelerations beside the largest,
derivatives beside the largest of their column and of the accelerations, Jacobians beside the robot's reach.

Pinocchio comes with the stage `robots` of `.ci/run`, whole.
"""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from beside_pinocchio import Pair, State, Theirs

from eomc.errors import ModelError

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_PINOCCHIO" not in os.environ, reason="of the stage robots: it installs 900 MB")
FILES = sorted(ROBOTS.rglob("*.urdf"))
SMALL = sorted((Path(__file__).resolve().parents[1] / "data" / "urdf").glob("*.urdf"))
OTHERWISE = {
    "limits": "Pinocchio wants limits",
    "vehicles": "Pinocchio turns the axes in which a planar joint slides with it",
}
ILL_CONDITIONED = {"icub"}
"""Robots at whose states M without units has a condition beyond 1e6: u' is judged by the forces that it takes."""

INDEFINITE: set[str] = set()
"""Robots whose M is not positive definite at some state; nothing is asked of their accelerations."""

STATES = 100
BOUND = 1e-9
CONDITION = 1e6


@dataclass(frozen=True)
class Robot:
    """A robot that both have read, with random states and what Pinocchio says there."""

    name: str
    pair: Pair
    states: list[State]
    theirs: list[Theirs]

    @property
    def rows(self) -> Any:
        """Our states (k, nx)."""
        return np.array([state.own for state in self.states])

    @property
    def inputs(self) -> Any:
        """Our inputs (k, nr)."""
        return np.array([self.pair.torques_of(state) for state in self.states])


@pytest.fixture(scope="module")
def pinocchio() -> Any:
    """Pinocchio from the folder of the stage, behind what eomc itself imports, such as NumPy."""
    (place,) = ROBOTS.parents[2].glob("lib/python3*/site-packages")
    sys.path.append(str(place))
    import pinocchio

    return pinocchio


CASES = [
    pytest.param((path, base), id=f"{path.stem}-{base}", marks=pytest.mark.xdist_group(f"{path.stem}-{base}"))
    for path in (*FILES, *SMALL)
    for base in ("fixed", "quaternion")
]
"""All tests of a robot go to the worker that has read it."""


@pytest.fixture(scope="module", params=CASES)
def robot(request: pytest.FixtureRequest, pinocchio: Any, tmp_path_factory: pytest.TempPathFactory) -> Robot:
    """Every robot with both bases, once for all tests of it; those that are refused, or that Pinocchio refuses, go."""
    gc.collect()  # the robot before: a graph is few objects with much memory, which Python would keep for long
    path, base = request.param
    if path in SMALL and path.stem in OTHERWISE:
        pytest.skip(OTHERWISE[path.stem])
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CFLAGS", "-O0")  # -O2 takes 12 times as long, and is what the reference is compared with
            pair = Pair(pinocchio, path, base, tmp_path_factory.mktemp("robots"))
    except ModelError as error:
        pytest.skip(f"refused: {error}")
    states = pair.states(STATES)
    return Robot(path.stem, pair, states, [pair.theirs(state) for state in states])


def agree(found: Any, expected: Any, allowed: Any) -> None:
    """Ask that arrays differ by no more than a billionth of what is allowed, entry by entry."""
    difference = np.abs(np.asarray(found) - expected)
    beside = difference / np.maximum(np.broadcast_to(allowed, difference.shape), np.finfo(float).tiny)
    worst = float(np.max(beside, initial=0.0))  # NaN stays
    assert worst <= BOUND


def largest(values: Any) -> Any:
    """Return the largest magnitude of each column."""
    return np.max(np.abs(values), axis=0)


def force_size(at: Theirs, rates: Any) -> Any:
    """Return the sizes (n,) of the forces that a motion takes: the largest of its parts, without units, times d."""
    parts = (at.gravity, at.bias - at.gravity, at.matrix @ rates, np.abs(at.matrix) @ np.abs(rates))
    return at.sizes * max(largest(part / at.sizes) for part in parts)


def test_the_lists_are_true(robot: Robot) -> None:
    """M without units is positive definite, and its condition below a million, but for the robots that are named."""
    theirs = robot.theirs
    roots = np.array([np.linalg.eigvalsh(at.scaled) if np.all(np.diag(at.matrix) > 0) else [-1, 1] for at in theirs])
    definite = bool(np.all(roots[:, 0] > 0))
    assert definite == (robot.name not in INDEFINITE)
    worst = np.max(roots[:, -1] / roots[:, 0])
    assert (definite and worst > CONDITION) == (robot.name in ILL_CONDITIONED), worst


def test_masses_and_forces(robot: Robot) -> None:
    """M, the bias and the forces for given accelerations agree."""
    pair, states, theirs = robot.pair, robot.states, robot.theirs
    x, rates = robot.rows, np.array([state.rates for state in states])
    nothing = np.zeros((len(x), len(pair.simulator.input_names)))
    matrices = pair.simulator.mass_matrix(0.0, x)
    biases = -pair.simulator.forcing(0.0, x, nothing)
    inverse = np.stack(list(pair.simulator.inverse_dynamics(0.0, x, rates, nothing).values()), axis=-1)
    for k, at in enumerate(theirs):
        agree(matrices[k], at.matrix, np.outer(at.sizes, at.sizes))
        agree(biases[k], at.bias, force_size(at, 0 * rates[k]))
        agree(inverse[k], at.inverse, force_size(at, rates[k]))


def test_accelerations(robot: Robot) -> None:
    """Accelerations agree; where M is ill-conditioned, Pinocchio's forces for ours are those that act."""
    pair, states, theirs = robot.pair, robot.states, robot.theirs
    if robot.name in INDEFINITE:
        pytest.skip("its mass matrix is indefinite")
    found = pair.simulator.rhs(0.0, robot.rows, robot.inputs)[:, -len(theirs[0].bias) :]
    for own, state, at in zip(found, states, theirs, strict=True):
        if np.linalg.cond(at.scaled) < CONDITION:
            agree(own, at.accelerations, largest(at.sizes * at.accelerations) / at.sizes)
        forces = at.matrix @ own + at.bias
        agree(forces, state.torques, force_size(at, at.accelerations))


def test_derivatives(robot: Robot) -> None:
    """Accelerations change with coordinates, speeds and torques as Pinocchio's do."""
    pair, states, theirs = robot.pair, robot.states, robot.theirs
    if robot.name in INDEFINITE | ILL_CONDITIONED:
        pytest.skip("its mass matrix is indefinite or ill-conditioned")
    n, inputs = len(theirs[0].bias), pair.columns_of_inputs()
    A, B = pair.simulator.jacobian(0.0, robot.rows, robot.inputs)
    for a, b, state, at in zip(A, B, states, theirs, strict=True):
        rows, columns = 1 / at.sizes[:, None], at.sizes[:, None]
        own = largest(at.sizes * at.accelerations)  # for a radian, a metre, a radian in a second
        agree(a[-n:, :-n] @ state.tangent, at.by_q, rows * (largest(columns * at.by_q) + own))
        agree(a[-n:, -n:], at.by_u, rows * (largest(columns * at.by_u) + own))
        expected = at.by_torques[:, pair.free :]
        agree(b[-n:, inputs], expected, rows * largest(columns * expected))


def test_jacobians_of_all_links(robot: Robot) -> None:
    """Each link's velocity and angular velocity by the speeds."""
    pair, theirs = robot.pair, robot.theirs
    for values, at in zip(pair.simulator.outputs(0.0, robot.rows, robot.inputs), theirs, strict=True):
        found = {name: np.zeros_like(expected) for name, expected in at.jacobians.items()}
        for (link, i, k), value in zip(pair.entries, values, strict=True):
            found[link][i, k] = value
        for link, expected in at.jacobians.items():
            agree(found[link][:3], expected[:3], at.reach)
            agree(found[link][3:], expected[3:], max(1.0, largest(expected[3:]).max(initial=0.0)))


def test_followers_are_those_of_pinocchio(robot: Robot) -> None:
    """Where Pinocchio takes the followers of a robot itself, its M and bias are those that G makes."""
    pair, states, theirs = robot.pair, robot.states, robot.theirs
    if not pair.followers:
        pytest.skip("nothing follows")
    own = pair.as_it_follows()
    if own is None:
        pytest.skip("Pinocchio meets a follower before its leader, or one of a follower")
    for state, at in zip(states[:10], theirs[:10], strict=True):
        matrix, bias = own(state)
        agree(matrix, at.matrix, np.outer(at.sizes, at.sizes))
        agree(bias, at.bias, force_size(at, 0 * at.bias))
