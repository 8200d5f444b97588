"""A firmware project whose build is driven by make, with the fragment that eomc writes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = [pytest.mark.needs_cc, pytest.mark.slow]

MODEL = """
import eomc
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

from lengths import LENGTH

theta = dynamicsymbols("theta")
m, l, g = sm.symbols("m l g", positive=True)
energy = m * l**2 * theta.diff() ** 2 / 2 + m * g * l * sm.cos(theta)
model = eomc.from_lagrangian(
    energy, coordinates=[theta], parameters={m: 1.0, l: LENGTH, g: 9.81}, name="swing", initial={theta: 1.0}
)
"""
MAIN = """
#include "swing.h"
#include "henon_heiles.h"

int main(void)
{
    return ((swing_version()[0] == 'e') && (henon_heiles_version()[0] == 'e')) ? 0 : 1;
}
"""
MAKEFILE = """
EOMC_MODELS = models/swing.py henon_heiles
EOMC_FLAGS = --real float
include eomc.mk

firmware: main.o $(EOMC_LIBRARIES)
\t$(CC) -o $@ $^ -lm
main.o: override CPPFLAGS += $(EOMC_INCLUDES)
main.o: $(EOMC_HEADERS)
"""


class Project(NamedTuple):
    """A folder with a Makefile, and what make says in it."""

    path: Path
    eomc: str  # the command, without the last words "-m eomc"

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = ["make", f"EOMC={self.eomc} -m eomc", *words]
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False)

    def made(self, *words: str) -> tuple[int, int]:
        """Return how often a model was derived and how often C was compiled."""
        done = self.make(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.count("-m eomc generate"), done.stdout.count(" -c ")

    def is_done(self, *words: str) -> bool:
        return self.make("-q", *words).returncode == 0


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Iterator[Project]:
    """Return the project, built once with two jobs by the command itself; later forks answer, which are as many."""
    from eomc.cli import main

    path = tmp_path_factory.mktemp("firmware")
    (path / "models").mkdir()
    (path / "models/swing.py").write_text(MODEL)
    (path / "models/lengths.py").write_text("LENGTH = 1.0\n")
    (path / "main.c").write_text(MAIN)
    (path / "Makefile").write_text(MAKEFILE)
    assert main(["makefile", "-o", str(path / "eomc.mk")]) == 0
    assert Project(path, sys.executable).made("-j2") == (2, 3)
    forking, place = Path(__file__).parent / "forking.py", tmp_path_factory.mktemp("socket") / "eomc"
    server = subprocess.Popen([sys.executable, forking, place])
    while not place.exists():
        assert server.poll() is None
        time.sleep(0.01)
    project = Project(path, f"{sys.executable} -S {forking} {place}")
    assert project.made() == (2, 0)  # the command is another, so that no test finds that for the others
    yield project
    server.terminate()
    server.wait()


def test_the_firmware_runs_and_nothing_is_built_twice(project) -> None:
    """The first goal is the project's own; a second make has nothing to do."""
    assert subprocess.run([project.path / "firmware"], check=False).returncode == 0
    assert project.is_done()
    assert project.made() == (0, 0)


def test_what_changes_is_made_again_and_no_more(project) -> None:
    """A touched module derives; new text compiles; flags compile; an option derives; and then all is done."""
    module = project.path / "models/lengths.py"
    module.touch()
    assert project.made() == (1, 0)
    module.write_text("LENGTH = 2.25\n")
    assert project.made() == (1, 2)  # the model and main.c, which includes its header
    assert project.made("CFLAGS=-O1") == (0, 2)
    assert project.made("CFLAGS=-O1", "EOMC_FLAGS=--real double") == (2, 3)
    assert project.is_done("CFLAGS=-O1", "EOMC_FLAGS=--real double")
    assert project.made() == (2, 3)


def test_a_trajectory_is_a_target(project) -> None:
    """The simulator is built and run, and not again."""
    goal = "build/swing/swing.csv"
    assert project.made(goal) == (0, 1)
    assert (project.path / goal).read_text().startswith("t,theta,theta_d\n0,1,0\n")
    assert project.is_done(goal)


def test_a_model_without_meaning_ends_the_build(project) -> None:
    """eomc's line is shown, make fails, and mending the file is enough."""
    file = project.path / "models/swing.py"
    text = file.read_text()
    file.write_text(text + "(")
    done = project.make()
    assert done.returncode != 0
    assert "eomc: error: models/swing.py, line 14: SyntaxError" in done.stderr
    file.write_text(text)
    project.made()
    assert project.is_done()


def test_files_of_before_are_no_part_of_the_library(project) -> None:
    """C that the model no longer has is removed when it is derived."""
    stale = project.path / "build/swing/swing_part1.c"
    stale.write_text("#error\n")
    (project.path / "models/swing.py").touch()
    project.made("build/swing/libswing.a")
    assert not stale.exists()


def test_builds_lie_side_by_side_and_are_cross_compiled(project, tmp_path) -> None:
    """Out of tree, by another compiler; the first build stays as it is."""
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is missing")
    goal = f"{tmp_path}/swing/libswing.a"
    words = [f"EOMC_BUILD={tmp_path}", "CC=arm-none-eabi-gcc", "AR=arm-none-eabi-ar", "CFLAGS=-mcpu=cortex-m4 -mthumb"]
    assert project.made("-j2", *words, goal) == (2, 1)
    assert project.is_done(*words, goal)
    assert b"Tag_CPU" in subprocess.run(["arm-none-eabi-readelf", "-A", goal], capture_output=True, check=True).stdout
    assert project.is_done()


def test_two_models_of_one_name_are_refused(project) -> None:
    """They would lie in one folder."""
    done = project.make("EOMC_MODELS=models/swing.py other/swing.py")
    assert done.returncode != 0
    assert "two models have the same name" in done.stderr


def test_cleaning_derives_nothing(project) -> None:
    """`make eomc-clean` removes what the fragment made."""
    assert project.made("eomc-clean") == (0, 0)
    assert not (project.path / "build/swing").exists()
