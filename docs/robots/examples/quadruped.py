"""A quadruped with springs in its joints, on ground that gives way: the model of the other scripts.

A foot is a point. Its depth d below the ground z = 0 and the velocity v of the point are measures of the tree, and what
the ground does follows from them: a normal force k d (1 + a d'), never negative, after Hunt and Crossley (1975), and
friction against the sliding velocity, mu times the normal force for all speeds well above v_s. Both take energy alone,
but for that of the spring, k d^2/2.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.trees import JointLoad, JointTree, LinkForce

ROBOT = Path(__file__).with_name("quadruped.urdf")
LEGS = ("FL", "FR", "HL", "HR")
FEET = tuple(f"{leg}_FOOT" for leg in LEGS)
BASE = "base_link"

k, a, mu, v_s, kp, kd = sympy.symbols("k a mu v_s kp kd", positive=True)
GROUND = {
    k: (6000.0, "N/m", "stiffness of the ground under a foot"),
    a: (0.5, "s/m", "loss of the ground: of its spring's force, for a speed"),
    mu: (0.7, "", "coefficient of friction"),
    v_s: (1e-3, "m/s", "speed about which friction is smooth"),
}
CONTROLLER = {
    kp: (20.0, "N m/rad", "stiffness of a joint's controller"),
    kd: (0.2, "N m s/rad", "damping of a joint's controller"),
}


def standing_angle(joint: str) -> float:
    """Return the angle at which a joint's spring is at ease: knees bent towards the middle of the body [rad]."""
    bend = {"HAA": 0.0, "HFE": 0.8, "KFE": -1.6}[joint[-3:]]
    return bend if joint.startswith("F") else -bend


def normal_force(tree: JointTree, foot: str) -> sympy.Expr:
    """Return what the ground pushes with [N]."""
    depth, sinking = -tree.position(foot)[2], -tree.velocity(foot)[2]
    return k * sympy.Max(0, depth) * sympy.Max(0, 1 + a * sinking)


def contact_force(tree: JointTree, foot: str) -> sympy.Matrix:
    """Return the force of the ground on a foot, in the world's axes [N]."""
    N = normal_force(tree, foot)
    x, y, _ = tree.velocity(foot)
    slowing = mu * N / sympy.sqrt(x**2 + y**2 + v_s**2)
    return sympy.Matrix([-slowing * x, -slowing * y, N])


def joint_torque(joint: Any) -> sympy.Expr:
    """Return what the controller of a joint does [N m]."""
    return -kp * (joint.coordinates[0] - standing_angle(joint.name)) - kd * joint.speeds[0]


def power_of_loads(tree: JointTree) -> sympy.Expr:
    """Return the power of all that is no weight [W]."""
    feet = [contact_force(tree, foot).dot(tree.velocity(foot)) for foot in FEET]
    return sympy.Add(*feet, *(joint_torque(joint) * joint.speeds[0] for joint in moving(tree)))


def energy_of_springs(tree: JointTree) -> sympy.Expr:
    """Return what the springs of ground and joints hold [J]."""
    ground = [k * sympy.Max(0, -tree.position(foot)[2]) ** 2 / 2 for foot in FEET]
    return sympy.Add(
        *ground, *(kp * (joint.coordinates[0] - standing_angle(joint.name)) ** 2 / 2 for joint in moving(tree))
    )


def moving(tree: JointTree) -> list[Any]:
    """Return the joints of the legs."""
    return [joint for joint in tree.joints if joint.kind.speeds == 1]


def loads(tree: JointTree) -> list[Any]:
    """Return the controllers' torques, and the ground's forces on the feet."""
    torques = [JointLoad(joint=joint.name, loads=(joint_torque(joint),)) for joint in moving(tree)]
    return torques + [LinkForce(link=foot, force=tuple(contact_force(tree, foot))) for foot in FEET]


def start(tree: JointTree) -> dict[sympy.Expr, float]:
    """Return a start at rest, with bent knees and the body level, its feet above the ground."""
    angles = {joint.coordinates[0]: standing_angle(joint.name) for joint in moving(tree)}
    return {dynamicsymbols("base_z"): 0.25, **angles}


def tilted(sim: eomc.Simulator) -> np.ndarray:
    """Return a start in the air, rolled by 0.15 rad and pitching, so that no two feet land at once."""
    rolled = {"base_qw": math.cos(0.075), "base_qx": math.sin(0.075)}
    return sim.state({"base_z": 0.27, **rolled}, {"base_wy": 0.8})


def quadruped(path: str | Path = ROBOT, base: str = "quaternion", **more: Any) -> eomc.Model:
    """Return the model; each of `more` is a function of the tree and makes outputs, extra states, events, ..."""
    parameters = {**GROUND, **CONTROLLER}

    def build(tree: JointTree) -> dict[str, Any]:
        own = {key: make(tree) for key, make in more.items()}
        initial = {**start(tree), **own.pop("initial", {})}
        return {"loads": loads(tree), "parameters": parameters, "initial": initial, **own}

    return eomc.from_urdf(path, base=base, inputs="none", build=build, name="quadruped")
