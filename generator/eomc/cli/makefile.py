"""Print a fragment for make that builds models as parts of a project."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from eomc.cli.arguments import file_or_folder
from eomc.cli.failures import DONE


class FragmentView(NamedTuple):
    """What its template sees."""

    version: str


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=file_or_folder, help="file to write, such as eomc.mk; printed without"
    )


def run(options: argparse.Namespace) -> int:
    """Print the fragment, or write it where it changes."""
    from eomc.backends.artifacts import Artifact
    from eomc.backends.render import render
    from eomc.backends.writing import write
    from eomc.version import __version__

    text = render("make/eomc.mk.jinja", FragmentView(__version__))
    if options.output is None:
        print(text, end="")
    else:
        write([Artifact(options.output.name, text, "makefile")], options.output.parent)
    return DONE
