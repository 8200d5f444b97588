"""Energy balance of a run: E(t) - E(0) against the work, the time integral of the power.

The motion is integrated by the emitted C, the power by the same scheme, at the same stages of each step: as if the work
were one more state; where steps have no stages for it, by Gauss' quadrature over the dense output. The balance holds
when E(t) - E(0) and the work differ by less than 1e-8 of the largest |T| or |V|.

More is allowed where steps are of a lower order than four: those of such a scheme, and those across kinks and jumps of
forces (friction). No more is allowed than twice what a run with half the step differs by (three times by a scheme of
first order, whose error is twice that itself), nor than what the stages contradict each other by, where a scheme has
stages between its first and its last: h times twice the most that a power is beside the line from the first to the
last, and the differences of the energies after whole steps along one such slope, made consistent by the first and the
last, from the energy after the step that was made. All are of third order where nothing has a kink. Where the allowance
passes 1e-3 of the energy turned over, nothing can be told.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from eomc.analysis.contract import Built
from eomc.binding import Simulator, Trajectory
from eomc.binding.controls import least_rtol
from eomc.binding.vectors import Array, Values
from eomc.errors import UnsupportedError
from eomc.expansions import Expansion
from eomc.integrators import Staged
from eomc.model import Model
from eomc.pairs import Pair
from eomc.passes.smoothness import is_smooth
from eomc.rosenbrock import Rosenbrock

TOLERANCE = 1e-8
WORTH = 1e-3  # an allowance that is more of the energy turned over proves nothing
_MARGIN = 1.5  # times the error that a run with half the step tells of
_ROUNDINGS = 1e3  # of a float, over a run
_HALF = Fraction(1, 2)
_NODES = 10  # of the quadrature in a step without stages
_EXACT = 4  # order from which smooth steps are as exact as the tolerance

_Place: TypeAlias = tuple[Array, Array, Array, Values | None]  # what the functions of a simulator take
Inputs = Mapping[str, float] | Callable[[float], Mapping[str, float]] | None


@dataclass(frozen=True, slots=True)
class Balance:
    """What became of an energy on a run, all in J."""

    energy: str  # its name: total, jacobi or hamiltonian
    first: float
    last: float
    drift: float  # largest |E - E(0)|
    works: tuple[tuple[str, float], ...]  # at the end, by their causes
    work: float  # their sum
    defect: float  # largest |E - E(0) - work|
    tolerance: float  # largest defect that is allowed
    allowance: float  # the part of it that kinks and jumps of the forces ask for
    turnover: float  # the energy turned over: the largest T, change of V, or work
    jumps: tuple[tuple[float, str, float], ...]  # of the energy at events, which count as work: time, name, change
    residual: float | None  # largest residual of the constraints on the way, in their own units; None without any

    @property
    def told(self) -> bool:
        """Whether what is allowed for kinks is small beside the energy turned over: 1e-3 of it; NaN is not."""
        return self.allowance <= WORTH * self.turnover

    @property
    def holds(self) -> bool:
        """Whether the change of energy is the work, and the steps are short enough to tell; NaN is not."""
        return self.told and self.defect <= self.tolerance


def balance(
    build: Built,
    t_end: float | None = None,
    dt: float | None = None,
    x0: ArrayLike | None = None,
    inputs: Inputs = None,
    parameters: Mapping[str, float] | None = None,
    **steps: Any,
) -> Balance:
    """Run a model by the build's own integrator and compare its change of energy with the work.

    Parameters
    ----------
    build
        Result of `eomc.compile`.
    t_end, dt, x0, inputs, parameters, steps
        The run, as `Simulator.simulate` takes it, from t = 0.

    Raises
    ------
    UnsupportedError
        The power that changes the energy cannot be derived; the message says why.
    RunError
        The run ends early.
    """
    reason = build.equations.energetics.no_power
    if reason:
        raise UnsupportedError(f"{build.model.name} by {build.method} has no energy balance: {reason}")
    simulator = build.load()
    adaptive = build.integrator.adaptive
    rtol = max(1e-8, least_rtol(build.integrator, build.real))
    taken = (
        {"rtol": rtol, "atol": 1e-8, **steps}
        if adaptive
        else {"dt": build.program.run.dt if dt is None else dt, **steps}
    )
    run = simulator.simulate(t_end, x0=x0, inputs=inputs, parameters=parameters, **taken)
    found, curve, contradictions = _balanced(build, simulator, run, inputs, taken)
    exact = build.integrator.order >= _EXACT and is_smooth_motion(build) and not adaptive
    if found.defect <= found.tolerance or exact or len(run.t) == 1:
        return found
    # Where the order is low, half the step tells how exact the first run was, a smaller tolerance where there is one.
    with warnings.catch_warnings(action="ignore"):  # they were given
        finer = simulator.simulate(t_end, x0=x0, inputs=inputs, parameters=parameters, **finer_steps(taken))
    _, better, _ = _balanced(build, simulator, finer, inputs, finer_steps(taken))
    apart = float(np.abs(curve - np.interp(run.t, finer.t, better)).max())  # NaN allows nothing
    left = 0.0 if adaptive else 0.5 ** min(build.integrator.order, 2)  # half the step leaves 1/2 or 1/4 of the error
    told = apart / (1.0 - left)
    allowance = min(contradictions, _MARGIN * told)
    return replace(found, tolerance=found.tolerance + allowance, allowance=allowance)


def finer_steps(taken: Mapping[str, Any]) -> dict[str, Any]:
    """Return half the step, or a hundredth of the tolerances."""
    if "dt" in taken:
        return {**taken, "dt": taken["dt"] / 2.0}
    return {**taken, **{name: (np.asarray(taken[name]) / 100.0).tolist() for name in ("rtol", "atol")}}


def is_smooth_motion(build: Built) -> bool:
    """Whether the rates have no kinks and no jumps."""
    return is_smooth(build.equations.graph, build.equations.motion.derivative)


def least_tolerance(real: str) -> float:
    """Return the part of the largest |T| or |V| by which a balance may be off: by the steps and by rounding."""
    return max(TOLERANCE, _ROUNDINGS * float(np.finfo(np.float32 if real == "float" else np.float64).eps))


def _balanced(
    build: Built, simulator: Simulator, run: Trajectory, inputs: Inputs, taken: Mapping[str, Any]
) -> tuple[Balance, Array, float]:
    """Return the balance of a run, E - E(0) - work at its times, and by how much the stages contradict each other."""
    name = build.equations.energetics.powers[-1].name
    energies = simulator.energy(run.t, run.x, run.inputs, run.parameters)
    energy = energies[name]
    works, contradictions = _works(build, run, inputs, name, taken)
    standing = np.diff(run.t) == 0.0  # rows of an event: its two sides have one time
    jumped = np.append(0.0, np.cumsum(np.where(standing, np.diff(energy), 0.0)))
    change, work = energy - energy[0], works[name] + jumped
    known: dict[str, Array] = {part: energies[part] for part in ("kinetic", "potential") if part in energies}
    parts = known or {name: energy}
    size = max(float(np.abs(part).max()) for part in parts.values())
    turned = [np.abs(parts.get("kinetic", energy)).max(), np.abs(work).max()]
    turned += [np.ptp(part) for part in parts.values()]
    residual = None
    if "constraint_residuals" in simulator.functions:
        residual = float(np.abs(simulator.constraint_residuals(run.t, run.x, run.inputs, run.parameters)).max())
    curve = change - work
    found = Balance(
        energy=name,
        first=float(energy[0]),
        last=float(energy[-1]),
        drift=float(np.abs(change).max()),
        works=(
            *((cause, float(values[-1])) for cause, values in works.items() if cause != name),
            *([("events", float(jumped[-1]))] if run.events else []),
        ),
        work=float(work[-1]),
        defect=float(np.abs(curve).max()),
        tolerance=least_tolerance(build.real) * size,
        allowance=0.0,
        turnover=float(np.max(turned)),
        jumps=_jumps(simulator, run, inputs, name),
        residual=residual,
    )
    return found, curve, contradictions


def _jumps(simulator: Simulator, run: Trajectory, inputs: Inputs, name: str) -> tuple[tuple[float, str, float], ...]:
    """Return times and names of events, and by how much the energy jumps."""
    found = []
    for hit in run.events:
        held = inputs(hit.t) if callable(inputs) else inputs
        before, after = (simulator.energy(hit.t, x, held, run.parameters)[name] for x in (hit.before, hit.after))
        found.append((hit.t, hit.name, after - before))
    return tuple(found)


def _works(
    build: Built, run: Trajectory, inputs: Inputs, energy: str, taken: Mapping[str, Any]
) -> tuple[dict[str, Array], float]:
    """Return the works up to each time, by name, and by how much stages contradict each other, summed over the run."""
    simulator, scheme = build.load(), build.integrator.row
    if len(run.t) == 1:
        powers = simulator.power(run.t[0], run.x[0], run.inputs[0], run.parameters)
        return {name: np.zeros(1) for name in powers}, 0.0
    if isinstance(scheme, (Expansion, Rosenbrock)):
        return _along(simulator, run, inputs, taken), math.inf
    given = [_inputs_at(float(share), simulator, run, inputs) for share in scheme.c]
    places = list(stages(simulator, scheme, run.t, run.x, given, run.parameters))
    steps = [simulator.power(*at) for at in places]
    works = {name: grown(scheme, run.t, [power[name] for power in steps]) for name in steps[0]}
    return works, _contradictions(simulator, scheme, run, places, [power[energy] for power in steps], energy)


def _along(simulator: Simulator, run: Trajectory, inputs: Inputs, taken: Mapping[str, Any]) -> dict[str, Array]:
    """Return the works up to each time, by name: Gauss' quadrature over the dense output of steps without stages."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    h = np.diff(run.t)
    moving = h > 0.0  # the two sides of an event have one time
    times = run.t[:-1][moving, None] + h[moving, None] * (nodes + 1.0) / 2.0
    dense = simulator.simulate(
        run.t[-1], x0=run.x[0], inputs=inputs, parameters=run.parameters, t_eval=times.ravel(), **taken
    )
    powers = simulator.power(dense.t, dense.x, dense.inputs, run.parameters)
    works = {}
    for name, values in powers.items():
        grown_by = np.zeros_like(h)
        grown_by[moving] = 0.5 * h[moving] * (values.reshape(times.shape) @ weights)
        works[name] = np.concatenate([[0.0], np.cumsum(grown_by)])
    return works


