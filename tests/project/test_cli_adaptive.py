"""Runs to a tolerance by `eomc simulate` and by the emitted program: the same rows, the same words and exit codes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.integrators import INTEGRATORS
from eomc.pairs import PAIRS

pytestmark = pytest.mark.needs_cc

ADAPTIVE = [row.name for row in INTEGRATORS if row.adaptive]
RUNS = (
    ("--t-end", "1.5"),
    ("--t-end", "2", "--rtol", "1e-4", "--atol", "1e-5", "theta=1e-7", "--every", "4"),
    ("--t0", "-1", "--t-end", "0.5", "--rtol", "2e-6", "--rows-every", "0.07"),  # a last row that is nearer
    ("--t-end", "1", "--rows-every", "0.1", "--first-step", "1e-3", "--max-step", "0.02", "--max-steps", "1000"),
    ("--t-end", "0"),
    ("--t-end", "0", "--rows-every", "0.1"),
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory):
    """Return a function that gives the emitted program of a model, built once."""
    made: dict[tuple[str, ...], Path] = {}

    def program(name: str, *options: str) -> Path:
        if (name, *options) not in made:
            folder = tmp_path_factory.mktemp("emitted")
            words = dict(zip([option.removeprefix("--") for option in options[::2]], options[1::2], strict=True))
            build = eomc.compile(eomc.load(name), **words)
            build.write(folder)
            subprocess.run(["make", "-s"], cwd=folder, check=True)
            made[(name, *options)] = folder / build.program.name
        return made[(name, *options)]

    return program


@pytest.mark.sampled(2)
@pytest.mark.parametrize("run", RUNS, ids=" ".join)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("scheme", ADAPTIVE)
def test_both_programs_write_the_same_bytes(eomc_command, programs, tmp_path: Path, scheme, real, run) -> None:
    """Steps, or rows at equal distances of time: equal to the last digit."""
    tolerances = () if real == "double" or "--rtol" in run else ("--rtol", "1e-5")
    how, options = ("--integrator", scheme, "--real", real), [*run, *tolerances, "--input", "F=0.4"]
    done = subprocess.run([programs("cart_pole", *how), *options], capture_output=True, check=True)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", "cart_pole", *how, *options, "-o", out).code == 0
    assert out.read_bytes() == done.stdout
    times = np.loadtxt(out, delimiter=",", skiprows=1, ndmin=2)[:, 0]
    given = dict(zip(run[::2], run[1::2], strict=False))
    assert (times[0], times[-1]) == (float(given.get("--t0", 0)), float(given["--t-end"]))
    assert (np.diff(times) > 0.0).all()
    if "--rows-every" in run and len(times) > 1:
        assert np.diff(times)[:-1] == pytest.approx(float(given["--rows-every"]), rel=1e-5)


@pytest.mark.parametrize(
    ("scheme", "options"),
    [
        ("gauss3", ["--dt", "0.01", "--rows-every", "0.013"]),
        ("gauss3", ["--dt", "0.03", "--every", "7", "--jumps", "0.2", "0.5"]),
        ("rk4", ["--dt", "0.01", "--jumps", "0.333", "0.7", "--rows-every", "0.05"]),
        ("rk4", ["--dt", "0.01", "--t-end", "2.003"]),
        ("dop853", ["--rtol", "1e-6", "--jumps", "0.1", "0.7"]),
    ],
)
def test_runs_in_fixed_steps_and_jumps(eomc_command, programs, tmp_path: Path, scheme: str, options: list[str]) -> None:
    """Points between the ends of steps, and steps that end at jumps: the same bytes."""
    how = ("--integrator", scheme)
    program = programs("cart_pole", *how, *(("--functions", "usual,run") if scheme == "rk4" else ()))
    done = subprocess.run([program, "--input", "F=0.4", *options], capture_output=True, check=True)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", "cart_pole", *how, "--input", "F=0.4", *options, "-o", out).code == 0
    assert out.read_bytes() == done.stdout
    times = np.loadtxt(out, delimiter=",", skiprows=1)[:, 0]
    if "--rows-every" not in options and "--every" not in options:
        jumps = options[options.index("--jumps") + 1 :] if "--jumps" in options else ()
        assert set(map(float, jumps)) <= set(times)


def test_what_steps_alone_do_not_have(programs) -> None:
    """The program of a folder without runs says how to get them."""
    for option in ("--rows-every", "--jumps"):
        answer = subprocess.run([programs("cart_pole"), option, "0.1"], capture_output=True, text=True, check=False)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert "eomc generate --functions usual,run" in answer.stderr


@pytest.mark.parametrize("scheme", [row.name for row in PAIRS])
def test_constrained_runs(eomc_command, programs, tmp_path: Path, scheme) -> None:
    """With projection, and without inputs, the same bytes."""
    how = ("--integrator", scheme, "--stabilization", "projection")
    options = ["--t-end", "1", "--rtol", "1e-7", "--rows-every", "0.05"]
    done = subprocess.run([programs("four_bar", *how), *options], capture_output=True, check=True)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", "four_bar", *how, *options, "-o", out).code == 0
    assert out.read_bytes() == done.stdout


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("double_pendulum", ["--max-steps", "20"], "too many steps at t = "),
        ("double_pendulum", ["--set", "m1=-1", "--every", "3"], "step too small at t = 0.27"),
        ("spherical_pendulum", ["--init", "theta=0"], "singular at t = 0: no unique solution for phi_d"),
    ],
)
def test_a_run_that_ends_early(eomc_command, programs, tmp_path: Path, name, options, words) -> None:
    """Exit 1, the rows so far, one line with time and reason: the same ones from both programs."""
    done = subprocess.run(
        [programs(name, "--integrator", "dop853"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(words)
    assert done.stderr.count("\n") == 1
    out = tmp_path / "out.csv"
    answer = eomc_command("simulate", name, "--integrator", "dop853", *options, "-o", out)
    assert answer.code == 1
    assert answer.err.startswith(f"eomc: error: {name}: {done.stderr.strip()}")
    assert out.read_text(encoding="utf-8") == done.stdout
    assert len(done.stdout.splitlines()) > 1


def test_a_tolerance_alone_means_dop853(eomc_command) -> None:
    """--rtol or --atol choose it; the summary says so."""
    for options in (["--rtol", "1e-6"], ["--atol", "1e-6"]):
        answer = eomc_command("simulate", "cart_pole", "--t-end", "1", *options)
        assert answer.out.startswith("cart_pole (kane, dop853): 1 s in ")


def test_the_program_tests_itself(programs) -> None:
    """Its runs, too, and its help lists what it takes."""
    program = programs("cart_pole", "--integrator", "dop853", "--real", "double")
    done = subprocess.run([program, "--self-test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "ok   runs to two tolerances agree" in done.stdout
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    for option in ("--rtol", "--atol", "--rows-every", "--first-step", "--max-step", "--max-steps", "--every"):
        assert f"  {option} " in text
    assert "--dt" not in text


@pytest.mark.parametrize(
    "options",
    [
        ["--rtol", "0"], ["--atol", "x=-1"], ["--atol", "y=1"], ["--rows-every", "nan"], ["--max-steps", "0.5"],
        ["--dt", "0.1"], ["--every", "2", "--rows-every", "0.1"], ["--rows-every", "1e-12"], ["--rtol"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_the_program_refuses(programs, options) -> None:
    """One line on stderr, exit 2, no row."""
    program = programs("cart_pole", "--integrator", "dop853", "--real", "double")
    done = subprocess.run([program, *options], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert options[0] in done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--rtol", "1e-6", "--dt", "0.1"], "--dt is not for dop853"),
        (["--integrator", "heun", "--rtol", "1e-6"], "--rtol is not for heun, whose steps are fixed"),
        (["--max-step", "0.1"], "--max-step is not for rk4"),
        (["--jumps", "0.2", "0.1"], "jumps must be finite times in ascending order"),
        (["--rtol", "1e-6", "--rows-every", "0.1", "--every", "2"], "give one of the two"),
        (["--atol", "1e-6", "1e-7"], "two numbers without a name"),
        (["--atol", "teta=1e-6"], "did you mean theta"),
        (["--rtol", "-1"], "--rtol"),
    ],
)
def test_what_the_command_refuses(eomc_command, options, told) -> None:
    """One line, exit 2."""
    answer = eomc_command("simulate", "cart_pole", *options)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert answer.err.count("\n") == 1


def test_energy_of_a_run_to_a_tolerance(eomc_command) -> None:
    """`check --energy` follows the work along adaptive steps."""
    answer = eomc_command("check", "cart_pole", "--energy", "--t-end", "3", "--rtol", "1e-9", "--input", "F=0.3")
    assert answer.code == 0, answer
    assert "steps to 1e-09" in answer.out
    assert "holds" in answer.out


def test_several_integrators_side_by_side(eomc_command, tmp_path: Path) -> None:
    """The files of all of them in one folder, under names of their own; the first is that of the program."""
    assert eomc_command("generate", "cart_pole", "--integrator", "rk4,dop853,dopri5", "-o", tmp_path).code == 0
    names = {path.name for path in tmp_path.iterdir()}
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in names - {"README.md"})
    assert {"cart_pole_run.c", "cart_pole_dop853.h", "cart_pole_dop853.c", "cart_pole_dopri5.c"} <= names
    subprocess.run(["make", "-s", "CFLAGS=-std=c99 -Wall -Wextra -Werror -O0"], cwd=tmp_path, check=True)
    assert (
        "--dt" in subprocess.run([tmp_path / "cart_pole", "--help"], capture_output=True, text=True, check=True).stdout
    )
