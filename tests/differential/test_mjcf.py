"""Robots of MJCF beside MuJoCo, which compiles the same file: accelerations, places of bodies, constraints."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.errors import ModelError, UsageError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not here: pip install 'eomc[mjcf]'")
ROBOTS = Path(__file__).resolve().parents[1] / "data" / "mjcf"
LEFT_OUT = "contacts of shapes are left out"


class Beside:
    """A file as MuJoCo has it, without what is left out here."""

    def __init__(self, path: Path) -> None:
        self.model = mujoco.MjModel.from_xml_path(str(path))
        off = mujoco.mjtDisableBit
        for bit in (off.mjDSBL_CONTACT, off.mjDSBL_LIMIT, off.mjDSBL_EQUALITY, off.mjDSBL_FRICTIONLOSS):
            self.model.opt.disableflags |= int(bit)
        self.data = mujoco.MjData(self.model)

    def drawn(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return a state and controls: coordinates, MuJoCo's speeds, controls."""
        q = self.model.qpos0.copy()
        mujoco.mj_integratePos(self.model, q, rng.uniform(-1, 1, self.model.nv), 1.0)
        return q, rng.uniform(-1, 1, self.model.nv), rng.uniform(-1, 1, self.model.nu)

    def accelerations(self, q: np.ndarray, v: np.ndarray, control: np.ndarray) -> np.ndarray:
        """Return the rates of change of its speeds."""
        self.data.qpos[:], self.data.qvel[:], self.data.ctrl[:] = q, v, control
        mujoco.mj_forward(self.model, self.data)
        return np.array(self.data.qacc)

    def in_body_axes(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return speeds and their rates with the velocity of free joints in axes of the body: (R^T v)'."""
        v, a = v.copy(), a.copy()
        for joint in range(self.model.njnt):
            if self.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
                own, place = self.model.jnt_dofadr[joint], self.model.jnt_qposadr[joint]
                flat = np.zeros(9)
                mujoco.mju_quat2Mat(flat, q[place + 3 : place + 7])
                turn = flat.reshape(3, 3).T
                linear, angular = slice(own, own + 3), slice(own + 3, own + 6)
                v[linear] = turn @ v[linear]
                a[linear] = turn @ a[linear] - np.cross(v[angular], v[linear])
        return v, a


@pytest.mark.needs_cc
def test_accelerations_are_those_of_mujoco() -> None:
    """Joints of all kinds, several in a body, off its origin; springs, tendon, lifted weight, actuators."""
    path = ROBOTS / "crawler.xml"
    with pytest.warns(UserWarning, match=LEFT_OUT), pytest.warns(UserWarning, match="joint 'reach': dry friction"):
        model = eomc.from_mjcf(path)
    sim, peer, rng = eomc.compile(model).load(), Beside(path), np.random.default_rng(3)
    assert [*sim.inputs] == ["motor", "servo", "speed", "thrust", "pull", "odd"]
    for _ in range(20):
        q, v, control = peer.drawn(rng)
        speeds, expected = peer.in_body_axes(q, v, peer.accelerations(q, v, control))
        found = sim.rhs(0.0, np.concatenate([q, speeds]), control)[len(q) :]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_it_starts_where_bodies_are_in_the_file() -> None:
    """Coordinates begin as MuJoCo's do, and links stand where its bodies do, also where an anchor is elsewhere."""
    path, peer = ROBOTS / "crawler.xml", Beside(ROBOTS / "crawler.xml")
    names = ["arm", "forearm", "tool", "leg", "shin"]

    def build(tree: eomc.JointTree) -> dict[str, Any]:
        return {"outputs": {f"{name}{k}": tree.position(name)[k] for name in names for k in range(3)}}

    with pytest.warns(UserWarning, match=LEFT_OUT):
        model = eomc.from_mjcf(path, build=build, friction=0.1)
    oracle = eomc.reference(model)
    np.testing.assert_allclose(oracle.state()[: peer.model.nq], peer.model.qpos0, rtol=0, atol=1e-15)
    mujoco.mj_forward(peer.model, peer.data)
    state = np.concatenate([peer.model.qpos0, np.zeros(peer.model.nv)])
    found = oracle.outputs(0.0, state)
    places = [peer.data.body(name).xpos for name in names]
    np.testing.assert_allclose(np.reshape(found, (-1, 3)), places, rtol=0, atol=1e-14)


@pytest.mark.needs_cc
def test_constraints_hold_exactly() -> None:
    """A pin closes a parallelogram, in which the rocker turns as the crank does; gears follow their law from there."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it has no shapes: nothing is left out
        model = eomc.from_mjcf(ROBOTS / "fourbar.xml")
    sim = eomc.compile(model).load()
    x0 = sim.state(speeds={"a_d": 1.0, "b_d": -1.0, "c_d": 1.0})
    run = sim.simulate(t_end=0.5, dt=1e-3, x0=x0)
    np.testing.assert_allclose(run["c"], run["a"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(run["b"], -run["a"], rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mujoco><worldbody/></mujoco>", "nothing of this robot moves: no body has a joint"),
        ("<mujoco><worldbdy/></mujoco>", "MuJoCo cannot compile it: .*worldbdy"),
        (
            "<mujoco><worldbody><body name='a'><joint name='j' type='ball'/><geom size='1'/></body></worldbody>"
            "<actuator><motor name='m' joint='j' gear='1 0 0'/></actuator></mujoco>",
            "actuator 'm' drives joint 'j' of several coordinates: take inputs='torques' or 'none'",
        ),
        (
            "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='1'/></body></worldbody>"
            "<actuator><general name='m' joint='j' dyntype='integrator'/></actuator></mujoco>",
            "actuator 'm' has a state of its own",
        ),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """One sentence says what, and what to do; without the actuators the robot is taken."""
    path = tmp_path / "robot.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        eomc.from_mjcf(path)
    if "actuator" in text:
        with pytest.warns(UserWarning, match=LEFT_OUT):
            eomc.from_mjcf(path, inputs="none")


def test_no_such_file(tmp_path: Path) -> None:
    """UsageError, before MuJoCo is asked."""
    with pytest.raises(UsageError, match="there is no such file"):
        eomc.from_mjcf(tmp_path / "robot.xml")


def test_what_mujoco_warns_of_is_told_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo itself writes its warnings into a file of the working directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.xml"
    geom = '<geom size="0.1" rgba="nan 0 0 1"/>'
    path.write_text(f'<mujoco><worldbody><body name="b"><joint type="hinge"/>{geom}</body></worldbody></mujoco>')
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        eomc.from_mjcf(path)
    assert any("MuJoCo warns: XML contains a 'NaN'" in str(one.message) for one in told)
    assert [one.name for one in tmp_path.iterdir()] == ["a.xml"]
    assert mujoco.get_mju_user_warning() is None
