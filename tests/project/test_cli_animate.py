"""`eomc animate`: files of all four endings, and one line where there can be none."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs_cc

SHORT = ("--t-end", "0.4", "--dt", "0.01")


@pytest.mark.parametrize("ending", [".svg", ".glb", ".html", ".webp"])
def test_of_a_planar_motion(eomc_command, tmp_path: Path, ending: str) -> None:
    """Every ending has its file, which begins as its format does, and the command says how large it is."""
    path = tmp_path / f"four{ending}"
    answer = eomc_command("animate", "four_bar", "-o", str(path), *SHORT, "--init", "u1=2")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{path}: {path.stat().st_size / 1000:.1f} kB\n"
    begins = {".svg": b"<svg ", ".glb": b"glTF", ".html": b"<!DOCTYPE html>", ".webp": b"RIFF"}
    assert path.read_bytes().startswith(begins[ending])
    assert os.listdir(tmp_path) == [path.name]


def test_parameters_change_the_picture(eomc_command, tmp_path: Path) -> None:
    """Shapes have the sizes that `--set` gives them, and the key frames the time that `--speed` does."""
    path = tmp_path / "cart.glb"
    for length, speed in ((0.5, 1.0), (1.5, 0.5)):
        more = ("--set", f"l={length}", "--speed", f"{speed}")
        assert eomc_command("animate", "cart_pole", "-o", str(path), *SHORT, *more).code == 0
        data = path.read_bytes()
        document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
        (bob,) = (one for one in document["nodes"] if one.get("name") == "bob")
        sphere = document["nodes"][bob["children"][0]]
        assert sphere["scale"] == pytest.approx([length / 12] * 3)
        inputs = {one["input"] for one in document["animations"][0]["samplers"]}
        ends = {round(document["accessors"][k]["max"][0], 6) for k in inputs}
        assert ends == {0.4 / speed}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("four_bar", "-o", "four.gif"), "--output: 'four.gif' has no ending of a picture that moves: give .svg, .glb"),
        (("four_bar", "-o", "four"), "give .svg, .glb, .webp or .html"),
        (("four_bar", "-o", "no/four.svg"), "--output: the folder no does not exist"),
        (("four_bar",), "-o/--output"),
        (("four_bar", "-o", "four.svg", "--speed", "0"), "0 is not above zero"),
        (("four_bar", "-o", "four.svg", "--t0", "2", "--t-end", "1"), "--t-end 1 lies before the start"),
        (("four_bar", "-o", "four.svg", "--fps", "often"), "'often' is not a finite number"),
    ],
)
def test_bad_input_is_told_in_one_line(eomc_command, tmp_path: Path, monkeypatch, arguments, says: str) -> None:
    """What is wrong, where and what to do; no file is left."""
    monkeypatch.chdir(tmp_path)
    answer = eomc_command("animate", *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert says in answer.err
    assert answer.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_a_motion_in_space_leaves_the_file_that_is_there(eomc_command, tmp_path: Path) -> None:
    """It is no .svg, and what had its name stays as it was."""
    path = tmp_path / "disk.svg"
    path.write_text("mine")
    answer = eomc_command("animate", "rolling_disk", "-o", str(path), *SHORT)
    assert answer.code == 2
    assert "rolling_disk: the motion is not planar" in answer.err
    assert path.read_text() == "mine"
    assert os.listdir(tmp_path) == [path.name]
