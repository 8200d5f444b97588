"""From arguments to an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from eomc.cli.failures import answer, plain_warnings
from eomc.cli.parser import build_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that `arguments` name and return its exit code.

    Parameters
    ----------
    arguments
        Words after ``eomc``; None takes those of the process.
    """
    try:
        try:
            options = build_parser().parse_args(arguments)
        except SystemExit as stop:  # --help and --version, when they have printed
            sys.stdout.flush()
            return stop.code if isinstance(stop.code, int) else 0
        with plain_warnings():
            code: int = options.run(options)
        sys.stdout.flush()
        return code
    except BaseException as error:  # answer() knows every way to fail, and raises again what is none
        return answer(error)
