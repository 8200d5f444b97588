"""Which numbers of a model people turn in a page, and how far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.backends.report.pages import raised
from eomc.ir.program import Variable

_UNKNOWN = 10.0  # how far an input goes that is zero, either way


@dataclass(frozen=True, slots=True)
class Dial:
    """A number with its slider."""

    name: str
    unit: str
    meaning: str
    value: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The value with all of its digits."""
        return repr(self.value).removesuffix(".0")


def dials_of(variables: Sequence[Variable], values: Mapping[str, float], *, centred: bool) -> tuple[Dial, ...]:
    """Return a dial for each parameter or input.

    Parameters
    ----------
    variables
        Parameters or inputs.
    values
        By name, in place of their own.
    centred
        Whether they go as far below zero as above, as inputs do: to twice their value, or to ten either way. Others go
        from zero to twice their value; one that is zero goes to one either way.
    """
    return tuple(_dial(one, values.get(one.name, one.value), centred) for one in variables)


def _dial(one: Variable, value: float, centred: bool) -> Dial:
    if centred:
        reach = 2.0 * abs(value) or _UNKNOWN
        low, high = -reach, reach
    else:
        low, high = (min(0.0, 2.0 * value), max(0.0, 2.0 * value)) if value else (-1.0, 1.0)
    return Dial(one.name, raised(one.unit), one.description, float(value), low, high)
