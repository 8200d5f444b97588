"""Read what MuJoCo's compiler made of a file; `appearance`, `switches` and `beyond` alone touch its objects, too."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eomc.errors import ModelError, UsageError
from eomc.frontends.mjcf import beyond
from eomc.frontends.mjcf.appearance import looks_of
from eomc.frontends.mjcf.geoms import Geom
from eomc.frontends.mjcf.quaternions import Quaternion, conjugate, product
from eomc.frontends.mjcf.records import (
    Actuator,
    Body,
    Compiled,
    Equality,
    EqualityType,
    JointType,
    MovingJoint,
    Range,
    Tendon,
    Transmission,
)
from eomc.frontends.mjcf.switches import switches_of
from eomc.frontends.robots.matrices import Triple
from eomc.frontends.robots.names import Names


def compile_file(path: str | os.PathLike[str], *, actuators: bool = True) -> Compiled:
    """Let MuJoCo compile a file of MJCF; actuators are read where they are wanted.

    Raises
    ------
    UsageError
        There is no such file, or no MuJoCo.
    ModelError
        MuJoCo refuses the file, or it has what no tree of rigid bodies has.
    """
    place = Path(path)
    if not place.is_file():
        raise UsageError(f"{place}: {'this is a folder' if place.is_dir() else 'there is no such file'}")
    try:
        import mujoco
    except ImportError as error:
        raise UsageError(f"{place}: MJCF is read by MuJoCo, which is not here: pip install 'eomc[mjcf]'") from error
    before = mujoco.get_mju_user_warning()
    warned: list[str] = []
    mujoco.set_mju_user_warning(warned.append)  # it writes a file of its own into the working directory otherwise
    try:
        found = mujoco.MjModel.from_xml_path(os.fspath(place))
    except (ValueError, RuntimeError) as error:
        told = " ".join(str(error).split())
        raise ModelError(f"{place}: MuJoCo cannot compile it: {told}") from error
    finally:
        mujoco.set_mju_user_warning(before)
    try:
        return _Reading(mujoco, found, place.stem, warned).done(actuators=actuators)
    except ModelError as error:
        raise ModelError(f"{place}: {error}") from error


class _Reading:
    """Reads a compiled model; refuses and tells what is beyond rigid bodies in a tree."""

    def __init__(self, mujoco: Any, model: Any, stem: str, warned: Iterable[str]) -> None:
        self._kinds = mujoco.mjtObj
        self._name_of = mujoco.mj_id2name
        self._model = model
        self._stem = stem
        self._on = switches_of(mujoco, model)
        self._left = [f"MuJoCo warns: {' '.join(text.split())}" for text in warned]
        self._joints = [self._name("JOINT", k, f"{self._body(model.jnt_bodyid[k])}_joint") for k in range(model.njnt)]
        _make_unique(self._joints)
        own = range(len(model.actuator_trntype))  # nu counts controls, of which one may have several
        self._actuators = [self._name("ACTUATOR", k, f"actuator{k}") for k in own]

    def done(self, *, actuators: bool) -> Compiled:
        """Return it all."""
        m = self._model
        if getattr(m, "nflex", 0):
            raise ModelError("it has deformable bodies (flex): take them out, for a tree has rigid bodies alone")
        names = [self._body(k) for k in range(m.nbody)]
        _make_unique(names)
        looks = looks_of(m, [self._name("GEOM", g, f"geom{g}") for g in range(m.ngeom)], names)
        bodies = tuple(self._read_body(k, names, looks.geoms[k]) for k in range(m.nbody))
        tendons = {k: tendon for k in range(m.ntendon) if (tendon := self._read_tendon(k)) is not None}
        driving = tuple(self._read_actuator(k, names, tendons) for k in self._driving(actuators))
        equalities = tuple(
            one
            for k in range(m.neq if self._on.equalities else 0)
            if (one := self._read_equality(k, names)) is not None
        )
        self._left += beyond.of_joints(m, self._joints, self._on)
        self._left += beyond.of_actuators(m, self._actuators, self._on)
        self._left += beyond.of_the_whole(m, self._on)
        return Compiled(
            _name_in(m.names) or self._stem,
            _triple(m.opt.gravity) if self._on.gravity else (0.0, 0.0, 0.0),
            bodies,
            tuple(tendons.values()),
            driving,
            equalities,
            tuple(self._left),
            looks.findings,
        )

    def _driving(self, wanted: bool) -> list[int]:
        """Return the actuators that are on; those that are not are told."""
        m, on, names = self._model, self._on, self._actuators
        if not (wanted and names):
            return []
        if not on.actuators:
            self._left.append("actuators are switched off (flag actuation): they are left out")
            return []
        off = [k for k in range(len(names)) if int(m.actuator_group[k]) in on.groups]
        self._left += [f"actuator {names[k]!r} is of a group that is switched off: it is left out" for k in off]
        return [k for k in range(len(names)) if k not in off]

    def _name(self, kind: str, k: int, otherwise: str) -> str:
        return self._name_of(self._model, getattr(self._kinds, f"mjOBJ_{kind}"), int(k)) or otherwise

    def _body(self, k: int) -> str:
        return self._name("BODY", k, "world" if k == 0 else f"body{int(k)}")

    def _read_body(self, k: int, names: list[str], geoms: tuple[Geom, ...]) -> Body:
        m = self._model
        first = int(m.body_jntadr[k])
        joints = range(first, first + int(m.body_jntnum[k])) if first >= 0 else range(0)
        if m.body_mocapid[k] >= 0:
            self._left.append(f"body {names[k]!r} is moved from outside (mocap): it stands here")
        return Body(
            names[k],
            int(m.body_parentid[k]),
            _triple(m.body_pos[k]),
            _quaternion(m.body_quat[k]),
            float(m.body_mass[k]),
            _triple(m.body_ipos[k]),
            _triple(m.body_inertia[k]),
            _quaternion(m.body_iquat[k]),
            float(m.body_gravcomp[k]) if self._on.floats else 0.0,
            tuple(map(self._read_joint, joints)),
            geoms,
        )

    def _read_joint(self, k: int) -> MovingJoint:
        m, type_ = self._model, JointType(int(self._model.jnt_type[k]))
        wide = {JointType.FREE: 7, JointType.BALL: 4}.get(type_, 1)
        place, dof = int(m.jnt_qposadr[k]), int(m.jnt_dofadr[k])
        higher = {"jnt_stiffnesspoly": k, "jnt_springyield": k}
        stiffness = self._linear(m.jnt_stiffness[k], higher, f"the spring of joint {self._joints[k]!r}")
        damping = self._linear(
            m.dof_damping[dof], {"dof_dampingpoly": dof}, f"the damping of joint {self._joints[k]!r}"
        )
        if stiffness and wide > 1 and self._on.springs:
            self._left.append(f"joint {self._joints[k]!r}: a spring on a {type_.name.lower()} joint is left out")
            stiffness = 0.0
        limited = bool(m.jnt_limited[k]) and wide == 1
        return MovingJoint(
            self._joints[k],
            type_,
            _triple(m.jnt_axis[k]),
            _triple(m.jnt_pos[k]),
            _floats(m.qpos0[place : place + wide]),
            _range(m.jnt_range[k]) if limited else None,
            _range(m.jnt_actfrcrange[k]) if m.jnt_actfrclimited[k] else None,
            stiffness if self._on.springs else 0.0,
            float(m.qpos_spring[place]),
            damping if self._on.dampers else 0.0,
            float(m.dof_frictionloss[dof]) if self._on.friction else 0.0,
            float(m.dof_armature[dof]),
        )

    def _read_tendon(self, k: int) -> Tendon | None:
        """Return a tendon that is a sum of joints; others are left out where they have no force."""
        m, name = self._model, self._name("TENDON", k, f"tendon{k}")
        first = int(m.tendon_adr[k])
        parts = range(first, first + int(m.tendon_num[k]))
        if any(int(m.wrap_type[p]) != 1 for p in parts):
            self._left.append(f"tendon {name!r} is led through space: its forces are left out")
            return None
        joints = tuple((self._joints[int(m.wrap_objid[p])], float(m.wrap_prm[p])) for p in parts)
        higher = {"tendon_stiffnesspoly": k, "tendon_springyield": k}
        stiffness = self._linear(m.tendon_stiffness[k], higher, f"the spring of tendon {name!r}")
        damping = self._linear(m.tendon_damping[k], {"tendon_dampingpoly": k}, f"the damping of tendon {name!r}")
        self._left += beyond.of_tendon(m, k, name, self._on)
        return Tendon(
            name,
            joints,
            stiffness if self._on.springs else 0.0,
            _range(m.tendon_lengthspring[k]),
            damping if self._on.dampers else 0.0,
        )

    def _linear(self, given: Any, higher: Mapping[str, int], what: str) -> float:
        """Return a coefficient; newer versions have more of them, in fields of their own."""
        if beyond.nonlinear(self._model, higher):
            raise ModelError(f"{what} is not linear: take it out of the file, and give the load with build=")
        return _floats([given])[0]

    def _read_actuator(self, k: int, bodies: list[str], tendons: dict[int, Tendon]) -> Actuator:
        m, name = self._model, self._actuators[k]
        if int(m.actuator_trntype[k]) not in [one.value for one in Transmission]:
            raise ModelError(f"actuator {name!r} acts as no force or torque on one joint, tendon or site: {_OTHERWISE}")
        transmission = Transmission(int(m.actuator_trntype[k]))
        target, beside = (int(one) for one in m.actuator_trnid[k])
        at, turn, what = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), ""
        if transmission in (Transmission.JOINT, Transmission.JOINT_IN_PARENT):
            what = self._joints[target]
            if int(m.jnt_type[target]) not in (JointType.HINGE.value, JointType.SLIDE.value):
                raise ModelError(f"actuator {name!r} drives joint {what!r} of several coordinates: {_OTHERWISE}")
        elif transmission is Transmission.TENDON:
            if target not in tendons:
                raise ModelError(f"actuator {name!r} pulls a tendon that is led through space: {_OTHERWISE}")
            what = tendons[target].name
        elif transmission is Transmission.SITE and beside < 0:
            what = bodies[int(m.site_bodyid[target])]
            at, turn = _triple(m.site_pos[target]), _quaternion(m.site_quat[target])
        else:
            raise ModelError(f"actuator {name!r} acts by {_words(transmission.name)}: {_OTHERWISE}")
        if int(m.actuator_dyntype[k]) != 0:
            raise ModelError(f"actuator {name!r} has a state of its own (dyntype): {_OTHERWISE}")
        if beyond.delayed(m, k):
            raise ModelError(f"actuator {name!r} has its control later (delay): {_OTHERWISE}")
        if int(m.actuator_gaintype[k]) not in (0, 1) or int(m.actuator_biastype[k]) not in (0, 1):
            raise ModelError(f"actuator {name!r} is not affine in length and rate (a muscle?): {_OTHERWISE}")
        gain = _floats(m.actuator_gainprm[k][:3])
        bias = _floats(m.actuator_biasprm[k][:3]) if int(m.actuator_biastype[k]) == 1 else (0.0, 0.0, 0.0)
        return Actuator(
            name,
            transmission,
            what,
            _floats(m.actuator_gear[k]),
            (gain[0], gain[1], gain[2]) if int(m.actuator_gaintype[k]) == 1 else (gain[0], 0.0, 0.0),
            (bias[0], bias[1], bias[2]),
            _range(m.actuator_forcerange[k]) if m.actuator_forcelimited[k] else None,
            _range(m.actuator_ctrlrange[k]) if m.actuator_ctrllimited[k] else None,
            at,
            turn,
        )

    def _read_equality(self, k: int, bodies: list[str]) -> Equality | None:
        m, name = self._model, self._name("EQUALITY", k, f"equality{k}")
        if not m.eq_active0[k]:
            self._left.append(f"constraint {name!r} is not active at the start: it is left out")
            return None
        if int(m.eq_type[k]) not in [one.value for one in EqualityType]:
            raise ModelError(f"constraint {name!r} is of a kind that a tree has not: take it out of the file")
        type_, data = EqualityType(int(m.eq_type[k])), m.eq_data[k]
        one, two = int(m.eq_obj1id[k]), int(m.eq_obj2id[k])
        if type_ is EqualityType.JOINT:
            other = self._joints[two] if two >= 0 else ""
            return Equality(name, type_, self._joints[one], other, polynomial=_floats(data[:5]))
        if int(m.eq_objtype[k]) == int(self._kinds.mjOBJ_SITE):  # their frames agree
            first, second = (bodies[int(m.site_bodyid[site])] for site in (one, two))
            turn = product(_quaternion(m.site_quat[one]), conjugate(_quaternion(m.site_quat[two])))
            return Equality(name, type_, first, second, _triple(m.site_pos[one]), _triple(m.site_pos[two]), turn)
        begin, end = _triple(data[:3]), _triple(data[3:6])
        if type_ is EqualityType.CONNECT:
            return Equality(name, type_, bodies[one], bodies[two], begin, end)
        return Equality(name, type_, bodies[one], bodies[two], end, begin, _quaternion(data[6:10]))


_OTHERWISE = "take inputs='torques' or 'none', and build= for its force"


def _floats(given: Iterable[Any]) -> tuple[float, ...]:
    found = tuple(map(float, given))
    if not all(map(math.isfinite, found)):
        raise ModelError("it has numbers that are not finite")
    return found


def _triple(given: Iterable[Any]) -> Triple:
    x, y, z = _floats(given)
    return x, y, z


def _range(given: Iterable[Any]) -> Range:
    lower, upper = _floats(given)
    return lower, upper


def _quaternion(given: Iterable[Any]) -> Quaternion:
    w, x, y, z = _floats(given)
    return w, x, y, z


def _make_unique(names: list[str]) -> None:
    taken = Names()
    names[:] = [taken.take(name) for name in names]


def _words(name: str) -> str:
    return name.lower().replace("_", " ")


def _name_in(names: bytes) -> str:
    """Return the model's name, the first in MuJoCo's table of names; "" where it is what MuJoCo calls one without."""
    name = bytes(names).partition(b"\0")[0].decode("utf-8", "replace")
    return "" if name == "MuJoCo Model" else name
