"""The methods against each other: q'' and multipliers at the same q and q'.

That the emitted C agrees with the reference of its own method says nothing of the method: what none of the energies
knows (a velocity that is no rate of a position) both leave out. So the references of the methods, which start from
rates of momentum or from energies, are compared at the same motions.

How well values are known is found out by moving states and parameters by their last digits: values that are rounding
alone change as a whole, and those of a badly conditioned mechanism by as much as its condition number says.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eomc.analysis.agreement import Samples, draw
from eomc.binding.vectors import Array
from eomc.model import Model
from eomc.reference import Reference, reference

MOTION_TOLERANCE = 1e-10
_DIGIT = 1e-13  # by which states and parameters are moved, relatively
_MOVES = 2
_ERRORS = 100.0  # times what a move changes


@dataclass(frozen=True, slots=True)
class MethodAgreement:
    """How far q'' or the multipliers by `method` are from those by `native`, beside their own size."""

    method: str
    native: str
    quantity: str  # "q''" or "multipliers"
    size: int
    worst: float

    @property
    def tolerance(self) -> float:
        """What is near enough."""
        return MOTION_TOLERANCE

    @property
    def holds(self) -> bool:
        """Whether it is near enough; NaN is not."""
        return self.worst <= MOTION_TOLERANCE


def compare_methods(
    model: Model, methods: Sequence[str], count: int = 20, seed: int = 0
) -> tuple[MethodAgreement, ...]:
    """Compare the motions by all other methods with that by the first.

    Parameters
    ----------
    model
        The mechanism.
    methods
        Methods that serve it, `model.methods` say.
    count, seed
        Number of random motions, and the seed of their generator.

    Raises
    ------
    ModelError
        Too few random states are well-conditioned.
    """
    if len(methods) < 2:
        return ()
    first = reference(model, methods[0])
    groups = [_moved(samples, number) for number, samples in enumerate(draw(first, count, seed))]
    motions = [[_motion(first, samples, samples.states) for samples in group] for group in groups]
    found = []
    for method in methods[1:]:
        other = reference(model, method)
        momenta = reference(model, "lagrange") if method.startswith("hamilton") else None
        worst: dict[str, float] = {}
        for group, ours in zip(groups, motions, strict=True):
            theirs = [
                _motion(other, samples, _state(first, momenta, other, samples, samples.states)) for samples in group
            ]
            for quantity in sorted(ours[0].keys() & theirs[0].keys()):
                distance = _distance([one[quantity] for one in ours], [one[quantity] for one in theirs])
                worst[quantity] = float(np.maximum(worst.get(quantity, 0.0), distance))  # NaN stays
        sizes = {quantity: rows.shape[1] for quantity, rows in motions[0][0].items()}
        found += [MethodAgreement(method, methods[0], name, sizes[name], far) for name, far in worst.items()]
    return tuple(found)


def _moved(samples: Samples, seed: int) -> list[Samples]:
    """Return states at one time, then the same with the last digits of states and parameters moved."""
    generator = np.random.default_rng(seed)
    moved = [samples]
    for _ in range(_MOVES):
        states, parameters = (
            values * (1.0 + _DIGIT * generator.uniform(-1.0, 1.0, values.shape))
            for values in (samples.states, samples.parameters)
        )
        moved.append(replace(samples, states=states, parameters=parameters))
    return moved


def _distance(ours: Sequence[Array], theirs: Sequence[Array]) -> float:
    """Return the worst |a - b| beside the values and what is unknown of them."""
    a, b = ours[0], theirs[0]
    unknown = sum(np.max([np.abs(row - rows[0]) for row in rows[1:]], axis=(0, 1)) for rows in (ours, theirs))
    scale = np.maximum(np.abs(a), np.abs(b)) + _ERRORS / MOTION_TOLERANCE * unknown
    distance = np.abs(a - b)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.max(np.where(distance == 0.0, 0.0, distance / scale), initial=0.0))


def _motion(source: Reference, samples: Samples, states: Array) -> dict[str, Array]:
    """Return q'' and the multipliers lambda at some states of a method."""
    given = samples.time, states, samples.inputs, samples.parameters
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # rows of NaN count as differences
        found = {"q''": source.accelerations(*given)}
        multipliers = [] if source.method == "hamilton" else list(source.multipliers(*given).values())  # sigma
    if multipliers:
        found["multipliers"] = np.stack([np.asarray(row, dtype=np.float64) for row in multipliers], axis=1)
    return found


def _state(first: Reference, momenta: Reference | None, other: Reference, samples: Samples, states: Array) -> Array:
    """Return states of another method with the same q, q' and extra states."""
    if other.state_names == first.state_names:
        return states
    given = samples.time, states, samples.inputs, samples.parameters
    model = first.model
    places, extra = states[:, : len(model.coordinates)], states[:, states.shape[1] - len(model.extra_states) :]
    carried = np.concatenate([places, first.velocities(*given), extra], axis=1)
    if momenta is None:
        return carried
    found = momenta.momenta(samples.time, carried, samples.inputs, samples.parameters)
    second = np.stack([np.asarray(p, dtype=np.float64) for p in found.values()], axis=1)
    return np.concatenate([places, second, extra], axis=1)
