"""Whether velocities are rates of positions as they are written: the common case, told without a look at the energy."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from eomc.derivation.bodies import BodySystem, asked_once
from eomc.derivation.problem import Problem
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.lowering.vectors import Components, Matrix, add, components
from eomc.model.sympy_private import Frame


@asked_once
def are_placed(problem: Problem, bodies: BodySystem) -> bool:
    """Whether all mass centres move as their places from a point at rest say, and all bodies as their frames say."""
    graph, motion = problem.graph, bodies.motion
    if bodies.has_varying_inertia:
        return False
    for body in bodies.bodies:
        here = body.center
        while (before := motion.velocity_step(here)[0]) is not None:
            here = before
        if any(not graph.is_zero(x) for x in components(motion.velocity(here))):
            return False
    return turn_as_oriented(problem, bodies)


@asked_once
def turn_as_oriented(problem: Problem, bodies: BodySystem) -> bool:
    """Whether the angular velocities of all frames that matter are those of their orientations, as inertias need it."""
    frames = bodies.frames
    wanted: dict[Frame, None] = {}
    for body in bodies.bodies:
        vectors = list(bodies.twist(body))
        if body.inertia is not None:
            wanted[body.frame] = None
            if body.basis is not body.frame:
                return False  # it may turn in the body
        wanted.update(dict.fromkeys(frame for vector in vectors for frame in vector))
    if any(frame not in frames for frame in wanted):
        return False
    steps = dict.fromkeys(step for frame in wanted for step in itertools.pairwise(frames.path(frames.root, frame)))
    return all(turns_as_oriented(problem, bodies, inner, outer) for inner, outer in steps)


@asked_once
def turns_as_oriented(problem: Problem, bodies: BodySystem, inner: Frame, outer: Frame) -> bool:
    """Whether `outer` turns in `inner` as the rate of the rotation between them says: w x = C (C^T)' in `outer`."""
    graph, motion, frames = problem.graph, bodies.motion, bodies.frames
    given = add(graph, motion.angular_velocity(outer), frames.map(motion.angular_velocity(inner), graph.neg))
    rotation = frames.neighbour_rotation(outer, inner)
    spin = _about_one_axis(problem, rotation) or _of_entries(problem, rotation)
    differences: Iterable[Node] = map(graph.sub, spin, frames.express(given, outer))
    return all(map(problem.is_zero, differences))


def _of_entries(problem: Problem, rotation: Matrix) -> Components:
    """Return the angular velocity of any rotation matrix C: C (C^T)' is its cross product."""
    rates = [[problem.rate(entry) for entry in row] for row in rotation]

    def product(i: int, j: int) -> Node:
        return problem.graph.sum(problem.graph.mul(x, y) for x, y in zip(rotation[i], rates[j], strict=True))

    return product(2, 1), product(0, 2), product(1, 0)


def _about_one_axis(problem: Problem, rotation: Matrix) -> Components | None:
    """Return the angular velocity of a turn about a coordinate axis, the rate of its angle; None for any other."""
    graph = problem.graph
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        cosine, sine, back = rotation[i][i], rotation[i][j], rotation[j][i]
        angle = _argument(graph, Op.COS, cosine)
        if angle is None or rotation[j][j] != cosine or back != graph.neg(sine) or rotation[axis][axis] != graph.one:
            continue
        for value, sign in ((sine, 1), (back, -1)):
            if _argument(graph, Op.SIN, value) == angle:
                rate = problem.rate(angle)
                spin = [graph.zero] * 3
                spin[axis] = rate if sign > 0 else graph.neg(rate)
                return spin[0], spin[1], spin[2]
    return None


def _argument(graph: Graph, op: Op, node: Node) -> Node | None:
    """Return the argument of a node of one op, None for any other node."""
    return graph.args[node][0] if graph.ops[node] is op else None
