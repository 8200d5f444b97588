"""The page on reports does what it says."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from pages import blocks_of, run_python

from eomc.live.building import TOOLS
from eomc.report.formulas import LONGEST, MOST

PAGE = Path(__file__).resolve().parents[2] / "docs" / "report" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its blocks make one session, which leaves the files that it names and a page of parts."""
    monkeypatch.chdir(tmp_path)
    names = run_python(PAGE)
    assert {path.name for path in tmp_path.iterdir()} == {"disk.html", "smaller.html"}
    assert "<code>M</code>" in str(names["page"])
    assert all(names["parts"])


@pytest.mark.needs_cc
def test_the_commands_of_the_page_run(eomc_command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each makes the file that it names."""
    monkeypatch.chdir(tmp_path)
    commands = blocks_of(TEXT, "sh")
    assert len(commands) == 2
    for line in "".join(commands).splitlines():
        words = shlex.split(line)
        if "--live" in words and None in map(shutil.which, TOOLS):
            continue
        answer = eomc_command(*words[1:])
        assert (answer.code, answer.err) == (0, "")
        assert (tmp_path / words[words.index("-o") + 1]).is_file()


def test_the_limits_are_stated() -> None:
    """Those above which equations are left out."""
    assert f"more than {MOST:,} operations, or of more than {LONGEST // 1000} kB" in TEXT
