"""The file of a report: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from eomc.binding import Trajectory
from eomc.errors import OutputError
from eomc.files import write_whole
from eomc.live.contract import Runnable
from eomc.report.composing import page
from eomc.report.contract import Reported


def refuse_unwritable(path: str | os.PathLike[str], before: str = "") -> Path:
    """Return a path that a report can be written to, as far as its name shows.

    Raises
    ------
    OutputError
        Its ending is not that of a page.
    """
    name = Path(path)
    if name.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{before}{os.fspath(path)!r} has not the ending of a page: name a file in .html")
    return name


def write_report(
    build: Reported,
    path: str | os.PathLike[str],
    trajectory: Trajectory,
    *,
    ended: str = "",
    speed: float = 1.0,
    follow: str | None = None,
    named: str = "",
    live: Runnable | None = None,
    dt: float = 1e-3,
) -> Path:
    """Write the page of a build and a motion of it; arguments are those of `page`.

    Raises
    ------
    OutputError
        The ending is not that of a page, or the file cannot be written.
    """
    target = refuse_unwritable(path)
    text = page(build, trajectory, ended=ended, speed=speed, follow=follow, named=named, live=live, dt=dt)
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise OutputError(f"the report cannot be written to {os.fspath(path)!r}: {error.strerror}") from error
    return target
