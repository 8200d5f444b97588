"""What the templates of a live page see: frozen records of texts, numbers and tuples of these."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.views import ModelView


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a function's result."""

    index: int
    name: str


@dataclass(frozen=True, slots=True)
class LiveView:
    """The C that a page calls."""

    model: ModelView
    scheme: str  # of the steps
    energy: Entry | None  # the one that is shown; None where none is known
    power: Entry | None  # its rate; None where that is not known
    poses: int  # rows; 0 for none