def _inputs_at(share: float, simulator: Simulator, run: Trajectory, inputs: Inputs) -> Array:
    """Return the inputs of each step after a share of it."""
    if not callable(inputs) or share == 0.0:
        return run.inputs[:-1]
    if share == 1.0:
        return run.inputs[1:]
    times = run.t[:-1] + share * np.diff(run.t)
    values = [[inputs(time)[name] for name in simulator.input_names] for time in times.tolist()]
    return np.array(values).reshape(len(times), len(simulator.input_names))


def _contradictions(
    simulator: Simulator,
    scheme: Staged,
    run: Trajectory,
    places: Sequence[_Place],
    powers: Sequence[Array],
    name: str,
) -> float:
    """Return by how much the stages of a scheme contradict each other; infinity where they are not compared."""
    if isinstance(scheme, Pair) or scheme.drifts:
        return math.inf
    first, last = scheme.c[0], scheme.c.index(max(scheme.c))
    between = [stage for stage in range(len(scheme.c)) if stage not in (0, last)]
    if not between:
        return math.inf
    t, x, h = run.t, run.x, np.diff(run.t)
    slopes = [simulator.rhs(*at) for at in places]

    def energy_at(end: Array) -> Array:
        values: Array = simulator.energy(t[:-1] + h, end, run.inputs[1:], run.parameters)[name]
        return values

    made, beside, trials = energy_at(x[1:]), [], []
    for stage in between:
        share = float((scheme.c[stage] - first) / (scheme.c[last] - first))
        beside.append(np.abs(powers[stage] - (1.0 - share) * powers[0] - share * powers[last]))
        slope = slopes[stage] + (float((_HALF - first) / (scheme.c[last] - first)) - share) * (slopes[last] - slopes[0])
        trials.append(np.abs(energy_at(x[:-1] + h[:, None] * slope) - made))
    return float(np.sum(2.0 * h * np.maximum.reduce(beside) + sum(trials)))


