"""A free tree of links that tumbles: quaternion and momenta over ten seconds, by definitions of text-books in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.trees import Joint, JointTree, Link

pytestmark = pytest.mark.needs_cc

HULL = ((0.9, 0.05, -0.04), (0.05, 0.5, 0.03), (-0.04, 0.03, 0.7))
ROD = ((0.08, 0.01, 0), (0.01, 0.02, -0.004), (0, -0.004, 0.07))
LINKS = (
    Link(name="ground"),
    Link(name="hull", mass=3.0, centre=(0.1, -0.05, 0.2), inertia=HULL),
    Link(name="boom", mass=1.0, centre=(0.4, 0.02, 0), inertia=ROD),
    Link(name="tip", mass=0.5, centre=(0, 0.1, 0.2), inertia=ROD),
    Link(name="wheel", mass=0.7, centre=(0.01, 0, 0), inertia=ROD),
)
ANGLES = [0.4, 0.1, -0.3]
RATES = [0.3, -0.2, 0.5, 1.5, 2.0, -1.1, 0.8, -0.05, 6.0]


def joints() -> list[Joint]:
    """A hull in space with a boom, on which a tip slides, and a wheel."""
    q, u = dynamicsymbols("q:10"), dynamicsymbols("u:9")

    def joint(name: str, kind: str, parent: str, child: str, k: int, **more: Any) -> Joint:
        own = {"coordinates": q[k : k + 1], "speeds": u[k - 1 : k]}
        return Joint(name=name, kind=kind, parent=parent, child=child, **{**own, **more})

    return [
        joint("free", "free", "ground", "hull", 0, coordinates=q[:7], speeds=u[:6]),
        joint("shoulder", "revolute", "hull", "boom", 7, axis=(0, 0.6, 0.8), offset=(0.3, 0, 0.1)),
        joint("slide", "prismatic", "boom", "tip", 8, axis=(1, 0, 0), offset=(0.5, 0, 0)),
        joint("axle", "revolute", "hull", "wheel", 9, axis=(0, 0, 1), offset=(-0.2, 0.1, 0)),
    ]


def turned(quaternion: np.ndarray) -> np.ndarray:
    """Return the rotations of quaternions of any length but zero, by Rodrigues' formula."""
    unit = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    cross = np.cross(np.eye(3), unit[..., None, 1:])
    return np.eye(3) + 2 * unit[..., :1, None] * cross + 2 * cross @ cross


def momenta(tree: JointTree, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the momentum and the angular momentum about the world's origin, for states as rows."""

    def outwards(R: np.ndarray, vector: Any) -> np.ndarray:
        return R @ np.asarray(vector, dtype=float)

    frames = {}
    for joint in tree.joints:
        if joint.kind.value == "free":
            R = turned(x[:, 3:7])
            v, w = (np.einsum("kij,kj->ki", R, x[:, a : a + 3]) for a in (10, 13))
            frames[joint.child] = R, x[:, :3], v, w
            continue
        k = int(str(joint.coordinates[0].func)[1:])
        q, u = x[:, k, None], x[:, 9 + k, None]
        R, p, v, w = frames[joint.parent]
        slides = joint.kind.value == "prismatic"
        arm = outwards(R, joint.offset) + (outwards(R, joint.axis) * q if slides else 0)
        p, v = p + arm, v + np.cross(w, arm) + (outwards(R, joint.axis) * u if slides else 0)
        if not slides:
            R = R @ turned(np.hstack([np.cos(q / 2), np.sin(q / 2) * np.array(joint.axis, dtype=float)]))
            w = w + outwards(R, joint.axis) * u
        frames[joint.child] = R, p, v, w
    linear, angular = np.zeros((2, len(x), 3))
    for link in LINKS[1:]:
        R, p, v, w = frames[link.name]
        centre = outwards(R, link.centre)
        one = link.mass * (v + np.cross(w, centre))
        spin = np.einsum("kij,jl,kml,km->ki", R, np.array(link.inertia), R, w)
        linear += one
        angular += np.cross(p + centre, one) + spin
    return linear, angular


@pytest.mark.parametrize(("stabilization", "norm"), [("none", 1e-9), ("projection", 1e-14)])
def test_quaternion_and_momenta_of_a_tumbling_tree(stabilization: str, norm: float) -> None:
    """No load acts, so both momenta stay in 10 s of rk4 at 1 ms, to 1e-9, as the norm does; by projection to 1e-14."""
    tree = JointTree(LINKS, joints())
    sim = eomc.compile(eomc.from_tree(tree, name="tumbling"), stabilization=stabilization).load()
    x0 = [0.5, -0.2, 0.1, 0.5, -0.5, 0.1, 0.7, *ANGLES, *RATES]
    run = sim.simulate(10.0, 1e-3, x0=x0)
    assert np.max(np.abs(run.x[-1] - run.x[0])) > 1.0  # it does tumble
    for found in momenta(tree, run.x[::10]):
        assert np.max(np.linalg.norm(found - found[0], axis=1)) < 1e-9 * np.linalg.norm(found[0])
    assert np.max(np.abs(np.linalg.norm(run.x[:, 3:7], axis=1) - 1.0)) < norm
