"""Random trees of joints, their prepared rows on a graph, and an independent dynamics of theirs in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from eomc.derivation.trees.articulated import ArticulatedBodies
from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.joints import JointMotion, Rate, joint_motion, rates_of
from eomc.derivation.trees.newton_euler import (
    accelerations_outwards,
    body_wrenches,
    carried_inwards,
    is_afloat,
    joint_forces,
)
from eomc.derivation.trees.preparation import prepare
from eomc.derivation.trees.rows import TreeRows
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.model.trees.records import Joint, JointKind, Link
from eomc.solving.checks import Checks
from eomc.solving.ldlt import solve_positive_definite

GRAVITY = (0.7, -1.1, -9.81)
SIMPLE = (JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.FIXED)


def rotation_of(rng: np.random.Generator) -> np.ndarray:
    """Return a rotation: none, by quarters, about one axis or any."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    turn = q * np.sign(np.diag(r))
    turn = turn * np.linalg.det(turn)
    quarters = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)[:, None]
    quarters = quarters * np.linalg.det(quarters)
    a = rng.uniform(-3, 3)
    about_y = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    return (np.eye(3), quarters, about_y, quarters @ about_y, turn)[rng.integers(5)]


def link_of(rng: np.random.Generator, name: str, solid: bool) -> Link:
    """Return a body of a few points of mass, in a plane or a line or one point where it need not be solid."""
    n = 6 if solid else rng.choice([1, 4, 6])
    masses, at = rng.uniform(0.1, 1, n), rng.normal(size=(n, 3))
    if not solid:
        at = at * rng.choice([0, 1], 3, p=[0.2, 0.8])
    centre = masses @ at / masses.sum()
    d = at - centre
    inertia = sum(m * (e @ e * np.eye(3) - np.outer(e, e)) for m, e in zip(masses, d, strict=True))
    return Link(name=name, mass=float(masses.sum()), centre=triple(centre), inertia=tensor(inertia))


def triple(v: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = map(float, v)
    return x, y, z


def tensor(m: np.ndarray) -> tuple[tuple[float, float, float], ...]:
    return tuple(triple(row) for row in m)


@dataclass
class Drawn:
    """Links and joints as they are given."""

    links: list[Link]
    joints: list[Joint]


def drawn(
    seed: int, n: int, kinds: Sequence[JointKind] = SIMPLE, base: JointKind | None = None, solid: bool = False
) -> Drawn:
    """Return a random tree of n joints; `base` is the kind of the first, `solid` bodies have no axis of mass."""
    rng = np.random.default_rng(seed)
    links, joints = [link_of(rng, "root", solid)], []
    axes: dict[str, np.ndarray] = {}  # of what carries each link, where it has one
    for k in range(n):
        kind = base if base is not None and k == 0 else kinds[rng.integers(len(kinds))]
        parent = links[rng.integers(len(links))].name if base is None or k == 0 else links[rng.integers(1, k + 1)].name
        axis = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1]) if rng.random() < 0.6 else rng.normal(size=3)
        axis, rotation = axis / np.linalg.norm(axis), rotation_of(rng)
        if parent in axes and rng.random() < 0.5:
            axis = axes[parent]  # parallel
            rotation = about(axis, rng.choice([0.0, np.pi / 2, rng.uniform(-3, 3)]))
        if kind in (JointKind.REVOLUTE, JointKind.PRISMATIC):
            axes[f"l{k}"] = axis
        offset = rng.normal(size=3) * rng.choice([0, 1], 3)
        joints.append(
            Joint(
                name=f"j{k}",
                kind=kind,
                parent=parent,
                child=f"l{k}",
                rotation=tensor(rotation),
                offset=triple(offset),
                axis=triple(axis),
                armature=float(rng.choice([0, 0.3])) if kind in SIMPLE and kind is not JointKind.FIXED else 0,
            )
        )
        links.append(link_of(rng, f"l{k}", solid))
    return Drawn(links, joints)


# -- the graph's side ------------------------------------------------------------------------------------------------


