"""What a function of the simulator returns, as made from the equations."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.program import Block, OutputArray


@dataclass(frozen=True, slots=True)
class Results:
    """Nodes with names and texts, for one function."""

    outputs: tuple[Node, ...]
    names: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    details: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    square: int = 0  # rows of a square matrix; 0 for a vector
    arrays: tuple[OutputArray, ...] = ()
    title: str = ""  # where the method has other words than the row

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the results."""
        return (self.square, self.square) if self.square else (len(self.outputs),)


def state_names(equations: EquationsOfMotion) -> tuple[str, ...]:
    """Return the names of the states."""
    return tuple(state.name for state in equations.states)
