"""The functions behind the power series of the motion: one for order 0, one for every order after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from eomc.errors import UnsupportedError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.program import TAYLOR_COEFFICIENTS, Function, OutputArray
from eomc.ir.symbols import Role, Symbol
from eomc.passes.checking import checked_nodes
from eomc.solving.series import make_series

_TOGETHER = 4
"""Products that a loop takes at a time: there are always whole groups of them."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """The functions behind power series: of order 0, and of every order after it."""

    functions: tuple[Function, ...]
    authors: str  # of the equations that they are made of
    products: tuple[tuple[str, int], ...]  # methods with their products of series: the one that is taken, then others

    @property
    def count(self) -> int:
        """Its products of series."""
        return self.products[0][1]


def expanded(equations: EquationsOfMotion) -> Expanded:
    """Return the power series of equations of motion as they are.

    Raises
    ------
    UnsupportedError
        A rate has no power series: it has a kink or a jump.
    """
    try:
        functions = series_functions(equations)
    except UnsupportedError as error:
        raise UnsupportedError(f"{TAYLOR_COEFFICIENTS}: {error}") from error
    method = equations.method
    return Expanded(functions, method.authors, ((method.name, series_products(functions)),))


def series_functions(equations: EquationsOfMotion) -> tuple[Function, Function]:
    """Return what computes the rates at order 0, with what later orders read, and what computes them at order k.

    Raises
    ------
    UnsupportedError
        A rate has no power series: it has a kink or a jump.
    """
    graph = equations.graph
    given = [*(state.symbol for state in equations.states), equations.time, *(one.symbol for one in equations.inputs)]
    terms = {graph.symbol(one): graph.symbol(Symbol(Role.TERM, i, one.name)) for i, one in enumerate(given)}
    rates = equations.motion.derivative
    series = make_series(graph, rates, terms, equations.systems)
    zero = graph.zero
    left, right, squares = (_filled(nodes, zero) for nodes in (series.left, series.right, series.squares))
    value = _function(
        "taylor_value",
        "Order 0: the state derivative, and the values that all further orders read",
        (("dx", "state derivative", rates), ("kept", "what further orders read", series.kept)),
    )
    term = _function(
        "taylor_term",
        "Order k > 0 of the state derivative and of the factors of products; t, x and r are those of this order",
        (
            ("dx", "state derivative", series.rates),
            ("first", "first factors", left),
            ("second", "second factors", right),
            ("squared", "factors of squares", squares),
        ),
    )
    outputs = [node for function in (value, term) for node in function.outputs]
    checks = tuple(checked_nodes(graph, equations.checks, outputs))
    return replace(value, blocks=equations.blocks, checks=checks), term


def series_products(functions: Iterable[Function]) -> int:
    """Return how many products and squares of series a loop sums at each order."""
    counted = ("first", "squared")
    return sum(array.size for function in functions for array in function.arrays if array.name in counted)


def _filled(nodes: Sequence[Node], zero: Node) -> tuple[Node, ...]:
    """Return nodes with zeros behind them that make whole groups."""
    return (*nodes, *(zero,) * (-len(nodes) % _TOGETHER))


def _function(name: str, title: str, results: Sequence[tuple[str, str, Sequence[Node]]]) -> Function:
    outputs = tuple(node for _, _, nodes in results for node in nodes)
    arrays = tuple(OutputArray(array, what, (len(nodes),)) for array, what, nodes in results if nodes)
    return Function(name, title, outputs, (), (len(outputs),), arrays=arrays)
