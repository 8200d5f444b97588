"""Rows with parallel axes share their axes: no turn between them, and the dynamics of bodies as they are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.derivation.trees.aligned import align
from eomc.derivation.trees.rows import GROUND
from eomc.derivation.trees.turns import AxisTurn, out
from eomc.lowering.vectors import plus
from eomc.model.trees.records import IDENTITY, Joint, JointKind, Link

QUARTER = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
TILTED = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
REVOLUTE, PRISMATIC = JointKind.REVOLUTE, JointKind.PRISMATIC


def tree(joints: Sequence[tuple[str, JointKind, Any]], solid: Any) -> tuple[list[Link], list[Joint]]:
    """Return links l0, l1, ... behind joints (parent, kind, rotation) about or along their z."""
    links, made = [Link(name="root")], []
    for k, (parent, kind, rotation) in enumerate(joints):
        links.append(replace(solid, name=f"l{k}"))
        offset = (0.5, 0.1, 0.2)
        made.append(
            Joint(
                name=f"j{k}", kind=kind, parent=parent, child=f"l{k}", rotation=rotation, offset=offset, axis=(0, 0, 1)
            )
        )
    return links, made


def placed(trees: Any, links: list[Link], joints: list[Joint]) -> tuple[Any, Any]:
    """Return a tree on a graph, and its rows and motions in common axes."""
    made = trees.on_graph(type(trees.drawn(0, 1))(links, joints))
    return made, align(made.graph, made.rows, made.motions, made.coordinates)


@pytest.mark.parametrize(
    ("joints", "turns"),
    [
        # all parallel: nothing turns but the last
        ([("root", REVOLUTE, IDENTITY), ("l0", REVOLUTE, IDENTITY), ("l1", REVOLUTE, IDENTITY)], [0, 0, 1]),
        # as of UR5: the first stands, three lie
        (
            [
                ("root", REVOLUTE, IDENTITY),
                ("l0", REVOLUTE, TILTED),
                ("l1", REVOLUTE, IDENTITY),
                ("l2", REVOLUTE, QUARTER),
                ("l3", REVOLUTE, TILTED),
            ],
            [1, 0, 0, 1, 1],
        ),
        # SCARA: a slider among hinges
        ([("root", REVOLUTE, IDENTITY), ("l0", REVOLUTE, IDENTITY), ("l1", PRISMATIC, IDENTITY)], [0, 0, 1]),
        # one that carries something askew, too, keeps its own axes
        ([("root", REVOLUTE, IDENTITY), ("l0", REVOLUTE, IDENTITY), ("l0", REVOLUTE, TILTED)], [1, 1, 1]),
        # two limbs that both are parallel to what carries them
        ([("root", REVOLUTE, IDENTITY), ("l0", REVOLUTE, IDENTITY), ("l0", REVOLUTE, QUARTER)], [0, 1, 1]),
    ],
)
def test_parallel_rows_have_no_turn_between_them(trees: Any, joints: Any, turns: list[int]) -> None:
    """Only where rows keep axes of their own is there a turn by coordinates."""
    solid = trees.drawn(1, 1, solid=True).links[1]
    made, (_, motions) = placed(trees, *tree(joints, solid))
    by_angle = [
        [isinstance(one, AxisTurn) and made.graph.number(one.cos) is None for one in m.rotation] for m in motions
    ]
    assert list(map(sum, by_angle)) == turns


def test_nothing_changes_without_parallel_axes(trees: Any) -> None:
    """A chain whose axes are askew has the rows and motions that were prepared."""
    solid = trees.drawn(1, 1, solid=True).links[1]
    made, (rows, motions) = placed(
        trees, *tree([("root", REVOLUTE, IDENTITY), ("l0", REVOLUTE, TILTED), ("l1", REVOLUTE, TILTED)], solid)
    )
    assert rows is made.rows
    assert list(motions) == made.motions


@given(seed=st.integers(0, 10**6), n=st.integers(2, 6))
def test_links_are_where_they_are(trees: Any, seed: int, n: int) -> None:
    """Rotation and origin of each link in the root are those of the joints as they are given."""
    given_tree = trees.drawn(seed, n, (REVOLUTE, PRISMATIC, REVOLUTE))
    made, (rows, motions) = placed(trees, given_tree.links, given_tree.joints)
    state = trees.state(given_tree, seed)
    sample = made.sample(state.rows, state.u, state.tau, state.ud)
    for name, (rotation, origin) in trees.plain(given_tree).poses(state.q).items():
        place = rows.places[name]
        columns = [place.origin, *zip(*place.rotation, strict=True)]
        row = place.row
        while row != GROUND:
            columns = [out(motions[row].rotation, column) for column in columns]
            columns[0] = plus(made.graph, motions[row].offset, columns[0])
            row = rows.rows[row].parent
        found = np.array([sample.vector(list(column)) for column in columns])
        np.testing.assert_allclose(found[1:].T, rotation, rtol=0, atol=1e-13)
        np.testing.assert_allclose(found[0], origin, rtol=0, atol=1e-13 * (1 + np.abs(origin).max()))
