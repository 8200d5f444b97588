"""A row as a tree of joints for peers, and the way between its order and eomc's."""

from __future__ import annotations

from dataclasses import dataclass

import casadi_trees
import numpy as np
from casadi_trees import Body

from comparison.contenders.contender import Task
from comparison.rows import Kind, urdf_of
from comparison.tangents import tangent

__all__ = ["Tree", "tree_of"]


@dataclass(frozen=True)
class Tree:
    """Bodies in the order of a peer; its coordinates and speeds are `by_q` q and `by_u` u of eomc's.

    A free base has its position, its quaternion with the scalar first, and velocities in child axes, linear first.
    """

    bodies: list[Body]
    gravity: np.ndarray
    by_q: np.ndarray  # (nq, nq)
    by_u: np.ndarray  # (nu, nu)

    @property
    def is_free(self) -> bool:
        """Whether the first body moves freely."""
        return self.bodies[0].kind == "free"

    def places(self, x: np.ndarray) -> np.ndarray:
        """Return the peer's coordinates of eomc's states."""
        return x[:, : len(self.by_q)] @ self.by_q.T

    def speeds(self, x: np.ndarray) -> np.ndarray:
        """Return the peer's speeds of eomc's states."""
        return x[:, len(self.by_q) :] @ self.by_u.T

    def accelerations(self, a: np.ndarray) -> np.ndarray:
        """Return the peer's u' of eomc's."""
        return a @ self.by_u.T

    def forces(self, tau: np.ndarray) -> np.ndarray:
        """Return the peer's generalized forces of eomc's: those that have the same power."""
        return np.linalg.solve(self.by_u.T, tau.T).T

    def own_accelerations(self, a: np.ndarray) -> np.ndarray:
        """Return eomc's u' of the peer's."""
        return np.linalg.solve(self.by_u, a.T).T

    def own_forces(self, tau: np.ndarray) -> np.ndarray:
        """Return eomc's generalized forces of the peer's."""
        return tau @ self.by_u

    def own_states(self, x: np.ndarray) -> np.ndarray:
        """Return eomc's states of the peer's."""
        n = len(self.by_q)
        q, u = (np.linalg.solve(by, part.T).T for by, part in ((self.by_q, x[:, :n]), (self.by_u, x[:, n:])))
        return np.hstack([q, u])

    def own_slopes(self, slopes: np.ndarray, at_r: list[int]) -> np.ndarray:
        """Return derivatives of eomc's u' (k, nu, 2 nu + nr) of the peer's by place, speeds and all forces."""
        n = len(self.by_u)
        by_place, by_speed, by_force = slopes[:, :, :n], slopes[:, :, n : 2 * n], slopes[:, :, 2 * n :]
        forces = np.linalg.inv(self.by_u).T[:, at_r]
        found = np.concatenate([by_place @ self.by_u, by_speed @ self.by_u, by_force @ forces], axis=2)
        return np.linalg.solve(self.by_u[None], found)

    def tangents(self, slopes: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return derivatives by small changes of the place of those by the peer's coordinates (k, nu, nq + ...)."""
        if not self.is_free:
            return slopes
        return np.array([np.hstack([s[:, :7] @ tangent(q[:7]), s[:, 7:]]) for s, q in zip(slopes, places, strict=True)])


def tree_of(task: Task) -> Tree:
    """Return the tree of a row: read by Pinocchio, or a pendulum in relative angles."""
    return _pendulum(task) if task.row.kind is Kind.PENDULUM else _robot(task)


def _pendulum(task: Task) -> Tree:
    import eomc

    values = {str(one.symbol): one.value for one in eomc.load(task.row.shipped).parameters}
    n = task.row.size
    bodies = [_point(-1, "prismatic", (1, 0, 0), (0, 0, 0), values["m0"], (0, 0, 0))]
    for i in range(1, n + 1):
        below = (0.0, values[f"l{i - 2}"] if i > 1 else 0.0, 0.0)
        bodies.append(_point(i - 1, "revolute", (0, 0, 1), below, values[f"m{i}"], (0, values[f"l{i - 1}"], 0)))
    relative = np.eye(n + 1)
    for i in range(2, n + 1):
        relative[i, i - 1] = -1.0
    return Tree(bodies, np.array([0.0, -values["g"], 0.0]), relative, relative)


def _point(
    parent: int, kind: str, axis: tuple[float, ...], offset: tuple[float, ...], mass: float, centre: tuple[float, ...]
) -> Body:
    """Return a body that is a point mass."""
    x, y, z = centre
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    inertia = np.block([[mass * across @ across.T, mass * across], [mass * across.T, mass * np.eye(3)]])
    return Body(parent, kind, np.eye(3), np.array(offset, float), np.array(axis, float), inertia)


def _robot(task: Task) -> Tree:
    import pinocchio

    free = [pinocchio.JointModelFreeFlyer()] if task.row.base != "fixed" else []
    model = pinocchio.buildModelFromUrdf(str(urdf_of(task.row, task.folder)), *free)
    starts, first = task.layout["joints"], next(iter(task.layout["joints"].values()))
    at_q: list[int] = []
    at_u: list[int] = []
    for i in range(1, model.njoints):
        q, u = starts.get(model.names[i], first)
        free_base = model.joints[i].nv == 6
        at_q += range(q, q + (7 if free_base else 1))
        at_u += range(u, u + (6 if free_base else 1))
    nq, nu = task.layout["nq"], task.layout["nu"]
    gravity = np.array([0.0, 0.0, -9.81])
    return Tree(casadi_trees.bodies_of(model), gravity, np.eye(nq)[at_q], np.eye(nu)[at_u])
