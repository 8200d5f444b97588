"""Constraints as numbers at one point: residuals, slopes, and the sizes of their terms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from eomc.analysis.assembly import Affine, Point
from eomc.derivation.rank import redundant_rows
from eomc.ir.cone import above
from eomc.ir.graph import Graph, Node
from eomc.ir.rounding import Rounded, is_rounding

_ASSEMBLED = 1e-9  # the share of its size to which a coefficient is known at a start that Newton's method found


class Constraints:
    """Residuals and their slopes on a graph, whose order is found once for all points."""

    def __init__(self, graph: Graph, residuals: Sequence[Node], slopes: Sequence[Sequence[Node]]) -> None:
        self._residuals, self._slopes = residuals, slopes
        self._sized = above(graph, residuals, ())
        self._valued = above(graph, itertools.chain(*slopes), frozenset(self._sized))

    def at(self, sample: Rounded, x: Sequence[float]) -> Point:
        """Return residuals, the sizes of their terms, and slopes at x; a size that is not told is of the changes."""
        sample.sized_along(self._sized)
        sample.along(self._valued)
        values, rows = sample.vector(self._residuals), [sample.vector(row) for row in self._slopes]
        sizes = []
        for node, value, row in zip(self._residuals, values, rows, strict=True):
            size = sample.size(node)
            if not math.isfinite(size):
                size = math.fsum([abs(value), *(abs(a * b) for a, b in zip(row, x, strict=True))])
            sizes.append(size)
        return Point(values, sizes, rows)


def affine_of(at: Rounded, residuals: Sequence[Node], jacobian: Sequence[Sequence[Node]]) -> Affine:
    """Return J v + b of residuals at v = 0, with zero for what is rounding in J."""
    entries = [[at.sized(node) for node in row] for row in jacobian]
    offsets = [at.sized(node) for node in residuals]
    return Affine(
        [[0.0 if is_rounding(x) else x[0] for x in row] for row in entries],
        [[size for _, size in row] for row in entries],
        [value for value, _ in offsets],
        [size for _, size in offsets],
    )


def redundant_rows_of(affine: Affine) -> list[int]:
    """Return the rows that follow from those before them; rows without a value tell nothing."""
    sized = list(zip(affine.slopes, affine.slope_sizes, strict=True))
    known = [index for index, row in enumerate(affine.slopes) if all(map(math.isfinite, row))]
    entries = [dict(enumerate(zip(*sized[index], strict=True))) for index in known]
    return [known[k] for k in redundant_rows(entries, _ASSEMBLED)]
