"""The page on ensembles does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import run_python

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ensembles" / "README.md"


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its blocks make one session, which prints what the text around them says."""
    monkeypatch.chdir(tmp_path)
    run_python(PAGE)
    shapes, reduced, errors, told, status = capsys.readouterr().out.splitlines()
    assert shapes == "(500, 201, 4) (500, 201) 2.0"
    assert reduced == "(1000,) 0"
    assert all(float(error) < 1e-5 for error in errors.split(", "))
    assert told == "cart_pole: 1 of 3 trajectories ended early: 1 singular; `status` and `t_failed` tell which"
    assert status == "[0 1 0] [False  True False]"
    assert (tmp_path / "runs.ckpt").is_file()
