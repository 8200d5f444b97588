"""Inputs of an adaptive run: what the C reads, and what holds at any time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from eomc.binding.calls import real_type
from eomc.binding.controllers import Control
from eomc.binding.library import Library
from eomc.binding.samples import Samples
from eomc.binding.sources import InputSource, Sources
from eomc.binding.vectors import Array, Real, Values
from eomc.errors import UsageError

HELD, STEPS, LINES, CALLED = range(4)  # of the emitted header
_SIDES: tuple[Literal["right"], Literal["left"]] = ("right", "left")  # of a sample


class Feed:
    """Inputs that are held, sampled, or a function of time; a controller may hold some or all of them.

    What it puts into a setup is alive for as long as it is itself.

    Attributes
    ----------
    raised
        What the function of time raised when the C called it, or the controller.
    """

    def __init__(
        self, inputs: InputSource | Samples, sources: Sources, library: Library, control: Control | None = None
    ) -> None:
        self._given = inputs, sources, library
        names = sources.names
        real = self._real = real_type(library)
        self.control = control
        self._samples: Samples | None = None
        self._function: Callable[[float], Array] | None = None
        self.raised: BaseException | None = None
        self.kind, times = HELD, np.zeros(1)
        if isinstance(inputs, Samples):
            self._samples, self._rows, times = inputs, inputs.rows(names), inputs.t
            self.kind = LINES if inputs.interpolation == "linear" else STEPS
        elif callable(inputs):
            given: Callable[[float], Values] = inputs
            self._function, self.kind = lambda t: sources.called(given, t), CALLED
            self._rows = names.defaults[None]
        else:
            held = names.array(inputs) if inputs is None or isinstance(inputs, Mapping) else names.numbers(inputs)
            if held.ndim == 2:
                raise UsageError(
                    f"{names.owner}: sampled inputs of an adaptive run need their times: eomc.Samples(t, values)"
                )
            self._rows = (held if isinstance(inputs, Mapping) else names.checked(held))[None]
        self._values: Real = np.array(self._rows if len(names) else np.zeros((1, 1)), dtype=real, order="C")
        self._times: Real = np.ascontiguousarray(times, dtype=real)
        self._callback = library.ffi.callback("int(double, eomc_real *)", self._call) if self._function else None
        self._library, self._width = library, len(names)

    def again(self) -> Feed:
        """Return what gives the same once more; a controller is not asked again."""
        return self if self.control is None else Feed(*self._given, self.control.replayed())

    @property
    def called(self) -> bool:
        """Whether they are a function of time."""
        return self._function is not None

    @property
    def _is_held(self) -> bool:
        """Whether they never change."""
        return self._function is None and self._samples is None and self.control is None

    def fill(self, setup: Any) -> None:
        """Say to the C where inputs come from."""
        setup.kind = self.kind
        setup.values = self._library.pointer(self._values)
        setup.times = self._library.pointer(self._times)
        setup.count = len(self._times)
        if self._callback is not None:
            setup.function = self._callback

    def sample(self, x: Real) -> bool:
        """Let the controller look at the state, where there is one; False where the run ends instead."""
        if self.control is None:
            return True
        if not self.control.sample(x):
            self.raised = self.control.raised
            return False
        self._values[:, : self._width] = self.control.now(self._rows)  # which the C reads
        return True

    def at(self, t: Array) -> Array:
        """Return the inputs at some times, shape (len(t), nr)."""
        rows = self._beside(t)
        return rows if self.control is None else self.control.over(rows, t, real=self._real)

    def _beside(self, t: Array) -> Array:
        """Return what is given at some times beside a controller."""
        if self._function is not None:
            return np.reshape([self._function(time) for time in t.tolist()], (len(t), self._width))
        if self._samples is not None:
            return self._samples.at(self._rows, t)
        return np.repeat(self._rows, len(t), axis=0)

    def before(self, t: Array) -> Array | None:
        """Return the inputs just before some times, shape (len(t), nr); None where nothing jumps."""
        if self._is_held:
            return None
        return self.at(np.nextafter(t, -np.inf))

    def rates(self, t: Array, span: Array) -> Array:
        """Return the time derivatives of the inputs at the beginning of some spans of time, shape (len(t), nr).

        Those of lines between samples are their slopes, those of a function of time differences of fourth order over a
        sixteenth of the span, as in the C. A span goes back in time where it is negative.
        """
        if self.kind == LINES:
            slopes = np.diff(self._rows, axis=0) / np.diff(self._times)[:, None]
            none = np.zeros((1, self._width))
            forth, back = (np.searchsorted(self._times, t, side=side) for side in _SIDES)
            return np.concatenate([none, slopes, none])[np.where(span > 0.0, forth, back)]
        rates = np.zeros((len(t), self._width))
        if self.kind == CALLED:
            apart = span / 64.0
            for k, weight in enumerate((-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25)):
                rates += (weight / apart)[:, None] * self.at(t + k * apart)
        return rates

    def taken(self, t: Array, shares: Array) -> Array:
        """Return the inputs that steps between some times take, shape (steps, len(shares), nr), or (1, ...) for all.

        The end of a step is seen from before it, as in the C, where something may jump there.
        """
        if self._is_held:
            return np.repeat(self._rows[:, None, :], len(shares), axis=1)
        times = t[:-1, None] + shares * np.diff(t)[:, None]
        times = np.minimum(times, np.nextafter(t[1:], t[:-1])[:, None])
        return self.at(times.ravel()).reshape(*times.shape, self._width)

    def _call(self, t: float, r: Any) -> int:
        """Write the inputs at a time; an exception ends the run, which raises it again."""
        try:
            assert self._function is not None
            values = self._function(t)
            if self.control is not None:
                values = self.control.now(values)
            for place, value in enumerate(values.tolist()):
                r[place] = value
        except BaseException as error:  # Ctrl-C, too: nothing may pass through the C
            self.raised = error
            return 1
        return 0
