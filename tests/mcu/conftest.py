"""Emitted folders of targets, and what is asked of them by make."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import eomc
from eomc.build import Build
from eomc.targets import Target


@pytest.fixture(scope="module", autouse=True)
def optimization() -> None:
    """Compile as users do."""


@dataclass(frozen=True)
class Folder:
    """What was emitted for a target."""

    path: Path
    build: Build

    @property
    def target(self) -> Target:
        assert self.build.target is not None
        return self.build.target

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["make", *words], cwd=self.path, capture_output=True, text=True, check=False)

    def lines(self, goal: str, *words: str) -> list[str]:
        """Return what `make GOAL` prints."""
        answer = self.make("-s", goal, *words)
        assert answer.returncode == 0, answer.stdout + answer.stderr
        return answer.stdout.splitlines()

    def printed_hash(self, goal: str, *words: str) -> str:
        """Return the hash that `make GOAL` prints."""
        (line,) = [line for line in self.lines(goal, *words) if line.startswith("sha256 ")]
        return line.removeprefix("sha256 ")


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory) -> Callable[..., Folder]:
    """Return a function that emits a model for a target, once for all tests."""

    @functools.cache
    def emitted(model: str, target: str, real: str = "double", math: str = "libm", kept: str = "none") -> Folder:
        build = eomc.compile(eomc.load(model), real=real, target=target, math=math, stabilization=kept)
        path = tmp_path_factory.mktemp(f"{target}_{real}")
        build.write(path)
        return Folder(path, build)

    return emitted


@pytest.fixture(scope="session")
def hashes_here(folder_of, same_bits) -> Callable[[str, str, str, int], dict[tuple[str, str], str]]:
    """Return what hashes a strict run on this machine, by one compiler; in the stage by two, with all flags."""
    ways = same_bits[1:2]
    if "EOMC_MCU" in os.environ:
        ways = same_bits
        if len({compiler for compiler, _ in ways}) < 2:
            pytest.fail("gcc and clang: one of them is not installed")

    @functools.cache
    def hashes(model: str, real: str, kept: str, steps: int) -> dict[tuple[str, str], str]:
        folder = folder_of(model, "host", real, "strict", kept)
        return {
            (compiler, flags): folder.printed_hash(
                "hash", f"STEPS={steps}", f"CC={compiler}", f"COMMON_FLAGS={flags}", "OPTIMIZE="
            )
            for compiler, flags in ways
        }

    return hashes


@pytest.fixture
def needs_tools() -> Callable[[Target], None]:
    """Return a function that skips where a target's compiler or emulator is missing; in the stage it fails."""

    def ask(target: Target) -> None:
        emulator = target.emulator.split()[:1]
        missing = [tool for tool in (target.prefix + "gcc", *emulator) if shutil.which(tool) is None]
        if missing and "EOMC_MCU" in os.environ:
            pytest.fail(f"{', '.join(missing)}: not installed")
        if missing:
            pytest.skip(f"{', '.join(missing)}: not installed")

    return ask
