"""How sensitivities jump at an event: by the saltation matrix.

Where g(t, x, p) = 0 happens at t*, the time changes by dt* = -(g_x S + g_p) / (dg/dt), S = dx/d(x0, p) before it. The
state then changes by S + f- dt*, that after the reset R by R_x (S + f- dt*) + R_t dt* + R_p, and at a fixed time after
the event S+ is this less f+ dt*. Without p that is the saltation matrix

    S+ = [R_x + (f+ - R_x f- - R_t) g_x / (g_t + g_x f-)] S.

Without a reset it is 1 + (f+ - f-) g_x / (g_t + g_x f-): dx/dt may jump where a force changes over, and what it is on
both sides is in `sides`.

An impulse along a gap with the rate g', W of which one unit of it changes, is L = -(1 + e) g'/W, and differentiated as
that. Source: Aizerman and Gantmakher (1958); R. I. Leine and H. Nijmeijer, *Dynamics and Bifurcations of Non-Smooth
Mechanical Systems* (2004), ch. 7; Rozenwasser and Yusupov, *Sensitivity of Automatic Control Systems* (2000).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from eomc.binding.feeding import Feed
from eomc.binding.hits import Hit
from eomc.binding.sensitivity.closing import closed
from eomc.binding.sensitivity.rates import Place, Rates
from eomc.binding.sensitivity.sides import INSTANT, Crossed, Sides
from eomc.binding.vectors import Array
from eomc.errors import RunError
from eomc.ir.program import EventKind

_GRAZING = {"double": 1e-8, "float": 1e-3}  # dg/dt beside its terms: the time of the event is rounding then
_SPAN = 0.064  # before an event, over a sixteenth of which rates of inputs are found


class Over(NamedTuple):
    """What an event makes of them."""

    by: Array  # d x/d(x0, p) after it, (nx, m)
    dt: Array  # the derivative of its time [s], (m,)
    before: Array  # what changes where dx/dt may jump, just before it
    after: Array  # and just after


class Jumps(NamedTuple):
    """What is known of the events of a run."""

    rates: Rates
    kinds: Sequence[EventKind]
    feed: Feed
    real: str

    def over(
        self, hit: Hit, by: Array, start: Place | None, ends: bool, instant: Sequence[Hit], moved: Array | None
    ) -> Over:
        """Return what an event makes of d x/d(x0, p).

        Parameters
        ----------
        hit
            The event.
        by
            d x/d(x0, p) before it, (nx, m).
        start
            Of the step that ends there.
        ends
            Whether the run does: without a reset its last state is as before the event.
        instant
            Events at the same time, before it.
        moved
            The derivative of the time of the last of these [s], (m,).

        Raises
        ------
        RunError
            It grazes its zero, or impulses act along several gaps at once: the motion has no derivative there. Or
            dx/dt jumps, and leads back.
        """
        which = [kind.name for kind in self.kinds].index(hit.name)
        kind, t = self.kinds[which], np.array([hit.t])
        r = self.feed.at(t)
        earlier = self.feed.before(t)
        place = Place(
            t,
            hit.before[None],
            r,
            by[None],
            np.zeros((1, by.shape[1])),
            self.feed.rates(t, -_SPAN * np.maximum(1.0, np.abs(t))),
        )
        sides = Sides(self.rates, self.real)
        if moved is not None and not self._met(which, place, instant):
            return self._caused(which, hit, place, moved, sides)
        crossed = sides.of(which, kind, place, r if earlier is None else earlier, start)
        goes_on = not ends or kind.resets
        if goes_on and not kind.resets:
            crossed.refuse_sliding(self.rates.evaluator.name, hit)
        f, f_after = crossed.f
        dt = self._time(which, hit, place, crossed, goes_on)
        self._warn_of_order(hit, dt, instant, moved)
        if self.rates.allowed is None and goes_on and not np.array_equal(*crossed.switches):
            warnings.warn(
                f"{self.rates.evaluator.name}: sensitivities: dx/dt jumps at {hit.name}, t = {hit.t:.9g}, and stages "
                "of a step of fixed length lie on both sides of it: the run and its derivatives are of first order "
                "there; take dop853, or a mode that the event resets in the place of what jumps",
                RuntimeWarning,
                stacklevel=6,
            )
        if not kind.resets:
            jumps = goes_on and sides.may_jump
            return Over(by + (f - f_after)[:, None] * dt if jumps else by, dt, *crossed.switches)
        return self._after(which, hit, place, (f, crossed.switches[0]), dt, sides)

    def _after(self, which: int, hit: Hit, place: Place, before: tuple[Array, Array], dt: Array, sides: Sides) -> Over:
        """Return what a reset or an impulse makes of them, with dx/dt and the switches before it."""
        there = place._replace(by=(place.by[0] + before[0][:, None] * dt)[None], dt=dt[None])
        after = self._impulse(which, hit, there) if self.kinds[which].impact else self._reset(which, there)
        _, changes = closed(self.rates, after, self.real)
        later, switches = sides.after_reset(place._replace(x=hit.after[None]))
        return Over(changes[0] - later[:, None] * dt, dt, before[1], switches)

    def _met(self, which: int, place: Place, instant: Sequence[Hit]) -> bool:
        """Whether an event would have been at its zero without those of the same instant before it."""
        for one in instant:
            at = place._replace(x=one.before[None])
            g, rate, size = (
                abs(float(self.rates.values(name, at)[0, which])) for name in ("events", "event_rates", "event_sizes")
            )
            if g <= INSTANT[self.real] * (size + abs(float(place.t[0])) * rate):
                return True
        return False

    def _caused(self, which: int, hit: Hit, place: Place, dt: Array, sides: Sides) -> Over:
        """Return what an event does that a reset has caused: it happens when that does."""
        before = sides.after_reset(place)
        if self.kinds[which].resets:
            return self._after(which, hit, place, before, dt, sides)
        return Over(place.by[0], dt, before[1], before[1])

    def _warn_of_order(self, hit: Hit, dt: Array, instant: Sequence[Hit], moved: Array | None) -> None:
        """Say that events meet by chance: which of them comes first may make another motion."""
        resetting = [kind.name for kind in self.kinds if kind.resets]
        others = [one.name for one in instant if one.name in resetting]
        if moved is not None and hit.name in resetting and others and not np.allclose(dt, moved):
            warnings.warn(
                f"{self.rates.evaluator.name}: sensitivities: {', '.join(others)} and {hit.name} meet at t = "
                f"{hit.t:.9g}: where their order matters the motion after them has no derivative, and what is given "
                "holds for changes that keep it",
                RuntimeWarning,
                stacklevel=6,
            )

    def end(self, hits: Sequence[Hit]) -> bool:
        """Whether the last of all events so far ends a run."""
        kind = next(one for one in self.kinds if one.name == hits[-1].name)
        return sum(hit.name == kind.name for hit in hits) == kind.ends_at

    def _time(self, which: int, hit: Hit, place: Place, crossed: Crossed, goes_on: bool) -> Array:
        """Return the derivative of the time of an event."""
        f = crossed.f[0]
        D = self.rates.derivatives("events", place)[0, which]
        along = np.concatenate([[1.0], f, place.moving[0]])
        terms = D[: len(along)] * along
        rate, size = float(terms.sum()), float(np.abs(terms).sum())
        if not abs(rate) > _GRAZING[self.real] * size:
            told = (
                f"{self.rates.evaluator.name}: sensitivities: {hit.name} at t = {hit.t:.9g} grazes its zero, dg/dt = "
                f"{rate:.3g}: its time"
            )
            if goes_on and (self.kinds[which].resets or not np.array_equal(*crossed.switches)):
                raise RunError(f"{told} and the motion after it have no derivative there; end the run before it")
            warnings.warn(f"{told} has no derivative there", RuntimeWarning, stacklevel=6)
            return np.full(place.by.shape[-1], np.nan)
        changes: Array = self.rates.changes("events", place)[0, which]
        return -changes / rate

    def _reset(self, which: int, place: Place) -> Place:
        """Return the state after a reset in place of that before it."""
        n = place.x.shape[1]
        rows = slice(which * n, (which + 1) * n)
        return place._replace(
            x=self.rates.values("resets", place)[:, rows], by=self.rates.changes("resets", place)[:, rows]
        )

    def _impulse(self, which: int, hit: Hit, place: Place) -> Place:
        """Return the state after the impulse of one gap in place of that before it."""
        first = next(k for k, kind in enumerate(self.kinds) if kind.impact)
        own, count = which - first, len(self.kinds) - first
        values, changes = self.rates.values("impacts", place)[0], self.rates.changes("impacts", place)[0]
        W, jumps, e = np.split(values, [count * count, len(values) - count])
        self._refuse_several(which, own, hit, place, W.reshape(count, count))
        w, moved = W[own * count + own], jumps.reshape(-1, count)[:, own]
        of = np.split(changes, [count * count, len(values) - count])
        dw, dmoved, de = of[0][own * count + own], of[1].reshape(len(moved), count, -1)[:, own], of[2][own]
        rate = self.rates.values("event_rates", place)[0, which]
        drate = self.rates.changes("event_rates", place)[0, which]
        impulse = -(1.0 + e[own]) * rate / w
        dimpulse = -(de * rate + (1.0 + e[own]) * drate + impulse * dw) / w
        part = slice(self.rates.coordinates, self.rates.coordinates + len(moved))
        x, by = place.x.copy(), place.by.copy()
        x[0, part] += moved * impulse
        by[0, part] += dmoved * impulse + moved[:, None] * dimpulse
        return place._replace(x=x, by=by)

    def _refuse_several(self, which: int, own: int, hit: Hit, place: Place, W: Array) -> None:
        """Refuse an instant at which another gap is closed, too: who is hit first makes another motion."""
        gaps, rates = self.rates.values("events", place)[0], self.rates.values("event_rates", place)[0]
        sizes = self.rates.values("event_sizes", place)[0]
        near = INSTANT[self.real] * (sizes + np.abs(hit.t * rates))
        for k, kind in enumerate(self.kinds):
            if kind.impact and k != which and gaps[k] <= near[k] and W[own, own + k - which] != 0.0:
                raise RunError(
                    f"{self.rates.evaluator.name}: sensitivities: at t = {hit.t:.9g} impulses act along the gaps "
                    f"{hit.name} and {kind.name} at once: the motion after it has no derivative there, for it is "
                    "another where one comes before the other; end the run before it"
                )
