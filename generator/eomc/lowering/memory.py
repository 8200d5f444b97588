"""Which node an expression has become.

Leaves are found by value: p and a positive p differ, two objects for the same p do not. A compound expression is found
by the object itself. Comparing two equal objects by value takes SymPy as long as the tree that they stand for, which
grows without bound where parts are shared (velocities along a chain of bodies); walking an equal object anew costs its
distinct parts, and the graph makes the same node of it.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy.core.function import AppliedUndef

from eomc.ir.graph import Node
from eomc.model.arrays import is_element


class Memory:
    """Expression -> node.

    Parameters
    ----------
    leaves
        Symbol, time function or time derivative -> its node.
    """

    def __init__(self, leaves: Mapping[sympy.Basic, Node]) -> None:
        self._leaves: dict[sympy.Basic, Node] = dict(leaves)
        self._by_object: dict[int, tuple[sympy.Basic, Node]] = {}  # by id; the object is kept, so that its id is too

    def __contains__(self, expression: sympy.Basic) -> bool:
        """Whether the expression has a node already."""
        return self.get(expression) is not None

    def get(self, expression: sympy.Basic) -> Node | None:
        """Return the expression's node, None where it has none yet."""
        found = self._by_object.get(id(expression))
        if found is not None:
            return found[1]
        node = self._leaves.get(expression) if _is_leaf(expression) else None
        if node is not None:
            self._by_object[id(expression)] = (expression, node)  # comparing takes longer than looking up a number
        return node

    def __getitem__(self, expression: sympy.Basic) -> Node:
        """Return the expression's node."""
        found = self._by_object.get(id(expression))
        return self._leaves[expression] if found is None else found[1]

    def __setitem__(self, expression: sympy.Basic, node: Node) -> None:
        """Say what an expression has become."""
        if _is_leaf(expression):
            if expression in self._leaves:  # another node from now on, whichever equal object is asked for
                kept = self._by_object.items()
                self._by_object = {key: pair for key, pair in kept if not _is_leaf(pair[0])}
            self._leaves[expression] = node
        self._by_object[id(expression)] = (expression, node)


def _is_leaf(expression: sympy.Basic) -> bool:
    return not expression.args or isinstance(expression, (AppliedUndef, sympy.Derivative)) or is_element(expression)
