"""The C of a model and what a page calls of it -> WebAssembly, by the system's clang and lld; no library of C."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from eomc.backends.render import render
from eomc.binding.compiler import compiler_error, run_command
from eomc.errors import BuildError
from eomc.live.contract import Runnable
from eomc.live.served import refuse_what_is_not_served
from eomc.live.views import Entry, LiveView

_FLAGS = (
    "--target=wasm32", "-std=c99", "-O2", "-ffreestanding", "-nostdlib", "-mbulk-memory", "-fvisibility=hidden",
    "-ffunction-sections", "-Wl,--no-entry", "-Wl,--gc-sections", "-Wl,--strip-all",
    "-Wl,-z,stack-size=1048576",
)  # fmt: skip
TOOLS = ("clang", "wasm-ld")
_REMEDY = "install both (Debian: apt install clang lld; macOS: brew install llvm lld), or leave out --live"


def refuse_without_tools() -> None:
    """Say what is missing, before any work.

    Raises
    ------
    BuildError
        There is no clang, or no lld.
    """
    for command in TOOLS:
        if shutil.which(command) is None:
            raise BuildError(f"a live page is made by clang and lld, and {command} is not on the path: {_REMEDY}")


def sources(build: Runnable) -> dict[str, str]:
    """Return the texts of the C by their files: the model's, and ``live.c``, what a page calls of it.

    Raises
    ------
    UnsupportedError
        A page cannot run this build.
    """
    refuse_what_is_not_served(build)
    texts = {artifact.path: artifact.text for artifact in build.library}
    return {**texts, "live.c": render("live/live.c.jinja", view_of(build))}


def compiled(build: Runnable) -> bytes:
    """Return the module of WebAssembly.

    Raises
    ------
    UnsupportedError
        A page cannot run this build.
    BuildError
        There is no clang, no lld beside it, or it refuses the code.
    """
    texts = sources(build)
    refuse_without_tools()
    return _linked(texts, (*_FLAGS, *build.flags))


def _linked(texts: Mapping[str, str], flags: tuple[str, ...]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="eomc-") as folder:
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        units = [name for name in texts if name.endswith(".c")]
        done = run_command(["clang", *flags, "-o", "live.wasm", *units], folder)
        made = Path(folder, "live.wasm")
        if done.returncode != 0 or not made.is_file():
            raise compiler_error(done)
        return made.read_bytes()


def view_of(build: Runnable) -> LiveView:
    """Return what the template of ``live.c`` sees."""
    functions = {one.name: one for one in build.program.functions}
    poses = functions.get("poses")
    energy, power = functions.get("energy"), functions.get("power")
    balanced = None if power is None else Entry(len(power.output_names) - 1, power.output_names[-1])
    shown = None
    if energy is not None:
        names = energy.output_names
        name = balanced.name if balanced else "total" if "total" in names else names[0]
        shown = Entry(names.index(name), name)
    return LiveView(build.view, build.tableau.name, shown, balanced, len(poses.row_names) if poses else 0)
