"""What makes a model of a tree of joints well formed, beyond the tree: which measures stand in its constraints."""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from eomc.errors import ModelError
from eomc.model.mechanism import Mechanism
from eomc.model.roles import check_configuration_constraints, check_velocity_constraints
from eomc.model.trees.measures import ACCELERATIONS, POSITIONS, VELOCITIES, Component, components_in
from eomc.model.trees.records import MeasureKind
from eomc.model.trees.tree import JointTree


def check_joint_tree(model: Mechanism, tree: JointTree) -> None:
    """Raise ModelError at the first mistake in what is said about the links and joints of a tree."""
    measures = components_in((*tree.configuration_constraints, *tree.velocity_constraints))
    for one in measures:
        if one.measure.kind in ACCELERATIONS or one.measure.kind is MeasureKind.JACOBIAN:
            raise ModelError(f"a constraint holds {one}: write it in positions, rotations and velocities")
    rates = [sympy.Derivative(q, model.time) for q in model.coordinates]
    motion = [*model.speeds, *rates, *_of(VELOCITIES, measures)]
    places = [*model.coordinates, *_of(POSITIONS, measures)]
    check_configuration_constraints(tree.configuration_constraints, places, motion)
    check_velocity_constraints(tree.velocity_constraints, motion)


def _of(kinds: frozenset[MeasureKind], measures: Iterable[Component]) -> list[Component]:
    return [one for one in measures if one.measure.kind in kinds]
