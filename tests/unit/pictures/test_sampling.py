"""Key frames against motions in closed form, with SciPy's rotations between them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from eomc.errors import UsageError
from eomc.pictures import Motion, Node, sampled

RUN = (1.0, 5.0)


def between(node: Node, shares: np.ndarray) -> tuple[np.ndarray, Rotation, np.ndarray]:
    """Return places, rotations and lengths by linear interpolation and SciPy's Slerp."""
    places = np.stack([np.interp(shares, node.times, column) for column in node.offsets.T], axis=1)
    turns = Slerp(node.times, Rotation.from_quat(node.quaternions, scalar_first=True))(shares)
    return places, turns, np.interp(shares, node.times, node.lengths)


def node_of(motion: Motion, name: str) -> Node:
    """Return the node of a name."""
    (found,) = (one for one in motion.nodes if one.name == name)
    return found


@pytest.mark.parametrize("name", ["mill", "gyro"])
def test_between_key_frames_is_less_than_a_pixel(name: str, request: pytest.FixtureRequest) -> None:
    """Corners of an arm and the end of a spring, at instants that no one looked at, are near those of the motion."""
    known = request.getfixturevalue(name)
    motion = sampled(known.scene, known.poses, *RUN)
    shares = np.random.default_rng(3).uniform(0.0, 1.0, 2000)
    t = RUN[0] + shares * (RUN[1] - RUN[0])
    places, turns, _ = between(node_of(motion, "arm"), shares)
    corners = places[:, None] + np.einsum("kij,nj->kni", turns.as_matrix(), [[1.0, 0.05, 0.05], [0.0, -0.05, 0.05]])
    off = np.linalg.norm(corners - known.corners(t)[:, [7, 1]], axis=-1).max() * motion.view.scale
    assert off < 0.6
    places, turns, lengths = between(node_of(motion, "spring"), shares)
    ends = places + lengths[:, None] * turns.apply([0.0, 0.0, 1.0])
    assert np.linalg.norm(ends - known.tip(t), axis=-1).max() * motion.view.scale < 0.6
    assert motion.error < 0.6


@pytest.mark.parametrize("name", ["mill", "gyro"])
def test_key_frames_are_the_motion(name: str, request: pytest.FixtureRequest) -> None:
    """At key frames everything is where the poses put it, with unit quaternions of continuous sign."""
    known = request.getfixturevalue(name)
    motion = sampled(known.scene, known.poses, *RUN)
    for node in motion.nodes:
        assert np.abs(np.linalg.norm(node.quaternions, axis=1) - 1.0).max() < 1e-12
        assert ((node.quaternions[1:] * node.quaternions[:-1]).sum(axis=1) > 0.0).all()
        if node.moves:
            assert node.times[0] == 0.0
            assert node.times[-1] == 1.0
            assert all(float(f"{one:.5f}") == one for one in node.times)  # what decimal text says to the bit
    arm = node_of(motion, "arm")
    t = RUN[0] + arm.times * (RUN[1] - RUN[0])
    turned = Rotation.from_quat(arm.quaternions, scalar_first=True).apply([1.0, 0.05, 0.05])
    np.testing.assert_allclose(turned, known.corners(t)[:, 7], atol=1e-12)


def test_few_key_frames_where_little_happens(mill) -> None:
    """What stands has one key frame, what goes straight at one speed has two, and slower motions have fewer."""
    still = sampled(mill.scene, lambda t: mill.poses(np.zeros_like(t)), *RUN)
    assert [len(node.times) for node in still.nodes] == [1, 1, 1, 1]

    def straight(t: np.ndarray) -> np.ndarray:
        rows = mill.poses(np.zeros_like(t))
        rows[..., 0] += t[:, None]
        return rows

    moved = sampled(mill.scene, straight, *RUN)
    assert [len(node.times) for node in moved.nodes if node.name in ("arm", "disk")] == [2, 2]
    slow, fast = (len(node_of(sampled(mill.scene, mill.poses, 0.0, end), "arm").times) for end in (0.5, 5.0))
    assert slow < fast / 4


def test_a_kink_is_kept(mill) -> None:
    """Where a velocity jumps, as at an impact, a key frame is as near as a pixel asks."""

    def bounced(t: np.ndarray) -> np.ndarray:
        rows = mill.poses(np.zeros_like(t))
        rows[..., 1] += 9.0 * np.abs(t - 2.0303)[:, None]
        return rows

    motion = sampled(mill.scene, bounced, *RUN)
    arm = node_of(motion, "arm")
    shares = np.linspace(0.0, 1.0, 4001)
    off = np.interp(shares, arm.times, arm.offsets[:, 1]) - 9.0 * np.abs(RUN[0] + 4.0 * shares - 2.0303)
    assert np.abs(off).max() * motion.view.scale < 0.6
    assert len(arm.times) < 12


def test_planes_are_told_from_space(mill, gyro) -> None:
    """A motion is planar where it has one normal, whatever plane it is, and not where a part leaves the plane."""
    tilt = Rotation.from_rotvec([0.3, -1.1, 0.4])

    def tilted(t: np.ndarray) -> np.ndarray:
        rows = mill.poses(t)
        rows[..., :3] = tilt.apply(rows[..., :3].reshape(-1, 3)).reshape(-1, 2, 3)
        turns = tilt * Rotation.from_quat(rows[..., 3:].reshape(-1, 4), scalar_first=True)
        rows[..., 3:] = turns.as_quat(scalar_first=True).reshape(-1, 2, 4)
        return rows

    def lifted(t: np.ndarray) -> np.ndarray:
        rows = mill.poses(t)
        rows[:, 1, 2] += 0.01 * t
        return rows

    view = sampled(mill.scene, mill.poses, *RUN).view
    assert view.planar
    np.testing.assert_allclose(view.axes, np.eye(3), atol=1e-9)  # x to the right, gravity downwards
    assert not sampled(gyro.scene, gyro.poses, *RUN).view.planar
    assert not sampled(mill.scene, lifted, *RUN).view.planar
    scene = mill.scene
    bodies = type(scene)(scene.name, "", scene.rows, scene.solids[:2], (), None)
    turned = sampled(bodies, tilted, *RUN).view
    assert turned.planar
    assert abs(abs(turned.normal @ tilt.apply([0.0, 0.0, 1.0])) - 1.0) < 1e-9


def test_what_cannot_be_drawn_is_told(mill) -> None:
    """Nothing to see, poses that are no numbers, and a motion that no number of frames shows."""
    empty = type(mill.scene)("nothing", "", (), (), (), None)
    with pytest.raises(UsageError, match="nothing: there is nothing to draw"):
        sampled(empty, mill.poses, *RUN)
    bare = type(mill.scene)("bare", "", ("bead", "eye"), (), (), None)  # points that wear nothing
    with pytest.raises(UsageError, match=r"give shapes=\{'bead': ...\} to what has poses \('bead', 'eye'\), or lines="):
        sampled(bare, mill.poses, *RUN)
    with pytest.raises(UsageError, match="not finite"):
        sampled(mill.scene, lambda t: np.full((len(t), 2, 7), np.nan), *RUN)
    with pytest.raises(UsageError, match="take a shorter run"):
        sampled(mill.scene, mill.poses, 0.0, 1e5)


def test_a_run_of_no_length_is_a_still(mill) -> None:
    """Begin and end may be one time."""
    motion = sampled(mill.scene, mill.poses, 2.0, 2.0)
    assert not any(node.moves for node in motion.nodes)
