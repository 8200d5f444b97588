"""Where pages of the repository stand on the site, and what their links become there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

from markdown_text import below

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

PLACES = {
    "docs/events/README.md": "howto/events.md",
    "docs/ensembles/README.md": "howto/ensembles.md",
    "docs/sensitivities/README.md": "howto/sensitivities.md",
    "docs/controllers/README.md": "howto/controllers.md",
    "docs/units/README.md": "howto/units.md",
    "docs/pictures/README.md": "howto/pictures.md",
    "docs/notebooks/README.md": "notebooks/index.md",
    "docs/report/README.md": "howto/report.md",
    "docs/robots/README.md": "howto/robots.md",
    "docs/robots/mjcf.md": "howto/mjcf.md",
    "docs/robots/examples/README.md": "howto/robots_at_work.md",
    "docs/integrators/README.md": "reference/integrators.md",
    "docs/comparison/README.md": "project/comparison.md",
    "docs/conda/README.md": "project/conda.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "generator/README.md": "project/architecture.md",
    "templates/README.md": "project/templates.md",
    "tests/README.md": "project/tests.md",
}
"""Pages that are read in the repository, too, by their place there; all others below docs/ keep theirs."""

_CODE_OR_LINK = re.compile(
    r"^(?P<fence>```+|~~~+).*?^(?P=fence)|`+[^`\n]*`+|(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^()\s]+)\)",
    flags=re.MULTILINE | re.DOTALL,
)


def place_of(path: str) -> str:
    """Return where a file of the repository stands on the site; "" where it is none of its files."""
    if path in PLACES:
        return PLACES[path]
    if path.startswith("docs/notebooks/") and path.endswith(".ipynb"):  # read as a page, see write_notebooks
        path = f"{path.removesuffix('.ipynb')}.md"
    return path.removeprefix("docs/") if path.startswith("docs/") else ""


def pages() -> dict[str, str]:
    """Return place in the repository -> place on the site, of all pages that are written by hand."""
    own = {path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md") if path.parent.name != "notebooks"}
    return {path: place_of(path) for path in sorted(own | set(PLACES))}


def linked(text: str, path: str) -> str:
    """Return a page of the repository with its relative links as they lead on the site.

    A link to what is no file of the site is its text.
    """
    here = PurePosixPath(place_of(path)).parent

    def placed(found: re.Match[str]) -> str:
        if found["target"] is None:  # code
            return found[0]
        target, _, anchor = found["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return found[0]
        there = place_of(os.path.normpath(PurePosixPath(path).parent / target))
        if not there or (DOCS / there).is_dir():
            return found["text"]
        relative = os.path.relpath(there, here) + (f"#{anchor}" if anchor else "")
        return f"{found['picture']}[{found['text']}]({relative})"

    return _CODE_OR_LINK.sub(placed, text)


def stage(folder: Path) -> None:
    """Write the pages, and the files beside them, as Sphinx reads them."""
    left_out = shutil.ignore_patterns("*.md", "__pycache__", "site", "notebooks", "*.o", "*.csv")
    shutil.copytree(DOCS, folder, ignore=left_out, dirs_exist_ok=True)
    for path, place in pages().items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(linked((ROOT / path).read_text(encoding="utf-8"), path), encoding="utf-8")


def write_notebooks(folder: Path) -> None:
    """Write the notebooks as pages, with the outputs that they have, and the list of them."""
    script = DOCS / "notebooks" / "make.py"
    subprocess.run([sys.executable, str(script), "--pages", str(folder)], check=True)
    names = re.findall(
        r"^\| \[(\w+)\]\(\w+\.md\)", (folder / "index.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    with (folder / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n".join(["", *below(names)]))
