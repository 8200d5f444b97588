"""Emitted C against the reference in NumPy, at random admissible states.

Half of the samples have the default parameters; for the other half each parameter is drawn over decades, where a
mechanism can have them (see `sampling`). Values agree when they differ by less than 1e-10 of the size of the terms that
they are made of, component by component, beyond what rounding makes of both (`eomc.reference.noise`); Jacobians, df/dt
and powers, which the reference has by differences only, beyond the known error of these, and the first two to 1e-8.
Where errors hide everything, that is said, but for an entry of M whose errors are small beside its diagonal (`masses`).
Accelerations of a mechanism that is ill-conditioned everywhere are judged by the forces that they take (`forces`).
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.analysis.agreement.judging import judge
from eomc.analysis.agreement.masses import sizes_by_diagonal, sizes_of_accelerations, sizes_of_forces
from eomc.analysis.agreement.witness import Named, Points, Witness, named
from eomc.analysis.contract import Built
from eomc.binding import Simulator
from eomc.binding.vectors import Array
from eomc.errors import SingularSystemError, UsageError
from eomc.ir.program import Function
from eomc.model import Model
from eomc.model.parts import MechanicalSystem
from eomc.programs.functions import ROWS, Known
from eomc.reference.noise import CERTAIN, spread

TOLERANCE = 1e-10
TOLERANCE_OF_SLOPES = 1e-8
_STRICT = 1e-2  # values that agree so much better than they need to are not looked into
_CONFIDENCE_OF_DIFFERENCES = 10.0
_FORCES = ("forcing", "gravity_forces", "coriolis_forces")


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
    ill: int = 0  # samples with a condition of M above the limit: there u' is judged by the forces that it takes

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
    UsageError
        The build has feedback by Baumgarte, which the reference has not.
    """
    ((_, comparison),) = compare_all([build], count, seed)
    return comparison


def compare_all(builds: Iterable[Built], count: int = 100, seed: int = 0) -> Iterator[tuple[Built, Comparison]]:
    """Compare builds one after the other; yield each with what `compare` says of it.

    Those of one model by one method that differ in the form of their constraints have the same states and values of the
    reference, which are most of the work.
    """
    asked: tuple[int, str, bool] | None = None
    witness: Witness | None = None
    for build in builds:
        if build.options.stabilization == "baumgarte":
            raise UsageError(
                f"{build.model.name}: Baumgarte's feedback is no part of the equations of the reference; compare a "
                "build with stabilization='none' or 'projection'"
            )
        question = (id(build.model), build.method, _leaves_dependent_speeds(build))
        if witness is None or question != asked:
            asked, witness = question, Witness(_model_for(build), build.method, count, seed)
        yield build, _beside(build, witness, count)


def _beside(build: Built, witness: Witness, count: int) -> Comparison:
    """Compare a build with a witness."""
    simulator = build.load()
    found = []
    for function in build.program.functions:
        if ROWS[function.name].known is not Known.NOT:
            agreement = _compared(simulator, witness, function)
            found.extend([agreement] if agreement else [])
    return Comparison(tuple(found), count, witness.near, int(np.count_nonzero(witness.ill)))


def _model_for(build: Built) -> Model:
    """Return the model as the reference has to see it.

    Without elimination M and f are those of all speeds: the reference reduces them to the independent ones where some
    are named.
    """
    model, dynamics = build.model, build.model.dynamics
    if isinstance(dynamics, MechanicalSystem) and _leaves_dependent_speeds(build):
        model = copy.copy(model)
        object.__setattr__(model, "dynamics", replace(dynamics, dependent_speeds=()))
    return model


def _leaves_dependent_speeds(build: Built) -> bool:
    """Whether the model names dependent speeds and the build does not eliminate them."""
    named = isinstance(build.model.dynamics, MechanicalSystem) and bool(build.model.dynamics.dependent_speeds)
    return named and build.options.constraints != "eliminated"


