"""The command line: one module per command, and what they share.

::

    eomc models | generate | simulate | check | equations | stats

Exit codes: 0 done, 1 a check or a run failed, 2 bad input (one line on stderr), 70 a defect of eomc, 130 interrupted.
Only the standard library is imported before a command runs, so that ``eomc --help`` answers at once.
"""

from __future__ import annotations

from eomc.cli.entry import main

__all__ = ["main"]
