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
    PLACEHOLDER = "placeholder"  # stands in while deriving; a finished program has none


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
