"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_whole(target: Path, data: bytes) -> None:
    """Write a file beside its place, then put it there: what is there stays until the new one is whole.

    Raises
    ------
    OSError
        It cannot be written; nothing is left of it.
    """
    scratch = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        scratch.write_bytes(data)
        scratch.replace(target)
    except OSError:
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise
