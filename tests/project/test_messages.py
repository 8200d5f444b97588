"""Every error that the source raises has its place on the page of messages, whose cases raise what it shows."""

from __future__ import annotations

import ast
import re
import traceback
import warnings
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pages import blocks

import eomc
from eomc import errors

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "generator" / "eomc"
PAGE = (ROOT / "docs" / "reference" / "messages.md").read_text(encoding="utf-8")
COVERS = re.compile(r"^<!-- covers: (\w+) (.+) -->$", flags=re.MULTILINE)
FILE = re.compile(r"(?:# |<!-- )(?P<name>[\w.]+\.\w+)(?: -->)?")
AGAIN = ("binding/evaluation.py", "binding/running.py", "model/validation.py")
"""Modules that raise what others have made."""


class Raise(NamedTuple):
    """A statement of the source."""

    kind: str  # the class, or what is called or named where that is none
    module: str


def raised() -> list[Raise]:
    """Return every `raise` of the package but those without a value, which pass on what was caught."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                value = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                kind = value.id if isinstance(value, ast.Name) else ast.unparse(value)
                found.append(Raise(kind, path.relative_to(PACKAGE).as_posix()))
    return found


RULES = [(kind, pattern) for kind, patterns in COVERS.findall(PAGE) for pattern in patterns.split()]


def belongs(one: Raise, kind: str, pattern: str) -> bool:
    """Whether an entry is about a statement: its kind, where the statement says one, and its module."""
    return fnmatchcase(one.module, pattern) and (one.kind == kind or not hasattr(errors, one.kind))


def test_every_raise_has_its_entry() -> None:
    """Each statement is of the kind and in a module that an entry names."""
    homeless = {one for one in raised() if not any(belongs(one, *rule) for rule in RULES)}
    assert homeless == set(), "docs/reference/messages.md: add an entry, or the module to one"


def test_every_entry_is_about_something() -> None:
    """No module is named that raises nothing of the kind."""
    there = raised()
    assert len(there) > 500
    assert [rule for rule in RULES if not any(belongs(one, *rule) for one in there)] == []


def test_every_kind_has_its_part() -> None:
    """Each class of errors.py is a heading, or stands in the text of one."""
    headings = set(re.findall(r"^#{2,3} (\w+)$", PAGE, flags=re.MULTILINE))
    kinds = {name for name, value in vars(errors).items() if name.endswith("Error") and isinstance(value, type)}
    assert kinds - {"EomcError"} - headings == {"VerificationError", "RenderError"}
    assert all(f"`{name}`" in PAGE for name in ("VerificationError", "RenderError"))


def origin(error: BaseException) -> str:
    """Return the module of eomc in which an error was raised last."""
    files = [Path(frame.f_code.co_filename) for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [path.relative_to(PACKAGE).as_posix() for path in files if path.is_relative_to(PACKAGE)][-1]


@pytest.mark.needs_cc
def test_the_cases_raise_what_is_shown(
    eomc_command: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each case of the page, in one session, ends with the message below it, of its kind, raised where it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CC", "cc")  # which a case changes, and which is put back
    start, *entries = re.split(r"^### ", PAGE, flags=re.MULTILINE)
    names: dict[str, Any] = {"__name__": "page"}
    (_, session), *_ = blocks(start)
    exec(session, names)
    assert len(entries) > 30
    for entry in entries:
        kind, patterns = COVERS.findall(entry)[0]
        *written, (language, case), (_, shown) = [
            block for block in blocks(entry.partition("\n## ")[0]) if block[0] in ("python", "sh", "text", "xml")
        ]
        for _, text in written:
            file = FILE.fullmatch(text.split("\n", 1)[0])
            Path(file["name"]).write_text(text, encoding="utf-8")
        if language == "sh":
            answer = eomc_command(*case.split()[1:])
            assert answer.code in (1, 2), case
            assert answer.err.strip() == shown.strip()
            continue
        with warnings.catch_warnings(action="ignore"), pytest.raises(eomc.EomcError) as told:
            exec(compile(case, "page", "exec"), names)
        monkeypatch.setenv("CC", "cc")
        assert str(told.value) == shown.strip(), entry
        assert type(told.value).__name__ == kind, entry
        assert any(fnmatchcase(origin(told.value), pattern) for pattern in (*patterns.split(), *AGAIN)), entry
