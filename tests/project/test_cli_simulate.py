"""`eomc simulate` beside the emitted program: the same rows, byte by byte, the same words and exit codes."""

from __future__ import annotations

import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.errors import DivergenceError
from eomc.tableaus import SPLITTINGS, TABLEAUS

pytestmark = pytest.mark.needs_cc

RUNS = (
    ("--t-end", "0.5", "--dt", "0.01"),
    ("--t-end", "1", "--dt", "0.03", "--every", "4"),  # a shorter last step
    ("--t-end", "0.7", "--dt", "0.1"),  # 0.7/0.1 is less than 7
    ("--t-end", "0.25", "--dt", "2"),  # one step
    ("--t-end", "0"),
    ("--t0", "0.3", "--t-end", "0.4", "--dt", "0.015"),
    ("--t0", "-2.5", "--t-end", "-1", "--dt", "0.1", "--every", "3"),
    ("--t0", "7", "--t-end", "7"),
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory):
    """Return a function that gives the emitted program of a model, built once."""
    made: dict[tuple[str, str, str], Path] = {}

    def program(name: str, real: str = "double", scheme: str = "rk4") -> Path:
        if (name, real, scheme) not in made:
            folder = tmp_path_factory.mktemp("emitted")
            build = eomc.compile(eomc.load(name), real=real, integrator=scheme)
            build.write(folder)
            subprocess.run(["make", "-s"], cwd=folder, check=True)
            made[name, real, scheme] = folder / build.program.name
        return made[name, real, scheme]

    return program


@pytest.mark.sampled(3)
@pytest.mark.parametrize("options", RUNS, ids=" ".join)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", ["rolling_disk", "kepler", "bar_on_moving_pivot", "four_bar"])
def test_both_programs_write_the_same_bytes(
    eomc_command, programs, tmp_path: Path, name: str, real: str, options: tuple[str, ...]
) -> None:
    """Header, times, states and outputs of the C program and of `eomc simulate` are equal to the last digit."""
    done = subprocess.run([programs(name, real), *options], capture_output=True, check=True)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", name, "--real", real, *options, "-o", out).code == 0
    assert out.read_bytes() == done.stdout
    times = [float(line.split(b",")[0]) for line in done.stdout.splitlines()[1:]]
    given = dict(zip(options[::2], options[1::2], strict=True))
    number = np.float32 if real == "float" else float
    assert (times[0], times[-1]) == (number(given.get("--t0", 0)), number(given["--t-end"]))


@pytest.mark.parametrize("scheme", [row.name for row in TABLEAUS])
def test_both_programs_take_the_same_steps(eomc_command, programs, tmp_path: Path, scheme: str) -> None:
    """By every scheme, with inputs held, the same bytes."""
    same_steps(eomc_command, programs, tmp_path, scheme, ("cart_pole", "kane"), ["--input", "F=0.4"])


@pytest.mark.parametrize("scheme", [row.name for row in SPLITTINGS])
def test_both_programs_take_the_same_steps_of_a_splitting(eomc_command, programs, tmp_path: Path, scheme: str) -> None:
    """The same of a model that can be split."""
    same_steps(eomc_command, programs, tmp_path, scheme, ("henon_heiles", "hamilton"), [])


def same_steps(eomc_command, programs, tmp_path: Path, scheme: str, model: tuple[str, str], more: list[str]) -> None:
    """Both programs write the same bytes, which are those of rk4 for rk4 alone."""
    name, method = model
    options = ["--t-end", "1", "--dt", "0.03", *more]
    rk4, ours = (
        subprocess.run([programs(name, "double", one), *options], capture_output=True, check=True).stdout
        for one in ("rk4", scheme)
    )
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", name, "--integrator", scheme, *options, "-o", out).code == 0
    assert out.read_bytes() == ours
    assert (ours == rk4) == (scheme == "rk4")
    answer = eomc_command("simulate", name, "--integrator", scheme, *options)
    assert answer.out.startswith(f"{name} ({method}, {scheme}): 1 s in ")


