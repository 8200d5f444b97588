"""What a user says of the usual run of a model -> Run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from eomc.errors import ModelError
from eomc.ir.runs import Run
from eomc.model.arguments import number_of, quoted
from eomc.units import read_unit, with_unit
from eomc.wording import did_you_mean

STABILIZATIONS = ("none", "baumgarte", "projection")


def run_of(given: Iterable[tuple[Any, Any]]) -> Run:
    """Return the run of a mapping from ``t_end``, ``dt``, ``stabilization`` and ``speed``; what it leaves out is usual.

    Raises
    ------
    ModelError
        An unknown name, a number that is not above zero, a unit of something else, or no stabilization.

    Examples
    --------
    >>> run_of({"dt": (10, "us")}.items())
    Run(t_end=10.0, dt=1e-05, stabilization='none', speed=1.0)
    """
    made: dict[str, Any] = {}
    for name, value in given:
        if name not in _READERS:
            raise ModelError(f"run: {name!r} is nothing of a run: {did_you_mean(str(name), [*_READERS])}")
        made[name] = _READERS[name](f"run: {name}", value)
    return Run(**made)


def _time(what: str, value: Any) -> float:
    """Return seconds."""
    number, text = with_unit(value)
    seconds = number_of(what, number)
    if text:
        unit = read_unit(what, text)
        if unit.si != "s":
            raise ModelError(f"{what} is in {unit.text}: give a time, in s")
        seconds = number_of(f"{what} in SI", unit.to_si(seconds))
    return _above_zero(what, seconds)


def _above_zero(what: str, value: Any) -> float:
    number = number_of(what, value)
    if not number > 0.0:
        raise ModelError(f"{what} is {number:g}: give a number above zero")
    return number


def _stabilization(what: str, value: Any) -> str:
    if not isinstance(value, str) or value not in STABILIZATIONS:
        raise ModelError(f"{what} is {quoted(value)}: give {' or '.join(map(repr, STABILIZATIONS))}")
    return value


_READERS = {"t_end": _time, "dt": _time, "stabilization": _stabilization, "speed": _above_zero}
