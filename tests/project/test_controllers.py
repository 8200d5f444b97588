"""The worked examples of controllers run as their README says, and do what they say of themselves."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "controllers"
SECTIONS = dict(
    re.findall(
        r"^## ([^\n]+)\n.*?^```sh\n(.*?)^```$",
        (FOLDER / "README.md").read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
)


@pytest.mark.needs_cc
@pytest.mark.parametrize("title", SECTIONS)
def test_the_commands_of_an_example(
    title: str, eomc_command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each program ends with 0 only where its controller did well; warnings of the compiler are errors.

    eomc and scripts run in this process, which has imported already.
    """
    if "lqr.py" in SECTIONS[title]:
        pytest.importorskip("control", reason="python-control finds the gains")
    folder = tmp_path / "controllers"
    shutil.copytree(FOLDER, folder)
    monkeypatch.chdir(folder)
    for command in SECTIONS[title].splitlines():
        first, *rest = shlex.split(command)
        if first == "eomc":
            answer = eomc_command(*rest)
            assert answer.code == 0, f"{command}: {answer.err}"
            continue
        if first == "python":
            monkeypatch.setattr(sys, "argv", rest)
            code: object = 0
            try:
                runpy.run_path(rest[0], run_name="__main__")
            except SystemExit as done:
                code = done.code
            assert not code, command
            continue
        words = {"cc": [os.environ.get("CC", "cc"), "-Wall", "-Wextra", "-Wconversion", "-Werror"]}
        done = subprocess.run([*words.get(first, [first]), *rest], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"


def test_all_four_are_there() -> None:
    """The README has what the folder has."""
    told = " ".join(SECTIONS.values())
    assert {path.name for path in FOLDER.glob("*.c")} == set(re.findall(r"\b(?<!/)\w+\.c\b", told))
    assert len(SECTIONS) == 4
