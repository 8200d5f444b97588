"""The robots that are compared, and chains that are written for the purpose."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from xml.etree import ElementTree

__all__ = ["ROBOTS", "chain", "robots_folder", "welded"]

ROBOTS = {
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "fixed"),
    "panda": ("panda_description/urdf/panda.urdf", "fixed"),
    "solo12": ("solo_description/robots/solo12.urdf", "quaternion"),
    "anymal": ("anymal_b_simple_description/robots/anymal.urdf", "quaternion"),
    "g1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "quaternion"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "quaternion"),
}
"""Files of example-robot-data, and how the base is held."""


def chain(n: int) -> str:
    """Return the URDF of n links along their x, hinged about z and x in turn."""
    lines = ['<robot name="chain">', '<link name="l0"/>']
    for k in range(n):
        axis = "0 0 1" if k % 2 == 0 else "1 0 0"
        lines += [
            f'<link name="l{k + 1}"><inertial><origin xyz="0.25 0 0"/><mass value="{k + 1}"/>'
            '<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial></link>',
            f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/>'
            f'<origin xyz="{0.5 if k else 0} 0 0"/><axis xyz="{axis}"/></joint>',
        ]
    return "\n".join([*lines, "</robot>"])


def welded(text: str, names: str) -> str:
    """Return a URDF with the joints whose names begin so fixed."""
    root = ElementTree.fromstring(text)
    for joint in root.iter("joint"):
        if joint.get("name", "").startswith(names):
            joint.set("type", "fixed")
            for mimic in joint.findall("mimic"):
                joint.remove(mimic)
    return ElementTree.tostring(root, encoding="unicode")


def robots_folder() -> Path:
    """Return the folder of example-robot-data's robots.

    Raises
    ------
    FileNotFoundError
        The package is not installed, or is another one.
    """
    try:
        files = importlib.metadata.files("example-robot-data") or ()
    except importlib.metadata.PackageNotFoundError:
        raise FileNotFoundError("the package example-robot-data, which has the robot, is not installed") from None
    for path in files:
        if str(path).endswith(ROBOTS["ur5"][0]):
            return Path(str(path.locate())).resolve().parents[len(Path(ROBOTS["ur5"][0]).parts) - 1]
    raise FileNotFoundError("the package example-robot-data has no robots")
