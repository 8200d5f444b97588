"""The links of a tree at given states: where each is, how it moves, and its Jacobian by the speeds.

From parent to child by finite rotations, R = R_p C R(q), all in the root's axes. A speed u turns or moves the child
along a column e of world components, w = w_p + e u; the columns of all speeds above a link make its Jacobian J, and
what the acceleration is for u' = 0 goes along:

    alpha = alpha_p + w_p x e u,        a = a_p + alpha_p x r + w_p x (w_p x r) + w_p x v_r + w_e x v_r

with r from the parent's origin to the child's, v_r its velocity in the parent and w_e the angular velocity of the axes
in which v_r has constant components.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from eomc.model import JointTree
from eomc.model.trees.records import Joint, JointKind
from eomc.reference.arrays import crossed, multiplied
from eomc.reference.jets import Array
from eomc.reference.trees.entries import Entries


@dataclass(frozen=True, slots=True)
class LinkAt:
    """A link at k states, in the root's axes; Jacobians are over all speeds of the tree."""

    rotation: Array  # (k, 3, 3): v_root = R v_link
    origin: Array  # (k, 3)
    spin: Array  # w (k, 3)
    velocity: Array  # of the origin (k, 3)
    spin_bias: Array  # alpha at u' = 0 (k, 3)
    bias: Array  # a of the origin at u' = 0 (k, 3)
    turning: Array  # dw/du (k, 3, n)
    moving: Array  # dv/du (k, 3, n)

    def point(self, at: Array) -> tuple[Array, Array, Array, Array]:
        """Return place, velocity, bias (k, 3) and Jacobian (k, 3, n) of a point `at` (k, 3) in the link's frame."""
        arm = multiplied(self.rotation, at)
        velocity = self.velocity + crossed(self.spin, arm)
        bias = self.bias + crossed(self.spin_bias, arm) + crossed(self.spin, crossed(self.spin, arm))
        return self.origin + arm, velocity, bias, self.moving + columns_crossed(self.turning, arm)


