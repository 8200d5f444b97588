"""Angular velocities, velocities and accelerations of the user's frames and points, on the graph.

Neighbours help each other. Where the velocity that the user set for a point is, as a function, the velocity of a
neighbouring point plus the rate of the vector between them, and shorter that way, then
v_P = v_Q + dr/dt, a_P = a_Q + r'' + 2 w x r' + alpha x r + w x (w x r), with w and v_Q shared by everything further
out. A velocity is never derived from a position alone where the user set one: a contact point's is not its body's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eomc.derivation.inertial import InertialNumbers
from eomc.derivation.zeros import Zeros
from eomc.errors import ModelError
from eomc.ir.graph import Graph, Node
from eomc.ir.remembered import remembered
from eomc.ir.rounding import Rounded
from eomc.lowering.vectors import Components, FrameTree, VectorSum, add, components, cross, each, minus, plus, scale
from eomc.model.geometry import paths_to, velocity_path
from eomc.model.sympy_private import Frame, Point, angular_velocities, positions, set_velocity
from eomc.passes.cost import cost
from eomc.passes.differentiate import Tangents


@dataclass(frozen=True, slots=True)
class _Step:
    """How a point is reached: from `origin` by `arm`; `recursive` when its velocity follows from that too.

    `gain` is then what the arm adds to the velocity, else the whole velocity.
    """

    origin: Point | None
    arm: dict[Frame, Components]
    recursive: bool
    gain: dict[Frame, Components]


class Motion:
    """Velocities and accelerations relative to the inertial frame.

    Parameters
    ----------
    graph
        The graph.
    frames
        The frames with their rotations.
    rate
        Time derivative along the motion with the motion variables held: makes the bias accelerations.
    zeros
        Says whether functions are zero.
    """

    def __init__(self, graph: Graph, frames: FrameTree, rate: Tangents, zeros: Zeros) -> None:
        self._graph = graph
        self._frames = frames
        self._rate = rate
        self._zeros = zeros
        self._spin_path: dict[Frame, Frame] = paths_to(frames.root, angular_velocities)
        self._spin: dict[Frame, dict[Frame, Components]] = {frames.root: {}}
        self._spin_step: dict[Frame, tuple[Frame | None, dict[Frame, Components]]] = {frames.root: (None, {})}
        self._steps: dict[Point, _Step] = {}
        self._sources: dict[Point, list[Point]] = {}  # points of interest -> those from which sympy finds a velocity
        self._velocity: dict[Point, dict[Frame, Components]] = {}
        self._acceleration: dict[Point, dict[Frame, Components]] = {}

    # -- frames ------------------------------------------------------------------------------------------------------

    def angular_velocity(self, frame: Frame) -> dict[Frame, Components]:
        """Return the angular velocity of a frame [rad/s], summed along the user's chain of frames."""
        if frame not in self._spin:
            if frame not in self._spin_path:
                raise ModelError(
                    f"frame {frame.name} has no angular velocity in {self._frames.root.name}: "
                    "orient it or call set_ang_vel"
                )
            chain = [frame]
            while chain[-1] not in self._spin:
                chain.append(self._spin_path[chain[-1]])
            for outer, inner in zip(chain[-2::-1], chain[:0:-1], strict=True):
                gain = self._frames.lower(angular_velocities(outer)[inner])
                self._spin[outer] = add(self._graph, self._spin[inner], gain)
                self._spin_step[outer] = (inner, gain)
        return self._spin[frame]

    def spin_step(self, frame: Frame) -> tuple[Frame | None, VectorSum]:
        """Return a frame nearer to the inertial one, and what the angular velocity is beside that frame's."""
        self.angular_velocity(frame)
        return self._spin_step[frame]

    @remembered
    def angular_velocity_in(self, frame: Frame, basis: Frame) -> Components:
        """Return the angular velocity of `frame` as components in `basis`."""
        return self._frames.express(self.angular_velocity(frame), basis)

    @remembered
    def angular_acceleration(self, frame: Frame) -> dict[Frame, Components]:
        """Return the bias angular acceleration of a frame: each piece w of the angular velocity gives w' + w_G x w."""
        return self._rate_of(self.angular_velocity(frame))

    @remembered
    def angular_acceleration_in(self, frame: Frame) -> Components:
        """Return the bias angular acceleration of a frame as components in itself."""
        return self._frames.express(self.angular_acceleration(frame), frame)

    def _rate_of(self, vector: VectorSum) -> dict[Frame, Components]:
        """Return d/dt of a vector in the inertial frame: rates of the components plus w x the piece."""
        pieces: dict[Frame, Components] = {}
        for frame, piece in vector.items():
            turned = cross(self._graph, self.angular_velocity_in(frame, frame), piece)
            pieces[frame] = plus(self._graph, each(self._rate, piece), turned)
        return pieces

    # -- points ------------------------------------------------------------------------------------------------------

    def connect(self, points: Iterable[Point], ways: Mapping[Point, Point | None]) -> None:
        """Find how all points of interest are reached along `ways` (`model.geometry.ways`); call once.

        Points on none of the ways are not looked at.
        """
        root_frame = self._frames.root
        for point in points:
            if point not in ways:
                raise ModelError(
                    f"point {point.name} has no velocity in {root_frame.name}: "
                    f"call {point.name}.set_vel({root_frame.name}, ...)"
                )
            nearest = velocity_path(point, root_frame, self._frames) or []
            for index, member in enumerate(nearest):
                self._sources.setdefault(member, nearest[index:])
        for point, origin in ways.items():
            if origin is None:
                self._velocity[point] = self._frames.lower(set_velocity(point, root_frame))
                self._steps[point] = _Step(None, {}, recursive=False, gain=self._velocity[point])
            else:
                self._reach(point, origin)

    def _reach(self, point: Point, origin: Point) -> None:
        """Write a point's velocity by its neighbour's where both are the same function."""
        frames, root_frame = self._frames, self._frames.root
        arm = frames.lower(positions(point)[origin])
        for frame in arm:
            if frame not in frames:
                raise ModelError(f"frame {frame.name} has no orientation in {root_frame.name}: orient it")
        gain = self._rate_of(arm)
        follows = add(self._graph, self._velocity[origin], gain)
        given = set_velocity(point, root_frame)
        if given is None:
            nearest = self._sources.get(point, [point, origin])  # between others the arms alone tell a velocity
            recursive = nearest[1] is origin
            self._velocity[point] = follows if recursive else self._along(nearest)
        else:
            lowered = frames.lower(given)
            recursive = lowered == follows or (
                self._size(follows) <= self._size(lowered) and self.same(lowered, follows)
            )
            self._velocity[point] = follows if recursive else lowered
        self._steps[point] = _Step(origin, arm, recursive, gain if recursive else self._velocity[point])

    def _along(self, path: list[Point]) -> dict[Frame, Components]:
        """Return the velocity that sympy would find: of the nearest point that has one, plus the rates of the arms."""
        total = self._frames.lower(set_velocity(path[-1], self._frames.root))
        for point, origin in zip(path[-2::-1], path[:0:-1], strict=True):
            total = add(self._graph, total, self._rate_of(self._frames.lower(positions(point)[origin])))
        return total

    def _size(self, vector: VectorSum) -> int:
        """Return what a vector costs to evaluate."""
        return cost(self._graph, components(vector))

    def same(self, a: VectorSum, b: VectorSum) -> bool:
        """Whether two vectors are the same function, component by component."""
        zero = self._graph.zero
        none = (zero, zero, zero)
        apart = {frame: minus(self._graph, a.get(frame, none), b.get(frame, none)) for frame in {**a, **b}}
        left = {frame: piece for frame, piece in apart.items() if piece != none}
        return self._frames.cancels(left) or self._zeros.vanish(lambda sample: self.numbers(sample)(left))

    @remembered
    def numbers(self, sample: Rounded) -> InertialNumbers:
        """Return what makes the inertial components of vectors at a point."""
        return InertialNumbers(self._frames, sample)

    def velocity(self, point: Point) -> dict[Frame, Components]:
        """Return the velocity of a connected point [m/s]."""
        return self._velocity[point]

    @remembered
    def velocity_in(self, point: Point, basis: Frame) -> Components:
        """Return the velocity of a connected point as components in `basis`."""
        return self._frames.express(self._velocity[point], basis)

    def hangs_together(self, points: Iterable[Point]) -> bool:
        """Whether each point moves by its place from the point at which its connected points are rooted."""
        for point in points:
            step = self._steps[point]
            while step.recursive and step.origin is not None:
                step = self._steps[step.origin]
            if step.origin is not None:
                return False
        return True

    def arm(self, point: Point) -> tuple[Point | None, VectorSum, bool]:
        """Return the neighbour from which a connected point is reached, the arm, and whether its velocity follows."""
        step = self._steps[point]
        return step.origin, step.arm, step.recursive

    def velocity_step(self, point: Point) -> tuple[Point | None, VectorSum, VectorSum]:
        """Return the neighbour whose velocity a point shares, if any, what its own is beside that, and the arm."""
        step = self._steps[point]
        return step.origin if step.recursive else None, step.gain, step.arm

    def acceleration(self, point: Point) -> dict[Frame, Components]:
        """Return the bias acceleration of a connected point [m/s^2]: what is left of it when u' = 0."""
        chain: list[Point] = []
        here: Point | None = point
        while here is not None and here not in self._acceleration:
            chain.append(here)
            step = self._steps[here]
            here = step.origin if step.recursive else None
        for member in reversed(chain):
            step = self._steps[member]
            if step.recursive:
                relative = {frame: self._arm_acceleration(frame, piece) for frame, piece in step.arm.items()}
                self._acceleration[member] = add(self._graph, self._acceleration[step.origin], relative)
            else:
                self._acceleration[member] = self._rate_of(self._velocity[member])
        return self._acceleration[point]

    def _arm_acceleration(self, frame: Frame, arm: Components) -> Components:
        """Return r'' + 2 w x r' + alpha x r + w x (w x r) in the arm's frame, grouped as shared subexpressions."""
        graph, rate = self._graph, self._rate
        spin = self.angular_velocity_in(frame, frame)
        turning = self.angular_acceleration_in(frame)
        speed = each(rate, arm)
        parts = [
            each(rate, speed),
            cross(graph, turning, arm),
            cross(graph, spin, cross(graph, spin, arm)),
            scale(graph, graph.constant(2), cross(graph, spin, speed)),
        ]
        x, y, z = map(graph.sum, zip(*parts, strict=True))
        return x, y, z

    def rate_of_place(self, point: Point) -> dict[Frame, Components]:
        """Return what the velocity of a connected point is by its position, whatever was set for it [m/s]."""
        total: dict[Frame, Components] = {}
        while (step := self._steps[point]).origin is not None:
            total = add(self._graph, total, self._rate_of(step.arm))
            point = step.origin
        return add(self._graph, total, self._velocity[point])

    # -- places ------------------------------------------------------------------------------------------------------

    def between(self, start: Point, end: Point) -> dict[Frame, Components]:
        """Return the vector from `start` to `end`, both reached from the same root."""
        inwards, outwards = self._trail(start), self._trail(end)
        while inwards and outwards and inwards[-1] is outwards[-1]:  # what both share
            inwards.pop()
            outwards.pop()
        back = [self._frames.map(self._steps[p].arm, self._graph.neg) for p in inwards]
        return add(self._graph, *back, *(self._steps[p].arm for p in reversed(outwards)))

    def _trail(self, point: Point) -> list[Point]:
        """Return the points from here to the root, in order."""
        trail = [point]
        while (origin := self._steps[trail[-1]].origin) is not None:
            trail.append(origin)
        return trail

    def moment(self, weights: Iterable[tuple[Point, Node]]) -> dict[Frame, Components]:
        """Return the sum of weight times position, from the roots of the connected points.

        Each arm is taken once, times all the weight that lies beyond it.
        """
        graph = self._graph
        beyond: dict[Point, Node] = {}
        for point, weight in weights:
            beyond[point] = graph.add(beyond.get(point, graph.zero), weight)
        arms: list[dict[Frame, Components]] = []
        for point in reversed(self._steps):  # what is reached last comes first
            origin = self._steps[point].origin
            if origin is None or point not in beyond:
                continue
            weight = beyond[point]
            beyond[origin] = graph.add(beyond.get(origin, graph.zero), weight)
            arms.append({frame: scale(graph, weight, piece) for frame, piece in self._steps[point].arm.items()})
        return add(graph, *arms)

    def neighbours(self, point: Point) -> list[Point]:
        """Return the connected points next to a point."""
        return [other for other in positions(point) if other in self._steps]
