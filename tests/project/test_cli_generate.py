"""`eomc generate`: several models, libraries, folders of other models, unchanged files, dependency files."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import eomc


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_several_models_in_one_call(eomc_command, tmp_path: Path) -> None:
    """Each model has a folder of its own below the one that was named."""
    answer = eomc_command("generate", "cart_pole", "simple_pendulum", "-o", tmp_path)
    assert answer.code == 0
    assert files(tmp_path) == {"cart_pole", "simple_pendulum"}
    assert files(tmp_path / "cart_pole") == {"cart_pole.h", "cart_pole.c", "main.c", "Makefile", "README.md"}


def test_a_model_that_fails_keeps_the_others_from_being_written(eomc_command, tmp_path: Path) -> None:
    """All are derived before anything is written, and the message names the one that failed."""
    answer = eomc_command("generate", "cart_pole", "no_such_model", "-o", tmp_path / "out")
    assert answer.code == 2
    assert "no_such_model" in answer.err
    assert "nothing was written" in answer.err
    assert not (tmp_path / "out").exists()


def test_two_models_of_one_name_are_refused(eomc_command, tmp_path: Path) -> None:
    """Their files would be the same ones."""
    answer = eomc_command("generate", "cart_pole", "cart_pole", "-o", tmp_path / "out")
    assert answer.code == 2
    assert "both named cart_pole" in answer.err
    assert not (tmp_path / "out").exists()


def test_a_library_is_header_and_source(eomc_command, tmp_path: Path) -> None:
    """--library writes .h and .c of all models side by side, the same bytes as in a folder of their own."""
    assert eomc_command("generate", "cart_pole", "simple_pendulum", "--library", "-o", tmp_path / "lib").code == 0
    assert files(tmp_path / "lib") == {"cart_pole.h", "cart_pole.c", "simple_pendulum.h", "simple_pendulum.c"}
    build = eomc.compile(eomc.load("cart_pole"))
    build.write(tmp_path / "whole")
    build.write(tmp_path / "api", library=True)
    assert files(tmp_path / "api") == {"cart_pole.h", "cart_pole.c"}
    for name in ("cart_pole.h", "cart_pole.c"):
        assert (tmp_path / "lib" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_the_folder_of_another_model_is_left_alone(eomc_command, tmp_path: Path) -> None:
    """main.c, Makefile and README of one model are not those of another; as a library the second may live there."""
    assert eomc_command("generate", "cart_pole", "-o", tmp_path).code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    answer = eomc_command("generate", "simple_pendulum", "-o", tmp_path)
    assert answer.code == 2
    assert "belongs to the model cart_pole" in answer.err
    assert "--library" in answer.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert eomc_command("generate", "simple_pendulum", "--library", "-o", tmp_path).code == 0
    assert eomc_command("generate", "cart_pole", "--real", "float", "-o", tmp_path).code == 0  # its own, changed


@pytest.mark.needs_cc
@pytest.mark.parametrize(("options", "size"), [((), 8), (("--real", "float"), 4)])
def test_the_real_type_goes_with_the_files(eomc_command, tmp_path: Path, options: tuple[str, ...], size: int) -> None:
    """What `--real` asks for is the type wherever header and source are copied, without a macro."""
    assert eomc_command("generate", "cart_pole", *options, "-o", tmp_path).code == 0
    caller = f'#include "cart_pole.h"\ntypedef char same[sizeof(cart_pole_real) == {size} ? 1 : -1];\n'
    (tmp_path / "caller.c").write_text(caller, encoding="utf-8")
    subprocess.run(["gcc", "-std=c99", "-fsyntax-only", "caller.c", "cart_pole.c"], cwd=tmp_path, check=True)


def test_files_that_would_not_change_are_not_touched(eomc_command, tmp_path: Path) -> None:
    """A second run keeps every time of modification; a changed model touches what changes."""
    assert eomc_command("generate", "cart_pole", "-o", tmp_path).code == 0
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))
    assert eomc_command("generate", "cart_pole", "-o", tmp_path).code == 0
    assert {path.stat().st_mtime for path in tmp_path.iterdir()} == {1.0}
    assert eomc_command("generate", "cart_pole", "--functions", "rhs", "-o", tmp_path).code == 0
    assert (tmp_path / "cart_pole.c").stat().st_mtime > 1.0


def test_a_depfile_has_one_kind_of_path(eomc_command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the current folder relative, with an absolute output folder absolute; the folder of the file is made."""
    monkeypatch.chdir(tmp_path)
    Path("parts").mkdir()
    Path("parts/sizes.py").write_text("LENGTH = 1\n", encoding="utf-8")
    Path("mine.py").write_text(
        "from parts.sizes import LENGTH\nfrom eomc.models import simple_pendulum\n"
        "model = simple_pendulum.model().renamed('mine')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for output, mark in (("out", "mine.py"), (str(tmp_path / "out"), str(tmp_path / "mine.py"))):
        assert eomc_command("generate", "mine.py", "-o", output, "--depfile", "made/here/mine.d").code == 0
        words = Path("made/here/mine.d").read_text(encoding="utf-8").replace("\\\n", " ").split()
        own = [word.rstrip(":") for word in words if "parts" in word or "mine" in word]
        assert mark in own
        assert {Path(word).is_absolute() for word in own} == {Path(output).is_absolute()}
    assert any(word.endswith("eomc/__init__.py") for word in words), "another version of eomc makes other files"


def test_many_models_start_the_program_once(eomc_command, tmp_path: Path) -> None:
    """The depfile of several models has a rule for each."""
    depfile = tmp_path / "all.d"
    names = ("cart_pole", "simple_pendulum", "two_link_arm")
    assert eomc_command("generate", *names, "--library", "-o", tmp_path, "--depfile", depfile).code == 0
    rules = re.findall(r"^\S*/(\w+)\.h ", depfile.read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(rules) == names


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["simulat", "cart_pole"], "did you mean simulate"),
        (["generate", "cart_pole", "--functions", "jacobean"], "did you mean jacobian"),
        (["generate", "cart_pole", "--real", "floot"], "did you mean float?"),
        (["generate", "cart_pole", "-o", ""], "the path is empty"),
        (["simulate", "cart_pole", "-o", ""], "the path is empty"),
        (["simulate", "cart_pole", "--init", "theta=1_000"], "'1_000' is not a finite number"),
        (["simulate", "cart_pole", "--init", "theta=pi/0"], "'pi/0' is not a finite number"),
        (["simulate", "cart_pole", "--every", "1.5"], "is not a whole number"),
    ],
)
def test_slips_are_answered_with_a_remedy(eomc_command, words: list[str], hint: str) -> None:
    """A word that is nearly right is named; a number that is none is quoted."""
    answer = eomc_command(*words)
    assert answer.code == 2
    assert hint in answer.err
    assert len(answer.err.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_no_defect() -> None:
    """Standard output that takes nothing is told in one line."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "eomc", "models", "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "eomc: error: the output cannot be written: No space left on device\n"


NUMBERS = ("0.25", "-.5", "1e-3", "0x10", "0x1.8p1", "pi", "-pi/2", "3*deg", "2*pi/-3", "+deg", "1/3/7*deg")
WRONG = ("1_000", "inf", "nan", "1/0", "0/0", "1e400", "2pi", "pi*", "*2", "", "--1", "- 1", " 1", "1 ", "0x", "tau")


@pytest.mark.needs_cc
def test_both_programs_read_the_same_numbers(eomc_command, tmp_path: Path) -> None:
    """A value after --init means the same to `eomc simulate` and to the emitted program, to the last bit."""
    assert eomc_command("generate", "simple_pendulum", "--functions", "rhs", "-o", tmp_path).code == 0
    subprocess.run(["make", "-s", "-C", tmp_path, "CFLAGS=-std=c99 -O0"], check=True)
    program = tmp_path / "simple_pendulum"
    out = tmp_path / "out.csv"
    for text in NUMBERS:
        words = ("--init", f"theta={text}", "--t-end", "0")
        theirs = subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
        assert eomc_command("simulate", "simple_pendulum", *words, "-o", out).code == 0
        assert [row.split(",")[:2] for row in out.read_text().splitlines()] == [
            row.split(",")[:2] for row in theirs.splitlines()
        ], text
    for text in WRONG:
        words = ("--init", f"theta={text}", "--t-end", "0")
        assert subprocess.run([program, *words], capture_output=True, check=False).returncode == 2, text
        assert eomc_command("simulate", "simple_pendulum", *words).code == 2, text


def test_nothing_is_searched_for_cycles_meanwhile(eomc_command, tmp_path: Path) -> None:
    """SymPy's heap is large, and most of a short run would go into it; afterwards Python searches as before."""
    asks = "import gc, eomc\nassert not gc.isenabled()\ndef model(): return eomc.load('simple_pendulum')\n"
    (tmp_path / "asks.py").write_text(asks)
    assert gc.isenabled()
    answer = eomc_command("generate", tmp_path / "asks.py", "-o", tmp_path / "out")
    assert answer.code == 0, answer.err
    assert gc.isenabled()
