"""A tree that was found, prepared for recursions: Kane's M and f in the speeds of the model, and u' at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derivation.bodies import BodySystem
from eomc.derivation.found.drafts import Draft
from eomc.derivation.found.finder import Found
from eomc.derivation.found.speeds import RowSpeeds, row_speeds
from eomc.derivation.problem import Problem
from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.frames import turn_frames
from eomc.derivation.trees.joints import JointMotion, Rate, joint_motion
from eomc.derivation.trees.regrouping import regroup
from eomc.derivation.trees.rows import Row, TreeRows, identity
from eomc.derivation.trees.sliding import slide_origins
from eomc.derivation.trees.speeds import move_by_rates
from eomc.ir.graph import Graph, Node, Rows


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

    @cached_property
    def drift(self) -> Mapping[Rate, Node]:
        """The accelerations of the rates where the speeds do not change."""
        return dict(zip(self.rates, self.speeds.drift, strict=True))

    def forcing(self, forces: Sequence[Node]) -> list[Node]:
        """Return f of M u' = f with generalized forces of loads, of the speeds."""
        taken = self.dynamics.forces_of(self.drift)
        of_speeds = self.speeds.forces([taken[rate] for rate in self.rates])
        return [self.problem.graph.sub(force, one) for force, one in zip(forces, of_speeds, strict=True)]


def place_tree(problem: Problem, bodies: BodySystem, found: Found) -> FoundTree:
    """Return a tree with the frames and moments that are cheapest for recursions."""
    graph = problem.graph
    rows = tuple(_row(graph, draft, found, i) for i, draft in enumerate(found.drafts))
    given = TreeRows(rows, {}, found.moments[-1])
    prepared = regroup(graph, slide_origins(graph, turn_frames(graph, given)))
    motions = [_motion(graph, row, draft) for row, draft in zip(prepared.rows, found.drafts, strict=True)]
    coordinates = [() if draft.coordinate is None else (draft.coordinate,) for draft in found.drafts]
    moving = move_by_rates(graph, prepared, motions, coordinates)
    gravity = bodies.frames.express(bodies.frames.lower(bodies.system.gravity), bodies.frames.root)
    dynamics = TreeDynamics(graph, prepared, moving, gravity, {})
    rates = [rate for draft in found.drafts for rate in draft.rates]
    return FoundTree(problem, dynamics, row_speeds(problem, rates))


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
        outer=identity(graph),
    )


def _motion(graph: Graph, row: Row, draft: Draft) -> JointMotion:
    if draft.coordinate is not None:
        return joint_motion(graph, row, [draft.coordinate], draft.rates)
    zero = graph.zero
    spin = draft.rates[0], draft.rates[1], draft.rates[2]
    return JointMotion((*factors(graph, row.rotation), *draft.turns), row.offset, spin, (zero, zero, zero))
