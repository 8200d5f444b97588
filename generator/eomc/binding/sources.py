"""Inputs as people give them: held, or as functions of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from eomc.binding.samples import Samples
from eomc.binding.vectors import Array, NamedVector, Values, name_of_key
from eomc.errors import UsageError
from eomc.ir.program import Variable

InputSource: TypeAlias = Values | Callable[[float], Values] | Samples | None
"""Values by name or in order, or a function of time that returns them; of a run also one row per grid time."""


class Sources:
    """Makes values of what is given for a model's inputs.

    Parameters
    ----------
    names
        The inputs.
    variables
        The same as variables of the program: some are one signal and its time derivatives.
    """

    def __init__(self, names: NamedVector, variables: Sequence[Variable]) -> None:
        self.names = names
        found: dict[str, set[str]] = {}
        for variable in variables:
            found.setdefault(variable.signal or variable.name, set()).add(variable.name)
        self._signals = [signal for signal in found.values() if len(signal) > 1]

    def held(self, inputs: InputSource, t: Any) -> Values | None:
        """Return what holds at one time, shape (nr,), or at k times, shape (k, nr), of what may be a function."""
        inputs = self.unsampled(inputs)
        if not callable(inputs):
            return inputs
        times = np.asarray(t, dtype=np.float64)
        if times.ndim == 0:
            return self.called(inputs, float(times))
        rows = [self.called(inputs, time) for time in times.ravel().tolist()]
        return np.reshape(rows, (*times.shape, len(self.names)))

    def unsampled(self, inputs: InputSource) -> Values | Callable[[float], Values] | None:
        """Return samples as a function of time, else what is given."""
        if not isinstance(inputs, Samples):
            return inputs
        rows, at = inputs.rows(self.names), inputs.at
        return lambda t: at(rows, np.array([t]))[0]

    def called(self, function: Callable[[float], Values], t: float) -> Array:
        """Return what a function of time says, shape (nr,).

        Raises
        ------
        UsageError
            It returns something else than all inputs in order or some by name, a signal with its time derivatives.
        """
        return self.returned(function(t), t, "inputs(t)")

    def returned(self, values: Any, t: float, who: str, others: Array | None = None) -> Array:
        """Return what a user's function says, shape (nr,).

        Parameters
        ----------
        values, t, who
            What it returned, when, and what it is called.
        others
            What a mapping does not name; the defaults by default.

        Raises
        ------
        UsageError
            As of `called`.
        """
        if values is None:
            raise UsageError(f"{self.names.owner}: {who} returned None at t = {t:.9g}: give a mapping or an array")
        if self._signals and isinstance(values, Mapping):
            self._refuse_torn(t, who, {name_of_key(key) for key in values})
        try:
            return self.names.array(values, others)
        except UsageError as error:
            raise UsageError(f"{error}, which {who} returned at t = {t:.9g}") from error

    def _refuse_torn(self, t: float, who: str, given: set[str]) -> None:
        """Refuse a signal without its derivatives, which would keep their defaults while it moves, or the reverse."""
        for signal in self._signals:
            if given & signal and not signal <= given:
                there, missing = (
                    ", ".join(name for name in self.names.names if name in part)
                    for part in (signal & given, signal - given)
                )
                raise UsageError(
                    f"{self.names.owner}: {who} returned {there} without {missing} at t = {t:.9g}: give a signal "
                    f"with its time derivatives"
                )
