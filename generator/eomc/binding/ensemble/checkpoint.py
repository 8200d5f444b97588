"""A file that holds the finished blocks of an ensemble, so that one that was stopped goes on where it was.

A line of JSON tells what it belongs to; a record for each block follows: its first trajectory and its end, a checksum,
its numbers. A record that was cut off when the process was killed counts as absent, and is written over.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Iterable
from typing import BinaryIO

import numpy as np

from eomc.binding.ensemble.blocks import Points
from eomc.binding.ensemble.plan import Plan
from eomc.errors import OutputError, UsageError
from eomc.files import path_of

_MAGIC = "eomc ensemble"
_HEAD = struct.Struct("<qqI")  # first trajectory, end, CRC-32 of what follows


def key_of_run(texts: Iterable[str], plan: Plan) -> str:
    """Return a hash of everything that a run's bytes depend on: the C and the plan."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)} {text}".encode())
    digest.update(f"{plan.count} {plan.task.told}".encode())
    for array in plan.arrays:
        digest.update(repr((array.shape, array.dtype)).encode())
        digest.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return digest.hexdigest()


class Checkpoint:
    """An open file of finished blocks; used by one thread at a time."""

    def __init__(self, path: str | os.PathLike[str], key: str) -> None:
        """Open the file, or begin it.

        Raises
        ------
        UsageError
            It belongs to another run, or is no such file.
        OutputError
            It cannot be read or written.
        """
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise UsageError(f"checkpoint must be the name of a file, not {path!r}")
        self._path = str(path_of(os.fsdecode(path), "checkpoint: "))
        head = (json.dumps({"file": _MAGIC, "run": key}) + "\n").encode()
        try:
            self._file: BinaryIO = open(self._path, "r+b" if os.path.exists(self._path) else "w+b")
            found = self._file.readline(1024)
            if found and found != head:
                what = "another run" if _MAGIC.encode() in found else "something else"
                self._file.close()
                raise UsageError(f"checkpoint {self._path!r} belongs to {what}: remove it, or name another file")
            if not found:
                self._file.write(head)
                self._file.flush()
        except OSError as error:
            raise OutputError(f"checkpoint {self._path!r} cannot be opened: {error.strerror}") from error

    def restore(self, points: Points) -> list[tuple[int, int]]:
        """Put what was finished into place, and return which blocks that is."""
        done = []
        good = self._file.tell()
        while len(head := self._file.read(_HEAD.size)) == _HEAD.size:
            first, end, checksum = _HEAD.unpack(head)
            arrays = points.part(first, end).arrays
            data = self._file.read(sum(array.nbytes for array in arrays))
            if len(data) < sum(array.nbytes for array in arrays) or zlib.crc32(data) != checksum:
                break
            for array in arrays:
                array.reshape(-1).view("u1")[:] = memoryview(data)[: array.nbytes]
                data = data[array.nbytes :]
            done.append((first, end))
            good = self._file.tell()
        self._file.seek(good)
        self._file.truncate()
        return done

    def add(self, first: int, end: int, points: Points) -> None:
        """Write a block that is finished.

        Raises
        ------
        OutputError
            The disk is full, or the like.
        """
        data = b"".join(array.tobytes() for array in points.part(first, end).arrays)
        try:
            self._file.write(_HEAD.pack(first, end, zlib.crc32(data)) + data)
            self._file.flush()
        except OSError as error:
            raise OutputError(f"checkpoint {self._path!r} cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()
