"""Large models in several C files: the same numbers, the same strictness, names with the prefix, halves that differ."""

from __future__ import annotations

import re
import shutil

import pytest

import eomc
from eomc.backends.c99 import generate
from eomc.backends.c99.units import LARGEST
from eomc.binding import load
from eomc.binding.compiler import find_compiler
from eomc.errors import BuildError

pytestmark = pytest.mark.needs_cc

NAMES = [
    "all_ops", "dag_300", "dag_prepare", "ldlt", "lu", "lu_prepare",
    "eliminated", "augmented", "range_space", "null_space",
]  # fmt: skip
LIMIT = {"dag_2000": 200, "dag_300": 60, "dag_prepare": 200}  # statements in one file


def several(emit, programs, name):
    """Return a folder with several files."""
    folder = emit(programs[name](), largest=LIMIT.get(name, 2))
    assert len(folder.sources) > 1
    return folder


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_compilers_find_nothing_to_say(name, programs, emit, silent):
    """Every file compiles without one warning of gcc and clang."""
    folder = several(emit, programs, name)
    silent(folder.path, folder.macro, folder.sources)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_one_file(name, programs, emit, tmp_path):
    """Status and results of every function, to the last bit."""
    divided, one = several(emit, programs, name), emit(programs[name](), real="float")
    program = divided.result.schedule.program
    x = [0.3 + 0.05 * i for i in range(len(program.states))]
    found = []
    for folder in (one, divided):
        loaded = folder.load("double")
        status = loaded.prepare()
        found.append([status, *(loaded.call(function.name, 0.1, x) for function in program.functions)])
    assert found[0] == found[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_external_symbols_carry_the_prefix(name, programs, emit):
    """Whatever the linker can see begins with the model's name, or what fits of it; nothing can be written to."""
    if shutil.which("nm") is None:
        pytest.skip("binutils are missing")
    folder = several(emit, programs, name)
    folder.compile(["gcc", "-std=c99", "-fno-pie", "-c", *folder.sources])
    for source in folder.sources:
        made = f"{source.removesuffix('.c')}.o"
        for line in folder.run(["nm", "--extern-only", "--defined-only", made]).stdout.splitlines():
            _, kind, symbol = line.split()
            mark = re.fullmatch(r"(\w+)_p\d+_f64_[0-9a-f]{8}", symbol)
            assert folder.name.startswith(mark[1]) if mark else symbol.startswith(f"{folder.name[:17]}_")
            assert mark is None or len(symbol) <= 31
            assert kind in "TR"


def test_files_that_differ_do_not_link(programs, emit):
    """An object of another precision or version is missed by the linker, whichever file it is of."""
    folder = several(emit, programs, "dag_2000")
    sources = (*folder.sources, "main.c")
    objects = [f"{source.removesuffix('.c')}.o" for source in sources]
    folder.compile(["gcc", "-std=c99", "-c", *sources])
    folder.compile(["gcc", *objects, "-lm", "-o", "whole"])

    def refused(place: int, *flags: str) -> None:
        """One object is of another kind."""
        other = [*objects[:place], "other.o", *objects[place + 1 :]]
        folder.compile(["gcc", "-std=c99", *flags, "-c", sources[place], "-o", "other.o"])
        answer = folder.run(["gcc", *other, "-lm", "-o", "mixed"])
        assert answer.returncode != 0
        assert re.search(rf"undefined reference to .{folder.name}_\w*f(32|64)_[0-9a-f]{{8}}", answer.stderr)

    last = len(folder.sources) - 1
    for place in (0, last):
        refused(place, *folder.defines("float"))
    for file in generate(programs["dag_2000"](), version="0.0.1", largest=LIMIT["dag_2000"]).artifacts:
        (folder.path / file.path).write_text(file.text)
    for place in (0, last):
        refused(place)


def test_files_of_other_versions_do_not_compile(programs, emit):
    """A part beside another version's header stops with its name."""
    folder = several(emit, programs, "dag_2000")
    part = folder.path / folder.sources[-1]
    part.write_text(re.sub(r"INTERFACE_VERSION != 0x\w+", "INTERFACE_VERSION != 0x1U", part.read_text()))
    answer = folder.run(["gcc", "-c", part.name])
    assert f"{folder.name}.h and {part.name} differ" in answer.stderr


def test_make_builds_all_of_them(programs, emit):
    """`make -j` and `make test` work; a changed internal header makes all of them again; the README names the files."""
    folder = several(emit, programs, "pendulum")
    for command in (["make", "-j2"], ["make", "test"]):
        answer = folder.run(command)
        assert answer.returncode == 0, answer.stdout + answer.stderr
    later = folder.run(["make", "-n", "-W", f"{folder.name}_internal.h"]).stdout
    assert all(f"-c -o {source.removesuffix('.c')}.o" in later for source in folder.sources)
    readme = (folder.path / "README.md").read_text()
    assert "copy these two" not in readme
    for path in (
        f"{folder.name}.h",
        f"{folder.name}_internal.h",
        folder.sources[0],
        folder.sources[1],
        folder.sources[-1],
    ):
        assert f"`{path}`" in readme


def test_small_models_have_one_file(programs, emit):
    """Five files as ever up to the limit; each of several has no more than its share, and a function."""
    program = programs["dag_2000"]()
    folder = emit(program)
    assert sorted(path.name for path in folder.path.iterdir()) == sorted(
        ["Makefile", "README.md", "main.c", f"{folder.name}.c", f"{folder.name}.h"]
    )
    schedule = folder.result.schedule
    chunks = [chunk for routine in schedule.all_routines for chunk in routine.chunks]
    statements = sum(len(chunk.steps) + len(chunk.loads) + len(chunk.stores) for chunk in chunks)
    assert 300 < statements <= LARGEST
    assert not generate(program, largest=statements).view.code.units
    units = generate(program, largest=statements - 1).view.code.units
    assert 2 <= len(units) <= 3


def test_large_models_are_bound(monkeypatch, tmp_path):
    """A pendulum of 40 links has several files by itself, one command each, and moves as the reference says."""
    build = eomc.compile(eomc.load("n_link_pendulum:40"), functions=["forcing", "energy", "mass_matrix"])
    sources = [file.path for file in build.artifacts if file.kind == "source"]
    if len(sources) == 1:
        pytest.fail("n_link_pendulum:40 has become small: take another model")
    script, log = tmp_path / "cc", tmp_path / "log"
    script.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {shutil.which("cc")} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    monkeypatch.setenv("CFLAGS", "-O0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sim = load(build)
    commands = log.read_text().splitlines()
    assert len(commands) == len(sources) + 1  # the shim stands in one of them; the linker
    assert sum(" -c " in command for command in commands) == len(sources)
    reference = eomc.reference(build.model)
    x = [0.1 * i for i in range(len(sim.state_names))]
    assert sim.rhs(0.0, x) == pytest.approx(reference.rhs(0.0, x), rel=1e-9, abs=1e-9)


def test_a_compiler_that_fails_in_one_file_is_told():
    """The command and the words of the one that failed."""
    sources = {"a.c": "int a;\n", "b.c": "int b = 1 +;\n", "c.c": "int c;\n"}
    with pytest.raises(BuildError, match=r"(?s)-c b\.c.*int b = 1 \+;"):
        find_compiler().shared_library(sources)