@pytest.mark.parametrize("scheme", [row.name for row in TABLEAUS])
def test_both_programs_say_that_a_run_diverged(eomc_command, programs, scheme: str) -> None:
    """Where a pivot fails because the state is far out, by every scheme: take smaller steps, both say."""
    options = ["--dt", "1", "--t-end", "1000"]
    done = subprocess.run([programs("double_pendulum", "double", scheme), *options], capture_output=True, check=False)
    answer = eomc_command("simulate", "double_pendulum", "--integrator", scheme, *options)
    assert (done.returncode, answer.code) == (1, 1)
    assert b": take smaller steps" in done.stderr
    assert done.stderr.decode() in answer.err


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        (
            "double_pendulum", ["--dt", "1", "--t-end", "1000"],
            r"diverged at t = (\d+), in the step to \d+: take smaller steps",
        ),
        ("simple_pendulum", ["--dt", "1e200", "--t-end", "1e205", "--init", "theta_d=1e160"], "diverged at t = 0, .*"),
        (
            "double_pendulum", ["--set", "m1=-1", "--every", "100"],
            r"singular at t = 0\.\d+, in the step to 0\.\d+: no unique solution for th2d",
        ),
        (
            "spherical_pendulum", ["--init", "theta=0"],
            r"singular at t = 0, in the step to 0\.001: no unique solution for phi_d",
        ),
    ],
)  # fmt: skip
def test_a_run_that_ends_early(
    eomc_command, programs, tmp_path: Path, name: str, options: list[str], words: str
) -> None:
    """Exit 1, the rows so far, one line with the time: the same ones from both programs."""
    done = subprocess.run([programs(name), *options], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.fullmatch(f"{words}\n", done.stderr)
    out = tmp_path / "out.csv"
    answer = eomc_command("simulate", name, *options, "-o", out)
    assert answer.code == 1
    assert answer.err.startswith(f"eomc: error: {name}: {done.stderr.strip()}")
    assert answer.err.count("\n") == 1
    assert out.read_text(encoding="utf-8") == done.stdout
    rows = len(done.stdout.splitlines()) - 1
    assert rows >= 1
    assert answer.out == f"{out}: {rows} {'row' if rows == 1 else 'rows'}\n"
    assert np.isfinite(np.loadtxt(out, delimiter=",", skiprows=1)).all()


WELL = """
import sympy as sm, eomc
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols
q, u, m = *dynamicsymbols("q u"), sm.Symbol("m")
N, O = ReferenceFrame("N"), Point("O")
O.set_vel(N, 0)
P = O.locatenew("P", q * N.x)
P.set_vel(N, u * N.x)
model = eomc.Model(
    name="well", inertial_frame=N, coordinates=[q], speeds=[u], kinematical_equations=[q.diff() - u],
    bodies=[Particle("p", P, m)], loads=[(P, -sm.log(q) * N.x)], parameters={m: 2.0}, initial={q: 0.5},
)
"""


def test_a_start_without_a_finite_derivative(eomc_command, programs, tmp_path: Path) -> None:
    """Where log(q) has no value at the start, both programs name u', the time and the cause: exit 2 and no row."""
    path = tmp_path / "well.py"
    path.write_text(WELL, encoding="utf-8")
    options = ["--t0", "0.5", "--init", "q=-1"]
    done = subprocess.run([programs(str(path)), *options], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "no motion from the start, t = 0.5: the derivative of u is not finite there: a root, "
    )
    assert done.stderr.count("\n") == 1
    assert "smaller steps" not in done.stderr
    answer = eomc_command("simulate", path, *options)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"eomc: error: well: {done.stderr}"
    with pytest.raises(DivergenceError, match="the derivative of u is not finite") as caught:
        eomc.compile(eomc.load(str(path))).load().simulate(x0=[-1.0, 0.0])
    assert caught.value.trajectory is None
    # A start that is only a row is printed, and steps beyond the domain are as they were.
    assert subprocess.run([programs(str(path)), "--t-end", "0", "--init", "q=-1"], check=False).returncode == 0
    far = ["--dt", "3", "--t-end", "30", "--init", "u=-5"]
    done = subprocess.run([programs(str(path)), *far], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "diverged at t = 0, in the step to 3: take smaller steps\n"


def test_the_summary_of_a_run_that_diverged(eomc_command) -> None:
    """Without a file, the table shows the motion up to there, and nothing but the one line is on stderr."""
    answer = eomc_command("simulate", "double_pendulum", "--dt", "1", "--t-end", "1000")
    assert answer.code == 1
    time = re.search(r"diverged at t = (\d+)", answer.err)[1]
    assert answer.out.startswith(f"double_pendulum (kane, rk4): {time} s in ")
    assert answer.err.count("\n") == 1


def test_parameters_without_motion(eomc_command, programs) -> None:
    """No inertia at all is bad input: exit 2 and no row, from both programs."""
    options = ["--set", "m1=0", "m2=0"]
    done = subprocess.run([programs("double_pendulum"), *options], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"singular parameters: no unique solution for th1d in any state\n"
    answer = eomc_command("simulate", "double_pendulum", *options)
    assert answer.code == 2
    assert "singular for th1d in every state" in answer.err


def test_numbers_with_units(eomc_command, tmp_path: Path) -> None:
    """Values with units are converted; a bare number is in SI; one of another dimension is refused by name."""
    rows = []
    for length, theta, x, F in (("500mm", "30 deg", "10cm", "0.002kN"), ("0.5", "30*deg", "0.1", "2")):
        out = tmp_path / "out.csv"
        given = ("--set", f"l={length}", "--init", f"theta={theta}", f"x={x}", "--input", f"F={F}")
        assert eomc_command("simulate", "cart_pole", *given, "--t-end", "0.1", "-o", out).code == 0
        rows.append(out.read_bytes())
    assert rows[0] == rows[1]
    for option, what in (("--set", "l"), ("--init", "theta_d"), ("--input", "F")):
        done = eomc_command("simulate", "cart_pole", option, f"{what}=3kg")
        assert done.code == 2
        assert f"{option}: {what} of cart_pole is given in kg, and is measured in" in done.err
    done = eomc_command("simulate", "cart_pole", "--set", "l=3foo")
    assert (done.code, "--set: l: '3foo': the unit 'foo' has 'foo', which is not known" in done.err) == (2, True)


def test_initial_momenta(eomc_command, tmp_path: Path) -> None:
    """In Hamilton's form momenta may be given: p = m l^2 sin^2(theta) phi' of the text-books, in place of phi'."""
    out = tmp_path / "out.csv"
    tables = []
    mass, length, theta, rate = 2.0, 0.5, 0.6, 3.0
    p_phi = mass * length**2 * math.sin(theta) ** 2 * rate
    common = ("--method", "hamilton", "--set", f"m={mass}", f"l={length}", "--t-end", "0.2", "-o", out, "--init")
    for motion in (("theta_d=0", f"phi_d={rate}"), ("p_theta=0", f"p_phi={p_phi!r}")):
        answer = eomc_command("simulate", "spherical_pendulum", *common, f"theta={theta}", *motion)
        assert answer.code == 0, answer
        tables.append(np.loadtxt(out, delimiter=",", skiprows=1))
    np.testing.assert_allclose(tables[1], tables[0], rtol=1e-12, atol=1e-12)


def test_a_derivative_of_a_coordinate_is_initial_too(eomc_command, tmp_path: Path) -> None:
    """A column that the program prints may be given: q' in Lagrange's form of a model that is written in speeds."""
    out = tmp_path / "out.csv"
    (state,) = {"theta_d"} & set(eomc.compile(eomc.load("spherical_pendulum"), method="lagrange").load().state_names)
    answer = eomc_command(
        *(
            "simulate",
            "spherical_pendulum",
            "--method",
            "lagrange",
            "--t-end",
            "0",
            "-o",
            out,
            "--init",
            f"{state}=0.25",
        )
    )
    assert answer.code == 0, answer
    assert np.genfromtxt(out, delimiter=",", names=True)[state] == 0.25


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["spherical_pendulum", "--init", "p_phi=1"], ["p_phi is a momentum", "theta_d, phi_d", "--method hamilton"]),
        (["spherical_pendulum", "--method", "hamilton", "--init", "p_ph=1"], ["'p_ph'", "did you mean p_phi"]),
        (
            ["spherical_pendulum", "--method", "hamilton", "--init", "p_phi=1", "theta_d=1"],
            ["theta_d is a speed and p_phi a momentum"],
        ),
        (["kepler", "--init", "p_x=1"], ["momentum", "'p_x'", "did you mean px"]),
        (["rolling_disk", "--init", "p_theta=1"], ["'p_theta'", "did you mean theta"]),
    ],
)
def test_momenta_that_cannot_be_meant(eomc_command, arguments: list[str], words: list[str]) -> None:
    """One line with the nearest names, or with what the state has instead."""
    answer = eomc_command("simulate", *arguments)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert [word for word in words if word not in answer.err] == []


