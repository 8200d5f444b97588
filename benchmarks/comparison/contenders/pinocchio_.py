"""Pinocchio: its C++ templates compiled by gcc with the flags of all, called from C; no call from Python is in it."""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.metadata
import json
from pathlib import Path
from typing import ClassVar

import numpy as np
import pinocchio

from comparison.contenders.contender import Contender, Task
from comparison.native import LOOP, Loop, compiled
from comparison.rows import Kind, Row
from comparison.trees import tree_of

__all__ = ["Tool"]

DRIVER = (
    r"""
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
"""
    + LOOP.replace("#define _POSIX_C_SOURCE 199309L", "")
    + r"""
using namespace pinocchio;
typedef Eigen::Map<const Eigen::VectorXd> Vector;
typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> Rows;
static Model *model;
static Data *data;

static JointModel joint_of(int kind, const double *axis)
{
    const Eigen::Vector3d a(axis[0], axis[1], axis[2]);
    if (kind == 2) { return JointModelFreeFlyer(); }
    if (kind == 1) {
        if (a == Eigen::Vector3d::UnitX()) { return JointModelPX(); }
        if (a == Eigen::Vector3d::UnitY()) { return JointModelPY(); }
        if (a == Eigen::Vector3d::UnitZ()) { return JointModelPZ(); }
        return JointModelPrismaticUnaligned(a);
    }
    if (a == Eigen::Vector3d::UnitX()) { return JointModelRX(); }
    if (a == Eigen::Vector3d::UnitY()) { return JointModelRY(); }
    if (a == Eigen::Vector3d::UnitZ()) { return JointModelRZ(); }
    return JointModelRevoluteUnaligned(a);
}

/* of each body 25 numbers: rotation by rows, offset, axis, mass, centre, xx xy xz yy yz zz of the inertia about it */
extern "C" void make(int bodies, const int *parents, const int *kinds, const double *numbers, const double *gravity)
{
    int i;

    model = new Model();
    model->gravity.linear() = Eigen::Vector3d(gravity[0], gravity[1], gravity[2]);
    for (i = 0; i < bodies; ++i, numbers += 25) {
        const Eigen::Matrix3d turn = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers);
        const SE3 placement(turn, Eigen::Vector3d(numbers[9], numbers[10], numbers[11]));
        const double *s = numbers + 19;
        Eigen::Matrix3d inertia;
        inertia << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5];
        const auto id = model->addJoint((JointIndex)(parents[i] + 1), joint_of(kinds[i], numbers + 12), placement,
                                        std::to_string(i));
        model->appendBodyToJoint(id, Inertia(numbers[15], Eigen::Vector3d(numbers[16], numbers[17], numbers[18]),
                                             inertia), SE3::Identity());
    }
    data = new Data(*model);
}
#define STATE const Vector q(x, model->nq), u(x + model->nq, model->nv), t(e, model->nv)
extern "C" {
LOOP(rhs_local, model->nq + model->nv, model->nv, {
    STATE;
    Eigen::Map<Eigen::VectorXd>(y, model->nv) = aba(*model, *data, q, u, t, Convention::LOCAL);
})
LOOP(rhs_world, model->nq + model->nv, model->nv, {
    STATE;
    Eigen::Map<Eigen::VectorXd>(y, model->nv) = aba(*model, *data, q, u, t, Convention::WORLD);
})
LOOP(inverse_dynamics, model->nq + model->nv, model->nv, {
    STATE;
    Eigen::Map<Eigen::VectorXd>(y, model->nv) = rnea(*model, *data, q, u, t);
})
static void slopes(const double *x, const double *e) { STATE; computeABADerivatives(*model, *data, q, u, t); }
LOOP(jacobian, model->nq + model->nv, model->nv, { (void)y; slopes(x, e); })
void jacobian_found(const double *x, const double *e, double *y)
{
    const int n = model->nv;

    slopes(x, e);
    Rows minv = data->Minv;
    minv.triangularView<Eigen::StrictlyLower>() = minv.transpose().triangularView<Eigen::StrictlyLower>();
    Eigen::Map<Rows> all(y, n, 3 * n);
    all << data->ddq_dq, data->ddq_dv, minv;
}
}
"""
)
LONG_COMPILATION = 3600.0  # s; templates take a minute or two, on a busy machine more
LONG = 300  # joints beyond which its data take gigabytes
KINDS = {"revolute": 0, "prismatic": 1, "free": 2}


