"""Compiled libraries, found again by what they were made of.

An entry is one file, ``<root>/<key[:2]>/<key>-<digest>.so``: `key` is the hash of everything that went into the
library, `digest` that of the file itself. An entry is written beside its place and renamed, so two processes may build
the same library at once; one that no longer has its digest (truncated or damaged) counts as absent and is built again.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from eomc.errors import BuildError


def cache_directory() -> Path:
    """Return ``$XDG_CACHE_HOME/eomc``, or ``~/.cache/eomc`` where that is unset or not an absolute path."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "eomc")


def key_of(parts: Iterable[str]) -> str:
    """Return the SHA-256 of some texts and of where each ends."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def cached_library(key: str, build: Callable[[], bytes]) -> Path:
    """Return the path of the library with this `key`, calling `build` only when no sound entry is there.

    A cache that cannot be written is replaced by a temporary folder, which lasts as long as this process.

    Raises
    ------
    BuildError
        Not even a temporary file can be written; and whatever `build` raises.
    """
    cache = cache_directory()
    found = _find(cache, key) or (
        _find(_temporary_directory(), key) if _temporary_directory.cache_info().currsize else None
    )
    if found is not None:
        return found
    data = build()
    try:
        return _store(cache, key, data)
    except OSError:
        try:
            return _store(_temporary_directory(), key, data)
        except OSError as error:
            raise BuildError(f"the compiled model cannot be stored: {error}; set XDG_CACHE_HOME or TMPDIR") from error


def _find(root: Path, key: str) -> Path | None:
    """Return a sound entry; damaged ones are left for the next store to replace."""
    try:
        paths = sorted(_folder(root, key).glob(f"{key}-*.so"))
        return next((path for path in paths if path.name == _file_name(key, path.read_bytes())), None)
    except OSError:
        return None


def _store(root: Path, key: str, data: bytes) -> Path:
    """Write an entry by atomic rename."""
    folder = _folder(root, key)
    folder.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        target = folder / _file_name(key, data)
        os.replace(temporary, target)
    except OSError:
        os.unlink(temporary)
        raise
    return target


def _folder(root: Path, key: str) -> Path:
    return root / key[:2]


def _file_name(key: str, data: bytes) -> str:
    return f"{key}-{hashlib.sha256(data).hexdigest()[:32]}.so"


@functools.cache
def _temporary_directory() -> Path:
    """Return this process's substitute for the cache."""
    path = tempfile.mkdtemp(prefix="eomc-cache-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)
