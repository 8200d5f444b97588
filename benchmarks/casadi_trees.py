"""Trees of joints through CasADi, made with care: what its users would write, with zeros told and factors sparse.

Bodies that a fixed joint welds together are merged, as Pinocchio merges them. Articulated and composite bodies are
both written in spatial vectors of six, angular first (Featherstone, *Rigid Body Dynamics Algorithms* (2008), tables 6.2
and 7.1); a floating base is solved for in its own axes, last in the elimination.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["ALGORITHMS", "Body", "Dynamics", "bodies_of"]


@dataclass(frozen=True)
class Body:
    """A joint and what it carries: kind, the joint's frame in its parent's, axis, and the inertia about that frame."""

    parent: int  # -1: the ground
    kind: str  # revolute, prismatic or free
    rotation: np.ndarray  # v_parent = rotation v_body
    offset: np.ndarray
    axis: np.ndarray
    inertia: np.ndarray  # 6 x 6


def bodies_of(model: Any) -> list[Body]:
    """Return the bodies of a Pinocchio model, whose inertias already hold what is welded to them."""
    bodies = []
    for i in range(1, model.njoints):
        name = model.joints[i].shortname()
        placement, spatial = model.jointPlacements[i], model.inertias[i]
        kind = (
            "free"
            if "FreeFlyer" in name
            else "prismatic"
            if "Prismatic" in name or "JointModelP" in name
            else "revolute"
        )
        axes = {"X": (1.0, 0, 0), "Y": (0, 1.0, 0), "Z": (0, 0, 1.0)}
        axis = np.zeros(3) if kind == "free" else np.array(axes.get(name[-1], (0, 0, 0)))
        if kind != "free" and not axis.any():
            axis = _axis(model, i, linear=kind == "prismatic")
        turned = np.roll(np.arange(6), 3)  # Pinocchio has the linear part first
        bodies.append(
            Body(
                model.parents[i] - 1, kind, _clean(placement.rotation), _clean(placement.translation), axis,
                _clean(spatial.matrix()[np.ix_(turned, turned)]),
            )
        )  # fmt: skip
    return bodies


def _axis(model: Any, i: int, linear: bool) -> np.ndarray:
    """Return the axis of a joint that is along none of its frame's, from its motion subspace at zero."""
    import pinocchio as pin

    data = model.createData()
    pin.computeJointJacobians(model, data, pin.neutral(model))
    column = data.J[:, model.joints[i].idx_v]
    local = data.oMi[i].actInv(pin.Motion(column))
    return _clean(local.linear if linear else local.angular)


def _clean(matrix: np.ndarray) -> np.ndarray:
    """Return a matrix whose rounding is zero, so that CasADi sees the zeros."""
    found = np.array(matrix, dtype=float)
    found[abs(found) < 1e-11 * max(1.0, abs(found).max())] = 0.0
    return found


