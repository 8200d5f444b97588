"""The pipeline as a whole."""

from __future__ import annotations

import gc

import pytest

import eomc
from eomc.errors import UnsupportedError


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    """Compiling, and failing to, leaves Python's cycle collector switched as the caller had it."""
    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        eomc.compile(eomc.load("simple_pendulum"))
        assert gc.isenabled() is enabled
        with pytest.raises(UnsupportedError):
            eomc.compile(eomc.load("rolling_disk"), "hamilton")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_every_stage_is_kept() -> None:
    """A build holds each stage's result, in the order of the chain."""
    build = eomc.compile(eomc.load("spherical_pendulum"), "hamilton")
    assert build.equations.method.name == build.program.method.name == "hamilton"
    assert build.schedule.program is build.program
    assert {artifact.path for artifact in build.artifacts} == {
        "spherical_pendulum.h", "spherical_pendulum.c", "main.c", "Makefile", "README.md",
    }  # fmt: skip
    assert [stage for stage, _ in build.statistics.stage_times] == ["derive", "initial state", "program", "emit"]


def test_a_build_says_what_it_is_in_one_line() -> None:
    """The repr of a build is one short line, not all its stages."""
    text = repr(eomc.compile(eomc.load("simple_pendulum")))
    assert text == "<eomc.Build of 'simple_pendulum' by kane: 2 states, 3 operations in rhs>"
