"""Prepared rows against the links and joints that they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from eomc.derivation.trees.composite import composite_moments
from eomc.derivation.trees.factoring import factors
from eomc.derivation.trees.moments import carried
from eomc.derivation.trees.rows import GROUND
from eomc.derivation.trees.turns import matrix_of, out
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.vectors import Components, Matrix, plus
from eomc.lowering.vectors import apply as apply_matrix
from eomc.model.trees.records import Joint, JointKind, Link

KINDS = tuple(JointKind)


def poses(tree: Any) -> list[tuple[Matrix, Components]]:
    """Return rotation and position of each row in the root, on the graph."""
    g = tree.graph
    found: list[tuple[Matrix, Components]] = []
    for row, motion in zip(tree.rows.rows, tree.motions, strict=True):
        turn, origin = matrix_of(g, motion.rotation), motion.offset
        if row.parent != GROUND:
            before, at = found[row.parent]
            origin = plus(g, at, apply_matrix(g, before, origin))
            columns = [apply_matrix(g, before, tuple(r[j] for r in turn)) for j in range(3)]
            turn = tuple(tuple(column[i] for column in columns) for i in range(3))
        found.append((turn, origin))
    return found


@given(st.integers(0, 10_000), st.integers(1, 7), st.booleans())
def test_links_are_where_they_were(trees: Any, seed: int, n: int, quaternions: bool) -> None:
    """The constant transforms between links and rows give every link the pose that the joints as given do."""
    given_ = trees.drawn(seed, n, KINDS)
    tree, state = trees.on_graph(given_, quaternions=quaternions), trees.state(given_, seed, quaternions=quaternions)
    sample = tree.sample(state.rows, state.u, state.tau, state.ud)
    rows = poses(tree)
    for name, (r, p) in trees.plain(given_).poses(state.q).items():
        place = tree.rows.places[name]
        inner = np.array([sample.vector(row) for row in place.rotation]), np.array(sample.vector(place.origin))
        if place.row == GROUND:
            outer = np.eye(3), np.zeros(3)
        else:
            turn, origin = rows[place.row]
            outer = np.array([sample.vector(row) for row in turn]), np.array(sample.vector(origin))
        assert np.allclose(outer[0] @ inner[0], r, rtol=0, atol=1e-13)
        assert np.allclose(outer[1] + outer[0] @ inner[1], p, rtol=0, atol=1e-12)


@given(st.integers(0, 10_000), st.integers(1, 7))
def test_potential_gets_back_what_the_ground_took(trees: Any, seed: int, n: int) -> None:
    """The first moments of rows and ground are that of all links about the root's origin, at every state."""
    given_ = trees.drawn(seed, n)
    tree, state = trees.on_graph(given_), trees.state(given_, seed)
    g, total = tree.graph, tree.rows.grounded
    masses, firsts = [total.mass], [total.first]
    composites = composite_moments(g, tree.rows, tree.motions)
    for row, motion, moments in zip(tree.rows.rows, tree.motions, composites, strict=True):
        if row.parent == GROUND:
            moved = carried(g, motion.rotation, motion.offset, moments)
            masses.append(moved.mass)
            firsts.append(moved.first)
    sample = tree.sample(state.rows, state.u, state.tau, state.ud)
    places = trees.plain(given_).poses(state.q)
    expected = sum(
        link.mass * (places[link.name][1] + places[link.name][0] @ np.array(link.centre)) for link in given_.links
    )
    assert np.allclose(np.sum([sample.vector(first) for first in firsts], axis=0), expected, rtol=0, atol=1e-12)
    assert np.isclose(sum(sample.vector(masses)), sum(link.mass for link in given_.links), rtol=1e-14)


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_regrouped_rows_have_few_entries(trees: Any, seed: int, n: int) -> None:
    """An arm of revolute joints on the ground has no mass, no h_z and no S_zz left, and its axes are z."""
    rows = trees.on_graph(trees.drawn(seed, n, (JointKind.REVOLUTE, JointKind.FIXED))).rows.rows
    for row in rows:
        assert (row.moments.mass, row.moments.first[2], row.moments.second.zz) == (0, 0, 0)  # the node of zero
        assert row.axis == (0, 0, 1)


