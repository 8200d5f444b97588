"""A page for each public name, whose text is its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path

from markdown_text import below, table

import eomc
from eomc import errors

GROUPS = {
    "Models": ["Model", "Event", "Impact", "Shape", "JointTree", "load"],
    "From other descriptions": [
        "from_kanes_method", "from_lagranges_method", "from_system", "from_lagrangian", "from_hamiltonian", "from_tree",
        "from_urdf", "from_mjcf",
    ],
    "Equations and C": ["compile", "Build", "equations", "Equations", "reference"],
    "Running": ["Simulator", "Trajectory", "Samples", "Ensemble", "Sensitivities"],
    "Analysis": ["linearize", "Linearization", "trim", "Trim"],
    "Pictures": ["scene", "Scene"],
}  # fmt: skip
"""The public names in the order in which one meets them; a new one that is not here stands at the end."""

MODULES = {"trees": eomc.trees, "errors": errors}
"""Modules that have a page of their own."""


def groups() -> dict[str, list[str]]:
    """Return every public name but the version and the root of the errors, in groups."""
    known = {name for names in GROUPS.values() for name in names}
    rest = sorted(set(eomc.__all__) - known - {"__version__", "EomcError"})
    return {**GROUPS, **({"Others": rest} if rest else {})}


def _summary(value: object) -> str:
    """Return the first sentence of a docstring, in one line of Markdown."""
    text = (inspect.getdoc(value) or "").split("\n\n")[0]
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("``", "`")


def _page(name: str, directive: str, *options: str) -> str:
    """Return the page of a public name, in reStructuredText."""
    title = f"eomc.{name}"
    lines = [title, "=" * len(title), "", f".. {directive}:: {title}", *(f"   :{option}" for option in options), ""]
    return "\n".join(lines)


def _page_of_object(name: str) -> str:
    if inspect.isclass(getattr(eomc, name)):
        return _page(name, "autoclass", "members:")
    return _page(name, "autofunction")


def _rows(values: Mapping[str, object]) -> list[str]:
    """Return a table of names with what each is."""
    rows = ((f"[`eomc.{name}`]({name}.rst)", _summary(value)) for name, value in values.items())
    return table(("name", "what it is"), rows)


def write_objects(folder: Path) -> None:
    """Write the pages and the list of them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Python", "",
        "What `import eomc` gives. Names are loaded when they are first used. A number without a unit is in SI; arrays "
        "are NumPy's.", "",
    ]  # fmt: skip
    pages = {}
    for title, names in groups().items():
        pages |= {name: _page_of_object(name) for name in names}
        lines += [f"## {title}", "", *_rows({name: getattr(eomc, name) for name in names})]
    for name in MODULES:
        pages[name] = _page(name, "automodule", "members:", "show-inheritance:", "exclude-members: JointTree")
    lines += ["## Modules", "", *_rows(MODULES), *below(list(pages))]
    for name, text in pages.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")
