"""Write a Functional Mock-up Unit, which other simulators import."""

from __future__ import annotations

import argparse
from pathlib import Path

from eomc.cli.arguments import (
    add_algorithm,
    add_constraints,
    add_math,
    add_method,
    add_model,
    add_optimize,
    add_units,
    compile_options,
    file_or_folder,
    positive,
)
from eomc.cli.failures import DONE
from eomc.cli.terminal import working
from eomc.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=file_or_folder, help="file to write, ./build/<model>.fmu by default"
    )
    parser.add_argument(
        "--dt",
        metavar="S",
        type=positive,
        help="longest step of co-simulation in s; of the model's usual run by default, 0.001. A communication step is "
        "whole ones, then a shorter",
    )
    parser.add_argument(
        "--integrator",
        metavar="I",
        help="scheme of the steps of co-simulation; rk4 by default, dop853 for a model with events",
    )
    parser.add_argument(
        "--fmi",
        choices=("2", "3"),
        default="2",
        help="version of the interface: 2 by default, read by more importers, or 3",
    )
    parser.add_argument(
        "--exchange",
        choices=("baumgarte", "projection"),
        default="baumgarte",
        help="what keeps constraints in model exchange: feedback in the rates, or projection as step events",
    )
    parser.add_argument(
        "--gain",
        metavar="V",
        type=positive,
        help="of that feedback in 1/s; by default the largest rate of small motions about the start",
    )
    for add in (add_method, add_constraints, add_algorithm, add_math, add_units, add_optimize):
        add(parser)
    parser.set_defaults(real="double")  # as the interface has it


def run(options: argparse.Namespace) -> int:
    """Derive, emit, compile, pack, and say what was written."""
    import eomc
    from eomc.fmu import write_fmu

    with working(f"writing the FMU of {options.model}"):
        model = eomc.load(options.model)
        build = eomc.compile(
            model, optimize=options.optimize, integrator=options.integrator, **compile_options(options)
        )
        path = write_fmu(
            build, options.output or Path("build") / f"{model.name}.fmu",
            dt=options.dt, fmi=int(options.fmi), exchange=options.exchange, gain=options.gain,
        )  # fmt: skip
    kilobytes = path.stat().st_size / 1000
    states = counted(len(build.program.states), "state")
    print(f"{model.name}: {build.method}, {states}, FMI {options.fmi}.0, {kilobytes:.0f} kB\n  {path}")
    return DONE
