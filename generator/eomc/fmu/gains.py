"""Gains of Baumgarte's feedback in model exchange: they follow from the shortest time in which small motions change."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np

from eomc.analysis.linearization import linearize
from eomc.errors import EomcError, UsageError
from eomc.model.arguments import number_of

if TYPE_CHECKING:
    from eomc.build import Build


def gain_of(build: Build, given: float | None) -> float:
    """Return both gains alpha and beta [1/s] of e'' + 2 alpha e' + beta^2 e = 0, e what is left of a constraint.

    Without one that is `given` it is the largest rate of the model's own small motions about its start: an error of a
    constraint decays as fast as the fastest of them, which an integrator has to follow in any case.

    Raises
    ------
    UsageError
        The gain is no number above zero; or none is given, and nothing about the start has a time.
    """
    if given is not None:
        gain = number_of("gain", given, UsageError)
        if not gain > 0.0:
            raise UsageError(f"gain must be a positive number in 1/s, not {given!r}")
        return gain
    found = fastest_rate(build)
    if found is None:
        raise UsageError(
            f"{build.model.name}: the gain of Baumgarte's feedback in model exchange follows from the rates of small "
            "motions about the start, and here are none: give gain=... (--gain) in 1/s, some times the rate of the "
            "fastest motion, or exchange='projection'"
        )
    return found


def fastest_rate(build: Build) -> float | None:
    """Return the spectral radius of the linear equations about the model's start [1/s]; None where that is no time.

    These are the equations on the constraints: what an error of the constraints does is not in them. Units of states
    do not matter, and with another unit of time the number is that of the same rate.
    """
    for model in (build, build.model):  # a method may have no linear equations where the model's own has
        try:
            with warnings.catch_warnings(action="ignore"):
                eigenvalues = linearize(model).eigenvalues
        except EomcError:
            continue
        largest = float(np.abs(eigenvalues).max(initial=0.0))
        return largest if 0.0 < largest < math.inf else None
    return None
