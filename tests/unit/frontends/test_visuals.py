"""Visuals of URDF and geoms of MJCF as shapes of links."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import eomc
from eomc.frontends.robots.findings import Kind
from eomc.frontends.urdf.taking import take_robot
from eomc.model.shapes import ShapeKind
from eomc.scenery import placed

DATA = Path(__file__).resolve().parents[2] / "data"


def test_visuals_of_a_file() -> None:
    """Cylinders in their frames; a mesh that is not there is told by its name; a link without visual is not seen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = eomc.from_urdf(DATA / "urdf" / "extras.urdf")
    found = eomc.scene(model)
    (cylinder,) = found.solids
    assert cylinder.name == "wheel"
    assert (cylinder.kind, cylinder.sizes, cylinder.offset) == (ShapeKind.CYLINDER, (0.2, 0.05), (0.0, 0.0, 0.1))
    turned = Rotation.from_quat(cylinder.quaternion, scalar_first=True)
    np.testing.assert_allclose(turned.as_matrix(), Rotation.from_euler("x", np.pi / 2).as_matrix(), atol=1e-15)
    assert found.guessed == ()
    assert found.unread == (("file:///does/not/exist.stl", "there is no such file"),)
    assert len(found.bare) == 1
    assert found.unread_words == (
        f"1 mesh of {found.bare[0]} cannot be drawn (file:///does/not/exist.stl: there is no such file)"
    )


def test_a_mistake_in_a_visual_is_no_reason_to_refuse_a_robot(tmp_path: Path) -> None:
    """The motion does not depend on it; a link of which nothing is left is drawn by its inertia, and labelled so."""
    file = tmp_path / "spoilt.urdf"
    text = (DATA / "urdf" / "extras.urdf").read_text()
    file.write_text(text.replace('length="0.05"/></geometry>', 'length="five"/></geometry>'))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = eomc.scene(eomc.from_urdf(file))
    assert [one.kind for one in found.solids] == [ShapeKind.CYLINDER]
    assert found.guessed == ("wheel",)
    assert [name for name, _ in found.unread] == ["file:///does/not/exist.stl"]


def robot(*visuals: str, more: str = "") -> str:
    """Return a robot with one link that moves and has these visuals."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    return f"""<robot name="one">{more}<link name="base"/><link name="arm">{inertial}{"".join(visuals)}</link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><origin/><axis xyz="0 0 1"/></joint>
</robot>"""


def visual(material: str, geometry: str = '<sphere radius="1"/>') -> str:
    """Return a visual."""
    return f"<visual><geometry>{geometry}</geometry>{material}</visual>"


@pytest.mark.parametrize(
    ("material", "colour"),
    [
        ('<material name="own"><color rgba="1 0.5 0 1"/></material>', "#ff8000"),
        ('<material name="top"/>', "#336699"),
        ('<material name="later"/>', "#00ff00"),
        ('<material name="top"><color rgba="0 0 0 0.3"/></material>', "#0000004c"),
        ("", ""),
        ('<material name="none"/>', ""),
        ('<material name="pictured"/>', ""),
        ('<material name="spoilt"><color rgba="1 2"/></material>', ""),
        ('<material name="spoilt"><color rgba="nan 0 0 1"/></material>', ""),
        ('<material><color rgba="0 0 1 1"/></material>', "#0000ff"),
    ],
)
def test_colours_of_materials(tmp_path: Path, material: str, colour: str) -> None:
    """Written out in the visual, by name from the robot, or from another visual that comes later."""
    more = '<material name="top"><color rgba="0.2 0.4 0.6 1"/></material>'
    more += '<material name="pictured"><texture filename="a.png"/></material>'
    other = visual('<material name="later"><color rgba="0 1 0 1"/></material>')
    file = tmp_path / "one.urdf"
    file.write_text(robot(visual(material), other, more=more))
    first, second = eomc.scene(eomc.from_urdf(file)).solids
    assert (first.colour, second.colour) == (colour, "#00ff00")


def test_what_is_transparent_is_not_seen_and_textures_are_told(tmp_path: Path) -> None:
    """A visual of no opacity is no guess either; materials without a colour are notes on the robot's page."""
    file = tmp_path / "one.urdf"
    air = robot(visual('<material name="air"><color rgba="1 1 1 0"/></material>'))
    file.write_text(air.replace('<link name="base"/>', f'<link name="base">{visual("")}</link>'))
    assert [one.name for one in eomc.scene(eomc.from_urdf(file)).solids] == ["base"]
    more = '<material name="pictured"><texture filename="a.png"/></material>'
    file.write_text(robot(visual('<material name="pictures"/>'), more=more))
    told = [one.sentence for one in take_robot(file).findings if one.kind is Kind.UNCOLOURED]
    assert len(told) == 2
    assert "textures are not drawn" in told[0]
    assert "link arm: no material of the file has this name; did you mean pictured?" in told[1]


