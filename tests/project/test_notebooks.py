"""The notebooks of the documentation: made of their sources, small, without script; what they assert holds."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
SHOWN = ("Model", "Build", "Simulator", "Trajectory", "Linearization", "Ensemble", "JointTree")


def _loaded() -> ModuleType:
    """Return the program that makes them."""
    spec = importlib.util.spec_from_file_location("make_notebooks", FOLDER / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = _loaded()


def there(name: str) -> dict[str, Any]:
    """Return a notebook as it is."""
    return dict(json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")))


def outputs_of(name: str) -> list[dict[str, Any]]:
    """Return all outputs of a notebook."""
    return [output for cell in there(name)["cells"] for output in cell.get("outputs", ())]


def source_of(name: str) -> str:
    """Return the Markdown of a notebook."""
    return (FOLDER / f"{name}.markdown").read_text(encoding="utf-8")


def test_every_source_is_made() -> None:
    """Sources, notebooks and the table of the page are the same set."""
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(make.NAMES)
    assert {path.stem for path in FOLDER.glob("*.markdown")} == set(make.NAMES)
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"\((\w+)\.ipynb\)", page)) == make.NAMES


@pytest.mark.parametrize("name", make.NAMES)
def test_a_notebook_is_its_source(name: str) -> None:
    """Cells are those of the Markdown, in the form in which they are written, executed in order without an error."""
    cells = there(name)["cells"]
    kept = [{key: cell[key] for key in ("cell_type", "id")} | {"source": "".join(cell["source"])} for cell in cells]
    made = make.notebook_of(source_of(name))["cells"]
    assert kept == [{key: cell[key] for key in ("cell_type", "id", "source")} for cell in made], (
        f"python docs/notebooks/make.py {name} writes it anew"
    )
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
    assert text == make.text_of(json.loads(text))
    assert len(text.encode()) < 250_000
    counts = [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert all(output["output_type"] in ("execute_result", "display_data", "stream") for output in outputs_of(name))
    assert not re.search(r"<script|javascript:|https?://(?!www\.w3\.org/)", "".join(map(json.dumps, outputs_of(name))))


def test_each_object_shows_itself_in_the_first() -> None:
    """All seven as HTML, equations in MathML, figures as pictures, a motion as SVG."""
    kinds = [output.get("data", {}) for output in outputs_of("first_notebook")]
    pages = ["".join(data["text/html"]) for data in kinds if "text/html" in data]
    for one in SHOWN:
        assert sum(f"<b>eomc.{one}</b>" in page for page in pages) == 1, one
    assert sum("<math" in page for page in pages) == 1
    assert sum("image/png" in data for data in kinds) >= 4
    (moving,) = ["".join(data["image/svg+xml"]) for data in kinds if "image/svg+xml" in data]
    assert "<animateTransform" in moving


@pytest.mark.needs_cc
@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", make.NAMES)
def test_what_a_notebook_asserts(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code runs from top to bottom and no assertion fails; what it shows has a representation."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(SVG=lambda path: Path(path).read_text()))
    names: dict[str, Any] = {}
    for kind, source in make.cells_of(source_of(name)):
        if kind != "code":
            continue
        *statements, last = ast.parse(source).body
        exec(compile(ast.Module([*statements], []), name, "exec"), names)
        if isinstance(last, ast.Expr):
            assert eval(compile(ast.Expression(last.value), name, "eval"), names) is not ...
        else:
            exec(compile(ast.Module([last], []), name, "exec"), names)


def test_outputs_are_compared_by_what_they_tell() -> None:
    """Another number, another kind or another source is told; rounding is not."""

    def notebook(text: str, kind: str = "text/plain", source: str = "x") -> dict[str, Any]:
        output = {"data": {kind: [text]}, "output_type": "execute_result"}
        return {"cells": [{"cell_type": "code", "source": [source], "outputs": [output]}]}

    first = notebook("a 1.23456 and 2.2e-16")
    assert make.differences(first, notebook("a 1.23457 and -4.4e-16")) == []
    for other in (notebook("a 1.25 and 0.0"), notebook("a 1.23456 and 1e-3"), notebook("a 1.23456", "text/html")):
        assert make.differences(first, other)
    assert make.differences(first, notebook("a 1.23456 and 2.2e-16", source="y"))


def test_pages_have_sources_and_outputs(tmp_path: Path) -> None:
    """Code in fences, HTML as it is, pictures as files; all of it from what is there."""
    command = [sys.executable, str(FOLDER / "make.py"), "--pages", str(tmp_path), "first_notebook"]
    subprocess.run(command, check=True)
    page = (tmp_path / "first_notebook.md").read_text(encoding="utf-8")
    assert page.startswith("# First notebook\n")
    for kind, source in make.cells_of(source_of("first_notebook")):
        assert (f"```python\n{source}\n```" if kind == "code" else source) in page
    assert '```{raw} html\n<div class="output"><div><p><b>eomc.Model</b>' in page
    pictures = re.findall(r"!\[[^\]]+\]\((\S+)\)", page)
    assert {path.name for path in tmp_path.iterdir()} == {"first_notebook.md", *pictures}
    assert len(pictures) >= 5
    assert all((tmp_path / picture).stat().st_size > 500 for picture in pictures)
