"""Energy balance of a run: E(t) - E(0) against the work, the time integral of the power.

The motion is integrated by the emitted C, the power by the same rule of Runge-Kutta, at the same four stages of each
step: as if the work were one more state. The balance holds when E(t) - E(0) and the work differ by less than 1e-8 of
the largest |T| or |V|. Where forces have kinks or jumps (friction), steps across them are of lower order, and what the
four stages contradict each other by is allowed, too: the differences |P2 - P3| and |P1 - P2 - P3 + P4| of their powers
times h, and those of the energies after whole steps with the second and with the third slope from the energy after the
step that was made. All are of third order where nothing has a kink. No more is allowed than twice what a run with half
the step differs by; and where the allowance passes 1e-3 of the energy turned over, nothing can be told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.errors import UnsupportedError
from eomc.passes.smoothness import is_smooth

if TYPE_CHECKING:
    from eomc.binding import Simulator, Trajectory
    from eomc.binding.vectors import Values
    from eomc.model import Model
    from eomc.pipeline import Build

__all__ = [
    "TOLERANCE",
    "WORTH",
    "Balance",
    "Inputs",
    "balance",
    "consistent_inputs",
    "is_smooth_motion",
    "least_tolerance",
    "stages",
]

TOLERANCE = 1e-8
WORTH = 1e-3  # an allowance that is more of the energy turned over proves nothing
_MARGIN = 2.0  # times what a run with half the step differs by
_ROUNDINGS = 1e3  # of a float, over a run

_Array = NDArray[np.float64]
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
    build: Build,
    t_end: float = 10.0,
    dt: float = 1e-3,
    x0: ArrayLike | None = None,
    inputs: Inputs = None,
    parameters: Mapping[str, float] | None = None,
) -> Balance:
    """Run a model and compare its change of energy with the work.

    Parameters
    ----------
    build
        Result of `eomc.compile`.
    t_end, dt, x0, inputs, parameters
        The run, as `Simulator.simulate` takes it, from t = 0.

    Raises
    ------
    UnsupportedError
        The power that changes the energy cannot be derived; the message says why.
    RunError
        The run ends early.
    """
    equations = build.equations
    if equations.no_power:
        raise UnsupportedError(f"{build.model.name} by {build.method} has no energy balance: {equations.no_power}")
    simulator = build.load()
    run = simulator.simulate(t_end, dt, x0, inputs=inputs, parameters=parameters)
    found, curve, contradictions = _balanced(build, simulator, run, inputs)
    if found.defect <= found.tolerance or is_smooth_motion(build) or len(run.t) == 1:
        return found
    # Where nothing is smooth, half the step tells how exact the first run was; NaN allows nothing.
    half = simulator.simulate(t_end, dt / 2.0, x0, inputs=inputs, parameters=parameters)
    _, finer, _ = _balanced(build, simulator, half, inputs)
    at = np.searchsorted(half.t, run.t - 0.25 * dt)
    apart = float(np.abs(curve - finer[np.minimum(at, len(finer) - 1)]).max())
    allowance = min(contradictions, _MARGIN * apart)
    return replace(found, tolerance=found.tolerance + allowance, allowance=allowance)


def is_smooth_motion(build: Build) -> bool:
    """Whether the rates have no kinks and no jumps."""
    equations = build.equations
    return is_smooth(equations.graph, [*equations.rates, *equations.accelerations, *equations.extra_rates])


def least_tolerance(real: str) -> float:
    """Return the part of the largest |T| or |V| by which a balance may be off: by the steps and by rounding."""
    return max(TOLERANCE, _ROUNDINGS * float(np.finfo(np.float32 if real == "float" else np.float64).eps))


def _balanced(build: Build, simulator: Simulator, run: Trajectory, inputs: Inputs) -> tuple[Balance, _Array, float]:
    """Return the balance of a run, E - E(0) - work at its times, and by how much the stages contradict each other."""
    name = build.equations.powers[-1].name
    energies = simulator.energy(run.t, run.x, run.inputs, run.parameters)
    energy = energies[name]
    works, contradictions = _works(simulator, run, inputs, name)
    change, work = energy - energy[0], works[name]
    known: dict[str, _Array] = {part: energies[part] for part in ("kinetic", "potential") if part in energies}
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
        works=tuple((cause, float(values[-1])) for cause, values in works.items() if cause != name),
        work=float(work[-1]),
        defect=float(np.abs(curve).max()),
        tolerance=least_tolerance(build.real) * size,
        allowance=0.0,
        turnover=float(np.max(turned)),
        residual=residual,
    )
    return found, curve, contradictions


def _works(simulator: Simulator, run: Trajectory, inputs: Inputs, energy: str) -> tuple[dict[str, _Array], float]:
    """Return the works up to each time, by name, and by how much stages contradict each other, summed over the run."""
    if len(run.t) == 1:
        powers = simulator.power(run.t[0], run.x[0], run.inputs[0], run.parameters)
        return {name: np.zeros(1) for name in powers}, 0.0
    t, x, r = run.t[:-1], run.x[:-1], run.inputs
    h = np.diff(run.t)
    between = r[:-1]
    if callable(inputs):
        names = simulator.input_names
        between = np.array([[inputs(time)[name] for name in names] for time in (t + 0.5 * h).tolist()])
    between = between.reshape(len(t), r.shape[1])
    found = list(stages(simulator, run.t, run.x, (r[:-1], between, r[1:]), run.parameters))
    slopes, steps = [slope for slope, _ in found], [power for _, power in found]
    works = {}
    for name in steps[0]:
        first, second, third, fourth = (power[name] for power in steps)
        grown = np.cumsum(h * (first + 2.0 * (second + third) + fourth) / 6.0)
        works[name] = np.concatenate([[0.0], grown])
    first, second, third, fourth = (power[energy] for power in steps)
    contradictions = h * (np.abs(second - third) + np.abs(first - second - third + fourth))
    made, *tried = (
        simulator.energy(t + h, end, r[1:], run.parameters)[energy]
        for end in (run.x[1:], x + h[:, None] * slopes[1], x + h[:, None] * slopes[2])
    )
    return works, float(np.sum(contradictions + sum(np.abs(trial - made) for trial in tried)))


def stages(
    simulator: Simulator, t: _Array, x: _Array, inputs: Sequence[_Array], parameters: Values | None
) -> Iterator[tuple[_Array, dict[str, _Array]]]:
    """Yield slopes and powers at the four stages of the steps between states; the slope of the third comes twice."""
    h, slope = np.diff(t), np.zeros_like(x[:-1])
    for share, given in zip((0.0, 0.5, 0.5, 1.0), (inputs[0], inputs[1], inputs[1], inputs[2]), strict=True):
        at = (t[:-1] + share * h, x[:-1] + share * h[:, None] * slope, given, parameters)
        if share < 1.0:
            slope = simulator.rhs(*at)
        yield slope, simulator.power(*at)


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
