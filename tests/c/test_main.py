"""The emitted folder as a user has it: make, the simulator's options, its self-test, the README's snippet."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import os
import re
import shutil
import subprocess

import pytest

from eomc.backends.c99 import generate
from eomc.ir.systems import Factorization
from eomc.tableaus import tableau

pytestmark = pytest.mark.needs_cc

SANITIZERS = ("-std=c99", "-g1", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@pytest.fixture(scope="module")
def built(emitted):
    """Return the pendulum, built by its own Makefile; it is only run."""
    return build(emitted("pendulum"))


def build(folder, *arguments):
    if shutil.which("make") is None:
        pytest.skip("make is missing")
    answer = folder.run(["env", "-i", f"PATH={os.defpath}:/usr/bin:/bin", "make", *arguments])
    assert answer.returncode == 0, answer.stderr
    return folder


def rows(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.sampled(2)  # all of doubles
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize(
    "name",
    "pendulum bare constant nasty states_as_arguments dag_300 ldlt lu_prepare eliminated augmented range_space "
    "null_space".split(),
)
def test_sanitizers_find_nothing(name, real, emit, programs):
    """A simulated run and the self-test touch no memory but their own and do nothing undefined."""
    folder = emit(programs[name]())
    folder.compile(["gcc", *SANITIZERS, *folder.defines(real), f"{folder.name}.c", "main.c", "-o", "checked", "-lm"])
    answer = folder.run(["./checked", "--t-end", "0.05", "--dt", "0.005", "--every", "3"])
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    answer = folder.run(["./checked", "--self-test"])
    assert "runtime error" not in answer.stderr
    assert "AddressSanitizer" not in answer.stderr


@pytest.mark.parametrize("real", ["double", "float"])
def test_make_builds_tests_and_cleans(real, emit, programs):
    """make, make test, make run and make clean work with nothing but a shell's tools."""
    folder = build(emit(programs["pendulum"](), real=real))
    assert "_USE_" not in folder.run(["make", "-Bn"]).stdout
    assert "FAIL" not in folder.run(["make", "test"]).stdout
    build(folder, "run")
    assert len(rows((folder.path / "pendulum.csv").read_text())) == 1002
    build(folder, "clean")
    assert sorted(path.name for path in folder.path.iterdir()) == [
        "Makefile", "README.md", "main.c", "pendulum.c", "pendulum.h",
    ]  # fmt: skip


def test_makefile_honours_compiler_and_flags(emit, programs):
    """CC and CFLAGS come from the caller; a changed header builds everything again."""
    folder = emit(programs["pendulum"]())
    plan = folder.run(["env", "CC=mycc", "CFLAGS=-Os -DX", "make", "-n"]).stdout
    commands = [line for line in plan.splitlines() if line.startswith("mycc ")]
    assert len(commands) == 3
    assert all("-Os -DX" in line for line in commands)
    build(folder)
    later = (folder.path / "pendulum.h").stat().st_mtime + 10
    os.utime(folder.path / "pendulum.h", (later, later))
    again = folder.run(["make", "-n"]).stdout
    assert "pendulum.c" in again
    assert "main.c" in again


def test_trajectory_is_the_classical_one(built):
    """Header, times t0 + k dt and t_end, states after Kutta's scheme in Python, outputs of the printed state."""
    answer = built.run(
        [
            "./pendulum",
            "--t-end",
            "0.3",
            "--dt",
            "0.1",
            "--set",
            "m=2",
            "l=0.5",
            "--init",
            "theta=0.7",
            "--input",
            "tau=1",
        ]
    )
    assert answer.returncode == 0
    table = rows(answer.stdout)
    assert table[0] == ["t", "theta", "omega", "x", "y"]

    def f(x):
        return [x[1], (1 - 2 * 0.5 * 9.81 * math.sin(x[0])) / (2 * 0.25)]

    x, h = [0.7, 0.1], 0.1
    for k in range(4):
        row = [float(cell) for cell in table[k + 1]]
        assert row[0] == (k * h if k < 3 else 0.3)
        assert row[1:3] == pytest.approx(x, rel=1e-13)
        assert row[3:] == pytest.approx([0.5 * math.sin(x[0]), -0.5 * math.cos(x[0])], rel=1e-13)
        k1 = f(x)
        k2 = f([a + h / 2 * b for a, b in zip(x, k1, strict=True)])
        k3 = f([a + h / 2 * b for a, b in zip(x, k2, strict=True)])
        k4 = f([a + h * b for a, b in zip(x, k3, strict=True)])
        x = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(x, k1, k2, k3, k4, strict=True)]
    assert len(table) == 5


