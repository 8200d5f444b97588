"""Rules of MISRA C:2012 in what is emitted, by cppcheck's addon; what its README says of them is true.

Categories are those of the standard's list of rules.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.frontends.loading import shipped_models
from eomc.trees import Joint, JointLoad, JointTree, Link

ADVISORY = frozenset(
    """
    1.2 2.3 2.4 2.5 2.6 2.7 4.2 5.9 8.7 8.9 8.11 8.13 10.5 11.4 11.5 12.1 12.3 12.4 13.3 13.4 15.1 15.4 15.5 17.5 17.8
    18.4 18.5 19.2 20.1 20.5 20.10 21.12
    """.split()
)
MANDATORY = frozenset("9.1 12.5 13.6 17.3 17.4 17.6 19.1 21.13 21.17 21.18 21.19 21.20 22.2 22.4 22.5 22.6".split())
EVERY = 1 if "EOMC_MCU" in os.environ else 99  # all cases take twenty minutes: the stage has them
MODELS = sorted(shipped_models(), key=lambda name: (name != "simple_pendulum", name))
LOOPED = {"functions": "all", "constraints": "null-space", "stabilization": "projection"}
OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("cart_pole", {"functions": "all,rhs_lanes", "math": "strict", "target": "cortex-m4"}),
    ("cart_pole", {"functions": "all", "math": "fast", "target": "cortex-m4", "real": "float"}),
    ("four_bar", LOOPED | {"math": "fast", "target": "cortex-m4"}),
    ("four_bar", LOOPED | {"constraints": "augmented", "stabilization": "baumgarte"}),
    ("four_bar", LOOPED | {"constraints": "range-space"}),
    ("four_bar", LOOPED | {"constraints": "eliminated", "functions": "all,rhs_lanes"}),
    ("coulomb_bead", {"functions": "all,rhs_lanes,step_lanes", "math": "strict"}),
    ("double_pendulum", {"functions": "run,step_lanes", "math": "strict", "integrator": "dop853"}),
    ("hanging_chain", {"functions": "all", "math": "strict", "stabilization": "projection"}),
    ("cart_pole", {"functions": "all,run", "integrator": "dop853,dopri5,rk4"}),
    ("four_bar", {"functions": "all,run", "integrator": "rk4,dopri5", "stabilization": "projection"}),
    ("bouncing_ball", {"functions": "all", "integrator": "dop853,rk4", "target": "cortex-m4"}),
    ("bouncing_ball", {"functions": "all", "integrator": "taylor,rk4", "target": "cortex-m4"}),
    ("two_link_arm", {"functions": "all,run", "math": "strict", "integrator": "taylor"}),
    ("vertical_rolling_disk", {"functions": "run,taylor_coefficients", "integrator": "dop853,taylor"}),
    ("caught", {"functions": "all", "integrator": "rk4", "target": "cortex-m4", "stabilization": "projection"}),
    ("cart_pole", {"functions": "all,run", "integrator": "rodas5p", "real": "float"}),
    ("simple_pendulum", {"functions": "run", "integrator": "rodas5p"}),
    ("two_link_arm", {"functions": "run", "integrator": "rodas5p,dop853", "method": "hamilton"}),
    ("four_bar", {"functions": "run", "integrator": "rodas5p", "stabilization": "projection"}),
    ("bouncing_ball", {"functions": "run", "integrator": "rodas5p"}),
    ("row", {"functions": "run", "integrator": "rodas5p"}),
    ("joints", {"functions": "usual"}),
]


def caught() -> eomc.Model:
    """Return a bob on a rod that meets a wall: an impulse, and that of the constraint."""
    x, y = dynamicsymbols("x y")
    t, (m, g, length) = dynamicsymbols._t, sympy.symbols("m g l")
    return eomc.from_lagrangian(
        m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y,
        coordinates=[x, y],
        configuration_constraints=[x**2 + y**2 - length**2],
        parameters={m: 1.0, g: 9.81, length: 1.0},
        initial={x: 0.8, y: -0.6},
        impacts=[eomc.Impact(x, restitution=sympy.Rational(1, 2), name="wall")],
        name="caught",
    )


def row() -> eomc.Model:
    """Return masses in a row on springs, whose Jacobian is sparse, and what is measured of the last one."""
    q, measured = dynamicsymbols("q:9"), dynamicsymbols("measured")
    t, (m, k) = dynamicsymbols._t, sympy.symbols("m k")
    return eomc.from_lagrangian(
        sum(m * x.diff(t) ** 2 for x in q) / 2 - k * sum((b - a) ** 2 for a, b in itertools.pairwise([0, *q])) / 2,
        coordinates=q,
        extra_states={measured: q[-1] - measured},
        parameters={m: 1.0, k: 100.0},
        initial={q[0]: 0.1},
        name="row",
    )


def joints() -> eomc.Model:
    """Return a row of joints that is long enough for loops, with a motor and a spring in each."""
    q, u, tau = (dynamicsymbols(f"{kind}:52") for kind in ("q", "u", "tau"))
    m, k = sympy.symbols("m k")
    names = ["world", *(f"link{i}" for i in range(52))]
    return eomc.from_tree(
        JointTree(
            [Link(name=names[0]), *(Link(name=name, mass=m, centre=(0.1, 0, 0)) for name in names[1:])],
            [
                Joint(
                    name=f"joint{i}",
                    kind="revolute",
                    parent=names[i],
                    child=names[i + 1],
                    offset=(0.2, 0, 0),
                    axis=(0, i % 2, 1 - i % 2),
                    coordinates=(x,),
                    speeds=(u[i],),
                    armature=0.01,
                )
                for i, x in enumerate(q)
            ],
            gravity=(0, 0, -9.81),
            loads=[
                JointLoad(joint=f"joint{i}", loads=(torque - k * x,))
                for i, (torque, x) in enumerate(zip(tau, q, strict=True))
            ],
        ),
        inputs=tau,
        parameters={m: 0.5, k: 2.0},
        name="joints",
    )


OWN = {"caught": caught, "joints": joints, "row": row}


def category(rule: str) -> str:
    """Return the category of a rule."""
    return "mandatory" if rule in MANDATORY else "advisory" if rule in ADVISORY else "required"


def found(folder: Path, sources: list[str]) -> set[str]:
    """Return the rules that are broken in a program and in what it includes."""
    if shutil.which("cppcheck") is None:
        if "EOMC_MCU" in os.environ:
            pytest.fail("cppcheck: not installed")
        pytest.skip("cppcheck: not installed")
    includes = ["-I.", *(f"-I{path.name}" for path in folder.iterdir() if path.is_dir())]
    command = ["cppcheck", "--addon=misra", "--std=c99", "--enable=style", "--suppress=missingIncludeSystem", "-q"]
    answer = subprocess.run(
        [*command, "--template={id} {file} {line}", *includes, *sources],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "syntaxError" not in answer.stderr, answer.stderr
    return set(re.findall(r"^misra-c2012-(\d+\.\d+) ", answer.stderr, re.MULTILINE))


def listed(folder: Path) -> list[dict[str, str]]:
    """Return the tables of README, rule by category: that of the model, that of the desktop's files."""
    text = (folder / "README.md").read_text(encoding="utf-8").partition("## MISRA C:2012")[2].partition("\n## ")[0]
    tables = []
    for part in text.split("| rule | category | why it is broken |")[1:]:
        rows = re.findall(r"^\| ([\d., ]+) \| (\w+) \| .+ \|$", part, re.MULTILINE)
        tables.append({rule: kind for rules, kind in rows for rule in rules.split(", ")})
    return tables


