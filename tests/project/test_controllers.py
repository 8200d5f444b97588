"""The worked examples of controllers run as their README says, and do what they say of themselves."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

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
    title: str, shell: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each program ends with 0 only where its controller did well; warnings of the compiler are errors."""
    if "lqr.py" in SECTIONS[title]:
        pytest.importorskip("control", reason="python-control finds the gains")
    folder = tmp_path / "controllers"
    shutil.copytree(FOLDER, folder)
    monkeypatch.chdir(folder)
    for command in SECTIONS[title].splitlines():
        shell(command)


def test_all_four_are_there() -> None:
    """The README has what the folder has."""
    told = " ".join(SECTIONS.values())
    assert {path.name for path in FOLDER.glob("*.c")} == set(re.findall(r"\b(?<!/)\w+\.c\b", told))
    assert len(SECTIONS) == 4
