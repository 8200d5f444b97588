"""Where the file of a mesh is, by the names that robots' files have for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

PACKAGES = ("package://", "model://")
_PREFIXES = "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"


def path_of(file: str, folder: str) -> Path | None:
    """Return where a file is; None where it is not found.

    Parameters
    ----------
    file
        A path, absolute or from `folder`; ``file://PATH``; or ``package://NAME/PATH``: beside the folder, or a folder
        above it, that has the name, or where ROS_PACKAGE_PATH and AMENT_PREFIX_PATH lead.
    folder
        Of the file that names it; "" where one works.
    """
    here = Path(folder)
    for prefix in PACKAGES:
        if file.startswith(prefix):
            name, _, rest = file.removeprefix(prefix).partition("/")
            return _first(one / rest for one in _packages(name, here.absolute()))
    if file.startswith("file://"):
        plain = file.removeprefix("file://")
        return _first(here / one for one in (plain, unquote(plain)))
    return None if "://" in file else _first([here / file])


def _packages(name: str, here: Path) -> Iterator[Path]:
    for above in (here, *here.parents):
        if above.name == name:
            yield above
        yield above / name
    for variable, below in zip(_PREFIXES, (".", "share"), strict=True):
        for place in filter(None, os.environ.get(variable, "").split(os.pathsep)):
            yield Path(place) / below / name


def _first(places: Iterator[Path] | list[Path]) -> Path | None:
    for place in places:
        try:
            if place.is_file():
                return place
        except (OSError, ValueError):  # too long for a name, a null in it
            continue
    return None
