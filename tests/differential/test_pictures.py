"""Trajectories as pictures: what is drawn is where the model's own outputs say, to rounding."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import OutputError, UsageError
from eomc.pictures import FORMATS, Motion, Node, refuse_unwritable

pytestmark = pytest.mark.needs_cc

OUTPUTS = {
    "four_bar": ("coupler", "coupler_x", "coupler_y"),
    "cart_pole": ("bob", "bob_x", "bob_y"),
    "double_pendulum": ("bob2", "x2", "y2"),
    "bar_on_moving_pivot": ("bar", "centre_x", "centre_y"),
}


def motion_of(trajectory: eomc.Trajectory) -> Motion:
    """Return the key frames of a trajectory."""
    return trajectory.along.motion(float(trajectory.t[0]), float(trajectory.t[-1]), trajectory)


def node_of(motion: Motion, name: str) -> Node:
    """Return the node of a name."""
    (found,) = (one for one in motion.nodes if one.name == name)
    return found


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_scene_is_where_outputs_are(name: str) -> None:
    """Mass centres at key frames and outputs at their times differ by less than 1e-9 of what is seen."""
    sim = eomc.compile(eomc.load(name)).load()
    trajectory = sim.simulate(t_end=1.0)
    motion = motion_of(trajectory)
    body, *names = OUTPUTS[name]
    node = node_of(motion, body)
    assert len(node.times) > 4
    outputs = sim.outputs(node.times, trajectory(node.times), None, trajectory.parameters)
    expected = outputs[:, [sim.output_names.index(one) for one in names]]
    size = float((motion.view.high - motion.view.low).max())
    assert np.abs(node.offsets[:, :2] - expected).max() < 1e-9 * size


def test_parameters_of_the_run_are_those_of_the_shapes() -> None:
    """A longer pole has a larger bob."""
    sim = eomc.compile(eomc.load("cart_pole")).load()
    for length in (0.5, 2.0):
        bob = node_of(motion_of(sim.simulate(t_end=0.1, parameters={"l": length})), "bob").solids[0]
        assert bob.sizes == pytest.approx((length / 12,))


@pytest.mark.parametrize("asked", [{"rtol": 1e-9}, {"integrator": "heun"}, {"sample_time": 0.01}])
@pytest.mark.parametrize("functions", [None, ["jacobian"]])
def test_every_run_has_poses(functions: list[str] | None, asked: dict[str, object]) -> None:
    """Also one by another integrator or with a controller, whose library has the functions of a run alone."""
    sim = eomc.compile(eomc.load("cart_pole"), functions=functions).load()
    held = {"controller": lambda t, x: {"F": 0.0}} if "sample_time" in asked else {}
    trajectory = sim.simulate(t_end=1.0, **asked, **held)
    bob = node_of(motion_of(trajectory), "bob")
    at, l = trajectory(bob.times), trajectory.parameters[sim.parameter_names.index("l")]  # noqa: E741 - as in the model
    expected = at[:, :1] + l * np.sin(at[:, 1:2]), -l * np.cos(at[:, 1:2])
    np.testing.assert_allclose(bob.offsets[:, :2], np.hstack(expected), atol=1e-12)


def test_frames_of_webp(tmp_path: Path) -> None:
    """As many frames as the run has at this rate, and later ones are others."""
    trajectory = eomc.compile(eomc.load("cart_pole")).load().simulate(t_end=1.0)
    trajectory.animate(tmp_path / "cart.webp", speed=0.5, fps=5)
    with Image.open(io.BytesIO((tmp_path / "cart.webp").read_bytes())) as picture:
        assert picture.n_frames == 10
        first = np.asarray(picture.convert("RGB"), dtype=int)
        picture.seek(6)
        assert np.abs(np.asarray(picture.convert("RGB"), dtype=int) - first).max() > 100
        assert picture.info["duration"] == 200


def test_what_has_no_picture_says_so(tmp_path: Path) -> None:
    """Unknown endings, numbers that are none, and a trajectory that was pickled."""
    trajectory = eomc.compile(eomc.load("cart_pole")).load().simulate(t_end=0.1)
    with pytest.raises(OutputError, match=r"give \.svg, \.glb, \.webp or \.html"):
        trajectory.animate(tmp_path / "cart.avi")
    with pytest.raises(UsageError, match="speed"):
        trajectory.animate(tmp_path / "cart.svg", speed=-1.0)
    with pytest.raises(UsageError, match="fps"):
        trajectory.animate(tmp_path / "cart.svg", fps="many")  # type: ignore[arg-type]  # which is what is tested
    with pytest.raises(UsageError, match="pickled"):
        pickle.loads(pickle.dumps(trajectory)).animate(tmp_path / "cart.svg")
    with pytest.raises(OutputError, match="cannot be written"):
        trajectory.animate(tmp_path / "no" / "cart.svg")
    with pytest.raises(OutputError, match="None is no path"):
        trajectory.animate(None)  # type: ignore[arg-type]  # which is what is tested
    with pytest.raises(OutputError, match="null byte"):
        trajectory.animate("a\0b.svg")
    for pixels in (15, 4097, 100.5, "many", None, float("nan")):
        with pytest.raises(UsageError, match=r"pixels is .*: give a whole number from 16 to 4096"):
            trajectory.animate(tmp_path / "cart.webp", pixels=pixels)  # type: ignore[arg-type]  # likewise
    q = dynamicsymbols("q")
    pointless = eomc.compile(eomc.from_lagrangian(q.diff() ** 2 / 2 - q**2, coordinates=[q])).load()
    with pytest.raises(
        UsageError, match=r"there is nothing to draw: give points= with shapes= of their own, or lines="
    ):
        pointless.simulate(t_end=0.1).animate(tmp_path / "q.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["cart_pole", "kepler"])
def test_a_run_of_one_point_is_a_still(name: str, tmp_path: Path) -> None:
    """Of a model with bodies, and of one with points alone, in every format."""
    trajectory = eomc.compile(eomc.load(name)).load().simulate(t_end=0.0)
    for ending in FORMATS:
        trajectory.animate(tmp_path / f"one{ending}", pixels=64)
    with Image.open(tmp_path / "one.webp") as picture:
        assert getattr(picture, "n_frames", 1) == 1
    assert "<animate" not in (tmp_path / "one.svg").read_text()


def test_a_mesh_that_is_not_there_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One warning names link and files, of a report as of a picture, the caption too; its inertia is drawn."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    visuals = "".join(f'<visual><geometry><mesh filename="{k}.stl"/></geometry></visual>' for k in range(6))
    file = tmp_path / "one.urdf"
    file.write_text(
        f'<robot name="one"><link name="base"/><link name="arm">{inertial}{visuals}</link><joint name="turn" '
        'type="continuous"><parent link="base"/><child link="arm"/><origin/><axis xyz="0 0 1"/></joint></robot>'
    )
    build = eomc.compile(eomc.from_urdf(file))
    trajectory = build.load().simulate(t_end=0.1)
    told = r"one: 6 meshes of arm cannot be drawn \(0.stl: there is no such file; .*; and 2 more\): a body.*; correct"
    with pytest.warns(UserWarning, match=told) as warned:
        trajectory.animate(tmp_path / "one.svg")
    assert len(warned) == 1
    with pytest.warns(UserWarning, match=told) as warned:
        build.report(tmp_path / "one.html", trajectory)
    assert len(warned) == 1
    text = (tmp_path / "one.svg").read_text()
    assert "6 meshes of arm cannot be drawn (0.stl: there is no such file" in text
    assert "shapes guessed: arm" in text
    monkeypatch.setattr("eomc.scenery.meshes.Meshes.of", lambda *_: pytest.fail("a name is looked up without shapes"))
    with pytest.raises(UsageError, match="one: follow='leg' has no pose: known are base, arm"):
        build.report(tmp_path / "no.html", trajectory, follow="leg")


def test_webp_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that has it is named, before there is any work."""
    monkeypatch.setattr("eomc.pictures.webp.importlib.util.find_spec", lambda name: None)
    with pytest.raises(OutputError, match=r"\.webp needs Pillow: pip install 'eomc\[pictures\]'"):
        refuse_unwritable("a.webp")
    assert refuse_unwritable("a.svg") == Path("a.svg")
