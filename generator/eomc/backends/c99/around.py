"""What all loops of a chunk have around them: the values of the chunk, and names that are still free."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from eomc.backends.c99.places import Places
from eomc.ir.graph import Node


class Around:
    """The surroundings of the loops of one chunk.

    Parameters
    ----------
    places
        Names and storage of the routine.
    text
        Returns a node as the chunk reads it.
    used
        Macros and helper functions that the text calls; added to.

    Attributes
    ----------
    left
        Where loops leave a node: the array, and which of its elements.
    """

    def __init__(self, places: Places, text: Callable[[Node], str], used: set[str]) -> None:
        self.places = places
        self.text = text
        self.used = used
        self.left = {node: (one, i) for one in places.elements for i, node in enumerate(one.nodes)}
        self._numbers = itertools.count()

    def new(self) -> str:
        """Return a name that no loop of the chunk has yet."""
        return f"{self.places.scope.of_loops}{next(self._numbers)}"
