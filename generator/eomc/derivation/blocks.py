"""The blocks of a derivation: its quantities in the order and with the names of the text-books."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.constrained import ConstrainedMotion
from eomc.ir.equations import Quantity
from eomc.ir.graph import Graph, Node
from eomc.ir.program import Block


def labelled(names: Sequence[str], nodes: Sequence[Node]) -> tuple[tuple[str, Node], ...]:
    """Return names with their nodes."""
    return tuple(zip(names, nodes, strict=True))


def elimination(title: str, steps: Sequence[Node], names: Sequence[str], solution: Sequence[Node]) -> Block:
    """Return the block of a linear solve: its steps in the order of elimination, then the named solution."""
    return Block(title, (*(("", node) for node in steps), *labelled([f"{name}'" for name in names], solution)))


def matrix_entries(
    letter: str, matrix: Sequence[Sequence[Node]], graph: Graph, symmetric: bool = True
) -> tuple[tuple[str, Node], ...]:
    """Return the entries, of a symmetric matrix those of its lower triangle but for zeros."""
    zero = graph.zero
    filled = [
        (i, [(j, entry) for j, entry in enumerate(row[: i + 1]) if entry != zero] if symmetric else enumerate(row))
        for i, row in enumerate(matrix)
    ]
    return tuple((f"{letter}[{i}][{j}]", entry) for i, row in filled for j, entry in row)


def vector_entries(letter: str, vector: Sequence[Node]) -> tuple[tuple[str, Node], ...]:
    """Return the entries of a vector."""
    return tuple((f"{letter}[{i}]", entry) for i, entry in enumerate(vector))


def dependent_blocks(constraint_matrix: Sequence[Sequence[Node]], graph: Graph) -> list[Block]:
    """Return the block of A, none where no speeds are written in others."""
    entries = matrix_entries("A", constraint_matrix, graph, symmetric=False)
    return [Block("dependent speeds: u_D = A u_I + B", entries)] if constraint_matrix else []


def reaction_blocks(reactions: Sequence[Quantity]) -> list[Block]:
    """Return the block of the reactions, none without auxiliary speeds."""
    entries = tuple((quantity.name, quantity.node) for quantity in reactions)
    return [Block("reactions: F_r + F*_r + R_r = 0 along the auxiliary speeds", entries)] if entries else []


def is_mirrored(motion: ConstrainedMotion) -> bool:
    """Whether the lower triangle of the mass matrix tells the whole."""
    matrix = motion.mass_matrix
    return not motion.loads_added or all(row[j] == matrix[j][i] for i, row in enumerate(matrix) for j in range(i))
