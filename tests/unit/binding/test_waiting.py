"""Waits for the compiler: who hears of them, and who does not wait."""

from __future__ import annotations

import logging
import os
import pickle
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


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Use an empty cache, and return what the compiler is called for from now on."""
    told: list[str] = []

    @contextmanager
    def recorded(what: str) -> Iterator[None]:
        told.append(what.partition("(")[2].partition(")")[0])
        yield

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(loading, "waiting", recorded)
    return told


def test_each_part_is_compiled_when_it_is_asked_for_and_once(compiled: list[str]) -> None:
    """Another integrator needs no function but those of its points, a Jacobian no run, and nobody waits twice."""
    sim = eomc.compile(eomc.load("cart_pole")).load()
    x = sim.initial_state
    run = sim.simulate(0.1)
    assert (sim.rhs(0.0, x).shape, sim.mass_matrix(0.0, x).shape, run["energy_total"].shape) == ((4,), (2, 2), (101,))
    sim.step(0.0, x, 0.1)
    assert compiled == ["its usual functions"]
    for _ in range(2):
        sim.jac(0.0, x), sim.columns.jac(0.0, x)
        sim.step_jacobian(0.0, x, 0.1, integrator="heun")
        assert np.isfinite(sim.simulate(0.1, rtol=1e-6)["energy_total"]).all()
        sim.step(0.0, x, 0.1, rtol=1e-6)
        sim.ensemble([x, x], t_end=0.1, integrator="heun")
        sim.simulate(0.1, integrator="heun")
    parts = ["its usual functions", "jacobian", "step_jacobian", "steps of dop853", "step_lanes", "steps of heun"]
    assert compiled == parts
    again = pickle.loads(pickle.dumps(sim))
    again.jac(0.0, x), again.simulate(0.1, rtol=1e-6)
    assert compiled == parts


def test_a_run_does_not_wait_for_a_jacobian_of_its_build(compiled: list[str]) -> None:
    """Functions that a build names are not compiled again with another integrator's steps, nor do they change these."""
    model = eomc.load("rolling_disk")
    named = eomc.compile(model, functions=["jacobian", "outputs"]).load()
    few = eomc.compile(model, functions=[], integrator="dopri5").load()
    run = named.simulate(0.5, integrator="dopri5")
    assert compiled == ["jacobian", "steps of dopri5", "steps of dopri5"]
    assert run.x.tobytes() == few.simulate(0.5).x.tobytes()
    for integrator in ("taylor", "rodas5p"):
        assert run.names == named.simulate(0.5, integrator=integrator).names
    assert compiled[3:] == ["steps of taylor", "steps of rodas5p"]
