"""From elements of URDF to links and joints: frames against SciPy, inertias against sums over points in NumPy."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from sympy.physics.vector import dynamicsymbols

import eomc
from eomc.frontends.robots.bodies import bodies_of
from eomc.frontends.robots.findings import Kind
from eomc.frontends.robots.matrices import turned
from eomc.frontends.robots.names import Names, identifier
from eomc.frontends.urdf.rotations import across, rotation
from eomc.frontends.urdf.taking import Taken, take_robot
from eomc.model.names import name_of
from eomc.model.trees.inertial_parameters import first_unphysical
from eomc.model.trees.physical import Flaw, flaw_of, principal_moments
from eomc.model.trees.records import Joint, JointKind, Link

ROBOTS = Path(__file__).resolve().parents[2] / "data" / "urdf"
ANGLES = st.floats(-7, 7)
TRIPLES = st.tuples(*[st.floats(-1, 1)] * 3)


def joints(taken: Taken) -> dict[str, Joint]:
    return {joint.name: joint for joint in taken.joints}


def names(taken: Taken) -> list[str]:
    return [name_of(one.symbol) for one in taken.coordinates]


@given(st.tuples(ANGLES, ANGLES, ANGLES))
def test_roll_pitch_and_yaw_are_about_fixed_axes(rpy: tuple[float, float, float]) -> None:
    """R = R_z(yaw) R_y(pitch) R_x(roll), as SciPy has it for turns about fixed axes."""
    np.testing.assert_allclose(rotation(rpy, snap=False), Rotation.from_euler("xyz", rpy).as_matrix(), atol=1e-15)


@given(st.tuples(*[st.integers(-8, 8)] * 3), st.tuples(*[st.sampled_from([0.0, 3e-12, -9e-12])] * 3))
def test_right_angles_have_exact_sines(turns: tuple[int, ...], errors: tuple[float, ...]) -> None:
    """Multiples of pi/2 to twelve digits make matrices of 0 and 1 alone; of these there is no minus zero."""
    rpy = tuple(turn * math.pi / 2 + error for turn, error in zip(turns, errors, strict=True))
    found = np.array(rotation(rpy, snap=True))
    assert set(np.abs(found).ravel()) == {0.0, 1.0}
    assert not np.any(np.signbit(found) & (found == 0))
    np.testing.assert_array_equal(found @ found.T, np.eye(3))
    np.testing.assert_allclose(found, Rotation.from_euler("xyz", rpy).as_matrix(), atol=1e-10)


@pytest.mark.parametrize("angle", [1.5708, 1.5707963, 1.570796327, 1.57079632679 + 2e-11, 0.1])
def test_other_angles_are_kept(angle: float) -> None:
    """What is not a right angle to twelve digits is the angle that is written."""
    assert rotation((angle, 0.0, 0.0), snap=True) == rotation((angle, 0.0, 0.0), snap=False)


@given(st.lists(st.tuples(st.floats(0.1, 2), TRIPLES), min_size=1, max_size=6), st.tuples(ANGLES, ANGLES, ANGLES))
def test_an_inertia_that_is_turned_is_that_of_turned_points(points: list[tuple[float, tuple[float, ...]]], rpy) -> None:
    """The tensor of points in axes of another frame is R I R^T."""
    turn = rotation(rpy, snap=True)
    masses = np.array([mass for mass, _ in points])
    places = np.array([place for _, place in points])
    tensor = inertia_of(masses, places)
    found = np.array(turned(tuple(map(tuple, tensor.tolist())), turn))
    np.testing.assert_allclose(found, inertia_of(masses, places @ np.array(turn).T), atol=1e-13)
    np.testing.assert_array_equal(found, found.T)


def inertia_of(masses: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the tensor of point masses about the origin."""
    return sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, places, strict=True))


def test_the_inertia_of_a_link_is_in_its_own_axes() -> None:
    """An inertial frame that is turned against the link: SciPy's rotation applied to the file's numbers."""
    link = next(one for one in take_robot(ROBOTS / "inertias.urdf").links if one.name == "turned")
    own = np.array([[0.03, 0.002, -0.001], [0.002, 0.04, 0.003], [-0.001, 0.003, 0.05]])
    turn = Rotation.from_euler("xyz", [0.4, -0.5, 0.6]).as_matrix()
    np.testing.assert_allclose(np.array(link.inertia), turn @ own @ turn.T, atol=1e-16)
    assert link.centre == (0.1, 0.2, 0.3)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: math.hypot(*axis) > 1e-3))
