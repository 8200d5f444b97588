"""SymPy's KanesMethod of a row, which PyDy and numba compile."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import peers
import sympy

from comparison.contenders.contender import Contender, Task
from comparison.native import processor_seconds
from comparison.rows import Kind, Row

__all__ = ["SymPyContender"]


class SymPyContender(Contender):
    """What both have in common: the derivation, and the order of states."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        kept: list[Any] = []
        self.derivation = processor_seconds(lambda: kept.append(peers.derive(task.row.shipped)))
        self.kane = kept[0]

    @classmethod
    def serves(cls, row: Row) -> str:
        """Return why it has no such row."""
        return "SymPy has no links and joints of a URDF" if row.kind is Kind.ROBOT else ""

    @property
    def names(self) -> list[str]:
        """Names of its coordinates and speeds."""
        return [one.func.__name__ for one in (*self.kane.q, *self.kane.u)]

    @cached_property
    def at(self) -> np.ndarray:
        """Where each of its states is among eomc's."""
        return np.array([self.task.layout["states"].index(name) for name in self.names])

    def own_states(self, found: np.ndarray) -> np.ndarray:
        """Return states, or their rates, in eomc's order."""
        ours = np.empty_like(found)
        ours[:, self.at] = found
        return ours

    @property
    def numbers(self) -> dict[str, float]:
        """The parameters by name."""
        import eomc

        return {str(one.symbol): float(one.value) for one in eomc.load(self.task.row.shipped).parameters}

    @property
    def constrained(self) -> bool:
        """Whether some speeds are dependent, so that the matrix is not symmetric."""
        return bool(self.kane._udep)

    def operations(self, peer: peers.Peer) -> int:
        """Return the operations of M, f and q' with what they share, and of a dense elimination; no changes of sign."""
        n = len(peer.forcing)
        entries = [peer.mass_matrix[i, j] for i in range(n) for j in range(n if self.constrained else i + 1)]
        values = [*(value for _, value in peer.shared), *entries, *peer.forcing, *peer.rates]
        told = sum((sympy.count_ops(value, visual=True) for value in values), sympy.Integer(0))
        counted = told.subs({symbol: int(str(symbol) != "NEG") for symbol in told.free_symbols})
        each = 2 if self.constrained else 1  # the whole matrix, or its lower half
        return int(counted) + sum(1 + each * k + each * k * (k + 1) + 4 * k for k in range(n)) + n
