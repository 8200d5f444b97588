"""A word about a long wait, for whoever may be watching: after a second, once for each wait.

It goes to stderr where that is a terminal or a notebook's, and else to the logger ``eomc``, at level INFO, which is
silent unless a program asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PATIENCE = 1.0
"""Seconds of a wait that needs no explanation."""

_SHOWN = ContextVar("shown", default=False)  # whether something else shows that work is going on


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say what is waited for, unless it is done within `PATIENCE`."""
    if _SHOWN.get():
        yield
        return
    import threading  # here and below: `eomc --help` waits for nothing

    timer = threading.Timer(PATIENCE, _say, [what])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def shown() -> Iterator[None]:
    """Keep quiet about waits: the caller shows a sign of life of its own."""
    token = _SHOWN.set(True)
    try:
        yield
    finally:
        _SHOWN.reset(token)


def _say(what: str) -> None:
    import logging

    log = logging.getLogger("eomc")
    if _is_watched() and not log.isEnabledFor(logging.INFO):
        print(f"eomc: {what}", file=sys.stderr, flush=True)
    else:
        log.info(what)


def _is_watched() -> bool:
    """Whether a person reads stderr as it is written."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
