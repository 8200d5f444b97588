"""The published numbers in tests/data/reference: every entry, and every value that it expects, is in some test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

TESTS = Path(__file__).resolve().parents[1]
FILES = sorted((TESTS / "data" / "reference").glob("*.yaml"))

# what says something about a value and is none
REMARKS = {"note", "published_note", "source", "diff_to_DOP853", "diff_DOP853_vs_Radau"}


def entries() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return file and entry, for every entry that expects something."""
    for file in FILES:
        for entry in yaml.safe_load(file.read_text(encoding="utf-8"))["entries"]:
            if set(entry) != {"name", "source", "slips_in_notes"}:  # a list of misprints, without numbers
                yield file.stem, entry


def keys(value: Any) -> Iterator[str]:
    """Return the names of all values in nested tables and lists."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@dataclass(frozen=True)
class Part:
    """A function (or another statement) of a module of tests: the strings and the names in it."""

    name: str
    strings: frozenset[str]
    names: frozenset[str]


@cache
def modules() -> tuple[tuple[Part, ...], ...]:
    """Return the parts of every module of tests of mechanics; strings as they are, and word by word."""
    return tuple(
        tuple(part_of(node) for node in ast.parse(path.read_text(encoding="utf-8")).body)
        for path in sorted((TESTS / "physics").glob("*.py"))
    )


def part_of(node: ast.stmt) -> Part:
    """Return a statement's name, its strings and the names that it uses, those of fixtures among them."""
    inside = list(ast.walk(node))
    texts = {one.value for one in inside if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    words = {word for text in texts if "\n" not in text for word in text.split()}
    used = {one.id for one in inside if isinstance(one, ast.Name)} | {
        one.arg for one in inside if isinstance(one, ast.arg)
    }
    return Part(getattr(node, "name", ""), frozenset(texts | words), frozenset(used))


def reading(entry: str) -> list[Part]:
    """Return the functions that name an entry, and those that use one of these."""
    found = []
    for parts in modules():
        naming = [part for part in parts if entry in part.strings]
        names = {part.name for part in naming if part.name}
        found += naming + [part for part in parts if part.names & names and part not in naming]
    return found


def untested(entry: dict[str, Any]) -> list[str]:
    """Return what no function that reads the entry names."""
    naming = reading(entry["name"])
    known = frozenset().union(*(part.strings for part in naming))
    tables = [entry.get("expected"), entry.get("end_state_recomputed")]
    tables += [point["expected"] for point in entry.get("points", [])]
    wanted = dict.fromkeys(key for table in tables for key in keys(table) if key not in REMARKS)
    return [key for key in wanted if key not in known] if naming else [entry["name"]]


@pytest.mark.parametrize(("file", "entry"), [
    pytest.param(file, entry, id=f"{file}-{entry['name']}") for file, entry in entries()
])  # fmt: skip
def test_every_published_value_is_in_a_test(file: str, entry: dict[str, Any]) -> None:
    """The functions of tests/physics that read the entry name every key of what it expects."""
    assert untested(entry) == [], f"{file}.yaml, {entry['name']}: no test of these"


def test_a_new_entry_or_value_would_be_noticed() -> None:
    """An entry that no test names is reported by its name, a value by its key, also deep in a table."""
    assert untested({"name": "perpetual_motion_1899", "expected": {"period": 1.0}}) == ["perpetual_motion_1899"]
    known = {"name": "kepler_two_body", "expected": {"E": 1.0, "times": [{"moon_phase": 2.0, "note": "none"}]}}
    assert untested(known) == ["times", "moon_phase"]


def test_all_files_are_read() -> None:
    """Eight files with entries of different names."""
    assert len(FILES) == 8
    names = [entry["name"] for _, entry in entries()]
    assert len(names) == len(set(names)) > 30
