"""What the analysis needs of a build; `eomc.build.Build` has it."""

from __future__ import annotations

from typing import Protocol

from eomc.analysis.initial import InitialState
from eomc.binding import Simulator
from eomc.binding.contract import Compiled
from eomc.derivation.options import Options
from eomc.ir.equations import EquationsOfMotion


class Built(Compiled, Protocol):
    """A model after all stages, with what was made of it on the way."""

    @property
    def options(self) -> Options:
        """How constraints are met and kept."""

    @property
    def equations(self) -> EquationsOfMotion:
        """The equations of motion; their graph is sealed."""

    @property
    def starts(self) -> InitialState:
        """What makes states of coordinates and speeds."""

    def load(self) -> Simulator:
        """Compile and bind."""
