"""A contender's process as the table asks it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["Ended", "Process"]

HERE = Path(__file__).resolve().parents[1]


class Ended(Exception):
    """It took too long and was ended, which makes it late, or it ended by itself; the text says which."""

    def __init__(self, why: str, *, late: bool = False) -> None:
        super().__init__(why)
        self.late = late


class Process:
    """One contender, asked with a limit of time."""

    def __init__(self, contender: str, folder: Path, command: list[str] | None = None) -> None:
        self.contender = contender
        ours = [sys.executable, "-c", "from comparison.worker import main; main()", str(folder)]
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        one = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        with (folder / f"{contender}.log").open("a") as log:
            self._process = subprocess.Popen(
                command or ours, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                env={**os.environ, **one, "PYTHONPATH": path}, start_new_session=True,
            )  # fmt: skip

    def ask(self, what: str, limit: float, **more: Any) -> dict[str, Any]:
        """Return the answer.

        Raises
        ------
        Ended
            There is none within `limit` seconds, or none at all; the process is gone.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps({"what": what, "contender": self.contender, **more}), file=self._process.stdin, flush=True)
        except (BrokenPipeError, ValueError):
            self.end()
            raise Ended("it ended by itself") from None
        ready, _, _ = select.select([self._process.stdout], [], [], limit)
        if not ready:
            self.end()
            raise Ended(f"it is late: no answer within {limit:.0f} s", late=True)
        line = self._process.stdout.readline()
        if not line:
            self.end()
            raise Ended("it ended by itself")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        """End it with all that it started."""
        try:
            os.killpg(self._process.pid, 9)
        except ProcessLookupError:
            pass
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
