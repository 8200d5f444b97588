"""A robot on a page: bodies with their masses in the order of the tree, findings of each kind once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eomc.frontends.urdf.page import figures_of, page_of
from eomc.frontends.urdf.taking import take_robot

ROBOTS = Path(__file__).resolve().parents[2] / "data" / "urdf"


@pytest.mark.parametrize(
    ("name", "base", "lines"),
    [
        (
            "gripper",
            "fixed",
            [
                "gripper: 6 links as 5 bodies, 1 degree of freedom, 0.27 kg, of which 0 kg stand still",
                "palm, 0 kg",
                "  finger (revolute): left with 1 fixed to it, 0.1 kg",
                "  opposite (revolute, follows finger): right, 0.1 kg",
                "    bend (revolute, follows finger): tip, 0.02 kg",
                "  slide (prismatic, follows finger): rack, 0.05 kg",
                "what may be wrong:",
            ],
        ),
        (
            "satellite",
            "angles",
            [
                "satellite: 3 links as 2 bodies, 6 degrees of freedom, 41 kg, of which 0 kg stand still",
                "world, 0 kg",
                "  base (free, by angles): hull with 1 fixed to it, 41 kg",
            ],
        ),
        (
            "arm",
            "quaternion",
            [
                "arm: 7 links as 6 bodies, 10 degrees of freedom, 11.2 kg, of which 0 kg stand still",
                "world, 0 kg",
                "  base (free, by a quaternion): base, 5 kg",
                "    waist (revolute): column, 3 kg",
            ],
        ),
    ],
)
def test_bodies_are_a_tree(name: str, base: str, lines: list[str]) -> None:
    """Each body is a line, as deep as it hangs, with the mass of all that is fixed to it."""
    assert page_of(take_robot(ROBOTS / f"{name}.urdf", base=base))[: len(lines)] == lines


def test_findings_follow_by_severity() -> None:
    """First what may be wrong, then what was done; a heading without findings is left out."""
    page = page_of(take_robot(ROBOTS / "arm.urdf"))
    wrong, done = page.index("what may be wrong:"), page.index("what was done:")
    assert wrong < done
    assert page[wrong + 1].startswith("  joint 'waist': dry friction")
    assert page[done + 3].startswith("  3 frames ('shoulder', 'extension', 'mount'): an angle to twelve digits")
    assert "what may be wrong:" not in page_of(take_robot(ROBOTS / "massless.urdf"))


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
