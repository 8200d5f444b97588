"""The commands at work: files, tables, JSON, exit codes."""

from __future__ import annotations

import csv
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.frontends.loading import shipped_models

FILES = {"simple_pendulum.h", "simple_pendulum.c", "main.c", "Makefile", "README.md"}


def test_models_for_programs(eomc_command) -> None:
    """`eomc models --json` lists every shipped model with the methods that serve it, the native one first."""
    answer = eomc_command("models", "--json")
    assert answer.code == 0
    listed = json.loads(answer.out)
    assert [entry["name"] for entry in listed] == shipped_models()
    for entry in listed:
        assert tuple(entry["methods"]) == eomc.load(entry["name"]).methods
        assert entry["description"]
    (disk,) = (entry for entry in listed if entry["name"] == "rolling_disk")
    assert disk["coordinates"] == ["theta", "phi", "psi", "x", "y"]
    assert {"name": "g", "value": 9.81, "unit": "m/s^2"} in disk["parameters"]


def test_models_for_people(eomc_command) -> None:
    """`eomc models` gives each model a line that is never cut."""
    answer = eomc_command("models")
    for name in shipped_models():
        (line,) = (line for line in answer.out.splitlines() if line.split()[:1] == [name])
        assert line.endswith(eomc.load(name).description)


def test_generate_writes_into_the_folder_itself(eomc_command, tmp_path: Path) -> None:
    """`-o DIR` puts the files directly into DIR and names them on stdout."""
    answer = eomc_command("generate", "simple_pendulum", "-o", tmp_path / "a" / "b")
    assert answer.code == 0
    assert {path.name for path in (tmp_path / "a" / "b").iterdir()} == FILES
    assert all(str(tmp_path / "a" / "b" / name) in answer.out for name in FILES)