def stages(
    simulator: Simulator, scheme: Staged, t: Array, x: Array, inputs: Sequence[Array], parameters: Values | None
) -> Iterator[_Place]:
    """Yield time, state, inputs and parameters at the stages of the steps between states; `inputs` has one for each."""
    h, slopes = np.diff(t), list[Array]()

    def at(stage: int, state: Array) -> _Place:
        return t[:-1] + float(scheme.c[stage]) * h, state, inputs[stage], parameters

    if scheme.drifts:
        yield from _kicked(simulator, scheme, h, x[:-1], at)
        return
    if scheme.implicit:
        yield from (at(stage, state) for stage, state in enumerate(_iterated(simulator, scheme, h, x[:-1], at)))
        return
    for stage, row in enumerate(scheme.a):
        place = at(stage, x[:-1] + h[:, None] * _weighted(row, slopes))
        yield place
        if len(slopes) < len(scheme.b) - 1:  # nobody needs the last one
            slopes.append(simulator.rhs(*place))


def _kicked(
    simulator: Simulator, scheme: Staged, h: Array, x: Array, at: Callable[[int, Array], _Place]
) -> Iterator[_Place]:
    """Yield the kicks of a splitting: coordinates there, and the mean of what is kicked before and after."""
    x, half = x.copy(), x.shape[1] // 2
    for kick, (drift, weight) in enumerate(zip(scheme.drifts, scheme.b, strict=False)):
        x[:, :half] += float(drift) * h[:, None] * simulator.rhs(*at(kick, x))[:, :half]
        change = float(weight) * h[:, None] * simulator.rhs(*at(kick, x))[:, half:]
        yield at(kick, np.concatenate([x[:, :half], x[:, half:] + 0.5 * change], axis=1))
        x[:, half:] += change


