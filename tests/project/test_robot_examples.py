"""The worked examples of robots run as their README says, and find what they say of themselves."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import blocks_of

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "robots" / "examples"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
SECTIONS = {
    title: (commands, printed)
    for title, commands, printed in re.findall(
        r"^## ([^\n]+)\n(?:(?!^## ).)*?^```sh\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL
    )
}
NUMBER = re.compile(r" *\b[0-9a-f]{8}\b| *[-+]?\d+(\.\d+)?(e[-+]?\d+)?")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the examples, as the place where one is and from where Python imports."""
    copy = tmp_path / "examples"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("*.png", "__pycache__"))
    monkeypatch.chdir(copy)
    monkeypatch.syspath_prepend(copy)
    for module in copy.glob("*.py"):
        monkeypatch.delitem(sys.modules, module.stem, raising=False)
    return copy


@pytest.mark.needs_cc
@pytest.mark.parametrize("title", SECTIONS)
def test_the_commands_of_an_example(
    title: str,
    folder: Path,
    shell: Callable[[str], str],
) -> None:
    """Each ends with 0, which it does only where its numbers agree, and prints what the page shows, up to numbers."""
    commands, printed = SECTIONS[title]
    said = ""
    for command in commands.splitlines():
        words = shell(command)
        said += "" if command.startswith("eomc ") else words
    if "Cortex-M4" in printed and not all(map(shutil.which, ("arm-none-eabi-gcc", "qemu-system-arm"))):
        pytest.skip("arm-none-eabi-gcc or qemu-system-arm not installed: it ran here alone")
    assert NUMBER.sub("#", said) == NUMBER.sub("#", printed)


@pytest.mark.needs_cc
def test_the_program_in_c_is_clean(folder: Path, eomc_command: Callable[..., Any], silent: Callable[..., None]) -> None:
    """The strictest flags of gcc and clang find nothing in it, in the float that it is for."""
    command = "generate ur5.urdf --real float --math strict --target cortex-m4 --functions rhs,inverse_dynamics -o arm"
    assert eomc_command(*command.split()).code == 0
    silent(folder / "arm", "UR5", ["../reaching.c"], "-UUR5_USE_DOUBLE", "-DUR5_USE_FLOAT", "-I.", "-Icortex-m4")


def test_all_are_there() -> None:
    """The page runs every script of the folder but the models, which others import, and its Python is theirs."""
    told = " ".join(commands for commands, _ in SECTIONS.values())
    scripts = {path.name for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")}
    assert scripts | {path.name for path in FOLDER.glob("*.c")} == set(re.findall(r"\w+\.(?:py|c)\b", told))
    texts = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py"))]
    for block in blocks_of(PAGE, "python"):
        assert any(block in text for text in texts), block
