"""What is told of a robot that is taken: one small file for each kind of finding, and what follows from it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest

from eomc.errors import ModelError, UsageError
from eomc.frontends.robots.findings import Finding, Kind, Severity, summary
from eomc.frontends.urdf.taking import Taken, take_robot

ROBOTS = Path(__file__).resolve().parents[2] / "data" / "urdf"
UNSAID = {Kind.NO_INERTIAL, Kind.IGNORED_ELEMENT}  # where a file is about something else


def found(taken: Taken) -> dict[Kind, list[str]]:
    """Return what is told of which links and joints, in order."""
    told: dict[Kind, list[str]] = {}
    for finding in taken.findings:
        if finding.kind not in UNSAID:
            told.setdefault(finding.kind, []).append(finding.where)
    return told


EXPECTED = {
    "arm": {Kind.SNAPPED: ["shoulder", "extension", "mount"], Kind.DRY_FRICTION: ["waist"]},
    "inertias": {
        Kind.TURNED_INERTIA: ["turned"],
        Kind.POINT_MASS: ["bead"],
        Kind.NO_MASS: ["weightless"],
        Kind.INERTIA_WITHOUT_MASS: ["rotor"],
        Kind.NEGATIVE_INERTIA: ["negative"],
        Kind.BROKEN_TRIANGLE: ["triangle"],
        Kind.INDEFINITE_BODY: ["negative"],
        Kind.PLACEHOLDER: ["placeholder"],
    },
    "massless": {Kind.NO_MASS: ["second"], Kind.MASSLESS_BODY: ["first", "second"]},
    "vehicles": {},
    "gripper": {
        Kind.MIMIC: ["opposite", "bend", "slide"],
        Kind.FIXED_MIMIC: ["glue"],
        Kind.DRY_FRICTION: ["finger", "opposite"],
    },
    "limits": {
        Kind.EQUAL_BOUNDS: ["equal"],
        Kind.ENDLESS: ["endless"],
        Kind.NO_EFFORT: ["idle"],
        Kind.NO_BOUNDS: ["half"],
        Kind.NO_LIMIT: ["missing"],
        Kind.START_OUTSIDE: ["outside"],
    },
    "names": {Kind.RENAMED: ["joint_1.0", "joint_1-0", "t", "épaule 3"]},
    "axes": {
        Kind.LONG_AXIS: ["long", "skew"],
        Kind.NO_AXIS: ["default"],
        Kind.NO_ORIGIN: ["here"],
        Kind.NEAR_RIGHT_ANGLE: ["long"],
        Kind.SNAPPED: ["skew"],
    },
    "extras": {
        Kind.IGNORED_ATTRIBUTE: ["dynamics/D", "dynamics/K"],
        Kind.UNKNOWN_ELEMENT: ["link/gravity"],
        Kind.UNSEEN: ["wheel"],
        Kind.UNCOLOURED: ["painted"],
    },
    "satellite": {Kind.NO_ROBOT_NAME: ["satellite"]},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_each_finding_is_told_and_no_other(name: str) -> None:
    """A file tells what it is made for, of those links and joints that have it."""
    base = "quaternion" if name == "satellite" else "fixed"
    assert found(take_robot(ROBOTS / f"{name}.urdf", base=base)) == EXPECTED[name]


def test_every_kind_of_finding_has_a_file() -> None:
    """No kind of finding is without a robot that shows it, and no robot is without a test."""
    shown = {kind for kinds in EXPECTED.values() for kind in kinds} | UNSAID
    assert shown == set(Kind)
    assert set(EXPECTED) == {path.stem for path in ROBOTS.glob("*.urdf")}


def test_what_is_not_read_is_listed() -> None:
    """Elements of other programs are counted by their place; their order is that of the file."""
    taken = take_robot(ROBOTS / "extras.urdf")
    ignored = [finding.where for finding in taken.findings if finding.kind is Kind.IGNORED_ELEMENT]
    assert ignored == [
        *(f"robot/{tag}" for tag in ("transmission", "gazebo")),
        "link/collision",
        *(f"joint/{tag}" for tag in ("safety_controller", "calibration")),
    ]


def told(findings: Iterable[Finding]) -> list[str]:
    return summary(findings, Severity.WARNING)


def test_many_findings_are_one_sentence() -> None:
    """A thousand links of one kind are a line with the first few names; one has its line and its number."""
    many = [Finding(Kind.BROKEN_TRIANGLE, f"link_{number}", number) for number in range(1, 1001)]
    (sentence,) = told(many)
    assert sentence.startswith("1000 links ('link_1', 'link_2', 'link_3', 'link_4' and 996 more): a principal moment")
    (sentence,) = told([Finding(Kind.PLACEHOLDER, "thumb", 7, "1e-09 kg")])
    assert sentence.startswith("link 'thumb' (line 7): ")
    assert sentence.endswith("[1e-09 kg]")
    assert told([Finding(Kind.NO_MASS, "frame", 3)]) == []


BALL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
MASSLESS = """<robot name="r">
  <link name="a"/>
  <link name="b"/>
  <link name="c"/>
  <joint name="j" type="{first}"><parent link="a"/><child link="b"/></joint>
  <joint name="k" type="{second}"><parent link="b"/><child link="c"/>{inside}</joint>
