"""What is compiled when it is first asked for: once, and nobody else waits for it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Generic, TypeVar

_Made = TypeVar("_Made")


class Later(Generic[_Made]):
    """Makes things by name, each once, also where several threads ask for it; those that ask for others go on.

    Parameters
    ----------
    make
        Takes a name. What it raises is raised, and it is asked again the next time.
    """

    def __init__(self, make: Callable[[str], _Made]) -> None:
        self._make = make
        self._made: dict[str, _Made] = {}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    def __call__(self, name: str) -> _Made:
        """Return what has this name."""
        if name not in self._made:
            with self._locks[name]:
                if name not in self._made:
                    self._made[name] = self._make(name)
        return self._made[name]
