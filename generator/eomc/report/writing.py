"""The file of a report: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from eomc.errors import OutputError
from eomc.files import path_of, write_whole


def refuse_unwritable(path: str | os.PathLike[str], before: str = "") -> Path:
    """Return a path that a report can be written to, as far as its name shows.

    Raises
    ------
    OutputError
        It is no path, or its ending is not that of a page.
    """
    name = path_of(path, before)
    if name.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{before}{os.fspath(path)!r} has not the ending of a page: name a file in .html")
    return name


def write_report(path: str | os.PathLike[str], text: str) -> None:
    """Write a page, as `page` returns it; a file that is there stays until the new one is whole.

    Raises
    ------
    OutputError
        The ending is not that of a page, or the file cannot be written.
    """
    target = refuse_unwritable(path)
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise OutputError(f"the report cannot be written to {os.fspath(path)!r}: {error.strerror}") from error