def check_model(folder: Path, *, lanes: bool) -> None:
    """Judge the model and its bare run."""
    left_out = {"main.c", "host.c"}
    sources = [str(path.relative_to(folder)) for path in folder.rglob("*.c") if path.name not in left_out]
    rules = found(folder, sorted(sources))
    table = listed(folder)[0]
    assert table == {rule: category(rule) for rule in table}
    assert {rule for rule in rules if category(rule) != "advisory"} == ({"8.14"} if lanes else set())
    assert rules <= set(table)
    assert rules >= {"2.4", "8.11"}  # the addon has run


@pytest.fixture
def emitted(tmp_path):
    """Return a function that writes a model with everything that is asked for."""

    def emit(model: str, **options: Any) -> Path:
        eomc.compile(OWN[model]() if model in OWN else eomc.load(model), **options).write(tmp_path)
        return tmp_path

    return emit


@pytest.mark.parametrize("model", MODELS[::EVERY])
def test_shipped_models_break_advisory_rules_alone(emitted, model):
    """All functions of a model; README tells each rule that is broken."""
    check_model(emitted(model, functions="all"), lanes=False)


@pytest.mark.parametrize(
    ("model", "options"), OPTIONS[::EVERY], ids=lambda one: one if isinstance(one, str) else "options"
)
def test_each_way_to_emit_breaks_advisory_rules_alone(emitted, model, options):
    """Own mathematics, forms of constraints, projection, lanes and bare runs; `restrict` is the one deviation."""
    check_model(emitted(model, **options), lanes="lanes" in options["functions"])


@pytest.mark.parametrize("model", ["double_pendulum", "four_bar", "coulomb_bead"][::EVERY])
def test_the_tables_of_the_desktop_are_whole(emitted, model):
    """README tells each rule that main.c and the desktop's port break, and no other."""
    kept = "projection" if model == "four_bar" else "none"
    folder = emitted(model, functions="all", stabilization=kept, target="cortex-m4")
    own = listed(folder)
    rules = found(folder, ["main.c"]) | found(folder, ["cortex-m4/host.c"])
    assert own[1] == {rule: category(rule) for rule in own[1]}
    assert rules - set(own[0]) <= set(own[1])
    if model == "four_bar":
        assert set(own[1]) <= rules | {"10.4"}
