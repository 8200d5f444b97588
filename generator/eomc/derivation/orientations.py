"""An orientation as it grows from frame to frame: a quaternion, and a turn to which others about its axis are added."""

from __future__ import annotations

from dataclasses import dataclass, replace

from eomc.derivation.quaternions import Quaternion, by_angle, no_turn, product
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components


@dataclass(frozen=True, slots=True)
class Orientation:
    """A rotation from the inertial frame outwards: turns one after another about one axis are one by their sum."""

    graph: Graph
    before: Quaternion
    axis: Components | None = None
    angle: Node | None = None

    @classmethod
    def inertial(cls, graph: Graph) -> Orientation:
        """Return that of the inertial frame."""
        return cls(graph, no_turn(graph))

    def turned(self, axis: Components, angle: Node) -> Orientation:
        """Return the orientation after a turn about a unit vector in its own axes."""
        if self.angle is not None and axis == self.axis:
            return replace(self, angle=self.graph.add(self.angle, angle))
        return Orientation(self.graph, self.quaternion, axis, angle)

    def by(self, rotation: Quaternion) -> Orientation:
        """Return the orientation after a rotation."""
        if rotation == no_turn(self.graph):
            return self
        return Orientation(self.graph, product(self.graph, self.quaternion, rotation))

    @property
    def quaternion(self) -> Quaternion:
        """The unit quaternion."""
        if self.axis is None or self.angle is None:
            return self.before
        return product(self.graph, self.before, by_angle(self.graph, self.axis, self.angle))
