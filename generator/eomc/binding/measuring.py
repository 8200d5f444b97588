"""What the system compiler makes of a model: bytes of code, bytes of stack per function, seconds."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eomc.binding.compiler import compiler_error, find_compiler
from eomc.binding.contract import Compiled
from eomc.errors import BuildError

__all__ = ["Measured", "measure"]

_PREPARE = re.compile(r"(^|_)f(32|64)_[0-9a-f]{8}$")  # the linker's name for it


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of the compiled model, without its main."""

    compiler: str
    seconds: float
    code_bytes: int | None  # instructions and constants; None where the tool `size` is missing
    stack: dict[str, int]  # function of the program (or "prepare") -> bytes of its own frame; empty if not reported


def measure(build: Compiled) -> Measured:
    """Compile a build's source once, as an object, and look at it.

    Raises
    ------
    BuildError
        There is no compiler, or it refuses the text.
    """
    compiler = find_compiler()
    name = build.program.name
    with tempfile.TemporaryDirectory(prefix="eomc-") as folder:
        for file in build.artifacts:
            if file.path.endswith((".c", ".h")):
                Path(folder, PurePosixPath(file.path).name).write_text(file.text, encoding="utf-8")
        command = [*compiler.command, *compiler.flags, "-std=c99", "-c", f"{name}.c", "-o", "model.o"]
        begin = time.perf_counter()
        done = _run(command, folder)
        seconds = time.perf_counter() - begin
        if done.returncode != 0:
            raise compiler_error(done)
        size = _section_bytes(folder) if shutil.which("size") else None
        # A second run, for not every compiler knows the flag.
        stack = _stack(folder, name) if _run([*command, "-fstack-usage"], folder).returncode == 0 else {}
    return Measured(compiler.command[0], seconds, size, stack)


def _run(command: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise BuildError(f"the C compiler {command[0]!r} cannot be run: {error.strerror}") from error


def _section_bytes(folder: str) -> int | None:
    """Return the bytes of code and constants by the tool `size`."""
    done = _run(["size", "model.o"], folder)
    lines = done.stdout.splitlines()
    return int(lines[1].split()[0]) if done.returncode == 0 and len(lines) > 1 else None


def _stack(folder: str, name: str) -> dict[str, int]:
    """Read the compiler's stack report: ``file:line:column:function  bytes  kind``."""
    report = Path(folder, "model.su")
    stack = {}
    for line in report.read_text(encoding="utf-8").splitlines() if report.is_file() else ():
        place, size, *_ = line.split("\t")
        function = place.rpartition(":")[2].removeprefix(f"{name}_")
        stack["prepare" if _PREPARE.search(function) else function] = int(size)
    return stack
