"""Figures of the compiled code."""

from __future__ import annotations

import shutil

import pytest

import eomc
from eomc.binding.measuring import measure
from eomc.errors import BuildError

pytestmark = pytest.mark.needs_cc


def test_code_grows_with_the_model_and_every_function_has_a_frame() -> None:
    """Ten links need more code than two; the stack report names the program's functions."""
    small, large = (measure(eomc.compile(eomc.load(f"n_link_pendulum:{n}"))) for n in (2, 10))
    assert small.code_bytes is not None
    assert large.code_bytes is not None
    assert 500 < small.code_bytes < large.code_bytes
    assert {"prepare", "rhs", "mass_matrix", "energy"} <= set(large.stack)
    assert all(size >= 0 for size in large.stack.values())


def test_a_compiler_without_a_stack_report(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Where the compiler does not know the flag, the frames are left out and the rest stays."""
    real = shutil.which("cc")
    script = tmp_path / "cc"
    script.write_text(f'#!/bin/sh\ncase "$*" in *callgraph-info*) exit 1;; esac\nexec {real} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    measured = measure(eomc.compile(eomc.load("simple_pendulum")))
    assert measured.stack == {}
    assert measured.code_bytes is not None
    assert measured.compiler == str(script)


def test_a_compiler_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its words are in the message."""
    monkeypatch.setenv("CFLAGS", "--no-such-flag-at-all")
    with pytest.raises(BuildError, match="no-such-flag-at-all"):
        measure(eomc.compile(eomc.load("simple_pendulum")))
