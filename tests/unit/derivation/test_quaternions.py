"""Quaternions on the graph, against SciPy's rotations."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from eomc.derivation.orientations import Orientation
from eomc.derivation.quaternions import of_constants, of_rotation
from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.vectors import matrix_of_rows

numbers = st.floats(-1.0, 1.0)
turns = st.tuples(numbers, numbers, numbers, numbers).filter(lambda q: np.linalg.norm(q) > 0.1)
half_turns = st.tuples(st.just(0.0), numbers, numbers, numbers).filter(lambda q: np.linalg.norm(q) > 0.1)


def symbols(graph: Graph, names: Any) -> list[Any]:
    return [graph.symbol(Symbol(Role.STATE, number, name)) for number, name in enumerate(names)]


def apart(found: Any, rotation: Rotation) -> float:
    """Return how far a quaternion is from a rotation, either sign being right, after a look at its norm."""
    assert abs(np.linalg.norm(found) - 1.0) < 4e-16
    expected = rotation.as_quat(scalar_first=True)
    return min(np.abs(found - expected).max(), np.abs(found + expected).max())


@given(turns | half_turns, st.floats(1e-3, 1e3))
@example((0.0, 1.0, -1.0, 1.0), 1.0)
def test_of_any_rotation(q: tuple[float, ...], size: float) -> None:
    """Whatever is largest among w, x, y, z, half turns too, and whatever positive factor the matrix has."""
    graph, rotation = Graph(), Rotation.from_quat(q, scalar_first=True)
    nodes = symbols(graph, [f"r{k}" for k in range(9)])
    result = of_rotation(graph, matrix_of_rows([nodes[:3], nodes[3:6], nodes[6:]]))
    values = dict(zip(map(graph.symbol_of, nodes), (size * rotation.as_matrix()).ravel().tolist(), strict=True))
    found = np.array(Sample(graph, values).vector(result))
    assert apart(found, rotation) < 5e-15
    longest = np.abs(found) >= (1.0 - 1e-12) * np.abs(found).max()
    assert found[longest].max() > 0.0  # of a matrix the longest entry is positive, one of those that are equally long


@given(turns | half_turns)
def test_of_numbers(q: tuple[float, ...]) -> None:
    """A rotation of numbers gives numbers."""
    graph, rotation = Graph(), Rotation.from_quat(q, scalar_first=True)
    rows = [[graph.constant(entry) for entry in row] for row in rotation.as_matrix().tolist()]
    result = of_constants(graph, matrix_of_rows(rows))
    found = [graph.number(node) for node in result]
    assert None not in found
    assert apart(np.array(found, dtype=float), rotation) < 5e-15


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(-10.0, 10.0)), min_size=1, max_size=6))
def test_of_turns(turned: list[tuple[int, float]]) -> None:
    """Turns about axes, one after another; those about the same axis are one, and no select stands among them."""
    graph = Graph()
    angles = symbols(graph, [f"a{k}" for k in range(len(turned))])
    orientation, rotation = Orientation.inertial(graph), Rotation.identity()
    for (axis, value), angle in zip(turned, angles, strict=True):
        unit = [graph.one if k == axis else graph.zero for k in range(3)]
        orientation = orientation.turned((unit[0], unit[1], unit[2]), angle)
        rotation *= Rotation.from_euler("xyz"[axis], value)
    result = orientation.quaternion
    values = dict(zip(map(graph.symbol_of, angles), (value for _, value in turned), strict=True))
    found = np.array(Sample(graph, values).vector(result))
    expected = rotation.as_quat(scalar_first=True)
    assert abs(np.linalg.norm(found) - 1.0) < 4e-15
    assert min(np.abs(found - expected).max(), np.abs(found + expected).max()) < 1e-14
    groups = 1 + sum(a[0] != b[0] for a, b in itertools.pairwise(turned))
    assert sum(graph.ops[node].name == "COS" for node in graph.reachable(result)) == groups
    assert not any(graph.ops[node].name == "SELECT" for node in graph.reachable(result))
