"""What a failure says on stderr, and the exit code that goes with it."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from eomc.errors import BuildError, EomcError, RunError

DONE: Final = 0
FAILED: Final = 1  # a check, or a run on its way
BAD_INPUT: Final = 2
DEFECT: Final = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED: Final = 130  # 128 + SIGINT
READER_GONE: Final = 141  # 128 + SIGPIPE

_UNWRITABLE: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


def answer(error: BaseException) -> int:
    """Tell the user about `error` in a line or a few, and return the exit code.

    With EOMC_DEBUG=1 in the environment the traceback comes first. Exceptions that are no ordinary failure
    (SystemExit and its kin) are raised again.
    """
    if isinstance(error, BrokenPipeError):
        _abandon_stdout()
        return READER_GONE
    if isinstance(error, KeyboardInterrupt):
        _say("interrupted")
        return INTERRUPTED
    if not isinstance(error, Exception):
        raise error
    debugging = os.environ.get("EOMC_DEBUG", "") not in ("", "0")
    if debugging:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, EomcError):
        # A compiler's own words keep their lines; everything else is one.
        _say(f"error: {error if isinstance(error, BuildError) else ' '.join(str(error).split())}")
        return FAILED if isinstance(error, RunError) and error.trajectory is not None else BAD_INPUT
    if isinstance(error, OSError) and error.filename is not None:
        _say(f"error: {os.fspath(error.filename)!s}: {error.strerror}")
        return BAD_INPUT
    if isinstance(error, OSError) and error.errno in _UNWRITABLE:  # the one file that nobody opens is stdout
        _abandon_stdout()
        _say(f"error: the output cannot be written: {error.strerror}")
        return BAD_INPUT
    _say(f"internal error: {type(error).__name__}: {' '.join(str(error).split())}")
    _say("this is a defect of eomc; please report it" + ("" if debugging else " with what EOMC_DEBUG=1 prints"))
    return DEFECT


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Show warnings as one line on stderr, without the source line that raised them."""

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        _say(f"warning: {' '.join(str(message).split())}")

    with warnings.catch_warnings():
        warnings.showwarning = show  # restored by catch_warnings
        yield


def _say(text: str) -> None:
    print(f"eomc: {text}", file=sys.stderr)


def _abandon_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush stays quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is no file of the system
        pass
