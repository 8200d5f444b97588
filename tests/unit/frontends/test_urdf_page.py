"""A robot on a page: bodies with their masses in the order of the tree, findings of each kind once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eomc.frontends.urdf.page import figures_of, page_of
from eomc.frontends.urdf.taking import take_robot

ROBOTS = Path(__file__).resolve().parents[2] / "data" / "urdf"


def page(name: str, base: str = "fixed") -> list[str]:
    return page_of(take_robot(ROBOTS / f"{name}.urdf", base=base))


@pytest.mark.parametrize(
    ("name", "base", "lines"),
    [
        (
            "gripper",
            "fixed",
            [
                "gripper: 6 links as 5 bodies, 1 degree of freedom, 0.27 kg, of which 0 kg stand still",
                "",
                "link     joint     kind                         kg  kg carried  with links fixed to it",
                "palm                                             0        0.27",
                "\u251c left   finger    revolute                    0.1         0.1  pad",
                "\u251c right  opposite  revolute, follows finger    0.1        0.12",
                "\u2502 tip    bend      revolute, follows finger   0.02        0.02",
                "\u2514 rack   slide     prismatic, follows finger  0.05        0.05",
                "",
                "what may be wrong:",
            ],
        ),
        (
            "satellite",
            "angles",
            [
                "satellite: 3 links as 2 bodies, 6 degrees of freedom, 41 kg, of which 0 kg stand still",
                "",
                "link   joint  kind             kg  kg carried  with links fixed to it",
                "world                           0          41",
                "hull   base   free, by angles  41          41  antenna",
            ],
        ),
        (
            "arm",
            "quaternion",
            [
                "arm: 7 links as 6 bodies, 10 degrees of freedom, 11.2 kg, of which 0 kg stand still",
                "",
                "link    joint      kind                    kg  kg carried  with links fixed to it",
                "world                                       0        11.2",
                "base    base       free, by a quaternion    5        11.2",
                "column  waist      revolute                 3         6.2",
            ],
        ),
    ],
)
def test_bodies_are_a_tree(name: str, base: str, lines: list[str]) -> None:
    """Each body is a line, in a row or in a branch, with its mass, that of all it carries and what is fixed to it."""
    assert page(name, base)[: len(lines)] == lines


def robot(path: Path, above: list[int]) -> list[str]:
    """Return the page of links of 1 kg, each hung on one before it."""
    links = ['<link name="l0"/>']
    for k, parent in enumerate(above, start=1):
        inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        links += [
            f'<link name="l{k}"><inertial><mass value="1"/>{inertia}</inertial></link>',
            f'<joint name="j{k}" type="continuous"><parent link="l{parent}"/><child link="l{k}"/></joint>',
        ]
    path.write_text(f'<robot name="r">{"".join(links)}</robot>', encoding="utf-8")
    return page_of(take_robot(path))


def test_long_rows_are_abbreviated(tmp_path: Path) -> None:
    """Of a thousand bodies in a row nine are drawn, with the mass of the others; of fifteen all but six."""
    lines = robot(tmp_path / "row.urdf", list(range(1000)))
    assert lines[9].split() == ["...", "992", "more", "in", "a", "row", "992", "995"]
    assert [line.split()[0] for line in lines[10:13]] == ["l998", "l999", "l1000"]
    assert lines[13] == ""
    short = robot(tmp_path / "short.urdf", list(range(13)))
    assert [line.split()[0] for line in short[3:17]] == [f"l{k}" for k in range(14)]


def test_many_branches_end(tmp_path: Path) -> None:
    """A tree that no one reads ends after a page, and says how many bodies are missing."""
    lines = robot(tmp_path / "star.urdf", [0] * 500)
    assert lines[123] == "... and 381 bodies more: --json lists all"
    assert len(lines) < 130


def test_findings_follow_by_severity() -> None:
    """First what may be wrong, then what was done; a heading without findings is left out."""
    lines = page("arm")
    wrong, done = lines.index("what may be wrong:"), lines.index("what was done:")
    assert wrong < done
    assert lines[wrong + 1].startswith("  joint 'waist': dry friction")
    assert lines[done + 2].startswith("  3 frames ('shoulder', 'extension', 'mount'): an angle to twelve digits")
    assert "what may be wrong:" not in page("massless")
    assert max(map(len, lines)) < 120


def test_the_same_for_programs() -> None:
    """As JSON: bodies with the number of the one above, and every finding with kind and line."""
    figures = json.loads(json.dumps(figures_of(take_robot(ROBOTS / "arm.urdf"))))
    assert [body["link"] for body in figures["bodies"]] == ["base", "column", "boom", "slider", "wrist"]
    assert [body["above"] for body in figures["bodies"]] == [None, 0, 1, 2, 3]
    assert figures["bodies"][4] == {
        "link": "wrist", "joint": "roll", "kind": "revolute", "above": 3, "links": ["wrist", "tool"], "mass": 0.4
    }  # fmt: skip
    assert {"severity": "note", "kind": "no_inertial", "where": "tool", "line": 40} in [
        {key: value for key, value in finding.items() if key != "sentence"} for finding in figures["findings"]
    ]
