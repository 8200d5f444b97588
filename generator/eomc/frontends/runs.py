"""Runs that show shipped models, where ten seconds in steps of a millisecond do not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """How long a motion is followed [s], in which steps [s], and against drift from the constraints by which means."""

    t_end: float = 10.0
    dt: float = 1e-3
    stabilization: str = "none"


_RUNS = {
    "andrews_squeezer": Run(t_end=0.03, dt=1e-5),  # the benchmark's; its torque turns it ever faster
    "n_four_bar": Run(stabilization="projection"),  # passes states in which constraints depend on each other
    "slider_crank": Run(stabilization="projection"),  # likewise
}


def run_of(spec: object) -> Run:
    """Return the run of a model as `eomc.load` takes it; the usual one of what is not shipped.

    Examples
    --------
    >>> run_of("n_four_bar:4").stabilization, run_of("robot.urdf").t_end
    ('projection', 10.0)
    """
    return _RUNS.get(str(spec).partition(":")[0], Run())
