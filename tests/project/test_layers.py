"""Who may import whom: the borders of generator/README.md, read from the source text."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "eomc"

# package -> packages of eomc that it may import, at any depth of its code. What is not listed may import anything.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "wording": set(),
    "tableaus": {"errors", "wording"},
    "ir": {"errors"},
    "passes": {"errors", "ir"},
    "lowering": {"errors", "ir", "model"},
    "solving": {"errors", "wording", "tableaus", "ir", "passes"},
    "derivation": {"errors", "wording", "ir", "passes", "lowering", "solving", "model"},
    "backends": {"errors", "tableaus", "ir", "passes"},
    "reference": {"errors", "wording", "model"},
    "model": {"errors", "wording", "ir", "derivation"},  # Model.methods asks derivation.methods
}
STANDARD_LIBRARY_ONLY = ("errors", "wording", "tableaus", "ir", "passes", "solving")
# third-party module -> packages that may import it
CONFINED: dict[str, set[str]] = {
    "sympy": {"model", "frontends", "lowering", "derivation", "reference", "models", "backends"},  # backends: see below
    "jinja2": {"backends"},
    "cffi": {"binding"},
    "rich": {"cli"},
    "matplotlib": {"binding", "cli"},
    "scipy": set(),
}


def modules() -> list[str]:
    """Return the dotted names of all modules of the package."""
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ["eomc", *path.relative_to(PACKAGE).with_suffix("").parts]
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


MODULES = modules()


def path_of(module: str) -> Path:
    """Return the file of a module."""
    base = PACKAGE.joinpath(*module.split(".")[1:])
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def layer(module: str) -> str:
    """Return the first name below eomc: the package that a rule speaks of."""
    return module.split(".")[1] if "." in module else ""


def statements(module: str, *, at_import: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements; with `at_import` only those that run when the module is imported."""
    pending: list[ast.AST] = [ast.parse(path_of(module).read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        if at_import and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if at_import and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        pending.extend(ast.iter_child_nodes(node))


@cache
def imports(module: str, at_import: bool = False) -> frozenset[str]:
    """Return the dotted names of what `module` imports; ``from package import module`` counts as the module."""
    found = set()
    for node in statements(module, at_import=at_import):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
            continue
        assert node.level == 0, f"{module}: relative import; write the whole name"
        source = node.module or ""
        for alias in node.names:
            if source == "eomc" and alias.name == "__version__":
                continue
            inner = f"{source}.{alias.name}"
            found.add(inner if inner in MODULES else source)
    return frozenset(found)


@pytest.mark.parametrize("module", [name for name in MODULES if layer(name) in ALLOWED])
def test_imports_stay_inside_the_layer(module: str) -> None:
    """A module imports from its own layer and from those below it only."""
    own = layer(module)
    others = {layer(name) for name in imports(module) if name.split(".")[0] == "eomc"} - {own}
    assert others <= ALLOWED[own], f"{module} imports from {sorted(others - ALLOWED[own])}"


@pytest.mark.parametrize("module", [name for name in MODULES if layer(name) in STANDARD_LIBRARY_ONLY])
def test_the_graph_needs_the_standard_library_only(module: str) -> None:
    """Nothing from outside comes into the graph, its passes and its solving."""
    foreign = {name.split(".")[0] for name in imports(module)} - set(sys.stdlib_module_names) - {"eomc"}
    assert not foreign


@pytest.mark.parametrize("module", MODULES)
def test_third_party_modules_stay_where_they_belong(module: str) -> None:
    """SymPy, Jinja, cffi, rich and matplotlib each have their places; nothing needs SciPy."""
    used = {name.split(".")[0] for name in imports(module)}
    wrong = {name for name, places in CONFINED.items() if name in used and layer(module) not in places}
    assert not wrong


def test_of_the_backends_only_the_report_knows_sympy() -> None:
    """What is printed for people is simplified by SymPy; what is emitted is not."""
    users = {
        name for name in MODULES if layer(name) == "backends" and any(x.startswith("sympy") for x in imports(name))
    }
    assert users == {"eomc.backends.report.textbook"}


def test_no_import_cycles() -> None:
    """Modules can be ordered so that each imports only earlier ones."""
    graph = {
        module: {name for name in imports(module, at_import=True) if name in MODULES and name != module}
        for module in MODULES
    }
    done: set[str] = set()
    while True:
        ready = {module for module, needed in graph.items() if module not in done and needed <= done}
        if not ready:
            break
        done |= ready
    assert done == set(MODULES), f"in or behind a cycle: {sorted(set(MODULES) - done)}"


def test_the_command_line_starts_light() -> None:
    """What `eomc --help` imports at once is the standard library and light modules of eomc."""
    seen: set[str] = set()
    pending = ["eomc", "eomc.cli"]
    while pending:
        module = pending.pop()
        if module in seen or module not in MODULES:
            continue
        seen.add(module)
        pending += imports(module, at_import=True)
        pending.append(module.rpartition(".")[0])
    foreign = {name.split(".")[0] for module in seen for name in imports(module, at_import=True)}
    assert foreign - set(sys.stdlib_module_names) == {"eomc"}
