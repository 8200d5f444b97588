"""A page for each public name, whose text is its docstring."""

from __future__ import annotations

import inspect
from pathlib import Path

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


def groups() -> dict[str, list[str]]:
    """Return every public name but the version and the root of the errors, in groups."""
    known = {name for names in GROUPS.values() for name in names}
    rest = sorted(set(eomc.__all__) - known - {"__version__", "EomcError"})
    found = {title: [name for name in names if hasattr(eomc, name)] for title, names in GROUPS.items()}
    return {**found, **({"Others": rest} if rest else {})}


def _summary(value: object) -> str:
    """Return the first sentence of a docstring, in one line of Markdown."""
    text = (inspect.getdoc(value) or "").split("\n\n")[0]
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("``", "`")


def _page(name: str) -> str:
    """Return the page of a public name, in reStructuredText."""
    value = getattr(eomc, name)
    title = f"eomc.{name}"
    head = f"{title}\n{'=' * len(title)}\n\n"
    if inspect.isclass(value):
        return f"{head}.. autoclass:: eomc.{name}\n   :members:\n"
    return f"{head}.. autofunction:: eomc.{name}\n"


def write_objects(folder: Path) -> None:
    """Write the pages and the list of them."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, entries = [], []
    for title, names in groups().items():
        rows += [f"## {title}", "", "| name | what it is |", "|---|---|"]
        for name in names:
            (folder / f"{name}.rst").write_text(_page(name), encoding="utf-8")
            rows.append(f"| [`eomc.{name}`]({name}.rst) | {_summary(getattr(eomc, name))} |")
            entries.append(name)
        rows.append("")
    for name, title, module in (("trees", "eomc.trees", "eomc.trees"), ("errors", "eomc.errors", "eomc.errors")):
        text = f"{title}\n{'=' * len(title)}\n\n.. automodule:: {module}\n"
        text += "   :members:\n   :show-inheritance:\n   :exclude-members: JointTree\n"
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
        entries.append(name)
    rows += [
        "## Modules", "", "| name | what it is |", "|---|---|",
        f"| [`eomc.trees`](trees.rst) | {_summary(eomc.trees)} |",
        f"| [`eomc.errors`](errors.rst) | {_summary(errors)} |", "",
    ]  # fmt: skip
    listing = "\n".join(["```{toctree}", ":hidden:", "", *entries, "```", ""])
    text = (
        "# Python\n\nWhat `import eomc` gives. Names are loaded when they are first used. A number without a unit is "
        "in SI; arrays are NumPy's.\n\n"
    )
    (folder / "index.md").write_text(text + "\n".join(rows) + listing, encoding="utf-8")
