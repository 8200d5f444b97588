"""The worked examples of robots on the makers' own files, which the stage `robots` installs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_ROBOTS" not in os.environ, reason="of the stage robots: it installs 130 MB")
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "robots" / "examples"
SOLO = "solo_description/robots/solo12.urdf"
UR5 = "ur_description/urdf/ur5_robot.urdf"


@pytest.mark.parametrize(
    ("script", "robots"),
    [
        ("standing.py", [SOLO]),
        ("falling_arm.py", [UR5]),
        ("sensors.py", [SOLO, UR5]),
        ("vibrations.py", [SOLO]),
        ("identification.py", [UR5]),
        ("reaching.py", [UR5]),
    ],
)
def test_a_script_takes_the_makers_file(script: str, robots: list[str], tmp_path: Path) -> None:
    """It finds what it says of the robot, too, whose short description lies beside it."""
    command = [sys.executable, str(EXAMPLES / script), *(str(ROBOTS / robot) for robot in robots)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_identification_takes_the_makers_panda(tmp_path: Path) -> None:
    """With its fingers held, hand and fingers are part of the last link: as many parameters can be told apart."""
    text = (ROBOTS / "panda_description" / "urdf" / "panda.urdf").read_text(encoding="utf-8")
    held = tmp_path / "panda.urdf"
    held.write_text(text.replace('type="prismatic"', 'type="fixed"'), encoding="utf-8")
    command = [sys.executable, str(EXAMPLES / "identification.py"), str(held)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("panda: 43 of 100 parameters")