def test_every_nth_step_and_the_last(built):
    """--every thins the rows; the last state is always there, at t_end."""
    table = rows(built.run(["./pendulum", "--t-end", "1", "--dt", "0.3", "--every", "2"]).stdout)
    assert [float(row[0]) for row in table[1:]] == [0.0, 2 * 0.3, 1.0]
    table = rows(built.run(["./pendulum", "--t0", "5", "--t-end", "5"]).stdout)
    assert [row[0] for row in table[1:]] == ["5"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--set", "mass=2"], "known are: m l g"),
        (["--init", "q=1"], "known are: theta omega"),
        (["--input", "F=1"], "known are: tau"),
        (["--set", "m"], "NAME=VALUE"),
        (["--set", "m=two"], "'two'"),
        (["--set", "m=1x"], "'1x'"),
        (["--set", "m="], "''"),
        (["--set", "m=nan"], "'nan'"),
        (["--set", "m=1e999"], "'1e999'"),
        (["--dt", "nan"], "--dt nan"),
        (["--dt", "0"], "must be positive"),
        (["--dt", "-1"], "must be positive"),
        (["--dt", "1e-300"], "more than"),
        (["--t-end", "-1"], "before the start"),
        (["--t-end", "inf"], "finite"),
        (["--every", "0"], "at least 1"),
        (["--every", "1.5"], "whole"),
        (["--t0", "1e9", "--t-end", "1000000001", "--dt", "1e-9"], "too small to be told apart at t = 1e+09"),
        (["--t0", "-1e308", "--t-end", "1e308", "--dt", "1e300"], "more than"),
        (["--set", "m=0"], "singular parameters: no unique solution for omega"),
        (["--frobnicate"], "--help"),
        (["--set"], "missing"),
        (["theta=1"], "--help"),
    ],
)
def test_bad_options_are_told_in_one_line(words, told, built):
    """Exit 2, one line on stderr, nothing on stdout."""
    answer = built.run(["./pendulum", *words])
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert told in answer.stderr


def test_help_lists_everything(built):
    """--help exits 0 and knows every option and every name with its default and unit."""
    answer = built.run(["./pendulum", "--help"])
    assert answer.returncode == 0
    for word in (
        "--t-end",
        "--dt",
        "--set",
        "--init",
        "--input",
        "--every",
        "--self-test",
        "m = 1.5 kg",
        "tau = 0 N m",
    ):
        assert word in answer.stdout


def test_singular_run_names_the_pivot(emit, system):
    """Exit 1 and the row that has no solution, with the time, after the rows so far."""
    folder = build(emit(system(3, 1, Factorization.LDLT)))
    answer = folder.run([f"./{folder.name}", "--input", "shift=0"])
    assert answer.returncode == 1
    assert re.fullmatch(r"singular at t = 0, in the step to 0\.001: no unique solution for .*row [12]\n", answer.stderr)
    assert [row[0] for row in rows(answer.stdout)] == ["t", "0"]
    assert folder.run([f"./{folder.name}", "--self-test", "--input", "shift=0"]).returncode == 1


def test_full_disk_is_an_error(built):
    """What cannot be written is not passed over in silence."""
    if not os.path.exists("/dev/full"):
        pytest.skip("/dev/full is missing")
    answer = built.run(["sh", "-c", "./pendulum --t-end 1 > /dev/full"])
    assert answer.returncode == 2


def test_self_test_measures_order_and_energy(built):
    """Order four on a smooth system, energy kept, aliasing allowed."""
    answer = built.run(["./pendulum", "--self-test"])
    assert answer.returncode == 0
    order = float(re.search(r"order of the integrator ([0-9.]+)", answer.stdout)[1])
    assert order == pytest.approx(4, abs=0.2)
    drift = float(re.search(r"total .* ([-+.e0-9]+) after 1 s", answer.stdout)[1])
    assert abs(drift) < 1e-10


def test_names_of_the_model_are_understood(emit, programs):
    """Options and header speak the model's names, whatever C makes of them."""
    folder = build(emit(programs["nasty"]()))
    answer = folder.run([f"./{folder.name}", "--t-end", "0", "--init", "φ̇=1", "two words=2", "=3", "--set", "int=4"])
    assert answer.returncode == 0, answer.stderr
    table = rows(answer.stdout)
    assert len(table[0]) == len(table[1])
    row = dict(zip(table[0][:17], table[1], strict=False))
    assert (row["φ̇"], row["two words"], row[""]) == ("1", "2", "3")
    assert table[0][-1] == 'say "hi", \\n ??/'


def test_readme_snippet_compiles(emit, programs):
    """The lines that the README shows are C, with all warnings."""
    for name in ("pendulum", "nasty", "ldlt_prepare"):
        folder = emit(programs[name]())
        snippet = re.search(r"```c\n(.*?)```", (folder.path / "README.md").read_text(), re.DOTALL)[1]
        (folder.path / "snippet.c").write_text(snippet)
        folder.compile(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "snippet.c", "-o", "s.o"])