class Tool(Contender):
    """Pinocchio's functions of a row; its model is built of the same numbers in C++, so that no library is called."""

    columns: ClassVar[tuple[str, ...]] = ("rhs", "inverse_dynamics", "jacobian")
    why_not: ClassVar[dict[str, str]] = {"rk4": "no integrator", "ensemble": "no integrator"}

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self._tree = tree_of(task)
        self._library = _driver(task.folder.parent, task.flags)
        self._loops: dict[str, Loop] = {}
        bodies = self._tree.bodies
        numbers = []
        for body in bodies:
            mass, first, about = body.inertia[5, 5], body.inertia[:3, 3:], body.inertia[:3, :3]
            centre = np.array([first[2, 1], first[0, 2], first[1, 0]]) / mass if mass else np.zeros(3)
            about = about - mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
            lower = about[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]
            numbers += [*body.rotation.ravel(), *body.offset, *body.axis, mass, *centre, *lower]
        arrays = (
            np.array([body.parent for body in bodies], dtype=np.int32),
            np.array([KINDS[body.kind] for body in bodies], dtype=np.int32),
            np.array(numbers),
            np.array(self._tree.gravity, dtype=float),
        )
        ctypes.CDLL(str(self._library)).make(len(bodies), *(ctypes.c_void_p(a.ctypes.data) for a in arrays))

    @classmethod
    def serves(cls, row: Row) -> str:
        """Return why it has no such row."""
        if row.kind is Kind.MODEL:
            return "trees of joints alone are compared"
        return "its data hold several tensors of n^3 numbers" if row.size > LONG else ""

    @classmethod
    def install(cls, folder: Path, flags: tuple[str, ...]) -> Path:
        """Compile the driver."""
        return _driver(folder, flags)

    def build(self, column: str) -> dict[str, float]:
        """Take the loop of the driver; nothing is derived, emitted or compiled for a model."""
        arrays = self.task.arrays
        x = np.hstack([self._its_places(arrays["x"]), self._tree.speeds(arrays["x"])])
        given = arrays["a"] if column == "inverse_dynamics" else self.task.forces()
        e = self._tree.accelerations(given) if column == "inverse_dynamics" else self._tree.forces(given)
        names = ("rhs_local", "rhs_world") if column == "rhs" else (column,)
        loops = [Loop.of(self._library, name, x, e, self.task.layout["nu"]) for name in names]
        self._loops[column] = min(loops, key=lambda loop: min(loop.seconds(200) for _ in range(20)))
        return {}

    def _its_places(self, x: np.ndarray) -> np.ndarray:
        """Return coordinates with the scalar of a quaternion last."""
        q = self._tree.places(x)
        return q[:, [0, 1, 2, 4, 5, 6, 3, *range(7, q.shape[1])]] if self._tree.is_free else q

    def values(self, column: str) -> np.ndarray:
        """Return the results in eomc's order."""
        loop, nu = self._loops[column], self.task.layout["nu"]
        if column != "jacobian":
            found = loop.values()[:, :nu]
            return self._tree.own_accelerations(found) if column == "rhs" else self._tree.own_forces(found)
        function = ctypes.CDLL(str(self._library)).jacobian_found
        slopes = np.empty((len(loop.x), nu, 3 * nu))
        for x, e, result in zip(loop.x, loop.e, slopes, strict=True):
            function(*(ctypes.c_void_p(a.ctypes.data) for a in (x, e, result)))
        return self._tree.own_slopes(slopes, self.task.layout["at_r"])

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block of calls."""
        return self._loops[column].seconds(calls)


def _driver(above: Path, given: tuple[str, ...]) -> Path:
    """Return the compiled driver, which serves all models: made once for these flags, which takes a minute or two."""
    prefix = next(path for path in Path(pinocchio.__file__).parents if path.name == "cmeel.prefix")
    includes = [f"-I{prefix}/include", f"-I{prefix}/include/eigen3"]
    lists = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]
    lists += ["-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DNDEBUG"]
    key = json.dumps([DRIVER, given, importlib.metadata.version("pin")])
    folder = above / f"pinocchio-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "driver.so"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not library.exists():
            (folder / "driver.cpp").write_text(DRIVER)
            flags = ["-std=c++17", *(flag for flag in given if not flag.startswith("-std")), *lists, *includes]
            compiled([folder / "driver.cpp"], folder / "new.so", flags, LONG_COMPILATION, compiler="g++")
            (folder / "new.so").rename(library)
    return library