def test_generate_without_a_folder(eomc_command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `-o` the files go to ./build/<model>, an argument becoming part of the name."""
    monkeypatch.chdir(tmp_path)
    assert eomc_command("generate", "n_link_pendulum:2").code == 0
    assert (tmp_path / "build" / "n_link_pendulum_2" / "n_link_pendulum_2.c").is_file()


def test_generate_again_over_its_own_files(eomc_command, tmp_path: Path) -> None:
    """What eomc wrote it may write again; the second time changes nothing."""
    assert eomc_command("generate", "simple_pendulum", "-o", tmp_path).code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert eomc_command("generate", "simple_pendulum", "-o", tmp_path).code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_depfile_drives_make(eomc_command, tmp_path: Path) -> None:
    """make reads the dependency file, and finds the output out of date when an import of the model changes."""
    folder = tmp_path / "with space"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "parts" / "lengths.py").write_text("import numbers_of\nLENGTH = numbers_of.LENGTH\n", encoding="utf-8")
    (folder / "numbers_of.py").write_text("LENGTH = 0.5\n", encoding="utf-8")
    (folder / "pendulum.py").write_text(
        "from parts.lengths import LENGTH\nfrom eomc.models import simple_pendulum\n"
        "model = simple_pendulum.model().renamed('pendulum')\n",
        encoding="utf-8",
    )
    depfile = folder / "pendulum.d"
    answer = eomc_command("generate", folder / "pendulum.py", "-o", folder / "out", "--depfile", depfile)
    assert answer.code == 0, answer
    text = depfile.read_text(encoding="utf-8").replace("\\ ", " ")
    sources = ("pendulum.py", "numbers_of.py", "parts/__init__.py", "parts/lengths.py")
    assert all(f"  {folder / name}" in text for name in sources)
    assert "models/simple_pendulum.py" in text
    assert "pipeline.py" not in text
    assert "sympy" not in text

    target = str(folder / "out" / "pendulum.c").replace(" ", "\\ ")
    (tmp_path / "rules.mk").write_text(f"{target}:\n\techo regenerate\ninclude {depfile.name}\n", encoding="utf-8")
    (tmp_path / depfile.name).write_text(depfile.read_text(encoding="utf-8"), encoding="utf-8")
    command = ["make", "--no-print-directory", "-f", "rules.mk", str(folder / "out" / "pendulum.c")]
    assert "regenerate" not in subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    (folder / "numbers_of.py").unlink()
    assert "regenerate" in subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout


@pytest.mark.needs_cc
def test_simulate_writes_what_was_asked(eomc_command, tmp_path: Path) -> None:
    """The table starts at the given state, ends at the given time, keeps every Nth step, obeys the set parameters."""
    out = tmp_path / "out.csv"
    answer = eomc_command(
        *("simulate", "cart_pole", "--t-end", "0.5", "--dt", "0.01", "--every", "10", "-o", out),
        *("--init", "x=0.25", "theta=0", "theta_d=0", "--set", "g=0", "--input", "F=0"),
    )
    assert answer.code == 0, answer
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["t"]) for row in rows] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    speed = float(rows[0]["x_d"])
    assert speed != 0
    for row in rows:  # no force, no weight, the pole at rest: the cart rolls on
        assert float(row["x"]) == pytest.approx(0.25 + speed * float(row["t"]), abs=1e-12)
        assert float(row["theta"]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.needs_cc
def test_simulate_takes_coordinates_and_speeds_under_hamilton(eomc_command, tmp_path: Path) -> None:
    """`--init` is in speeds under every method: the same motion by Kane and by Hamilton, with changed parameters."""
    columns = []
    for method in ("kane", "hamilton"):
        out = tmp_path / f"{method}.csv"
        answer = eomc_command(
            *("simulate", "spherical_pendulum", "--method", method, "--t-end", "1", "-o", out),
            *("--init", "theta_d=-0.7", "--init", "phi_d=0.9", "--set", "m=3", "l=0.6"),
        )
        assert answer.code == 0, answer
        table = np.genfromtxt(out, delimiter=",", names=True)
        columns.append(np.column_stack([table["theta"], table["phi"]]))
    assert np.abs(columns[0] - columns[1]).max() < 1e-7  # the integrator's error is not the same in both forms


@pytest.mark.needs_cc
def test_simulate_summarizes(eomc_command) -> None:
    """Without a file, a table of states and of energies with their drift."""
    answer = eomc_command("simulate", "rolling_disk", "--t-end", "0.1")
    assert answer.code == 0
    words = {line.split()[0]: line.split() for line in answer.out.splitlines() if line.strip()}
    assert {"theta", "u3", "centre_z", "kinetic", "potential", "total"} <= set(words)
    assert float(words["total"][-1]) < 1e-9


@pytest.mark.needs_cc
def test_simulate_draws(eomc_command, tmp_path: Path) -> None:
    """`--plot` writes a picture."""
    answer = eomc_command("simulate", "simple_pendulum", "--t-end", "0.1", "--plot", tmp_path / "motion.png")
    assert answer.code == 0, answer
    assert (tmp_path / "motion.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.needs_cc
def test_check_agrees(eomc_command) -> None:
    """`eomc check` lists every function of the C, under each method with `all`."""
    answer = eomc_command("check", "double_pendulum", "--samples", "20", "--method", "all")
    assert answer.code == 0, answer
    for method in ("kane", "gibbs-appell", "lagrange", "hamilton"):
        assert f"double_pendulum ({method})" in answer.out
    assert answer.out.count("rhs") == 4
    assert "DIFFERS" not in answer.out


@pytest.mark.needs_cc
@pytest.mark.parametrize(("name", "forms"), [("simple_pendulum", 1), ("slider_crank", 4)])
def test_check_of_all_forms(eomc_command, name: str, forms: int) -> None:
    """`--constraints all`: each form of what has constraints, one of what has none."""
    answer = eomc_command("check", name, "--samples", "3", "--constraints", "all", "--json")
    assert answer.code == 0, answer
    found = [entry["constraints"] for entry in json.loads(answer.out)]
    assert found == ["eliminated", "augmented", "range-space", "null-space"][:forms]


@pytest.mark.needs_cc
def test_check_fails_when_they_differ(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A right-hand side that is off by 1e-9 ends with exit code 1 and is named."""
    from eomc.reference import Reference

    right = Reference.rhs
    monkeypatch.setattr(Reference, "rhs", lambda self, *arguments: right(self, *arguments) * (1 + 1e-9))
    answer = eomc_command("check", "simple_pendulum", "--samples", "5")
    assert answer.code == 1
    (line,) = (line for line in answer.out.splitlines() if "DIFFERS" in line)
    assert line.split()[0] == "rhs"


CONTRADICTORY = """
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols
import eomc
q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
N, A, B = (ReferenceFrame(name) for name in "NAB")
A.orient_axis(N, N.z, q1)
B.orient_axis(N, N.z, q2)
A.set_ang_vel(N, u1 * N.z)
B.set_ang_vel(N, sm.Rational(11, 10) * u2 * N.z)
O = Point("O")
O.set_vel(N, 0)
P = O.locatenew("P", A.x)
P.set_vel(N, u1 * A.y)
R = P.locatenew("R", B.x)
R.set_vel(N, u1 * A.y + u2 * B.y)
model = eomc.Model(name="contradictory", inertial_frame=N, coordinates=[q1, q2], speeds=[u1, u2],
                   bodies=[Particle("p", P, 1), Particle("r", R, 1)], initial={u1: 1.0, u2: -2.0})
"""


@pytest.mark.needs_cc
def test_check_energy(eomc_command) -> None:
    """`eomc check --energy` proves a run: drift, work and what they differ by, with the same options as a run."""
    run = ("--t-end", "2", "--dt", "0.0005", "--set", "c=0.3", "--init", "u3=2", "--method", "all")
    answer = eomc_command("check", "rolling_disk_with_slip", "--energy", *run)
    assert answer.code == 0, answer
    for method in eomc.load("rolling_disk_with_slip").methods:
        assert f"rolling_disk_with_slip ({method}): energy against work over 2 s, steps of 0.0005 s" in answer.out
    rows = [line.split() for line in answer.out.splitlines() if line.startswith("total")]
    assert [row[-1] for row in rows] == ["holds"] * 4
    for _, first, last, drift, work, balance, tolerance, _ in rows:
        assert float(drift) == pytest.approx(float(first) - float(last), rel=1e-2)
        assert float(work) == pytest.approx(float(last) - float(first), rel=1e-4)
        assert float(balance) <= float(tolerance) < 1e-6


@pytest.mark.needs_cc
def test_check_energy_for_programs(eomc_command) -> None:
    """`--json` has the same numbers, and the works by their causes."""
    answer = eomc_command("check", "cart_pole", "--energy", "--json", "--input", "F=1", "--t-end", "1")
    (told,) = json.loads(answer.out)
    assert answer.code == 0
    assert (told["model"], told["method"], told["energy"], told["holds"]) == ("cart_pole", "kane", "total", True)
    assert told["works"] == {"loads": pytest.approx(told["last"] - told["first"], abs=told["tolerance"])}
    assert told["work"] > 0.1
    assert told["balance"] <= told["tolerance"]


@pytest.mark.filterwarnings("ignore:contradictory. in the velocity of R")
@pytest.mark.needs_cc
def test_check_energy_fails(eomc_command, tmp_path: Path) -> None:
    """A model that contradicts itself ends with exit code 1; a step that is too long and open constraints, too."""
    path = tmp_path / "contradictory.py"
    path.write_text(CONTRADICTORY, encoding="utf-8")
    for arguments, words in (
        ((path,), "the equations contradict the energies; look for a velocity, an angular velocity"),
        (("double_pendulum", "--dt", "0.02"), "take a smaller --dt"),
        (("slider_crank", "--stabilization", "none"), "and there they do work: take --stabilization projection"),
    ):
        answer = eomc_command("check", *arguments, "--energy")
        assert answer.code == 1
        assert "FAILS" in answer.out
        assert words in answer.out
    assert eomc_command("check", "slider_crank", "--energy").code == 0


@pytest.mark.filterwarnings("ignore:contradictory. in the velocity of R")
@pytest.mark.needs_cc
def test_check_energy_without_a_balance(eomc_command, tmp_path: Path) -> None:
    """What cannot be balanced is said, and is no failure."""
    path = tmp_path / "tuned.py"
    text = CONTRADICTORY.replace("initial=", "potential_energy=u2 * 0 + k * q1**2, inputs=[k], initial=")
    path.write_text(text.replace("q1, q2, u1, u2 =", 'k = dynamicsymbols("k")\nq1, q2, u1, u2 ='), encoding="utf-8")
    answer = eomc_command("check", path, "--energy")
    assert answer.code == 0, answer
    assert "has no energy balance: time derivatives of inputs are not known: list k.diff(t)" in answer.out
    (told,) = json.loads(eomc_command("check", path, "--energy", "--json").out)
    assert told["holds"] is None
    assert "list k.diff(t) among the inputs" in told["reason"]


@pytest.mark.needs_cc
def test_check_tells_what_parameters_it_had(eomc_command, tmp_path: Path) -> None:
    """Where none over decades would do, the table says how many states have parameters near the defaults."""
    text = CONTRADICTORY.replace("[11, 10]", "[1, 1]").replace("sm.Rational(11, 10) * u2", "u2")
    text = text.replace("import eomc", 'import eomc\nkeys = sm.symbols("a b c")')
    loads = "sum(sm.sqrt((k - sm.Rational(74, 100)) * (sm.Rational(126, 100) - k)) for k in keys)"
    text = text.replace("initial=", f"loads=[(R, {loads} * N.x)], parameters=dict.fromkeys(keys, 1.0), initial=")
    path = tmp_path / "contradictory.py"
    path.write_text(text, encoding="utf-8")
    answer = eomc_command("check", path, "--samples", "10")
    assert answer.code == 0, answer
    assert "5 states of 10 with parameters within 25 % of the defaults" in answer.out
    (told,) = json.loads(eomc_command("check", path, "--samples", "10", "--json").out)
    assert told["near_defaults"] == 5


LIGHT = """
import eomc
from eomc.trees import Joint, JointTree, Link
from sympy.physics.mechanics import dynamicsymbols
x, y, u, v = dynamicsymbols("x y u v")
links = [Link(name="ground"), Link(name="light", mass=1e-7), Link(name="heavy", mass=1.0)]
rails = [
    Joint(name="a", kind="prismatic", parent="ground", child="light", coordinates=[x], speeds=[u], damping=0.3),
    Joint(name="b", kind="prismatic", parent="light", child="heavy", coordinates=[y], speeds=[v], damping=0.2),
]
model = eomc.from_tree(JointTree(links, rails, gravity=(0, 0, -9.81)), name="light_in_between")
"""


@pytest.mark.needs_cc
def test_check_says_where_it_judges_forces(eomc_command, tmp_path: Path) -> None:
    """With a condition of 4e7 at all states inverse dynamics of the accelerations is judged, and that is said."""
    path = tmp_path / "light.py"
    path.write_text(LIGHT, encoding="utf-8")
    answer = eomc_command("check", path, "--samples", "10")
    assert answer.code == 0, answer
    assert "10 states of 10 with a mass matrix whose condition, without units, is above 1e+06" in answer.out
    assert "rhs is judged by inverse dynamics" in answer.out
    (told,) = json.loads(eomc_command("check", path, "--samples", "10", "--json").out)
    assert told["ill_conditioned"] == 10


@pytest.mark.needs_cc
def test_check_says_what_it_cannot_tell(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences whose errors hide an error of 1e-8 prove nothing: exit code 1, and neither agreement nor defect."""
    from eomc.reference import Reference

    right = Reference.differences

    def rough(self, *arguments):
        found = right(self, *arguments)
        return {
            name: replace(one, value=one.value + 1e-3 * one.size, error=1e-3 * one.size) for name, one in found.items()
        }

    monkeypatch.setattr(Reference, "differences", rough)
    answer = eomc_command("check", "cart_pole", "--samples", "5")
    assert answer.code == 1
    (line,) = (line for line in answer.out.splitlines() if line.startswith("power"))
    assert "CANNOT BE TOLD" in line
    assert "DIFFERS" not in answer.out


@pytest.mark.needs_cc
def test_check_for_programs(eomc_command) -> None:
    """`eomc check --json` names every function with its worst difference."""
    (told,) = json.loads(eomc_command("check", "simple_pendulum", "--samples", "5", "--json").out)
    assert told["holds"] is True
    assert {function["name"] for function in told["functions"]} >= {"rhs", "energy", "power"}
    assert all(function["worst"] <= told["tolerance"] for function in told["functions"])


@pytest.mark.needs_cc
def test_check_of_jacobians(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --jacobian the Jacobians are compared, too, to a tolerance of their own, which the table tells."""
    answer = eomc_command("check", "cart_pole", "--samples", "5", "--jacobian")
    assert answer.code == 0
    (line,) = (line for line in answer.out.splitlines() if line.startswith("jacobian"))
    assert line.endswith("agrees (<= 1e-08)")
    from eomc.reference import Reference

    right = Reference.differences

    def wrong(self, *arguments):
        return {name: replace(one, value=one.value * (1 + 1e-7)) for name, one in right(self, *arguments).items()}

    monkeypatch.setattr(
        Reference,
        "differences",
        lambda self, name, *arguments: (wrong if name == "jacobian" else right)(self, name, *arguments),
    )
    assert eomc_command("check", "cart_pole", "--samples", "5", "--jacobian").code == 1
    assert eomc_command("check", "cart_pole", "--samples", "5").code == 0


@pytest.mark.needs_cc
def test_check_takes_nan_for_a_difference(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that is missing on one side is no agreement."""
    from eomc.reference import Reference

    right = Reference.rhs
    monkeypatch.setattr(Reference, "rhs", lambda self, *arguments: right(self, *arguments) * np.nan)
    assert eomc_command("check", "simple_pendulum", "--samples", "5").code == 1


@pytest.mark.needs_cc
def test_stats_for_programs(eomc_command) -> None:
    """`eomc stats --json` has stage times, counts that add up, code, stack and memory."""
    answer = eomc_command("stats", "n_link_pendulum:4", "--json")
    assert answer.code == 0, answer
    figures = json.loads(answer.out)
    assert figures["model"] == "n_link_pendulum_4"
    assert all(stage["seconds"] >= 0 for stage in figures["stages"])
    functions = {one["function"]: one for one in figures["functions"]}
    assert {"prepare", "rhs", "mass_matrix", "energy"} <= set(functions)
    rhs = functions["rhs"]
    kinds = ("additions", "multiplications", "divisions", "square_roots", "functions", "others")
    assert rhs["operations"] == sum(rhs[kind] for kind in kinds)
    assert rhs["functions"] == 8  # a sine and a cosine for each link
    assert figures["code_bytes"] > 1000
    assert figures["work_bytes"] > 0
    assert figures["peak_memory_bytes"] > 10_000_000


@pytest.mark.needs_cc
def test_stats_of_bodies_that_are_a_tree(eomc_command) -> None:
    """`eomc stats` says whether bodies are solved as a tree of joints, and what counts spoke for it."""
    told = " ".join(eomc_command("stats", "double_pendulum_bars").out.split())
    work = "the work of 72 additions beside 90 in the frames given"
    assert f"u' by composite bodies on a tree of 2 joints found in the bodies, {work}" in told
    answer = json.loads(eomc_command("stats", "cart_pole", "--json").out)
    work = "the work of 41 additions beside 39 by composite bodies"
    assert answer["arrangement"].startswith(f"u' in the frames given, {work}")
    assert "recursion" not in answer


@pytest.mark.needs_cc
def test_stats_of_power_series(eomc_command) -> None:
    """Of a pendulum: those of the recurrences of sine and cosine, counted in groups of four at most."""
    answer = eomc_command("stats", "simple_pendulum", "--integrator", "taylor", "--json")
    assert answer.code == 0, answer
    assert 2 <= json.loads(answer.out)["series_products"] <= 4
    told = eomc_command("stats", "double_pendulum", "--integrator", "taylor").out
    assert "power series: 16 products of two at each order, by lagrange; kane 20, gibbs-appell 20\n" in told
    assert "hint" not in told
    hint = "power series of heavy_top take 16 products at each order by --method hamilton, with momenta in the state, "
    assert f"hint: {hint}and 20 by kane\n" in eomc_command("stats", "heavy_top", "--integrator", "taylor").out
    ran = eomc_command("simulate", "heavy_top", "--integrator", "taylor", "--rtol", "1e-9", "--t-end", "0.1")
    assert ran.err == f"eomc: hint: {hint}and 20 by kane\n"
    chosen = ("heavy_top", "--integrator", "taylor", "--method", "kane")
    assert "hint" not in eomc_command("stats", *chosen).out
    assert eomc_command("simulate", *chosen, "--rtol", "1e-9", "--t-end", "0.1").err == ""


@pytest.mark.needs_cc
def test_stats_for_people(eomc_command) -> None:
    """The same figures as tables."""
    answer = eomc_command("stats", "simple_pendulum")
    assert answer.code == 0
    for word in ("derive", "compile", "rhs", "operations", "stack", "peak memory"):
        assert word in answer.out


@pytest.mark.parametrize(("format", "sign"), [("text", "theta' = u1"), ("latex", r"\dot{\theta}"), ("html", "<math")])
def test_equations_in_every_format(eomc_command, format: str, sign: str) -> None:
    """`eomc equations` prints the equations as text, LaTeX or HTML, and nothing else."""
    answer = eomc_command("equations", "rolling_disk", "--format", format)
    assert answer.code == 0, answer
    assert sign in answer.out
    assert answer.err == ""


def test_equations_by_another_method(eomc_command) -> None:
    """The equations are those of the method: Hamilton's have momenta."""
    assert "p_theta'" in eomc_command("equations", "spherical_pendulum", "--method", "hamilton").out
    assert "p_theta'" not in eomc_command("equations", "spherical_pendulum").out


def test_the_choices_are_those_that_there_are() -> None:
    """What the command line offers by name, without loading it, is what the packages have."""
    from eomc.backends.report import FORMATS
    from eomc.cli import equations

    assert equations.FORMATS == tuple(FORMATS)


@pytest.mark.needs_cc
def test_gains_of_a_stabilization_can_be_set(eomc_command) -> None:
    """--set takes Baumgarte's gains where they exist, and only there."""
    options = ("--t-end", "0.1", "--set", "baumgarte_alpha=3")
    assert eomc_command("simulate", "slider_crank", "--stabilization", "baumgarte", *options).code == 0
    refused = eomc_command("simulate", "slider_crank", *options)
    assert (refused.code, "unknown parameter 'baumgarte_alpha'" in refused.err) == (2, True)
