"""The nodes of a graph and where they are kept: equal ones are one from birth.

A node is an integer; its op, arguments and data sit in parallel lists, arguments always before the node that uses
them, so every analysis is one loop over increasing integers and nothing recurses. Which symbols a node holds is known
from birth: whether it depends on one takes no walk.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from copy import copy
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Self, TypeAlias

from eomc.ir.ops import COMMUTATIVE, OPS, Kind, Op
from eomc.ir.symbols import Named, Role, Symbol, Tabled
from eomc.ir.systems import SystemSpec

Node: TypeAlias = int
Rows: TypeAlias = list[list[Node]]  # a matrix
Constant: TypeAlias = int | Fraction | float | Named
Data: TypeAlias = Constant | Symbol | SystemSpec | None

_CONSTANT, _SYMBOL = Op.CONSTANT, Op.SYMBOL
_FOLDED = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.POWI, Op.SQRT, Op.ABS})


class Level:
    """What a node's value depends on, as an ordered scale."""

    CONSTANT = 0
    PARAMETERS = 1
    VARYING = 2


class Store:
    """An append-only, hash-consed store of nodes: leaves, and whatever is asked for over them."""

    __slots__ = (
        "_cache",
        "_numbers",
        "_placeholders",
        "_symbols",
        "args",
        "data",
        "holds",
        "level",
        "one",
        "ops",
        "resting",
        "zero",
    )

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.args: list[tuple[Node, ...]] = []
        self.data: list[Data] = []
        self.level: list[int] = []
        self.holds: list[int] = []  # the symbols below each node, as bits
        self._cache = _Cache()
        self._numbers: dict[Node, int | Fraction | float] = {}  # the numeric constants
        self.resting: dict[Node, tuple[Node, Node]] = {}  # what `ir.choices` has found out
        self._placeholders = 0
        self._symbols = 0
        self.zero = self.constant(0)
        self.one = self.constant(1)

    def __len__(self) -> int:
        return len(self.ops)

    def copy(self) -> Self:
        """Return a graph of the same nodes that grows by itself."""
        other = self.__new__(type(self))
        for name in Store.__slots__:
            setattr(other, name, copy(getattr(self, name)))
        return other

    def seal(self) -> None:
        """Let nobody add a node from now on; what is there is still found."""
        self._cache.__class__ = _Sealed

    # -- leaves ------------------------------------------------------------------------------------------------------

    def constant(self, value: Constant) -> Node:
        """Return the node of a number; integers and fractions stay exact, a float stays that float."""
        if value.__class__ is int:  # most are; asking for fractions takes longer
            pass
        elif isinstance(value, float) and not isinstance(value, Tabled):
            if value == 0.0:  # a structural zero, whatever its kind or sign
                value = 0
            elif value != value:
                value = Named.NAN
            else:
                value = float(value)  # NumPy's scalars are floats of another class
        elif isinstance(value, bool):
            value = int(value)
        elif isinstance(value, Fraction) and value.denominator == 1:
            value = value.numerator
        return self._intern(_CONSTANT, (), value, Level.CONSTANT)

    def symbol(self, symbol: Symbol) -> Node:
        """Return the node of a leaf."""
        level = Level.PARAMETERS if symbol.role is Role.PARAMETER else Level.VARYING
        return self._intern(_SYMBOL, (), symbol, level)

    def fresh(self, name: str) -> Node:
        """Return a leaf that no other equals: it stands in, while deriving, for what is not known yet."""
        node = self.symbol(Symbol(Role.PLACEHOLDER, self._placeholders, name))
        self._placeholders += 1
        return node

    def taken(self, op: Op, args: tuple[Node, ...], data: Data) -> Node:
        """Return the node of an op as another graph has it: nothing is folded anew."""
        if data is None:
            return self._make(op, args)
        if isinstance(data, Symbol):
            return self.symbol(data)
        return self._intern(op, args, data, max(self._levels(args), default=Level.CONSTANT))

    # -- looking -----------------------------------------------------------------------------------------------------

    def number(self, node: Node) -> int | Fraction | float | None:
        """Return the value of a numeric constant, None for anything else (named constants included)."""
        return self._numbers.get(node)

    def symbol_of(self, leaf: Node) -> Symbol:
        """Return the symbol that a leaf stands for."""
        symbol = self.data[leaf]
        assert isinstance(symbol, Symbol)
        return symbol

    def system_of(self, node: Node) -> SystemSpec:
        """Return the shape of a linear system."""
        spec = self.data[node]
        assert isinstance(spec, SystemSpec)
        return spec

    def integer(self, node: Node) -> int:
        """Return the exponent of a POWI, the index of a RESULT."""
        number = self.data[node]
        assert isinstance(number, int)
        return number

    def floats(self) -> list[float]:
        """Return the floats among the constants, but for tabled ones, which are finite."""
        return [number for number in self._numbers.values() if isinstance(number, float)]

    def is_zero(self, node: Node) -> bool:
        """Whether the node is the literal zero."""
        return node == self.zero

    def reachable(self, roots: Iterable[Node]) -> list[Node]:
        """Return all nodes that the roots depend on, roots included, in increasing order."""
        return sorted(self.below(roots))

    def below(self, roots: Iterable[Node], ends: Set[Node] = frozenset()) -> set[Node]:
        """Return what the roots are made of, themselves included, and nothing below an end."""
        args = self.args
        found = set(roots)
        order = list(found)
        for node in order:  # which grows meanwhile
            if node not in ends:
                for arg in args[node]:
                    if arg not in found:
                        found.add(arg)
                        order.append(arg)
        return found

    def bits(self, nodes: Iterable[Node]) -> int:
        """Return the symbols that any of the nodes holds, as bits."""
        return reduce(or_, map(self.holds.__getitem__, nodes), 0)

    def kind(self, node: Node) -> Kind:
        """Return whether a node is a leaf, a real, a truth value or a linear system."""
        return OPS[self.ops[node]].kind

    # -- making ------------------------------------------------------------------------------------------------------

    def _make(self, op: Op, args: tuple[Node, ...]) -> Node:
        if len(args) == 2:
            return self._of_two(op, *args)
        return self._of_one(op, *args) if len(args) == 1 else self._intern(op, args, None, max(self._levels(args)))

    def _of_one(self, op: Op, x: Node) -> Node:
        level, key = self.level[x], (op, x)
        node = self._cache.get(key)
        if node is None:
            folded = None if level else self._of_tabled(op, (x,))
            if folded is not None:
                self._cache[key] = folded
                return folded
            node = self._born(key, op, (x,), None, level, self.holds[x])
        return node

    def _of_two(self, op: Op, x: Node, y: Node) -> Node:
        level = self.level
        a, b = level[x], level[y]
        if op in COMMUTATIVE and (x > y if (a and b) or a == b else not a):  # by birth, constants last
            x, y = y, x
        born = len(level)
        node = self._cache.setdefault((op, x, y), born)
        if node == born:
            if not a and not b:
                folded = self._of_tabled(op, (x, y))
                if folded is not None:
                    self._cache[op, x, y] = folded
                    return folded
            self.ops.append(op)  # as `_born` does: most nodes have two arguments
            self.args.append((x, y))
            self.data.append(None)
            level.append(a if a > b else b)
            left, right = self.holds[x], self.holds[y]
            both = left | right  # one number for all that hold the same: with many symbols it is long
            self.holds.append(left if both == left else right if both == right else both)
        return node

    def _born(
        self, key: tuple[object, ...], op: Op, args: tuple[Node, ...], data: Data, level: int, holds: int
    ) -> Node:
        self._cache[key] = node = len(self.ops)
        self.ops.append(op)
        self.args.append(args)
        self.data.append(data)
        self.level.append(level)
        self.holds.append(holds)
        return node

    def _levels(self, nodes: Iterable[Node]) -> list[int]:
        return [self.level[node] for node in nodes]

    def _of_tabled(self, op: Op, args: tuple[Node, ...], data: Data = None) -> Node | None:
        """Return the number that an op makes of numbers, some of them tabled; None where there is none of these."""
        if op not in _FOLDED or not any([self._is_tabled(node) for node in args]):
            return None
        values = [self._value(node) for node in args]
        evaluate = OPS[op].evaluate
        assert evaluate is not None
        if None in values or (values[-1] == 0.0 and (op is Op.DIV or op is Op.POWI)):
            return None
        value = evaluate(*values) if data is None else evaluate(*values, data)
        return self.constant(Tabled(value, (op.value, args, data))) if math.isfinite(value) else None

    def _is_tabled(self, node: Node) -> bool:
        inner = self.args[node][0] if self.ops[node] is Op.NEG else node
        return isinstance(self.data[inner], Tabled)

    def _value(self, node: Node) -> float | None:
        """Return a number as a float: tabled, with another sign, or any other."""
        if self.ops[node] is Op.NEG:
            value = self._value(self.args[node][0])
            return None if value is None else -value
        data = self.data[node]
        return float(data) if self.ops[node] is _CONSTANT and isinstance(data, (int, float, Fraction)) else None

    def _intern(self, op: Op, args: tuple[Node, ...], data: Data, level: int) -> Node:
        # The kind of a number is part of the key: 1, 1.0 and True are equal in Python.
        key = (op, args, data.__class__, data)
        node = self._cache.get(key)
        if node is None:
            holds = self.bits(args) if op is not _SYMBOL else 1 << self._symbols
            node = self._born(key, op, args, data, level, holds)
            if op is _SYMBOL:
                self._symbols += 1
            elif op is _CONSTANT and isinstance(data, (int, float, Fraction)) and not isinstance(data, Tabled):
                self._numbers[node] = data
        return node


class _Cache(dict[tuple[object, ...], Node]):
    """Nodes by op, arguments and data."""

    def __copy__(self) -> _Cache:
        return _Cache(self)


class _Sealed(_Cache):
    """Nodes that are all there is: a dictionary, so that looking one up takes no longer."""

    def __setitem__(self, key: tuple[object, ...], node: Node) -> None:
        raise RuntimeError("the graph of a build is sealed: add nodes to a copy, graph.copy()")

    def setdefault(self, key: tuple[object, ...], node: Node) -> Node:
        if key not in self:
            self[key] = node
        return self[key]
