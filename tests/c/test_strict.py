"""Emitted C of hand-made programs under the strictest warnings, in both precisions."""

from __future__ import annotations

import os
import shutil

import pytest

import eomc

NAMES = [
    "pendulum", "bare", "constant", "nasty", "states_as_arguments", "all_ops", "dag_300", "dag_2000", "dag_prepare",
    "hundred_states", "several_arrays", "ldlt", "lu", "ldlt_prepare", "lu_prepare",
    "eliminated", "augmented", "range_space", "null_space", "not_strict", "limbs",
]  # fmt: skip
DOUBLE_LIBM = set(
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp log pow sqrt cbrt fabs fmin fmax fmod floor hypot".split()
)

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module", params=NAMES)
def folder(request, emitted):
    """Return the emitted folder of a program, one for all tests of it."""
    return emitted(request.param)


@pytest.fixture(scope="module")
def objects(folder, strict):
    """Return the model's objects by precision, made by gcc without one warning; of doubles as by its Makefile."""
    for real, optimize in (("double", "-O2"), ("float", "-O1" if "EOMC_THOROUGH" in os.environ else "-O0")):
        options = [optimize, "-fno-pie", *folder.defines(real)]
        folder.compile([*strict["gcc"], *options, "-c", f"{folder.name}.c", "-o", f"{real}.o"])
    return {"double": "double.o", "float": "float.o"}


@pytest.mark.usefixtures("objects")  # the model itself
def test_gcc_finds_nothing_to_say(folder, strict):
    """Model and main compile without one warning; mains are much alike, and optimized by tests of steps, too."""
    for real in ("double", "float"):
        folder.compile([*strict["gcc"], "-O0", *folder.defines(real), "-c", "main.c", "-o", "out.o"])


def test_clang_finds_nothing_to_say(folder, strict):
    """The same with every warning that clang has, documentation comments included."""
    if "clang" not in strict:
        pytest.skip("clang is missing")
    for real in ("double", "float"):
        folder.compile([*strict["clang"], "-fsyntax-only", *folder.defines(real), f"{folder.name}.c", "main.c"])


def test_header_is_cpp(folder):
    """A C++ compiler takes the header with its own warnings as errors."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    (folder.path / "use.cpp").write_text(f'#include "{folder.name}.h"\nint main() {{ return 0; }}\n')
    folder.compile(["g++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "use.cpp"])
    if shutil.which("clang++") is not None:
        flags = ["-Weverything", "-Werror", "-Wno-padded", "-Wno-c++98-compat", "-Wno-c++98-compat-pedantic"]
        folder.compile(["clang++", *flags, "-fsyntax-only", "use.cpp"])


def test_float_object_holds_no_double(folder, objects):
    """No double arithmetic and no double libm in a float build; no heap, stdio or writable data in any."""
    if shutil.which("objdump") is None or shutil.which("nm") is None:
        pytest.skip("binutils are missing")
    code = folder.run(["objdump", "-d", objects["float"]]).stdout
    for instruction in ("cvtss2sd", "cvtsd2ss", "mulsd", "addsd", "subsd", "divsd", "sqrtsd"):
        assert instruction not in code
    wanted = {
        real: {line.split()[-1] for line in folder.run(["nm", path]).stdout.splitlines() if line.split()[-2] == "U"}
        for real, path in objects.items()
    }
    assert not wanted["float"] & DOUBLE_LIBM
    allowed = {"sincos", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "memset", "memcpy"}
    assert wanted["double"] <= DOUBLE_LIBM | allowed
    for line in folder.run(["size", "-A", objects["double"]]).stdout.splitlines():
        fields = line.split()
        if fields and fields[0] in (".data", ".bss"):
            assert int(fields[1]) == 0


def test_external_symbols_carry_the_prefix(folder, objects):
    """Whatever the linker can see begins with the model's name."""
    if shutil.which("nm") is None:
        pytest.skip("binutils are missing")
    for line in folder.run(["nm", "--extern-only", "--defined-only", objects["double"]]).stdout.splitlines():
        assert line.split()[-1].startswith(f"{folder.name}_")


@pytest.mark.parametrize("model", ["cart_pole", "rolling_disk", "slider_crank", "n_link_pendulum:10"])
def test_jacobians(model, tmp_path, silent):
    """The same for everything that shipped models have: large Jacobians in parts, without inputs, with constraints."""
    build = eomc.compile(eomc.load(model), functions="all")
    build.write(tmp_path)
    silent(tmp_path, build.view.macro, [f"{build.view.name}.c", "main.c"], "-O0")


@pytest.mark.parametrize("integrator", ["rk4", "semi_implicit_euler"])
@pytest.mark.parametrize(
    ("model", "stabilization"),
    [("cart_pole", "none"), ("rolling_disk", "projection"), ("four_bar", "projection"), ("n_link_pendulum:10", "none")],
)
def test_steps_with_their_derivatives(model, stabilization, integrator, tmp_path, silent):
    """Of few states and of many, with inputs and without, with projections of coordinates and of velocities alone."""
    functions = ["step_jacobian"]
    build = eomc.compile(eomc.load(model), functions=functions, integrator=integrator, stabilization=stabilization)
    build.write(tmp_path)
    silent(tmp_path, build.view.macro, [f"{build.view.name}.c"], "-O0")


def test_no_string_is_too_long(emit, builder, strict):
    """C99 promises strings of 4095 bytes: the header of a table of many states is written in pieces, in one line."""
    b = builder("many")
    states = [b.state(f"coordinate_{i}") for i in range(600)]
    b.function("rhs", states, title="State derivative.")
    folder = emit(b.program())
    folder.compile([*strict["gcc"], "-O0", "-fno-pie", "-c", "many.c", "main.c"])
    folder.compile(["gcc", "-no-pie", "many.o", "main.o", "-lm", "-o", "many"])
    header = folder.run(["./many", "--t-end", "0"]).stdout.splitlines()[0]
    assert header == ",".join(["t", *(f"coordinate_{i}" for i in range(600))])
