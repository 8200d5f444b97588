"""Files of pictures: what each ending means, whole or not at all."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path

from eomc.errors import OutputError, UsageError
from eomc.files import path_of, write_whole
from eomc.pictures.glb import glb
from eomc.pictures.motion import PICTURE, Motion
from eomc.pictures.page import page
from eomc.pictures.svg import svg
from eomc.pictures.webp import refuse_without_pillow, webp

_WRITERS: dict[str, Callable[[Motion, float, float, int], bytes]] = {
    ".svg": lambda motion, speed, *_: svg(motion, speed).encode(),
    ".glb": lambda motion, speed, *_: glb(motion, speed),
    ".webp": webp,
    ".html": lambda motion, speed, *_: page(motion, speed).encode(),
}
FORMATS = tuple(_WRITERS)
_SHORTEST, _LONGEST = 0.01, 1e6  # of what people look at [s]


def refuse_unwritable(path: str | os.PathLike[str], before: str = "") -> Path:
    """Return a path that a picture can be written to, as far as that shows before there is one.

    Raises
    ------
    OutputError
        It is no path, its ending is none of `FORMATS`, or what it needs is not installed.
    """
    name = path_of(path, before)
    suffix = name.suffix.lower()
    if suffix not in _WRITERS:
        raise OutputError(
            f"{before}{os.fspath(path)!r} has no ending of a picture that moves: give "
            f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        )
    if suffix == ".webp":
        refuse_without_pillow(before)
    return name


def warn_of_unread(motion: Motion) -> None:
    """Warn the caller's caller of meshes that cannot be read.

    Warns
    -----
    UserWarning
        There are such.
    """
    scene = motion.scene
    if scene.unread:
        told = f"{scene.name}: {scene.unread_words}: a body without another shape is drawn by its inertia"
        told += "; correct the file or its name, or let ROS_PACKAGE_PATH lead to its package"
        warnings.warn(told, stacklevel=3)


def refuse_speed(motion: Motion, speed: float) -> None:
    """Refuse a speed at which nobody could look at a motion.

    Raises
    ------
    UsageError
        The picture lasts no time that people look at.
    """
    seconds = (motion.end - motion.begin) / speed
    if motion.end > motion.begin and not _SHORTEST <= seconds <= _LONGEST:
        raise UsageError(
            f"{motion.scene.name}: at speed {speed:g} the picture lasts {seconds:g} s: give a speed with which it "
            f"lasts {_SHORTEST:g} s to {_LONGEST:g} s"
        )


def write(motion: Motion, path: str | os.PathLike[str], speed: float, fps: float, pixels: int = round(PICTURE)) -> None:
    """Write a motion in the format of the file's ending; a file that is there stays until the new one is whole.

    Raises
    ------
    OutputError
        An unknown ending, a package that is not installed, or a file that cannot be written.
    UsageError
        The format does not show this motion, or nobody could look at it at this speed.
    """
    name = refuse_unwritable(path)
    refuse_speed(motion, speed)
    content = _WRITERS[name.suffix.lower()](motion, speed, fps, pixels)
    try:
        write_whole(name, content)
    except OSError as error:
        raise OutputError(f"the picture cannot be written to {os.fspath(path)!r}: {error.strerror}") from error