class _Graph:
    """The expressions of a tree at a state."""

    def __init__(self, ca: Any, bodies: list[Body], q: list[Any], u: list[Any]) -> None:
        self.ca, self.bodies = ca, bodies
        self.turns, self.subspaces, self.rates, self.transforms = [], [], [], []
        for body, place, rate in zip(bodies, q, u, strict=True):
            rotation, offset, subspace = self._joint(body, place)
            turned = rotation.T  # v_body = turned v_parent
            self.turns.append(turned)
            self.transforms.append(self._motion(turned, offset))
            self.subspaces.append(subspace)
            self.rates.append(subspace @ rate)

    def _joint(self, body: Body, place: Any) -> tuple[Any, Any, Any]:
        ca = self.ca
        rotation, offset = ca.sparsify(ca.SX(body.rotation)), ca.sparsify(ca.SX(body.offset))
        if body.kind == "free":
            return self._quaternion(place[3:]), place[:3], ca.sparsify(ca.SX(np.eye(6)[:, [3, 4, 5, 0, 1, 2]]))
        axis = ca.sparsify(ca.SX(body.axis))
        if body.kind == "prismatic":
            return rotation, offset + rotation @ axis * place, ca.sparsify(ca.vertcat(ca.SX(3, 1), axis))
        return rotation @ self._turn(body.axis, place), offset, ca.sparsify(ca.vertcat(axis, ca.SX(3, 1)))

    def _turn(self, axis: np.ndarray, angle: Any) -> Any:
        ca = self.ca
        c, s = ca.cos(angle), ca.sin(angle)
        for k in range(3):
            if abs(axis[k]) == 1.0:
                i, j = (k + 1) % 3, (k + 2) % 3
                turn = ca.SX(3, 3)
                turn[k, k], turn[i, i], turn[j, j] = 1, c, c
                turn[i, j], turn[j, i] = -s * axis[k], s * axis[k]
                return turn
        return ca.sparsify(ca.SX(np.outer(axis, axis))) * (1 - c) + c * ca.SX.eye(3) + s * self._cross(ca.SX(axis))

    def _quaternion(self, e: Any) -> Any:
        ca = self.ca
        w, x, y, z = (e[k] for k in range(4))
        return ca.vertcat(
            ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )

    def _cross(self, v: Any) -> Any:
        return self.ca.sparsify(self.ca.skew(v))

    def _motion(self, turned: Any, offset: Any) -> Any:
        """Return X of motion vectors, parent to body: [[E, 0], [-E [r], E]]."""
        ca = self.ca
        return ca.sparsify(ca.blockcat([[turned, ca.SX(3, 3)], [-turned @ self._cross(offset), turned]]))

    def _crm(self, v: Any) -> Any:
        ca = self.ca
        w, p = self._cross(v[:3]), self._cross(v[3:])
        return ca.blockcat([[w, ca.SX(3, 3)], [p, w]])

    def _dot(self, v: Any, f: Any) -> Any:
        """Return v x* f."""
        ca = self.ca
        return ca.vertcat(ca.cross(v[:3], f[:3]) + ca.cross(v[3:], f[3:]), ca.cross(v[:3], f[3:]))

    def _forces(self, gravity: np.ndarray) -> tuple[list[Any], list[Any]]:
        """Return the accelerations of bodies without u', and the forces that those take.

        A floating base has none: it is solved for its acceleration less gravity.
        """
        ca = self.ca
        velocity, acceleration, force = [], [], []
        for i, body in enumerate(self.bodies):
            x, rate = self.transforms[i], self.rates[i]
            inertia = ca.sparsify(ca.SX(body.inertia))
            if body.parent < 0:
                velocity.append(rate)
                a = ca.SX(6, 1) if body.kind == "free" else x @ ca.sparsify(ca.SX(np.r_[np.zeros(3), -gravity]))
                acceleration.append(a)
            else:
                velocity.append(x @ velocity[body.parent] + rate)
                acceleration.append(x @ acceleration[body.parent] + self._crm(velocity[i]) @ rate)
            force.append(inertia @ acceleration[i] + self._dot(velocity[i], inertia @ velocity[i]))
        return velocity, force

    def composite(self, tau: list[Any], gravity: np.ndarray) -> list[Any]:
        """Return u' of each joint by composite bodies and a sparse L D L^T from the leaves."""
        ca = self.ca
        _, force = self._forces(gravity)
        inertia = [ca.sparsify(ca.SX(body.inertia)) for body in self.bodies]
        for i in reversed(range(len(self.bodies))):
            if (parent := self.bodies[i].parent) >= 0:
                x = self.transforms[i]
                force[parent] = force[parent] + x.T @ force[i]
                inertia[parent] = inertia[parent] + x.T @ inertia[i] @ x
        widths = [s.shape[1] for s in self.subspaces]
        starts = np.cumsum([0, *widths])
        matrix, right = ca.SX(int(starts[-1]), int(starts[-1])), ca.SX(int(starts[-1]), 1)
        for i in range(len(self.bodies)):
            column = inertia[i] @ self.subspaces[i]
            here, j = slice(int(starts[i]), int(starts[i + 1])), i
            matrix[here, here] = self.subspaces[i].T @ column
            right[here] = tau[i] - self.subspaces[i].T @ force[i]
            while self.bodies[j].parent >= 0:
                column = self.transforms[j].T @ column
                j = self.bodies[j].parent
                there = slice(int(starts[j]), int(starts[j + 1]))
                block = self.subspaces[j].T @ column
                matrix[there, here], matrix[here, there] = block, block.T
        self._order = list(reversed(range(int(starts[-1]))))  # leaves first: no fill
        self._factor = ca.ldl(ca.sparsify(matrix)[self._order, self._order], False)
        solution = self.solved(right)
        return [solution[int(a) : int(b)] for a, b in itertools.pairwise(starts)]

    def solved(self, right: Any) -> Any:
        """Return M^-1 times a matrix, with the factor that `composite` has made."""
        solution = self.ca.ldl_solve(right[self._order, :], *self._factor)
        return solution[self._order, :]

    def required(self, accelerations: list[Any], gravity: np.ndarray) -> list[Any]:
        """Return the generalized forces of each joint with which a motion has these u'."""
        ca, velocity, acceleration, force = self.ca, [], [], []
        for i, body in enumerate(self.bodies):
            x, rate = self.transforms[i], self.rates[i]
            own = self.subspaces[i] @ accelerations[i]
            if body.parent < 0:
                velocity.append(rate)
                acceleration.append(x @ ca.sparsify(ca.SX(np.r_[np.zeros(3), -gravity])) + own)
            else:
                velocity.append(x @ velocity[body.parent] + rate)
                acceleration.append(x @ acceleration[body.parent] + own + self._crm(velocity[i]) @ rate)
            inertia = ca.sparsify(ca.SX(body.inertia))
            force.append(inertia @ acceleration[i] + self._dot(velocity[i], inertia @ velocity[i]))
        for i in reversed(range(len(self.bodies))):
            if (parent := self.bodies[i].parent) >= 0:
                force[parent] = force[parent] + self.transforms[i].T @ force[i]
        return [s.T @ f for s, f in zip(self.subspaces, force, strict=True)]

    def articulated(self, tau: list[Any], gravity: np.ndarray) -> list[Any]:
        """Return u' of each joint by articulated bodies."""
        ca, n = self.ca, len(self.bodies)
        velocity, _ = self._forces(gravity)
        inertia = [ca.sparsify(ca.SX(body.inertia)) for body in self.bodies]
        bias = [self._dot(v, i @ v) for v, i in zip(velocity, inertia, strict=True)]
        coriolis = [self._crm(velocity[i]) @ self.rates[i] for i in range(n)]
        kept: dict[int, tuple[Any, Any, Any]] = {}
        for i in reversed(range(n)):
            subspace, body = self.subspaces[i], self.bodies[i]
            if body.kind == "free":
                continue
            u = inertia[i] @ subspace
            inverse = 1 / (subspace.T @ u)
            left = tau[i] - subspace.T @ bias[i]
            kept[i] = u, inverse, left
            if body.parent >= 0:
                given = inertia[i] - (u * inverse) @ u.T
                force = bias[i] + given @ coriolis[i] + u * (inverse * left)
                x = self.transforms[i]
                inertia[body.parent] = inertia[body.parent] + x.T @ given @ x
                bias[body.parent] = bias[body.parent] + x.T @ force
        found, acceleration = [], []
        for i, body in enumerate(self.bodies):
            subspace = self.subspaces[i]
            if body.kind == "free":
                swapped = [3, 4, 5, 0, 1, 2]
                d, lower, permutation = ca.ldl(inertia[i], False)
                solved = ca.ldl_solve(subspace @ tau[i] - bias[i], d, lower, permutation)
                found.append(solved[swapped])
                acceleration.append(solved)
                continue
            u, inverse, left = kept[i]
            carried = (
                self.transforms[i] @ ca.sparsify(ca.SX(np.r_[np.zeros(3), -gravity]))
                if body.parent < 0
                else self.transforms[i] @ acceleration[body.parent] + coriolis[i]
            )
            own = inverse * (left - u.T @ carried)
            found.append(own)
            acceleration.append(carried + subspace @ own)
        return found


