"""Simulate a model and write a picture that moves."""

from __future__ import annotations

import argparse

from eomc.cli.arguments import (
    add_compile_options,
    add_follow,
    add_model,
    add_output,
    add_run,
    add_speed,
    count,
    positive,
)
from eomc.cli.destinations import refuse_destination
from eomc.cli.motions import check_span_and_scheme, motion, prepare, tell_written
from eomc.cli.steps import add_steps
from eomc.cli.terminal import working
from eomc.errors import EomcError


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_output(parser, "write the picture there, as its ending says: .svg (of planar motions), .glb, .webp or .html")
    add_speed(parser)
    parser.add_argument("--fps", metavar="V", type=positive, default=25.0, help="frames a second of .webp; 25")
    parser.add_argument("--pixels", metavar="N", type=count, default=480, help="of .webp, along its longer side; 480")
    add_follow(parser)
    add_run(parser, starts=True)
    add_steps(parser)
    add_compile_options(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything that can be checked at once, then derive, build, run and draw."""
    check_span_and_scheme(options)
    from eomc.pictures import refuse_unwritable

    refuse_destination("--output", options.output)
    refuse_unwritable(options.output, "--output: ")
    prepared = prepare(options)
    model = prepared.model
    with working(f"simulating {model.name}"):
        trajectory, failure = motion(options, prepared)
    with working(f"drawing {model.name}"):
        try:
            seen = {"speed": options.speed, "fps": options.fps, "pixels": options.pixels, "follow": options.follow}
            trajectory.animate(options.output, **seen)
        except EomcError:
            if failure is not None:  # says more than that its end cannot be drawn
                raise failure from None
            raise
    return tell_written(options.output, failure)
