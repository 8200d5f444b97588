"""Python's search for cycles, held while many objects are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Hold the search for cycles: the stages make many small objects and no cycles, and SymPy's heap is large.

    What they leave behind counts as old at once, or it would be searched as soon as the search goes on.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_freeze_count() == 0:  # what somebody else froze stays frozen
                gc.freeze()
                gc.unfreeze()
            gc.enable()
