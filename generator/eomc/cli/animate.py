"""Simulate a model and write a picture that moves."""

from __future__ import annotations

import argparse
import os

from eomc.cli.arguments import (
    add_algorithm,
    add_constraints,
    add_math,
    add_method,
    add_model,
    add_real,
    add_run,
    add_units,
    compile_options,
    file_or_folder,
    positive,
)
from eomc.cli.assignments import parameters_and_inputs
from eomc.cli.failures import DONE
from eomc.cli.initial import initial_values
from eomc.cli.steps import add_steps, chosen, step_keywords
from eomc.cli.terminal import working
from eomc.errors import EomcError, OutputError, RunError, UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=file_or_folder,
        required=True,
        help="write the picture there, as its ending says: .svg (of planar motions), .glb, .webp or .html",
    )
    parser.add_argument(
        "--speed", metavar="V", type=positive, default=1.0, help="seconds of the motion in one of the picture; 1"
    )
    parser.add_argument("--fps", metavar="V", type=positive, default=25.0, help="frames a second of .webp; 25")
    parser.add_argument("--follow", metavar="NAME", help="body, link or point that stays where it is in the picture")
    add_run(parser, starts=True)
    add_steps(parser)
    add_method(parser)
    add_constraints(parser)
    add_algorithm(parser)
    add_real(parser)
    add_math(parser)
    add_units(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything that can be checked at once, then derive, build, run and draw."""
    if options.t_end < options.t0:
        raise UsageError(f"--t-end {options.t_end:g} lies before the start, --t0 {options.t0:g}")
    if options.integrator is not None:
        chosen(options)
    _check_destination(options)
    import eomc

    model = eomc.load(options.model)
    integrator = chosen(options, bool(model.events))
    parameters, inputs = parameters_and_inputs(options, model)
    initial = initial_values(model, options.method, options.init)
    with working(f"building {model.name}"):
        build = eomc.compile(model, integrator=integrator.asked, **compile_options(options))
        simulator = build.load()
        start = simulator.state(initial.coordinates, initial.speeds, options.t0, parameters, initial.momenta, inputs)
    failure: RunError | None = None
    with working(f"simulating {model.name}"):
        try:
            trajectory = simulator.simulate(
                t0=options.t0,
                t_end=options.t_end,
                **step_keywords(options, integrator, simulator.state_names, model.name),
                x0=start,
                inputs=inputs,
                parameters=parameters,
            )
        except RunError as error:
            if error.trajectory is None:
                raise
            trajectory, failure = error.trajectory, error
    with working(f"drawing {model.name}"):
        try:
            trajectory.animate(options.output, speed=options.speed, fps=options.fps, follow=options.follow)
        except EomcError:
            if failure is not None:  # says more than that its end cannot be drawn
                raise failure from None
            raise
    print(f"{options.output}: {options.output.stat().st_size / 1000:.1f} kB")
    if failure is not None:  # told after the motion that there is
        raise failure
    return DONE


def _check_destination(options: argparse.Namespace) -> None:
    """Refuse early what would fail only after the work."""
    from eomc.pictures import refuse_unwritable

    path = options.output
    if path.is_dir():
        raise OutputError(f"--output: {path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise OutputError(f"--output: the folder {path.parent} does not exist; make it first")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"--output: {path} cannot be written; name another file")
    refuse_unwritable(path, "--output: ")