def test_a_plane_has_a_right_handed_frame(axis: tuple[float, ...]) -> None:
    """The two directions of a plane and its normal are orthonormal and right-handed."""
    length = math.hypot(*axis)
    normal = tuple(component / length for component in axis)
    frame = np.array([*across(normal), normal])
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(frame) > 0


def test_a_plane_of_the_frame_keeps_its_axes() -> None:
    """Across z are x and y, across x are y and z, across y are z and x, exactly."""
    assert across((0.0, 0.0, 1.0)) == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert across((1.0, 0.0, 0.0)) == ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert across((0.0, 1.0, 0.0)) == ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    assert across((0.0, 0.0, -1.0)) == ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0))


def test_joints_of_an_arm() -> None:
    """Kinds, frames, axes, limits and losses are those of the file; coordinates are named after the joints."""
    taken = take_robot(ROBOTS / "arm.urdf")
    found = joints(taken)
    assert [joint.kind for joint in taken.joints] == [
        JointKind.REVOLUTE,
        JointKind.REVOLUTE,
        JointKind.PRISMATIC,
        JointKind.REVOLUTE,
        JointKind.FIXED,
    ]
    shoulder = found["shoulder"]
    assert shoulder.rotation == ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    assert shoulder.offset == (0.05, 0.0, 0.3)
    assert shoulder.axis == (0.0, 0.0, -1.0)
    limits = shoulder.limits
    assert (limits.lower, limits.upper, limits.effort, limits.speed) == (-1.5, 2.0, 60.0, 2.5)
    assert found["waist"].limits.lower is None
    assert (found["waist"].damping, found["waist"].friction, found["mount"].damping) == (0.5, 0.2, 0.0)
    moving = ("waist", "shoulder", "extension", "roll")
    assert names(taken) == [name for joint in moving for name in (joint, f"{joint}_d")]
    assert taken.initial[dynamicsymbols("extension")] == (0.0, "m", "joint extension, effort at most 200 N")
    assert taken.initial[dynamicsymbols("extension_d")] == (0.0, "m/s", "speed of joint extension")
    assert taken.root == "base"


def test_right_angles_may_be_kept_as_they_are_written() -> None:
    """Without snapping the matrix is that of the decimals, and nothing is told."""
    taken = take_robot(ROBOTS / "arm.urdf", snap=False)
    np.testing.assert_array_equal(
        joints(taken)["shoulder"].rotation[1], (0.0, math.cos(1.57079632679), -math.sin(1.57079632679))
    )
    assert not [finding for finding in taken.findings if finding.kind in (Kind.SNAPPED, Kind.NEAR_RIGHT_ANGLE)]


def test_an_axis_is_a_direction() -> None:
    """Axes get the length one, whatever is written; x is meant where there is none."""
    found = joints(take_robot(ROBOTS / "axes.urdf"))
    assert found["long"].axis == (0.0, 0.0, 1.0)
    np.testing.assert_allclose(found["skew"].axis, (1 / 3, 2 / 3, -2 / 3), rtol=1e-15)
    assert found["default"].axis == (1.0, 0.0, 0.0)
    assert found["here"].axis == (0.0, -1.0, 0.0)


def test_a_start_outside_of_limits_is_moved_into_them() -> None:
    """Where zero is outside of the limits, a joint starts in their middle."""
    taken = take_robot(ROBOTS / "limits.urdf")
    assert taken.initial[dynamicsymbols("outside")][0] == -1.5
    assert [name_of(one.symbol) for one in taken.coordinates if one.start] == ["outside"]
    limits = {joint.name: joint.limits for joint in taken.joints}
    assert limits["idle"].speed is limits["idle"].effort is limits["endless"].upper is limits["equal"].upper is None


LIMIT = '<limit lower="{}" upper="{}" effort="1" velocity="1"/>'


