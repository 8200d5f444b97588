"""The emitted C of the 69 robots against Pinocchio: the same file, the same states, nothing snapped or damped.

Pinocchio comes with the stage `robots` of `.ci/run`, whole.
"""

from __future__ import annotations

import functools
import os
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.errors import ModelError
from eomc.model.names import name_of
from eomc.trees import Joint, JointKind, JointTree

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_PINOCCHIO" not in os.environ, reason="of the stage robots: it installs 900 MB")
FILES = sorted(ROBOTS.rglob("*.urdf"))
SMALL = sorted((Path(__file__).resolve().parents[1] / "data" / "urdf").glob("*.urdf"))
OTHERWISE = {
    "limits": "Pinocchio wants limits",
    "gripper": "Pinocchio has no followers of followers",
    "satellite": "Pinocchio wants a robot to have a name",
    "vehicles": "Pinocchio turns the axes in which a planar joint slides with it",
    "inertias": "its mass matrix is indefinite",
}
STATES = 100
BOUND = 1e-9


@pytest.fixture(scope="module")
def pinocchio() -> Any:
    """Pinocchio from the folder of the stage, behind what eomc itself imports, such as NumPy."""
    (place,) = ROBOTS.parents[2].glob("lib/python3*/site-packages")
    sys.path.append(str(place))
    import pinocchio

    return pinocchio


@pytest.fixture(scope="module")
def pair_of(pinocchio: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str], Pair]:
    """Return a function that reads a robot twice, once for all tests of it that follow each other."""
    folder = tmp_path_factory.mktemp("robots")

    @functools.lru_cache(maxsize=1)
    def made(path: Path, base: str) -> Pair:
        if path in SMALL and path.stem in OTHERWISE:
            pytest.skip(OTHERWISE[path.stem])
        try:
            return Pair(pinocchio, path, base, folder)
        except ModelError as error:
            pytest.skip(f"refused: {error}")

    return made


class Pair:
    """A robot as eomc and as Pinocchio have it, and random states in the letters of both."""

    def __init__(self, pinocchio: Any, path: Path, base: str, folder: Path) -> None:
        model = self._read(path, base)
        follows = any(joint.mimic is not None for joint in model.dynamics.joints)
        try:
            self._read_other(pinocchio, path, base, follows)
        except ValueError:  # it meets a follower before its leader: both are read without followers
            free = folder / f"{path.stem}.urdf"
            free.write_text(re.sub(r"<mimic [^>]*/>", "", path.read_text(encoding="utf-8")), encoding="utf-8")
            model, follows = self._read(free, base), False
            self._read_other(pinocchio, free, base, follows)
        self.pinocchio, self.follows, self.tree = pinocchio, follows, model.dynamics
        self.simulator = eomc.compile(model, functions="usual,jacobian,inverse_dynamics").load()
        self._draw()

    def _read(self, path: Path, base: str) -> eomc.Model:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eomc.from_urdf(path, base=base, damping=False, snap=False, build=self._outputs)

    def _outputs(self, tree: JointTree) -> dict[str, Any]:
        """Return the Jacobian of the link that hangs on most joints that move, as outputs."""

        def moved(link: str) -> int:
            return sum(tree.joints[number].kind is not JointKind.FIXED for number in tree.joints_to(link))

        self.tip = max((link.name for link in tree.links), key=moved)
        jacobian = tree.jacobian(self.tip)
        self.rows = [(i, k) for i in range(6) for k in range(jacobian.shape[1]) if jacobian[i, k] != 0]
        return {"outputs": {f"J_{i}_{k}": jacobian[i, k] for i, k in self.rows}}

    def _read_other(self, pinocchio: Any, path: Path, base: str, follows: bool) -> None:
        root = () if base == "fixed" else (pinocchio.JointModelFreeFlyer(),)
        # A fixed joint that follows another stops Pinocchio where it is asked for followers.
        self.other = pinocchio.buildModelFromUrdf(str(path), *root, mimic=follows)
        self.data = self.other.createData()

    def _place(self, joint: Joint) -> Any:
        name = "root_joint" if joint.kind is JointKind.FREE else joint.name
        return self.other.joints[self.other.getJointId(name)]

    def _draw(self) -> None:
        """Draw states: ours as rows, theirs as pairs; `order` has the place of each of our speeds in theirs."""
        generator = np.random.default_rng(1)
        joints = [joint for joint in self.tree.joints if joint.coordinates]
        names, inputs = self.simulator.state_names, self.simulator.input_names
        self.order = np.array([self._place(joint).idx_v + k for joint in joints for k in range(len(joint.speeds))])
        self.states, self.torques, self.theirs = [], [], []
        for _ in range(STATES):
            q, v, tau = self.pinocchio.neutral(self.other), np.zeros(self.other.nv), np.zeros(self.other.nv)
            state: dict[str, float] = {}
            forces: dict[str, float] = {}
            for joint in joints:
                place = self._place(joint)
                values, rates = generator.uniform(-1, 1, len(joint.coordinates)), generator.uniform(-1, 1, place.nv)
                if joint.kind is JointKind.FREE:
                    values[3:] /= np.linalg.norm(values[3:])
                    q[place.idx_q : place.idx_q + 7] = [*values[:3], *values[4:], values[3]]  # their w comes last
                else:
                    angle = [np.cos(values[0]), np.sin(values[0])] if place.nq == 2 else values
                    q[place.idx_q : place.idx_q + place.nq] = angle
                    tau[place.idx_v] = forces[f"tau_{name_of(joint.coordinates[0])}"] = generator.uniform(-1, 1)
                v[place.idx_v : place.idx_v + place.nv] = rates
                state.update(zip(map(name_of, joint.coordinates), values, strict=True))
                state.update(zip(map(name_of, joint.speeds), rates, strict=True))
            self.states.append([state[name] for name in names])
            self.torques.append([forces[name] for name in inputs])
            self.theirs.append((q, v, tau))

    def mass_matrix(self, q: Any) -> Any:
        upper = np.triu(self.pinocchio.crba(self.other, self.data, q))
        return upper + np.triu(upper, 1).T

    def accelerations(self, q: Any, v: Any, tau: Any) -> Any:
        bias = self.pinocchio.nonLinearEffects(self.other, self.data, q, v)
        return np.linalg.solve(self.mass_matrix(q), tau - bias)


