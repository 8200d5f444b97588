"""Loads on a tree: wrenches on rows, what acts on joints, and the generalized forces of both."""

from __future__ import annotations

from functools import cached_property

from eomc.derivation.trees.newton_euler import Wrench, carried_inwards, component, no_wrench, wrench_plus
from eomc.derivation.trees.placed import PlacedTree
from eomc.derivation.trees.rows import GROUND
from eomc.ir.graph import Node
from eomc.lowering.scalars import ScalarLowering
from eomc.lowering.vectors import cross, three
from eomc.model.trees.order import first_speeds
from eomc.model.trees.records import JointLoad, LinkForce, LinkTorque


class TreeLoads:
    """The loads of a tree at a state.

    Attributes
    ----------
    wrenches
        On rows, in their frames.
    on_joints
        On each speed.
    damping
        What drags each speed, -d u; of a joint that mimics, what has its power.
    """

    def __init__(self, placed: PlacedTree, scalars: ScalarLowering) -> None:
        self._placed, self._graph, self._scalars = placed, placed.graph, scalars
        tree = placed.tree
        self._starts, self._numbers = (
            first_speeds(tree.joints),
            {joint.name: number for number, joint in enumerate(tree.joints)},
        )
        self.wrenches: dict[int, Wrench] = {}
        self.on_joints = [self._graph.zero] * len(tree.speeds)
        for load in tree.loads:
            if isinstance(load, JointLoad):
                self._take_joint_load(load)
            else:
                self._take_wrench(load)
        self.damping = self._drags()

    def _take_joint_load(self, load: JointLoad) -> None:
        number = self._numbers[load.joint]
        lead = self._placed.tree.leads[number]
        factor = self._graph.one if lead is None else self._scalars(lead.factor)  # tau k u has the power of k tau
        for k, value in enumerate(load.loads, self._starts[number if lead is None else lead.joint]):
            driving = self._graph.mul(factor, self._scalars(value))
            self.on_joints[k] = self._graph.add(self.on_joints[k], driving)

    def _take_wrench(self, load: LinkForce | LinkTorque) -> None:
        graph, placed = self._graph, self._placed
        row = placed.place(load.link).row
        if row == GROUND:
            return  # nothing moves there
        vector = placed.to_row(row, three(map(self._scalars, load.components)), load.axes)
        if isinstance(load, LinkForce):
            wrench = Wrench(vector, cross(graph, placed.point(load.link, load.at), vector))
        else:
            wrench = Wrench((graph.zero,) * 3, vector)
        self.wrenches[row] = wrench_plus(graph, self.wrenches.get(row, no_wrench(graph)), wrench)

    def _drags(self) -> list[Node]:
        graph, tree, scalars = self._graph, self._placed.tree, self._placed.scalars
        found = [graph.zero] * len(self.on_joints)
        for number, (joint, lead) in enumerate(zip(tree.joints, tree.leads, strict=True)):
            factor = scalars(joint.damping)
            if factor == graph.zero:
                continue
            moved = number if lead is None else lead.joint
            if lead is not None:  # the power d (k u)^2 is that of its own speed
                factor = graph.mul(factor, graph.powi(scalars(lead.factor), 2))
            for k, u in enumerate(tree.joints[moved].speeds, self._starts[moved]):
                found[k] = graph.sub(found[k], graph.mul(factor, scalars(u)))
        return found

    @property
    def beside(self) -> list[Node]:
        """What acts on each speed beside wrenches."""
        return [self._graph.add(a, b) for a, b in zip(self.on_joints, self.damping, strict=True)]

    @cached_property
    def generalized(self) -> list[Node]:
        """The generalized forces of all loads but damping."""
        graph, placed = self._graph, self._placed
        wrenches = [self.wrenches.get(i, no_wrench(graph)) for i in range(len(placed.moving.rows.rows))]
        carried = carried_inwards(graph, placed.moving.rows, placed.moving.motions, wrenches)
        forces = {rate: component(carried[rate.row], rate) for rate in placed.moving.flat}
        return [graph.add(a, b) for a, b in zip(placed.moving.forces_on_speeds(forces), self.on_joints, strict=True)]