@pytest.mark.parametrize(
    ("factor", "lower", "upper", "start"),
    [(1.0, 0.5, 0.7, 0.6), (-2.0, 0.5, 0.7, -0.3), (1.0, -0.5, 0.7, 0.0), (1.0, 5.0, 6.0, 0.0)],
)
def test_a_start_outside_of_the_limits_of_a_follower_is_moved_into_them(
    tmp_path: Path, factor: float, lower: float, upper: float, start: float
) -> None:
    """The leader starts where its follower may be, and that is told; not where limits have nothing in common."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{mass}</link>' for name in "abc")
    ends = '<parent link="{}"/><child link="{}"/>'
    leader = f'<joint name="j" type="revolute">{ends.format("a", "b")}{LIMIT.format(-1, 2)}</joint>'
    mimic = f'<mimic joint="j" multiplier="{factor}"/>'
    follower = f'<joint name="k" type="revolute">{ends.format("b", "c")}{LIMIT.format(lower, upper)}{mimic}</joint>'
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="robot">{links}{leader}{follower}</robot>', encoding="utf-8")
    taken = take_robot(path)
    assert taken.initial[dynamicsymbols("j")][0] == pytest.approx(start, rel=1e-15)
    told = [one.where for one in taken.findings if one.kind is Kind.START_OUTSIDE]
    assert told == (["j"] if start else [])


@pytest.mark.parametrize(("base", "kind"), [("quaternion", "child"), ("angles", "child"), ("quaternion", "parent")])
def test_a_free_base_hangs_on_a_root_of_its_own(base: str, kind: str) -> None:
    """A free joint of six speeds between a world and the file's root; the quaternion starts at no turn."""
    speeds = {"child": "body", "parent": "world"}[kind]
    taken = take_robot(ROBOTS / "satellite.urdf", base=base, base_speeds=speeds)
    free = joints(taken)["base"]
    assert (free.kind, free.parent, free.child, free.speeds_in) == (JointKind.FREE, "world", "hull", kind)
    turning = ["base_angle_x", "base_angle_y", "base_angle_z"]
    if base == "quaternion":
        turning = ["base_qw", "base_qx", "base_qy", "base_qz"]
        assert [taken.initial[q][0] for q in free.coordinates] == [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert [name_of(q) for q in free.coordinates] == ["base_x", "base_y", "base_z", *turning]
    assert [name_of(u) for u in free.speeds] == [f"base_{letter}{axis}" for letter in "vw" for axis in "xyz"]


def test_planar_and_floating_joints() -> None:
    """A planar joint slides twice and turns once in its own frame; a floating one is a free joint."""
    found = joints(take_robot(ROBOTS / "vehicles.urdf", base_speeds="world"))
    assert [*found] == ["drive_x", "drive_y", "drive", "flight"]
    x, y, turn, flight = found.values()
    assert [(one.parent, one.child) for one in (x, y, turn)] == [
        ("site", "drive_x"),
        ("drive_x", "drive_y"),
        ("drive_y", "cart"),
    ]
    assert [one.axis for one in (x, y, turn)] == [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    assert (x.offset, y.offset, turn.offset) == ((1.0, 2.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert {one.damping for one in (x, y, turn)} == {0.3}
    assert (flight.kind, flight.offset, flight.speeds_in) == (JointKind.FREE, (0.0, 0.0, 3.0), "parent")


def test_followers_have_the_law_of_the_joint_at_the_end() -> None:
    """A row of followers is resolved: bend = 0.5 (-finger) + 0.1; followers have no coordinates and no torque."""
    taken = take_robot(ROBOTS / "gripper.urdf")
    found = joints(taken)
    laws = {name: (one.mimic.joint, one.mimic.factor, one.mimic.offset) for name, one in found.items() if one.mimic}
    assert laws == {
        "opposite": ("finger", -1.0, 0.0),
        "bend": ("finger", -0.5, 0.1),
        "slide": ("finger", 0.02, 0.0),
    }
    assert names(taken) == ["finger", "finger_d"]
    assert [load.joint for load in taken.loads] == ["finger"]


def test_losses_on_request() -> None:
    """Damping may be left out; dry friction is f tanh(u/v) where v is given, of followers in their own speed."""
    bare = joints(take_robot(ROBOTS / "gripper.urdf", damping=False))
    assert bare["finger"].damping == 0.0
    taken = take_robot(ROBOTS / "gripper.urdf", inputs="none", friction=0.02)
    u = dynamicsymbols("finger_d")
    loads = {load.joint: load.loads for load in taken.loads}
    assert loads == {
        "finger": (-0.05 * sympy.tanh(u / 0.02),),
        "opposite": (-0.05 * sympy.tanh(-1.0 * u / 0.02),),
    }
    assert not taken.inputs
    assert Kind.DRY_FRICTION not in {finding.kind for finding in taken.findings}


def test_torques_say_what_the_drives_can() -> None:
    """Each joint of one coordinate has an input, in N m or N, with the limit of its effort in words."""
    taken = take_robot(ROBOTS / "arm.urdf")
    assert {name_of(tau): meaning for tau, meaning in taken.inputs.items()} == {
        "tau_waist": (0.0, "N m", "torque of joint waist, at most 80 N m"),
        "tau_shoulder": (0.0, "N m", "torque of joint shoulder, at most 60 N m"),
        "tau_extension": (0.0, "N", "force of joint extension, at most 200 N"),
        "tau_roll": (0.0, "N m", "torque of joint roll, at most 10 N m"),
    }
    assert [load.joint for load in taken.loads] == ["waist", "shoulder", "extension", "roll"]


def test_all_ten_numbers_of_a_link_are_parameters() -> None:
    """Every link with an inertial element that moves has ten parameters, zeros too; those that are named likewise."""
    taken = take_robot(ROBOTS / "arm.urdf", parameters="all")
    per_link = ["m", "cx", "cy", "cz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"]
    moving = ["column", "boom", "slider", "wrist"]
    assert [symbol.name for symbol in taken.parameters] == [f"{word}_{link}" for link in moving for word in per_link]
    values = {symbol.name: value for symbol, (value, _, _) in taken.parameters.items()}
    assert (values["m_boom"], values["cx_boom"], values["Ixy_boom"], values["Ixz_boom"]) == (2.0, 0.2, 0.0, 0.0003)
    boom = next(link for link in taken.links if link.name == "boom")
    assert [str(entry) for entry in boom.inertia[2]] == ["Ixz_boom", "Iyz_boom", "Izz_boom"]
    own = take_robot(ROBOTS / "arm.urdf", parameters=["tool"])
    assert next(iter(own.parameters.values())) == (0.0, "kg", "mass of link tool")
    assert len(own.parameters) == 10


def test_names_become_identifiers_once() -> None:
    """Names of joints become names of C, each another; the joint keeps its own."""
    taken = take_robot(ROBOTS / "names.urdf", parameters="all")
    assert taken.name == "robot_2dof_planar"
    assert names(taken)[::2] == ["joint_1_0", "joint_1_0_2", "t_2", "epaule_3"]
    assert names(taken)[1::2] == ["joint_1_0_d", "joint_1_0_2_d", "t_2_d", "epaule_3_d"]
    assert [joint.name for joint in taken.joints] == ["joint_1.0", "joint_1-0", "t", "épaule 3"]
    assert taken.coordinates[0].meaning == "joint joint_1.0"
    words = [*names(taken), *map(name_of, taken.inputs), *map(name_of, taken.parameters)]
    assert len(words) == len(set(words)) == 8 + 4 + 40


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=8))
def test_any_names_become_different_identifiers(given_names: list[str]) -> None:
    """Whatever the characters are: ASCII identifiers, all different."""
    given_away = Names("t")
    made = [given_away.take(identifier(name, "joint")) for name in given_names]
    assert all(name.isascii() and name.isidentifier() and name[0].isalpha() for name in made)
    assert len({*made, "t"}) == len(made) + 1


def test_links_that_are_fixed_to_each_other_are_one_body() -> None:
    """Mass, centre and inertia of a hull with its antenna, by sums over the parts in NumPy."""
    taken = take_robot(ROBOTS / "satellite.urdf", base="quaternion")
    _, body = bodies_of(taken.links, taken.joints, taken.root)
    turn = Rotation.from_euler("xyz", [0.2, 0.1, 0.0]).as_matrix()
    hull, antenna = np.array([0.01, 0.02, -0.03]), np.array([0.3, 0.0, 0.4]) + turn @ [0.0, 0.0, 0.5]
    centre = (40 * hull + antenna) / 41
    own = np.array([[3, 0.1, -0.2], [0.1, 2.5, 0.15], [-0.2, 0.15, 3.5]])
    total = own + turn @ np.diag([0.08, 0.08, 0.001]) @ turn.T
    total += inertia_of(np.array([40, 1]), np.array([hull, antenna]) - centre)
    assert body.members == ("hull", "antenna")
    assert body.link.mass == 41.0
    np.testing.assert_allclose(body.link.centre, centre, rtol=1e-14)
    np.testing.assert_allclose(np.array(body.link.inertia), total, rtol=1e-13)


@given(st.lists(st.tuples(st.floats(1e-3, 10), TRIPLES), min_size=1, max_size=6), st.sampled_from([1e-6, 1.0, 1e6]))
def test_what_points_make_is_a_body(points: list[tuple[float, tuple[float, ...]]], size: float) -> None:
    """Points of any masses, in any unit of length, have no flaw; a moment too large by a little has."""
    masses = np.array([mass for mass, _ in points])
    places = size * np.array([place for _, place in points])
    centre = masses @ places / masses.sum()
    tensor = inertia_of(masses, places - centre)
    length = float(np.linalg.norm(places, axis=1).max())
    link = as_link(float(masses.sum()), tensor)
    assert flaw_of(link, length) is None
    values, axes = np.linalg.eigh(tensor)
    np.testing.assert_allclose(principal_moments(link), values, atol=1e-12 * max(values[2], 1e-300))
    grown = axes @ np.diag([values[0], values[1], (values[0] + values[1]) * 1.001 + 1e-6 * masses.sum() * length**2])
    if length > 0:
        assert flaw_of(as_link(float(masses.sum()), grown @ axes.T), length) is Flaw.TRIANGLE


def as_link(mass: float, tensor: np.ndarray) -> Link:
    first, second, third = map(tuple, ((tensor + tensor.T) / 2).tolist())
    return Link(name="body", mass=mass, inertia=(first, second, third))


def test_the_first_link_that_is_no_body_is_found() -> None:
    """Its place is returned, with values of parameters where it holds some; rounding is no flaw."""
    good, bad = as_link(1.0, np.eye(3)), as_link(1.0, np.diag([1.0, 1.0, 2.1]))
    assert first_unphysical([good, bad, good]) == 1
    assert first_unphysical([good, good]) is None
    taken = take_robot(ROBOTS / "arm.urdf", parameters="all")
    values = {symbol: value for symbol, (value, _, _) in taken.parameters.items()}
    assert first_unphysical(taken.links, values=values) is None
    wrist = next(place for place, link in enumerate(taken.links) if link.name == "wrist")
    for name, flaw in (("m_wrist", Flaw.MASS), ("Ixx_wrist", Flaw.MOMENT)):
        changed = {symbol: -value if symbol.name == name else value for symbol, value in values.items()}
        assert first_unphysical(taken.links, values=changed) == wrist
        assert flaw_of(taken.links[wrist], values=changed) is flaw
    rounded = as_link(1.0, np.diag([-1e-19, 1e-18, 2e-18]))
    assert flaw_of(rounded, 0.2) is None
    assert flaw_of(rounded) is Flaw.MOMENT


def test_inputs_come_in_the_order_of_coordinates(tmp_path: Path) -> None:
    """Parents first, else as the file lists the joints: coordinates, speeds, loads and inputs go by one order."""
    ball = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    links = "".join(f'<link name="l{k}">{ball}</link>' for k in range(5))
    hung = [("last", 3, 4), ("second", 1, 3), ("first", 0, 1), ("beside", 0, 2)]
    joints = "".join(
        f'<joint name="{name}" type="continuous"><parent link="l{a}"/><child link="l{b}"/></joint>'
        for name, a, b in hung
    )
    path = tmp_path / "shuffled.urdf"
    path.write_text(f'<robot name="r">{links}{joints}</robot>', encoding="utf-8")
    expected = ["first", "second", "last", "beside"]
    model = eomc.from_urdf(path)
    assert [name_of(q) for q in model.coordinates] == expected
    assert [signal.name for signal in model.inputs] == [f"tau_{name}" for name in expected]
    assert [load.joint for load in take_robot(path).loads] == expected
