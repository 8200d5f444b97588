"""Shipped models look like what they are: shapes meet at pins, wheels stand on the ground, places are the outputs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import eomc
from eomc.frontends.loading import shipped_models
from eomc.model.shapes import ShapeKind
from eomc.scenery import placed

VARIANTS = (
    "bar_on_moving_pivot:1", "dissipative_chain:3", "hanging_chain:8", "heavy_top:quaternion", "n_four_bar:4",
    "n_link_pendulum:5", "slider_crank:0", "slider_crank:1", "slider_crank_unequal:0", "slider_crank_unequal:1",
)  # fmt: skip


@pytest.mark.parametrize("name", [*shipped_models(), *VARIANTS])
def test_nothing_is_guessed(name: str) -> None:
    """Each body has a pose and shapes of its own, or the lines and points that stand for it."""
    found = eomc.scene(eomc.load(name))
    assert not found.guessed
    assert not found.left_out
    assert any(one.row >= 0 for one in found.solids)


class Looked:
    """A model at its start and a little later: poses, places of solids by name, ends of segments, outputs."""

    def __init__(self, name: str, t_end: float = 0.02) -> None:
        self.sim = eomc.compile(eomc.load(name), functions=["outputs", "poses"]).load()
        motion = self.sim.simulate(t_end=t_end, dt=t_end / 20, every=10)
        self.t, self.x = motion.t, motion.x
        self.scene = eomc.scene(eomc.load(name))
        self.placed = placed(self.scene, self.sim.poses(self.t, self.x))

    def places(self, name: str) -> np.ndarray:
        """Return where the first solid of a body is, (k, 3)."""
        number = next(k for k, one in enumerate(self.scene.solids) if one.name == name)
        return self.placed.offsets[:, number]

    def tips(self, name: str) -> list[np.ndarray]:
        """Return both ends of all cylinders of a body, or of the long side of its boxes, each (k, 3)."""
        found = []
        for number, one in enumerate(self.scene.solids):
            if one.name == name and one.kind in (ShapeKind.CYLINDER, ShapeKind.BOX):
                long = 2 if one.kind is ShapeKind.CYLINDER else int(np.argmax(one.sizes))
                size = one.sizes[1] if one.kind is ShapeKind.CYLINDER else max(one.sizes)
                turns = Rotation.from_quat(self.placed.quaternions[:, number], scalar_first=True)
                way = turns.apply(np.eye(3)[long] * size / 2)
                found += [self.placed.offsets[:, number] + way, self.placed.offsets[:, number] - way]
        return found

    def meet(self, one: str, other: str) -> float:
        """Return how far apart the nearest ends of two bodies are, at the worst of the points."""
        ends = [(a, b) for a in self.tips(one) for b in self.tips(other)]
        return min(float(np.abs(a - b).max()) for a, b in ends)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("four_bar", [("crank", "coupler"), ("coupler", "rocker")]),
        ("double_pendulum_bars", [("bar1", "bar2")]),
        ("two_link_arm", [("link2", "link3")]),
        ("slider_crank_unequal", [("crank", "rod")]),
        (
            "andrews_squeezer",
            [("body1", "body2"), ("body2", "body3"), ("body3", "body4"), ("body4", "body5"), ("body4", "body6"),
             ("body6", "body7"), ("body5", "body7")],
        ),
        ("hanging_chain", [(f"link{k}", f"link{k + 1}") for k in range(1, 6)]),
    ],
)  # fmt: skip
def test_links_meet_at_their_pins(name: str, pairs: list[tuple[str, str]]) -> None:
    """Ends of neighbours are one place, as far as the run keeps the loops closed."""
    looked = Looked(name, 0.002 if name == "andrews_squeezer" else 0.02)
    size = float(np.ptp(looked.placed.offsets.reshape(-1, 3), axis=0).max())
    assert all(looked.meet(*pair) < 1e-7 * size for pair in pairs)


@pytest.mark.parametrize(
    ("name", "body", "outputs"),
    [
        ("cart_pole", "bob", ("bob_x", "bob_y")),
        ("double_pendulum", "bob2", ("x2", "y2")),
        ("simple_pendulum", "bob", ("x", "y")),
        ("spherical_pendulum", "bob", ("x", "y", "z")),
        ("rolling_disk", "disk", ("centre_x", "centre_y", "centre_z")),
        ("thin_coin", "coin", ("centre_x", "centre_y", "centre_z")),
        ("two_masses_on_rod", "slider", ("x1", "y1")),
        ("bar_on_moving_pivot", "bar", ("centre_x", "centre_y")),
        ("n_link_pendulum", "mass3", ("tip_x", "tip_y")),
        ("four_bar", "coupler", ("coupler_x", "coupler_y")),
    ],
)
@pytest.mark.sampled(2)
def test_places_are_the_outputs(name: str, body: str, outputs: tuple[str, ...]) -> None:
    """What is drawn of a body is where the model says that it is, to 1e-12 of its size."""
    looked = Looked(name)
    columns = [looked.sim.output_names.index(one) for one in outputs]
    expected = looked.sim.outputs(looked.t, looked.x)[:, columns]
    found = looked.places(body)[:, : len(outputs)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize(("name", "bodies", "up"), [
    ("rolling_disk", ["disk"], 1.0), ("vertical_rolling_disk", ["disk"], 1.0),
    ("whipple_bicycle", ["rear_wheel", "front_wheel"], -1.0),
])  # fmt: skip
def test_wheels_stand_on_the_ground(name: str, bodies: list[str], up: float) -> None:
    """The lowest point of a disk is at the height zero: that of its centre less R times the sine of the axle's tilt."""
    looked = Looked(name)
    for body in bodies:
        number = next(k for k, one in enumerate(looked.scene.solids) if one.name == body)
        radius = looked.scene.solids[number].sizes[0]
        turns = Rotation.from_quat(looked.placed.quaternions[:, number], scalar_first=True)
        along = turns.apply([0, 0, 1])[:, 2]
        lowest = up * looked.placed.offsets[:, number, 2] - radius * np.sqrt(1 - along**2)
        np.testing.assert_allclose(lowest, 0.0, atol=1e-9)
