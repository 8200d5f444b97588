"""Compiled libraries are found again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eomc.binding import cache, load
from eomc.binding.cache import cache_directory, cached_library, key_of

HERE = Path(__file__).parent


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Use an empty cache and a compiler that counts its runs; return the counter."""
    log, real = tmp_path / "runs", shutil.which("cc")
    wrapper = tmp_path / "counting-cc"
    wrapper.write_text(f'#!/bin/sh\necho run >> "{log}"\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CC", str(wrapper))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return lambda: len(log.read_text().splitlines()) if log.exists() else 0


@pytest.fixture
def no_substitute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the process's temporary cache before and after."""
    cache._temporary_directory.cache_clear()


@pytest.mark.needs_cc
def test_second_load_runs_no_compiler(counted: Callable[[], int], pendulum: Callable[..., Any]) -> None:
    """The compiler runs once for the same C, and again for another."""
    load(pendulum())
    assert counted() == 1
    load(pendulum())
    assert counted() == 1
    load(pendulum("float"))
    assert counted() == 2


@pytest.mark.needs_cc
def test_another_process_finds_it(counted: Callable[[], int], pendulum: Callable[..., Any]) -> None:
    """What one process compiled, another loads."""
    load(pendulum())
    script = f"""
import importlib.util
spec = importlib.util.spec_from_file_location("made", {str(HERE / "conftest.py")!r})
made = importlib.util.module_from_spec(spec)
import sys; sys.modules["made"] = made
spec.loader.exec_module(made)
from eomc.binding import load
print(load(made.pendulum_build()).rhs(0.0, [0.0, 2.0])[0])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment()
    )
    assert (done.stdout.strip(), done.stderr) == ("2.0", "")
    assert counted() == 1


@pytest.mark.needs_cc
@pytest.mark.parametrize("damage", [b"", b"\x7fELF nonsense"])
def test_damaged_entry_is_built_again(counted: Callable[[], int], pendulum: Callable[..., Any], damage: bytes) -> None:
    """A truncated or overwritten entry is never loaded."""
    load(pendulum())
    (entry,) = cache_directory().glob("*/*.so")
    entry.unlink()  # not in place: this process has it mapped
    entry.write_bytes(damage)
    assert load(pendulum()).rhs(0.0, [0.0, 2.0])[0] == 2.0
    assert counted() == 2


@pytest.mark.needs_cc
@pytest.mark.usefixtures("no_substitute")
def test_unwritable_cache(
    counted: Callable[[], int], pendulum: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the cache cannot be, a temporary folder serves this process; nothing fails, nothing is compiled twice."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for _ in range(2):
        assert load(pendulum()).rhs(0.0, [0.0, 2.0])[0] == 2.0
    assert counted() == 1


def test_relative_cache_home_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The base directory specification: a relative XDG_CACHE_HOME counts as unset."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_directory() == tmp_path / ".cache" / "eomc"


def test_key_knows_where_texts_end() -> None:
    """Moving a character from one text to the next makes another key."""
    assert key_of(["ab", "c"]) != key_of(["a", "bc"])
    assert key_of(["ab", "c"]) == key_of(["ab", "c"])


def test_racing_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builders of the same key at the same time all get a sound entry, and no temporary file stays."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    gate, found = threading.Barrier(6), []

    def build() -> bytes:
        gate.wait()
        return b"library" * 10_000

    def run() -> None:
        found.append(cached_library("a" * 64, build))

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {path.read_bytes() for path in found} == {b"library" * 10_000}
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def environment() -> dict[str, str]:
    """Return this environment, in which the package can be imported."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "error"}
