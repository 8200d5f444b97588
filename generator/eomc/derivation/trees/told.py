"""What the preparation of a tree's rows has done, in numbers for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.preparation import prepared
from eomc.derivation.trees.rows import TreeRows
from eomc.derivation.trees.tensors import filled
from eomc.derivation.trees.turns import Permutation
from eomc.ir.graph import Graph, Node
from eomc.ir.symbols import Role, Symbol
from eomc.model.trees.records import Entry
from eomc.model.trees.tree import JointTree
from eomc.wording import counted


@dataclass(frozen=True, slots=True)
class Preparation:
    """What was done to the links and joints of a tree before recursions run over them.

    Attributes
    ----------
    links, rows
        How many there are: links as they are given, the root among them, and joints that move.
    merged
        Links that are fixed to another, and move with it or stand still.
    right_angles
        Rows whose frames, turned so that the joint's axis is their z, stand at right angles to those before.
    slid
        Rows whose origins were slid along the joint's axis.
    inertias, kept
        Masses, first and second moments of the rows that are not zero: before and after what a joint cannot tell from
        the body before it went there.
    """

    links: int
    rows: int
    merged: int
    right_angles: int
    slid: int
    inertias: int
    kept: int

    def sentences(self) -> list[str]:
        """Return what was done, a line for each step that did something."""
        found = []
        if self.merged:
            verb = "is" if self.merged == 1 else "are"
            found.append(f"merged: {self.merged} of {counted(self.links, 'link')} {verb} fixed to others")
        upright = "all" if self.right_angles == self.rows else f"{self.right_angles} of {self.rows}"
        found.append(f"turned: the joint's axis is z; at right angles to the frames before: {upright}")
        if self.slid:
            found.append(f"slid: {counted(self.slid, 'origin')} along the joint's axis")
        if self.kept < self.inertias:
            left = f"{self.kept} of {self.inertias} masses and moments are left"
            found.append(f"regrouped: {left}; the others move alike with the body before, or not at all")
        return found


def preparation_of(tree: JointTree) -> Preparation:
    """Return what is done to the rows of a tree; expressions of parameters are taken as numbers other than zero."""
    graph = Graph()
    leaves: dict[Entry, Node] = {}

    def scalars(entry: Entry) -> Node:
        if isinstance(entry, (int, float)):
            return graph.constant(entry)
        if entry not in leaves:
            leaves[entry] = graph.symbol(Symbol(Role.PARAMETER, len(leaves), f"p{len(leaves)}"))
        return leaves[entry]

    steps = prepared(graph, scalars, tree.links, tree.joints)
    rows = steps.regrouped.rows
    before, after = (sum(_moments(graph, row.moments) for row in one.rows) for one in (steps.slid, steps.regrouped))
    return Preparation(
        links=len(tree.links),
        rows=len(rows),
        merged=len(tree.links) - len(rows) - 1,
        right_angles=sum(_is_upright(graph, row.rotation) for row in rows),
        slid=_moved(steps.turned, steps.slid),
        inertias=before,
        kept=after,
    )


def _moments(graph: Graph, moments: Moments) -> int:
    return filled(graph, [moments.mass, *moments.first, *moments.second])


def _is_upright(graph: Graph, rotation: Sequence[Sequence[Node]]) -> bool:
    x, y, z = ((row[0], row[1], row[2]) for row in rotation)
    return all(isinstance(turn, Permutation) for turn in factors(graph, (x, y, z)))


def _moved(before: TreeRows, after: TreeRows) -> int:
    return sum(a.moments != b.moments for a, b in zip(before.rows, after.rows, strict=True))
