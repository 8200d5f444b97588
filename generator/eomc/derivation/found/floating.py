"""Three shifts from the ground and a ball on them are one row, a floating base, where its velocity is three speeds.

Gravity then enters nowhere but in the acceleration of the base, and neither does its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derivation.bodies import BodySystem
from eomc.derivation.found.drafts import Draft, Found, Turned
from eomc.derivation.found.rotations import are_speeds
from eomc.derivation.problem import Problem
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import no_moments
from eomc.derivation.trees.rows import GROUND, Place, identity, matrix_product
from eomc.derivation.trees.turns import Rotation, into, out
from eomc.ir.graph import Graph, Node
from eomc.lowering.vectors import Components, minus, plus, scale, three
from eomc.model.trees.records import JointKind


def with_floating_bases(problem: Problem, bodies: BodySystem, found: Found) -> Found:
    """Return a tree with rows of six rates in the place of three shifts and a ball."""
    drafts = list(found.drafts)
    joined: dict[int, Draft] = {}
    left_out: set[int] = set()
    for i, draft in enumerate(drafts):
        shifts = _shifts_below(problem.graph, found, i) if draft.kind is JointKind.BALL else None
        if shifts is None:
            continue
        free = _free(problem, bodies, [drafts[k] for k in shifts], draft)
        if free is not None:
            joined[i] = free
            left_out.update(shifts)
    if not joined:
        return found
    kept = [i for i in range(len(drafts)) if i not in left_out]
    number = {GROUND: GROUND, **{i: k for k, i in enumerate(kept)}}
    renumbered = []
    for i in kept:
        draft = joined.get(i, drafts[i])
        renumbered.append(replace(draft, place=replace(draft.place, row=number[draft.place.row])))
    return Found(tuple(renumbered), {number[i]: moments for i, moments in found.moments.items() if i in number})


def _shifts_below(graph: Graph, found: Found, ball: int) -> list[int] | None:
    """Return the three rows between the ground and a ball that shift along axes of one frame and carry that alone."""
    carried = [draft.place.row for draft in found.drafts]
    row, shifts = carried[ball], list[int]()
    above = found.drafts[ball]
    while row != GROUND:
        draft = found.drafts[row]
        alone = carried.count(row) == 1 and found.moments[row] == no_moments(graph)
        if draft.kind is not JointKind.PRISMATIC or not alone or any(e != graph.zero for e in above.place.origin):
            return None
        if above is not found.drafts[ball] and above.place.rotation != identity(graph):
            return None
        shifts.insert(0, row)
        row, above = carried[row], draft
    axes = {k for shift in shifts for k, e in enumerate(found.drafts[shift].axis) if e != graph.zero}
    return shifts if len(shifts) == 3 and len(axes) == 3 else None


def _free(problem: Problem, bodies: BodySystem, shifts: Sequence[Draft], ball: Draft) -> Draft | None:
    """Return the row of six rates; None where the velocity of its origin is no three speeds."""
    graph = problem.graph
    ground = shifts[0].place
    if any(sum(e != graph.zero for e in shift.axis) != 1 for shift in shifts):
        return None
    rotation = (*factors(graph, ball.place.rotation), *ball.turns)
    outer = _along(graph, shifts, [shift.rates[0] for shift in shifts])
    turned = ball.turned
    if are_speeds(problem, outer):
        velocity = into(rotation, outer)
        linear: tuple[Turned, ...] = (Turned(0, outer, rotation),)
    else:
        own = _own_speeds(problem, bodies, shifts[-1], ball, rotation, outer)
        if own is None:
            return None
        velocity, linear = own, ()
    return replace(
        ball,
        kind=JointKind.FREE,
        place=Place(GROUND, matrix_product(graph, ground.rotation, ball.place.rotation), ground.origin),
        rates=(*velocity, *ball.rates),
        position=_along(graph, shifts, [shift.coordinate or graph.zero for shift in shifts]),
        outer=ground.rotation,
        turned=(*linear, *(replace(one, first=3) for one in turned)),
    )


def _own_speeds(
    problem: Problem, bodies: BodySystem, shift: Draft, ball: Draft, rotation: Rotation, outer: Components
) -> Components | None:
    """Return the velocity of the origin in axes of the base where its components are speeds, as set or as q' tell."""
    velocity = bodies.motion.velocity_in(shift.where, ball.where)
    if are_speeds(problem, velocity):
        return velocity
    moving = sorted(problem.speeds_in.of(outer))
    if len(moving) != 3:
        return None
    velocity = three(problem.motion[j] for j in moving)
    apart = minus(problem.graph, out(rotation, velocity), outer)
    return velocity if all(map(problem.is_zero, apart)) else None


def _along(graph: Graph, shifts: Sequence[Draft], sizes: Sequence[Node]) -> Components:
    total: Components = (graph.zero,) * 3
    for shift, size in zip(shifts, sizes, strict=True):
        axis = shift.axis
        assert axis
        total = plus(graph, total, scale(graph, size, axis))
    return total
