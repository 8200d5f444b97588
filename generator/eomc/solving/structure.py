"""Block-triangular form of a sparse square system: a matching of equations to unknowns, then strong components.

Duff & Reid, "An implementation of Tarjan's algorithm for the block triangularization of a matrix", ACM TOMS 4 (1978).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class StructurallySingularError(Exception):
    """No assignment of equations to unknowns exists; `rows` and `columns` are left over."""

    def __init__(self, rows: list[int], columns: list[int]) -> None:
        super().__init__(f"rows {rows} and columns {columns} cannot be matched")
        self.rows = rows
        self.columns = columns


def block_triangular(
    pattern: Sequence[Sequence[int]], cost: Callable[[int, int], int]
) -> list[tuple[list[int], list[int]]]:
    """Return blocks (rows, columns) in an order in which each can be solved from the earlier ones.

    Parameters
    ----------
    pattern
        ``pattern[i]`` lists the unknowns that appear in equation i, in increasing order; as many of either.
    cost
        Preference for pivots: candidates of lower cost are matched first.

    Raises
    ------
    StructurallySingularError
        Some unknown can be matched to no equation.
    """
    n = len(pattern)
    row_of = _matching(pattern, cost)
    if any(row < 0 for row in row_of):
        used = set(row_of)
        raise StructurallySingularError([i for i in range(n) if i not in used], [j for j in range(n) if row_of[j] < 0])
    # Unknown j needs unknown k when k appears in j's equation.
    needs = [[k for k in pattern[row_of[j]] if k != j] for j in range(n)]
    return [([row_of[j] for j in block], block) for block in _strong_components(needs)]


def _matching(pattern: Sequence[Sequence[int]], cost: Callable[[int, int], int]) -> list[int]:
    """Return for each column its row (-1: none), by augmenting paths; cheap pivots are tried first."""
    n = len(pattern)
    row_of, column_of = [-1] * n, [-1] * n
    candidates = [sorted((cost(i, j), j) for j in row) for i, row in enumerate(pattern)]
    for i, row in enumerate(candidates):
        for price, j in row:
            if price == 0 and column_of[i] < 0 and row_of[j] < 0:
                column_of[i], row_of[j] = j, i
    options = [[j for _, j in row] for row in candidates]
    for start in range(n):
        if column_of[start] < 0:
            _augment(start, options, row_of, column_of)
    return row_of


def _augment(start: int, options: list[list[int]], row_of: list[int], column_of: list[int]) -> None:
    """Match one more row by a breadth-first alternating path, if there is one."""
    came_from: dict[int, int] = {}  # column -> row that reached it
    frontier = [start]
    while frontier:
        following = []
        for row in frontier:
            for column in options[row]:
                if column in came_from:
                    continue
                came_from[column] = row
                if row_of[column] < 0:
                    while True:
                        owner = came_from[column]
                        previous = column_of[owner]
                        row_of[column], column_of[owner] = owner, column
                        if owner == start:
                            return
                        column = previous
                following.append(row_of[column])
        frontier = following


def _strong_components(needs: list[list[int]]) -> list[list[int]]:
    """Return strongly connected components, needed ones first (Tarjan 1972, iterative)."""
    n = len(needs)
    number, low = [-1] * n, [0] * n
    on_stack = [False] * n
    stack: list[int] = []
    components: list[list[int]] = []
    counter = 0
    for root in range(n):
        if number[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                number[node] = low[node] = counter
                counter += 1
                stack.append(node)
                on_stack[node] = True
            advanced = False
            for index in range(position, len(needs[node])):
                other = needs[node][index]
                if number[other] < 0:
                    work.append((node, index + 1))
                    work.append((other, 0))
                    advanced = True
                    break
                if on_stack[other]:
                    low[node] = min(low[node], number[other])
            if advanced:
                continue
            if low[node] == number[node]:
                component: list[int] = []
                while True:
                    member = stack.pop()
                    on_stack[member] = False
                    component.append(member)
                    if member == node:
                        break
                components.append(sorted(component))
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return components
