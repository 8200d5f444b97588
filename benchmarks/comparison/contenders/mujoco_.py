"""MuJoCo: its functions called from C, those alone that accelerations need; contacts and all else are off."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import mujoco
import numpy as np

from comparison.columns import DT, STARTS, STEPS
from comparison.contenders.contender import Contender, Refused, Task
from comparison.native import LOOP, Loop, compiled, processor_seconds
from comparison.rows import Kind, Row
from comparison.tangents import rotation
from comparison.trees import Tree, tree_of

__all__ = ["Tool"]

DRIVER = (
    LOOP
    + r"""
#include <mujoco/mujoco.h>
#include <string.h>
static const mjModel *m;
static mjData *d;
void make(void *model, void *data);
void make(void *model, void *data) { m = model; d = data; }

static void place(const double *x)
{
    memcpy(d->qpos, x, sizeof(mjtNum) * (size_t)m->nq);
    memcpy(d->qvel, x + m->nq, sizeof(mjtNum) * (size_t)m->nv);
    mj_kinematics(m, d);
    mj_comPos(m, d);
}
static void accelerations(const double *x, const double *e, double *y)
{
    int i;

    place(x);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (i = 0; i < m->nv; ++i) { d->qfrc_smooth[i] = e[i] - d->qfrc_bias[i]; }
    mj_solveM(m, d, y, d->qfrc_smooth, 1);
}
static void forces(const double *x, const double *e, double *y)
{
    place(x);
    memcpy(d->qacc, e, sizeof(mjtNum) * (size_t)m->nv);
    mj_comVel(m, d);
    mj_rne(m, d, 1, y);
}
static void step(const double *x, const double *e, double *y)
{
    memcpy(d->qpos, x, sizeof(mjtNum) * (size_t)m->nq);
    memcpy(d->qvel, x + m->nq, sizeof(mjtNum) * (size_t)m->nv);
    memcpy(d->qfrc_applied, e, sizeof(mjtNum) * (size_t)m->nv);
    mj_step(m, d);
    memcpy(y, d->qpos, sizeof(mjtNum) * (size_t)m->nq);
    memcpy(y + m->nq, d->qvel, sizeof(mjtNum) * (size_t)m->nv);
}
LOOP(rhs, m->nq + m->nv, m->nv, accelerations(x, e, y))
LOOP(inverse_dynamics, m->nq + m->nv, m->nv, forces(x, e, y))
LOOP(rk4, m->nq + m->nv, m->nv, step(x, e, y))
"""
)
OFF = "constraint equality frictionloss limit contact spring damper clampctrl warmstart filterparent actuation sensor"
TYPES = {"revolute": "mjJNT_HINGE", "prismatic": "mjJNT_SLIDE", "free": "mjJNT_FREE"}
TINY = 1e-13  # kg m^2, of a point mass, which must have an inertia there; beside masses of a kilogram it is rounding


class Tool(Contender):
    """MuJoCo's functions of a row; its model is compiled of the same numbers."""

    faults: ClassVar[tuple[type[Exception], ...]] = (*Contender.faults, mujoco.FatalError)
    columns: ClassVar[tuple[str, ...]] = ("rhs", "inverse_dynamics", "rk4", "ensemble")
    why_not: ClassVar[dict[str, str]] = {"jacobian": "has differences of its step alone"}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        import ctypes

        self._tree = tree_of(task)
        self._model = compiled_model(self._tree)
        self._data = mujoco.MjData(self._model)
        package = Path(mujoco.__file__).parent
        (shared,) = package.glob("libmujoco.so*")
        (task.folder / "mujoco.c").write_text(DRIVER)
        self._library = task.folder / "mujoco.so"
        more = [f"-I{package / 'include'}", str(shared), f"-Wl,-rpath,{package}"]
        flags = [flag for flag in task.flags if not flag.startswith("-std")]
        compiled([task.folder / "mujoco.c"], self._library, flags, task.limit, more=more)
        make = ctypes.CDLL(str(self._library)).make
        make(ctypes.c_void_p(self._model._address), ctypes.c_void_p(self._data._address))
        self._loops: dict[str, Loop] = {}

    @classmethod
    def serves(cls, row: Row) -> str:
        """Return why it has no such row."""
        return "closes loops by springs" if row.kind is Kind.MODEL else ""

    def build(self, column: str) -> dict[str, float]:
        """Take the loop of the driver; nothing is derived, emitted or compiled for a model."""
        arrays, tree = self.task.arrays, self._tree
        x = self._its_states(arrays["x"])
        if column == "ensemble":
            return {}
        if column == "inverse_dynamics":
            e = self._its_accelerations(arrays["x"], tree.accelerations(arrays["a"]))
        else:
            e = tree.forces(self.task.forces())
            if tree.is_free and e[:, :6].any():
                raise Refused("forces on the base are not turned for it")
        self._loops[column] = Loop.of(self._library, column, x, e, x.shape[1])
        return {}

    def _its_states(self, x: np.ndarray) -> np.ndarray:
        """Return states with the velocity of a free base in axes of the world."""
        q, u = self._tree.places(x), self._tree.speeds(x).copy()
        if self._tree.is_free:
            u[:, :3] = [rotation(place[3:7]) @ v for place, v in zip(q, u[:, :3], strict=True)]
        return np.hstack([q, u])

    def _its_accelerations(self, x: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return u' with the acceleration of a free base in axes of the world, of components in child axes."""
        if not self._tree.is_free:
            return a
        a = a.copy()
        for place, u, own in zip(self._tree.places(x), self._tree.speeds(x), a, strict=True):
            own[:3] = rotation(place[3:7]) @ (own[:3] + np.cross(u[3:6], u[:3]))
        return a

    def values(self, column: str) -> np.ndarray:
        """Return the results in eomc's order."""
        tree, x, nu = self._tree, self.task.arrays["x"], self.task.layout["nu"]
        if column == "ensemble":
            ended = self._rolled(self._its_states(x), STEPS)
            return self._own_states(ended)
        found = self._loops[column].values()
        if column == "rk4":
            return self._own_states(found)
        found = found[:, :nu]
        if tree.is_free:
            for place, u, own in zip(tree.places(x), tree.speeds(x), found, strict=True):
                own[:3] = rotation(place[3:7]).T @ own[:3]
                if column == "rhs":
                    own[:3] -= np.cross(u[3:6], u[:3])
        return tree.own_accelerations(found) if column == "rhs" else tree.own_forces(found)

    def _own_states(self, found: np.ndarray) -> np.ndarray:
        found, nq = found.copy(), self._model.nq
        if self._tree.is_free:
            found[:, nq : nq + 3] = [rotation(state[3:7]).T @ state[nq : nq + 3] for state in found]
        return self._tree.own_states(found)

    def _rolled(self, x: np.ndarray, steps: int) -> np.ndarray:
        """Return the states after some steps without forces, by MuJoCo's own loop over trajectories."""
        from mujoco import rollout

        self._data.qfrc_applied[:] = 0.0
        starts = np.hstack([np.zeros((len(x), 1)), x])  # the time first
        states, _ = rollout.rollout(self._model, [self._data], starts, nstep=steps)
        last: np.ndarray = states[:, -1, 1 : 1 + x.shape[1]]
        return last

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block; of an ensemble, of so many steps of all trajectories."""
        if column != "ensemble":
            return self._loops[column].seconds(calls)
        x = self._its_states(self.task.arrays["x"])
        starts = np.resize(x, (STARTS, x.shape[1]))
        return processor_seconds(lambda: self._rolled(starts, calls))


def compiled_model(tree: Tree) -> mujoco.MjModel:
    """Return MuJoCo's model of a tree; not by way of XML, whose reader refuses what nests as deep as a long chain."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = spec.compiler.autolimits = False
    spec.option.timestep, spec.option.gravity = DT, tree.gravity
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.disableflags = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name.upper()}")) for name in OFF.split())
    made: list[Any] = []
    for i, body in enumerate(tree.bodies):
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, body.rotation.ravel())
        parent = made[body.parent] if body.parent >= 0 else spec.worldbody
        own = parent.add_body(name=f"b{i}", pos=body.offset, quat=quaternion)
        mass, first = float(body.inertia[5, 5]), body.inertia[:3, 3:]
        centre = np.array([first[2, 1], first[0, 2], first[1, 0]]) / mass if mass else np.zeros(3)
        about = body.inertia[:3, :3] - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        if not about.any() or np.linalg.eigvalsh(about)[0] < TINY:
            about = about + TINY * np.eye(3)
        own.explicitinertial, own.mass, own.ipos = True, mass, centre
        own.fullinertia = about[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        own.add_joint(name=f"j{i}", type=getattr(mujoco.mjtJoint, TYPES[body.kind]), axis=body.axis)
        made.append(own)
    return spec.compile()
