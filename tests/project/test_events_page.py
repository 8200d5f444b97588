"""The page on events does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import run_python

PAGE = Path(__file__).resolve().parents[2] / "docs" / "events" / "README.md"


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks make one session, which prints what the text around them says."""
    run_python(PAGE)
    said = capsys.readouterr().out
    assert [line.split()[1] for line in said.splitlines()[:6]] == ["floor", "apex"] * 3
    assert "[0. 0. 1.]" in said
    assert "[-0.33333333  0.66666667  0.66666667]" in said
    assert "ball: too many events at t = 4.06371277: floor happens again" in said
    assert re.search(r"^1\d\d bounces, the last at 4\.0637127", said, flags=re.MULTILINE)
