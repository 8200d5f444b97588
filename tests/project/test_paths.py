"""Paths that people give to what writes files: one clear error for what is none, whatever it is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import eomc
from eomc.errors import EomcError
from eomc.files import path_of
from eomc.fmu import write_fmu

pytestmark = pytest.mark.needs_cc

WRITERS = {
    "report": ".html",
    "animate": ".svg",
    "save": ".csv",
    "plot": ".png",
    "fmu": ".fmu",
    "write": "",
    "checkpoint": ".run",
}


class Odd:
    """A path in bytes, which pathlib does not know."""

    def __fspath__(self) -> bytes:
        return b"x.html"


@pytest.fixture(scope="module")
def written() -> Callable[[str, object], object]:
    """Return what writes by a name of `WRITERS`."""
    build = eomc.compile(eomc.load("simple_pendulum"))
    sim = build.load()
    run = sim.simulate(t_end=0.01)
    by = {
        "report": lambda path: build.report(path, run),
        "animate": run.animate,
        "save": run.save,
        "plot": lambda path: run.plot(path=path),
        "fmu": lambda path: write_fmu(build, path),
        "write": build.write,
        "checkpoint": lambda path: sim.ensemble([[0.1, 0.0]], t_end=0.01, checkpoint=path),
    }
    return lambda name, path: by[name](path)


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_no_path_is_refused(written: Callable[..., object], name: str, tmp_path: Path, monkeypatch) -> None:
    """Numbers, lists, bytes, a null, half a pair of surrogates, a folder, a folder that is none: nothing is left."""
    monkeypatch.chdir(tmp_path)
    ending = WRITERS[name]
    folder, file = tmp_path / f"folder{ending}", tmp_path / "file"
    folder.mkdir()
    file.write_text("mine")
    given: list[object] = [5, 3.5, True, ["a"], object(), f"a\0b{ending}", f"\ud800{ending}", file / f"a{ending}"]
    given += [] if name in ("plot", "checkpoint") else [None]  # where that is none
    given += [] if name == "checkpoint" else [Odd(), b"a" + ending.encode()]  # which may be in bytes
    given += [folder] if ending else [file]
    for one in given:
        with pytest.raises(EomcError) as caught:
            written(name, one)
        assert "\n" not in str(caught.value)
    assert sorted(os.listdir(tmp_path)) == ["file", folder.name]
    assert os.listdir(folder) == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (5, "5 is no path: give a name as text, or a pathlib.Path"),
        (None, "None is no path"),
        ("a\0b.html", "'a\\x00b.html' has a null byte, and no file is called so"),
    ],
)
def test_the_message_says_what_and_what_to_do(given: object, says: str) -> None:
    """And begins with who asks."""
    with pytest.raises(EomcError) as caught:
        path_of(given, "--output: ")
    assert str(caught.value).startswith(f"--output: {says}")
