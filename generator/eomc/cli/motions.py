"""A motion on the command line: what simulate, animate and report ask for, check, build and run alike."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eomc.cli.arguments import compile_options, take_run
from eomc.cli.assignments import parameters_and_inputs
from eomc.cli.failures import DONE
from eomc.cli.initial import initial_values
from eomc.cli.steps import chosen, step_keywords
from eomc.cli.terminal import working
from eomc.errors import RunError, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from eomc.binding import Simulator, Trajectory
    from eomc.build import Build
    from eomc.integrators import Integrator
    from eomc.model import Model


@dataclass(frozen=True, slots=True)
class Prepared:
    """A build that is loaded, and where its motion starts with which values."""

    model: Model
    integrator: Integrator
    build: Build
    simulator: Simulator
    start: NDArray[np.float64]
    parameters: dict[str, float]
    inputs: dict[str, float]


def check_span_and_scheme(options: argparse.Namespace) -> None:
    """Refuse what the options alone tell to be wrong, before a model is read."""
    if options.t_end is not None:
        _check_end(options)
    if options.integrator is not None:
        chosen(options)


def _check_end(options: argparse.Namespace) -> None:
    if options.t_end < options.t0:
        raise UsageError(f"--t-end {options.t_end:g} lies before the start, --t0 {options.t0:g}")


def prepare(options: argparse.Namespace) -> Prepared:
    """Read the model, check every name, then derive and build."""
    import eomc

    model = eomc.load(options.model)
    take_run(options, model)
    _check_end(options)
    integrator = chosen(options, bool(model.events))
    parameters, inputs = parameters_and_inputs(options, model)
    initial = initial_values(model, options.method, options.init)
    with working(f"building {model.name}"):
        build = eomc.compile(model, integrator=integrator.asked, **compile_options(options))
        simulator = build.load()
        start = simulator.state(initial.coordinates, initial.speeds, options.t0, parameters, initial.momenta, inputs)
    return Prepared(model, integrator, build, simulator, start, parameters, inputs)


def motion(options: argparse.Namespace, prepared: Prepared, **more: Any) -> tuple[Trajectory, RunError | None]:
    """Return the motion, as far as it went, and what ended it early.

    Raises
    ------
    RunError
        There is no motion at all.
    """
    simulator = prepared.simulator
    steps = step_keywords(options, prepared.integrator, simulator.state_names, prepared.model.name)
    try:
        trajectory = simulator.simulate(
            t0=options.t0,
            t_end=options.t_end,
            **steps,
            x0=prepared.start,
            inputs=prepared.inputs,
            parameters=prepared.parameters,
            **more,
        )
    except RunError as error:
        if error.trajectory is None:
            raise
        return error.trajectory, error
    return trajectory, None


def tell_written(path: Path, failure: RunError | None) -> int:
    """Say how large a file of a motion is, then raise what ended the motion early."""
    print(f"{path}: {path.stat().st_size / 1000:.1f} kB")
    if failure is not None:
        raise failure
    return DONE
