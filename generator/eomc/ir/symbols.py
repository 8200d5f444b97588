"""What a leaf of the graph can stand for."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Role(enum.Enum):
    """Where the value of a symbol comes from at run time."""

    __hash__ = object.__hash__

    TIME = "time"
    STATE = "state"
    INPUT = "input"
    PARAMETER = "parameter"
    ACCELERATION = "acceleration"  # a rate of the second half of the state, given to a function beside the state
    TERM = "term"  # of a power series of order k: of the states, then of time, then of the inputs
    PRODUCT = "product"  # of two power series: the terms of its order k that need those of lower orders alone
    SQUARE = "square"  # likewise of one power series
    KEPT = "kept"  # a value at the point that power series start from
    ORDER = "order"  # k itself
    PLACEHOLDER = "placeholder"  # stands in while deriving; a finished program has none


OF_SERIES = frozenset({Role.TERM, Role.PRODUCT, Role.SQUARE, Role.KEPT, Role.ORDER})
"""What the coefficients of order k of a power series are made of."""


class Named(enum.Enum):
    """Constants that each target spells itself."""

    __hash__ = object.__hash__

    PI = "pi"
    E = "e"
    EPSILON = "epsilon"  # unit round-off spacing of the target's real type
    NAN = "nan"


class Tabled(float):
    """A number that has other values in other branches of a tree: the graph does not look into it.

    What is made of it alone is such a number again. So that branches stay alike, two of them are the same only where
    they have been made in the same way.
    """

    __slots__ = ("key",)

    key: tuple[object, ...]

    @property
    def args(self) -> tuple[int, ...]:
        """The nodes that it was made of; none where it was given."""
        return self.key[1] if len(self.key) == 3 else ()  # type: ignore[return-value]  # nodes, then

    def __new__(cls, value: float, key: tuple[object, ...]) -> Tabled:
        """Return a value with what tells it from others."""
        made = super().__new__(cls, value)
        made.key = key
        return made

    def __eq__(self, other: object) -> bool:
        """Whether both are made in the same way."""
        return isinstance(other, Tabled) and float(self) == float(other) and self.key == other.key

    def __ne__(self, other: object) -> bool:
        """Whether they are not."""
        return not self == other

    def __hash__(self) -> int:
        """Return the hash of how it is made."""
        return hash((float(self), self.key))

    def __reduce__(self) -> tuple[type[Tabled], tuple[float, tuple[object, ...]]]:
        """Return what a pickle makes it anew from."""
        return Tabled, (float(self), self.key)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A leaf: position `index` among the symbols of its role; the name is for people."""

    role: Role
    index: int
    name: str
