"""What a function of the simulator returns, as made from the equations."""

from __future__ import annotations

from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.program import Block, Check, Function, OutputArray, Variable


def returns(
    outputs: tuple[Node, ...],
    names: tuple[str, ...] = (),
    blocks: tuple[Block, ...] = (),
    details: tuple[str, ...] = (),
    texts: tuple[tuple[str, str], ...] = (),
    square: int = 0,
    arrays: tuple[OutputArray, ...] = (),
    title: str = "",
    accelerations: tuple[Variable, ...] = (),
    chosen: tuple[str, ...] = (),
    checks: tuple[Check, ...] = (),
) -> Function:
    """Return a function that its row has yet to name.

    `square` is the number of rows of a square matrix, 0 for a vector; a title is given where the method has other words
    than the row; `accelerations` are arguments, `chosen` what it is of, `checks` stand beside those of the equations.
    """
    shape = (square, square) if square else (len(outputs),)
    return Function("", title, outputs, names, shape, blocks, details, texts, arrays, accelerations, chosen, checks)


def state_names(equations: EquationsOfMotion) -> tuple[str, ...]:
    """Return the names of the states."""
    return tuple(state.name for state in equations.states)
