"""Emitted C of hand-made programs under the strictest warnings, in both precisions."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import eomc

GCC = (
    "-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wstrict-prototypes "
    "-Wmissing-prototypes -Wcast-qual -Wundef -Wvla -Wfloat-equal -Werror -O2 -fno-pie"
).split()
CLANG = (
    "-std=c99 -Weverything -Werror -Wno-padded -Wno-declaration-after-statement -Wno-unknown-warning-option "
    "-Wno-unsafe-buffer-usage"
).split()
NAMES = [
    "pendulum", "bare", "constant", "nasty", "states_as_arguments", "all_ops", "dag_300", "dag_2000", "dag_prepare",
    "hundred_states", "several_arrays", "ldlt", "lu", "ldlt_prepare", "lu_prepare",
    "eliminated", "augmented", "range_space", "null_space", "not_strict",
]  # fmt: skip
DOUBLE_LIBM = set(
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp log pow sqrt cbrt fabs fmin fmax fmod floor hypot".split()
)

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", NAMES)
def test_gcc_finds_nothing_to_say(name, real, programs, emit):
    """Model and main compile without one warning."""
    folder = emit(programs[name]())
    for source in (f"{folder.name}.c", "main.c"):
        folder.compile(["gcc", *GCC, *folder.defines(real), "-c", source, "-o", f"{source}.o"])


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", NAMES)
def test_clang_finds_nothing_to_say(name, real, programs, emit):
    """The same with every warning that clang has, documentation comments included."""
    if shutil.which("clang") is None:
        pytest.skip("clang is missing")
    folder = emit(programs[name]())
    for source in (f"{folder.name}.c", "main.c"):
        folder.compile(["clang", *CLANG, *folder.defines(real), "-c", source, "-o", f"{source}.o"])


@pytest.mark.parametrize("name", NAMES)
def test_header_is_cpp(name, programs, emit):
    """A C++ compiler takes the header with its own warnings as errors."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    folder = emit(programs[name]())
    (folder.path / "use.cpp").write_text(f'#include "{folder.name}.h"\nint main() {{ return 0; }}\n')
    folder.compile(["g++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "use.cpp", "-o", "use.o"])
    if shutil.which("clang++") is not None:
        flags = ["-Weverything", "-Werror", "-Wno-padded", "-Wno-c++98-compat", "-Wno-c++98-compat-pedantic"]
        folder.compile(["clang++", *flags, "-c", "use.cpp", "-o", "use.o"])


@pytest.mark.parametrize("name", NAMES)
def test_float_object_holds_no_double(name, programs, emit):
    """No double arithmetic and no double libm in a float build; no heap, stdio or writable data in any."""
    if shutil.which("objdump") is None or shutil.which("nm") is None:
        pytest.skip("binutils are missing")
    folder = emit(programs[name]())
    for real in ("double", "float"):
        folder.compile(["gcc", *GCC, *folder.defines(real), "-c", f"{folder.name}.c", "-o", f"{real}.o"])
    code = folder.run(["objdump", "-d", "float.o"]).stdout
    for instruction in ("cvtss2sd", "cvtsd2ss", "mulsd", "addsd", "subsd", "divsd", "sqrtsd"):
        assert instruction not in code
    wanted = {line.split()[-1] for line in folder.run(["nm", "float.o"]).stdout.splitlines() if line.split()[-2] == "U"}
    assert not wanted & DOUBLE_LIBM
    wanted = {
        line.split()[-1] for line in folder.run(["nm", "double.o"]).stdout.splitlines() if line.split()[-2] == "U"
    }
    assert wanted <= DOUBLE_LIBM | {"sincos", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "memset", "memcpy"}
    for line in folder.run(["size", "-A", "double.o"]).stdout.splitlines():
        fields = line.split()
        if fields and fields[0] in (".data", ".bss"):
            assert int(fields[1]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_external_symbols_carry_the_prefix(name, programs, emit):
    """Whatever the linker can see begins with the model's name."""
    if shutil.which("nm") is None:
        pytest.skip("binutils are missing")
    folder = emit(programs[name]())
    folder.compile(["gcc", "-std=c99", "-c", f"{folder.name}.c", "-o", "m.o"])
    for line in folder.run(["nm", "--extern-only", "--defined-only", "m.o"]).stdout.splitlines():
        assert line.split()[-1].startswith(f"{folder.name}_")


@pytest.mark.parametrize("model", ["cart_pole", "rolling_disk", "slider_crank", "n_link_pendulum:10"])
def test_jacobians(model, tmp_path):
    """The same for everything that shipped models have: large Jacobians in parts, without inputs, with constraints."""
    build = eomc.compile(eomc.load(model), functions="all")
    build.write(tmp_path)
    name = build.artifacts[0].path.removesuffix(".h")
    compilers = [["gcc", *GCC], ["clang", *CLANG]] if shutil.which("clang") else [["gcc", *GCC]]
    for compiler in compilers:
        for precision in ([], [f"-D{name.upper()}_USE_FLOAT"]):
            for source in (f"{name}.c", "main.c"):
                command = [*compiler, "-O0", *precision, "-c", source, "-o", "out.o"]
                answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
                assert (answer.returncode, answer.stderr[:4000]) == (0, "")


def test_no_string_is_too_long(emit, builder):
    """C99 promises strings of 4095 bytes: the header of a table of many states is written in pieces, in one line."""
    b = builder("many")
    states = [b.state(f"coordinate_{i}") for i in range(600)]
    b.function("rhs", states, title="State derivative.")
    folder = emit(b.program())
    folder.compile(["gcc", *GCC, "-O0", "-c", "many.c", "main.c"])
    folder.compile(["gcc", "-no-pie", "many.o", "main.o", "-lm", "-o", "many"])
    header = folder.run(["./many", "--t-end", "0"]).stdout.splitlines()[0]
    assert header == ",".join(["t", *(f"coordinate_{i}" for i in range(600))])
