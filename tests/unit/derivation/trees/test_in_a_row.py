"""Rows of joints whose entries are tabled: what differs along them, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eomc.derivation.trees.in_a_row import long_rows, mark_rows
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.rows import Row, TreeRows, identity
from eomc.derivation.trees.tensors import Symmetric
from eomc.ir.graph import Graph
from eomc.ir.symbols import Tabled
from eomc.model.trees.records import JointKind
from eomc.passes.recurrences import LONG


def tree(graph, parents, *, kinds=(JointKind.REVOLUTE,), mass=lambda k: 1.0, offset=lambda k: 0.5):
    """Return rows with these parents."""
    g, zero = graph, graph.zero
    rows = []
    for k, parent in enumerate(parents):
        first = (g.constant(0.25), g.constant(-0.1), zero)
        moments = Moments(g.constant(mass(k)), first, Symmetric(*[g.constant(0.1)] * 3, zero, zero, zero))
        rows.append(
            Row(
                name=f"j{k}",
                kind=kinds[k % len(kinds)],
                parent=parent,
                rotation=identity(g),
                offset=(g.constant(offset(k)), zero, zero),
                axis=(zero, zero, g.one),
                moments=moments,
                armature=zero,
                zero=(g.one, zero),
                outer=identity(g),
            )
        )
    return TreeRows(tuple(rows), {}, Moments(zero, (zero, zero, zero), Symmetric(*[zero] * 6)))


def tabled(graph, nodes):
    """Return which nodes are tabled numbers."""
    return [isinstance(graph.data[node], Tabled) for node in nodes]


def chain(count):
    return range(-1, count - 1)


def test_what_differs_is_tabled_and_nothing_else():
    """Masses that grow, offsets that are one somewhere: numbers into which nothing looks; zeros and equals stay."""
    g = Graph()
    given = tree(g, chain(60), mass=lambda k: 2.0 + k, offset=lambda k: 1.0 if k == 30 else 0.1 + k)
    marked = mark_rows(g, given)
    for before, row in zip(given.rows, marked.rows, strict=True):
        assert tabled(g, [row.moments.mass, row.offset[0]]) == [True, True]
        assert float(g.data[row.moments.mass]) == float(g.data[before.moments.mass])
        assert replace(row.moments, mass=before.moments.mass) == before.moments
        assert row.offset[1:] == before.offset[1:]


def test_every_second_joint_is_like_another():
    """Where zeros alternate, so do the groups that are alike: a zero of one of them stays."""
    g = Graph()
    marked = mark_rows(g, tree(g, chain(60), offset=lambda k: 0.0 if k % 2 else 2.0 + k))
    assert [row.offset[0] == g.zero for row in marked.rows] == [False, True] * 30
    assert tabled(g, [row.offset[0] for row in marked.rows]) == [True, False] * 30


def test_kinds_tell_the_period():
    """Hinges and slides in turn: the masses of each kind are equal, and stay."""
    g = Graph()
    given = tree(g, chain(60), kinds=(JointKind.REVOLUTE, JointKind.PRISMATIC), mass=lambda k: 3.0 - k % 2)
    assert mark_rows(g, given) == given


@pytest.mark.parametrize("end", [0, 59])
def test_an_end_with_other_zeros_is_left(end):
    """The first joint has no offset, the last no mass beyond it: straight lines."""
    g = Graph()
    marked = mark_rows(g, tree(g, chain(60), offset=lambda k: 0.0 if k == end else 2.0 + k))
    assert tabled(g, [row.offset[0] for row in marked.rows]) == [k != end for k in range(60)]


def test_short_rows_are_left():
    """One joint fewer, and nothing happens."""
    g = Graph()
    given = tree(g, chain(LONG - 1), mass=lambda k: 2.0 + k)
    assert mark_rows(g, given) == given


def test_rows_in_a_tree():
    """A row goes on into the longest branch; another one may begin beside it; what follows another joint parts them."""
    g = Graph()
    parents = [*chain(70), 19, *range(70, 130), 5]
    given = tree(g, parents)
    first, second = long_rows(given)
    assert first == [*range(20), *range(70, 131)]
    assert second == list(range(20, 70))
    assert long_rows(given, frozenset({"j40", "j90"})) == []
