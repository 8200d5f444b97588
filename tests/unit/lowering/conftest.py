"""What the tests of the conversion share: SymPy symbols x, y, z with their nodes, and a look at values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy

from eomc.ir.graph import Graph, Node
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering

NAMES = "x y z"


class Bench:
    """A graph, x, y, z as states and p as a parameter, and the conversion between them."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.x, self.y, self.z = sympy.symbols(NAMES, real=True)
        self.p = sympy.Symbol("p")
        self.roles = {s: Symbol(Role.STATE, i, s.name) for i, s in enumerate((self.x, self.y, self.z))}
        self.roles[self.p] = Symbol(Role.PARAMETER, 0, "p")
        self.nodes: dict[Any, Node] = {s: self.graph.symbol(role) for s, role in self.roles.items()}
        self.lower = ScalarLowering(self.graph, self.nodes)

    def at(self, *values: float, p: float = 2.0) -> Sample:
        """Return a sample at (x, y, z)."""
        numbers = (*values, *(0.0,) * (3 - len(values)), p)
        return Sample(self.graph, dict(zip(self.roles.values(), numbers, strict=True)))

    def value(self, expression: Any, *values: float, p: float = 2.0) -> float:
        """Return the value of a converted expression."""
        node = self.lower(expression)
        return self.at(*values, p=p)[node]


@pytest.fixture
def bench() -> Bench:
    """Return a fresh bench."""
    return Bench()


@pytest.fixture
def new_bench() -> Callable[[], Bench]:
    """Return what makes fresh benches, for tests that compare two."""
    return Bench
