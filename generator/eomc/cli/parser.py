"""The grammar of the command line: argparse, with errors in one line."""

from __future__ import annotations

import argparse
from typing import NoReturn

from eomc.cli import check, equations, generate, models, simulate, stats
from eomc.errors import UsageError

__all__ = ["build_parser"]

COMMANDS = (models, generate, simulate, check, equations, stats)

_EPILOG = """\
MODEL is a shipped name (eomc models), with an argument where it takes one (n_link_pendulum:3),
or a file: path/model.py, path/model.py:object.

exit codes: 0 done, 1 a check failed, 2 bad input"""


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print its usage and leave."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    """Print the version, which is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from eomc import __version__

        print(f"eomc {__version__}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; each command puts its function ``run`` into the parsed options."""
    parser = _Parser(
        prog="eomc",
        description="Compile equations of motion: a mechanism in Python becomes a standalone C99 simulator.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2]
        summary = (module.__doc__ or "").strip().splitlines()[0].rstrip(".")
        command = commands.add_parser(name, help=summary, description=f"{summary}.", allow_abbrev=False)
        module.configure(command)
        command.set_defaults(run=module.run)
    return parser
