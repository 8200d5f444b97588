"""Running a user's model file: alone, under a private name, its mistakes told with file and line."""

from __future__ import annotations

import sys
import tokenize
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from eomc.errors import EomcError, ModelError

_LONGEST = 300  # characters of a foreign message that are quoted


def run_file(path: Path) -> dict[str, Any]:
    """Execute the Python file `path` and return its names.

    Its folder is importable while it runs; modules that it imports from there are forgotten afterwards, so that two
    files with neighbours of equal names do not meet.

    Raises
    ------
    ModelError
        The file cannot be read, is no Python, or raises: the message has the file, the line and what was raised.
    """
    try:
        with tokenize.open(path) as stream:
            source = stream.read()
        code = compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise ModelError(f"{path}{line}: {type(error).__name__}: {error.msg}") from error
    except (OSError, ValueError) as error:  # ValueError: null bytes, undecodable text
        raise ModelError(f"{path}: the file cannot be read: {error}") from error
    module = ModuleType(f"_eomc_file_{path.stem}")
    module.__file__ = str(path)
    with _importable(path.resolve().parent), _blamed_on(path):
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def call_in_file(path: Path, function: Callable[[], Any]) -> Any:
    """Call a function of the file `path` without arguments, under the same rules."""
    with _importable(path.resolve().parent), _blamed_on(path):
        return function()


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Put `folder` in front of the import path, and forget afterwards what was imported from it."""
    before = set(sys.modules)
    entry = str(folder)
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        if entry in sys.path:
            sys.path.remove(entry)
        new = set(sys.modules) - before
        neighbours = {name for name in new if "." not in name and _lies_in(folder, sys.modules[name])}
        for name in new:
            if name.startswith("_eomc_file_") or name.partition(".")[0] in neighbours:
                del sys.modules[name]


def _lies_in(folder: Path, module: ModuleType) -> bool:
    """Whether a top-level module or package is directly in `folder`; an environment further down is no neighbour."""
    places = [Path(place) for place in getattr(module, "__path__", ())]
    file = getattr(module, "__file__", None)
    places += [Path(file)] if file else []
    return any(place.resolve().parent == folder for place in places)


@contextmanager
def _blamed_on(path: Path) -> Iterator[None]:
    """Turn what the file raises into one sentence with its line; our own errors keep their class."""
    try:
        yield
    except EomcError as error:
        raise type(error)(f"{_where(path, error)}: {error}") from error
    except SystemExit as error:
        raise ModelError(f"{_where(path, error)}: the file ends the program: take the call of exit out") from error
    except SyntaxError as error:  # of a neighbour that the file imports
        raise ModelError(f"{error.filename or path}, line {error.lineno}: SyntaxError: {error.msg}") from error
    except Exception as error:
        text = " ".join(str(error).split())
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 4] + " ..."
        what = f"{type(error).__name__}: {text}" if text else type(error).__name__
        raise ModelError(f"{_where(path, error)}: {what}") from error


def _where(path: Path, error: BaseException) -> str:
    """Return the file and the last of its lines that led to `error`."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path}, line {lines[-1]}" if lines else str(path)
