"""Motions whose places are known in closed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from eomc.model.shapes import ShapeKind
from eomc.scenery import Scene, Segment, Solid

STILL = (1.0, 0.0, 0.0, 0.0)
ARM = np.array([[x, y, z] for x in (0.0, 1.0) for y in (-0.05, 0.05) for z in (-0.05, 0.05)])
ANCHOR = np.array([0.0, 2.0, 0.0])


class Known(NamedTuple):
    """A scene, its poses, and where corners of its arm and the ends of its spring are."""

    scene: Scene
    poses: Callable[[np.ndarray], np.ndarray]
    corners: Callable[[np.ndarray], np.ndarray]  # (k, 8, 3)
    tip: Callable[[np.ndarray], np.ndarray]  # (k, 3)


def scene_of(up: tuple[float, ...] | None = (0.0, 1.0, 0.0), guessed: bool = False) -> Scene:
    """Return an arm, a disk at its tip and a spring from the ground to it."""
    arm = Solid(0, "arm", ShapeKind.BOX, (1.0, 0.1, 0.1), (0.5, 0.0, 0.0), STILL, guessed=guessed)
    disk = Solid(1, "disk", ShapeKind.CYLINDER, (0.3, 0.1), (0.0, 0.0, 0.0), STILL)
    ground = Solid(-1, "ground", ShapeKind.SPHERE, (0.1,), (0.0, 0.0, 0.0), STILL)
    spring = Segment(-1, tuple(ANCHOR.tolist()), 0, (1.0, 0.0, 0.0), "spring")
    return Scene("mill", "A mill & <its> disk", ("arm", "disk"), (arm, disk, ground), (spring,), up)


def known(turning: Callable[[np.ndarray], Rotation], guessed: bool = False) -> Known:
    """Return the motion of an arm that turns about the origin; the signs of its quaternions are SciPy's."""

    def poses(t: np.ndarray) -> np.ndarray:
        arm, disk = turning(t), Rotation.from_rotvec(np.outer(-4.0 * t, [0.0, 0.0, 1.0]))
        rows = np.zeros((len(t), 2, 7))
        rows[:, 0, 3:] = arm.as_quat(scalar_first=True)
        rows[:, 1, :3] = arm.apply([1.0, 0.0, 0.0])
        rows[:, 1, 3:] = disk.as_quat(scalar_first=True)
        return rows

    def corners(t: np.ndarray) -> np.ndarray:
        return np.einsum("kij,nj->kni", turning(t).as_matrix(), ARM)

    return Known(scene_of(guessed=guessed), poses, corners, lambda t: turning(t).apply([1.0, 0.0, 0.0]))


@pytest.fixture
def mill() -> Known:
    """All of it in the plane of x and y: several turns forth and back."""
    return known(lambda t: Rotation.from_rotvec(np.outer(5.0 * np.sin(2.0 * t) + 3.0 * t, [0.0, 0.0, 1.0])))


@pytest.fixture
def gyro() -> Known:
    """Turns about two axes."""
    return known(lambda t: Rotation.from_euler("ZXZ", np.stack([2.0 * t, np.full_like(t, 0.5), 5.0 * t], axis=1)))


@pytest.fixture
def guessed_mill() -> Known:
    """A mill whose arm is drawn by a guess."""
    return known(lambda t: Rotation.from_rotvec(np.outer(3.0 * t, [0.0, 0.0, 1.0])), guessed=True)
