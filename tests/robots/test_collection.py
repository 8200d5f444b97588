"""The 69 robots of example-robot-data: which load, which are refused and why, and what is told of the others.

The data are those of the stage `robots` of `.ci/run`, which installs them.
"""

from __future__ import annotations

import functools
import os
import re
import warnings
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest

import eomc
from eomc.errors import EomcError
from eomc.frontends.robots.findings import Finding, Kind, Severity, summary
from eomc.frontends.urdf.taking import take_robot

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_ROBOTS" not in os.environ, reason="of the stage robots: it installs 130 MB")
FILES = sorted(ROBOTS.rglob("*.urdf"))
BASES = ("fixed", "quaternion", "angles")

REFUSED = {
    "alex_psyonic_hands": r"line 1037: joint 'Left_index_q2' mimics 'index_q1', which is no joint of this robot",
    "romeo": r"line 1443: joint 'LHand' moves 'LFinger11Link' with all that is carried, which has no mass",
    "romeo_laas_small": r"line 711: joint 'l_gripper_joint' moves 'l_gripper', which has no mass",
    "ur3": r"line 6: the robot is empty: it has no link",
}
"""With any base: followers of nobody; fingers and a gripper without mass; what xacro leaves of an uncalled macro."""

WITHOUT_JOINTS = {
    "quadrotor_base": r"nothing of this robot moves: it has 1 link, .* base='quaternion' frees it",
    "iris_simple": r"nothing of this robot moves: it has 6 links, .* base='quaternion' frees it",
}
"""With a fixed base alone: two drones."""


def test_all_robots_are_there() -> None:
    """The collection has 69 files."""
    assert len(FILES) == 69


@pytest.mark.parametrize("base", BASES)
def test_which_are_refused(base: str) -> None:
    """Those that are refused are refused for what is wrong with them, and no others."""
    expected = {**REFUSED, **(WITHOUT_JOINTS if base == "fixed" else {})}
    told = {}
    for path in FILES:
        try:
            take_robot(path, base=base)
        except EomcError as error:
            told[path.stem] = str(error)
    assert told.keys() == expected.keys()
    for name, pattern in expected.items():
        assert re.search(pattern, told[name]), told[name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("base", BASES)
def test_every_robot_loads_or_is_refused(path: Path, base: str) -> None:
    """A robot that loads has the degrees of freedom of its file, and tells on a page what may be wrong with it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = eomc.from_urdf(path, base=base)
        except EomcError:
            assert path.stem in {**REFUSED, **WITHOUT_JOINTS}
            return
    moving = Counter(
        joint.get("type") for joint in ElementTree.parse(path).getroot().findall("joint") if joint.find("mimic") is None
    )
    single = moving["revolute"] + moving["continuous"] + moving["prismatic"]
    assert len(model.speeds) == single + (0 if base == "fixed" else 6)
    assert len(model.coordinates) == single + {"fixed": 0, "quaternion": 7, "angles": 6}[base]
    assert len(caught) <= 8
    assert all(len(str(one.message)) < 600 for one in caught)


@functools.cache
def findings() -> tuple[tuple[str, Finding], ...]:
    """Return all findings with the names of their robots, those with a free base."""
    found = []
    for path in FILES:
        if path.stem not in REFUSED:
            found += [(path.stem, finding) for finding in take_robot(path, base="quaternion").findings]
    return tuple(found)


@pytest.mark.parametrize(
    ("kind", "count", "files"),
    [
        (Kind.NO_AXIS, 0, 0),
        (Kind.NO_ORIGIN, 6, 4),
        (Kind.TURNED_INERTIA, 10, 5),
        (Kind.START_OUTSIDE, 52, 20),
        (Kind.NO_BOUNDS, 8, 2),
        (Kind.ENDLESS, 4, 1),
        (Kind.EQUAL_BOUNDS, 4, 2),
        (Kind.INERTIA_WITHOUT_MASS, 2, 1),
        (Kind.NEGATIVE_INERTIA, 6, 3),
        (Kind.MASSLESS_BODY, 19, 1),
    ],
    ids=lambda value: value.name if isinstance(value, Kind) else "",
)
def test_what_is_told_of_them(kind: Kind, count: int, files: int) -> None:
    """So many findings of a kind in so many files, as counted by another reader."""
    robots = [name for name, finding in findings() if finding.kind is kind]
    assert (len(robots), len(set(robots))) == (count, files)


def test_what_is_told_is_a_page() -> None:
    """Warnings and notes of the largest robot are some twenty lines."""
    largest = max(Counter(name for name, _ in findings()).items(), key=lambda item: item[1])[0]
    own = [finding for name, finding in findings() if name == largest]
    lines = [line for severity in Severity for line in summary(own, severity)]
    assert len(own) > 200
    assert len(lines) <= 20
