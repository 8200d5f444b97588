"""What the rounding error of a value is proportional to, as nodes: the sum of the sizes of its terms.

A sine or a cosine counts as max(1, |argument|), since its argument is known to rounding only. It enters a size as 1,
so that lengths and masses alone make what is left, which is computed once; the largest argument multiplies it.

A product is zero where a factor is, a quotient where its numerator is, a root where what is below it is: each is told
from rounding by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eomc.ir.cone import unmet
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import Op, ops_with
from eomc.ir.remembered import remembered
from eomc.ir.symbols import Named

_ROUNDINGS = 4
"""Epsilons that a value may be off by, times its size."""

COARSEST_ROUNDING = _ROUNDINGS * 2.0**-23
"""The same of a value of size one, in float."""

_ADD, _SUB, _MUL, _DIV, _NEG, _ABS, _POWI, _SQRT = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.ABS, Op.POWI, Op.SQRT
_SINES = frozenset({Op.SIN, Op.COS})
_LOOKED_INTO = frozenset({_ADD, _SUB, _MUL, _DIV, _NEG, _ABS, _POWI})
_NEVER_NEGATIVE = ops_with(lambda row: row.nonnegative)


class Bound(NamedTuple):
    """A condition that keeps a value away from zero."""

    condition: Node
    value: Node
    positive: bool  # whether the value is to be positive, or its magnitude


class _Size(NamedTuple):
    """The sizes of a value's terms."""

    total: Node  # their sum, sines and cosines as 1; -1: the value's own size, for nothing cancels in it
    angles: int  # arguments of those sines and cosines: a bit for each


_OWN = _Size(-1, 0)


