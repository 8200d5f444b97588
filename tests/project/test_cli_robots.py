"""Robots on the command line: what is wrong with a file is one line, and the file is what make depends on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eomc.cli.depfile import sources_of

ARM = Path(__file__).resolve().parents[1] / "data" / "urdf" / "arm.urdf"


@pytest.mark.parametrize(
    ("change", "suffix", "told"),
    [
        (lambda text: text[:2000], "", r"mine\.urdf, line \d+: the file ends too early inside of <\w+>"),
        (
            lambda text: text.replace('value="3"', 'value="3 kg"'),
            "",
            r"line 15: link 'column': value of <mass> is '3 kg'",
        ),
        (lambda text: text, ":free", r"base='free': "),
        (lambda text: text.replace('"fixed"', '"weld"'), "", r"joint 'mount': there is no type of joint 'weld'"),
    ],
)
def test_a_wrong_robot_is_one_line(eomc_command, tmp_path: Path, change, suffix: str, told: str) -> None:
    """Exit code 2, one line on stderr that names the file and its line, and no traceback."""
    path = tmp_path / "mine.urdf"
    path.write_text(change(ARM.read_text(encoding="utf-8")), encoding="utf-8")
    answer = eomc_command("generate", f"{path}{suffix}", "-o", tmp_path / "out")
    assert answer.code == 2
    assert re.search(told, answer.err)
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_robot_is_its_own_source() -> None:
    """The emitted files of a robot depend on its file, whatever its base is."""
    assert sources_of("models/robot.urdf:angles") == [Path("models/robot.urdf")]
