"""`eomc doctor`: what is here, what is missing, and how to get it."""

from __future__ import annotations

import json
import shutil
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from eomc.doctor.packages import EXTRAS, find_extras, find_needed_packages, requirements
from eomc.targets import TARGETS

NEEDED = ("cffi", "jinja2", "numpy", "rich", "sympy", "C compiler", "C from Python", "make")


def lines_of(text: str) -> dict[str, tuple[str, str]]:
    """Return name -> mark and the rest of each line."""
    found = {}
    for line in text.splitlines()[:-1]:
        mark, rest = line[:9].strip(), line[9:]
        name, _, words = rest.partition("  ")
        found[name.strip()] = (mark, words.strip())
    return found


@pytest.mark.needs_cc
def test_a_machine_with_a_compiler_is_well(eomc_command) -> None:
    """All that is needed is marked ok, one line each, and the exit code is 0; as JSON it is the same."""
    answer = eomc_command("doctor")
    assert (answer.code, answer.err) == (0, "")
    found = lines_of(answer.out)
    assert {found[name][0] for name in NEEDED} == {"ok"}
    assert found["numpy"][1] == metadata.version("numpy")
    assert answer.out.splitlines()[-1] == "All that eomc needs is here."
    listed = json.loads(eomc_command("doctor", "--json").out)
    assert [one["name"] for one in listed if one["is_needed"]] == ["eomc", "Python", *NEEDED]
    assert {one["name"] for one in listed if one["is_there"]} == {
        name for name, (mark, _) in found.items() if mark == "ok"
    }


def test_an_empty_path_lacks_compiler_and_make(eomc_command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each missing tool comes with its remedy; targets are missing, too, and no part of the verdict."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    answer = eomc_command("doctor")
    assert answer.code == 1
    found = lines_of(answer.out)
    assert found["C compiler"][0] == found["C from Python"][0] == found["make"][0] == "MISSING"
    assert "apt install gcc" in found["C compiler"][1]
    assert "apt install make" in found["make"][1]
    for row in TARGETS:
        if row.prefix:
            mark, words = found[f"target {row.name}"]
            assert mark == "-"
            assert f"{row.prefix}gcc and {row.emulator.split()[0]}: not on the path" in words
            assert f"apt install {row.debian}" in words
    assert found["WebAssembly"][0] == "-"
    assert "clang and wasm-ld: not on the path" in found["WebAssembly"][1]
    assert "apt install clang lld" in found["WebAssembly"][1]
    assert answer.out.splitlines()[-1] == "eomc lacks: C compiler, C from Python, make"


@pytest.mark.needs_cc
def test_a_compiler_that_makes_nothing_is_missing(eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command on the path is tried, with the flags of the environment: what it says stands there."""
    monkeypatch.setenv("CFLAGS", "--no-such-flag")
    answer = eomc_command("doctor")
    assert answer.code == 1
    mark, words = lines_of(answer.out)["C compiler"]
    assert mark == "MISSING"
    assert "--no-such-flag" in words


@pytest.mark.needs_cc
def test_a_program_that_is_wrong_is_told(eomc_command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler whose programs do not run as they should is none."""
    fake = tmp_path / "fakecc"
    fake.write_text(f'#!/bin/sh\necho "int main(void) {{ return 3; }}" > program.c\nexec {shutil.which("cc")} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("CC", str(fake))
    answer = eomc_command("doctor")
    assert answer.code == 1
    assert "makes a program that takes no right square root" in lines_of(answer.out)["C compiler"][1]


def test_a_target_without_its_library_is_missing(eomc_command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cross compiler that finds no math.h, as without avr-libc, is told from one that is absent."""
    for name, text in (("avr-gcc", "echo 'unit.c:1: fatal error: math.h: No such file' >&2; exit 1"), ("simavr", "")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    mark, words = lines_of(eomc_command("doctor").out)["target avr"]
    assert mark == "-"
    assert "avr-gcc fails: unit.c:1: fatal error: math.h: No such file" in words


def test_a_package_that_is_absent_or_old_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An absent extra is no fault of the machine, an old NumPy is; both say what to install."""
    installed = metadata.version

    def version(name: str) -> str:
        if name == "matplotlib":
            raise metadata.PackageNotFoundError(name)
        return "1.9.5" if name == "numpy" else installed(name)

    monkeypatch.setattr(metadata, "version", version)
    (plot,) = (one for one in find_extras() if one.name == "extra plot")
    assert (plot.is_needed, plot.is_there) == (False, False)
    assert plot.remedy.startswith("pip install 'eomc[plot]'")
    (numpy,) = (one for one in find_needed_packages() if one.name == "numpy")
    assert (numpy.is_needed, numpy.is_there) == (True, False)
    assert numpy.found == "1.9.5 is older than 1.26"


def test_requirements_are_read_as_packaging_reads_them() -> None:
    """Names, least versions and extras of our metadata and of other spellings, by another reader."""
    lines = [
        *(metadata.requires("eomc") or []),
        "h5py (>=3.9) ; extra == 'hdf5'",
        "dask[array]>=2024.1.0,<2030; python_version >= '3.11' and extra == \"dask\"",
        "plain",
    ]
    for line, ours in zip(lines, requirements(lines), strict=True):
        theirs = Requirement(line)
        assert ours.package == theirs.name
        least = [one.version for one in theirs.specifier if one.operator == ">="]
        assert ([ours.least] if ours.least else []) == least
        assert theirs.marker is None or theirs.marker.evaluate({"extra": ours.extra})
        assert bool(ours.extra) == (theirs.marker is not None)


def test_every_extra_of_users_is_explained(root: Path) -> None:
    """The table has the extras of pyproject.toml but those of developers."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"test", "bench", "dev", "docs"}
