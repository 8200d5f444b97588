"""Model exchange as an importer does it: SciPy's integrator, signs of indicators alone, events, step events."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

import numpy as np
from importer import Instance
from scipy.integrate import DOP853


class EventInfo(ctypes.Structure):
    """What event mode brings."""

    _fields_ = (
        ("needed", ctypes.c_int),
        ("terminate", ctypes.c_int),
        ("nominals_changed", ctypes.c_int),
        ("values_changed", ctypes.c_int),
        ("timed", ctypes.c_int),
        ("next_time", ctypes.c_double),
    )


@dataclass
class Motion:
    """What a run came to."""

    t: list[float] = field(default_factory=list)  # ends of steps
    x: list[np.ndarray] = field(default_factory=list)
    events: list[float] = field(default_factory=list)  # times at which states were changed, or the motion ended
    entered: int = 0  # how often event mode was
    ended: bool = False


def indicators(one: Instance, t: float, x: np.ndarray) -> np.ndarray:
    """Return the indicators at a time and a state."""
    count = int(one.importer.root.get("numberOfEventIndicators"))
    numbers, z = (ctypes.c_double * len(x))(*x), (ctypes.c_double * count)()
    one.must("SetTime", float(t))
    one.must("SetContinuousStates", numbers, ctypes.c_size_t(len(x)))
    one.must("GetEventIndicators", z, ctypes.c_size_t(count))
    return np.array(z)


def discrete(one: Instance) -> EventInfo:
    """Update discrete states until nothing changes; the instance is in event mode."""
    info, changed, needed = EventInfo(), 0, True
    while needed:
        one.must("NewDiscreteStates", ctypes.byref(info))
        changed |= info.values_changed
        needed = bool(info.needed) and not info.terminate
    info.values_changed = changed
    return info


def states(one: Instance, n: int) -> np.ndarray:
    """Return the continuous states."""
    numbers = (ctypes.c_double * n)()
    one.must("GetContinuousStates", numbers, ctypes.c_size_t(n))
    return np.array(numbers)


def exchange(
    one: Instance, t_end: float, tolerance: float = 1e-10, longest: float = np.inf, looks: bool = True
) -> Motion:
    """Integrate an instance that is initialized to a time, or to the event that ends its motion.

    Without `looks` the importer trusts to step events: it does not look at indicators.
    """
    motion, t, n = Motion(), 0.0, len(one.importer.states)
    info = discrete(one)
    motion.ended = bool(info.terminate)
    one.must("EnterContinuousTimeMode")
    x = states(one, n)
    motion.t, motion.x = [t], [x]
    while t < t_end and not motion.ended:
        bound = min(t_end, info.next_time) if info.timed else t_end
        z = indicators(one, t, x)
        assert np.all(z != 0.0)
        solver = DOP853(lambda s, y: one.rates_at(s, y), t, x, bound, longest, tolerance, tolerance)
        event = False
        while solver.status == "running" and not event:
            solver.step()
            t, x = solver.t, solver.y
            after = indicators(one, t, x)
            if looks and np.any((after > 0.0) != (z > 0.0)):
                t, x = _located(one, solver, z)
                event = True
            indicators(one, t, x)
            enters, ends = ctypes.c_int(), ctypes.c_int()
            one.must("CompletedIntegratorStep", 1, ctypes.byref(enters), ctypes.byref(ends))
            event, motion.ended = event or bool(enters.value), bool(ends.value)
            motion.t.append(t)
            motion.x.append(x)
        if event or (info.timed and t == info.next_time):
            one.must("EnterEventMode")
            info = discrete(one)
            motion.entered += 1
            motion.ended = bool(info.terminate)
            x = states(one, n)
            if info.values_changed or motion.ended:
                motion.events.append(t)
            one.must("EnterContinuousTimeMode")
            motion.t.append(t)
            motion.x.append(x)
    return motion


def _located(one: Instance, solver: DOP853, z: np.ndarray) -> tuple[float, np.ndarray]:
    """Halve the last step until its first change of a sign is found: time and state are just past it."""
    between, low, high = solver.dense_output(), solver.t_old, solver.t
    for _ in range(100):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if np.any((indicators(one, middle, between(middle)) > 0.0) != (z > 0.0)):
            high = middle
        else:
            low = middle
    return high, between(high)
