"""A dependency file in Make's language: from which sources the emitted files were made.

Sources are the model's file and what it imports, by way of its import statements: the files that a user may edit.
Installed packages are tools, like the compiler, and so is eomc but for the shipped models and the file that holds its
version: another version makes other files. Paths are written as make sees them from the current folder: relative below
it, absolute elsewhere; where the output folder was given as an absolute path, all are absolute.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from eomc.errors import OutputError
from eomc.files import write_whole


def sources_of(spec: str) -> list[Path]:
    """Return the files behind a MODEL that has been loaded, its own file first."""
    first = _file_of(spec)
    found = [first]
    for file in found:  # grows while it is walked
        if file.suffix == ".py":
            found += [new for new in _imported(file, first.parent) if new not in found]
    return found


def write(path: Path, jobs: Sequence[tuple[Sequence[Path], str]], target: Path | None = None) -> None:
    """Write the rules of models: of each its files, and the MODEL that it was made from.

    Parameters
    ----------
    path
        The dependency file.
    jobs
        Files and MODEL of each.
    target
        What depends on the sources in place of the files.

    Raises
    ------
    OutputError
        The file or its folder cannot be written.
    """
    if target is not None:
        jobs = [([target], spec) for _, spec in jobs]
    text = "\n".join(_rule(files, [*sources_of(spec), _version_file()]) for files, spec in jobs)
    prerequisites = dict.fromkeys(
        _escaped(_seen(source, files)) for files, spec in jobs for source in [*sources_of(spec), _version_file()]
    )
    text += "".join(f"\n{one}:\n" for one in prerequisites)  # so that one may vanish
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise OutputError(f"--depfile: {path} cannot be written: {error.strerror}") from error


def _rule(targets: Sequence[Path], sources: Iterable[Path]) -> str:
    """Return ``targets: sources``."""
    prerequisites = "".join(f" \\\n  {_escaped(_seen(source, targets))}" for source in sources)
    return " ".join(map(_escaped, targets)) + f":{prerequisites}\n"


def _seen(source: Path, targets: Sequence[Path]) -> Path:
    """Return a path of the same kind as those of the targets."""
    whole = Path(os.path.abspath(source))
    here = Path.cwd()
    relative = not targets[0].is_absolute() and whole.is_relative_to(here)
    return whole.relative_to(here) if relative else whole


def _version_file() -> Path:
    """Return the file of eomc that holds its version."""
    return Path(__file__).resolve().parent.parent / "__init__.py"


def _escaped(path: Path) -> str:
    """Write a file name as make reads it."""
    text = str(path).replace("$", "$$")
    for special in " #:":
        text = text.replace(special, "\\" + special)
    return text


def _file_of(spec: str) -> Path:
    """Return the file of a MODEL: of models, a robot or a shipped model, with what may stand behind a colon."""
    for text in (spec, spec.rpartition(":")[0]):
        if text.endswith((".py", ".urdf", ".xml")):
            return Path(text)
    shipped = importlib.util.find_spec(f"eomc.models.{spec.partition(':')[0]}")
    assert shipped is not None
    assert shipped.origin is not None
    return Path(shipped.origin)


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the files of the user's own modules that `file` imports; `folder` comes first on the import path."""
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError:  # behind a condition that kept it from running
        return
    path = [str(folder), *sys.path]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            yield from _files_of_module(name, path)


def _files_of_module(name: str, path: Sequence[str]) -> Iterator[Path]:
    """Yield the files that ``import name`` runs, packages before what is in them, as far as they are the user's own."""
    places: Sequence[str] | None = path
    parts = name.split(".")
    for depth, _ in enumerate(parts, start=1):
        if places is None:
            return
        found = importlib.machinery.PathFinder.find_spec(".".join(parts[:depth]), places)
        if found is None:
            return
        if found.origin is not None and found.origin.endswith(".py") and not _is_tool(Path(found.origin)):
            yield Path(found.origin)
        places = list(found.submodule_search_locations) if found.submodule_search_locations is not None else None


def _is_tool(file: Path) -> bool:
    """Whether a file belongs to an installation."""
    file = file.resolve()
    package = Path(__file__).resolve().parent.parent
    if file.is_relative_to(package):
        return file.parent != package / "models" or file.name == "__init__.py"
    places = [*site.getsitepackages(), site.getusersitepackages()]
    places += [sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    return any(file.is_relative_to(Path(place).resolve()) for place in places)
