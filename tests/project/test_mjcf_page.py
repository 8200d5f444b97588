"""The page on MJCF does what it says."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from pages import blocks_of

import eomc
from eomc.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "robots" / "mjcf.md"


@pytest.mark.needs_cc
@pytest.mark.filterwarnings("ignore:.*contacts of shapes are left out")
def test_the_session_of_the_page_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its block runs beside the robot that it is about, which falls less than freely."""
    pytest.importorskip("mujoco", reason="MuJoCo is not here: pip install 'eomc[mjcf]'")
    shutil.copy(ROOT / "tests" / "data" / "mjcf" / "crawler.xml", tmp_path)
    monkeypatch.chdir(tmp_path)
    (block,) = blocks_of(PAGE.read_text(encoding="utf-8"), "python")
    exec(compile(block, str(PAGE), "exec"), {})
    model, height = capsys.readouterr().out.splitlines()
    assert model == "<eomc.Model 'crawler': JointTree, 16 coordinates, 14 speeds>"
    assert 1.3 - 9.81 * 0.2**2 / 2 < float(height) < 1.3


def test_without_mujoco_one_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """UsageError with the command."""
    monkeypatch.setitem(sys.modules, "mujoco", None)
    path = tmp_path / "robot.xml"
    path.write_text("<mujoco/>", encoding="utf-8")
    with pytest.raises(UsageError, match=r"pip install 'eomc\[mjcf\]'"):
        eomc.from_mjcf(path)
