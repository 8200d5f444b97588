"""Compilers, make and emulators: each is tried, for a command on the path may lack its library or its linker.

What Python loads is made and called as a model is: by `binding.compiler`, in its cache's place, through cffi.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from eomc.doctor.finding import Finding
from eomc.errors import BuildError
from eomc.targets import TARGETS, Target

_PROGRAM = """\
#include <math.h>
double root(double x);
double root(double x) { return sqrt(x) + sin(0.0 * x); }
int main(int argc, char **argv) { (void)argv; return root(4.0 * (double)argc) == 2.0 ? 0 : 1; }
"""
_UNIT = "#include <math.h>\nfloat sine(float x);\nfloat sine(float x) { return sinf(x); }\n"
_MODULE = "#include <stdint.h>\ndouble half(double x);\ndouble half(double x) { return 0.5 * x; }\n"
_PATIENCE = 30.0  # seconds for one command
_COMPILER = "Debian: apt install gcc libc6-dev; macOS: xcode-select --install; or set CC to the command of one"
_MAKE = "Debian: apt install make; macOS: xcode-select --install"


def find_needed_tools() -> list[Finding]:
    """Return the C compiler, what Python calls of it, make, and the place of what was compiled."""
    return [_find_compiler(), _find_binding(), _find_command("make", _MAKE, is_needed=True), _find_cache()]


def find_tools() -> list[Finding]:
    """Return compilers beside the one that is used, and what makes WebAssembly."""
    return [
        _find_command("gcc", "Debian: apt install gcc", is_needed=False),
        _find_command("clang", "Debian: apt install clang", is_needed=False),
        _find_webassembly(),
    ]


def find_targets() -> list[Finding]:
    """Return, for each processor beside this one, its compiler with its library, and its emulator."""
    return [_find_target(row) for row in TARGETS if row.prefix]


def _find_compiler() -> Finding:
    """Say whether the compiler that a model would get makes a program that runs."""
    name = "C compiler"
    try:
        from eomc.binding.compiler import find_compiler

        compiler = find_compiler()
    except ImportError as error:
        return Finding(name, True, False, f"cannot be asked for: {error}", "install the packages above first")
    except BuildError as error:
        return Finding(name, True, False, str(error).splitlines()[0], _COMPILER)
    command = [*compiler.command, *compiler.flags]
    fault = _tried([*command, "-std=c99", "-o", "program", "program.c", "-lm"], "program.c", _PROGRAM, ["./program"])
    if fault:
        return Finding(name, True, False, f"{compiler.command[0]} {fault}", _COMPILER)
    return Finding(name, True, True, f"{_version(compiler.command[0])}; C99 with libm builds and runs")


def _find_binding() -> Finding:
    """Say whether Python can call what the compiler makes."""
    name = "C from Python"
    try:
        import cffi

        from eomc.binding.compiler import find_compiler

        data = find_compiler().shared_library({"unit.c": _PROGRAM})
        with tempfile.TemporaryDirectory(prefix="eomc-") as folder:
            path = Path(folder, "unit.so")
            path.write_bytes(data)
            ffi = cffi.FFI()
            ffi.cdef("double root(double x);")
            library = ffi.dlopen(str(path))
            value = library.root(4.0)
            ffi.dlclose(library)
    except ImportError as error:
        return Finding(name, True, False, f"{error}", "install the packages above first")
    except (BuildError, OSError) as error:
        return Finding(name, True, False, str(error).splitlines()[0], "see the C compiler; TMPDIR must allow programs")
    if value != 2.0:
        return Finding(name, True, False, f"the square root of 4 is {value:g}", "try other CFLAGS")
    return Finding(name, True, True, "a library is made, loaded and called")


def _find_cache() -> Finding:
    """Say whether compiled models are found again."""
    name = "cache"
    try:
        from eomc.binding.cache import cache_directory
    except ImportError as error:
        return Finding(name, False, False, f"{error}", "install the packages above first")
    place = cache_directory()
    above = place
    while not above.exists() and above != above.parent:
        above = above.parent
    if above.is_dir() and os.access(above, os.W_OK):
        return Finding(name, False, True, f"{place}")
    remedy = "set XDG_CACHE_HOME to a folder that can be written: until then models are compiled anew in each process"
    return Finding(name, False, False, f"{place} cannot be written", remedy)


def _find_command(name: str, remedy: str, *, is_needed: bool) -> Finding:
    """Say whether a command is there and answers."""
    if shutil.which(name) is None:
        return Finding(name, is_needed, False, "is not on the path", remedy)
    return Finding(name, is_needed, True, _version(name))


def _find_webassembly() -> Finding:
    """Say whether clang and lld make a module of a page."""
    name, remedy = "WebAssembly", "Debian: apt install clang lld"
    absent = [command for command in ("clang", "wasm-ld") if shutil.which(command) is None]
    if absent:
        return Finding(name, False, False, f"{' and '.join(absent)}: not on the path", remedy)
    flags = ["--target=wasm32", "-std=c99", "-ffreestanding", "-nostdlib", "-Wl,--no-entry", "-Wl,--export-all"]
    fault = _tried(["clang", *flags, "-o", "unit.wasm", "unit.c"], "unit.c", _MODULE)
    if fault:
        return Finding(name, False, False, f"clang {fault}", remedy)
    return Finding(name, False, True, f"{_version('wasm-ld')}; a module is made")


def _find_target(row: Target) -> Finding:
    """Say whether C for a target is compiled, and its images emulated."""
    name, remedy = f"target {row.name}", f"Debian: apt install {row.debian}"
    compiler, emulator = f"{row.prefix}gcc", row.emulator.split()[0]
    absent = [command for command in (compiler, emulator) if shutil.which(command) is None]
    if absent:
        return Finding(name, False, False, f"{' and '.join(absent)}: not on the path", remedy)
    fault = _tried([compiler, "-std=c99", *row.flags, "-c", "unit.c"], "unit.c", _UNIT)
    if fault:
        return Finding(name, False, False, f"{compiler} {fault}", remedy)
    return Finding(name, False, True, f"{_version(compiler)}; {emulator}")


def _tried(command: list[str], file: str, text: str, program: list[str] | None = None) -> str:
    """Return what is wrong with a command in a folder of its own, or with the program that it makes; "" for nothing."""
    try:
        with tempfile.TemporaryDirectory(prefix="eomc-") as folder:
            Path(folder, file).write_text(text, encoding="utf-8")
            done = _run(command, folder)
            if done.returncode != 0:
                lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
                return f"fails: {lines[0].strip() if lines else f'exit code {done.returncode}'}"
            if program and _run([str(Path(folder, program[0])), *program[1:]], folder).returncode != 0:
                return "makes a program that takes no right square root"
    except (OSError, subprocess.SubprocessError) as error:
        return f"cannot be tried: {error}"
    return ""


def _run(command: list[str], folder: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command, which gets no input and has not long."""
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_PATIENCE,
        check=False,
    )


def _version(command: str) -> str:
    """Return the first line in which a command tells its version."""
    try:
        done = _run([command, "--version"])
    except (OSError, subprocess.SubprocessError) as error:
        return f"{command} ({error})"
    lines = (done.stdout or done.stderr).splitlines()
    return re.sub(r"\s+", " ", lines[0]).strip() if lines else command
