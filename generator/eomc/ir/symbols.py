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


@dataclass(frozen=True, slots=True)
class Symbol:
    """A leaf: position `index` among the symbols of its role; the name is for people."""

    role: Role
    index: int
    name: str