def test_a_compiler_that_fails_is_told_in_the_first_line(
    eomc_command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """CC=false: one clear line, then command and output, set in; exit 2, from every command that compiles."""
    monkeypatch.setenv("CC", "false")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for command in ("simulate", "stats"):
        answer = eomc_command(command, "simple_pendulum")
        assert answer.code == 2
        first, *below = answer.err.splitlines()
        assert first.startswith("eomc: error: the C compiler false failed with exit code 1: set CC to another one")
        assert [line for line in below if not line.startswith("  ")] == []
        assert below[0] == "  command:"
        assert below[-2:] == ["  output:", "    (nothing)"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "simple_pendulum", "--t-end", "0", "-o", "OUT"], "OUT: 1 row\n"),
        (["check", "simple_pendulum", "--samples", "1"], " at 1 random state, "),
        (["check", "simple_pendulum", "--samples", "2"], " at 2 random states, "),
        (["generate", "simple_pendulum", "-o", "OUT"], ": kane, 2 states, double\n"),
    ],
)
def test_counts_and_their_nouns(eomc_command, tmp_path: Path, arguments: list[str], words: str) -> None:
    """One of a thing is no plural."""
    out = str(tmp_path / "out")
    answer = eomc_command(*(out if word == "OUT" else word for word in arguments))
    assert answer.code == 0, answer
    assert words.replace("OUT", out) in answer.out