class OnGraph:
    """A tree's rows with symbols for its state, and what the recursions make of them."""

    def __init__(self, tree: Drawn, *, quaternions: bool = True, scalars: Callable[[Any], Any] | None = None) -> None:
        self.graph = g = Graph()
        self.rows: TreeRows = prepare(g, scalars(g) if scalars else g.constant, tree.links, tree.joints)
        self.rates = rates_of(self.rows)
        self.flat = [rate for own in self.rates for rate in own]
        self._symbols = 0
        self.coordinates: list[list[Node]] = []
        self.motions: list[JointMotion] = []
        self.speeds = self._leaves(Role.STATE, len(self.flat))
        self.forces = dict(zip(self.flat, self._leaves(Role.INPUT, len(self.flat)), strict=True))
        self.accelerations = dict(zip(self.flat, self._leaves(Role.ACCELERATION, len(self.flat)), strict=True))
        left = list(self.speeds)
        for row, own in zip(self.rows.rows, self.rates, strict=True):
            count = row.kind.coordinates[0 if quaternions else -1]
            self.coordinates.append(self._leaves(Role.STATE, count))
            self.motions.append(joint_motion(g, row, self.coordinates[-1], left[: len(own)]))
            left = left[len(own) :]
        self.gravity = g.constant(GRAVITY[0]), g.constant(GRAVITY[1]), g.constant(GRAVITY[2])

    def _leaves(self, role: Role, n: int) -> list[Node]:
        made = [self.graph.symbol(Symbol(role, self._symbols + k, f"{role.value}{k}")) for k in range(n)]
        self._symbols += n
        return made

    def wrenches(self, given: dict[Rate, Node]) -> list[Any]:
        spreads = accelerations_outwards(self.graph, self.rows, self.motions, self.rates, given, self.gravity)
        return body_wrenches(self.graph, self.rows, spreads)

    def inverse(self, given: dict[Rate, Node]) -> list[Node]:
        carried = carried_inwards(self.graph, self.rows, self.motions, self.wrenches(given))
        forces = joint_forces(self.graph, self.rows, self.rates, carried, given)
        return [forces[rate] for rate in self.flat]

    def mass_matrix(self) -> list[list[Node]]:
        return mass_matrix(self.graph, self.rows, self.motions, self.rates)

    def composite(self) -> list[Node]:
        g = self.graph
        right = [g.sub(self.forces[rate], b) for rate, b in zip(self.flat, self.inverse({}), strict=True)]
        labels = [f"u{k}" for k in range(len(right))]
        return list(solve_positive_definite(g, self.mass_matrix(), right, labels, Checks(g)).column)

    def articulated(self) -> list[Node]:
        bodies = ArticulatedBodies(self.graph, self.rows, self.motions, self.rates)
        found = bodies.accelerations(self.wrenches({}), self.forces)
        return [found[rate] for rate in self.flat]

    def sample(self, q: Sequence[np.ndarray], u: np.ndarray, tau: np.ndarray, ud: np.ndarray) -> Sample:
        pairs = [
            *(
                (n, x)
                for own, values in zip(self.coordinates, q, strict=True)
                for n, x in zip(own, values, strict=True)
            ),
            *zip(self.speeds, u, strict=True),
            *zip(self.forces.values(), tau, strict=True),
            *zip(self.accelerations.values(), ud, strict=True),
        ]
        return Sample(self.graph, {self.graph.symbol_of(n): float(x) for n, x in pairs})


def operations(graph: Graph, nodes: Iterable[Node]) -> int:
    """Return additions, multiplications, divisions and calls; changes of sign and what is steady are free."""
    free = (Op.SYMBOL, Op.CONSTANT, Op.NEG)
    return sum(graph.level[n] == Level.VARYING and graph.ops[n] not in free for n in graph.reachable(nodes))


# -- the independent side --------------------------------------------------------------------------------------------


