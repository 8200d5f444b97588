"""What is emitted now, against generated/, byte by byte."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("regenerate.py")
FOLDER = Path(__file__).resolve().parents[2] / "generated"

_DIGESTS = """
import hashlib, json, runpy, sys
files = runpy.run_path(sys.argv[1])["emit"]()
print(json.dumps({path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}))
"""


@pytest.fixture(scope="module")
def emitted() -> dict[str, str]:
    """Return path -> text of what belongs into generated/."""
    files: dict[str, str] = runpy.run_path(str(SCRIPT))["emit"]()
    return files


def test_generated_is_what_is_emitted(emitted: dict[str, str]) -> None:
    """generated/ holds the sources that `make generated` writes, and no others; what a build leaves is no source."""
    kept = [path for path in FOLDER.rglob("*") if path.suffix in {".c", ".h", ".md"} or path.name == "Makefile"]
    there = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in kept}
    changes: list[str] = []
    for path in sorted(emitted.keys() | there.keys()):
        old, new = (files.get(path, "").splitlines(keepends=True) for files in (there, emitted))
        changes += difflib.unified_diff(old, new, f"generated/{path}", f"emitted/{path}", n=1)
    if changes:
        pytest.fail("run `make generated` and read the diff:\n" + "".join(changes[:200]), pytrace=False)


def test_the_readme_shows_what_is_emitted() -> None:
    """The C in README.md is what its example makes."""
    readme = FOLDER.parent / "README.md"
    assert runpy.run_path(str(SCRIPT))["readme"]() == readme.read_text(encoding="utf-8"), "run `make generated`"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "4242"])
def test_same_bytes_under_any_hash_seed(emitted: dict[str, str], seed: str) -> None:
    """What is emitted does not depend on the order of Python's sets."""
    done = subprocess.run(
        [sys.executable, "-c", _DIGESTS, str(SCRIPT)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {
        path: hashlib.sha256(text.encode()).hexdigest() for path, text in emitted.items()
    }


def test_the_witness_sees_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list equals itself, and names a file that was another one before."""
    run = runpy.run_path(str(SCRIPT.with_name("witness.py")))["main"]
    listed = tmp_path / "before.txt"
    monkeypatch.setattr("sys.argv", ["witness.py", "henon_heiles"])
    assert run() == 0
    listed.write_text(capsys.readouterr().out, encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["witness.py", "henon_heiles", "--against", str(listed)])
    assert run() == 0
    changed = listed.read_text(encoding="utf-8").splitlines()
    other = changed[0].split(" ", 1)[1]
    changed[0] = f"{'0' * 64} {other}"
    listed.write_text("\n".join(changed), encoding="utf-8")
    assert run() == 1
    assert f"differs {other}" in capsys.readouterr().out
