"""Models with events on the command line and in the emitted program."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc

pytestmark = pytest.mark.needs_cc

BALL = """
import eomc
from sympy import symbols
from sympy.physics.mechanics import dynamicsymbols

y, t, (g, e, f) = dynamicsymbols("y"), dynamicsymbols._t, symbols("g e f")
model = eomc.from_lagrangian(
    y.diff(t) ** 2 / 2 - g * y,
    coordinates=[y],
    generalized_forces={y: f},
    parameters={g: 9.81, e: 0.5, f: 0.0},
    initial={y: 1.0},
    impacts=[eomc.Impact(y, restitution=e, name="floor")],
    events={
        "push": eomc.Event(at=0.2, reset={f: 1.0}),
        "apex": eomc.Event(y.diff(t), falling=True, stop=True, count=9),
    },
    name="ball",
)
"""


def built(folder: Path, name: str, integrator: str) -> tuple[str, Path]:
    """Return what the command line calls a model, and its emitted program."""
    if name == "ball":
        name = str(folder / "ball.py")
        Path(name).write_text(BALL, encoding="utf-8")
    eomc.compile(eomc.load(name), integrator=integrator).write(folder / "c")
    subprocess.run(["make", "-s"], cwd=folder / "c", check=True)
    return name, folder / "c" / Path(name).stem


@pytest.fixture(scope="module", params=["bouncing_ball", "ball"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return a model and its program to a tolerance."""
    return built(tmp_path_factory.mktemp("events"), request.param, "dop853")


@pytest.fixture(scope="module")
def stepped(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return a model and its program of fixed steps."""
    return built(tmp_path_factory.mktemp("events"), "ball", "rk4")


@pytest.mark.parametrize(
    "options",
    [(), ("--every", "4"), ("--rows-every", "0.05"), ("--rtol", "1e-5"), ("--t-end", "0.2"), ("--t-end", "0")],
    ids=" ".join,
)
def test_both_programs_write_the_same_bytes(
    eomc_command: Callable[..., Any], program: tuple[str, Path], tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Both sides of each jump among them, whichever steps are kept."""
    name, binary = program
    words = options if "--t-end" in options else ("--t-end", "2", *options)
    done = subprocess.run([binary, *words], capture_output=True, check=True)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", name, *words, "-o", out).code == 0
    assert out.read_bytes() == done.stdout
    times = [float(line.split(b",")[0]) for line in done.stdout.splitlines()[1:]]
    jumps = "--rows-every" not in options and (options[:1] != ("--t-end",) or "ball.py" in name)
    assert (0.0 in np.diff(times)) == (jumps and options != ("--t-end", "0"))


@pytest.mark.parametrize(
    "options",
    [("--every", "4"), ("--dt", "0.07"), ("--dt", "0.03", "--t-end", "0.2"), ("--set", "e=0.7"), ("--t-end", "0")],
    ids=" ".join,
)
def test_both_programs_of_fixed_steps_write_the_same_bytes(
    eomc_command: Callable[..., Any], stepped: tuple[str, Path], tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Rows of the grid and both sides of each jump; what is not for such steps is refused by both."""
    name, binary = stepped
    words = options if "--t-end" in options else ("--t-end", "2", *options)
    done = subprocess.run([binary, *words], capture_output=True, check=True)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", name, "--integrator", "rk4", *words, "-o", out).code == 0
    assert out.read_bytes() == done.stdout
    assert subprocess.run([binary, "--rtol", "1e-3"], capture_output=True, check=False).returncode == 2


def test_both_programs_tell_of_too_many_events(
    eomc_command: Callable[..., Any], program: tuple[str, Path], tmp_path: Path
) -> None:
    """In the same words, with the rows so far; the ball that may rest has none."""
    name, binary = program
    words = ["--t-end", "9", "--set", "slow=0"] if Path(name).stem != "ball" else ["--t-end", "9", "--set", "e=0.2"]
    done = subprocess.run([binary, *words], capture_output=True, check=False)
    out = tmp_path / "out.csv"
    answer = eomc_command("simulate", name, *words, "-o", out)
    if Path(name).stem == "ball":  # the ninth apex ends the run
        assert (done.returncode, answer.code) == (0, 0)
    else:
        assert done.returncode == 1
        assert answer.code != 0
        (said,) = re.findall(r"too many events at t = \S+: bounce happens again before any time", done.stderr.decode())
        assert said in answer.err
    assert out.read_bytes() == done.stdout


@pytest.mark.parametrize("made", ["program", "stepped"])
def test_the_self_test_holds(request: pytest.FixtureRequest, program: tuple[str, Path], made: str) -> None:
    """All functions of events among what it looks at."""
    binary = request.getfixturevalue(made)[1]
    done = subprocess.run([binary, "--self-test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "ok   event_rates at the start exists and is finite" in done.stdout


def test_programs_compile_without_a_word(
    silent: Callable[..., None], program: tuple[str, Path], stepped: tuple[str, Path]
) -> None:
    """All files, by the strictest flags of gcc and clang."""
    for _, binary in (program, stepped):
        silent(binary.parent, binary.name.upper(), sorted(source.name for source in binary.parent.glob("*.c")))


def test_what_an_event_makes_of_the_energy(eomc_command: Callable[..., Any]) -> None:
    """A row for each: m (e^2 - 1) v^2/2 is lost at a bounce, and what is left balances."""
    answer = eomc_command("check", "bouncing_ball", "--energy", "--t-end", "2", "--json")
    (entry,) = json.loads(answer.out)
    assert entry["holds"]
    run = eomc.compile(eomc.load("bouncing_ball")).load().simulate(2.0)
    expected = [0.25 * (0.8**2 - 1.0) * hit.before[1] ** 2 for hit in run.events]
    assert [one["event"] for one in entry["jumps"]] == ["bounce"] * len(expected)
    assert [one["energy"] for one in entry["jumps"]] == pytest.approx(expected, rel=1e-9)
    assert entry["works"]["events"] == pytest.approx(sum(expected), rel=1e-9)


def test_the_energy_balances_in_fixed_steps(eomc_command: Callable[..., Any]) -> None:
    """Steps that events divide among them; a step alone means rk4."""
    words = ("check", "bouncing_ball", "--energy", "--t-end", "2", "--json", "--integrator", "rk4", "--dt", "0.01")
    (entry,) = json.loads(eomc_command(*words).out)
    assert entry["holds"]
    assert len(entry["jumps"]) == 3
    answer = eomc_command("simulate", "bouncing_ball", "--dt", "0.01")
    assert answer.code == 0
    assert "bouncing_ball (kane, rk4)" in answer.out
