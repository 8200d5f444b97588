"""The public face: names, version, docstrings of modules and tests."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import eomc

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "generator" / "eomc").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))


def test_every_exported_name_is_there() -> None:
    """`eomc.__all__` has no repetition, and each name can be taken."""
    names = list(eomc.__all__)
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(eomc, name) is not None
    assert set(names) <= set(dir(eomc))


def test_the_reference_is_a_function_whatever_was_imported_before() -> None:
    """`eomc.reference(model)` works although a package of that name exists, in either order of imports."""
    code = "import eomc\nfrom eomc.reference import Reference\nprint(eomc.reference(eomc.load('kepler')).method)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hamilton\n"
    assert eomc.reference(eomc.load("kepler")).method == "hamilton"


def test_links_and_joints_are_at_hand() -> None:
    """`eomc.trees.Link` needs no import of its own."""
    code = "import eomc\nprint(eomc.trees.Link(name='hand').name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "hand\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    """The lazy package answers as any other."""
    with pytest.raises(AttributeError, match="no_such_name"):
        eomc.no_such_name  # noqa: B018  the access is the test


def test_the_version_is_the_package_s() -> None:
    """`eomc.__version__` and the installed metadata agree."""
    assert eomc.__version__ == importlib.metadata.version("eomc")


def test_all_lists_what_exists() -> None:
    """A module's `__all__` names only what the module has."""
    missing = []
    for path in SOURCES:
        module = ".".join(("eomc", *path.relative_to(ROOT / "generator" / "eomc").with_suffix("").parts))
        module = module.removesuffix(".__init__")
        if not module.endswith("__main__"):
            loaded = importlib.import_module(module)
            missing += [(module, name) for name in getattr(loaded, "__all__", ()) if not hasattr(loaded, name)]
    assert missing == []


def test_every_test_states_its_law() -> None:
    """Each test function has a docstring."""
    silent = [
        (path.relative_to(ROOT), node.name)
        for path in TESTS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert silent == []
