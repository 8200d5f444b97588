"""Find the system's C compiler and make a shared library of C text.

``$CC`` (which may hold arguments, such as ``ccache gcc``) decides when it is set, else the first of cc, gcc and clang
on the path. ``$CFLAGS`` is placed after our ``-O2``, so that it can change the optimization, and before what a loadable
library needs in any case.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from eomc.errors import BuildError
from eomc.wording import counted

CANDIDATES = ("cc", "gcc", "clang")
"""Compilers that are tried in this order when ``$CC`` is not set."""

_LONGEST = 40  # lines of a compiler's output that a message shows
_OBJECT_FLAGS = ("-std=c99", "-fPIC")
_LIBRARY_FLAGS = (*_OBJECT_FLAGS, "-shared")
_FEW = 2  # units that one command compiles: those of a model in one file, and the shim
_REMEDY = "install one (Debian: apt install gcc; macOS: xcode-select --install) or set CC to its command"


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler with the flags of this environment."""

    command: tuple[str, ...]  # executable and the arguments that CC gives it
    flags: tuple[str, ...]

    def shared_library(self, sources: Mapping[str, str], compiled: Sequence[str] | None = None) -> bytes:
        """Return the shared library made of `sources`.

        Parameters
        ----------
        sources
            File name -> text.
        compiled
            The names of those that are compiled, where the others are what they include; by default every ``.c``.

        Raises
        ------
        BuildError
            The compiler cannot be started, or refuses the text; the lines below the first hold its command and output.
        """
        try:
            temporary = tempfile.TemporaryDirectory(prefix="eomc-")
        except OSError as error:
            raise BuildError(f"the compiler needs a temporary folder: {error}; set TMPDIR to one") from error
        with temporary as folder:
            for name, text in sources.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            units = list(compiled or (name for name in sources if name.endswith(".c")))
            inputs = units if len(units) <= _FEW else self._objects(units, folder)
            self._run([*_LIBRARY_FLAGS, "-o", "library.so", *inputs, "-lm"], folder, "library.so")
            return Path(folder, "library.so").read_bytes()

    def _objects(self, units: Sequence[str], folder: str) -> list[str]:
        """Compile the units of a large model side by side, one for each processor at a time."""
        objects = [f"{unit.removesuffix('.c')}.o" for unit in units]
        with ThreadPoolExecutor(min(os.cpu_count() or 1, len(units))) as pool:
            runs = [
                pool.submit(self._run, [*_OBJECT_FLAGS, "-c", unit, "-o", made], folder, made)
                for unit, made in zip(units, objects, strict=True)
            ]
            try:
                for run in runs:
                    run.result()
            except BuildError:
                pool.shutdown(cancel_futures=True)
                raise
        return objects

    def _run(self, arguments: Sequence[str], folder: str, made: str) -> None:
        """Run the compiler, which must make a file."""
        done = run_command([*self.command, *self.flags, *arguments], folder)
        if done.returncode != 0 or not Path(folder, made).is_file():
            raise compiler_error(done)

    def identity(self) -> str:
        """Return what tells this compiler, its flags and its target from others, without running it.

        Every word of the command that is a program stands for its file (path behind links, size, time of change), which
        an update of the compiler changes; so a cached library is found without starting any process.
        """
        words = []
        for word in self.command:
            path = shutil.which(word)
            if path is None:
                words.append(word)
            else:
                real = os.path.realpath(path)
                status = os.stat(real)
                words.append(f"{word}={real}:{status.st_size}:{status.st_mtime_ns}")
        words += [*self.flags, *_LIBRARY_FLAGS, platform.system(), platform.machine()]
        if any(word.endswith("=native") for word in (*self.command, *self.flags)):
            words.append(_processor())
        return "\n".join(words)


def find_compiler(needed: Sequence[str] = ()) -> Compiler:
    """Return the compiler that the environment asks for.

    Parameters
    ----------
    needed
        Flags of the model's own, after those of the environment.

    Raises
    ------
    BuildError
        There is none; the message says what was tried.
    """
    flags = ("-O2", *_words("CFLAGS"), *needed)
    chosen = _words("CC")
    if chosen:
        if shutil.which(chosen[0]) is None:
            raise BuildError(f"no C compiler: CC names {chosen[0]!r}, which is not a program here; {_REMEDY}")
        return Compiler(chosen, flags)
    for name in CANDIDATES:
        if shutil.which(name) is not None:
            return Compiler((name,), flags)
    raise BuildError(f"no C compiler: tried {', '.join(CANDIDATES)} on PATH; {_REMEDY}")


def run_command(command: Sequence[str], folder: str) -> subprocess.CompletedProcess[str]:
    """Return what came of a command of the compiler, or of a tool beside it, in a folder.

    Raises
    ------
    BuildError
        It cannot be started.
    """
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise BuildError(f"the C compiler {command[0]!r} cannot be run: {error.strerror}; {_REMEDY}") from error


def compiler_error(done: subprocess.CompletedProcess[str]) -> BuildError:
    """Return what to raise where the compiler made nothing: a line that says so, below it its command and its words."""
    command: list[str] = done.args
    failed = f"failed with exit code {done.returncode}" if done.returncode else "made no file, with exit code 0"
    said = [line for text in (done.stdout, done.stderr) for line in text.strip().splitlines()]
    if len(said) > _LONGEST:
        said = [*said[:_LONGEST], f"... and {counted(len(said) - _LONGEST, 'more line')}"]
    listed = "".join(f"\n    {line}" for line in said or ["(nothing)"])
    return BuildError(
        f"the C compiler {command[0]} {failed}: set CC to another one, or CFLAGS to other flags\n"
        f"  command:\n    {shlex.join(command)}\n  output:{listed}"
    )


def _words(variable: str) -> tuple[str, ...]:
    """Split an environment variable as a shell would."""
    try:
        return tuple(shlex.split(os.environ.get(variable, "")))
    except ValueError as error:
        raise BuildError(f"the environment variable {variable} cannot be split into words: {error}") from error


def _processor() -> str:
    """Return model and instruction sets of this machine's processor, for code that was tuned to it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    wanted = ("model name", "flags", "features", "cpu part", "isa")
    lines = {line for line in text.splitlines() if line.lower().startswith(wanted)}
    return "\n".join(sorted(lines))