def _iterated(
    simulator: Simulator, scheme: Staged, h: Array, x: Array, at: Callable[[int, Array], _Place]
) -> list[Array]:
    """Return the states of the stages of an implicit scheme: each from the slopes at all, as often as changes fall."""
    states, least = [x] * len(scheme.b), math.inf
    while True:
        slopes = [simulator.rhs(*at(stage, state)) for stage, state in enumerate(states)]
        renewed = [x + h[:, None] * _weighted(row, slopes) for row in scheme.a]
        change = max(float(np.abs(new - old).max()) for new, old in zip(renewed, states, strict=True))
        states = renewed
        if not 0.0 < change < least:
            return states
        least = change


def grown(scheme: Staged, t: Array, powers: Sequence[Array]) -> Array:
    """Return the work up to each time from the powers at the stages of the steps between."""
    return np.concatenate([[0.0], np.cumsum(np.diff(t) * _weighted(scheme.b, powers))])


def _weighted(weights: Sequence[Fraction | int], values: Sequence[Array]) -> Array | float:
    """Return a sum with weights, those that are zero or missing left out."""
    return sum((float(weight) * value for weight, value in zip(weights, values, strict=False) if weight), 0.0)


def consistent_inputs(model: Model, values: Mapping[str, float]) -> Inputs:
    """Return inputs that are held at `values`, or that move as their derivatives say where these are inputs, too.

    A signal z with z' and z'' among the inputs becomes z + z' t + z'' t^2 / 2, and z' becomes z' + z'' t.
    """
    names = {signal.symbol: signal.name for signal in model.inputs}
    start = {signal.name: values.get(signal.name, signal.value) for signal in model.inputs}
    chains: dict[str, list[float]] = {}
    for symbol, name in names.items():
        chains[name] = []
        while symbol in names:
            chains[name].append(start[names[symbol]])
            symbol = symbol.diff(model.time)
    if all(len(chain) == 1 for chain in chains.values()):
        return start
    return lambda t: {
        name: sum(value * t**k / math.factorial(k) for k, value in enumerate(chain)) for name, chain in chains.items()
    }
