"""A robot as eomc and as Pinocchio have it: the same file, the same states, in the order of eomc's speeds.

Pinocchio reads every robot without followers; G, the derivatives of its speeds by those that are free, is made here
from the file, so that M = G^T M_full G and so on for followers of followers, too, and for derivatives, which Pinocchio
has of robots without followers alone.
"""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from eomc.model.names import name_of
from eomc.trees import Joint, JointKind, JointTree

__all__ = ["Pair", "State"]


@dataclass(frozen=True)
class State:
    """A state: ours as one row, theirs as configuration and velocity, and what moves it."""

    own: Any  # x (nx,)
    q: Any
    v: Any
    torques: Any  # along our speeds (n,), zero along the base's
    rates: Any  # u' for inverse dynamics (n,)
    tangent: Any  # (nq, n): dq of ours along a small turn or shift of each speed, in axes of the child


@dataclass(frozen=True)
class Theirs:
    """What Pinocchio says at a state, over our speeds."""

    matrix: Any  # M (n, n)
    gravity: Any  # (n,)
    bias: Any  # with gravity (n,)
    inverse: Any  # the forces of State.rates (n,)
    accelerations: Any  # of State.torques (n,)
    by_q: Any  # their derivatives along small shifts (n, n), by the speeds (n, n), by the torques (n, n)
    by_u: Any
    by_torques: Any
    jacobians: dict[str, Any]  # of each link (6, n)
    reach: float  # the largest distance of a link from the root, or arm of a speed [m]

    @property
    def sizes(self) -> Any:
        """d = sqrt(diag M): with speeds d u, M has ones on its diagonal and no units, forces are f/d."""
        return np.sqrt(np.diag(self.matrix))

    @property
    def scaled(self) -> Any:
        """M without units."""
        return self.matrix / np.outer(self.sizes, self.sizes)


