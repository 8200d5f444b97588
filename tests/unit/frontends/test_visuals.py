"""Visuals of URDF and geoms of MJCF as shapes of links."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import eomc
from eomc.model.shapes import ShapeKind
from eomc.scenery import placed

DATA = Path(__file__).resolve().parents[2] / "data"


def test_visuals_of_a_file() -> None:
    """Meshes by their names as they are written, cylinders in their frames; what is not understood is left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = eomc.from_urdf(DATA / "urdf" / "extras.urdf")
    found = eomc.scene(model)
    mesh, cylinder = (one for one in found.solids if one.name == "wheel")
    assert (mesh.kind, mesh.file, mesh.sizes) == (ShapeKind.MESH, "file:///does/not/exist.stl", (0.001, 0.001, 0.001))
    assert (cylinder.kind, cylinder.sizes, cylinder.offset) == (ShapeKind.CYLINDER, (0.2, 0.05), (0.0, 0.0, 0.1))
    turned = Rotation.from_quat(cylinder.quaternion, scalar_first=True)
    np.testing.assert_allclose(turned.as_matrix(), Rotation.from_euler("x", np.pi / 2).as_matrix(), atol=1e-15)
    assert found.guessed == ("base",)


def test_a_mistake_in_a_visual_is_no_reason_to_refuse_a_robot(tmp_path: Path) -> None:
    """The motion does not depend on it."""
    file = tmp_path / "spoilt.urdf"
    text = (DATA / "urdf" / "extras.urdf").read_text()
    file.write_text(text.replace('length="0.05"/></geometry>', 'length="five"/></geometry>'))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = eomc.scene(eomc.from_urdf(file))
    assert [one.kind for one in found.solids if one.name == "wheel"] == [ShapeKind.MESH]


def test_a_caller_has_the_last_word() -> None:
    """What `build` gives a link takes the place of its visuals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = eomc.from_urdf(
            DATA / "urdf" / "extras.urdf", build=lambda tree: {"shapes": {"wheel": eomc.Shape.sphere(0.3)}}
        )
    assert [one.sizes for one in eomc.scene(model).solids if one.name == "wheel"] == [(0.3,)]


def test_geoms_of_mjcf_are_where_mujoco_has_them() -> None:
    """Every cylinder, box and sphere of a robot, at its start, against MuJoCo's own places."""
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
    given = [k for k, one in enumerate(found.solids) if not one.guessed]
    assert len(given) == raw.ngeom > 5
    for k in given:
        near = np.abs(data.geom_xpos - there.offsets[k]).max(axis=1).argmin()
        np.testing.assert_allclose(there.offsets[k], data.geom_xpos[near], atol=1e-12)
        turned = Rotation.from_quat(there.quaternions[k], scalar_first=True).as_matrix()
        np.testing.assert_allclose(turned, data.geom_xmat[near].reshape(3, 3), atol=1e-12)