def test_offsets_have_nothing_along_the_axis(trees: Any) -> None:
    """An origin slides to the foot of the perpendicular: an offset along the axis vanishes, one across it stays."""
    link = Link(name="a", mass=1.0, centre=(0.1, 0.2, 0.3), inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    joints = [
        Joint(name="j0", kind=JointKind.REVOLUTE, parent="root", child="l0", offset=(1, 2, 3)),
        Joint(name="j1", kind=JointKind.REVOLUTE, parent="l0", child="l1", axis=(1, 0, 0), offset=(0.5, 0, 0.7)),
    ]
    links = [
        Link(name="root"),
        *(Link(name=n, mass=1.0, centre=link.centre, inertia=link.inertia) for n in ("l0", "l1")),
    ]
    rows = trees.on_graph(type(trees.drawn(0, 1))(links, joints)).rows.rows
    assert rows[1].offset == (0, 0, 0)


class Parametric:
    """A tree whose numbers are parameters with these values, its records made of SymPy's symbols."""

    def __init__(self, tree: Any) -> None:
        self.values: dict[sympy.Symbol, float] = {}
        self.links = [
            Link(name=x.name, mass=self(x.mass), centre=self.all(x.centre), inertia=self.symmetric(x.inertia))
            for x in tree.links
        ]
        self.joints = [
            Joint(
                name=x.name, kind=x.kind, parent=x.parent, child=x.child, armature=self(x.armature),
                rotation=tuple(map(self.all, x.rotation)), offset=self.all(x.offset), axis=self.all(x.axis),
            )
            for x in tree.joints
        ]  # fmt: skip

    def __call__(self, value: float) -> sympy.Symbol:
        symbol = sympy.Symbol(f"p{len(self.values)}")
        self.values[symbol] = value
        return symbol

    def all(self, values: Any) -> tuple[sympy.Symbol, ...]:
        return tuple(map(self, values))

    def symmetric(self, rows: Any) -> tuple[tuple[sympy.Symbol, ...], ...]:
        made = {(i, j): self(rows[i][j]) for i in range(3) for j in range(i, 3)}
        return tuple(tuple(made[min(i, j), max(i, j)] for j in range(3)) for i in range(3))


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_parameters_stay_parameters(trees: Any, seed: int, n: int) -> None:
    """With every entry a parameter the rows are made of parameters alone, and the forces are those of the numbers."""
    given_ = trees.drawn(seed, n)
    parametric = Parametric(given_)
    leaves: dict[Node, float] = {}

    def scalars(graph: Graph) -> Any:
        def lower(entry: Any) -> Node:
            if not isinstance(entry, sympy.Symbol):
                return graph.constant(entry)
            node = graph.symbol(Symbol(Role.PARAMETER, int(entry.name[1:]), entry.name))
            leaves[node] = parametric.values[entry]
            return node

        return lower

    tree, state = trees.on_graph(parametric, scalars=scalars), trees.state(given_, seed)
    graph = tree.graph
    for row in tree.rows.rows:
        entries = [row.moments.mass, *row.moments.first, *row.moments.second, *row.offset, row.armature]
        assert all(graph.level[entry] <= Level.PARAMETERS for entry in entries)
    forces = tree.inverse(tree.accelerations)
    known = tree.sample(state.rows, state.u, state.tau, state.ud)._symbols
    sample = Sample(graph, known | {graph.symbol_of(node): value for node, value in leaves.items()})
    expected = trees.plain(given_).inverse(state.q, state.u, state.ud, trees.gravity)
    assert np.allclose(sample.vector(forces), expected, rtol=1e-10, atol=1e-10)


def test_no_pattern_from_a_default(trees: Any) -> None:
    """Parameters that are zeros by default give the same nodes as others: the pattern is that of the expressions."""
    given_ = trees.drawn(3, 4)
    parametric = Parametric(given_)

    def scalars(graph: Graph) -> Any:
        return lambda entry: (
            graph.symbol(Symbol(Role.PARAMETER, int(entry.name[1:]), entry.name))
            if isinstance(entry, sympy.Symbol)
            else graph.constant(entry)
        )

    first = trees.on_graph(parametric, scalars=scalars)
    parametric.values = dict.fromkeys(parametric.values, 0.0)
    assert trees.on_graph(parametric, scalars=scalars).rows.rows == first.rows.rows


@pytest.mark.parametrize("noise", [0.0, 1e-10])
def test_rotations_are_made_whole_again(trees: Any, noise: float) -> None:
    """Ten digits of a rotation matrix are enough: the transposes that recursions take for inverses are exact."""
    given_ = trees.drawn(11, 6, (JointKind.REVOLUTE,))
    rng = np.random.default_rng(0)
    for k, joint in enumerate(given_.joints):
        rough = np.array(joint.rotation) + noise * rng.uniform(-1, 1, (3, 3))
        given_.joints[k] = Joint(
            name=joint.name, kind=joint.kind, parent=joint.parent, child=joint.child,
            rotation=tuple(map(tuple, rough.tolist())), offset=joint.offset, axis=joint.axis,
        )  # fmt: skip
    tree = trees.on_graph(given_)
    g = tree.graph
    for row in tree.rows.rows:
        values = np.array([[g.number(e) for e in line] for line in matrix_of(g, factors(g, row.rotation))], dtype=float)
        assert np.allclose(values.T @ values, np.eye(3), rtol=0, atol=2e-15)
        assert out(factors(g, row.rotation), row.axis) is not None