def skew(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Return Rodrigues' rotation."""
    k = skew(axis)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def of_quaternion(q: np.ndarray) -> np.ndarray:
    w, *v = q / np.sqrt(q @ q)  # of complex steps, too
    v = np.array(v)
    return np.eye(3) * (w * w - v @ v) + 2 * np.outer(v, v) + 2 * w * skew(v)


class Plain:
    """Spatial vectors of six entries, angular first, over all links as given (Featherstone 2008, table 5.1)."""

    def __init__(self, tree: Drawn) -> None:
        self.tree = tree
        self.at = {tree.links[0].name: -1, **{joint.child: k for k, joint in enumerate(tree.joints)}}

    def joint(self, joint: Joint, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return rotation and position of the child in its parent, and the motion subspace."""
        axis, zero = np.array(joint.axis, dtype=float), np.zeros(3)
        r, p = np.array(joint.rotation, dtype=float), np.array(joint.offset, dtype=float)
        if joint.kind is JointKind.REVOLUTE:
            return r @ about(axis, q[0]), p, np.r_[axis, zero][:, None]
        if joint.kind is JointKind.PRISMATIC:
            return r, p + r @ axis * q[0], np.r_[zero, axis][:, None]
        if joint.kind is JointKind.FIXED:
            return r, p, np.zeros((6, 0))
        orientation = q[3:] if joint.kind is JointKind.FREE else q
        if len(orientation) == 4:
            turn = of_quaternion(orientation)
        else:
            turn = np.linalg.multi_dot([about(e, a) for e, a in zip(np.eye(3), orientation, strict=True)])
        if joint.kind is JointKind.BALL:
            return r @ turn, p, np.eye(6)[:, :3]
        return r @ turn, p + q[:3], np.eye(6)[:, [3, 4, 5, 0, 1, 2]]

    def inverse(self, q: dict[str, np.ndarray], u: np.ndarray, ud: np.ndarray, gravity: Sequence[float]) -> np.ndarray:
        """Return the forces that rates u with rates of change ud take."""
        links = {link.name: link for link in self.tree.links}
        velocity, acceleration, force, transforms, spaces = [], [], [], [], []
        place = 0
        for joint in self.tree.joints:
            r, p, space = self.joint(joint, q.get(joint.name, np.zeros(0)))
            own = slice(place, place + space.shape[1])
            place = own.stop
            across = np.block([[r.T, np.zeros((3, 3))], [-r.T @ skew(p), r.T]])
            parent = self.at[joint.parent]
            before = velocity[parent] if parent >= 0 else np.zeros(6)
            faster = acceleration[parent] if parent >= 0 else np.r_[0, 0, 0, -np.array(gravity)]
            v = across @ before + space @ u[own]
            cross = np.block([[skew(v[:3]), np.zeros((3, 3))], [skew(v[3:]), skew(v[:3])]])
            a = across @ faster + space @ ud[own] + cross @ space @ u[own]
            link = links[joint.child]
            c = skew(np.array(link.centre, dtype=float))
            about_origin = np.array(link.inertia, dtype=float) - link.mass * c @ c
            inertia = np.block([[about_origin, link.mass * c], [-link.mass * c, link.mass * np.eye(3)]])
            force.append(inertia @ a - cross.T @ inertia @ v)
            velocity.append(v)
            acceleration.append(a)
            transforms.append(across)
            spaces.append((space, own))
        tau = np.zeros(place, dtype=complex if any(map(np.iscomplexobj, force)) else float)
        for k in reversed(range(len(force))):
            joint, (space, own) = self.tree.joints[k], spaces[k]
            tau[own] = space.T @ force[k] + joint.armature * ud[own]
            if self.at[joint.parent] >= 0:
                force[self.at[joint.parent]] = force[self.at[joint.parent]] + transforms[k].T @ force[k]
        return tau

    def mass_matrix(self, q: dict[str, np.ndarray], n: int) -> np.ndarray:
        return np.array([self.inverse(q, np.zeros(n), e, (0, 0, 0)) for e in np.eye(n)]).T

    def poses(self, q: dict[str, np.ndarray]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return rotation and position of each link in the root."""
        found = {self.tree.links[0].name: (np.eye(3), np.zeros(3))}
        for joint in self.tree.joints:
            r, p, _ = self.joint(joint, q.get(joint.name, np.zeros(0)))
            turn, origin = found[joint.parent]
            found[joint.child] = turn @ r, origin + turn @ p
        return found

    def is_afloat(self, joint: Joint) -> bool:
        """Whether a joint is free and nothing before it moves."""
        held = self.at[joint.parent]
        while held >= 0 and self.tree.joints[held].kind is JointKind.FIXED:
            held = self.at[self.tree.joints[held].parent]
        return joint.kind is JointKind.FREE and held < 0

    def apparent(self, q: dict[str, np.ndarray], u: np.ndarray, ud: np.ndarray) -> np.ndarray:
        """Return ud with the whole acceleration less gravity for the origins of floating bases."""
        ud, place = ud.copy(), 0
        for joint in self.tree.joints:
            if self.is_afloat(joint):
                r, _ = self.poses(q)[joint.child]
                ud[place : place + 3] += np.cross(u[place + 3 : place + 6], u[place : place + 3]) - r.T @ GRAVITY
            place += joint.kind.speeds
        return ud


@dataclass
class State:
    """Numbers for a tree: coordinates by joint and in the order of rows, rates, forces, accelerations."""

    q: dict[str, np.ndarray]
    rows: list[np.ndarray]
    u: np.ndarray
    tau: np.ndarray
    ud: np.ndarray


def state_of(tree: Drawn, seed: int, *, quaternions: bool = True) -> State:
    rng = np.random.default_rng(seed)
    q = {}
    for joint in tree.joints:
        if joint.kind is not JointKind.FIXED:
            values = rng.uniform(-1, 1, joint.kind.coordinates[0 if quaternions else -1])
            if quaternions and joint.kind in (JointKind.BALL, JointKind.FREE):
                values[-4:] /= np.linalg.norm(values[-4:])
            q[joint.name] = values
    n = sum(joint.kind.speeds for joint in tree.joints)
    return State(q, list(q.values()), *rng.uniform(-1, 1, (3, n)))


@dataclass(frozen=True)
class Trees:
    """What tests of trees share: makers and measures."""

    drawn: Callable[..., Drawn] = drawn
    on_graph: Callable[..., OnGraph] = OnGraph
    plain: Callable[[Drawn], Plain] = Plain
    state: Callable[..., State] = state_of
    operations: Callable[[Graph, Iterable[Node]], int] = operations
    gravity: tuple[float, float, float] = GRAVITY
    is_afloat: Callable[[Any], bool] = is_afloat


@pytest.fixture(scope="session")
def trees() -> Trees:
    """Return the makers of random trees and of both sides."""
    return Trees()
