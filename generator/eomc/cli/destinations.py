"""Files that a command is asked to write: refused early where writing would fail only after the work."""

from __future__ import annotations

import os
from pathlib import Path

from eomc.errors import OutputError
from eomc.files import is_replaced


def refuse_destination(option: str, path: Path) -> None:
    """Refuse a file that could not be written.

    Parameters
    ----------
    option
        What names the file, for the message.
    path
        The file.

    Raises
    ------
    OutputError
        The path is a folder, lies in none, or may not be written.
    """
    if path.is_dir():
        raise OutputError(f"{option}: {path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise OutputError(f"{option}: the folder {path.parent} does not exist; make it first")
    if not os.access(Path(os.path.realpath(path)).parent if is_replaced(path) else path, os.W_OK):
        raise OutputError(f"{option}: {path} cannot be written; name another file")
