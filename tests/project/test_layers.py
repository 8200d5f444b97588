"""Who may import whom: the borders of generator/README.md, read from the source text."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from eomc import answers

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "eomc"

README = PACKAGE.parent / "README.md"
WORDS = {  # how the table calls modules from outside
    "SymPy": "sympy",
    "NumPy": "numpy",
    "Jinja": "jinja2",
    "cffi": "cffi",
    "Matplotlib": "matplotlib",
    "Pillow": "PIL",
    "pandas": "pandas",
    "xarray": "xarray",
    "PyArrow": "pyarrow",
    "h5py": "h5py",
    "python-control": "control",
    "rich": "rich",
    "mujoco": "mujoco",
    "pint": "pint",
}
TOP = "eomc"  # the package's own module, which has the public names
BY_NAME = {"eomc", "eomc.answers", "eomc.frontends.loading"}  # import what is named at run time


def table() -> dict[str, set[str]]:
    """Return package -> what it may import, in the order of generator/README.md; `errors` is for everybody."""
    text = README.read_text(encoding="utf-8").partition("| package |")[2].partition("\n\n")[0]
    rows = {}
    for line in text.splitlines()[2:]:
        name, _, allowed = (cell.strip() for cell in line.strip("|").split("|"))
        listed = set() if allowed == "the standard library" else set(allowed.split(", "))
        words = {WORDS[one] for one in listed if not one.startswith("`")}
        rows[name.strip("`")] = words | {one.strip("`") for one in listed if one.startswith("`")}
    return rows


def modules() -> list[str]:
    """Return the dotted names of all modules of the package."""
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ["eomc", *path.relative_to(PACKAGE).with_suffix("").parts]
        names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


MODULES = modules()
TABLE = table()


def path_of(module: str) -> Path:
    """Return the file of a module."""
    base = PACKAGE.joinpath(*module.split(".")[1:])
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def layer(module: str) -> str:
    """Return the first name below eomc: the package or module that a row of the table speaks of."""
    return module.split(".")[1] if "." in module else TOP


def statements(module: str, *, at_import: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements; with `at_import` only those that run when the module is imported."""
    pending: list[ast.AST] = [tree(module)]
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
            inner = f"{source}.{alias.name}"
            found.add(inner if inner in MODULES else source)
    return frozenset(found)


def imported(package: str) -> set[str]:
    """Return the packages, of eomc and from outside, that a package imports anywhere in its text."""
    names = set().union(*(imports(module) for module in MODULES if layer(module) == package))
    outside = {name.split(".")[0] for name in names} - {"eomc"} - set(sys.stdlib_module_names)
    return outside | {layer(name) for name in names if name.split(".")[0] == "eomc"} - {package, "errors"}


def test_every_package_has_its_row() -> None:
    """The table lists all packages and modules below eomc, and eomc itself."""
    assert set(TABLE) == set(map(layer, MODULES))


def test_the_table_says_what_is_imported() -> None:
    """What a row allows is what its package imports: when it runs, when a function runs, or for type checkers."""
    assert {package: imported(package) for package in TABLE} == TABLE


def test_no_row_looks_upwards() -> None:
    """A package imports from rows above its own only, so that no circle of packages can arise."""
    rows = list(TABLE)
    upwards = [(row, one) for row, allowed in TABLE.items() for one in allowed if one in rows[rows.index(row) :]]
    assert not upwards


def test_who_imports_by_name() -> None:
    """No import hides in a string, but for shipped models, public names and answers."""
    users = set()
    for module in MODULES:
        for node in ast.walk(tree(module)):
            if getattr(node, "id", getattr(node, "attr", "")) in ("import_module", "__import__"):
                users.add(module)
    assert users == BY_NAME


def test_what_is_asked_has_an_answer() -> None:
    """Questions and answers are the same, and an answer is a function of the module that is named."""
    asked = set()
    for module in MODULES:
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ask":
                asked.add(ast.literal_eval(node.args[0]))
    assert asked == set(answers.ANSWERS)
    for module, function in answers.ANSWERS.values():
        assert callable(getattr(importlib.import_module(module), function))


def test_of_the_backends_only_the_report_knows_sympy() -> None:
    """What is printed for people is simplified by SymPy; what is emitted is not."""
    users = {
        name for name in MODULES if layer(name) == "backends" and any(x.startswith("sympy") for x in imports(name))
    }
    assert users == {"eomc.backends.report.textbook"}


def test_readers_of_robots_stand_side_by_side() -> None:
    """A reader of one format imports what robots have in common, and no other reader; that imports none of them."""
    folders = [f"eomc.frontends.{name}" for name in ("robots", "urdf", "mjcf")]
    for folder in folders:
        inside = [module for module in MODULES if module.startswith(folder)]
        assert inside
        others = tuple(one for one in folders if one not in (folder, folders[0]))
        assert not [(module, name) for module in inside for name in imports(module) if name.startswith(others)]


def test_no_import_cycles() -> None:
    """Modules can be ordered so that each imports only earlier ones, wherever in its text."""
    graph = {module: {name for name in imports(module) if name in MODULES and name != module} for module in MODULES}
    TopologicalSorter(graph).prepare()  # raises an error that names a circle


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
