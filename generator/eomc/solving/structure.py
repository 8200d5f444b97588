"""Block-triangular form of a sparse square system: a matching of equations to unknowns, then strong components.

Duff & Reid, "An implementation of Tarjan's algorithm for the block triangularization of a matrix", ACM TOMS 4 (1978).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence


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
    return [([row_of[j] for j in block], block) for block in strong_components(needs)]


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


def strong_components(needs: list[list[int]]) -> list[list[int]]:
    """Return strongly connected components, needed ones first.

    Two searches (S. R. Kosaraju; M. Sharir, *Comput. Math. Appl.* 7 (1981)): what is finished last in the first needs
    all others that are not in its component, so that from there the second, against the arrows, finds the component.
    """
    n = len(needs)
    users: list[list[int]] = [[] for _ in range(n)]
    for node, others in enumerate(needs):
        for other in others:
            users[other].append(node)
    finished = [node for tree in _trees(needs, range(n)) for node in tree]
    return [sorted(tree) for tree in _trees(users, reversed(finished))][::-1]


def _trees(arrows: Sequence[Sequence[int]], roots: Iterable[int]) -> Iterator[list[int]]:
    """Yield what a search in depth meets from each root and not before, in the order in which it is finished."""
    met: set[int] = set()
    for root in roots:
        tree: list[int] = []
        path = [] if root in met else [(root, iter(arrows[root]))]
        met.add(root)
        while path:
            node, others = path[-1]
            other = next((other for other in others if other not in met), None)
            if other is None:
                tree.append(node)
                path.pop()
            else:
                met.add(other)
                path.append((other, iter(arrows[other])))
        if tree:
            yield tree
