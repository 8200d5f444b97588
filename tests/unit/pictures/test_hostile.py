"""What pictures are given that nobody draws: nothing of it is a traceback, a broken file or another picture."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from eomc.errors import UsageError
from eomc.model.shapes import ShapeKind
from eomc.model.surfaces import Surface
from eomc.pictures import Motion, sampled
from eomc.pictures.glb import glb
from eomc.pictures.page import page
from eomc.pictures.svg import svg
from eomc.pictures.webp import still, webp
from eomc.scenery import Scene, Segment, Solid

TRIANGLE = Surface(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
STILL = (1.0, 0.0, 0.0, 0.0)


def document(data: bytes) -> dict:
    """Return the document of a .glb, in which every number is finite."""
    size = int.from_bytes(data[12:16], "little")

    def refuse(constant: str) -> float:
        raise AssertionError(constant)

    return json.loads(data[20 : 20 + size], parse_constant=refuse)


def all_formats(motion: Motion) -> None:
    """Write a motion in every format and read it back."""
    document(glb(motion, 1.0))
    ElementTree.fromstring(svg(motion, 1.0).encode())
    assert page(motion, 1.0).encode()
    with Image.open(io.BytesIO(webp(motion, 1.0, 2.0, 64))) as picture:
        assert max(picture.size) <= 70


def turning(scale: float = 1.0) -> Callable[[np.ndarray], np.ndarray]:
    """Return poses of a row that turns about z at a place."""

    def poses(t: np.ndarray) -> np.ndarray:
        turn = Rotation.from_rotvec(np.outer(t, [0.0, 0.0, 1.0])).as_quat(scalar_first=True)
        place = scale * np.stack([np.cos(t), np.sin(t), np.zeros_like(t)], axis=1)
        return np.concatenate([place, turn], axis=1)[:, None]

    return poses


@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        (ShapeKind.BOX, (0.0, 0.0, 0.0)),
        (ShapeKind.BOX, (1.0, 0.0, 0.0)),
        (ShapeKind.CYLINDER, (0.0, 0.0)),
        (ShapeKind.CYLINDER, (0.0, 1.0)),
        (ShapeKind.SPHERE, (0.0,)),
        (ShapeKind.MESH, (0.0, 0.0, 0.0)),
        (ShapeKind.MESH, (1.0, 0.0, 1.0)),
        (ShapeKind.POINT, ()),
    ],
)
@pytest.mark.parametrize("end", [0.0, 1.0])
def test_shapes_without_size_and_runs_without_length(kind: ShapeKind, sizes: tuple[float, ...], end: float) -> None:
    """Each is drawn in every format, as a point or a line, at one time or many."""
    surface = TRIANGLE if kind is ShapeKind.MESH else None
    turned = (float(np.sqrt(0.5)), float(np.sqrt(0.5)), 0.0, 0.0)
    solids = (Solid(0, "one", kind, sizes, (0.0, 0.0, 0.0), turned, surface=surface),)
    line = Segment(0, (0.0, 0.0, 0.0), 0, (0.0, 0.0, 0.0), "spring")
    all_formats(sampled(Scene("flat", "", ("one",), solids, (line,), None), turning(), 0.0, end))


def mechanism(size: float) -> Motion:
    """Return a bar before a disk, both turning, of a size; the names of its parts are hostile."""
    bar = Solid(0, "one", ShapeKind.BOX, (size, size / 5, size / 5), (0.0, 0.0, size / 2), STILL, colour="#ff0000")
    disk = Solid(0, "one", ShapeKind.CYLINDER, (size / 3, size / 10), (0.0, 0.0, 0.0), STILL, colour="#0000ff")
    rope = Segment(-1, (0.0, 0.0, 0.0), 0, (0.0, 0.0, 0.0), "rope")
    return sampled(Scene("m", "", ("one",), (bar, disk), (rope,), (0.0, 1.0, 0.0)), turning(size), 0.0, 2.0)


@pytest.mark.parametrize("size", [1e-25, 1e-9, 1e9, 1e25])
def test_a_picture_does_not_depend_on_the_unit(size: float) -> None:
    """A mechanism of a nanometre looks as one of a metre, what is in front included, and has as many key frames."""
    one, other = mechanism(1.0), mechanism(size)
    assert [len(node.times) for node in one.nodes] == [len(node.times) for node in other.nodes]
    lines = zip(svg(one, 1.0).splitlines(), svg(other, 1.0).splitlines(), strict=True)
    assert sum(a != b for a, b in lines) <= 2  # the last digit of a coordinate
    pictures = [np.asarray(still(motion, 0.3).convert("RGB"), dtype=int) for motion in (one, other)]
    assert (np.abs(pictures[0] - pictures[1]).max(axis=-1) > 30).mean() < 1e-3
    for motion, scale in ((one, 1.0), (other, size)):
        (node,) = (node for node in document(glb(motion, 1.0))["nodes"] if node.get("name") == "one")
        np.testing.assert_allclose(node["translation"], [scale, 0.0, 0.0], atol=1e-6 * scale)


@pytest.mark.parametrize("size", [1e-40, 1e40, 1e160])
def test_sizes_beyond_single_precision_are_refused(size: float) -> None:
    """Viewers calculate with floats; the message says how large it is."""
    with pytest.raises(UsageError, match=r"m: what is seen is .* m large, which no viewer shows"):
        mechanism(size)


def test_hostile_names() -> None:
    """Quotes, ampersands, brackets, ends of scripts, control characters and halves of pairs are text or blanks."""
    name = "a\"b'c&d<e>f</script>--></svg>\x00\x1b@TITLE@\ud800"
    solids = (Solid(0, name, ShapeKind.SPHERE, (0.1,), (0.0, 0.0, 0.0), STILL, guessed=True),)
    scene = Scene(name, name, (name,), solids, (), None, left_out=((name, name),), unread=((name, name),))
    motion = sampled(scene, turning(), 0.0, 1.0, name)
    all_formats(motion)
    shown = "a\"b'c&d<e>f</script>--></svg> @TITLE@"
    root = ElementTree.fromstring(svg(motion, 1.0))
    assert root.find("{http://www.w3.org/2000/svg}title").text == shown
    assert shown in {node.get("name") for node in document(glb(motion, 1.0))["nodes"]}
    text = page(motion, 1.0)
    assert text.count("</script>") == text.count("<script") == 1
    assert text.count("</svg>") == 1


@pytest.mark.parametrize("turns", [1000, 2000, 4000, 40_000, 3.0e7])
def test_whole_turns_from_instant_to_instant_are_not_rest(turns: float) -> None:
    """A wheel that turns so is drawn so, or refused, and never drawn as one that stands."""
    wheel = Solid(0, "wheel", ShapeKind.BOX, (1.0, 0.1, 0.1), (0.0, 0.0, 0.0), STILL)
    scene = Scene("mill", "", ("wheel",), (wheel,), (), None)

    def poses(t: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(t), 1, 7))
        rows[:, 0, 3], rows[:, 0, 6] = np.cos(np.pi * turns * t), np.sin(np.pi * turns * t)
        return rows

    if turns > 3000:
        with pytest.raises(UsageError, match="take a shorter run"):
            sampled(scene, poses, 0.0, 1.0)
        return
    (node,) = sampled(scene, poses, 0.0, 1.0).nodes
    angles = np.unwrap(2.0 * np.arctan2(node.quaternions[:, 3], node.quaternions[:, 0]))
    assert abs(angles[-1]) == pytest.approx(2.0 * np.pi * turns, rel=1e-6)


def test_signs_of_quaternions_do_not_matter() -> None:
    """Poses whose quaternions become their opposites, as those of a general matrix may, are the same picture."""
    flips = np.random.default_rng(1)

    def flipped(t: np.ndarray) -> np.ndarray:
        rows = turning()(t)
        rows[..., 3:] *= flips.choice([-1.0, 1.0], size=(len(t), 1, 1))
        return rows

    scene = mechanism(1.0).scene
    plain, other = sampled(scene, turning(), 0.0, 5.0), sampled(scene, flipped, 0.0, 5.0)
    for one, two in zip(plain.nodes, other.nodes, strict=True):
        assert one.times.tolist() == two.times.tolist()
        assert ((two.quaternions[1:] * two.quaternions[:-1]).sum(axis=1) >= 0.0).all()
        sign = np.sign(one.quaternions[0] @ two.quaternions[0])
        np.testing.assert_allclose(one.quaternions, sign * two.quaternions, atol=1e-15)


def test_frames_of_webp_take_the_time_of_the_run() -> None:
    """Whole milliseconds, which a rate of 60 does not have, add up to two seconds."""
    with Image.open(io.BytesIO(webp(mechanism(1.0), 1.0, 60.0, 32))) as picture:
        total = 0
        for k in range(picture.n_frames):
            picture.seek(k)
            picture.load()
            total += picture.info["duration"]
    assert total == 2000


def test_a_smaller_picture_is_the_same_smaller() -> None:
    """Half as many pixels show the same."""
    large, small = still(mechanism(1.0), 0.2), still(mechanism(1.0), 0.2, 240)
    assert max(large.size) == 480
    assert max(small.size) == 240
    apart = np.asarray(large.resize(small.size), dtype=int) - np.asarray(small, dtype=int)
    assert (np.abs(apart).max(axis=-1) > 120).mean() < 0.02