def test_work_size_is_as_announced(emit, programs):
    """sizeof(work) is what the header says."""
    for name, scheme in (("pendulum", "rk4"), ("dag_2000", "heun"), ("ldlt", "euler"), ("lu", "ralston")):
        folder = emit(programs[name](), tableau=tableau(scheme))
        loaded = folder.load(optimize="-O0")
        assert folder.result.statistics.work_bytes == loaded.sizes[1]
        assert f"{loaded.sizes[1]} bytes (double)" in (folder.path / f"{folder.name}.h").read_text()


def test_options_without_a_value_stand_anywhere(built):
    """--self-test and --help are understood after other options too, and those count."""
    answer = built.run(["./pendulum", "--set", "m=2", "--self-test"])
    assert answer.returncode == 0, answer.stderr
    assert "ok" in answer.stdout
    assert built.run(["./pendulum", "--dt", "0.1", "--help"]).stdout.startswith("usage:")


def test_a_state_that_diverges_ends_the_run(built):
    """Steps far beyond stability end with one line, exit 1 and the rows so far, none without numbers."""
    answer = built.run(["./pendulum", "--dt", "1e200", "--t-end", "1e205", "--init", "omega=1e150"])
    assert answer.returncode == 1
    assert answer.stderr == "diverged at t = 0, in the step to 1e+200: take smaller steps\n"
    assert [row[0] for row in rows(answer.stdout)] == ["t", "0"]


def test_a_pivot_that_fails_far_out_is_no_singular_mechanism(emit, programs):
    """A stage beyond all bounds makes pivots fail: that is told as a divergence; near the start it is singular."""
    folder = build(emit(programs["runaway"]()))
    answer = folder.run([f"./{folder.name}", "--dt", "1", "--t-end", "400"])
    assert answer.returncode == 1
    assert re.fullmatch(r"diverged at t = \d+, in the step to \d+: take smaller steps\n", answer.stderr)
    table = rows(answer.stdout)
    assert math.isfinite(float(table[-1][1]))
    answer = folder.run([f"./{folder.name}", "--set", "limit=100", "--dt", "1"])
    assert answer.returncode == 1
    assert re.fullmatch(r"singular at t = \d+, in the step to \d+: no unique solution for x\n", answer.stderr)


def test_the_run_ends_exactly_at_its_end(built):
    """Whole steps, then a shorter one; decimals that round make no tiny one; a step longer than the run is the run."""
    for words, times in (
        (["--t-end", "1", "--dt", "0.3"], [0.0, 0.3, 0.6, 3 * 0.3, 1.0]),
        (["--t-end", "1", "--dt", "2"], [0.0, 1.0]),
        (["--t0", "1000.1", "--t-end", "1000.3", "--dt", "0.1"], [1000.1, 1000.1 + 0.1, 1000.3]),
        (["--t-end", "0.6", "--dt", "0.2"], [0.0, 0.2, 0.4, 0.6]),  # 0.6/0.2 is less than 3
    ):
        table = rows(built.run(["./pendulum", *words]).stdout)
        assert [float(row[0]) for row in table[1:]] == times
    assert len(rows(built.run(["./pendulum", "--t-end", "10", "--dt", "0.001"]).stdout)) == 10_002


@pytest.mark.parametrize("place", ["pendulum.c", "main.c"])
@pytest.mark.parametrize("change", ["model", "version"])
def test_sources_refuse_another_header(place, change, emit, programs):
    """A header of a model that differs in one number, or from another version, does not compile with this source."""
    program = programs["pendulum"]()
    folder = emit(program)
    folder.compile(["gcc", "-std=c99", "-c", place, "-o", "x.o"])
    version = "0.0.0"
    if change == "model":
        first, *rest = program.parameters
        program = dataclasses.replace(program, parameters=(dataclasses.replace(first, value=first.value + 1.0), *rest))
    else:
        version = "0.0.1"
    other = generate(program, real="double", version=version)
    (header,) = (file.text for file in other.artifacts if file.path == "pendulum.h")
    (folder.path / "pendulum.h").write_text(header)
    answer = folder.run(["gcc", "-std=c99", "-c", place, "-o", "x.o"])
    assert answer.returncode != 0
    assert f"pendulum.h and {place} differ: generate both again" in answer.stderr


def test_make_compiles_again_what_a_flag_concerns(tmp_path, emit_in, programs):
    """A second make compiles nothing; another flag, precision or compiler all; quotes in flags are no matter."""
    path = emit_in(programs["pendulum"](), tmp_path).path

    def compiled(*words):
        done = subprocess.run(["make", *words], cwd=path, capture_output=True, text=True, check=True)
        return done.stdout.count(" -c ")

    assert [compiled(), compiled()] == [2, 0]
    for word in ("CFLAGS=-std=c99 -O1", "PRECISION=-DPENDULUM_USE_FLOAT", "CPPFLAGS=-DNAME='\"a b\"'", "CC=gcc"):
        assert [compiled(word), compiled(word)] == [2, 0]
    (path / "main.c").touch()
    assert compiled("CC=gcc") == 1
