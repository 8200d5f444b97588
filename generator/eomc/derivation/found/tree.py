"""A tree that was found, prepared for recursions: Kane's M and f in the speeds of the model, and u' at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.added_inertia import EquationMatrix
from eomc.derivation.bodies import BodySystem
from eomc.derivation.found.drafts import Draft, Found
from eomc.derivation.found.speeds import RowSpeeds, row_speeds
from eomc.derivation.problem import Problem
from eomc.derivation.shortest import shortest_system
from eomc.derivation.trees.composite import mass_matrix
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.frames import turn_frames
from eomc.derivation.trees.in_a_row import mark_rows
from eomc.derivation.trees.joints import JointMotion, Rate, joint_motion
from eomc.derivation.trees.least import with_least
from eomc.derivation.trees.regrouping import regroup
from eomc.derivation.trees.rows import GROUND, Row, TreeRows, identity
from eomc.derivation.trees.siblings import Alike, corresponding, mark_siblings
from eomc.derivation.trees.sliding import slide_origins
from eomc.derivation.trees.speeds import move_by_rates
from eomc.derivation.trees.turns import into, out
from eomc.ir.equations import Tree
from eomc.ir.graph import Graph, Node, Rows
from eomc.ir.program import Siblings
from eomc.ir.remembered import remembered
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
    drafts, groups
        The rows as they were found, and branches among them that are alike.
    """

    problem: Problem
    dynamics: TreeDynamics
    speeds: RowSpeeds
    drafts: Sequence[Draft]
    groups: Sequence[Alike]

    @property
    def rates(self) -> list[Rate]:
        """The rates in the order of the rows."""
        return self.dynamics.moving.flat

    @remembered
    def mass_matrix(self) -> Rows:
        """Return M by composite bodies."""
        moving = self.dynamics.moving
        return self.speeds.of_speeds(mass_matrix(self.dynamics.graph, moving.rows, moving.motions, moving.rates))

    def forcing(self, forces: Sequence[Node]) -> list[Node]:
        """Return f of M u' = f with generalized forces of loads, of the speeds."""
        return self._forcing(tuple(forces))

    @remembered
    def _forcing(self, forces: tuple[Node, ...]) -> list[Node]:
        taken = self.dynamics.inverse(self.speeds.drift)
        return [self.problem.graph.sub(f, one) for f, one in zip(forces, self.speeds.forces(taken), strict=True)]

    def equations(self, forces: tuple[Node, ...]) -> EquationMatrix:
        """Return M u' = f as the recursions give it."""
        matrix = self.mass_matrix()
        return EquationMatrix(matrix, self.forcing(forces), matrix, True, True)

    @remembered
    def shortest(self, forces: tuple[Node, ...]) -> tuple[Rows, list[Node]]:
        """Return M and f without what cancels."""
        return shortest_system(self.problem.graph, self.mass_matrix(), self.forcing(forces))

    def known(self, loads: Sequence[Node]) -> Tree:
        """Return what later stages know of the tree, branches that are alike with all that corresponds in them.

        Parameters
        ----------
        loads
            Generalized forces of the speeds, of all but weights.
        """
        rows, found = self.dynamics.rows, list[Siblings]()
        forces = [] if self.speeds.order is None else self.speeds.forces_on_rates(loads)
        of_rows: dict[int, list[Node]] = {}
        for rate, force in zip(self.rates, forces, strict=False):
            of_rows.setdefault(rate.row, []).append(force)
        for group in self.groups:
            roots = []
            for branch in group.branches:
                moved = [(self.drafts[i].coordinate, *self.drafts[i].rates) for i in branch]
                own = [node for nodes in moved for node in nodes if node is not None]
                roots.append([*own, *(force for i in branch for force in of_rows.get(i, ()))])
            leaves = (*group.leaves, *corresponding(self.problem.graph, roots))
            found.append(Siblings(tuple(rows.rows[branch[0]].name for branch in group.branches), leaves))
        return Tree(tuple(found), rows.longest())


def place_tree(problem: Problem, bodies: BodySystem, found: Found) -> FoundTree:
    """Return a tree with the frames and moments that are cheapest for recursions."""
    graph = problem.graph
    given = TreeRows(
        tuple(_row(graph, draft, found, i) for i, draft in enumerate(found.drafts)), {}, found.moments[GROUND]
    )
    slid = slide_origins(graph, turn_frames(graph, given))
    prepared = with_least(graph, regroup(graph, slid), slid)
    rows, groups = mark_siblings(graph, mark_rows(graph, prepared))
    motions = [_motion(graph, row, draft) for row, draft in zip(rows.rows, found.drafts, strict=True)]
    coordinates = [() if draft.coordinate is None else (draft.coordinate,) for draft in found.drafts]
    gravity = bodies.frames.express(bodies.frames.lower(bodies.system.gravity), bodies.frames.root)
    drifts = [_drift(graph, motion, draft, gravity) for motion, draft in zip(motions, found.drafts, strict=True)]
    moving = move_by_rates(graph, rows, motions, coordinates, drifts)
    dynamics = TreeDynamics(graph, rows, moving, gravity, {})
    return FoundTree(problem, dynamics, row_speeds(problem, found.drafts), found.drafts, groups)


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
    rotation = (*row.fixed(graph), *draft.turns)
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
