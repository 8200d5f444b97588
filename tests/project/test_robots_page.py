"""The page on robots does what it says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from pages import run_python

from eomc.frontends.robots.findings import Kind

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "robots" / "README.md"


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its blocks make one session: a push of the waist turns it forward, and a wrist that is no body is named."""
    shutil.copy(ROOT / "tests" / "data" / "urdf" / "arm.urdf", tmp_path)
    monkeypatch.chdir(tmp_path)
    run_python(PAGE)
    model, angle, link, height, methods, recursion = capsys.readouterr().out.splitlines()
    assert model == "<eomc.Model 'arm': JointTree, 4 coordinates, 4 speeds>"
    assert float(angle) > 0
    assert link == "wrist"
    assert 0 < float(height) < 1
    assert methods == "('kane',) ('kane', 'lagrange', 'hamilton', 'gibbs-appell')"
    assert recursion == "u' by articulated bodies, as asked for"


def test_every_kind_of_finding_is_on_the_page() -> None:
    """The table has each kind with its severity and its words, in the order in which they are told."""
    rows = re.findall(r"^\| (note|warning) \| (\w+) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert rows == [(kind.severity.value, kind.noun, kind.text) for kind in Kind]
