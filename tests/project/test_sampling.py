"""Which cases of a sampled test are run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest


def collected(ids: list[str], config: pytest.Config, root: Path) -> tuple[list[str], list[str]]:
    """Return which of some items are kept, and which are told to be left out; those of `law` are marked."""
    told: list[Any] = []
    mark = pytest.mark.sampled(3).mark
    items = [
        SimpleNamespace(nodeid=name, get_closest_marker=lambda _, name=name: mark if "::law" in name else None)
        for name in ids
    ]
    hook = SimpleNamespace(pytest_deselected=lambda items: told.extend(items))
    conftest = config.pluginmanager.get_plugin(str(root / "tests" / "conftest.py"))
    conftest.pytest_collection_modifyitems(SimpleNamespace(hook=hook), items)
    return [item.nodeid for item in items], [item.nodeid for item in told]


def test_every_third_case_or_all(pytestconfig: pytest.Config, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases are counted test by test; other tests, a case that is named and a thorough run lose nothing."""
    laws = [f"a.py::law[{case}]" for case in "abcde"]
    more = ["a.py::law_of_another[a]", "a.py::rule[a]", "a.py::rule[b]"]
    monkeypatch.delenv("EOMC_THOROUGH", raising=False)
    kept, told = collected([*laws, *more], pytestconfig, root)
    assert kept == [laws[0], laws[3], *more]
    assert told == [laws[1], laws[2], laws[4]]
    assert collected([laws[2]], pytestconfig, root) == ([laws[2]], [])
    monkeypatch.setenv("EOMC_THOROUGH", "1")
    assert collected([*laws, *more], pytestconfig, root) == ([*laws, *more], [])
