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
_TIMES = ("t_end", "dt")
_KNOWN = (*_TIMES, "stabilization")


def run_of(given: Iterable[tuple[Any, Any]]) -> Run:
    """Return the run of a mapping from ``t_end``, ``dt`` and ``stabilization``; what it leaves out is usual.

    Raises
    ------
    ModelError
        An unknown name, a time that is not above zero, a unit of something else, or no stabilization.

    Examples
    --------
    >>> run_of({"dt": (10, "us")}.items())
    Run(t_end=10.0, dt=1e-05, stabilization='none')
    """
    made: dict[str, Any] = {}
    for name, value in given:
        if name not in _KNOWN:
            raise ModelError(f"run: {name!r} is nothing of a run: {did_you_mean(str(name), _KNOWN)}")
        made[name] = _time(name, value) if name in _TIMES else _stabilization(value)
    return Run(**made)


def _time(name: str, value: Any) -> float:
    """Return seconds."""
    what = f"run: {name}"
    number, text = with_unit(value)
    seconds = number_of(what, number)
    if text:
        unit = read_unit(what, text)
        if unit.si != "s":
            raise ModelError(f"{what} is in {unit.text}: give a time, in s")
        seconds = number_of(f"{what} in SI", unit.to_si(seconds))
    if not seconds > 0.0:
        raise ModelError(f"{what} is {seconds:g}: give a time above zero")
    return seconds


def _stabilization(value: Any) -> str:
    if not isinstance(value, str) or value not in STABILIZATIONS:
        raise ModelError(f"run: stabilization is {quoted(value)}: give {' or '.join(map(repr, STABILIZATIONS))}")
    return value