ALGORITHMS = ("articulated", "composite")


class Dynamics:
    """A tree's functions over x = [q; u] joint by joint, and forces or accelerations along its speeds."""

    def __init__(self, ca: Any, bodies: list[Body], gravity: np.ndarray) -> None:
        self._ca, self._bodies, self._gravity = ca, bodies, gravity
        self._widths = [(7, 6) if body.kind == "free" else (1, 1) for body in bodies]
        self.nq, self.nu = (sum(w[k] for w in self._widths) for k in (0, 1))
        self.x, self.tau = ca.SX.sym("x", self.nq + self.nu), ca.SX.sym("tau", self.nu)
        self._q = self._parts(self.x[: self.nq], 0)
        self._u = self._parts(self.x[self.nq :], 1)

    def _parts(self, vector: Any, which: int) -> list[Any]:
        found, at = [], 0
        for widths in self._widths:
            found.append(vector[at : at + widths[which]])
            at += widths[which]
        return found

    def _rates(self, graph: _Graph) -> list[Any]:
        """Return q' of each joint."""
        ca, rates = self._ca, []
        for i, body in enumerate(self._bodies):
            if body.kind != "free":
                rates.append(self._u[i])
                continue
            v, w = self._u[i][:3], self._u[i][3:]
            e = self._q[i][3:]
            rates += [graph.turns[i].T @ v, 0.5 * ca.vertcat(-ca.dot(e[1:], w), e[0] * w + ca.cross(e[1:], w))]
        return rates

    def _solved(self, algorithm: str) -> tuple[_Graph, Any, Any]:
        """Return the expressions, q' and u'."""
        ca = self._ca
        graph = _Graph(ca, self._bodies, self._q, self._u)
        found = getattr(graph, algorithm)(self._parts(self.tau, 1), self._gravity)
        for i, body in enumerate(self._bodies):
            if body.kind == "free":
                found[i] = found[i] + ca.vertcat(graph.turns[i] @ ca.SX(self._gravity), ca.SX(3, 1))
        return graph, ca.vertcat(*self._rates(graph)), ca.vertcat(*found)

    def right_hand_side(self, algorithm: str, name: str = "peer_rhs") -> Any:
        """Return the function (x, tau) -> dx by ``articulated`` or ``composite`` bodies."""
        _, rates, found = self._solved(algorithm)
        return self._ca.Function(name, [self.x, self.tau], [self._ca.vertcat(rates, found)], ["x", "tau"], ["dx"])

    def _required(self, accelerations: Any) -> Any:
        graph = _Graph(self._ca, self._bodies, self._q, self._u)
        return self._ca.vertcat(*graph.required(self._parts(accelerations, 1), self._gravity))

    def inverse_dynamics(self, name: str = "peer_inverse") -> Any:
        """Return the function (x, u') -> forces by the recursion of Newton and Euler."""
        return self._ca.Function(name, [self.x, self.tau], [self._required(self.tau)])

    def jacobian(self, algorithm: str, name: str = "peer_jacobian") -> Any:
        """Return the function (x, tau) -> derivatives of dx by both: of the right-hand side, or ``implicit``.

        ``implicit``: dID/du' du' = dtau - dID/dx dx with the factor of M that composite bodies have, ID being inverse
        dynamics, at the u' found.
        """
        ca = self._ca
        if algorithm != "implicit":
            _, rates, found = self._solved(algorithm)
            both = ca.vertcat(rates, found)
            return ca.Function(name, [self.x, self.tau], [ca.jacobian(both, self.x), ca.jacobian(both, self.tau)])
        graph, rates, found = self._solved("composite")
        given = ca.SX.sym("a", self.nu)
        slopes = ca.Function("slopes", [self.x, given], [ca.jacobian(self._required(given), self.x)])
        by_state = -graph.solved(slopes(self.x, found))
        by_force = graph.solved(ca.SX.eye(self.nu))
        top = ca.jacobian(rates, self.x)
        return ca.Function(
            name, [self.x, self.tau], [ca.vertcat(top, by_state), ca.vertcat(ca.SX(self.nq, self.nu), by_force)]
        )
