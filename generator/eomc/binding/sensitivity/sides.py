"""Both sides of the surface g = 0 at which an event happens: dx/dt just before it and just after.

A state at an event lies on either side by rounding. So it is moved off the surface by some roundings, along what g
changes with as the motion goes on; how dx/dt changes over that way is rounding, too, unless it jumps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from eomc.binding.hits import Hit
from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.vectors import Array
from eomc.errors import RunError
from eomc.ir.program import EventKind

INSTANT = {"double": 256 * 2.0**-52, "float": 256 * 2.0**-23}  # REAL_INSTANT of events.c
_SWITCHES = "switches"


class Crossed(NamedTuple):
    """What holds just before an event and just after."""

    f: tuple[Array, Array]  # dx/dt, (nx,) each; the second counts where nothing is reset
    switches: tuple[Array, Array]  # what changes where dx/dt may jump; empty where it cannot
    slides: bool = False  # both sides lead to the zero of the event, or neither does

    def refuse_sliding(self, owner: str, hit: Hit) -> None:
        """Refuse a motion that cannot leave the zero of an event.

        Raises
        ------
        RunError
            It cannot.
        """
        if self.slides:
            raise RunError(
                f"{owner}: sensitivities: at t = {hit.t:.9g} dx/dt jumps, and leads back to the zero of {hit.name} "
                "from its other side: a motion that slides along it has no derivative here; give the event a reset, to "
                "a mode in which the motion stays there"
            )


class Sides(NamedTuple):
    """Looks at them."""

    rates: Rates
    real: str

    @property
    def may_jump(self) -> bool:
        """Whether dx/dt may."""
        return _SWITCHES in self.rates.evaluator.functions

    def of(self, which: int, kind: EventKind, place: Place, earlier: Array, start: Place | None) -> Crossed:
        """Return both sides of an event.

        Parameters
        ----------
        which, kind
            The event.
        place
            There, before it, with the inputs after it.
        earlier
            The inputs before it, (1, nr).
        start
            Of the step that ends there.
        """
        f = self.rates.rates(place.t, place.x, earlier)[0]
        if not self.may_jump:
            return Crossed((f, f), (np.zeros(0), np.zeros(0)))
        D = self.rates.derivatives("events", place)[0, which, : 1 + len(f) + place.r.shape[1]]
        beside = [self._moved(which, place._replace(r=earlier), D, f, side) for side in (-1.0, 1.0)]
        slopes = [self.rates.rates(one.t, one.x, one.r)[0] for one in beside]
        speeds = [float(D @ np.concatenate([[1.0], slope, place.moving[0]])) for slope in slopes]
        first = int(self._falls(which, kind, speeds, start))  # the side that it comes from
        before, after = beside[first], beside[1 - first]
        f_after = self.rates.rates(after.t, after.x, after.r + place.r - earlier)[0]
        slides = speeds[0] * speeds[1] <= 0.0 and not np.array_equal(*slopes)
        return Crossed((slopes[first], f_after), (self.switched(before), self.switched(after)), slides)

    def after_reset(self, place: Place) -> tuple[Array, Array]:
        """Return dx/dt and the switches just after a reset that leads to a place."""
        f = self.rates.rates(place.t, place.x, place.r)[0]
        if not self.may_jump:
            return f, np.zeros(0)
        span = INSTANT[self.real] * np.abs(place.t)
        later = place._replace(t=place.t + span, x=place.x + span[:, None] * f)
        return self.rates.rates(later.t, later.x, later.r)[0], self.switched(later)

    def switched(self, place: Place) -> Array:
        """Return the switches at a place, (n,)."""
        values: Array = self.rates.values(_SWITCHES, place)[0]
        return values

    def _moved(self, which: int, place: Place, D: Array, f: Array, side: float) -> Place:
        """Return a place moved off the zero of g, to where that is positive or negative."""
        along = np.concatenate([[1.0], f, place.moving[0]])
        terms = D * along
        total, instant = np.abs(terms).sum(), INSTANT[self.real]
        g, size = (abs(float(self.rates.values(name, place)[0, which])) for name in ("events", "event_sizes"))
        reach = 4.0 * g + instant * (size + abs(float(place.t[0])) * total)
        if not total > 0.0:
            return place
        moved, n = side * reach / total * np.sign(terms) * along, len(f)
        return place._replace(t=place.t + moved[0], x=place.x + moved[1 : 1 + n], r=place.r + moved[1 + n :])

    def _falls(self, which: int, kind: EventKind, speeds: list[float], start: Place | None) -> bool:
        """Whether g falls through its zero."""
        if kind.falling is not kind.rising:
            return kind.falling
        if speeds[0] * speeds[1] > 0.0 or start is None:
            return speeds[1] < 0.0
        return float(self.rates.values("events", start)[0, which]) > 0.0