class Sizes:
    """Sizes of the nodes of one graph, to which they are added; each is made once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._sizes: dict[Node, _Size] = {}
        self._angles: list[Node] = []
        self._bits: dict[Node, int] = {}
        self._varying = 0  # the bits of arguments that vary

    def size(self, node: Node) -> Node:
        """Return the size of a value."""
        size = self._look(node)
        total = self._total(node, size)
        return self._graph.mul(total, self._largest(size.angles)) if size.angles else total

    def steady(self, node: Node) -> Node:
        """Return the sum of the sizes of a value's terms with sines and cosines as 1, however large their arguments."""
        return self._total(node, self._look(node))

    def largest_argument(self, node: Node) -> Node:
        """Return the largest argument of sines and cosines in a value, at least 1: its size beside the steady one."""
        angles = self._look(node).angles
        return self._largest(angles) if angles else self._graph.one

    def is_own(self, node: Node) -> bool:
        """Whether the size of a value is its magnitude: nothing cancels in it."""
        return self._look(node) is _OWN

    def rounding(self, size: Node) -> Node:
        """Return what a value of a size must be larger than to be more than rounding."""
        g = self._graph
        return g.mul(size, g.mul(g.constant(Named.EPSILON), g.constant(_ROUNDINGS)))

    def _limit(self, node: Node) -> Node:
        size = self._look(node)
        limit = self.rounding(self._total(node, size))
        return self._graph.mul(limit, self._largest(size.angles)) if size.angles else limit

    def above(self, size: Node, node: Node) -> Bound:
        """Return what says that a value of a size is positive by more than rounding."""
        return Bound(self._graph.binary(Op.LT, self.rounding(size), node), node, True)

    def nonzero(self, node: Node) -> list[Bound]:
        """Return what together says that a value is more than rounding."""
        g, args = self._graph, self._graph.args
        bounds: dict[Node, Bound] = {}
        stack = [(node, False)]
        while stack:
            factor, positive = stack.pop()
            op, size = g.ops[factor], self._look(factor)
            if op is _NEG or op is _ABS or op is _DIV or op is _SQRT:
                stack.append((args[factor][0], op is _SQRT))
            elif op is _MUL and size is not _OWN and not positive:
                stack += [(factor, False) for factor in args[factor]]
            elif op is _POWI and size is not _OWN and not positive and self._graph.integer(factor) > 0:
                stack.append((args[factor][0], False))
            else:
                limit = g.zero if size is _OWN else self._limit(factor)
                asked = factor if positive else self._magnitude(factor)
                condition = g.binary(Op.LT, limit, asked)
                bounds.setdefault(condition, Bound(condition, factor, asked == factor))
        return [bound for bound in bounds.values() if g.level[bound.condition] > Level.CONSTANT]

    def positive(self, node: Node) -> list[Bound]:
        """Return what together says that a value is positive by more than rounding."""
        g, zero = self._graph, self._graph.zero
        bounds: list[Bound] = []
        while g.ops[node] is _MUL and self._look(node) is not _OWN:  # what is never negative tells no sign
            first, second = g.args[node]
            if self._is_never_negative(second):
                first, second = second, first
            if first == second:
                return [*bounds, *self.nonzero(first)]
            if not self._is_never_negative(first):
                return [*bounds, *self.nonzero(node), Bound(g.binary(Op.LT, zero, node), node, True)]
            bounds += self.nonzero(first)
            node = second
        limit = zero if self._look(node) is _OWN else self._limit(node)
        return [*bounds, Bound(g.binary(Op.LT, limit, node), node, True)]

    # -- sizes -------------------------------------------------------------------------------------------------------

    def _look(self, root: Node) -> _Size:
        """Return the size of a value, those of its terms first."""
        sizes, args, ops = self._sizes, self._graph.args, self._graph.ops
        for node in unmet(root, sizes, lambda node: args[node] if ops[node] in _LOOKED_INTO else ()):
            sizes[node] = self._find(node)
        return sizes[root]

    def _find(self, node: Node) -> _Size:
        g, op, args = self._graph, self._graph.ops[node], self._graph.args[node]
        if op in _SINES:
            return self._of_sine(args[0])
        if op not in _LOOKED_INTO:
            return _OWN
        own = [self._sizes[a] for a in args]
        alone = all(size is _OWN for size in own)
        if op is _ADD or op is _SUB:
            if op is _ADD and alone and all(map(self._is_never_negative, args)):
                return _OWN
            return self._joined(g.add, args, own)
        if alone or (op is _DIV and own[0] is _OWN):
            return _OWN
        if op is _MUL:
            return self._joined(g.mul, args, own)
        if op is _DIV:
            return _Size(g.mul(own[0].total, self._magnitude(g.div(g.one, args[1]))), own[0].angles)
        if op is _POWI:
            exponent = self._graph.integer(node)
            return _Size(g.powi(own[0].total, exponent), own[0].angles) if exponent > 0 else _OWN
        return own[0]

    def _joined(self, join: Callable[[Node, Node], Node], args: Sequence[Node], own: Sequence[_Size]) -> _Size:
        totals = map(self._total, args, own)
        return _Size(join(*totals), own[0].angles | own[1].angles)

    def _of_sine(self, argument: Node) -> _Size:
        g = self._graph
        number = g.number(argument)
        if not g.level[argument] if number is None else -1 <= number <= 1:
            return _Size(g.one, 0)
        bit = self._bits.get(argument)
        if bit is None:
            bit = self._bits[argument] = 1 << len(self._angles)
            self._angles.append(argument)
            if g.level[argument] == Level.VARYING:
                self._varying |= bit
        return _Size(g.one, bit)

    def _total(self, node: Node, size: _Size) -> Node:
        return self._magnitude(node) if size is _OWN else size.total

    @remembered
    def _largest(self, angles: int) -> Node:
        """Return the largest argument, at least 1; sets that begin alike share that part."""
        last = (angles & self._varying or angles).bit_length() - 1  # what depends on parameters alone comes first
        rest = angles & ~(1 << last)
        before = self._largest(rest) if rest else self._graph.one
        size = self._magnitude(self._angles[last])
        return self._graph.select(self._graph.binary(Op.LT, before, size), size, before)

    def _magnitude(self, node: Node) -> Node:
        return node if self._is_never_negative(node) else self._graph.unary(_ABS, node)

    def _is_never_negative(self, node: Node) -> bool:
        g, args = self._graph, self._graph.args[node]
        op, number = g.ops[node], g.number(node)
        if number is not None:
            return number >= 0
        return (
            op in _NEVER_NEGATIVE
            or (op is _MUL and args[0] == args[1])
            or (op is _DIV and all(map(self._is_never_negative, args)))
            or (op is _POWI and self._graph.integer(node) % 2 == 0)
            or (op is _ADD and self._sizes.get(node) is _OWN)
            or op is Op.CONSTANT
        )
