"""How model exchange keeps to the constraints, which no importer does: by feedback in the rates, or by step events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.errors import UsageError
from eomc.fmu.gains import gain_of

if TYPE_CHECKING:
    from eomc.build import Build

EXCHANGES = ("baumgarte", "projection")


@dataclass(frozen=True, slots=True)
class Exchange:
    """What an FMU does against drift from the constraints in model exchange."""

    feeds: bool = False  # feedback in its rates, which those of the run have not
    closes: bool = False  # step events
    gain: float = 0.0  # of that feedback, 1/s

    @property
    def words(self) -> tuple[str, ...]:
        """What an importer has to know of it, in sentences."""
        if self.closes:
            return (
                "Model exchange: call completedIntegratorStep after each step, and enter event mode where it asks for "
                "that: states come back onto the constraints there.",
            )
        if self.feeds:
            return (
                "Model exchange: Baumgarte's feedback in the derivatives keeps the constraints, by baumgarte_alpha and "
                "baumgarte_beta; co-simulation does not take it.",
            )
        return ()

    @property
    def gains(self) -> tuple[float, ...]:
        """Start values of the parameters that the feedback brings."""
        return (self.gain, self.gain) if self.feeds else ()


def exchange_of(build: Build, asked: str, gain: float | None) -> Exchange:
    """Return what is done in model exchange.

    Raises
    ------
    UsageError
        There is no such way, or a gain is given where none is taken, or none is given where none can be had.
    """
    name = build.model.name
    if asked not in EXCHANGES:
        raise UsageError(f"exchange must be {' or '.join(EXCHANGES)}, not {asked!r}")
    own, constrained = build.options.stabilization == "baumgarte", build.view.projection is not None
    if gain is not None and (not constrained or own or asked != "baumgarte"):
        reason = (
            "it has no constraints" if not constrained
            else "its gains are those of the build, the parameters baumgarte_alpha and baumgarte_beta" if own
            else "there is none in projection"
        )  # fmt: skip
        raise UsageError(f"{name}: gain is for Baumgarte's feedback in model exchange, and {reason}: leave it out")
    if not constrained:
        return Exchange()
    if asked == "projection":
        return Exchange(closes=True)
    return Exchange() if own else Exchange(feeds=True, gain=gain_of(build, gain))
