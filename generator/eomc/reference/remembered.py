"""The motion by a method, the last one remembered: most questions about some states are about one motion."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.reference.instant import Instant, Solution
from eomc.reference.method import Method


@dataclass(frozen=True, slots=True)
class _Known:
    """A motion with all that it depends on."""

    instant: Instant
    supposed: float | None
    solution: Solution


class Remembered:
    """The motion by `method`, which is solved for once where it is asked for several times in a row."""

    def __init__(self, method: Method) -> None:
        self._method = method
        self._known: dict[bool, _Known] = {}

    def at(self, instant: Instant, accelerations: bool = False) -> Solution:
        """Return the motion; accelerations q'' and what needs them only where they are asked for."""
        supposed, known = self._method.setting.supposed, self._known.get(accelerations)
        if known is None or known.supposed != supposed or not known.instant.equals(instant):
            known = _Known(instant, supposed, self._method.solve(instant, accelerations))
            self._known[accelerations] = known
        return known.solution
