"""The page on pictures does what it says."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest
from pages import blocks_of, run_python
from PIL import Image

from eomc.frontends.loading import shipped_models
from eomc.pictures import FORMATS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")

pytestmark = pytest.mark.needs_cc


def test_the_session_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its blocks make one session, which leaves the files that it names."""
    monkeypatch.chdir(tmp_path)
    run_python(PAGE)
    made = {"four_bar.svg", "bicycle.svg", "disk.glb", "disk.html", "phase.png", "bifurcation.png"}
    assert {path.name for path in tmp_path.iterdir()} == made


def test_the_commands_of_the_page_run(eomc_command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each makes the file that it names."""
    monkeypatch.chdir(tmp_path)
    (block,) = blocks_of(TEXT, "sh")
    for line in block.splitlines():
        words = shlex.split(line)
        answer = eomc_command(*words[1:])
        assert (answer.code, answer.err) == (0, "")
        assert (tmp_path / words[words.index("-o") + 1]).is_file()


def test_the_table_lists_the_endings() -> None:
    """Each ending has its row."""
    assert tuple(re.findall(r"^\| `(\.\w+)` \|", TEXT, flags=re.MULTILINE)) == (".svg", ".glb", ".html", ".webp")
    assert set(FORMATS) == {".svg", ".glb", ".html", ".webp"}


def test_the_sheet_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its script draws a strip of four pictures for each model that is named, side by side."""
    sheet = tmp_path / "some.webp"
    runpy.run_path(str(PAGE.with_name("sheet.py")))["main"](str(sheet), "cart_pole", "rolling_disk")
    assert capsys.readouterr().out == f"{sheet}: 2 models\n"
    with Image.open(sheet) as some, Image.open(PAGE.with_name("models.webp")) as kept:
        assert some.width == kept.width
        assert kept.height == some.height * len(shipped_models()) / 2
    assert PAGE.with_name("models.webp").stat().st_size < 100_000
