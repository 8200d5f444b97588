"""What a live page needs of a build; `eomc.build.Build` has it."""

from __future__ import annotations

from typing import Protocol

from eomc.analysis.contract import Built
from eomc.backends.artifacts import Artifact


class Runnable(Built, Protocol):
    """A build with its C."""

    @property
    def library(self) -> tuple[Artifact, ...]:
        """Headers and sources."""
