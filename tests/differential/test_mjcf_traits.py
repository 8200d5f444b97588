"""What MuJoCo's motion has is in the tree's, or is told, or is refused: files of one trait each, beside MuJoCo."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.errors import ModelError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not here: pip install 'eomc[mjcf]'")
GEOM = '<geom size="0.1 0.2 0.3" type="box" pos="0.1 0 0.05" contype="0" conaffinity="0"/>'
MOTOR = '<motor name="m" joint="x" gear="2" {more}/><motor name="n" joint="y" group="2"/>'


def written(
    flag: str = "",
    option: str = "",
    joint: str = "",
    tendon: str = "",
    motor: str = "",
    more: str = "",
    actuators: str = MOTOR,
) -> str:
    """Return two bodies with springs, dampers, motors, a lifted weight, and one trait more."""
    joint = joint or 'stiffness="2" damping="1"'
    tendon = tendon or 'stiffness="3" damping="0.4" springlength="0.2"'
    return f"""<mujoco model="m"><option gravity="0.3 0.1 -9.8" {option}><flag contact="disable" {flag}/></option>
    <worldbody><body name="a" gravcomp="0.5"><joint name="x" axis="1 0 0" {joint}/>
    {GEOM}<body name="b" pos="0 0 0.5"><joint name="y" axis="0 1 0"/>{GEOM}</body></body></worldbody>
    <tendon><fixed name="t" {tendon}><joint joint="x" coef="1.5"/>
    <joint joint="y" coef="-0.7"/></fixed></tendon><actuator>{actuators.format(more=motor)}</actuator>{more}</mujoco>"""


SAME = {
    "as it is": written(),
    "no gravity": written('gravity="disable"'),
    "no springs": written('spring="disable"'),
    "no dampers": written('damper="disable"'),
    "neither springs nor dampers": written('spring="disable" damper="disable"'),
    "no equalities": written('equality="disable"', more='<equality><connect body1="b" anchor="0 0 1"/></equality>'),
    "weight of an actuator": written(joint='actuatorgravcomp="true"'),
}
"""What is taken over, without a word."""

TOLD = {
    "actuation": (written('actuation="disable"'), "actuators are switched off"),
    "group": (written(option='actuatorgroupdisable="2"'), "actuator 'n' is of a group that is switched off"),
    "armature of a tendon": (written(tendon='armature="0.3"'), "tendon 't': its armature"),
    "friction of a tendon": (written(tendon='frictionloss="0.3"'), "tendon 't': its dry friction"),
    "limits of a tendon": (written(tendon='limited="true" range="-0.01 0.01"'), "tendon 't': its limits"),
    "forces on a tendon": (
        written(tendon='actuatorfrclimited="true" actuatorfrcrange="-0.1 0.1"', actuators='<motor tendon="t"/>'),
        "tendon 't': forces of its actuators",
    ),
    "lifted within limits": (
        written(joint='actuatorgravcomp="true" actuatorfrclimited="true" actuatorfrcrange="-0.1 0.1"'),
        "joint 'x': actuators take the weight away",
    ),
    "lifted by nothing": (written('actuation="disable"', joint='actuatorgravcomp="true"'), "joint 'x': actuators take"),
}
NEWER = {
    "armature of an actuator": (written(motor='armature="0.5"'), "actuator 'm': its armature"),
    "damping of an actuator": (written(motor='damping="0.5"'), "actuator 'm': its damping"),
    "spring of higher order": (written(joint='stiffness="2 1"'), "the spring of joint 'x' is not linear"),
    "damper of higher order": (written(joint='damping="2 1"'), "the damping of joint 'x' is not linear"),
    "spring that yields": (written(joint='stiffness="2" springyield="0.1"'), "the spring of joint 'x' is not linear"),
    "tendon of higher order": (written(tendon='stiffness="2 1"'), "the spring of tendon 't' is not linear"),
    "late control": (written(motor='delay="0.1" nsample="3"'), "actuator 'm' has its control later"),
    "orientation": (
        written(
            more='<worldbody><body name="c" pos="1 0 0"><joint name="z" type="ball"/><geom size="0.1" contype="0" '
            'conaffinity="0"/></body></worldbody>',
            actuators='<orientation name="o" joint="z" kp="1"/>',
        ),
        "actuator 'o' acts as no force or torque",
    ),
}
"""What versions of MuJoCo know since 4.0; older ones refuse such files."""


def beside(path: Path, model: eomc.Model) -> float:
    """Return how far accelerations are from MuJoCo's at a state where springs, dampers, controls and weights act."""
    peer = mujoco.MjModel.from_xml_path(str(path))
    data, oracle = mujoco.MjData(peer), eomc.reference(model)
    q, v = np.array([0.4, -0.3]), np.array([0.7, -1.1])
    data.qpos[:], data.qvel[:], data.ctrl[:] = q, v, 0.8
    mujoco.mj_forward(peer, data)
    found = oracle.rhs(0.0, np.concatenate([q, v]), np.full(len(model.inputs), 0.8))[2:]
    return float(np.abs(found - data.qacc).max() / np.abs(data.qacc).max())


@pytest.mark.parametrize("text", SAME.values(), ids=list(SAME))
def test_what_is_switched_off_has_no_force(tmp_path: Path, text: str) -> None:
    """Accelerations are MuJoCo's, and nothing is told."""
    path = tmp_path / "robot.xml"
    path.write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = eomc.from_mjcf(path)
    assert beside(path, model) < 1e-12


@pytest.mark.parametrize(("text", "message"), [*TOLD.values(), *NEWER.values()], ids=[*TOLD, *NEWER])
def test_what_is_not_taken_over_is_told(tmp_path: Path, text: str, message: str) -> None:
    """A warning names it, or an error where the force cannot be left out."""
    path = tmp_path / "robot.xml"
    path.write_text(text, encoding="utf-8")
    try:
        mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        pytest.skip(f"this version of MuJoCo has no such: {error}")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            eomc.from_mjcf(path)
        except ModelError as error:
            said = [str(error)]
        else:
            said = [str(one.message) for one in told]
    assert len(said) == 1 + (message.startswith("joint 'x': actuators") and "actuation=" in text), said
    assert any(message in one for one in said), said


def test_weights_are_taken_away_by_the_gravity_that_is_given(tmp_path: Path) -> None:
    """A body whose weight is taken away floats on the Moon, too: nothing moves."""
    path = tmp_path / "robot.xml"
    path.write_text(
        f'<mujoco><worldbody><body gravcomp="1"><freejoint name="f"/>{GEOM}</body></worldbody></mujoco>',
        encoding="utf-8",
    )
    oracle = eomc.reference(eomc.from_mjcf(path, gravity=(0, 0.5, -1.62)))
    np.testing.assert_allclose(oracle.rhs(0.0, oracle.state()), 0, rtol=0, atol=1e-14)
