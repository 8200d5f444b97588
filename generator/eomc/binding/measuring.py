"""What the system compiler makes of a model: bytes of code, bytes of stack per function, seconds."""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eomc.binding.compiler import compiler_error, find_compiler, run_command
from eomc.binding.contract import Compiled

_NODE = re.compile(r'node: \{ title: "([^"]+)" label: ".*\\n(\d+) bytes')
_EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
_PREPARE = re.compile(r"(^|_)f(32|64)_[0-9a-f]{8}$")  # the linker's name for it


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of the compiled model, without its main."""

    compiler: str
    seconds: float
    code_bytes: int | None  # instructions and constants; None where the tool `size` is missing
    stack: dict[
        str, int
    ]  # function of the program (or "prepare") -> bytes with all it calls but libm; {}: not reported


def measure(build: Compiled) -> Measured:
    """Compile a build's C files once, as objects and one after the other, and look at them.

    Raises
    ------
    BuildError
        There is no compiler, or it refuses the text.
    """
    compiler = find_compiler(build.flags)
    units = []
    with tempfile.TemporaryDirectory(prefix="eomc-") as folder:
        for file in build.artifacts:
            name = PurePosixPath(file.path).name
            if name.endswith((".c", ".h")) and name != "main.c":
                Path(folder, name).write_text(file.text, encoding="utf-8")
                units += [name.removesuffix(".c")] if name.endswith(".c") else []
        commands = [[*compiler.command, *compiler.flags, "-std=c99", "-c", f"{u}.c", "-o", f"{u}.o"] for u in units]
        begin = time.perf_counter()
        for command in commands:
            done = run_command(command, folder)
            if done.returncode != 0:
                raise compiler_error(done)
        seconds = time.perf_counter() - begin
        size = _section_bytes(folder, units) if shutil.which("size") else None
        # A second run, for not every compiler knows the flag.
        reported = all(run_command([*command, "-fcallgraph-info=su"], folder).returncode == 0 for command in commands)
        stack = _stack(folder, units) if reported else {}
    return Measured(compiler.command[0], seconds, size, stack)


def _section_bytes(folder: str, units: Sequence[str]) -> int | None:
    """Return the bytes of code and constants by the tool `size`."""
    done = run_command(["size", *(f"{unit}.o" for unit in units)], folder)
    lines = done.stdout.splitlines()[1:]
    return sum(int(line.split()[0]) for line in lines) if done.returncode == 0 and lines else None


def _stack(folder: str, units: Sequence[str]) -> dict[str, int]:
    """Read the compiler's graphs of calls: the stack of an external function is its frame and its deepest call's."""
    frames, calls = dict[str, int](), defaultdict[str, list[str]](list)
    for report in (Path(folder, f"{unit}.ci") for unit in units):
        for line in report.read_text(encoding="utf-8").splitlines() if report.is_file() else ():
            if node := _NODE.match(line):
                frames[node[1]] = int(node[2])
            elif edge := _EDGE.match(line):
                calls[edge[1]].append(edge[2])

    @functools.cache
    def deepest(function: str) -> int:
        return frames.get(function, 0) + max(map(deepest, calls[function]), default=0)

    stack = {}
    for function in (name for name in frames if ":" not in name):
        name = function.removeprefix(f"{units[0]}_")
        stack["prepare" if _PREPARE.search(name) else name] = deepest(function)
    return stack
