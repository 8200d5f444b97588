"""Whether a function is zero: one answer for all who ask, from nodes first, then from numbers.

A function is zero where it is the literal zero. It is taken for zero where nothing but rounding is left of it at every
point at which it has a value, each number judged against the size of its own terms; kinks count as further variables.
No number at one point, in one unit or at one default decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eomc.derivation.sampling import Sampling, looks
from eomc.ir.graph import Node
from eomc.ir.rounding import Number, Rounded, is_rounding

_FEWEST = 3  # points, of a function that has values in a small domain alone


class Zeros:
    """Answers for the functions of one graph.

    Parameters
    ----------
    sampling
        The points.
    """

    def __init__(self, sampling: Sampling) -> None:
        self._sampling = sampling
        self._known: dict[Node, bool] = {}

    def __call__(self, node: Node) -> bool:
        """Whether a node is zero as a function of all that it holds."""
        if self._sampling.graph.is_zero(node):
            return True
        if self._sampling.graph.number(node) is not None:
            return False
        if node not in self._known:
            self._known[node] = self.vanish(lambda sample: [sample.number(node)])
        return self._known[node]

    def vanish(self, numbers: Callable[[Rounded], Iterable[Number]]) -> bool:
        """Whether all numbers made from a point are rounding, at all points at which they have values."""

        def is_zero(sample: Rounded) -> bool | None:
            left = [x for x in numbers(sample) if not is_rounding(x)]
            if any(value == value and size == size for value, size in left):
                return False
            return None if left else True

        found = []
        for zero in looks(self._sampling.free, is_zero):
            if not zero:
                return False
            found.append(zero)
        return len(found) >= _FEWEST
