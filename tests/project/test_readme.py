"""The README does what it says."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import blocks_of

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """Return the shell commands, without their comments; targets of the project's Makefile are not among them."""
    lines = [line.split("  #")[0].strip() for text in blocks_of(README, "sh") for line in text.splitlines()]
    return [line for line in lines if line and not re.fullmatch(r"make \w+( +#.*)?", line)]


def test_the_targets_that_it_names_exist() -> None:
    """`make X` in the README is a target of the Makefile."""
    named = set(re.findall(r"^make (\w+)", "\n".join(blocks_of(README, "sh")), flags=re.MULTILINE))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


@pytest.mark.slow
@pytest.mark.needs_cc
def test_every_command_runs(
    eomc_command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands run in the order in which they stand there, on the model that stands there.

    The first runs as it stands; the later ones of eomc, and scripts, in this process, which has imported already.
    """
    (tmp_path / "bead.py").write_text(blocks_of(README, "python")[0], encoding="utf-8")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    listed = commands()
    assert len(listed) >= 4
    said = ""
    monkeypatch.chdir(tmp_path)
    for command in listed:
        if command.startswith("eomc ") and command != listed[0]:
            answer = eomc_command(*shlex.split(command)[1:])
            assert answer.code == 0, f"{command}: {answer.err}"
            said += answer.out
            continue
        if command.startswith("python "):
            monkeypatch.setattr(sys, "argv", shlex.split(command)[1:])
            capsys.readouterr()
            runpy.run_path(sys.argv[0], run_name="__main__")  # a SystemExit is a failure
            said += capsys.readouterr().out
            continue
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        said += done.stdout
    assert (tmp_path / "bead.csv").read_text(encoding="utf-8").startswith("t,theta,s,omega,v\n")
    for kind, residual, drift in re.findall(
        r"^\| (none|projection) \| (\S+) \| (\S+) J \|$", README, flags=re.MULTILINE
    ):
        row = re.search(rf"^{kind} +(\S+) +(\S+) J$", said, flags=re.MULTILINE)
        assert row is not None
        if kind == "none":  # the other is rounding
            assert row.groups() == (residual, drift)


@pytest.mark.needs_cc
def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions in the README run as they stand."""
    monkeypatch.chdir(tmp_path)
    for session in blocks_of(README, "python")[1:]:
        exec(compile(session, "README.md", "exec"), {})
    assert (tmp_path / "motion.csv").is_file()


def test_the_table_of_commands_is_whole(eomc_command) -> None:
    """Every command and option of the command line stands in the table."""
    table = README.split("## Command line")[1].split("## Python")[0]
    for name in re.findall(r"^  (\w+) {2,}\S", eomc_command("--help").out, flags=re.MULTILINE):
        assert f"`eomc {name}" in table
        rows = "\n".join(line for line in table.splitlines() if line.startswith(f"| `eomc {name}"))
        options = set(re.findall(r"(?<![\w-])--[\w-]+", eomc_command(name, "--help").out))
        written = {"-o": "--output"}
        given = {written.get(option, option) for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", rows)}
        assert given == options - {"--help"}, name


def test_links_lead_somewhere() -> None:
    """A relative link in the README or the folders' READMEs has its file."""
    for page in (ROOT / "README.md", *ROOT.glob("*/README.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_walk_through_the_code_names_what_is_there() -> None:
    """Each `module.py: name` of the architecture's page is a class, a function or a constant of that module."""
    page = (ROOT / "generator" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py): (\w+)`", page)
    assert len(named) > 20
    for module, name in named:
        text = (ROOT / "generator" / "eomc" / module).read_text(encoding="utf-8")
        assert re.search(rf"^(?:class|def) {name}\b|^{name}\b.* = ", text, flags=re.MULTILINE), (module, name)
