"""Emitted C against the reference in NumPy, at random admissible states.

Half of the samples have the default parameters; for the other half each parameter is drawn over decades, where a
mechanism can have them (see `sampling`). Values agree when they differ by less than 1e-10 of the size of the terms that
they are made of, component by component, beyond what rounding makes of both (`eomc.reference.noise`); Jacobians, df/dt
and powers, which the reference has by differences only, beyond the known error of these, and the first two to 1e-8.
Where errors hide everything, that is said.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eomc.analysis.agreement.judging import judge
from eomc.analysis.agreement.sampling import Samples, draw, near_defaults
from eomc.analysis.contract import Built
from eomc.binding import Simulator
from eomc.errors import SingularSystemError
from eomc.model import Model
from eomc.model.parts import MechanicalSystem
from eomc.programs.functions import ROWS, Known
from eomc.reference import Reference, reference
from eomc.reference.noise import CERTAIN, spread

__all__ = ["TOLERANCE", "Agreement", "Comparison", "compare"]

TOLERANCE = 1e-10
TOLERANCE_OF_SLOPES = 1e-8
_STRICT = 1e-2  # values that agree so much better than they need to are not looked into
_CONFIDENCE_OF_DIFFERENCES = 10.0

_Array: TypeAlias = NDArray[np.float64]
_Named: TypeAlias = dict[str, _Array]  # rows (k, anything)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far one function of the C is from the reference: worst |a - b| beside the size of the terms."""

    function: str
    size: int
    worst: float
    told: bool = True  # the errors of both are below what is asked for

    @property
    def tolerance(self) -> float:
        """What is near enough."""
        return TOLERANCE_OF_SLOPES if ROWS[self.function].known is Known.SLOPES else TOLERANCE

    @property
    def holds(self) -> bool:
        """Whether it is near enough; NaN is not, nor what cannot be told."""
        return self.told and self.worst <= self.tolerance


@dataclass(frozen=True, slots=True)
class Comparison:
    """All functions of a build beside those of the reference."""

    functions: tuple[Agreement, ...]
    samples: int
    near: int  # samples whose parameters are near the defaults, because none over decades would do

    def __iter__(self) -> Iterator[Agreement]:
        """Yield the agreement of each function."""
        return iter(self.functions)

    @property
    def holds(self) -> bool:
        """Whether all agree."""
        return all(one.holds for one in self.functions)


def compare(build: Built, count: int = 100, seed: int = 0) -> Comparison:
    """Compare every function of a build with the reference.

    Parameters
    ----------
    build
        Result of `eomc.compile`.
    count, seed
        Number of random states, and the seed of their generator.

    Raises
    ------
    BuildError
        The C cannot be compiled.
    ModelError
        Too few random states are well-conditioned.
    """
    simulator = build.load()
    oracle = reference(_model_for(build), build.method)
    samples = draw(oracle, count, seed)
    points = _Points(oracle, samples)
    found = []
    for function in build.program.functions:
        if ROWS[function.name].known is not Known.NOT:
            agreement = _compared(simulator, oracle, points, function.name, len(function.outputs))
            found.extend([agreement] if agreement else [])
    return Comparison(tuple(found), count, near_defaults(samples))


def _model_for(build: Built) -> Model:
    """Return the model as the reference has to see it.

    Without elimination M and f are those of all speeds: the reference reduces them to the independent ones where some
    are named.
    """
    model, dynamics = build.model, build.model.dynamics
    if isinstance(dynamics, MechanicalSystem) and build.options.constraints != "eliminated":
        model = copy.copy(model)
        object.__setattr__(model, "dynamics", replace(dynamics, dependent_speeds=()))
    return model


class _Points:
    """All samples as rows of arguments [t, x, r, p]."""

    def __init__(self, source: Reference, samples: Sequence[Samples]) -> None:
        self.rows = np.concatenate([_arguments(one) for one in samples])
        widths = [1, len(source.state_names), len(source.input_names)]
        self._ends = np.cumsum(widths)

    def split(self, rows: _Array) -> tuple[_Array, _Array, _Array, _Array]:
        """Return t (k,), x (k, nx), r (k, nr) and p (k, np)."""
        t, x, r, p = np.split(rows, self._ends, axis=1)
        return t[:, 0], x, r, p