</robot>
"""


def massless(tmp_path: Path, first: str, second: str, inside: str = "") -> Path:
    path = tmp_path / "massless.urdf"
    path.write_text(MASSLESS.format(first=first, second=second, inside=inside), encoding="utf-8")
    return path


def test_limits_of_a_continuous_joint_bound_nothing(tmp_path: Path) -> None:
    """They are not read, and that is told with the joint; angles are told as they are written."""
    path = tmp_path / "wheel.urdf"
    path.write_text(
        f'<robot name="r"><link name="a"/><link name="b">{BALL}</link><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/><origin rpy="0 1.57 0"/>'
        '<limit lower="-1" upper="2" effort="1" velocity="3"/>'
        "</joint></robot>",
        encoding="utf-8",
    )
    robot = take_robot(path)
    told = [str(one) for one in summary(robot.findings, Severity.NOTE)]
    assert any("'limit/lower of j, which is continuous'" in line and "not read" in line for line in told)
    assert any("[0, 1.57, 0]" in line for line in told)


def test_a_joint_that_moves_no_mass_is_refused(tmp_path: Path) -> None:
    """Without mass from a joint on outwards its acceleration is not determined; the first such joint is named."""
    with pytest.raises(ModelError, match=r"line 5: joint 'j' moves 'b', 'c', which has no mass"):
        take_robot(massless(tmp_path, "continuous", "fixed"))
    with pytest.raises(
        ModelError, match=r"line 5: joint 'j' moves 'b' with all that is carried, .* nor is that of 'k'; give"
    ):
        take_robot(massless(tmp_path, "continuous", "prismatic"))
    with pytest.raises(ModelError, match=r"nothing of this robot moves: it has 3 links"):
        take_robot(massless(tmp_path, "fixed", "fixed"))
    with pytest.raises(ModelError, match=r"joint 'j' moves 'b', 'c'"):
        take_robot(massless(tmp_path, "floating", "fixed"))


def test_a_base_without_mass_is_refused(tmp_path: Path) -> None:
    """A free base needs mass somewhere."""
    path = tmp_path / "nothing.urdf"
    path.write_text('<robot name="r"><link name="a"/></robot>', encoding="utf-8")
    with pytest.raises(ModelError, match=r"the free base moves 'a', which has no mass"):
        take_robot(path, base="angles")


def test_inertia_suffices_to_turn_and_not_to_slide(tmp_path: Path) -> None:
    """A link of inertia without mass resists a turn about its joint, but no push along it."""
    rotor = f'<link name="b">{BALL.replace("1", "0", 1)}</link>'
    path = massless(tmp_path, "continuous", "fixed")
    text = path.read_text(encoding="utf-8").replace('<link name="b"/>', rotor)
    path.write_text(text, encoding="utf-8")
    assert Kind.INERTIA_WITHOUT_MASS in found(take_robot(path))
    path.write_text(text.replace("continuous", "prismatic"), encoding="utf-8")
    with pytest.raises(ModelError, match="joint 'j' moves 'b', 'c', which has no mass"):
        take_robot(path)


def test_followers_with_mass_carry_their_leader(tmp_path: Path) -> None:
    """A joint without mass is moved by the inertia of those that follow it."""
    path = massless(tmp_path, "continuous", "continuous", '<mimic joint="j"/>')
    with pytest.raises(ModelError, match="joint 'j' moves 'b'"):
        take_robot(path)
    heavy = f'<link name="c">{BALL}</link>'
    path.write_text(
        path.read_text(encoding="utf-8")
        .replace('<link name="c"/>', heavy)
        .replace('parent link="b"', 'parent link="a"'),
        encoding="utf-8",
    )
    assert found(take_robot(path)) == {
        Kind.NO_ORIGIN: ["j", "k"],
        Kind.NO_AXIS: ["j", "k"],
        Kind.MIMIC: ["k"],
        Kind.MASSLESS_BODY: ["b"],
    }


@pytest.mark.parametrize("count", [6, 7])
def test_links_without_mass_in_a_row(tmp_path: Path, count: int) -> None:
    """Six joints place the body at the end; with a seventh some motion of the links without mass moves nothing."""
    links = "".join(f'<link name="l{number}"/>' for number in range(count)) + f'<link name="l{count}">{BALL}</link>'
    joints = "".join(
        f'<joint name="j{number}" type="continuous"><parent link="l{number}"/><child link="l{number + 1}"/></joint>\n'
        for number in range(count)
    )
    path = tmp_path / "row.urdf"
    path.write_text(f'<robot name="row">{links}\n{joints}</robot>', encoding="utf-8")
    if count == 6:
        assert len(found(take_robot(path))[Kind.MASSLESS_BODY]) == 5
    else:
        with pytest.raises(ModelError, match=r"line 2: from joint 'j0' to link 'l7' there is no mass"):
            take_robot(path)
    with pytest.raises(ModelError, match=r"from the free base to link 'l1' there is no mass, .*, or take base='fixed'"):
        take_robot(path, base="angles")


@pytest.mark.parametrize("count", [3, 4])
def test_links_without_mass_that_branch(tmp_path: Path, count: int) -> None:
    """A free base and three joints to each of two bodies place these; with a fourth joint something moves nothing."""
    parts = ['<link name="base"/>']
    for side in "ab":
        parts += [f'<link name="{side}{k}">{BALL if k == count else ""}</link>' for k in range(1, count + 1)]
        names = ["base", *(f"{side}{k}" for k in range(1, count + 1))]
        parts += [
            f'<joint name="{side}_{k}" type="continuous"><parent link="{above}"/><child link="{link}"/></joint>'
            for k, (above, link) in enumerate(itertools.pairwise(names))
        ]
    path = tmp_path / "two.urdf"
    path.write_text(f'<robot name="two">{"".join(parts)}</robot>', encoding="utf-8")
    take_robot(path)
    if count == 3:
        assert take_robot(path, base="angles")
    else:
        told = (
            r"from the free base to link 'a4', 'b4' there is no mass, and .* six degrees of freedom for each: .*fixed"
        )
        with pytest.raises(ModelError, match=told):
            take_robot(path, base="angles")


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"base": "free"}, r"base='free': (did you mean|known are)"),
        ({"base": None}, r"base=None"),
        ({"base_speeds": "bodies"}, r"base_speeds='bodies': did you mean body\?"),
        ({"inputs": "torque"}, r"did you mean torques\?"),
        ({"damping": 1}, r"damping=1: give True or False"),
        ({"snap": None}, r"snap=None: give True or False"),
        ({"friction": 0}, r"friction=0: give the speed"),
        ({"friction": True}, r"friction=True: give the speed"),
        ({"friction": float("nan")}, r"friction=nan: give the speed"),
        ({"parameters": "some"}, r"parameters='some': give 'none', 'all'"),
        ({"parameters": 3}, r"parameters=3: give 'none', 'all'"),
        ({"parameters": ["bom"]}, r"link 'bom', which the robot has not: did you mean boom\?"),
        ({"parameters": ["base"]}, r"link 'base', which does not move"),
    ],
)
def test_wishes_that_cannot_be_meant(wish: dict[str, object], told: str) -> None:
    """A word that is not known is told with those that are."""
    with pytest.raises(UsageError, match=told):
        take_robot(ROBOTS / "arm.urdf", **wish)
