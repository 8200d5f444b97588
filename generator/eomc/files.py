"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from eomc.errors import OutputError


def path_of(given: object, before: str = "") -> Path:
    """Return the path that somebody gave for a file or a folder.

    Parameters
    ----------
    given
        Whatever it is.
    before
        What the message begins with.

    Raises
    ------
    OutputError
        It is no text and no path, or no file can be called so.

    Examples
    --------
    >>> path_of("motion.svg").suffix
    '.svg'
    """
    text = os.fspath(given) if isinstance(given, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise OutputError(f"{before}{given!r} is no path: give a name as text, or a pathlib.Path")
    try:
        odd = "a null byte" if b"\0" in os.fsencode(text) else ""
    except UnicodeEncodeError:
        odd = "half a character"
    if odd:
        raise OutputError(f"{before}{text!r} has {odd}, and no file is called so: give another name")
    return Path(text)


@contextlib.contextmanager
def whole(target: Path) -> Iterator[Path]:
    """Give a place beside a file, of the same ending, which takes the file's place when all of it is written.

    Until then what is there stays, and whatever is raised leaves nothing behind. A new file has the mode of the old
    one, and a link goes on to lead to it. What is not replaced, such as ``/dev/stdout``, is written to itself.

    Raises
    ------
    OSError
        The new file cannot take its place.
    """
    if not is_replaced(target):
        yield target
        return
    place = Path(os.path.realpath(target))
    scratch = place.with_name(f".{place.stem}.{os.getpid()}.tmp{place.suffix}")
    try:
        yield scratch
        if place.exists():
            shutil.copymode(place, scratch)
        scratch.replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise


def is_replaced(target: Path) -> bool:
    """Whether a new file takes the place of what is there: not that of a device or a pipe, nor of an open file."""
    if not os.path.lexists(target):
        return True
    return not os.path.abspath(target).startswith(("/dev/", "/proc/")) and (target.is_file() or not target.exists())


def write_whole(target: Path, data: bytes) -> None:
    """Write a file beside its place, then put it there: what is there stays until the new one is whole.

    Raises
    ------
    OSError
        It cannot be written; nothing is left of it.
    """
    with whole(target) as place:
        place.write_bytes(data)