def _arguments(samples: Samples) -> _Array:
    count = len(samples.states)
    time = np.full((count, 1), samples.time)
    return np.hstack([time, samples.states, samples.inputs, np.tile(samples.parameters, (count, 1))])


def _compared(simulator: Simulator, oracle: Reference, points: _Points, name: str, size: int) -> Agreement | None:
    """Compare one function; None where the reference does not know it."""

    def ours(rows: _Array) -> _Named:
        return _of_the_c(getattr(simulator, name), points, rows)

    def theirs(rows: _Array) -> _Named:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return _named(getattr(oracle, name)(*points.split(rows)), len(rows))

    a = ours(points.rows)
    errors: _Named = {}
    known = ROWS[name].known
    if known is not Known.VALUES:
        b, errors, sizes = _by_differences(oracle, name, points)
    else:
        b = theirs(points.rows)
    common = [key for key in a if key in b]
    if not common and known is Known.DIFFERENCES:
        return None  # the reference does not know the energy of whose rate ours is the sum
    left, right = _joined(a, common), _joined(b, common)
    if not common or left.shape != right.shape:
        return Agreement(name, size, float("nan"))
    tolerance = Agreement(name, size, 0.0).tolerance
    scale, error = np.zeros_like(right), np.zeros_like(right)
    if errors:
        scale, error = _joined(sizes, common), _CONFIDENCE_OF_DIFFERENCES * _joined(errors, common)
    for road, value in ((ours, left), (theirs, right)):  # the second one where the first does not explain a difference
        rows = _unexplained(left, right, scale, error, _STRICT * tolerance if road is ours else tolerance)
        if len(rows) and not (road is theirs and errors):
            spreading = spread(_columns(road, common), value[rows], points.rows[rows])
            scale[rows] = np.maximum(scale[rows], spreading.size)
            error[rows] += CERTAIN * spreading.noise
    verdict = judge(left, right, scale, error, tolerance)
    return Agreement(name, size, verdict.worst, not verdict.blind)


def _unexplained(left: _Array, right: _Array, scale: _Array, error: _Array, tolerance: float) -> NDArray[np.intp]:
    """Return the samples with a component that differs by more than is known to be allowed; NaN does."""
    allowed = tolerance * (np.abs(right) + scale) + np.minimum(error, tolerance * np.abs(right))
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(~np.all(np.abs(left - right) <= allowed, axis=1))


def _by_differences(oracle: Reference, name: str, points: _Points) -> tuple[_Named, _Named, _Named]:
    """Return what the reference has by differences, how far each value may be from the truth, sizes of its terms."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = oracle.differences(name, *points.split(points.rows))
    count = len(points.rows)

    def rows(part: str) -> _Named:
        return _named({key: getattr(one, part) for key, one in found.items()}, count)

    return rows("value"), rows("error"), rows("size")


def _of_the_c(function: Callable[..., Any], points: _Points, rows: _Array) -> _Named:
    """Evaluate a function of the C: rows with the same parameters in one call, NaN where these allow no motion."""
    times, states, inputs, parameters = points.split(rows)
    sets, which = np.unique(parameters, axis=0, return_inverse=True)
    which = which.reshape(-1)
    found: _Named = {}
    for number, one in enumerate(sets):
        places = np.flatnonzero(which == number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # rows that are NaN count as differences
            try:
                result = _named(function(times[places], states[places], inputs[places], one), len(places))
            except SingularSystemError:
                continue
        for key, values in result.items():
            found.setdefault(key, np.full((len(rows), values.shape[1]), np.nan))[places] = values
    return found


def _named(result: Any, count: int) -> _Named:
    """Return rows by name, where they have names."""
    if isinstance(result, tuple):
        result = dict(zip("AB", result, strict=True))
    named = result if isinstance(result, dict) else {"": result}
    return {name: np.asarray(rows).reshape(count, -1) for name, rows in named.items()}


def _columns(function: Callable[[_Array], _Named], names: Sequence[str]) -> Callable[[_Array], _Array]:
    """Return a function whose results stand side by side."""
    return lambda arguments: _joined(function(arguments), names)


def _joined(rows: _Named, names: Sequence[str]) -> _Array:
    return np.concatenate([rows[name] for name in names], axis=1) if names else np.empty((0, 0))
