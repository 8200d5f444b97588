"""A user's mistakes: exit code 2, one line that names what is wrong, no traceback, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# A point-mass pendulum; each case below replaces one fragment.
PENDULUM = """\
from sympy import Function, Symbol, cos, gamma, sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia
import eomc

q, w, q2, w2 = dynamicsymbols("q w q2 w2")
m, l, g, unknown = symbols("m l g unknown")
N = ReferenceFrame("N")
B = ReferenceFrame("B")
B.orient_axis(N, N.z, q)
B.set_ang_vel(N, w * N.z)
O = Point("O")
O.set_vel(N, 0)
P = O.locatenew("P", -l * B.y)
P.set_vel(N, l * w * B.x)
still = Point("still")
arguments = dict(
    name="pendulum", inertial_frame=N, coordinates=[q], speeds=[w], kinematical_equations=[q.diff() - w],
    bodies=[Particle("bob", P, m)], gravity=-g * N.y, parameters={m: 1.0, l: 0.5, g: 9.81}, initial={q: 0.3},
)
arguments.update(CHANGE)
model = eomc.Model(**arguments)
"""

TWO = "coordinates=[q, q2], speeds=[w, w2], kinematical_equations=[q.diff() - w, q2.diff() - w2]"

MODELS = {
    "a symbol without a value": ("parameters={m: 1.0, l: 0.5}", ["g"]),
    "a load's symbol without a value": ("loads=[(P, -unknown * w * B.x)]", ["unknown"]),
    "a coordinate without a speed": ("coordinates=[q, q2]", ["kinematical"]),
    "an unused parameter": ("parameters={m: 1.0, l: 0.5, g: 9.81, unknown: 2.0}", ["unknown"]),
    "units that do not agree": (
        "parameters={m: (1.0, 'kg'), l: (0.5, 'm'), g: (9.81, 'm/s')}",
        ["gravity along N.y: m/s^2 against m/s: the term -g has m/s", "units='ignore'"],
    ),
    "a unit that nobody knows": ("parameters={m: (1.0, 'lumps'), l: 0.5, g: 9.81}", ["parameter m: the unit 'lumps'"]),
    "a coordinate listed twice": ("coordinates=[q, q], kinematical_equations=[q.diff() - w] * 2", ["q"]),
    "a name given twice": ("parameters={m: 1.0, l: 0.5, g: 9.81, Symbol('m', positive=True): 2.0}", ["m"]),
    "a point without velocity": ("bodies=[Particle('bob', still, m)]", ["still", "velocity"]),
    "a frame without angular velocity": (
        "bodies=[RigidBody('rod', P, ReferenceFrame('lost'), m, (inertia(B, 1, 1, 1), P))]", ["lost", "angular"],
    ),
    "a kinematic matrix without inverse": ("kinematical_equations=[w - 2.0]", ["kinematic"]),
    "a coordinate without inertia": (TWO, ["w2"]),
    "a dependent speed that no constraint determines": (
        TWO + ", bodies=[Particle('bob', P, m)], velocity_constraints=[w - 1.0], dependent_speeds=[w2]", ["w2"],
    ),
    "a position for a velocity constraint": (
        TWO + ", velocity_constraints=[q - q2], dependent_speeds=[w2]", ["velocity"],
    ),
    "a velocity constraint that is not linear": (
        TWO + ", velocity_constraints=[w * w2]", ["velocity constraint 1 is not linear"],
    ),
    "an unsupported function": ("potential_energy=gamma(q)", ["gamma"]),
    "an unknown function": ("potential_energy=Function('strange')(q)", ["strange"]),
    "a misspelt argument": ("paramters={}", ["Model has no argument 'paramters'", "did you mean parameters"]),
    "a number in place of a vector": ("gravity=9.81", ["gravity is 9.81 (float)", "such as -g*N.z"]),
    "text in place of a vector": ("gravity='down'", ["gravity is 'down' (str)", "such as -g*N.z"]),
}  # fmt: skip


def expect_one_line(answer, *words: str) -> None:
    """Check exit code, number of lines and that the line names what is wrong."""
    assert answer.code == 2, answer
    lines = answer.err.splitlines()
    assert len(lines) == 1, answer.err
    assert lines[0].startswith("eomc: error: ")
    assert "Traceback" not in answer.out + answer.err
    for word in words:
        assert word in lines[0], f"{word!r} not in: {lines[0]}"


def test_units_that_do_not_agree_may_be_ignored(eomc_command, tmp_path: Path) -> None:
    """The same model is emitted by `--units ignore`."""
    path = tmp_path / "model.py"
    path.write_text(PENDULUM.replace("CHANGE", f"dict({MODELS['units that do not agree'][0]})"))
    emitted = ("generate", path, "--functions", "rhs", "-o", tmp_path / "out")
    for given in (emitted, ("equations", path), ("linearize", path)):
        expect_one_line(eomc_command(*given), "gravity along N.y: m/s^2 against m/s")
        assert eomc_command(*given, "--units", "ignore").code == 0


@pytest.mark.parametrize("case", MODELS)
def test_a_wrong_model(eomc_command, tmp_path: Path, case: str) -> None:
    """A contradiction or a gap in a model is named."""
    change, words = MODELS[case]
    file = tmp_path / "pendulum.py"
    file.write_text(PENDULUM.replace("CHANGE", f"dict({change})"), encoding="utf-8")
    expect_one_line(eomc_command("generate", file, "-o", tmp_path / "out"), *words)
    assert not (tmp_path / "out").exists()


def test_the_pendulum_itself_is_sound(eomc_command, tmp_path: Path) -> None:
    """The cases above fail for their change, not for what they change."""
    file = tmp_path / "pendulum.py"
    file.write_text(PENDULUM.replace("CHANGE", "{}"), encoding="utf-8")
    assert eomc_command("generate", file, "-o", tmp_path / "out").code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('boom')", ["boom", "line 1"]),
        ("x = (", ["wrong.py", "line 1"]),
        ("x = 1", ["wrong.py", "Model"]),
        ("import no_such_module_anywhere", ["no_such_module_anywhere"]),
        ("import sys; sys.exit(0)", ["wrong.py"]),
    ],
)
def test_a_file_that_is_no_model(eomc_command, tmp_path: Path, text: str, words: list[str]) -> None:
    """A model file that raises, does not parse, ends the process or holds no model is the file's fault."""
    file = tmp_path / "wrong.py"
    file.write_text(text + "\n", encoding="utf-8")
    expect_one_line(eomc_command("generate", file, "-o", tmp_path / "out"), *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["COMMAND"]),
        (["simulat"], ["simulat", "simulate"]),
        (["generate"], ["MODEL"]),
        (["generate", "rolling_disk", "--nonsense"], ["--nonsense"]),
        (["generate", "rolling_disk", "--real", "half"], ["half", "double", "float"]),
        (["generate", "rolling_disk", "--method", "newton"], ["newton", "kane"]),
        (["generate", "rolling_disk", "--method", "hamilton"], ["hamilton", "rolling_disk"]),
        (["generate", "rolling_disc"], ["rolling_disk"]),
        (["generate", "n_link_pendulum:none"], ["none"]),
        (["generate", "n_link_pendulum:0"], ["0"]),
        (["generate", "rolling_disk:3"], ["rolling_disk"]),
        (["generate", "./none.py"], ["none.py"]),
        (["simulate", "rolling_disk", "--set", "zz=1"], ["--set", "zz"]),
        (["simulate", "rolling_disk", "--set", "r=1"], ["--set", "R"]),
        (["simulate", "rolling_disk", "--set", "g"], ["--set", "NAME=V"]),
        (["simulate", "rolling_disk", "--set", "g=abc"], ["--set", "g", "abc"]),
        (["simulate", "rolling_disk", "--set", "g=nan"], ["--set", "g", "nan"]),
        (["simulate", "rolling_disk", "--set", "g=1", "g=2"], ["--set", "g", "twice"]),
        (["simulate", "rolling_disk", "--init", "thet=1"], ["--init", "theta"]),
        (["simulate", "rolling_disk", "--input", "F=1"], ["--input", "F"]),
        (["simulate", "rolling_disk", "--dt", "0"], ["--dt", "0"]),
        (["simulate", "rolling_disk", "--dt", "nan"], ["--dt", "nan"]),
        (["simulate", "rolling_disk", "--dt", "-0.1"], ["--dt", "-0.1"]),
        (["simulate", "rolling_disk", "--t-end", "-1"], ["--t-end", "-1"]),
        (["simulate", "rolling_disk", "--t-end", "inf"], ["--t-end", "inf"]),
        (["simulate", "rolling_disk", "--t0", "nan"], ["--t0", "nan"]),
        (["simulate", "rolling_disk", "--t0", "11"], ["--t-end 10", "before the start, --t0 11"]),
        (["simulate", "rolling_disk", "--every", "0"], ["--every", "0"]),
        (
            ["simulate", "rolling_disk", "--integrator", "eular"],
            ["--integrator: unknown integrator 'eular'", "did you mean euler"],
        ),
        (["generate", "rolling_disk", "--integrator", "rk4,dop583"], ["'dop583'", "did you mean dop853"]),
        (["check", "rolling_disk", "--integrator", "heun"], ["--integrator", "with --energy"]),
        (["simulate", "rolling_disk", "-o", "/no/such/folder/out.csv"], ["/no/such/folder"]),
        (["simulate", "rolling_disk", "-o", "out.xlsx"], ["--output: out.xlsx", "not as .xlsx"]),
        (["check", "rolling_disk", "--samples", "0"], ["--samples"]),
        (["check", "rolling_disk", "--energy", "--samples", "5"], ["--samples", "without --energy"]),
        (["check", "rolling_disk", "--t-end", "5"], ["--t-end", "with --energy"]),
        (["check", "rolling_disk", "--stabilization", "projection"], ["--stabilization", "with --energy"]),
        (["equations", "rolling_disk", "--format", "pdf"], ["pdf", "latex"]),
    ],
    ids=" ".join,
)
def test_a_wrong_command(eomc_command, arguments: list[str], words: list[str]) -> None:
    """A command line that cannot be meant is answered with what is wrong and what is known."""
    expect_one_line(eomc_command(*arguments), *words)