def columns_crossed(columns: Array, vector: Array) -> Array:
    """Return the columns (k, 3, n), each times a vector (k, 3)."""
    found = crossed(np.swapaxes(columns, 1, 2), vector[:, None, :])
    return np.asarray(np.swapaxes(found, 1, 2), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Placed:
    """The places of a joint's entries."""

    rotation: int
    offset: int
    axis: int
    factor: int  # of a mimic joint, 1 for others
    shift: int
    coordinates: slice  # its own, or those of the joint that it follows
    speeds: slice


class Links:
    """All links of a tree, ready to be placed."""

    def __init__(self, tree: JointTree, entries: Entries) -> None:
        self.tree = tree
        self.speeds = slices([len(joint.speeds) for joint in tree.joints])
        self.coordinates = slices([len(joint.coordinates) for joint in tree.joints])
        self._entries = entries
        self._placed = [self._place(number, joint) for number, joint in enumerate(tree.joints)]

    def _place(self, number: int, joint: Joint) -> _Placed:
        lead, add = self.tree.leads[number], self._entries.add
        own = number if lead is None else lead.joint
        return _Placed(
            add(joint.rotation),
            add(joint.offset),
            add(joint.axis),
            add(1.0 if lead is None else lead.factor),
            add(0.0 if lead is None else lead.offset),
            self.coordinates[own],
            self.speeds[own],
        )

    def speeds_of(self, number: int) -> slice:
        """Return where the speeds are that a joint moves with."""
        return self._placed[number].speeds

    def factor_of(self, number: int) -> int:
        """Return the place among the entries of the factor by which a joint follows another."""
        return self._placed[number].factor

    def at(self, given: list[Array], coordinates: Array, speeds: Array) -> list[LinkAt]:
        """Return all links at coordinates (k, nq) and speeds (k, n), in the tree's order; `given` are the entries."""
        states, count = speeds.shape
        none, no_columns = np.zeros((states, 3)), np.zeros((states, 3, count))
        upright = np.broadcast_to(np.eye(3), (states, 3, 3))
        found = [LinkAt(upright, none, none, none, none, none, no_columns, no_columns)]
        for joint, placed, parent in zip(self.tree.joints, self._placed, self.tree.parents, strict=True):
            q, u = coordinates[:, placed.coordinates], speeds[:, placed.speeds]
            found.append(_moved(joint, placed, found[parent], given, q, u))
        return found


def _moved(joint: Joint, placed: _Placed, parent: LinkAt, given: list[Array], q: Array, u: Array) -> LinkAt:
    """Return the child of a joint."""
    zero = parent.rotation @ given[placed.rotation]
    arm, rotation = multiplied(parent.rotation, given[placed.offset]), zero
    factor = given[placed.factor]
    turning: Array = np.zeros((len(q), 3, 0))  # columns e of the speeds that turn, and of those that move
    moving, in_child = turning, True
    if joint.kind in (JointKind.REVOLUTE, JointKind.PRISMATIC):
        axis = multiplied(zero, given[placed.axis])
        place = factor * q[:, 0] + given[placed.shift]
        u = factor[:, None] * u
        if joint.kind is JointKind.REVOLUTE:
            rotation, turning = zero @ about(given[placed.axis], place), axis[:, :, None]
        else:
            arm, moving = arm + place[:, None] * axis, axis[:, :, None]
    elif joint.kind in (JointKind.BALL, JointKind.FREE):
        rotation = zero @ orientation(q[:, q.shape[1] - (4 if joint.quaternion else 3) :])
        in_child = joint.speeds_in == "child"
        turning = rotation if in_child else parent.rotation
        if joint.kind is JointKind.FREE:
            arm, moving = arm + multiplied(parent.rotation, q[:, :3]), turning
    split = moving.shape[2]
    relative, spin = multiplied(moving, u[:, :split]), multiplied(turning, u[:, split:])
    whole = parent.spin + spin
    carrier = LinkAt(
        parent.rotation, parent.origin + arm, parent.spin,
        parent.velocity + crossed(parent.spin, arm),
        parent.spin_bias,
        parent.bias + crossed(parent.spin_bias, arm) + crossed(parent.spin, crossed(parent.spin, arm)),
        parent.turning, parent.moving + columns_crossed(parent.turning, arm),
    )  # fmt: skip
    over = carrier.turning.copy(), carrier.moving.copy()
    first = placed.speeds.start
    scale = factor[:, None, None]
    over[1][:, :, first : first + split] += scale * moving
    over[0][:, :, first + split : first + split + turning.shape[2]] += scale * turning
    axes_spin = whole if in_child else parent.spin  # of what the relative velocity is constant in
    return LinkAt(
        rotation, carrier.origin, whole, carrier.velocity + relative,
        parent.spin_bias + crossed(parent.spin, spin),
        carrier.bias + crossed(parent.spin + axes_spin, relative),
        *over,
    )  # fmt: skip


def slices(counts: list[int]) -> list[slice]:
    """Return consecutive slices of so many."""
    ends = np.cumsum([0, *counts]).tolist()
    return [slice(a, b) for a, b in itertools.pairwise(ends)]


def crossing(axis: Array) -> Array:
    """Return the matrices [a]x (k, 3, 3) with [a]x v = a x v."""
    return np.asarray(-crossed(np.eye(3)[None], axis[:, None, :]), dtype=np.float64).swapaxes(1, 2)


def about(axis: Array, angle: Array) -> Array:
    """Return the rotations (k, 3, 3) about unit vectors (k, 3), by Rodrigues' formula."""
    K = crossing(axis)
    return np.eye(3) + np.sin(angle)[:, None, None] * K + (1 - np.cos(angle))[:, None, None] * (K @ K)


def orientation(numbers: Array) -> Array:
    """Return rotations (k, 3, 3) by quaternions (w, x, y, z), or by angles about the body's x, y and z in this order.

    A quaternion turns by its direction, whatever its length.
    """
    if numbers.shape[1] == 3:
        x, y, z = (about(np.broadcast_to(np.eye(3)[i], (len(numbers), 3)), numbers[:, i]) for i in range(3))
        return np.asarray(x @ y @ z, dtype=np.float64)
    unit = numbers / np.linalg.norm(numbers, axis=1, keepdims=True)
    w, e = unit[:, 0], unit[:, 1:]
    square = (w**2 - np.einsum("ki,ki->k", e, e))[:, None, None]
    return np.asarray(square * np.eye(3) + 2 * np.einsum("ki,kj->kij", e, e) + 2 * w[:, None, None] * crossing(e))
