"""SVG as a browser animates it, read back from its text by what SMIL 3.0 says, against motions in closed form."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from eomc.errors import UsageError
from eomc.pictures import Motion, sampled
from eomc.pictures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"
BEGIN, END = 1.0, 5.0


def numbers(text: str) -> list[float]:
    """Return all numbers of a text."""
    return [float(one) for one in re.findall(r"-?\d*\.?\d+", text)]


def transform(kind: str, values: list[float]) -> np.ndarray:
    """Return a transform of SVG as a matrix."""
    if kind == "translate":
        return np.array([[1.0, 0.0, values[0]], [0.0, 1.0, values[1]], [0.0, 0.0, 1.0]])
    if kind == "scale":
        return np.diag([*values, 1.0])
    c, s = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def placed(group: ElementTree.Element, share: float) -> np.ndarray:
    """Return the matrix of a group at a share of its animations, which are applied in their order."""
    matrix = np.eye(3)
    for k, one in enumerate(group.findall(f"{SVG}animateTransform")):
        assert (one.get("additive") == "sum") == (k > 0)
        values = np.array([numbers(value) for value in one.get("values").split(";")])
        times = numbers(one.get("keyTimes", "0"))
        assert len(times) == len(values)
        now = [float(np.interp(share, times, column)) for column in values.T]
        matrix = matrix @ transform(one.get("type"), now)
    return matrix


def drawn(motion: Motion, speed: float = 1.0) -> ElementTree.Element:
    """Return the root of the picture."""
    return ElementTree.fromstring(svg(motion, speed))


def pixels(motion: Motion, points: np.ndarray) -> np.ndarray:
    """Return where points are in the picture, y downwards."""
    view = motion.view
    flat = np.stack([points @ view.right - view.low[0], view.high[1] - points @ view.up], axis=-1)
    return flat * view.scale


def group_of(root: ElementTree.Element, shape: str) -> ElementTree.Element:
    """Return the moving group that holds a shape."""
    found = [one for one in root.iter(f"{SVG}g") if one.find(f"{SVG}animateTransform") is not None]
    (group,) = (one for one in found if one.find(f"{SVG}{shape}") is not None)
    return group


def test_corners_at_key_frames_and_between(mill) -> None:
    """Corners of the arm are within 0.1 pixels at key frames and within one in between."""
    motion = sampled(mill.scene, mill.poses, BEGIN, END)
    group = group_of(drawn(motion), "polygon")
    corners = np.reshape(numbers(group.find(f"{SVG}polygon").get("points")), (-1, 2))
    assert len(corners) == 4
    keys = numbers(group.find(f"{SVG}animateTransform[@type='rotate']").get("keyTimes"))
    for shares, allowed in ((keys, 0.1), (np.random.default_rng(1).uniform(0.0, 1.0, 500), 1.0)):
        truth = pixels(motion, mill.corners(BEGIN + np.array(shares) * (END - BEGIN)))
        for share, expected in zip(shares, truth, strict=True):
            found = (placed(group, share) @ np.column_stack([corners, np.ones(4)]).T)[:2].T
            apart = np.linalg.norm(found[:, None] - expected[None], axis=-1)
            assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < allowed


def test_springs_are_stretched(mill) -> None:
    """The path of a spring, from 0 to 1 along x, goes from its anchor to the tip of the arm."""
    motion = sampled(mill.scene, mill.poses, BEGIN, END)
    root = drawn(motion)
    (group,) = (one for one in root.iter(f"{SVG}g") if one.find(f"{SVG}animateTransform[@type='scale']") is not None)
    for share in np.linspace(0.0, 1.0, 101):
        tip = pixels(motion, mill.tip(np.array([BEGIN + share * (END - BEGIN)])))[0]
        ends = (placed(group, share) @ np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]).T)[:2].T
        assert np.linalg.norm(ends[1] - tip) < 1.0
        assert np.linalg.norm(ends[0] - pixels(motion, np.array([0.0, 2.0, 0.0]))) < 0.1


def test_of_people_who_do_not_see_it(guessed_mill, mill) -> None:
    """Title and description are there, hostile names are text, guessed shapes are named and dashed, others are not."""
    root = drawn(sampled(guessed_mill.scene, guessed_mill.poses, BEGIN, END))
    assert root.find(f"{SVG}title").text == "mill"
    assert "A mill & <its> disk" in root.find(f"{SVG}desc").text
    assert root.get("aria-labelledby").split() == [root.find(f"{SVG}{one}").get("id") for one in ("title", "desc")]
    assert any("shapes guessed: arm" in "".join(one.itertext()) for one in root.iter(f"{SVG}text"))
    assert next(root.iter(f"{SVG}polygon")).get("stroke-dasharray")
    plain = drawn(sampled(mill.scene, mill.poses, BEGIN, END))
    assert "guessed" not in "".join(plain.itertext())
    assert next(plain.iter(f"{SVG}polygon")).get("stroke-dasharray") is None


def test_its_time_is_that_of_the_run(mill) -> None:
    """A run of four seconds takes two at twice the speed, and begins anew."""
    root = drawn(sampled(mill.scene, mill.poses, BEGIN, END), speed=2.0)
    animations = list(root.iter(f"{SVG}animateTransform"))
    assert animations
    assert {one.get("dur") for one in animations} == {"2s"}
    assert {one.get("repeatCount") for one in animations} == {"indefinite"}
    assert "script" not in ElementTree.tostring(root, encoding="unicode")


def test_space_is_refused(gyro) -> None:
    """A motion that is not planar has no such picture, and the message says which it has."""
    with pytest.raises(UsageError, match=r"mill: the motion is not planar.*\.glb, \.html or \.webp"):
        svg(sampled(gyro.scene, gyro.poses, BEGIN, END), 1.0)


def test_what_is_followed_stays(mill) -> None:
    """The arm goes a hundred metres, and its hinge is at one place of the picture; the ground passes by."""

    def away(t: np.ndarray) -> np.ndarray:
        rows = mill.poses(t)
        rows[..., 0] += (25.0 * (t - BEGIN))[:, None]
        return rows

    bodies = type(mill.scene)("cart", "", mill.scene.rows, mill.scene.solids, (), mill.scene.up)
    motion = sampled(bodies, away, BEGIN, END, "arm")
    assert motion.view.scale > 50.0  # a picture that stands has 4
    root = drawn(motion)
    whole = next(one for one in root.findall(f"{SVG}g") if one.find(f"{SVG}animateTransform") is not None)
    arm = next(one for one in whole.findall(f"{SVG}g") if one.find(f"{SVG}polygon") is not None)
    hinges = np.array([(placed(whole, share) @ placed(arm, share))[:2, 2] for share in np.linspace(0.0, 1.0, 201)])
    assert np.ptp(hinges, axis=0).max() < 1.5
    assert whole.get("transform") == f"translate({whole[0].get('values').split(';')[0]})"
    with pytest.raises(UsageError, match=r"cart: follow='amr' has no pose: .*arm"):
        sampled(bodies, away, BEGIN, END, "amr")


def test_a_pin_without_length_is_seen(mill) -> None:
    """A joint that closes a loop, from a body to the place of another that is there, too, is a ring that moves."""
    pin = type(mill.scene.segments[0])(0, (1.0, 0.0, 0.0), 1, (0.0, 0.0, 0.0), "pin")
    pinned = type(mill.scene)("loop", "", mill.scene.rows, mill.scene.solids[:1], (pin,), mill.scene.up)
    motion = sampled(pinned, mill.poses, BEGIN, END)
    group = group_of(drawn(motion), "circle")
    for share in (0.0, 0.4, 1.0):
        tip = pixels(motion, mill.tip(np.array([BEGIN + share * (END - BEGIN)])))[0]
        assert np.linalg.norm(placed(group, share)[:2, 2] - tip) < 1.0
    assert all(one.get("type") == "translate" for one in group.findall(f"{SVG}animateTransform"))


@pytest.mark.parametrize("follow", [None, "arm"])
@pytest.mark.parametrize("home", [(1e7, -3e7, 2e6), (-1e9, 0.0, 0.0)])
def test_far_from_the_origin_a_picture_is_the_same(mill, home: tuple[float, float, float], follow: str | None) -> None:
    """Its numbers are those of the same motion at the origin: viewers, too, have single precision."""

    def away(t: np.ndarray) -> np.ndarray:
        rows = mill.poses(t)
        rows[..., 0] += (0.5 * (t - BEGIN))[:, None]
        return rows

    def farther(t: np.ndarray) -> np.ndarray:
        return away(t) + np.concatenate([home, np.zeros(4)])

    def put(place: tuple[float, ...]) -> tuple[float, ...]:
        return tuple((np.array(place) + home).tolist())

    solids = tuple(replace(one, offset=put(one.offset)) if one.row < 0 else one for one in mill.scene.solids)
    lines = tuple(replace(one, start=put(one.start)) for one in mill.scene.segments)
    far = replace(mill.scene, solids=solids, segments=lines)
    near, there = (sampled(scene, poses, BEGIN, END, follow) for scene, poses in ((mill.scene, away), (far, farther)))
    plain = re.sub(r"keyTimes=\S*|#[0-9a-f]{6}", "", svg(there, 1.0))
    assert max(map(abs, numbers(plain))) < 1e4
    places = []
    for root in map(drawn, (near, there)):
        moved = transform("translate", numbers(root.find(f"{SVG}g").get("transform")))
        arm = moved @ placed(group_of(root, "polygon"), 0.3)
        ground = next(one for one in root.iter(f"{SVG}g") if "fill-opacity" in one[0].attrib)
        circle = np.array([float(ground[0].get("cx")), float(ground[0].get("cy"))])
        places.append([arm, (moved @ transform("translate", numbers(ground.get("transform"))))[:2, 2] + circle])
    for one, other in zip(*places, strict=True):
        assert np.abs(one - other).max() < 0.05
