"""What a report needs of a build; `eomc.build.Build` has it."""

from __future__ import annotations

from typing import Protocol

from eomc.analysis.contract import Built
from eomc.pipeline import Statistics


class Reported(Built, Protocol):
    """A build with the figures of its stages."""

    @property
    def statistics(self) -> Statistics:
        """What it took."""
