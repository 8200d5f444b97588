"""Waits for the compiler: who hears of them, and who does not wait."""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc import waiting
from eomc.binding import load, loading
from eomc.binding.later import Later

pytestmark = pytest.mark.needs_cc


@pytest.fixture
def held_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache and a compiler that waits, once it has said so, while the returned file is there."""
    gate, wrapper = tmp_path / "gate", tmp_path / "waiting-cc"
    os.mkfifo(tmp_path / "asked")
    wrapper.write_text(
        f'#!/bin/sh\n[ ! -e "{gate}" ] || echo asked > "{tmp_path}/asked"\n'
        f'while [ -e "{gate}" ]; do sleep 0.01; done\nexec {shutil.which("cc")} "$@"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("CC", str(wrapper))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return gate


def test_a_jacobian_holds_up_nothing(held_compiler: Path) -> None:
    """While a Jacobian is compiled, the simulator runs, and another that asks for it waits for the same one."""
    sim = eomc.compile(eomc.load("cart_pole")).load()
    x, found = sim.state(), []
    held_compiler.touch()
    threads = [threading.Thread(target=lambda: found.append(sim.jac(0.0, x)), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    (held_compiler.parent / "asked").read_text()  # until the compiler is at it
    run = sim.simulate(0.1, 0.01)
    assert len(run.plot().axes) == 5
    assert not found
    held_compiler.unlink()
    for thread in threads:
        thread.join(60)
    np.testing.assert_array_equal(found[0], found[1])


def test_made_once_and_again_after_a_failure() -> None:
    """What fails is asked for again; what is made stays."""
    asked: list[str] = []

    def make(name: str) -> str:
        asked.append(name)
        if len(asked) == 1:
            raise ValueError(name)
        return name.upper()

    later = Later(make)
    with pytest.raises(ValueError, match="jacobian"):
        later("jacobian")
    assert later("jacobian") is later("jacobian")
    assert asked == ["jacobian", "jacobian"]


@pytest.mark.parametrize("watched", [True, False], ids=["terminal", "log"])
def test_a_long_wait_is_told(
    watched: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Who watches reads a line on stderr; a program's log has it instead, where it listens."""
    told, say = threading.Event(), waiting._say
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "_is_watched", lambda: watched)
    monkeypatch.setattr(waiting, "_say", lambda what: (say(what), told.set()))
    if not watched:
        caplog.set_level(logging.INFO, "eomc")
    with waiting.waiting("gcc compiles pendulum"):
        assert told.wait(60)
    assert capsys.readouterr().err == ("eomc: gcc compiles pendulum\n" if watched else "")
    assert [record.message for record in caplog.records] == ([] if watched else ["gcc compiles pendulum"])


def test_no_word_where_a_sign_of_life_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that shows that it works says nothing else; what is done at once is no wait."""
    monkeypatch.setattr(threading, "Timer", None)
    with waiting.shown(), waiting.waiting("gcc compiles pendulum"):
        pass


def test_what_is_waited_for(pendulum: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first load waits for the compiler, the next finds what it made."""
    words: list[str] = []

    @contextmanager
    def recorded(what: str) -> Iterator[None]:
        words.append(what)
        yield

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(loading, "waiting", recorded)
    load(pendulum())
    load(pendulum())
    (word,) = words
    assert "compiles pendulum (its usual functions); kept in " in word
    assert str(tmp_path) in word
