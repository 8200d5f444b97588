"""What sensors of robots read: an IMU on a quadruped that falls on its feet, the feet's forces, the Jacobian of a tool.

python sensors.py [QUADRUPED.urdf ARM.urdf]

An accelerometer reads what its body feels, R^T (a - g), and a gyro R^T w, both in axes of the body: outputs of the
model, made of measures of the tree. Each is proved by what one does with it:

- who integrates the readings of the IMU alone, as inertial navigation does, finds the body where it is;
- the readings of all feet and the weight are the rate of the robot's momentum, by Newton's law;
- a force F on the tool asks for the torques -J^T F of the joints, and J u is how fast the tool moves.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import sympy
from quadruped import BASE, FEET, ROBOT, contact_force, quadruped, tilted
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.trees import JointTree, LinkForce

ARM = Path(__file__).with_name("ur5.urdf")
TOOL = "tool0"
GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2]
PLACE = (0.05, 0.01, 0.02)  # of the IMU in the body [m]
T_END, DT = 0.5, 1e-4  # [s], of the readings


def readings(tree: JointTree) -> dict[str, Any]:
    """Return the outputs of the quadruped: IMU, feet, and the rate of the momentum to compare them with."""
    down = tree.rotation(BASE).T * sympy.Matrix(GRAVITY)
    felt = tree.acceleration(BASE, at=PLACE, axes=BASE) - down
    turning = tree.angular_velocity(BASE, axes=BASE)
    rate = sum((link.mass * tree.acceleration(link.name, at=link.centre) for link in tree.links), sympy.zeros(3, 1))
    found: dict[str, Any] = {}
    for k, axis in enumerate("xyz"):
        found[f"accelerometer_{axis}"] = (felt[k], "m/s^2")
        found[f"gyro_{axis}"] = (turning[k], "rad/s")
        found[f"momentum_rate_{axis}"] = (rate[k], "N")
        found |= {f"{foot}_{axis}": (contact_force(tree, foot)[k], "N") for foot in FEET}
    return found


def columns(run: eomc.Trajectory, name: str) -> np.ndarray:
    """Return the three components of a reading, as rows over time."""
    return np.column_stack([run[f"{name}_{axis}"] for axis in "xyz"])


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the product of two quaternions (w, x, y, z)."""
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def turn(q: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return a vector of the body in axes of the world."""
    w, axis = q[0], q[1:]
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * vector)


def navigate(felt: np.ndarray, turning: np.ndarray, place: np.ndarray, speed: np.ndarray, q: np.ndarray) -> Any:
    """Return where the IMU is and how it is turned after its readings, each held to the middle of the next step."""
    for before, now, w0, w1 in zip(felt, felt[1:], turning, turning[1:], strict=False):
        angle = DT * (w0 + w1) / 2
        half = np.linalg.norm(angle) / 2
        then = product(q, np.array([np.cos(half), *(np.sinc(half / np.pi) * angle / 2)]))
        gained = DT * ((turn(q, before) + turn(then, now)) / 2 + GRAVITY)
        place, speed, q = place + DT * (speed + gained / 2), speed + gained, then
    return place, q


def walk(path: Path) -> bool:
    """Compare the readings of a quadruped that falls with its motion."""
    robot = quadruped(path, outputs=readings)
    sim = eomc.compile(robot, integrator="rodas5p").load()
    run = sim.simulate(T_END, x0=tilted(sim), rtol=1e-9, atol=1e-9, t_eval=np.arange(0, round(T_END / DT) + 1) * DT)
    felt, turning = columns(run, "accelerometer"), columns(run, "gyro")
    mass = sum(link.mass for link in robot.dynamics.links)
    feet = sum(columns(run, foot) for foot in FEET)
    newton = np.max(np.abs(feet + mass * GRAVITY - columns(run, "momentum_rate")))
    lightly, hard = np.linalg.norm(felt[0]), np.max(np.linalg.norm(felt, axis=1))
    print(f"the IMU feels {lightly:.3f} m/s^2 in the fall, up to {hard:.1f} m/s^2 on landing")
    print(f"feet and weight are the rate of the momentum to {newton:.1e} N of {np.max(feet):.0f} N")

    starts, ends = ((x[:3] + turn(x[3:7], np.array(PLACE)), x[3:7]) for x in (run.x[0], run.x[-1]))
    first = turn(run.x[0, 3:7], run.x[0, 19:22] + np.cross(run.x[0, 22:25], PLACE))
    place, q = navigate(felt, turning, starts[0], first, starts[1])
    away = np.linalg.norm(place - ends[0])
    turned = 2 * np.linalg.norm(product(q * [1, -1, -1, -1], ends[1])[1:])
    moved = np.linalg.norm(ends[0] - starts[0])
    print(
        f"by its readings alone it moved {1e3 * moved:.1f} mm, to {1e3 * away:.3f} mm and {np.degrees(turned):.4f} deg"
    )
    return bool(newton < 1e-9 and away < 2e-4 and turned < 1e-4)


def tool(tree: JointTree) -> dict[str, Any]:
    """Add a force on the tool, and as outputs where the tool is and the Jacobian of its velocity."""
    force = dynamicsymbols("Fx Fy Fz")
    J = tree.jacobian(TOOL)[:3, :]
    place = {f"tool_{axis}": (tree.position(TOOL)[k], "m") for k, axis in enumerate("xyz")}
    return {
        "inputs": force,
        "loads": [LinkForce(link=TOOL, force=tuple(force))],
        "outputs": {**place, **{f"J_{i}_{k}": J[i, k] for i in range(3) for k in range(J.cols)}},
    }


def reach(path: Path) -> bool:
    """Compare the Jacobian of an arm's tool with torques and with how the tool moves."""
    sim = eomc.compile(eomc.from_urdf(path, build=tool), functions="usual,inverse_dynamics").load()
    random, n, h = np.random.default_rng(5), len(sim.initial_state) // 2, 1e-5
    F = {"Fx": 11.0, "Fy": -7.0, "Fz": 23.0}
    worst = [0.0, 0.0]
    for _ in range(20):
        q, u = random.uniform(-2, 2, n), random.uniform(-1, 1, n)
        J = sim.outputs(0.0, [*q, *u])[3:].reshape(3, n)
        rest = [*q, *np.zeros(n)]
        loaded, free = (np.array([*sim.inverse_dynamics(0.0, rest, np.zeros(n), r).values()]) for r in (F, {}))
        ahead, behind = (sim.outputs(0.0, [*(q + step * u), *u])[:3] for step in (h, -h))
        torques = np.linalg.norm(loaded - free + J.T @ list(F.values()))
        speeds = np.linalg.norm((ahead - behind) / (2 * h) - J @ u)
        worst = [max(worst[0], torques), max(worst[1], speeds)]
    print(f"the Jacobian of the tool: torques to {worst[0]:.1e} N m, speeds to {worst[1]:.1e} m/s, by differences")
    return worst[0] < 1e-11 and worst[1] < 1e-8


def main() -> int:
    """Compare the sensors of both robots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", type=Path, nargs="*", default=[ROBOT, ARM])
    robots = parser.parse_args().robots
    if len(robots) != 2:
        parser.error("give both robots, or none")
    agrees = [walk(robots[0]), reach(robots[1])]
    return 0 if all(agrees) else 1


if __name__ == "__main__":
    sys.exit(main())
