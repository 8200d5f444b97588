"""What an adaptive run may take: tolerances, lengths of steps, times that are asked for."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.vectors import Array, name_of_key, real_array, unknown_name
from eomc.errors import UsageError
from eomc.integrators import ADAPTIVE, Integrator
from eomc.model.arguments import number_of, quoted
from eomc.wording import counted

DEFAULT_TOLERANCE = 1e-8
MOST_STEPS = 10_000_000
_LARGEST = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """Arguments of a run as they are given, None where they are not; see `Simulator.simulate`."""

    rtol: float | None = None
    atol: ArrayLike | Mapping[Any, float] | None = None
    first_step: float | None = None
    max_step: float | None = None
    max_steps: int | None = None
    t_eval: ArrayLike | None = None
    jumps: ArrayLike | None = None

    @property
    def names(self) -> list[str]:
        """The arguments that are given."""
        return [name for name in self.__slots__ if getattr(self, name) is not None]

    def refuse_unused(self, chosen: Integrator, *taken: str) -> None:
        """Raise a UsageError where something is given that fixed steps do not take, but for what is `taken`."""
        unused = [name for name in self.names if name not in taken]
        if unused and not chosen.adaptive:
            raise UsageError(
                f"{unused[0]} is not for {chosen.name}, whose steps are fixed: give rtol, or integrator="
                f"{ADAPTIVE.name!r}"
            )

    @property
    def tolerates(self) -> bool:
        """Whether a tolerance is given."""
        return self.rtol is not None or self.atol is not None


@dataclass(frozen=True, slots=True)
class Controls:
    """The same, checked."""

    t0: float
    t_end: float
    rtol: float
    atols: Array  # (nx,)
    first_step: float  # 0: chosen
    max_step: float  # 0: no bound
    max_steps: int
    t_eval: Array | None
    jumps: Array
    fixed: bool = False  # all steps are as long as the first


def controls(asked: Asked, t0: float, t_end: float, states: Sequence[str], owner: str) -> Controls:
    """Check what is given for an adaptive run.

    Raises
    ------
    UsageError
        Something is not as `Simulator.simulate` describes it.
    """
    t0, t_end = number_of("t0", t0, UsageError), number_of("t_end", t_end, UsageError)
    if t_end < t0:
        raise UsageError(f"t_end must not be before t0: {t_end!r} < {t0!r}")
    return Controls(
        t0,
        t_end,
        DEFAULT_TOLERANCE if asked.rtol is None else positive("rtol", asked.rtol),
        _atols(asked.atol, states, owner),
        _length("first_step", asked.first_step),
        _length("max_step", asked.max_step),
        _most(asked.max_steps),
        None if asked.t_eval is None else _times("t_eval", asked.t_eval, t0, t_end),
        np.empty(0) if asked.jumps is None else _times("jumps", asked.jumps, -sys.float_info.max, sys.float_info.max),
    )


def least_rtol(chosen: Integrator, real: str) -> float:
    """Return the relative tolerance below which steps to a tolerance count rounding as error."""
    return chosen.roundings * float(np.finfo(np.float32 if real == "float" else np.float64).eps)


def warn_of_rounding(asked: Asked, chosen: Integrator, real: str, owner: str) -> None:
    """Say that a tolerance is below rounding, and what it counts as."""
    least = least_rtol(chosen, real)
    if asked.rtol is not None and asked.rtol < least:
        warnings.warn(
            f"{owner}: rtol = {asked.rtol:g} is below the rounding of {real}: {chosen.name} takes {least:.3g}",
            stacklevel=6,
        )


def warn_of_rounded(rounded: int, owner: str) -> None:
    """Say that the error of some steps was rounding."""
    if rounded:
        warnings.warn(
            f"{owner}: the error of {rounded} step{'s' if rounded > 1 else ''} was the rounding of the equations, and "
            "more than the tolerance: a larger one takes fewer steps to the same accuracy",
            stacklevel=6,
        )


def fixed_controls(asked: Asked, t0: float, t_end: float, dt: float, states: Sequence[str], owner: str) -> Controls:
    """Return what a run in steps of `dt` may take; how many they are has no bound."""
    length = number_of("dt", dt, UsageError)
    return replace(controls(asked, t0, t_end, states, owner), first_step=length, max_steps=0, fixed=True)


def positive(name: str, value: Any) -> float:
    """Return a finite number above zero.

    Raises
    ------
    UsageError
        It is something else.
    """
    number = number_of(name, value, UsageError)
    if number <= 0.0:
        raise UsageError(f"{name} must be above zero, not {number!r}")
    return number


def _length(name: str, value: Any) -> float:
    return 0.0 if value is None else positive(name, value)


def _most(value: Any) -> int:
    if value is None:
        return MOST_STEPS
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= value <= _LARGEST:
        raise UsageError(f"max_steps must be a whole number from 1 to {_LARGEST}, not {quoted(value)}")
    return int(value)


def _atols(atol: Any, states: Sequence[str], owner: str) -> Array:
    """Return the absolute tolerance of each state: one for all, one each in order, or some by name."""
    if isinstance(atol, Mapping):
        found = np.full(len(states), DEFAULT_TOLERANCE)
        for key, value in atol.items():
            name = name_of_key(key)
            if name not in states:
                raise unknown_name(owner, "state", name, states)
            found[states.index(name)] = positive(f"{owner}: atol of {name}", value)
        return found
    if atol is None or np.ndim(atol) == 0:
        return np.full(len(states), DEFAULT_TOLERANCE if atol is None else positive("atol", atol))
    array = real_array(atol, "atol", states)
    if array.shape != (len(states),) or not (np.isfinite(array) & (array > 0.0)).all():
        raise UsageError(
            f"{owner}: atol must be above zero, a number or {counted(len(states), 'value')} [{', '.join(states)}], "
            f"not {quoted(atol)}"
        )
    return array


def _times(name: str, given: ArrayLike, first: float, last: float) -> Array:
    """Return times in ascending order within an interval."""
    array = real_array(given, name)
    if array.ndim != 1 or not np.isfinite(array).all() or not (np.diff(array) > 0.0).all():
        raise UsageError(f"{name} must be finite times in ascending order, shape (k,), not {quoted(given)}")
    if len(array) and not (first <= array[0] and array[-1] <= last):
        raise UsageError(
            f"{name} must lie from t0 = {first:g} to t_end = {last:g}, not at "
            f"{float(array[0] if array[0] < first else array[-1])!r}"  # in all digits: it may be a rounded end
        )
    return np.ascontiguousarray(array, dtype=np.float64)