class Pair:
    """A robot that both have read.

    Raises
    ------
    ModelError
        We refuse the robot.
    """

    def __init__(self, pinocchio: Any, path: Path, base: str, folder: Path) -> None:
        text = path.read_text(encoding="utf-8")
        named = folder / path.name  # Pinocchio wants a robot to have a name, and joints to have limits
        named.write_text(text.replace("<robot>", f'<robot name="{path.stem}">'), encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.model = eomc.from_urdf(named, base=base, damping=False, snap=False, build=self._outputs)
        self.tree: JointTree = self.model.dynamics
        self.free = 0 if base == "fixed" else 6
        root = () if base == "fixed" else (pinocchio.JointModelFreeFlyer(),)
        self.pinocchio, self.path, self._root = pinocchio, named, root
        self.other = pinocchio.buildModelFromUrdf(str(named), *root, mimic=False)
        self.data = self.other.createData()
        self.simulator = eomc.compile(self.model, functions="usual,jacobian,inverse_dynamics").load()
        self.joints = [joint for joint in self.tree.joints if joint.coordinates]
        self.followers = _followers(named)
        self._lead()

    def _outputs(self, tree: JointTree) -> dict[str, Any]:
        """Return the entries of the Jacobians of all links as outputs; those that are left out are zero."""
        self.entries: list[tuple[str, int, int]] = []
        outputs: dict[str, Any] = {}
        for number, link in enumerate(tree.links):
            jacobian = tree.jacobian(link.name)
            for i, k in np.ndindex(*jacobian.shape):
                if jacobian[i, k] != 0:
                    self.entries.append((link.name, i, k))
                    outputs[f"J_{number}_{i}_{k}"] = jacobian[i, k]
        return {"outputs": outputs}

    def _place(self, name: str) -> Any:
        return self.other.joints[self.other.getJointId(name)]

    @staticmethod
    def _named(model: Any, joint: Joint) -> Any:
        return model.joints[model.getJointId("root_joint" if joint.kind is JointKind.FREE else joint.name)]

    def _lead(self) -> None:
        """Make G (their speeds by ours), and the places of followers."""
        columns = {joint.name: k for k, joint in enumerate(self._single, self.free)}
        self.G = np.zeros((self.other.nv, self.free + len(columns)))
        self.G[: self.free, : self.free] = np.eye(self.free)
        for name, column in columns.items():
            self.G[self._place(name).idx_v, column] = 1.0
        for name, (lead, factor, _) in self.followers.items():
            self.G[self._place(name).idx_v, columns[lead]] = factor

    @property
    def _single(self) -> list[Joint]:
        return [joint for joint in self.joints if joint.kind is not JointKind.FREE]

    def torques_of(self, state: State) -> Any:
        """Return our inputs (nr,) at a state."""
        places = {f"tau_{name_of(joint.coordinates[0])}": k for k, joint in enumerate(self._single, self.free)}
        return [state.torques[places[name]] for name in self.simulator.input_names]

    def columns_of_inputs(self) -> list[int]:
        """Return which input acts along each speed but the base's."""
        names = self.simulator.input_names
        return [names.index(f"tau_{name_of(joint.coordinates[0])}") for joint in self._single]

    def states(self, count: int) -> list[State]:
        """Return random states: joints within a radian and a metre, any attitude of the base."""
        generator = np.random.default_rng(1)
        return [self._state(generator) for _ in range(count)]

    def _state(self, generator: np.random.Generator) -> State:
        n = self.G.shape[1]
        coordinates, speeds = generator.uniform(-1, 1, n + bool(self.free)), generator.uniform(-1, 1, n)
        q, tangent = self.pinocchio.neutral(self.other), np.eye(n)
        if self.free:
            position, quaternion = coordinates[:3], coordinates[3:7] / np.linalg.norm(coordinates[3:7])
            coordinates = np.concatenate([position, quaternion, coordinates[7:]])
            q[:7] = [*position, *quaternion[1:], quaternion[0]]  # their w comes last
            tangent = _small_moves(quaternion, n)
        places = coordinates[len(coordinates) - len(self._single) :]
        values = dict(zip([joint.name for joint in self._single], places, strict=True))
        followed = {name: factor * values[lead] + shift for name, (lead, factor, shift) in self.followers.items()}
        for name, value in {**values, **followed}.items():
            place = self._place(name)
            angle = [np.cos(value), np.sin(value)] if place.nq == 2 else [value]
            q[place.idx_q : place.idx_q + place.nq] = angle
        torques = np.concatenate([np.zeros(self.free), generator.uniform(-1, 1, n - self.free)])
        own = np.concatenate([coordinates, speeds])
        return State(own, q, self.G @ speeds, torques, generator.uniform(-1, 1, n), tangent)

    def as_it_follows(self) -> Callable[[State], tuple[Any, Any]] | None:
        """Return a function for M and the bias of Pinocchio's own followers; None where it does not take them."""
        pin = self.pinocchio
        try:
            model = pin.buildModelFromUrdf(str(self.path), *self._root, mimic=True)
        except ValueError:
            return None
        data = model.createData()
        moving = [(self._named(self.other, joint), self._named(model, joint)) for joint in self.joints]
        order = np.array([place.idx_v + k for _, place in moving for k in range(place.nv)])

        def at(state: State) -> tuple[Any, Any]:
            q, v = pin.neutral(model), np.zeros(model.nv)
            for full, place in moving:
                q[place.idx_q : place.idx_q + place.nq] = state.q[full.idx_q : full.idx_q + full.nq]
                v[place.idx_v : place.idx_v + place.nv] = state.v[full.idx_v : full.idx_v + full.nv]
            upper = np.triu(pin.crba(model, data, q))
            matrix = upper + np.triu(upper, 1).T
            return matrix[np.ix_(order, order)], pin.nonLinearEffects(model, data, q, v)[order]

        return at

    def theirs(self, state: State) -> Theirs:
        """Return what Pinocchio says."""
        pin, other, data, G = self.pinocchio, self.other, self.data, self.G
        upper = np.triu(pin.crba(other, data, state.q))
        matrix = G.T @ (upper + np.triu(upper, 1).T) @ G
        gravity = G.T @ pin.computeGeneralizedGravity(other, data, state.q)
        bias = G.T @ pin.nonLinearEffects(other, data, state.q, state.v)
        inverse = G.T @ pin.rnea(other, data, state.q, state.v, G @ state.rates)
        if self.followers:
            accelerations = np.linalg.solve(matrix, state.torques - bias)
        else:
            accelerations = G.T @ pin.aba(other, data, state.q, state.v, G @ state.torques)
        slopes = pin.computeRNEADerivatives(other, data, state.q, state.v, G @ accelerations)
        by_q, by_u = (-np.linalg.solve(matrix, G.T @ one @ G) for one in slopes[:2])
        pin.computeJointJacobians(other, data, state.q)
        pin.updateFramePlacements(other, data)
        jacobians, reach = {}, 0.0
        for link in self.tree.links:
            frame = other.getFrameId(link.name, pin.FrameType.BODY)
            if frame == other.nframes:  # the ground that a free base hangs on
                jacobians[link.name] = np.zeros((6, G.shape[1]))
                continue
            whole = pin.getFrameJacobian(other, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            jacobians[link.name] = whole.reshape(6, -1) @ G  # of one joint it has one dimension
            place = np.abs(data.oMf[frame].translation).max()
            reach = max(reach, place, np.abs(jacobians[link.name][:3]).max())
        return Theirs(
            matrix, gravity, bias, inverse, accelerations, by_q, by_u, np.linalg.inv(matrix), jacobians, reach
        )


def _followers(path: Path) -> dict[str, tuple[str, float, float]]:
    """Return which joint each follower moves with in the end, by which factor and from where."""
    given = {}
    for joint in ElementTree.parse(path).getroot().findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and joint.get("type") != "fixed":
            given[joint.get("name", "")] = (
                mimic.get("joint", ""),
                float(mimic.get("multiplier") or 1),
                float(mimic.get("offset") or 0),
            )
    found = {}
    for name, (lead, factor, shift) in given.items():
        while lead in given:
            lead, more, further = given[lead]
            factor, shift = factor * more, factor * further + shift
        found[name] = lead, factor, shift
    return found


def _small_moves(quaternion: Any, n: int) -> Any:
    """Return how our coordinates change along a small shift or turn of the base in its own axes, and of joints."""
    w, x, y, z = quaternion
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    moves = np.zeros((n + 1, n))
    moves[:3, :3] = np.eye(3) + 2 * w * cross + 2 * cross @ cross  # R
    moves[3:7, 3:6] = 0.5 * np.vstack([-quaternion[1:], w * np.eye(3) + cross])
    moves[7:, 6:] = np.eye(n - 6)
    return moves
