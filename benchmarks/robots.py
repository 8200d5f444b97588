"""How long the accelerations of robots take in C, beside CasADi's articulated and composite bodies, and Pinocchio's.

python benchmarks/robots.py [ROBOT ...] [--flags native|c99] [--math libm|strict|fast] [--data DIR] [--blocks N]

All read the same URDF (chains are written for the purpose), have the same states in their own order, and are compared
at random states before any time is taken. Times are the least of many short blocks in turn, in one process, by the same
compiler with the same flags; Pinocchio's is a call from Python, whose overhead is in it.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import casadi_trees
import numpy as np
from collection import ROBOTS, chain, robots_folder, welded
from reporting import print_machine, print_table

import eomc
from eomc.binding.compiler import find_compiler

CHAINS = ("chain3", "chain7", "chain12", "chain30")
FLAGS = {"native": ["-O3", "-march=native"], "c99": ["-O2", "-std=c99", "-ffp-contract=off"]}
STATES = 16
GRAVITY = np.array([0.0, 0.0, -9.81])

TIMING = r"""
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#include "@.h"
int articulated_rhs(const double **arg, double **res, long long *iw, double *w, int mem);
int composite_rhs(const double **arg, double **res, long long *iw, double *w, int mem);
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
double time_ours(const double *x, const double *r, double *dx, int calls)
{
    @_constants c;
    static @_work work;
    @_parameters p;
    (void)@_prepare(&p, &c);
    double begin = now();
    for (int i = 0; i < calls; ++i) {
        (void)@_rhs(0.0, x + (i % STATES) * NX, (const @_inputs *)r, &c, &work, dx);
    }
    return now() - begin;
}
#define PEER(name) \
double time_##name(const double *x, const double *r, double *dx, int calls) \
{ \
    const double *arg[8]; double *res[8]; static double w[200000]; static long long iw[64]; \
    double begin = now(); \
    for (int i = 0; i < calls; ++i) { \
        arg[0] = x + (i % STATES) * NX; arg[1] = r; res[0] = dx; \
        (void)name##_rhs(arg, res, iw, w, 0); \
    } \
    return now() - begin; \
}
PEER(articulated)
PEER(composite)
"""


class Robot:
    """One robot through all that read it."""

    def __init__(self, name: str, path: str, base: str, math: str = "libm") -> None:
        import casadi
        import pinocchio

        self.name, self._pin = name, pinocchio
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            begin = time.perf_counter()
            self.model = eomc.from_urdf(path, base=base, damping=False)
            read = time.perf_counter()
            self.build = eomc.compile(self.model, math=math)
            self.times = read - begin, time.perf_counter() - read
        free = [pinocchio.JointModelFreeFlyer()] if base == "quaternion" else []
        self.pinocchio = pinocchio.buildModelFromUrdf(path, *free)
        self.data = self.pinocchio.createData()
        bodies = casadi_trees.bodies_of(self.pinocchio)
        begin = time.perf_counter()
        self.functions = {
            algorithm: casadi_trees.right_hand_side(casadi, bodies, GRAVITY, algorithm)
            for algorithm in ("articulated", "composite")
        }
        self.peer_time = (time.perf_counter() - begin) / 2
        self._map()

    def _map(self) -> None:
        """Find the place of each of Pinocchio's coordinates and speeds in ours."""
        tree = self.model.dynamics
        starts, q, u = {}, 0, 0
        for joint in tree.joints:
            starts[joint.name] = q, u
            q, u = q + len(joint.coordinates), u + len(joint.speeds)
        self.nq, self.nu = q, u
        model, at_q, at_u = self.pinocchio, [], []
        for i in range(1, model.njoints):
            name = model.names[i]
            a, b = starts[name] if name in starts else starts[tree.joints[0].name]
            wide = 7 if model.joints[i].nv == 6 else 1
            at_q += range(a, a + wide)
            at_u += range(b, b + (6 if wide == 7 else 1))
        self.at_q, self.at_u = np.array(at_q), np.array(at_u)

    def states(self) -> tuple[np.ndarray, np.ndarray]:
        """Return random states in our order, quaternions of length one, and torques."""
        rng = np.random.default_rng(0)
        x = rng.uniform(-1, 1, (STATES, self.nq + self.nu))
        if self.nq != self.nu:
            x[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1, keepdims=True)
        tau = rng.uniform(-1, 1, self.nu)
        tau[: self.nu - len(self.model.inputs)] = 0.0  # nothing pushes the base
        return x, tau

    def peer_states(self, x: np.ndarray) -> np.ndarray:
        """Return states in the order of the peers."""
        return np.ascontiguousarray(np.hstack([x[:, self.at_q], x[:, self.nq + self.at_u]]))

    def _its_place(self, x: np.ndarray) -> np.ndarray:
        """Return coordinates as Pinocchio has them: scalars of quaternions last, cosine and sine of what turns on."""
        found: list[float] = []
        ours = x[self.at_q]
        for joint in self.pinocchio.joints[1:]:
            wide = 7 if joint.nv == 6 else 1
            own, ours = ours[:wide], ours[wide:]
            if wide == 7:
                own = np.r_[own[:3], own[4:], own[3]]
            elif joint.nq == 2:
                own = np.r_[np.cos(own), np.sin(own)]
            found += [*own]
        return np.array(found)

    def expected(self, x: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return u' by Pinocchio, in our order: of components, as ours is."""
        found = self._pin.aba(self.pinocchio, self.data, self._its_place(x), x[self.nq + self.at_u], tau[self.at_u])
        ours = np.empty(self.nu)
        ours[self.at_u] = found
        return ours

    def pinocchio_time(self, x: np.ndarray, tau: np.ndarray) -> float:
        """Return seconds of a call of its articulated bodies from Python."""
        q, u, t = self._its_place(x[0]), x[0][self.nq + self.at_u], tau[self.at_u]
        best = math.inf
        for _ in range(20):
            begin = time.perf_counter()
            for _ in range(200):
                self._pin.aba(self.pinocchio, self.data, q, u, t)
            best = min(best, (time.perf_counter() - begin) / 200)
        return best


def library(robot: Robot, folder: Path, flags: list[str]) -> ctypes.CDLL:
    """Compile ours and the peers' C with the same flags into one library."""
    robot.build.write(folder, library=True)
    name = robot.build.model.name
    for algorithm, function in robot.functions.items():
        import casadi

        generator = casadi.CodeGenerator(f"{algorithm}.c", {"with_header": False})
        generator.add(casadi.Function(f"{algorithm}_rhs", function.sx_in(), function.call(function.sx_in())))
        generator.generate(f"{folder}/")
    (folder / "timing.c").write_text(TIMING.replace("@", name))
    defines = [f"-DSTATES={STATES}", f"-DNX={robot.nq + robot.nu}"]
    sources = [*map(str, folder.glob("*.c"))]
    target = folder / "robots.so"
    command = [*find_compiler().command, *flags, *defines, "-fPIC", "-shared", "-o", str(target), *sources, "-lm"]
    subprocess.run(command, check=True, cwd=folder)
    return ctypes.CDLL(str(target))


def measure(robot: Robot, flags: list[str], blocks: int) -> list[str]:
    """Return the row of a robot: agreement first, then times."""
    x, tau = robot.states()
    others = robot.peer_states(x)
    with tempfile.TemporaryDirectory() as folder:
        lib = library(robot, Path(folder), flags)
        pointer = ctypes.POINTER(ctypes.c_double)
        timers = {}
        for name in ("ours", "articulated", "composite"):
            timer = getattr(lib, f"time_{name}")
            timer.restype, timer.argtypes = ctypes.c_double, [pointer, pointer, pointer, ctypes.c_int]
            timers[name] = timer
        dx = np.zeros(robot.nq + robot.nu)
        inputs = np.ascontiguousarray(tau[robot.nu - len(robot.model.inputs) :])
        tau_peer = np.ascontiguousarray(tau[robot.at_u])
        worst = dict.fromkeys(timers, 0.0)
        for k in range(STATES):
            expected = robot.expected(x[k], tau)
            for name, timer in timers.items():
                state, force = (x[k], inputs) if name == "ours" else (others[k], tau_peer)
                timer(state.ctypes.data_as(pointer), force.ctypes.data_as(pointer), dx.ctypes.data_as(pointer), 1)
                found = dx[robot.nq :].copy()
                if name != "ours":
                    found[robot.at_u] = dx[robot.nq :]
                worst[name] = max(worst[name], float(abs(found - expected).max() / abs(expected).max()))
        if max(worst.values()) > 1e-8:
            sys.exit(f"{robot.name}: accelerations differ from Pinocchio's: {worst}")
        best = dict.fromkeys(timers, math.inf)
        for _ in range(blocks):
            for name, timer in timers.items():
                states, force = (x, inputs) if name == "ours" else (others, tau_peer)
                args = [a.ctypes.data_as(pointer) for a in (states, force, dx)]
                best[name] = min(best[name], timer(*args, 200) / 200)
    peer = min(best["articulated"], best["composite"])
    read, derived = robot.times
    return [
        robot.name,
        f"{robot.nu}",
        f"{robot.build.statistics.code.functions[0].counts.total}",
        f"{read:.2f}",
        f"{derived:.2f}",
        f"{best['ours'] * 1e9:.0f}",
        f"{best['articulated'] * 1e9:.0f}",
        f"{best['composite'] * 1e9:.0f}",
        f"{best['ours'] / peer:.2f}",
        f"{robot.pinocchio_time(x, tau) * 1e9:.0f}",
        f"{max(worst.values()):.0e}",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", metavar="ROBOT", help=f"{', '.join((*CHAINS, *ROBOTS))} or chainN")
    parser.add_argument("--flags", choices=[*FLAGS], default="native")
    parser.add_argument("--data", help="the folder of example-robot-data's robots; else where its package is installed")
    parser.add_argument("--blocks", type=int, default=300)
    parser.add_argument("--math", choices=["libm", "strict", "fast"], default="libm", help="whose functions ours calls")
    options = parser.parse_args()
    print_machine()
    rows = []
    for name in options.robots or [*CHAINS, *ROBOTS]:
        if name.startswith("chain"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, f"{name}.urdf")
                Path(path).write_text(chain(int(name.removeprefix("chain"))))
                rows.append(measure(Robot(name, path, "fixed", options.math), FLAGS[options.flags], options.blocks))
            continue
        relative, base = ROBOTS[name]
        path = robots_folder(options.data) / relative
        if name == "panda":  # its seven joints; the fingers, of which one mimics the other, are welded
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "panda.urdf"
                file.write_text(welded(path.read_text(), "panda_finger"))
                rows.append(measure(Robot(name, str(file), base, options.math), FLAGS[options.flags], options.blocks))
            continue
        rows.append(measure(Robot(name, str(path), base, options.math), FLAGS[options.flags], options.blocks))
    headings = ["robot", "speeds", "operations", "read s", "derive + emit s", "ns", "CasADi ABA", "CasADi CRBA"]
    print_table([*headings, "ratio", "Pinocchio from Python", "agree"], rows)


if __name__ == "__main__":
    main()