@pytest.mark.parametrize("case", ["simulate", "generate", "check", "energy"])
def test_names_are_checked_before_anything_is_compiled(
    eomc_command, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """A mistyped name or number costs no derivation."""
    import eomc

    def never(*_: object, **__: object) -> None:
        raise AssertionError("derived before the arguments were checked")

    monkeypatch.setattr(eomc, "compile", never)  # where commands look for it
    arguments = {
        "simulate": ["simulate", "simple_pendulum", "--set", "nothing=1"],
        "generate": ["generate", "simple_pendulum", "--real", "half"],
        "check": ["check", "simple_pendulum", "--samples", "-3"],
        "energy": ["check", "simple_pendulum", "--energy", "--init", "nothing=1"],
    }
    assert eomc_command(*arguments[case]).code == 2


def test_a_folder_that_cannot_be_written(eomc_command, tmp_path: Path) -> None:
    """A file in the way of the output folder is named."""
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    expect_one_line(eomc_command("generate", "simple_pendulum", "-o", tmp_path / "out"), str(tmp_path / "out"))
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"
    expect_one_line(eomc_command("generate", "simple_pendulum", "-o", "/proc/nope"), "/proc/nope")


def test_a_foreign_file_in_the_way(eomc_command, tmp_path: Path) -> None:
    """What the user wrote is left alone, and nothing else is written beside it."""
    (tmp_path / "simple_pendulum.c").write_text("mine\n", encoding="utf-8")
    expect_one_line(eomc_command("generate", "simple_pendulum", "-o", tmp_path), "simple_pendulum.c")
    assert [path.name for path in tmp_path.iterdir()] == ["simple_pendulum.c"]
    assert (tmp_path / "simple_pendulum.c").read_text(encoding="utf-8") == "mine\n"


def test_no_compiler(eomc_command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A compiler that is not there is named, with the remedy."""
    monkeypatch.setenv("CC", "/nonexistent/cc")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    expect_one_line(eomc_command("simulate", "simple_pendulum"), "/nonexistent/cc", "CC")


@pytest.mark.needs_cc
def test_a_compiler_that_refuses_shows_its_words(eomc_command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A failing compiler's command and output reach the user."""
    monkeypatch.setenv("CFLAGS", "--no-such-flag-at-all")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    answer = eomc_command("simulate", "simple_pendulum")
    assert answer.code == 2
    assert answer.err.count("--no-such-flag-at-all") >= 2
    assert "Traceback" not in answer.err


def test_a_defect_is_told_from_a_mistake(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that nobody planned asks for a report; EOMC_DEBUG=1 shows where it comes from."""
    import eomc.frontends.loading

    def broken(*_: object) -> None:
        raise ZeroDivisionError("by design of this test")

    monkeypatch.setattr(eomc.frontends.loading, "shipped_models", broken)
    monkeypatch.delenv("EOMC_DEBUG", raising=False)
    answer = eomc_command("models")
    assert answer.code == 70
    assert "ZeroDivisionError: by design of this test" in answer.err
    assert "report" in answer.err
    assert "Traceback" not in answer.err
    monkeypatch.setenv("EOMC_DEBUG", "1")
    assert "Traceback" in eomc_command("models").err


def test_an_interrupt_ends_quietly(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C gives 130 and one line."""
    import eomc.frontends.loading

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(eomc.frontends.loading, "shipped_models", interrupted)
    assert eomc_command("models") == (130, "", "eomc: interrupted\n")


def test_a_reader_that_leaves() -> None:
    """A closed pipe ends the command without a word."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "eomc", "models"], stdout=writer, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_by_the_shell(tmp_path: Path) -> None:
    """The installed command gives the same line and code as the function does."""
    done = subprocess.run(
        [Path(sys.executable).with_name("eomc"), "simulate", "rolling_disk", "--dt", "nan"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("eomc: error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seed", "-1"], ["--seed", "below zero"]),
        (["--samples", "0"], ["--samples", "below one"]),
        (["--samples", "100000000000"], ["--samples", "more than"]),
    ],
)
def test_numbers_of_check_that_make_no_sense(eomc_command, options: list[str], words: list[str]) -> None:
    """A seed below zero, no samples, or more than memory holds: refused before anything is derived."""
    expect_one_line(eomc_command("check", "simple_pendulum", *options), *words)
