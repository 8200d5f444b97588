"""How a program becomes C: what `eomc.compile` is told beside the model, its method and its constraints."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.mathematics import DEFAULT_MATHEMATICS
from eomc.integrators import DEFAULT, Integrator, expansion_of
from eomc.ir.program import RUN, TAYLOR_COEFFICIENTS
from eomc.programs.choice import words_of
from eomc.targets import Target


@dataclass(frozen=True, slots=True)
class Emission:
    """The options of the emitted C."""

    real: str
    math: str
    functions: tuple[str, ...] | None  # optional functions that were asked for; None for the usual ones
    integrators: tuple[Integrator, ...]  # the first is the one of runs
    target: Target | None  # the processor that has files beside
    optimize: str = "speed"  # or size

    @property
    def needed(self) -> tuple[str, ...]:
        """The functions that the steps of its integrators evaluate beside the rates."""
        return tuple(dict.fromkeys(name for row in self.integrators for name in row.needed))

    @property
    def expands(self) -> bool:
        """Whether an integrator takes the power series of the motion."""
        return any(row.expands for row in self.integrators)

    @property
    def has_series(self) -> bool:
        """Whether the power series of the motion is wanted, by an integrator or by its name."""
        return self.expands or (self.functions is not None and TAYLOR_COEFFICIENTS in self.functions)

    @property
    def form(self) -> str:
        """The method whose equations it is made of; "" for a choice."""
        return expansion_of(self.integrators).form

    def runs(self, events: bool) -> tuple[Integrator, ...]:
        """Return those that have runs in C: all, but for one alone whose steps know nothing of others or `events`."""
        asked = events or (self.functions is not None and RUN in self.functions)
        return self.integrators if asked or len(self.integrators) > 1 or self.integrators[0].remembers else ()

    def __str__(self) -> str:
        """Return what is not as usual, each behind a blank; `real` and `target` are not told."""
        selection = f" functions={words_of(self.functions)}" if self.functions is not None else ""
        names = ",".join(row.asked for row in self.integrators)
        stepping = f" integrator={names}" if names != DEFAULT.name else ""
        own = f" math={self.math}" if self.math != DEFAULT_MATHEMATICS else ""
        small = f" optimize={self.optimize}" if self.optimize != "speed" else ""
        return f"{selection}{stepping}{own}{small}"
