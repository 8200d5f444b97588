"""Write a report: a page with the motion, the equations and what there is to know."""

from __future__ import annotations

import argparse
import shlex

from eomc.cli.arguments import add_compile_options, add_model, add_run, file_or_folder, positive
from eomc.cli.destinations import refuse_destination
from eomc.cli.failures import DONE
from eomc.cli.motions import check_span_and_scheme, motion, prepare
from eomc.cli.steps import add_steps
from eomc.cli.terminal import working


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=file_or_folder,
        required=True,
        help="write the page there, in .html; it needs nothing beside it, no network either",
    )
    parser.add_argument(
        "--speed", metavar="V", type=positive, default=1.0, help="seconds of the motion in one of the picture; 1"
    )
    parser.add_argument("--follow", metavar="NAME", help="body, link or point that stays where it is in the picture")
    add_run(parser, starts=True)
    add_steps(parser)
    add_compile_options(parser)


def run(options: argparse.Namespace) -> int:
    """Check everything that can be checked at once, then derive, build, run and write."""
    check_span_and_scheme(options)
    from eomc.report import refuse_unwritable, write_report

    refuse_destination("--output", options.output)
    refuse_unwritable(options.output, "--output: ")
    prepared = prepare(options)
    with working(f"simulating {prepared.model.name}"):
        trajectory, failure = motion(options, prepared)
    with working(f"writing the report of {prepared.model.name}"):
        write_report(
            prepared.build,
            options.output,
            trajectory,
            ended="" if failure is None else f"It ended early: {failure}",
            speed=options.speed,
            follow=options.follow,
            command=_command(options),
        )
    print(f"{options.output}: {options.output.stat().st_size / 1000:.1f} kB")
    if failure is not None:  # told after the page that there is
        raise failure
    return DONE


def _command(options: argparse.Namespace) -> str:
    """Return the command that prints the equations of this report."""
    words = ["eomc", "equations", options.model]
    usual = {"method": None, "constraints": "eliminated", "stabilization": "none", "algorithm": "auto"}
    for name, otherwise in usual.items():
        if getattr(options, name) != otherwise:
            words += [f"--{name}", getattr(options, name)]
    return shlex.join(words)
