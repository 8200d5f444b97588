"""The steps between two of the user's frames, with angular velocities that were set held against them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem
from eomc.derivation.found.steps import Fixed, Step, Turn, about, axis_of_turn, is_turned_by, steps_of
from eomc.derivation.placed import turns_as_oriented
from eomc.derivation.problem import Problem
from eomc.derivation.trees.rows import identity
from eomc.derivation.trees.turns import AxisTurn, MatrixTurn, Rotation, into, matrix_of
from eomc.ir.graph import Level
from eomc.ir.ops import Op
from eomc.ir.remembered import remembered
from eomc.lowering.vectors import Components, add
from eomc.model.sympy_private import Frame


@dataclass(frozen=True, slots=True)
class Ball:
    """A rotation with three rates of its own: its angular velocity in the axes after it.

    Attributes
    ----------
    outer
        The angular velocity in the axes before, where its components there are speeds.
    """

    rotation: Rotation
    spin: Components
    outer: Components | None = None


Steps = list[tuple[Step | Ball, Frame | None]]  # with the frame that each leads to, if it is one of the user's


class Rotations:
    """Classes the rotations between frames, each once.

    Attributes
    ----------
    reason
        Why the last rotation that is none of a tree is none.
    """

    def __init__(self, problem: Problem, bodies: BodySystem) -> None:
        self._problem = problem
        self._graph = problem.graph
        self._bodies, self._frames, self._motion = bodies, bodies.frames, bodies.motion
        self.reason = ""
        self._turned: dict[tuple[Frame, Frame], Turn] = {}  # neighbours with one turn between them, one way

    def between(self, start: Frame, end: Frame) -> Steps | None:
        """Return the steps from one frame to another, turns one after another about one axis made one."""
        path = self._frames.path(start, end)
        found: Steps = []
        here = 0
        while here < len(path) - 1:
            there = self._ball_end(path, here)
            if there is not None:
                rotation = self._rotation_of(path[here : there + 1])
                ball = None if rotation is None else self._ball(path[here], path[there], rotation)
                if ball is None:
                    return None
                found.append((ball, path[there]))
                here = there
                continue
            steps = self._neighbours(path[here], path[here + 1])
            if steps is None:
                return None
            here += 1
            self._join(found, steps, path[here])
        return found

    def _join(self, found: Steps, steps: tuple[Step | Ball, ...], frame: Frame) -> None:
        """Append the steps to a frame; a turn about the axis of the one before becomes one with that."""
        if not steps:
            steps = (Fixed(identity(self._graph)),)
        for number, step in enumerate(steps):
            reached = frame if number == len(steps) - 1 else None
            last = found[-1][0] if found else None
            if isinstance(step, Turn) and isinstance(last, Turn) and last.axis == step.axis:
                found.pop()
                angle = self._graph.add(last.angle, step.angle)
                if self._graph.level[angle] == Level.VARYING:
                    step = Turn(step.axis, angle)
                else:
                    cos, sin = self._graph.unary(Op.COS, angle), self._graph.unary(Op.SIN, angle)
                    step = Fixed(about(self._graph, last.axis, cos, sin))
            found.append((step, reached))

    # -- neighbours --------------------------------------------------------------------------------------------------

    @remembered
    def _neighbours(self, here: Frame, there: Frame) -> tuple[Step | Ball, ...] | None:
        """Return the steps between neighbours whose angular velocities are those of their rotation."""
        graph, problem = self._graph, self._problem
        back = self._turned.get((there, here))
        if back is not None:
            return (Turn(back.axis, graph.neg(back.angle)),)
        matrix = self._frames.neighbour_rotation(here, there)
        steps = steps_of(graph, problem.is_zero, matrix)
        if steps is None or (len(steps) > 1 and all(isinstance(step, Turn) for step in steps)):
            if steps is None or self._has_speeds(here, there):
                ball = self._ball(here, there, (MatrixTurn(graph, matrix),))
                return None if ball is None else (ball,)
        outer = self._frames.deepest((there, here))
        if not turns_as_oriented(problem, self._bodies, here if outer is there else there, outer):
            self.reason = f"the angular velocity set for frame {outer.name} is not that of its orientation"
            return None
        if len(steps) == 1 and isinstance(steps[0], Turn):
            self._turned[here, there] = steps[0]
        return steps

    def _relative(self, here: Frame, there: Frame) -> Components:
        """Return the angular velocity of one frame in another, in axes of the first."""
        inner, gain = self._motion.spin_step(there)
        if inner is here:
            return self._frames.express(gain, there)
        graph = self._graph
        back = self._frames.map(self._motion.angular_velocity(here), graph.neg)
        return self._frames.express(add(graph, self._motion.angular_velocity(there), back), there)

    def _has_speeds(self, here: Frame, there: Frame) -> bool:
        """Whether the angular velocity between neighbours is given by speeds, in the axes of either."""
        inner, gain = self._motion.spin_step(there)
        return inner is here and any(are_speeds(self._problem, self._frames.express(gain, k)) for k in (there, here))

    # -- three rates -------------------------------------------------------------------------------------------------

    def _ball_end(self, path: list[Frame], here: int) -> int | None:
        """Return the place of the last frame of a path whose angular velocity in the one here was set by speeds."""
        for there in range(len(path) - 1, here + 1, -1):
            if self._frames.depth(path[there]) - self._frames.depth(path[here]) != there - here:
                continue
            inner, gain = self._motion.spin_step(path[there])
            if inner is not path[here]:
                continue
            if any(are_speeds(self._problem, self._frames.express(gain, path[k])) for k in (there, here)):
                return there
        return None

    def _rotation_of(self, path: list[Frame]) -> Rotation | None:
        """Return the rotation along a path as factors."""
        graph = self._graph
        found: list[MatrixTurn | AxisTurn] = []
        for here, there in itertools.pairwise(path):
            matrix = self._frames.neighbour_rotation(here, there)
            turn = axis_of_turn(graph, matrix)
            if turn is None:
                found.append(MatrixTurn(graph, matrix))
            else:
                axis, cos, sin = turn
                found.append(AxisTurn(graph, axis, cos, sin))
        return tuple(found)

    def _ball(self, here: Frame, there: Frame, rotation: Rotation) -> Ball | None:
        """Return a row of three rates where the angular velocity is that of the rotation."""
        spin, graph = self._relative(here, there), self._graph
        outer = None
        if not are_speeds(self._problem, spin):
            inner, gain = self._motion.spin_step(there)
            before = self._frames.express(gain, here) if inner is here else spin
            if are_speeds(self._problem, before):
                outer, spin = before, into(rotation, before)
        matrix, given = matrix_of(graph, rotation), spin if outer is None else outer
        if is_turned_by(graph, self._problem.is_zero, self._problem.rate, matrix, given, outer is not None):
            return Ball(rotation, spin, outer)
        self.reason = (
            f"the rotation between frames {here.name} and {there.name} is none of a joint, or the angular velocity is "
            "not its own"
        )
        return None


def are_speeds(problem: Problem, vector: Components) -> bool:
    """Whether three components are three of the speeds, as they stand or with another sign."""
    graph = problem.graph
    bare = [graph.args[e][0] if graph.ops[e] is Op.NEG else e for e in vector]
    return len(set(bare)) == 3 and all(e in problem.motion for e in bare)
