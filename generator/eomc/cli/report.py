"""Write a report: a page with the motion, the equations and what there is to know."""

from __future__ import annotations

import argparse

from eomc.cli.arguments import add_compile_options, add_follow, add_model, add_output, add_run, add_speed
from eomc.cli.destinations import refuse_destination
from eomc.cli.motions import check_span_and_scheme, motion, prepare, tell_written
from eomc.cli.steps import add_steps
from eomc.cli.terminal import working
from eomc.integrators import DEFAULT


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_output(parser, "write the page there, in .html; it needs nothing beside it, no network either")
    add_speed(parser)
    add_follow(parser)
    parser.add_argument(
        "--live",
        action="store_true",
        help="add a simulator that runs in the page: the emitted C in WebAssembly, by clang and lld, of a scheme of "
        "fixed steps that is explicit",
    )
    add_run(parser, starts=True)
    add_steps(parser)
    add_compile_options(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything that can be checked at once, then derive, build, run and write."""
    if options.live and options.integrator is None and options.rtol is None and options.atol is None:
        options.integrator = DEFAULT.name  # also of models with events, which go to a tolerance else
    check_span_and_scheme(options)
    from eomc.report import page, refuse_unwritable, write_report

    refuse_destination("--output", options.output)
    refuse_unwritable(options.output, "--output: ")
    if options.live:
        from eomc.live import refuse_without_tools

        refuse_without_tools()
    prepared = prepare(options)
    with working(f"simulating {prepared.model.name}"):
        trajectory, failure = motion(options, prepared)
    with working(f"writing the report of {prepared.model.name}"):
        text = page(
            prepared.build,
            trajectory,
            ended=failure,
            speed=options.speed,
            follow=options.follow,
            named=options.model,
            live=prepared.build.for_a_page() if options.live else None,
            dt=options.dt,
        )
        write_report(options.output, text)
    return tell_written(options.output, failure)