def _compared(simulator: Simulator, witness: Witness, function: Function) -> Agreement | None:
    """Compare one function; None where the reference does not know it."""
    name, size, chosen = function.name, len(function.outputs), function.chosen
    points = witness.driven if function.accelerations else witness.points

    def ours(rows: Array) -> Named:
        return witness.meant(name, _of_the_c(getattr(simulator, name), points, rows), rows)

    def theirs(rows: Array) -> Named:
        return witness.values_at(name, rows, chosen)

    a = ours(points.rows)
    errors: Named = {}
    known = ROWS[name].known
    if known is not Known.VALUES:
        b, errors, sizes = witness.slopes(name, chosen)
    else:
        b = witness.values(name, chosen)
    common = [key for key in a if key in b]
    if not common and known is Known.DIFFERENCES:
        return None  # the reference does not know the energy of whose rate ours is the sum
    left, right = _joined(a, common), _joined(b, common)
    if not common or left.shape != right.shape:
        return Agreement(name, size, float("nan"))
    tolerance = Agreement(name, size, 0.0).tolerance
    scale, error = np.zeros_like(right), np.zeros_like(right)
    for key, lost in witness.swallowed(name, b).items():
        if key in common:
            error += _joined({one: lost if one == key else np.zeros_like(b[one]) for one in common}, common)
    if errors:
        scale, error = _joined(sizes, common), _CONFIDENCE_OF_DIFFERENCES * _joined(errors, common)
    for road, value in ((ours, left), (theirs, right)):  # the second one where the first does not explain a difference
        rows = _unexplained(left, right, scale, error, _STRICT * tolerance if road is ours else tolerance)
        if len(rows) and not (road is theirs and errors):
            spreading = spread(_columns(road, common), value[rows], points.rows[rows])
            scale[rows] = np.maximum(scale[rows], spreading.size)
            error[rows] += CERTAIN * spreading.noise
    if name == "rhs" and np.any(witness.ill):
        ill, found = witness.ill, witness.balanced(left)
        there = ill, witness.accelerations
        left, right = left.copy(), right.copy()
        left[there], right[there] = found.taken[ill], found.acting[ill]
        scale[there], error[there] = found.size[ill], 0.0
    whole = _whole(witness, name, right)
    verdict = judge(left, right, scale, error, tolerance, whole)
    return Agreement(name, size, verdict.worst, not verdict.blind)


def _whole(witness: Witness, name: str, values: Array) -> Array | None:
    """Return how large values are when they do as much as the largest of them does; None where that is not known."""
    if name == "mass_matrix":
        return sizes_by_diagonal(values)
    if not witness.has_masses or name not in ("rhs", *_FORCES):
        return None
    matrices = witness.values("mass_matrix")[""]
    if name in _FORCES:
        return sizes_of_forces(matrices, values)
    whole, places = np.zeros_like(values), witness.accelerations
    whole[:, places] = sizes_of_accelerations(matrices, values[:, places])
    ill = witness.ill  # there the forces that they take have their place
    whole[ill, places] = sizes_of_forces(matrices[ill], values[ill, places])
    return whole


def _unexplained(left: Array, right: Array, scale: Array, error: Array, tolerance: float) -> NDArray[np.intp]:
    """Return the samples with a component that differs by more than is known to be allowed; NaN does."""
    allowed = tolerance * (np.abs(right) + scale) + np.minimum(error, tolerance * np.abs(right))
    with np.errstate(invalid="ignore"):
        return np.flatnonzero(~np.all(np.abs(left - right) <= allowed, axis=1))


def _of_the_c(function: Callable[..., Any], points: Points, rows: Array) -> Named:
    """Evaluate a function of the C: rows with the same parameters in one call, NaN where these allow no motion."""
    _, _, _, parameters, _ = points.split(rows)
    sets, which = np.unique(parameters, axis=0, return_inverse=True)
    which = which.reshape(-1)
    found: Named = {}
    for number, one in enumerate(sets):
        places = np.flatnonzero(which == number)
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # rows of NaN count as differences
            try:
                result = named(points.asked(function, rows[places], one), len(places))
            except SingularSystemError:
                continue
        for key, values in result.items():
            found.setdefault(key, np.full((len(rows), values.shape[1]), np.nan))[places] = values
    return found


def _columns(function: Callable[[Array], Named], names: Sequence[str]) -> Callable[[Array], Array]:
    """Return a function whose results stand side by side."""
    return lambda arguments: _joined(function(arguments), names)


def _joined(rows: Named, names: Sequence[str]) -> Array:
    return np.concatenate([rows[name] for name in names], axis=1) if names else np.empty((0, 0))
