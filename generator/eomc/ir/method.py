"""A method of derivation, as all that comes after the derivation knows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SecondHalf(Enum):
    """What follows the coordinates in the state."""

    SPEEDS = "speed", "Speeds"
    VELOCITIES = "velocity", "Velocities"
    MOMENTA = "momentum", "Momenta"

    def __init__(self, word: str, heading: str) -> None:
        self.word = word  # generalized ...
        self.heading = heading


@dataclass(frozen=True, slots=True)
class Method:
    """A method of derivation: its name, the second half of its state, its titles."""

    name: str
    second: SecondHalf
    title: str  # above its equations
    authors: str  # before "'s equations"
