"""Files of meshes as surfaces, each read once for a scene; what cannot be read is told by name, and stops nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from eomc.model.shapes import Shape
from eomc.model.surfaces import Surface
from eomc.scenery.collada import read_collada
from eomc.scenery.obj import read_obj
from eomc.scenery.paths import path_of
from eomc.scenery.stl import read_stl

LARGEST = 2**27
"""Bytes of a file; the largest of a public collection of robots has 35 MB."""

_READERS: dict[str, Callable[[bytes, Callable[[str], bytes]], Surface]] = {
    ".stl": lambda content, _: read_stl(content),
    ".obj": read_obj,
    ".dae": lambda content, _: read_collada(content),
}


class Meshes:
    """Surfaces of meshes; `unread` has the file, as it was written, and the reason of each that has none.

    `bare` names what should wear these.
    """

    def __init__(self) -> None:
        self._read: dict[Path, Surface | str] = {}
        self._pieces: dict[int, tuple[tuple[str, Surface], ...]] = {}
        self.unread: dict[str, str] = {}
        self.bare: dict[str, None] = {}

    def pieces_of(self, shape: Shape) -> tuple[tuple[str, Surface], ...]:
        """Return the surfaces of a mesh by colour, none where it cannot be read; a shape's own is that of all."""
        found = self.of(shape)
        if found is None:
            return ()
        if shape.colour:
            return ((shape.colour, found),)
        key = id(found)  # its own, for the surface is kept
        if key not in self._pieces:
            self._pieces[key] = found.pieces()
        return self._pieces[key]

    def of(self, shape: Shape) -> Surface | None:
        """Return the surface of a mesh, None where it cannot be read."""
        if shape.surface is not None:
            return shape.surface
        found = self._found(shape)
        if isinstance(found, str):
            self.unread.setdefault(shape.file, found)
            return None
        return found

    def _found(self, shape: Shape) -> Surface | str:
        suffix = Path(shape.file).suffix.lower()
        if suffix not in _READERS:
            return f"{suffix or 'a file without ending'} is not read, but {', '.join(_READERS)} are"
        path = path_of(shape.file, shape.folder)
        if path is None:
            return "there is no such file"
        if path not in self._read:
            self._read[path] = _surface(path, suffix)
        return self._read[path]


def _surface(path: Path, suffix: str) -> Surface | str:
    try:
        if path.stat().st_size > LARGEST:
            return f"it has more than {LARGEST // 2**20} MiB"
        return _READERS[suffix](path.read_bytes(), partial(_beside, path))
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    except (ValueError, OverflowError, StopIteration) as error:
        return " ".join(str(error).split()) or "it is damaged"


def _beside(path: Path, name: str) -> bytes:
    """Return what a file beside another has; nothing where there is none."""
    try:
        there = path.parent / name.replace("\\", "/")
        return there.read_bytes() if there.is_file() and there.stat().st_size <= LARGEST else b""
    except (OSError, ValueError):
        return b""
