"""Commands of pages, as a reader types them."""

from __future__ import annotations

import os
import runpy
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # of pages.py


@pytest.fixture
def shell(
    eomc_command: Callable[..., Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], str]:
    """Return a function that runs a command, which ends with 0, and returns what it has printed.

    eomc and scripts run in this process, which has imported already; warnings of the compiler are errors.
    """

    def script(path: str, *arguments: str) -> tuple[object, str]:
        monkeypatch.setattr(sys, "argv", [path, *arguments])
        capsys.readouterr()
        code: object = 0
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as done:
            code = done.code
        return code, capsys.readouterr().out

    def run(command: str) -> str:
        first, *rest = shlex.split(command)
        if first == "eomc":
            answer = eomc_command(*rest)
            assert answer.code == 0, f"{command}: {answer.err}"
            return str(answer.out)
        if first == "python" and rest[0].endswith(".py"):
            code, said = script(*rest)
            assert not code, f"{command}: {said}"
            return said
        compiler = [os.environ.get("CC", "cc"), "-Wall", "-Wextra", "-Wconversion", "-Werror"]
        words = {"python": [sys.executable], "cc": compiler}.get(first, [first])
        done = subprocess.run([*words, *rest], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    return run
