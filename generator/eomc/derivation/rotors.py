"""Rotors: outermost bodies that are round about the axis by which they are joined.

The inertia of a rotor has the same components in the frame that carries it, whatever the angle of its spin. Written
there, that angle is in none of the products; written in the rotor's own frame, its sine and cosine go in and out by
way of sums that nothing merges. The classical treatment of tops and wheels (Kane & Levinson, *Dynamics* (1985),
section 3.9; Goldstein, *Classical Mechanics*, section 5.7).
"""

from __future__ import annotations

from collections.abc import Iterable

from eomc.derivation.motion import Motion
from eomc.ir.graph import Graph
from eomc.lowering.vectors import FrameTree, Matrix
from eomc.model.sympy_private import Frame
from eomc.passes.cost import cost


def is_round(graph: Graph, inertia: Matrix, axis: int) -> bool:
    """Whether an inertia matrix is the same after any turn about an axis, by how it is written: diag(A, A, C)."""
    first, second = (k for k in range(3) if k != axis)
    alone = all(graph.is_zero(inertia[i][j]) for i in range(3) for j in range(3) if i != j)
    return alone and inertia[first][first] == inertia[second][second]


def carried_rotors(
    graph: Graph, frames: FrameTree, motion: Motion, inertias: Iterable[tuple[Frame, Frame | None, Matrix | None]]
) -> dict[Frame, Frame]:
    """Return rotor -> the frame that carries it, for rotors whose angular velocity is shorter there.

    Parameters
    ----------
    graph, frames, motion
        Where the bodies move.
    inertias
        For each rigid body its frame, the frame of its central inertia (None where that is not given), and the
        inertia; None for zero.
    """
    carriers: dict[Frame, Frame] = {}
    others: set[Frame | None] = set()
    for frame, basis, inertia in inertias:
        carrier = _carrier(frames, motion, frame) if basis is frame else None
        if carrier is not None and (inertia is None or is_round(graph, inertia, carrier[1])):
            carriers[frame] = carrier[0]
        else:
            others.update((frame, basis))

    def size(frame: Frame, basis: Frame) -> int:
        return cost(graph, motion.angular_velocity_in(frame, basis))

    return {
        frame: carrier
        for frame, carrier in carriers.items()
        if frame not in others and size(frame, carrier) < size(frame, frame)
    }


def _carrier(frames: FrameTree, motion: Motion, frame: Frame) -> tuple[Frame, int] | None:
    """Return the frame that carries another and the axis of its spin, where the angular velocity says so too."""
    if all(where is frame for where in motion.angular_velocity(frame)):
        return None  # nothing is shorter
    carrier = frames.carrier(frame)
    return carrier if carrier is not None and motion.spin_step(frame)[0] is carrier[0] else None
