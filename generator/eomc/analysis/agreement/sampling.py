"""Random admissible states, with parameters to go with them: half of them the defaults, half over decades."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from eomc.analysis.agreement.parameters import Near, Wide, soundness
from eomc.binding.vectors import Array
from eomc.errors import ModelError
from eomc.reference import Reference

CONDITION_LIMIT = 1e6
SOLVABLE_LIMIT = 1e12  # beyond it a solution has hardly a digit that another way to it has, too
_GROUPS = 5  # the samples with default parameters share this many times; so do those that are near them
_ROUNDS = 50
_ROUNDS_OF_ILL = 10  # that find none which is well-conditioned, before others are taken
_TRIES = (1, 1, 2, 4, 8, 16, 18)  # sets of parameters that are tried for a sample: 50, more and more at once
_LATEST = 10.0  # s
_SHARES = (1.0, 1.0, 0.5, 0.5, 0.25, 0.1)  # of the way that parameters near the defaults go
_LOOKS = 8  # states that tell whether constraints can be closed


@dataclass(frozen=True, slots=True)
class Samples:
    """Some states at one time, with one set of parameters."""

    time: float
    states: Array  # (k, nx)
    inputs: Array  # (k, nr)
    parameters: Array  # (np,)
    near: bool = False  # parameters within 25 % of the defaults, where none over decades did
    ill: bool = False  # the condition number is between the two limits


def near_defaults(samples: Iterable[Samples]) -> int:
    """Return how many of the samples should have had parameters over decades, and have some near the defaults."""
    return sum(len(one.states) for one in samples if one.near)


def draw(source: Reference, count: int, seed: int, ill: bool = False) -> list[Samples]:
    """Return `count` well-conditioned admissible states in groups; the same ones for the same `seed`.

    Parameters
    ----------
    source
        The reference.
    count, seed
        Number of states, and the seed of their generator.
    ill
        Where there are none, take ill-conditioned ones with the default parameters, or with others near these.

    Raises
    ------
    ModelError
        Too few states of the model's ranges are well-conditioned.
    """
    generator = np.random.default_rng(seed)
    nominal = np.array([one.value for one in source.model.parameters], dtype=np.float64)
    varied = count // 2 if len(nominal) else 0
    groups = []
    for number, size in enumerate(_shares(count - varied)):
        time = float(generator.uniform(0.0, _LATEST)) if number else 0.0
        groups.append(_group(source, generator, size, time, nominal, ill=ill))
    found = _over_decades(source, generator, varied, groups[0]) if varied else []
    near = Near(source)
    rest = [_near_group(source, generator, size, near, ill) for size in _shares(varied - len(found))]
    return [*groups, *found, *rest]


def _shares(count: int) -> list[int]:
    """Divide a number into a few that are nearly equal."""
    return [len(part) for part in np.array_split(np.arange(count), min(count, _GROUPS))] if count else []


def _group(
    source: Reference,
    generator: np.random.Generator,
    size: int,
    time: float,
    parameters: Array,
    near: bool = False,
    ill: bool = False,
) -> Samples:
    """Return states that are well-conditioned with these parameters; where none is and `ill` says so, others."""
    found = others = np.empty((0, len(source.state_names)))
    for number in range(_ROUNDS):
        states = source.random_state(generator, size, time, parameters)
        condition = source.condition(time, states, parameters=parameters)
        found = np.concatenate([found, states[condition < CONDITION_LIMIT]])[:size]
        if len(found) == size:
            return Samples(time, found, _inputs(source, generator, size), parameters, near)
        if ill and not len(found):
            others = np.concatenate([others, states[condition < SOLVABLE_LIMIT]])[:size]
            if number >= _ROUNDS_OF_ILL and len(others) == size:
                return Samples(time, others, _inputs(source, generator, size), parameters, near, ill=True)
    blamed = [] if len(found) else _zeros_to_blame(source, time, states, parameters)
    if blamed:
        raise ModelError(
            f"{source.model.name}: the mass matrix is singular at all random states with the default parameters, where "
            f"{' and '.join(blamed)} {'is' if len(blamed) == 1 else 'are'} zero: give {' and '.join(blamed)} another "
            "value"
        )
    raise ModelError(
        f"{source.model.name}: hardly any random state has a mass matrix with a condition number below "
        f"{CONDITION_LIMIT:g}; give ranges of coordinates that keep away from singular configurations"
    )


def _zeros_to_blame(source: Reference, time: float, states: Array, parameters: Array) -> list[str]:
    """Return parameters that are zero and with other values give states an invertible mass matrix; few that suffice."""

    def is_regular(values: Array) -> bool:
        return bool(np.any(source.condition(time, states, parameters=values) < CONDITION_LIMIT))

    zeros = np.flatnonzero(parameters == 0.0)
    units = [one.unit for one in source.model.parameters]
    filled = parameters.copy()
    for k in zeros:
        alike = [abs(value) for value, unit in zip(parameters, units, strict=True) if unit == units[k]]
        filled[k] = max(alike) or 1.0
    if not len(zeros) or not is_regular(filled):
        return []
    for k in zeros:
        without = filled.copy()
        without[k] = 0.0
        filled = without if is_regular(without) else filled
    return [source.parameter_names[k] for k in zeros if filled[k]]


def _near_group(source: Reference, generator: np.random.Generator, size: int, near: Near, ill: bool = False) -> Samples:
    """Return states with parameters near the defaults with which the constraints can be closed; ever nearer ones."""
    for share in _SHARES:
        time = float(generator.uniform(0.0, _LATEST))
        parameters = near.draw(generator, time, share)
        _, admitted = source.candidates(generator, np.full(_LOOKS, time), np.tile(parameters, (_LOOKS, 1)))
        if np.any(admitted):
            break
    return _group(source, generator, size, time, parameters, near=True, ill=ill)


def _over_decades(source: Reference, generator: np.random.Generator, count: int, usual: Samples) -> list[Samples]:
    """Return samples with parameters of their own, as many of `count` as there are in 50 tries for each.

    The constraints can be closed, the condition number is small, values exist as with the defaults, and the mass matrix
    is as definite.
    """
    wide = Wide(source)
    at = np.full(len(usual.states), usual.time)
    values, definite = soundness(source, at, usual.states, np.tile(usual.parameters, (len(at), 1)))
    exist = np.isfinite(values).any(axis=0)
    found: list[Samples] = []
    for tries in _TRIES:
        left = count - len(found)
        if not left:
            break
        samples = np.repeat(np.arange(left), tries)
        parameters, possible = wide.draw(generator, len(samples))
        samples, parameters = samples[possible], parameters[possible]
        times = generator.uniform(0.0, _LATEST, len(samples))
        states, admitted = source.candidates(generator, times, parameters)
        rows = np.flatnonzero(admitted & np.all(np.isfinite(states), axis=1))
        if len(rows):
            here = (times[rows], states[rows])
            values, now = soundness(source, *here, parameters[rows])
            conditions = source.condition(*here, None, parameters[rows])
            sound = np.all(np.isfinite(values[:, exist]), axis=1) & np.isin(now, definite)
            rows = rows[sound & (conditions < CONDITION_LIMIT)]
        _, first = np.unique(samples[rows], return_index=True)  # of the tries for one sample
        for row in rows[first].tolist():
            inputs = _inputs(source, generator, 1)
            found.append(Samples(float(times[row]), states[row : row + 1], inputs, parameters[row]))
    return found


def _inputs(source: Reference, generator: np.random.Generator, count: int) -> Array:
    """Return inputs (count, nr) that vary by their own size, or by 1."""
    held = np.array([one.value for one in source.model.inputs], dtype=np.float64)
    return held + (1.0 + np.abs(held)) * generator.uniform(-1.0, 1.0, (count, len(held)))
