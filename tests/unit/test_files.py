"""Files are written whole or not at all, to where they were asked for."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from eomc.cli.destinations import refuse_destination
from eomc.errors import OutputError
from eomc.files import is_replaced, whole, write_whole


@pytest.mark.parametrize("raised", [OSError, ValueError, KeyboardInterrupt])
def test_what_is_there_stays_until_the_new_file_is_whole(raised: type[BaseException], tmp_path: Path) -> None:
    """Whatever ends the writing leaves the old file, and nothing beside it."""
    target = tmp_path / "run.csv"
    target.write_text("old")

    def fail() -> None:
        with whole(target) as place:
            place.write_text("half of the n")
            assert place.suffix == ".csv"
            raise raised

    with pytest.raises(raised):
        fail()
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("run.csv", "old")]
    write_whole(target, b"new")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("run.csv", "new")]


def test_a_new_file_has_the_mode_of_the_old_one(tmp_path: Path) -> None:
    """What nobody else may read is not for all after it is written again."""
    target = tmp_path / "run.csv"
    write_whole(target, b"")
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~_umask()
    target.chmod(0o600)
    write_whole(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_link_goes_on_to_lead_to_its_file(tmp_path: Path) -> None:
    """Whether that is there or not."""
    (tmp_path / "far").mkdir()
    link = tmp_path / "run.csv"
    link.symlink_to(tmp_path / "far" / "data.csv")
    for text in (b"first", b"second"):
        write_whole(link, text)
        assert link.is_symlink()
        assert (tmp_path / "far" / "data.csv").read_bytes() == text
    assert [one.name for one in (tmp_path / "far").iterdir()] == ["data.csv"]


def test_an_open_file_and_a_device_are_written_to(tmp_path: Path) -> None:
    """What the shell has opened as /dev/stdout stays the same file, a pipe takes what is written."""
    code = "from pathlib import Path; from eomc.files import write_whole; write_whole(Path('/dev/stdout'), b'new')"
    into = tmp_path / "all.txt"
    with into.open("w") as opened:
        subprocess.run([sys.executable, "-c", code], stdout=opened, check=True)
        assert into.stat().st_ino == os.fstat(opened.fileno()).st_ino
    assert into.read_text() == "new"
    assert list(tmp_path.iterdir()) == [into]
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert piped.stdout == b"new"
    assert not is_replaced(Path("/dev/null"))
    write_whole(Path("/dev/null"), b"nothing")


def test_destinations_are_refused_where_writing_would_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, one that is not there, a file whose folder takes no new one; a device needs leave for itself."""
    with pytest.raises(OutputError, match=r"--output: .* is a folder"):
        refuse_destination("--output", tmp_path)
    with pytest.raises(OutputError, match=r"the folder .*none does not exist"):
        refuse_destination("--output", tmp_path / "none" / "a.csv")
    asked = list[Path]()
    monkeypatch.setattr(os, "access", lambda path, mode: asked.append(Path(path)) or False)
    (tmp_path / "a.csv").touch()
    for path in (tmp_path / "a.csv", tmp_path / "b.csv", Path("/dev/null")):
        with pytest.raises(OutputError, match="cannot be written; name another file"):
            refuse_destination("--output", path)
    assert asked == [tmp_path, tmp_path, Path("/dev/null")]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
