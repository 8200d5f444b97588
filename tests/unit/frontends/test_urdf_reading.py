"""The reader of URDF: what is refused, with which words; nothing is mended, nothing is guessed."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.errors import EomcError, ModelError, UsageError
from eomc.frontends.urdf import markup
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.robot import read_robot

ROBOTS = Path(__file__).resolve().parents[2] / "data" / "urdf"
FILES = sorted(ROBOTS.glob("*.urdf"))
ARM = (ROBOTS / "arm.urdf").read_bytes()
GRIPPER = (ROBOTS / "gripper.urdf").read_bytes()

ROBOT = """<robot name="r">
  <link name="a"/>
  <link name="b">
    <inertial>
      <origin xyz="0 0 1"/>
      <mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial>
  </link>
  <joint name="j" type="revolute">
    <parent link="a"/>
    <child link="b"/>
    <origin xyz="0 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <dynamics damping="0.1"/>
  </joint>
</robot>
"""
PARENT, CHILD = '<parent link="a"/>', '<child link="b"/>'


def read(tmp_path: Path, content: str | bytes) -> object:
    path = tmp_path / "robot.urdf"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_robot(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<robot ", "<!DOCTYPE robot>\n<robot ", r"line 1: the file has a document type"),
        ('<link name="a"/>', '<link name="a"/>\n<xacro:macro name="m"/>', r"line 3: <xacro:macro> .*: run xacro first"),
        ('lower="-1"', 'lower="${-pi}"', r"line 15: joint 'j': lower of <limit> is '\$\{-pi\}'.*: run xacro first"),
        ("</robot>", "</robot><robot/>", r"line 18: the file goes on after the end of its root element"),
        ("</joint>", "", r"line 18: an end tag does not belong to <joint>, which begins on line 10"),
        ("</robot>", "", r"ends too early inside of <robot>, which begins on line 1"),
        ("<robot ", "<robot version='2.0' ", r"version '2.0' of URDF"),
        ('name="a"', 'name="a" name="c"', r"line 2: this is no XML: duplicate attribute"),
        ('name="a"', 'name="&a;"', r"line 2: an entity is not defined"),
        ('name="a"', 'name=""', r"line 2: a link: the attribute name of <link> is empty"),
        ('name="a"', "", r"line 2: a link: <link> has no attribute name"),
        ('<link name="a"/>', '<link name="a"/><link name="a"/>', r"there are two links 'a', the first on line 2"),
        ('<link name="a"/>', '<link name="a"/>\n<link name="c"/>', r"2 links are the child of no joint: 'a' .*, 'c'"),
        ('<mass value="1"/>', "", r"line 4: link 'b': <inertial> has no element <mass>"),
        ('<mass value="1"/>', "<mass>1</mass>", r"line 6: link 'b': <mass> holds the text '1'"),
        ('<mass value="1"/>', '<mass value="-1"/>', r"line 6: link 'b': the mass is -1"),
        ('<mass value="1"/>', '<mass value="nan"/>', r"line 6: link 'b': value of <mass> is 'nan'"),
        ('<mass value="1"/>', '<mass value="1e999"/>', r"is '1e999', which is beyond the range of numbers"),
        ('<mass value="1"/>', '<mass value="1e200"/>', r"is 1e\+200: this is too large"),
        ('<mass value="1"/>', '<mass value="1_0"/>', r"is '1_0', which is no finite number"),
        ('<mass value="1"/>', '<mass value="1,5"/>', r"decimals have a point"),
        ('<mass value="1"/>', '<mass value="\u0661"/>', r"which is no finite number"),
        ('<mass value="1"/>', '<mass valeu="1"/>', r"did you mean value\?"),
        ('<mass value="1"/>', '<mass value="1"/><mass value="2"/>', r"two elements <mass>, the first on line 6"),
        (' izz="1"', "", r"line 7: link 'b': <inertia> has no attribute izz"),
        ("inertial>", "inertail>", r"the element <inertail> of <link> is not known: did you mean inertial\?"),
        ('xyz="0 0 1"/>\n      <mass', 'xyz="0 0"/>\n      <mass', r"xyz of <origin> is '0 0': it needs three numbers"),
        (
            '<origin xyz="0 0 0"/>',
            '<origin quat_xyzw="0 0 0 1"/>',
            r"the attribute 'quat_xyzw' of <origin> is not",
        ),
        ('type="revolute"', 'type="revolut"', r"line 10: joint 'j': .*'revolut': did you mean revolute\?"),
        ('type="revolute"', 'type="ball"', r"no type of joint 'ball': known are revolute, continuous"),
        ('type="revolute"', "", r"line 10: joint 'j': <joint> has no attribute type"),
        (PARENT, "", r"joint 'j': it has no element <parent>"),
        (PARENT, '<parent link="A"/>', r"joint 'j': its parent 'A' is no link of this robot"),
        (PARENT, '<parent link="b"/>', r"joint 'j': link 'b' is its parent and its child"),
        (PARENT, PARENT * 2, r"joint 'j' has two elements <parent>"),
        (CHILD, '<child link="b"/>stray', r"joint 'j': <joint> holds the text 'stray'"),
        ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', r"line 14: joint 'j': the axis is zero"),
        ('lower="-1"', 'lower="2"', r"the lower limit 2 is above the upper limit 1"),
        ('damping="0.1"', 'dampng="0.1"', r"the attribute dampng of <dynamics> is not known: did you mean damping\?"),
        ('damping="0.1"', 'damping="-0.1"', r"damping or friction is negative"),
        ('<axis xyz="0 0 1"/>', '<mimic joint="k"/>', r"joint 'j' mimics 'k', which is no joint of this robot"),
        ('<axis xyz="0 0 1"/>', '<mimic joint="j"/>', r"joint 'j' mimics itself"),
        ('<axis xyz="0 0 1"/>', '<mimic joint="k" multiplier="0"/>', r"by the multiplier 0, so that it never moves"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    """One mistake in a sound robot is refused in words that name the link or joint and the line."""
    read(tmp_path, ROBOT)
    assert ROBOT.count(old) >= 1
    with pytest.raises(ModelError, match=told) as caught:
        read(tmp_path, ROBOT.replace(old, new))
    assert "robot.urdf, line " in str(caught.value)


def joint(name: str, parent: str, child: str) -> str:
    return f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/></joint>'


@pytest.mark.parametrize(
    ("joints", "told"),
    [
        ([("j", "a", "b"), ("j", "b", "c")], "there are two joints 'j'"),
        ([("j", "a", "c"), ("k", "b", "c"), ("l", "a", "b")], "link 'c' is also the child of joint 'j' .*closures="),
        ([("j", "a", "b"), ("k", "b", "c"), ("l", "c", "a")], "every link is the child of a joint"),
        ([("j", "b", "c"), ("k", "c", "b")], "link 'b' is not reached from the root 'a'"),
    ],
)
def test_what_is_no_tree_is_refused(tmp_path: Path, joints: list[tuple[str, str, str]], told: str) -> None:
    """Links and joints make one tree: no loop, no link on two joints, no name twice."""
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    with pytest.raises(ModelError, match=told):
        read(tmp_path, f'<robot name="r">{links}{"".join(joint(*one) for one in joints)}</robot>')


def test_followers_in_a_circle_are_refused(tmp_path: Path) -> None:
    """Of joints that mimic each other one must lead."""
    text = ROBOT.replace("</dynamics>", "").replace('<dynamics damping="0.1"/>', '<mimic joint="k"/>')
    second = joint("k", "b", "c").replace("</joint>", '<mimic joint="j"/></joint>')
    with pytest.raises(ModelError, match="joint 'j' mimics itself, by way of 'j', 'k'"):
        read(tmp_path, text.replace("</robot>", f'<link name="c"/>{second}</robot>'))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "there is no element: the file is empty"),
        (b"   \n", "there is no element: the file is empty"),
        (b"<!-- nothing -->", "there is no element: the file is empty"),
        (b"robot", "this is no XML: syntax error|not well-formed"),
        (b"\x00\x01\x02", "this is no XML"),
        (b"<robot name='r'/>", "the robot is empty: it has no link"),
        (b"<robot xmlns:xacro='http://wiki.ros.org/xacro'/>", "the robot is empty: .*a macro was defined and never"),
        (b"<mujoco/>", "the root element is <mujoco>, not <robot>: this is MJCF"),
        (b"<sdf/>", "the root element is <sdf>, not <robot>: this is SDF"),
        (b"<?xml version='1.0' encoding='wonderful'?><robot/>", "encoding"),
        (b"<?xml version='1.0' encoding='utf-7'?><robot/>", "encoding"),
    ],
)
def test_what_is_no_robot_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    """A file without a robot is told to be so, and never becomes a robot without links."""
    with pytest.raises(ModelError, match=told):
        read(tmp_path, content)


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    """A document type, which could define entities that grow or read files, ends the reading at its own line."""
    bomb = '<?xml version="1.0"?>\n<!DOCTYPE robot [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<robot name="&b;"/>'
    secret = '<!DOCTYPE robot SYSTEM "file:///etc/passwd">\n<robot name="r"/>'
    with pytest.raises(ModelError, match="line 2: the file has a document type"):
        read(tmp_path, bomb)
    with pytest.raises(ModelError, match="line 1: the file has a document type"):
        read(tmp_path, secret)


def test_limits_of_size_depth_and_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is too large, too deep or too full is refused before it costs memory."""
    with pytest.raises(ModelError, match="more than 64 elements stand in each other"):
        read(tmp_path, "<a>" * 200_000)
    monkeypatch.setattr(markup, "MOST", 100)
    with pytest.raises(ModelError, match="the file has more than 100 elements"):
        read(tmp_path, "<robot>" + "<link/>" * 200 + "</robot>")
    path = tmp_path / "large.urdf"
    with path.open("wb") as stream:
        stream.truncate(markup.LARGEST + 1)
    with pytest.raises(ModelError, match="the file has more than 32 MiB"):
        read_robot(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and a folder are no robots."""
    with pytest.raises(UsageError, match=r"nothing\.urdf: there is no such file"):
        read_robot(tmp_path / "nothing.urdf")
    with pytest.raises(UsageError, match=f"{tmp_path.name}: this is a folder"):
        read_robot(tmp_path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_truncated_file_is_never_a_robot(path: Path) -> None:
    """However many bytes are missing at the end, the file is refused: no part of a robot is a robot."""
    content = path.read_bytes()
    for length in range(len(content.rstrip())):
        with pytest.raises(Fault):
            markup.read_markup(content[:length])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_other_spellings_of_a_file_are_the_same_robot(tmp_path: Path, path: Path) -> None:
    """Line ends of other systems, a mark of the byte order and UTF-16 change nothing but lines in findings."""
    text = path.read_text(encoding="utf-8")
    own = read_robot(path)
    bare = text.partition("?>")[2] if text.startswith("<?xml") else text
    spellings = [
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + text.encode(),
        bare.encode("utf-16"),
    ]
    for content in spellings:
        other = tmp_path / path.name
        other.write_bytes(content)
        found = read_robot(other)
        assert [link.inertial and link.inertial.mass for link in found.links] == [
            link.inertial and link.inertial.mass for link in own.links
        ]
        assert [(one.name, one.pose, one.axis, one.limit) for one in found.joints] == [
            (one.name, one.pose, one.axis, one.limit) for one in own.joints
        ]


def plainly(content: bytes) -> tuple[list[object], list[object]]:
    """Read the masses of links and the ends of joints with the standard library's own tree."""
    root = ElementTree.fromstring(content)
    masses = []
    for link in root.findall("link"):
        mass = link.find("inertial/mass")
        masses.append((link.get("name"), None if mass is None else float(mass.get("value"))))
    ends = [
        (one.get("name"), one.get("type"), one.find("parent").get("link"), one.find("child").get("link"))
        for one in root.findall("joint")
    ]
    return masses, ends


STRANGE = [
    b"nan", b"-inf", b"1e400", b"<", b">", b'"', b"&", b"\x00", b"\xff", "é".encode(), b"<link/>", b"</robot>", b"]]>",
    b"<!--", b"-->", b"<![CDATA[", b"xacro:", b"<robot>", b" ", b"0", b"9" * 400, b"name", b"\r", b"<?x ?>",
]  # fmt: skip


@given(st.data())
def test_spoilt_files_are_refused_or_read_rightly(spoilt: Path, data: st.DataObject) -> None:
    """A robot in which bytes are lost, doubled or strange is refused in one sentence, or it is what stands there."""
    content = data.draw(st.sampled_from([ARM, GRIPPER, ROBOT.encode()]))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 60)))
        piece = data.draw(st.sampled_from([b"", content[start:end] * 2, *STRANGE]) | st.binary(max_size=5))
        content = content[:start] + piece + content[end:]
    spoilt.write_bytes(content)
    told, robot = "", None
    try:
        robot = read_robot(spoilt)
    except EomcError as error:
        told = str(error)
    if robot is None:
        assert "spoilt.urdf" in told
        assert "\n" not in told
        return
    try:
        masses, ends = plainly(content)
    except ElementTree.ParseError as error:  # a prefix that is bound to nothing: such elements are not read
        if "unbound prefix" in str(error):
            return
        raise
    assert [(link.name, link.inertial.mass if link.inertial else None) for link in robot.links] == masses
    assert [(one.name, one.type.value, one.parent, one.child) for one in robot.joints] == ends


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spoilt") / "spoilt.urdf"
