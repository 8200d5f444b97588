"""The grammar of the command line: argparse, with errors in one line."""

from __future__ import annotations

import argparse
from typing import NoReturn

from eomc.cli import (
    animate,
    check,
    doctor,
    equations,
    fmu,
    generate,
    linearize,
    makefile,
    models,
    report,
    simulate,
    stats,
    sweep,
)
from eomc.errors import UsageError
from eomc.wording import did_you_mean

COMMANDS = (
    models,
    generate,
    simulate,
    animate,
    report,
    sweep,
    check,
    equations,
    linearize,
    stats,
    fmu,
    makefile,
    doctor,
)

_EPILOG = """\
MODEL is a shipped name (eomc models), with an argument where it takes one (n_link_pendulum:3),
or a file: path/model.py, path/model.py:object.

exit codes: 0 done, 1 a check or a run failed, 2 bad input"""


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print its usage and leave."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Name the nearest choice where argparse would list all."""
        choices = list(action.choices or ())
        if action.choices is not None and value not in choices:
            what = "command" if action.dest == "command" else action.option_strings[0]
            raise UsageError(f"{what} {value!r}: {did_you_mean(str(value), choices)} (see {self.prog} --help)")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Leaves room for the longest option beside its help."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)


class _Version(argparse.Action):
    """Print the version, which is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from eomc.version import __version__

        print(f"eomc {__version__}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; each command puts its function ``run`` into the parsed options."""
    # The first line of a command's module is its help.
    summaries = {
        module.__name__.rpartition(".")[2]: (module.__doc__ or "").splitlines()[0].rstrip(".") for module in COMMANDS
    }
    parser = _Parser(
        prog="eomc",
        usage="eomc [-h] [--version] COMMAND ...",
        description="Compile equations of motion: a mechanism in Python becomes a standalone C99 simulator.",
        epilog=_EPILOG,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(
        prog="eomc",
        title="commands",
        description="\n".join(f"{name:<11}{summary}" for name, summary in summaries.items()),
        metavar="COMMAND",
        dest="command",
        required=True,
        help=argparse.SUPPRESS,
    )
    for module, (name, summary) in zip(COMMANDS, summaries.items(), strict=True):
        command = commands.add_parser(name, description=f"{summary}.", formatter_class=_Formatter, allow_abbrev=False)
        module.configure(command)
        command.set_defaults(run=module.run)
    return parser
