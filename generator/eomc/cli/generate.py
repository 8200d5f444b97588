"""Write the C simulator of a model."""

from __future__ import annotations

import argparse
from pathlib import Path

from eomc.cli import depfile
from eomc.cli.arguments import add_constraints, add_method, add_model, add_real, constraint_options
from eomc.cli.failures import DONE
from eomc.cli.terminal import working
from eomc.errors import OutputError
from eomc.wording import counted

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="folder for the files; ./build/<model>")
    add_method(parser)
    add_constraints(parser)
    add_real(parser)
    parser.add_argument(
        "--functions",
        metavar="F,...",
        help="functions beside the right-hand side, such as jacobian,energy, or all; by default all but jacobian and "
        "time_derivative",
    )
    parser.add_argument("--depfile", metavar="F", type=Path, help="also write a dependency file for make or ninja")


def run(options: argparse.Namespace) -> int:
    """Derive, emit, write, and say what was written."""
    import eomc

    with working(f"generating {options.model}"):
        model = eomc.load(options.model)
        build = eomc.compile(
            model,
            method=options.method,
            real=options.real,
            functions=options.functions,
            **constraint_options(options),
        )
        directory = options.output or Path("build") / model.name
        files = build.write(directory)
    if options.depfile is not None:
        text = depfile.render(files, depfile.sources_of(options.model))
        try:
            options.depfile.write_text(text, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"--depfile: {options.depfile} cannot be written: {error.strerror}") from error
    print(f"{model.name}: {build.method}, {counted(len(build.program.states), 'state')}, {options.real}")
    for file in files:
        print(f"  {file}")
    return DONE