def robots(test: Callable[..., None]) -> Callable[..., None]:
    """Ask a test of every robot with both bases."""
    cases = [(path, base) for path in (*FILES, *SMALL) for base in ("fixed", "quaternion")]
    return pytest.mark.parametrize(("path", "base"), cases, ids=[f"{path.stem}-{base}" for path, base in cases])(test)


def agree(found: Any, expected: Any, bound: float = BOUND) -> None:
    """Ask that arrays differ by less than `bound` beside one and the largest entry of what is expected."""
    for one, other in zip(found, expected, strict=True):
        assert np.all(np.abs(one - other) <= bound * (1 + np.abs(other).max(initial=0.0)))


@robots
def test_robots_are_those_of_pinocchio(pair_of: Callable[[Path, str], Pair], path: Path, base: str) -> None:
    """M, bias, u', a link's Jacobian and the derivatives of u' agree at random states."""
    pair = pair_of(path, base)
    pin, other, data, sim, order = pair.pinocchio, pair.other, pair.data, pair.simulator, pair.order
    x, r = np.array(pair.states), np.array(pair.torques)
    n, zeros = len(order), np.zeros_like(r)
    grid = np.ix_(order, order)
    agree(sim.mass_matrix(0.0, x), [pair.mass_matrix(q)[grid] for q, _, _ in pair.theirs])
    bias = [pin.nonLinearEffects(other, data, q, v)[order] for q, v, _ in pair.theirs]
    agree(-sim.forcing(0.0, x, zeros), bias)
    accelerations = [pair.accelerations(*one)[order] for one in pair.theirs]
    if path.stem not in ILL:
        agree(sim.rhs(0.0, x, r)[:, -n:], accelerations)
    outputs = sim.outputs(0.0, x, r)
    frame = other.getFrameId(pair.tip, pin.FrameType.BODY)
    jacobians = []
    for q, _, _ in pair.theirs:
        pin.computeJointJacobians(other, data, q)
        pin.updateFramePlacements(other, data)
        found = pin.getFrameJacobian(other, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        jacobians.append(found.reshape(6, -1)[:, order])  # of one joint it has one dimension
    agree(outputs, [[jacobian[i, k] for i, k in pair.rows] for jacobian in jacobians])
    if pair.follows or path.stem in ILL:  # Pinocchio has no derivatives of followers
        return
    A, B = sim.jacobian(0.0, x, r)
    single = [one for one in pair.tree.joints if one.coordinates and one.kind is not JointKind.FREE]
    torques = [
        sim.input_names.index(f"tau_{name_of(one.coordinates[0])}") for one in single
    ]  # those of the file's order
    free = 6 if base != "fixed" else 0  # along the base's own coordinates they differ by what is a small turn
    for a, b, (q, v, tau) in zip(A, B, pair.theirs, strict=True):
        by_q, by_v, inverse = pin.computeABADerivatives(other, data, q, v, tau)
        by_q, by_v, by_tau = by_q[grid], by_v[grid], (np.triu(inverse) + np.triu(inverse, 1).T)[grid]
        own = a[-n:, : a.shape[0] - n]
        agree([own[:, own.shape[1] - (n - free) :]], [by_q[:, free:]])
        agree([a[-n:, -n:]], [by_v])
        agree([b[-n:, torques]], [by_tau[:, free:]])


ILL = {"icub": "M has a condition of 1e7: solutions differ by 1e-11 and more"}