@pytest.mark.parametrize(
    ("name", "method", "parameter", "warns"),
    [("slider_crank_unequal", "kane", "l1=0.4", True), ("spherical_pendulum", "hamilton", "m=2.5", False)],
)
def test_both_programs_from_one_start_with_other_parameters(
    eomc_command, tmp_path: Path, name: str, method: str, parameter: str, warns: bool
) -> None:
    """Dependent coordinates and momenta are computed by `eomc simulate`: its first row makes the programs equal again.

    The emitted program says where it moves the start onto the constraints, and in its help what to give.
    """
    build = eomc.compile(eomc.load(name), method)
    build.write(tmp_path)
    subprocess.run(["make", "-s"], cwd=tmp_path, check=True)
    options = ("--t-end", "0.05", "--dt", "0.01", "--set", parameter)
    out = tmp_path / "out.csv"
    assert eomc_command("simulate", name, "--method", method, *options, "-o", out).code == 0
    alone = subprocess.run([tmp_path / name, *options], capture_output=True, check=True, text=True)
    assert alone.stdout != out.read_text()
    assert ("the start is moved onto the constraints, by" in alone.stderr) is warns
    names, first = (line.split(",") for line in out.read_text().splitlines()[:2])
    count = len(build.program.states)
    states = [f"{key}={value}" for key, value in list(zip(names, first, strict=True))[1 : count + 1]]
    given = subprocess.run([tmp_path / name, *options, "--init", *states], capture_output=True, check=True, text=True)
    assert given.stdout == out.read_text()
    assert given.stderr == ""
    assert (
        "the first row of `eomc simulate`"
        in subprocess.run([tmp_path / name, "--help"], capture_output=True, check=True, text=True).stdout
    )


STIFF = """
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols
import eomc
y, v = dynamicsymbols("y v")
N, P = ReferenceFrame("N"), Point("P")
P.set_vel(N, v * N.y)
depth = sm.Max(0, -y)
model = eomc.Model(name="ball", inertial_frame=N, coordinates=[y], speeds=[v], bodies=[Particle("b", P, 1)],
                   loads=[(P, (10**7 * depth - 10**5 * depth * v - 10) * N.y)], initial={y: 1.0})
"""


@pytest.mark.needs_cc
def test_simulate_tells_of_energy_from_nowhere(eomc_command, tmp_path: Path) -> None:
    """One line with the words "energy balance" where a run gains energy, nothing where the steps are short enough."""
    path = tmp_path / "ball.py"
    path.write_text(STIFF, encoding="utf-8")
    answer = eomc_command("simulate", path, "--t-end", "3")
    assert answer.code == 0
    (line,) = answer.err.splitlines()
    assert line.startswith("eomc: warning: the energy balance of this run is off by")
    rare = eomc_command("simulate", path, "--t-end", "3", "--every", "1000", "-o", tmp_path / "rare.csv")
    assert rare.err == answer.err
    assert eomc_command("simulate", path, "--t-end", "0.6", "--dt", "1e-5").err == ""
    for name in ("double_pendulum", "cart_pole"):
        assert eomc_command("simulate", name, "--real", "float", "--every", "3").err == ""
    assert (
        "energy balance" in eomc_command("simulate", "coulomb_bead").err
    )  # friction that should hold it lets it creep
    assert eomc_command("simulate", "coulomb_bead", "--dt", "1e-4").err == ""
    opened = eomc_command(
        "simulate", "slider_crank", "--every", "10", "--stabilization", "none"
    )  # it passes dead points
    assert "take --stabilization projection or a smaller --dt" in opened.err
    assert eomc_command("simulate", "slider_crank", "--every", "10").err == ""
    answer = eomc_command("check", path, "--energy", "--t-end", "3")
    assert answer.code == 1
    assert "cannot be told: take a smaller --dt" in answer.out
