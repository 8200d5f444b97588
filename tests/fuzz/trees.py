"""Trees of joints drawn at random: every kind of joint, load, measure and closure; sizes over decades.

Lengths are of one size, masses of another, times of a third, as in `mechanisms`. A loop is closed where it is closed at
one random state, so that there are states that the closure admits; ranges are about this one.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import sympy
from sympy import cos, sin
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.trees import Closure, Joint, JointKind, JointLoad, JointTree, Link, LinkForce, LinkTorque, Mimic

__all__ = ["RandomTree"]

t = dynamicsymbols._t
_NAMES = ("world", "a link", "part.1", "left/arm", "x", "m", "kind", "Link")
_AXES = ((0, 0, 1), (1, 0, 0), (0, -1, 0), (0.6, 0.8, 0), (-2.0, 1.0, 2.0))
_TURNS = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0.8, 0, 0.6), (0, 1, 0), (-0.6, 0, 0.8)),
)
_KINDS = ("revolute",) * 6 + ("prismatic",) * 3 + ("ball", "ball", "free", "planar", "fixed", "fixed")


class RandomTree:
    """A random tree of one to five joints that are drawn, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.length, self.mass, self.second = (10.0 ** self.random.uniform(-3, 3) for _ in range(3))
        if self.random.random() < 0.4:
            self.length = self.mass = self.second = 1.0
        self.parameters: dict[sympy.Symbol, float] = {}
        self.later: dict[str, float] = {}  # parameters whose default is next to nothing, and what they are set to
        self.inputs: dict[Any, float] = {}
        self.links = [Link(name="ground")]
        self.joints: list[Joint] = []
        self.sizes: dict[Any, float] = {}  # of coordinates and speeds
        for _ in range(1 + self.random.randrange(self.random.choice([3, 3, 5]))):
            self._joint(self.random.choice(_KINDS), self.random.choice(self.links[-3:]).name)
        if not self.sizes:
            self._joint("revolute", self.links[-1].name)
        self.gravity = self._triple(self.length / self.second**2)

    # -- numbers -----------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def value(self, size: float, sign: bool = True) -> float:
        """Return a number about `size`, of either sign."""
        x = size * 10.0 ** self.random.uniform(-1.0, 0.5)
        return float(f"{-x if sign and self.chance(0.5) else x:.4g}")

    def number(self, size: float, sign: bool = True, tiny: bool = False) -> Any:
        """Return a number or a parameter; where it may be `tiny`, now and then one that is nothing until it is set."""
        value = self.value(size, sign)
        if self.chance(0.6):
            return value
        symbol = sympy.Symbol(f"c{len(self.parameters)}")
        self.parameters[symbol] = value
        if tiny and self.chance(0.2):
            self.later[symbol.name] = value
            self.parameters[symbol] = value * self.random.choice([0.0, 1e-12])
        return symbol

    def _triple(self, size: float) -> Any:
        if self.chance(0.15):
            return (0, 0, 0)
        return tuple(self.number(size, tiny=True) if self.chance(0.6) else 0 for _ in range(3))

    def _rotation(self) -> Any:
        kind = self.random.randrange(6)
        if kind < 4:
            return self.random.choice(_TURNS)
        if kind == 4:
            a = self.number(1.0)
            c, s = (cos(a), sin(a)) if isinstance(a, sympy.Symbol) else (math.cos(a), math.sin(a))
            return ((1, 0, 0), (0, c, -s), (0, s, c))
        columns = np.random.default_rng(self.random.randrange(2**31)).normal(size=(3, 3))
        turn = np.linalg.qr(columns)[0]
        return (turn * np.linalg.det(turn)).tolist()

    # -- links and joints --------------------------------------------------------------------------------------------

    def _joint(self, kind: str, parent: str) -> None:
        number = len(self.joints)
        followed = [one for one in self.joints if one.kind.value == kind]
        common = {"parent": parent, "offset": self._triple(self.length), "rotation": self._rotation()}
        if kind == "planar":  # as URDF's: two slides and a turn, without mass between them
            for k, axis in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
                one = "prismatic" if k < 2 else "revolute"
                self._add(name=f"j{number}_{k}", kind=one, axis=axis, child=self._name(), **self._moving(one), **common)
                common = {"parent": self.links[-1].name}
            self.links[-1] = self._body(self.links[-1].name)
            return
        child = self._name()
        mimic, moving = None, self._moving(kind)
        if followed and kind in ("revolute", "prismatic") and self.chance(0.35):
            factor = self.number(1.0, tiny=False)
            shift = self.number(self.length if kind == "prismatic" else 1.0)
            mimic, moving = Mimic(joint=self.random.choice(followed).name, factor=factor, offset=shift), {}
        inertia, force = self.mass, self.mass * self.length / self.second**2
        if kind != "prismatic":
            inertia, force = inertia * self.length**2, force * self.length
        losses = {}
        if kind in ("revolute", "prismatic", "ball"):
            if self.chance(0.3):
                losses["armature"] = self.number(inertia / 10, sign=False, tiny=True)
            if self.chance(0.3):
                losses["damping"] = self.number(force * self.second, sign=False, tiny=True)
        self._add(
            name=f"j{number}", kind=kind, child=child, axis=self.random.choice(_AXES), mimic=mimic,
            speeds_in=self.random.choice(["child", "parent"]), **moving, **losses, **common,
        )  # fmt: skip
        frame = kind == "fixed" and self.chance(0.5)
        self.links[-1] = Link(name=child) if frame else self._body(child)

    def _add(self, kind: str, **more: Any) -> None:
        joint = Joint(kind=JointKind(kind), **more)
        self.joints.append(joint)
        self.links.append(Link(name=joint.child))
        slides = {"prismatic": 1, "free": 3}.get(kind, 0)
        for k, q in enumerate(joint.coordinates):
            self.sizes[q] = self.length if k < slides else 1.0
        for k, u in enumerate(joint.speeds):
            self.sizes[u] = (self.length if k < slides else 1.0) / self.second

    def _name(self) -> str:
        taken = {link.name for link in self.links}
        free = [name for name in _NAMES if name not in taken]
        return self.random.choice(free) if free and self.chance(0.3) else f"l{len(self.links)}"

    def _moving(self, kind: str) -> dict[str, Any]:
        """Return new coordinates and speeds for a kind of joint; with a quaternion or three angles."""
        first = sum(len(joint.coordinates) for joint in self.joints)
        kind_of = JointKind(kind)
        count = self.random.choice(kind_of.coordinates)
        names = [f"q{first + k}" for k in range(count)], [f"u{first + k}" for k in range(kind_of.speeds)]
        return {"coordinates": [*map(dynamicsymbols, names[0])], "speeds": [*map(dynamicsymbols, names[1])]}

    def _body(self, name: str) -> Link:
        """Return a body that can be, every axis with inertia of its own."""
        size = self.mass * self.length**2
        first, second = (size * 10.0 ** self.random.uniform(-1, 0.5) for _ in range(2))
        third = (first + second) * self.random.uniform(abs(first - second) / (first + second), 1)
        moments = [float(f"{x:.6g}") for x in (first, second, third)]
        tensor: list[list[Any]] = [[moments[i] if i == k else 0 for k in range(3)] for i in range(3)]
        for i, k in ((0, 1), (0, 2), (1, 2)):
            if self.chance(0.4):
                tensor[i][k] = tensor[k][i] = float(f"{0.2 * min(moments) * self.random.uniform(-1, 1):.4g}")
        if self.chance(0.3):
            more = self.number(size, sign=False, tiny=True)
            for i in range(3):  # as of a ball around the centre
                tensor[i][i] = tensor[i][i] + more
        return Link(
            name=name, mass=self.number(self.mass, sign=False), centre=self._triple(self.length), inertia=tensor
        )

    # -- loads, constraints, outputs -----------------------------------------------------------------------------------

    def _loads(self, tree: JointTree) -> list[Any]:
        force = self.mass * self.length / self.second**2
        found: list[Any] = []
        names = [link.name for link in tree.links]
        for link in names[1:]:
            axes = self.random.choice([*names, "world"])
            if self.chance(0.3):
                parts = [self.number(force), self.number(force) * sin(t / self.second), 0]
                self.random.shuffle(parts)
                found.append(LinkForce(link=link, at=self._triple(self.length), force=parts, axes=axes))
            if self.chance(0.2):
                at = self._triple(self.length)
                place, speed = tree.position(link, at), tree.velocity(link, at, axes)
                stiffness, viscosity = (self.number(force / self.length * s, sign=False) for s in (1.0, self.second))
                found.append(LinkForce(link=link, at=at, force=[-stiffness * x for x in place]))
                found.append(LinkForce(link=link, at=at, force=[-viscosity * v for v in speed], axes=axes))
            if self.chance(0.2):
                spin, turn = tree.angular_velocity(link, axes), tree.rotation(link, axes)
                torque = [self.number(force * self.length) * x for x in (spin[0] * self.second, turn[1, 2], 1)]
                found.append(LinkTorque(link=link, torque=torque, axes=axes))
        for joint in tree.joints:
            if joint.kind.speeds == 1 and self.chance(0.4):
                size = force if joint.kind is JointKind.PRISMATIC else force * self.length
                found.append(JointLoad(joint=joint.name, loads=[self._load(joint, size)]))
            elif joint.kind is JointKind.BALL and self.chance(0.3):
                found.append(JointLoad(joint=joint.name, loads=[self.number(force * self.length) for _ in range(3)]))
        return found

    def _load(self, joint: Joint, size: float) -> Any:
        """Return a torque, a spring or dry friction as f tanh(u/v)."""
        kind = self.random.randrange(3)
        if kind == 0 or not joint.coordinates:
            torque = dynamicsymbols(f"tau_{joint.name}")
            self.inputs[torque] = self.value(size)
            return torque
        (q,), (u,) = joint.coordinates, joint.speeds
        if kind == 1:
            return -self.number(size, sign=False) * sin(q / sympy.Float(self.sizes[q]))
        return -self.number(size, sign=False) * sympy.tanh(u / sympy.Float(self.sizes[u] * 0.3))

    def _constrained(self, tree: JointTree) -> JointTree:
        """Return the tree with a closure, an own constraint, or one on velocities; now and then."""
        kind = self.random.choice(["point", "hinge", "fixed", "velocity", "own"])
        if kind == "velocity" and len(tree.speeds) > 1:
            link = tree.links[-1].name
            row = tree.velocity(link, self._triple(self.length), self.random.choice(tree.links[1:]).name)[
                self.random.randrange(3)
            ]
            return tree.with_constraints(velocity=[row]) if tree.joints_to(link) else tree
        if kind == "own":
            single = [joint.coordinates[0] for joint in tree.joints if joint.kind.speeds == 1 and joint.coordinates]
            if len(single) > 1:
                a, b = self.random.sample(single, 2)
                row = a / sympy.Float(self.sizes[a]) - sin(b / sympy.Float(self.sizes[b])) / 2 - 0.2
                return tree.with_constraints([row])
        if kind in ("point", "hinge", "fixed"):
            return self._closed(tree, kind)
        return tree

    def _closed(self, tree: JointTree, kind: str) -> JointTree:
        """Return the tree with two of its links joined as they are at one state, if more can move than is held."""
        first, second = self.random.sample([link.name for link in tree.links], 2)
        joints = set(tree.joints_to(first)) ^ set(tree.joints_to(second))
        moving = {u for number in joints for u in tree.joints[number].speeds}
        if len(moving) <= {"point": 3, "hinge": 5, "fixed": 6}[kind]:
            return tree
        at, here = [self.value(self.length) for _ in range(3)], np.array(self.random.choice(_AXES), dtype=float)
        asked = [*tree.position(first, at), *tree.position(second), *tree.rotation(first), *tree.rotation(second)]
        plain = eomc.from_tree(
            tree, name="open", parameters=self.parameters, inputs=self.inputs, ranges=self._ranges(tree),
            unused="ignore", outputs={f"y{k}": entry for k, entry in enumerate(asked)},
        )  # fmt: skip
        reference = eomc.reference(plain)
        state = reference.random_state(np.random.default_rng(self.seed))
        found = reference.outputs(0.0, state)
        place, origin, one, other = found[:3], found[3:6], found[6:15].reshape(3, 3), found[15:].reshape(3, 3)
        self.about = dict(zip(tree.coordinates, state, strict=False))
        closure = Closure(
            name="loop", kind=kind, first=first, second=second, at_first=at,
            at_second=(other.T @ (place - origin)).tolist(),
            rotation=(one.T @ other).tolist(), axis_first=here.tolist(), axis_second=(other.T @ one @ here).tolist(),
        )  # fmt: skip
        return tree.with_closures(closure)

    def _ranges(self, tree: JointTree) -> dict[Any, tuple[float, float]]:
        ranges = {}
        for symbol in (*tree.coordinates, *tree.speeds):
            size = self.sizes[symbol]
            middle = self.about.get(symbol)
            ranges[symbol] = (-1.2 * size, 1.2 * size) if middle is None else (middle - 0.1 * size, middle + 0.1 * size)
        return ranges

    def _outputs(self, tree: JointTree) -> dict[str, Any]:
        """Return measures of every kind, divided by their own sizes."""
        link, at = self.random.choice(tree.links[1:]).name, self._triple(self.length)
        axes = self.random.choice([*(one.name for one in tree.links), "world"])
        place, n = tree.position(link, at, axes), self.random.randrange(len(tree.speeds))
        jacobian = tree.jacobian(link, at, axes)[:, n] * self.sizes[tree.speeds[n]]
        length, second = self.length, self.second
        sized = [
            (place, length), (tree.velocity(link, at, axes), length / second), (place.diff(t), length / second),
            (tree.acceleration(link, at, axes), length / second**2), (tree.angular_velocity(link, axes), 1 / second),
            (tree.angular_acceleration(link, axes), second**-2), (tree.rotation(link, axes)[:, 0], 1.0),
            (jacobian[:3, 0], length / second), (jacobian[3:, 0], 1 / second),
        ]  # fmt: skip
        return {f"y{k}": entry for k, entry in enumerate(entry / size for vector, size in sized for entry in vector)}

    def model(self) -> eomc.Model:
        """Return the model."""
        self.about: dict[Any, float] = {}
        links, joints = self.links[:], self.joints[:]
        self.random.shuffle(links)
        self.random.shuffle(joints)
        tree = JointTree(links, joints, root="ground", gravity=self.gravity)
        tree = tree.with_loads(*self._loads(tree))
        if self.chance(0.3):
            tree = self._constrained(tree)
        given: dict[str, Any] = {"outputs": self._outputs(tree), "unused": "ignore"}
        if self.chance(0.3):
            z = dynamicsymbols("z")
            size = sympy.Float(self.length)
            given["extra_states"] = {z: (-z + tree.position(tree.links[-1].name)[0] / size) / self.second}
            given["ranges"] = {z: (-1.0, 1.0)}
        given["ranges"] = {**self._ranges(tree), **given.get("ranges", {})}
        return eomc.from_tree(tree, name=f"tree_{self.seed}", parameters=self.parameters, inputs=self.inputs, **given)

    @property
    def time(self) -> float:
        """A time of the model's own size."""
        return self.second * self.random.uniform(0.1, 3.0)
