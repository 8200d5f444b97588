"""A tree that was found, prepared for recursions: Kane's M and f in the speeds of the model, and u' at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem
from eomc.derivation.found.drafts import Draft, Found
from eomc.derivation.found.speeds import RowSpeeds, row_speeds
from eomc.derivation.problem import Problem
from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.frames import turn_frames
from eomc.derivation.trees.joints import JointMotion, Rate, joint_motion
from eomc.derivation.trees.least import with_least
from eomc.derivation.trees.regrouping import regroup
from eomc.derivation.trees.rows import GROUND, Row, TreeRows, identity
from eomc.derivation.trees.sliding import slide_origins
from eomc.derivation.trees.speeds import move_by_rates
from eomc.derivation.trees.turns import into, out
from eomc.ir.graph import Graph, Node, Rows
from eomc.lowering.vectors import Components, cross, each, minus, plus, three


@dataclass(frozen=True)  # no slots: what several ask for is kept
class FoundTree:
    """Rows that were found, at the state of a problem.

    Attributes
    ----------
    dynamics
        The tree under gravity; its speeds are the rates of its rows.
    speeds
        What the model's are to these.
    """

    problem: Problem
    dynamics: TreeDynamics
    speeds: RowSpeeds

    @property
    def rates(self) -> list[Rate]:
        """The rates in the order of the rows."""
        return self.dynamics.moving.flat

    def mass_matrix(self) -> Rows:
        """Return M by composite bodies."""
        moving = self.dynamics.moving
        return self.speeds.of_speeds(mass_matrix(self.dynamics.graph, moving.rows, moving.motions, moving.rates))

    def forcing(self, forces: Sequence[Node]) -> list[Node]:
        """Return f of M u' = f with generalized forces of loads, of the speeds."""
        taken = self.dynamics.inverse(self.speeds.drift)
        return [self.problem.graph.sub(f, one) for f, one in zip(forces, self.speeds.forces(taken), strict=True)]


def place_tree(problem: Problem, bodies: BodySystem, found: Found) -> FoundTree:
    """Return a tree with the frames and moments that are cheapest for recursions."""
    graph = problem.graph
    rows = tuple(_row(graph, draft, found, i) for i, draft in enumerate(found.drafts))
    given = TreeRows(rows, {}, found.moments[GROUND])
    slid = slide_origins(graph, turn_frames(graph, given))
    prepared = with_least(graph, regroup(graph, slid), slid)
    motions = [_motion(graph, row, draft) for row, draft in zip(prepared.rows, found.drafts, strict=True)]
    coordinates = [() if draft.coordinate is None else (draft.coordinate,) for draft in found.drafts]
    gravity = bodies.frames.express(bodies.frames.lower(bodies.system.gravity), bodies.frames.root)
    drifts = [_drift(graph, motion, draft, gravity) for motion, draft in zip(motions, found.drafts, strict=True)]
    moving = move_by_rates(graph, prepared, motions, coordinates, drifts)
    dynamics = TreeDynamics(graph, prepared, moving, gravity, {})
    return FoundTree(problem, dynamics, row_speeds(problem, found.drafts))


def _row(graph: Graph, draft: Draft, found: Found, number: int) -> Row:
    zero = graph.zero
    return Row(
        name=draft.label,
        kind=draft.kind,
        parent=draft.place.row,
        rotation=draft.place.rotation,
        offset=draft.place.origin,
        axis=draft.axis or (zero, zero, graph.one),
        moments=found.moments[number],
        armature=zero,
        zero=(graph.one, zero),
        outer=draft.outer or identity(graph),
    )


def _motion(graph: Graph, row: Row, draft: Draft) -> JointMotion:
    if draft.coordinate is not None:
        return joint_motion(graph, row, [draft.coordinate], draft.rates)
    rotation = (*factors(graph, row.rotation), *draft.turns)
    if draft.position is None:
        return JointMotion(rotation, row.offset, three(draft.rates), (graph.zero,) * 3)
    offset = plus(graph, row.offset, out(factors(graph, row.outer), draft.position))
    return JointMotion(rotation, offset, three(draft.rates[3:]), three(draft.rates[:3]))


def _drift(graph: Graph, motion: JointMotion, draft: Draft, gravity: Components) -> Sequence[Node]:
    """Return what the acceleration of a floating base has beside the rates of its speeds: w x v - R^T g.

    Of speeds in axes of the ground it is -R^T g alone.
    """
    if draft.position is None:
        return ()
    fall = into(motion.rotation, gravity)
    if any(one.first == 0 for one in draft.turned):
        return each(graph.neg, fall)
    return minus(graph, cross(graph, motion.angular, motion.linear), fall)
