"""Print a model's equations of motion."""

from __future__ import annotations

import argparse

from eomc.cli.arguments import add_algorithm, add_constraints, add_method, add_model, add_units, constraint_options
from eomc.cli.failures import DONE
from eomc.cli.terminal import working

FORMATS = ("text", "latex", "html")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_method(parser)
    add_constraints(parser)
    add_units(parser)
    add_algorithm(parser)
    parser.add_argument(
        "--forces", choices=("together", "apart"), default="together",
        help="apart: active forces F_r and inertia forces F*_r, too",
    )  # fmt: skip
    parser.add_argument(
        "--form", choices=("auto", "short", "full"), default="auto",
        help="of a tree of joints, full: all of it; short: its joints and the recursion over one of them; by default "
        "full for two or three joints",
    )  # fmt: skip
    parser.add_argument("--format", choices=FORMATS, default="text", help="text by default")


def run(options: argparse.Namespace) -> int:
    """Derive and print."""
    import eomc

    with working(f"deriving {options.model}"):
        model = eomc.load(options.model)
        printed = eomc.equations(
            model,
            options.method,
            forces=options.forces,
            algorithm=options.algorithm,
            form=options.form,
            units=options.units,
            **constraint_options(options),
        )
        text: str = getattr(printed, options.format)
    print(text.rstrip("\n"))
    return DONE
