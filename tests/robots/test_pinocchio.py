"""Forward dynamics of the 69 robots against Pinocchio's: the same file, the same states, nothing snapped or damped.

Pinocchio comes with the stage `robots` of `.ci/run`, whole; the trees are read by eomc and written as bodies.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.errors import ModelError
from eomc.model.names import name_of
from eomc.trees import Joint, JointKind

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_PINOCCHIO" not in os.environ, reason="of the stage robots: it installs 900 MB")
FILES = sorted(ROBOTS.rglob("*.urdf"))
SMALL = sorted((Path(__file__).resolve().parents[1] / "data" / "urdf").glob("*.urdf"))
OTHERWISE = {
    "limits": "Pinocchio wants limits",
    "gripper": "Pinocchio has no followers of followers",
    "satellite": "Pinocchio wants a robot to have a name",
    "vehicles": "Pinocchio slides a planar joint along its own axes by velocities in the moving frame",
    "inertias": "the reference does not solve for a mass matrix that is indefinite",
}


@pytest.fixture(scope="module")
def pinocchio() -> Any:
    """Pinocchio from the folder of the stage, behind what eomc itself imports, such as NumPy."""
    (place,) = ROBOTS.parents[2].glob("lib/python3*/site-packages")
    sys.path.append(str(place))
    import pinocchio

    return pinocchio


def free_flyer_last(values: list[float]) -> list[float]:
    """Return position and quaternion (x, y, z, w), as Pinocchio has them, from ours with w first."""
    return [*values[:3], *values[4:], values[3]]


class Pair:
    """A robot, as eomc and as Pinocchio read it."""

    def __init__(self, pinocchio: Any, path: Path, base: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model = eomc.from_urdf(path, base=base, damping=False, snap=False)
        self.reference = eomc.reference(self.model.as_bodies())
        joints = self.model.dynamics.joints
        root = () if base == "fixed" else (pinocchio.JointModelFreeFlyer(),)
        # A fixed joint that follows another stops Pinocchio where it is asked for followers.
        follows = any(joint.mimic is not None for joint in joints)
        self.other = pinocchio.buildModelFromUrdf(str(path), *root, mimic=follows)
        self.pinocchio, self.data = pinocchio, self.other.createData()
        self.joints: list[Joint] = [joint for joint in joints if joint.coordinates]

    def difference(self, generator: np.random.Generator) -> float:
        """Return the largest difference of accelerations at a random state, beside the largest of them."""
        q, v, tau = self.pinocchio.neutral(self.other), np.zeros(self.other.nv), np.zeros(self.other.nv)
        state, inputs = {}, {}
        places = []
        for joint in self.joints:
            free = joint.kind is JointKind.FREE
            place = self.other.joints[self.other.getJointId("root_joint" if free else joint.name)]
            values, rates = (
                generator.uniform(-1, 1, len(joint.coordinates)),
                generator.uniform(-1, 1, len(joint.speeds)),
            )
            if free:
                values[3:] /= np.linalg.norm(values[3:])
                q[place.idx_q : place.idx_q + 7] = free_flyer_last(list(values))
            else:
                turns = place.nq == 2
                q[place.idx_q : place.idx_q + place.nq] = [np.cos(values[0]), np.sin(values[0])] if turns else values
                torque = generator.uniform(-1, 1)
                tau[place.idx_v] = inputs[f"tau_{name_of(joint.coordinates[0])}"] = torque
            v[place.idx_v : place.idx_v + place.nv] = rates
            state.update(zip(map(name_of, joint.coordinates), values, strict=True))
            state.update(zip(map(name_of, joint.speeds), rates, strict=True))
            places += range(place.idx_v, place.idx_v + place.nv)
        bias = self.pinocchio.nonLinearEffects(self.other, self.data, q, v)
        upper = np.triu(self.pinocchio.crba(self.other, self.data, q))
        expected = np.linalg.solve(upper + np.triu(upper, 1).T, tau - bias)[places]
        names = self.reference.state_names
        rates = self.reference.rhs(
            0.0, [state[name] for name in names], [inputs[name] for name in self.reference.input_names]
        )
        found = dict(zip(names, rates, strict=True))
        own = [found[name_of(speed)] for joint in self.joints for speed in joint.speeds]
        return float(np.abs(own - expected).max() / np.abs(expected).max())


@pytest.mark.parametrize("base", ["fixed", "quaternion"])
@pytest.mark.parametrize("path", [*FILES, *SMALL], ids=lambda path: path.stem)
def test_accelerations_are_those_of_pinocchio(pinocchio: Any, path: Path, base: str) -> None:
    """At random states and torques the accelerations of both agree to 1e-9, where the robot is read at all."""
    if path in SMALL and path.stem in OTHERWISE:
        pytest.skip(OTHERWISE[path.stem])
    try:
        pair = Pair(pinocchio, path, base)
    except ModelError as error:
        pytest.skip(f"refused: {error}")
    generator = np.random.default_rng(1)
    assert max(pair.difference(generator) for _ in range(3)) < 1e-9