def test_the_world_of_a_floating_robot_is_not_seen(tmp_path: Path) -> None:
    """No point is drawn where it is: the file does not have it."""
    file = tmp_path / "one.urdf"
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    file.write_text(robot(visual("")).replace('<link name="base"/>', f'<link name="base">{inertial}</link>'))
    model = eomc.from_urdf(file, base="quaternion")
    assert len(model.dynamics.links) == 3
    assert [one.name for one in eomc.scene(model).solids] == ["arm"]


def test_a_mesh_of_a_package_is_read(tmp_path: Path) -> None:
    """From the folder of the package above the file, whatever folder one works in."""
    (tmp_path / "one" / "meshes").mkdir(parents=True)
    (tmp_path / "one" / "meshes" / "arm.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    file = tmp_path / "one" / "one.urdf"
    mesh = '<mesh filename="package://one/meshes/arm.obj" scale="1 2 -3"/>'
    file.write_text(robot(visual("", mesh)))
    (found,) = eomc.scene(eomc.from_urdf(file)).solids
    assert (found.kind, found.file, found.sizes) == (ShapeKind.MESH, "package://one/meshes/arm.obj", (1.0, 2.0, -3.0))
    assert found.surface.points.tolist() == [[0, 0, 0], [0, 1, 0], [1, 0, 0]]


def test_colours_of_a_mesh_are_drawn(tmp_path: Path) -> None:
    """Each is a solid at the same place, two meshes share their surfaces; a material of the robot is that of all."""
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    (tmp_path / "one.obj").write_text(f"mtllib m.mtl\n{corners}usemtl a\nf 1 2 3\nusemtl b\nf 1 2 4\n")
    (tmp_path / "m.mtl").write_text("newmtl a\nKd 1 0 0\nnewmtl b\nKd 0 0 1\nd 0.5\n")
    mesh, file = '<mesh filename="one.obj"/>', tmp_path / "one.urdf"
    green = '<material name="green"><color rgba="0 1 0 1"/></material>'
    file.write_text(robot(visual("", mesh), visual("", mesh), visual(green, mesh)))
    solids = eomc.scene(eomc.from_urdf(file)).solids
    assert [one.colour for one in solids] == ["#ff0000", "#0000ff80"] * 2 + ["#00ff00"]
    assert solids[0].surface is solids[2].surface
    assert [len(one.surface.triangles) for one in solids] == [1, 1, 1, 1, 2]


def test_a_caller_has_the_last_word() -> None:
    """What `build` gives a link takes the place of its visuals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = eomc.from_urdf(
            DATA / "urdf" / "extras.urdf", build=lambda tree: {"shapes": {"wheel": eomc.Shape.sphere(0.3)}}
        )
    assert [one.sizes for one in eomc.scene(model).solids if one.name == "wheel"] == [(0.3,)]


def test_geoms_of_mjcf_are_where_mujoco_has_them() -> None:
    """Every cylinder, box and sphere of a robot, at its start, against MuJoCo's own places; capsules have two caps."""
    mujoco = pytest.importorskip("mujoco")
    file = DATA / "mjcf" / "crawler.xml"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = eomc.from_mjcf(file)
    sim = eomc.compile(model, functions=["poses"]).load()
    found = eomc.scene(model)
    there = placed(found, sim.poses(0.0, sim.state()))
    raw = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(raw)
    mujoco.mj_forward(raw, data)
    capsules = int((raw.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE).sum())
    assert len(found.solids) == raw.ngeom + 2 * capsules > 5 + 2 * capsules > 7
    axes = data.geom_xmat.reshape(-1, 3, 3)
    tips = [data.geom_xpos + side * raw.geom_size[:, 1:2] * axes[:, :, 2] for side in (-1.0, 1.0)]
    places = np.concatenate([data.geom_xpos, *tips])
    axes = np.concatenate([axes, axes, axes])
    for k, one in enumerate(found.solids):
        assert not one.guessed
        turned = Rotation.from_quat(there.quaternions[k], scalar_first=True).as_matrix()
        off = np.abs(places - there.offsets[k]).max(axis=1) + np.abs(axes - turned).max(axis=(1, 2))
        assert off.min() < 1e-12


LOOKS = """<mujoco><asset><mesh name="m" vertex="1 0 0  3 0 0  1 2 0  1 0 1" scale="2 1 1"/>
<material name="red" rgba="1 0 0 1"/></asset><worldbody><geom type="plane" size="0 0 .1" rgba="0 1 0 1"/>
<body pos="0 0 1"><joint axis="1 0 0"/><geom type="mesh" mesh="m" material="red" pos=".1 .2 .3" euler="10 20 30"/>
<geom type="box" size=".1 .2 .3" rgba="1 1 1 0"/><geom type="sphere" size=".1" group="3"/></body>
<body><joint/><geom type="ellipsoid" size=".1 .2 .3" rgba="0 0 1 .5"/></body>
<body><joint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body></worldbody></mujoco>"""


def test_meshes_and_colours_of_mjcf(tmp_path: Path) -> None:
    """A mesh has the corners that the file writes, wherever MuJoCo moves them, and an endless plane an end.

    An ellipsoid is one, and lets light pass. What is transparent, or of another group, is not seen.
    """
    pytest.importorskip("mujoco")
    file = tmp_path / "looks.xml"
    file.write_text(LOOKS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = eomc.from_mjcf(file)
    found = eomc.scene(model)
    plane, mesh, ellipsoid = found.solids
    assert (plane.kind, plane.colour) == (ShapeKind.BOX, "#00ff00")
    assert plane.sizes[0] > 1.0
    assert (mesh.kind, mesh.colour) == (ShapeKind.MESH, "#ff0000")
    assert found.name == "looks"  # the file's, which gives none
    assert (ellipsoid.kind, ellipsoid.sizes, ellipsoid.colour) == (ShapeKind.ELLIPSOID, (0.1, 0.2, 0.3), "#0000ff80")
    assert found.guessed == ()
    turned = Rotation.from_quat(mesh.quaternion, scalar_first=True)
    corners = turned.apply(mesh.surface.points) + mesh.offset
    written = np.array([[2.0, 0, 0], [6, 0, 0], [2, 2, 0], [2, 0, 1]])
    expected = Rotation.from_euler("XYZ", [10, 20, 30], degrees=True).apply(written) + np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(sorted(corners.tolist()), sorted(expected.tolist()), atol=1e-6)  # MuJoCo has floats


UNDRAWN = """<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/></asset><worldbody>
<geom name="hill" {hill}/><geom name="block" type="box" size="{size} 1 1" pos="{pos} 0 0"/>
<geom name="pale" size="1" rgba="{red} 0 0 1"/><body name="arm"><joint/><inertial mass="1" pos="0 0 0"
diaginertia="1 1 1"/><geom name="tip" quat="{turn} 0 0 0" size=".1"/></body></worldbody></mujoco>"""
FINE = {"hill": 'size="1"', "size": "1", "pos": "0", "turn": "1", "red": "1"}
CURE = "a visual cannot be drawn: correct it, or give the link's shapes by build="


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ({"size": "inf"}, f"link 'world': {CURE} [geom 'block': it has numbers that are not finite]"),
        ({"pos": "inf"}, f"link 'world': {CURE} [geom 'block': it has numbers that are not finite]"),
        ({"turn": "inf"}, f"link 'arm': {CURE} [geom 'tip': it has numbers that are not finite]"),
        ({"hill": 'type="hfield" hfield="h"'}, f"link 'world': {CURE} [geom 'hill': a height field is not drawn]"),
        ({"red": "inf"}, "material 'pale': no colour of it is read: drawn in a colour of ours"),
    ],
)
def test_geoms_that_cannot_be_drawn_are_told(tmp_path: Path, spoilt: dict[str, str], told: str) -> None:
    """As visuals of URDF: a warning names file, link and cure; the robot is taken, and drawn without them."""
    pytest.importorskip("mujoco")
    file = tmp_path / "undrawn.xml"
    file.write_text(UNDRAWN.format(**{**FINE, **spoilt}))
    with pytest.warns(UserWarning, match="undrawn.xml") as heard:
        model = eomc.from_mjcf(file)
    assert any(str(one.message).startswith(f"{file}: {told}") for one in heard)
    found = eomc.scene(model)
    places = np.concatenate([np.concatenate([one.offset, one.sizes, one.quaternion]) for one in found.solids])
    assert np.isfinite(places).all()
    assert len(found.solids) == (4 if "red" in spoilt or "turn" in spoilt else 3)
    assert [one.colour for one in found.solids if one.name == "world"].count("#ff0000") == ("red" not in spoilt)
    assert found.guessed == (("arm",) if "turn" in spoilt else ())


def test_visuals_of_urdf_that_cannot_be_drawn_are_told(tmp_path: Path) -> None:
    """By the same words as geoms of MJCF."""
    file = tmp_path / "one.urdf"
    file.write_text(robot(visual("", '<sphere radius="inf"/>'), visual("")))
    with pytest.warns(UserWarning, match=f"{file}: link 'arm' .*: {CURE}"):
        model = eomc.from_urdf(file)
    (found,) = eomc.scene(model).solids
    assert (found.sizes, found.guessed) == ((1.0,), False)
