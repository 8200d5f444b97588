"""The examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import eomc

MODULES = [module.name for module in pkgutil.walk_packages(eomc.__path__, "eomc.") if "__main__" not in module.name]


def test_examples_in_docstrings_give_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    """Every example in a docstring of the package prints what stands below it."""
    attempted, failed = 0, []
    for name in MODULES:
        result = doctest.testmod(importlib.import_module(name))
        attempted += result.attempted
        failed += [name] * bool(result.failed)
    assert not failed, capsys.readouterr().out
    assert attempted > 0
