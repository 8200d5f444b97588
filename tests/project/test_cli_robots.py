"""Robots on the command line: what is wrong with a file is one line, and the file is what make depends on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from eomc.cli.depfile import sources_of

ARM = Path(__file__).resolve().parents[1] / "data" / "urdf" / "arm.urdf"


@pytest.mark.parametrize(
    ("change", "suffix", "told"),
    [
        (lambda text: text[:2000], "", r"mine\.urdf, line \d+: the file ends too early inside of <\w+>"),
        (
            lambda text: text.replace('value="3"', 'value="3 kg"'),
            "",
            r"line 15: link 'column': value of <mass> is '3 kg'",
        ),
        (lambda text: text, ":free", r"base='free': "),
        (lambda text: text.replace('"fixed"', '"weld"'), "", r"joint 'mount': there is no type of joint 'weld'"),
    ],
)
def test_a_wrong_robot_is_one_line(eomc_command, tmp_path: Path, change, suffix: str, told: str) -> None:
    """Exit code 2, one line on stderr that names the file and its line, and no traceback."""
    path = tmp_path / "mine.urdf"
    path.write_text(change(ARM.read_text(encoding="utf-8")), encoding="utf-8")
    answer = eomc_command("generate", f"{path}{suffix}", "-o", tmp_path / "out")
    assert answer.code == 2
    assert re.search(told, answer.err)
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_robot_is_its_own_source() -> None:
    """The emitted files of a robot depend on its file, whatever its base is."""
    assert sources_of("models/robot.urdf:angles") == [Path("models/robot.urdf")]


@pytest.mark.needs_cc
def test_stats_begin_with_the_robot(eomc_command) -> None:
    """Bodies and findings stand before the figures; as JSON they are an entry, and warnings are not said twice."""
    answer = eomc_command("stats", ARM)
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.splitlines()[0].startswith("arm: 6 links as 5 bodies, 4 degrees of freedom, 11.2 kg")
    assert "  joint 'waist': dry friction is left out" in answer.out
    solved = answer.out.split("how it is solved:\n")[1].split("\n\n")[0].splitlines()
    assert solved[0].startswith("  u' by composite bodies, ")
    assert solved[-4:] == [
        "  merged: 1 of 6 links is fixed to others",
        "  turned: the joint's axis is z; at right angles to the frames before: 3 of 4",
        "  slid: 1 origin along the joint's axis",
        "  regrouped: 19 of 28 masses and moments are left; the others move alike with the body before, or not at all",
    ]
    figures = json.loads(eomc_command("stats", ARM, "--json").out)
    assert figures["recursion"]["algorithm"] == "composite"
    assert set(figures["recursion"]["work"]) == {"composite", "articulated"}
    assert figures["preparation"] == {
        "links": 6, "rows": 4, "merged": 1, "right_angles": 3, "slid": 1, "inertias": 28, "kept": 19
    }  # fmt: skip
    assert figures["states"] == 8
    assert figures["robot"]["bodies"][0] == {
        "link": "base", "joint": None, "kind": None, "above": None, "links": ["base"], "mass": 5.0
    }  # fmt: skip


def test_stats_tell_which_limbs_run_side_by_side(eomc_command, tmp_path: Path) -> None:
    """Limbs that are alike are named by their first joints, in words and as JSON."""
    tensor = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
    inertial = f'<inertial><origin xyz="0.1 0 0"/><mass value="1"/>{tensor}</inertial>'
    lines = [f'<robot name="pair"><link name="trunk">{inertial}</link>']
    for side, sign in (("left", ""), ("right", "-")):
        for number, (above, axis) in enumerate((("trunk", "1 0 0"), (f"{side}_0", "0 1 0"))):
            lines.append(
                f'<link name="{side}_{number}">{inertial}</link><joint name="{side}_joint_{number}" type="continuous">'
                f'<parent link="{above}"/><child link="{side}_{number}"/><origin xyz="0 {sign}0.2 -0.3"/>'
                f'<axis xyz="{axis}"/></joint>'
            )
    path = tmp_path / "pair.urdf"
    path.write_text("\n".join([*lines, "</robot>"]), encoding="utf-8")
    answer = eomc_command("stats", f"{path}:quaternion")
    assert "  side by side: left_joint_0 and right_joint_0, with what they carry" in answer.out
    figures = json.loads(eomc_command("stats", f"{path}:quaternion", "--json").out)
    assert figures["side_by_side"] == [["left_joint_0", "right_joint_0"]]


MADE = """
from sympy.physics.mechanics import dynamicsymbols
import eomc
from eomc.trees import Joint, JointTree, Link

q, u = dynamicsymbols("q u")
links = [Link(name="ground"), Link(name="rod", mass={mass}, centre=(0, 0, -0.5))]
pivot = Joint(
    name="pivot", kind="revolute", parent="ground", child="rod", axis=(0, 1, 0), coordinates=[q], speeds=[u]
)
model = eomc.from_tree(JointTree(links, [pivot], gravity=(0, 0, -9.81)), name="pendulum", parameters={parameters})
"""


@pytest.mark.needs_cc
def test_stats_of_a_tree_made_by_hand_draw_it_too(eomc_command, tmp_path: Path) -> None:
    """Where its masses are numbers; with a parameter the way it is solved is told alone."""
    path = tmp_path / "made.py"
    path.write_text(MADE.format(mass="2.0", parameters="{}"), encoding="utf-8")
    out = eomc_command("stats", path).out
    assert "rod     pivot  revolute   2           2\n\nhow it is solved:\n" in out
    text = MADE.format(mass="m", parameters="{m: 2.0}").replace("q, u =", "import sympy\nm = sympy.Symbol('m')\nq, u =")
    path.write_text(text, encoding="utf-8")
    assert eomc_command("stats", path).out.startswith("how it is solved:\n")


def test_a_robot_is_emitted(eomc_command, tmp_path: Path) -> None:
    """A robot with a free base is a folder of C like any model, which says how its base stands."""
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.read_text(encoding="utf-8").replace(' friction="0.2"', ""), encoding="utf-8")
    answer = eomc_command("generate", f"{path}:quaternion", "-o", tmp_path / "out")
    assert answer.code == 0
    assert answer.err == ""
    header = (tmp_path / "out" / "arm.h").read_text(encoding="utf-8")
    assert "from URDF, the base free, by a quaternion; viscous damping" in header
    assert "#define ARM_NX 21 " in header
