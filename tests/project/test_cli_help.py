"""What the command line says about itself, and how fast it gets to say it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import eomc

COMMANDS = (
    "models",
    "generate",
    "simulate",
    "animate",
    "report",
    "sweep",
    "check",
    "equations",
    "linearize",
    "stats",
    "fmu",
    "doctor",
)


def test_help_lists_the_commands(eomc_command) -> None:
    """`eomc --help` names every command and the exit codes."""
    answer = eomc_command("--help")
    assert answer.code == 0
    assert answer.err == ""
    assert all(re.search(rf"^ +{name} +\S", answer.out, flags=re.MULTILINE) for name in COMMANDS)
    assert "exit codes: 0 done, 1 a check or a run failed, 2 bad input" in answer.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(eomc_command, name: str) -> None:
    """Each option of each command is explained."""
    answer = eomc_command(name, "--help")
    assert answer.code == 0
    lines = answer.out.split("options:\n")[1].splitlines()
    options = [index for index, line in enumerate(lines) if re.match(r"  -", line)]
    assert options
    for index in options:
        following = lines[index + 1] if index + 1 < len(lines) else ""
        assert re.search(r"\S {2,}\S", lines[index]) or following.startswith(" " * 20), lines[index]


def test_version(eomc_command) -> None:
    """`eomc --version` prints the package's version."""
    assert eomc_command("--version") == (0, f"eomc {eomc.__version__}\n", "")


def test_help_loads_nothing_heavy() -> None:
    """After `eomc --help` only light modules are loaded; this is what keeps it below 0.3 s."""
    code = (
        "import sys\nfrom eomc.cli import main\nassert main(['--help']) == 0\n"
        "heavy = {'sympy', 'numpy', 'scipy', 'matplotlib', 'jinja2', 'cffi', 'rich', 'mpmath', 'importlib.metadata'}\n"
        "print('LOADED', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_the_package_runs_as_a_module() -> None:
    """`python -m eomc` is the same command."""
    done = subprocess.run([sys.executable, "-m", "eomc", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"eomc {eomc.__version__}\n"
