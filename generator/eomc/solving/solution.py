"""What solving a linear system gives: the unknowns, and how they are best read and evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.ir.graph import Node


@dataclass(frozen=True, slots=True)
class Solution:
    """X of matrix X = right, by rows."""

    rows: list[list[Node]]
    order: tuple[int, ...]  # of the unknowns: each is written in those before it, as given where nothing is against it
    steps: tuple[Node, ...] = ()  # of an elimination: by columns, so that one column is computed side by side

    @property
    def column(self) -> list[Node]:
        """The unknowns of one right side."""
        return [row[0] for row in self.rows]
