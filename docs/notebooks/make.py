"""Notebooks from their Markdown sources: executed in a kernel of Jupyter, or written as pages of a site.

    python make.py [NAME ...]           execute, and write NAME.ipynb beside its source
    python make.py --check [NAME ...]   execute, and say where outputs differ from those that are there
    python make.py --pages DIR          Markdown pages with the outputs that are there; no kernel is needed

A source is Markdown; its blocks of Python are the cells of code. Running them takes nbclient and ipykernel. What is
written is the same in each run: no times, no progress, no random names.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
NAMES = ("first_notebook", "linkage", "rolling_contact", "controller_in_c", "robot_from_urdf")
"""In the order in which they are read."""

_CODE = re.compile(r"^```python\n(.*?)^```\n", flags=re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")
_SEEN = ("text/html", "image/svg+xml", "image/png", "text/latex", "text/plain")  # the first that there is is shown


def cells_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and source of each cell of a Markdown text."""
    end = 0
    for block in _CODE.finditer(text):
        if words := text[end : block.start()].strip():
            yield "markdown", words
        yield "code", block[1].rstrip("\n")
        end = block.end()
    if words := text[end:].strip():
        yield "markdown", words


def notebook_of(text: str) -> dict[str, Any]:
    """Return the notebook of a Markdown text, without outputs, in version 4.5 of the format."""
    cells: list[dict[str, Any]] = []
    for number, (kind, source) in enumerate(cells_of(text), 1):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with the outputs of its cells, run in a folder of its own.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell failed.
    """
    import nbformat
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class OfThisPython(AsyncKernelManager):
        """Starts the interpreter that runs this program, whatever kernels are installed."""

        @property
        def kernel_spec(self) -> KernelSpec:
            argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
            return KernelSpec(argv=argv, display_name="Python 3", language="python")

    run = nbformat.from_dict(notebook)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            run,
            timeout=300,
            record_timing=False,
            coalesce_streams=True,
            kernel_manager_class=OfThisPython,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    count = 0
    for cell in run["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["metadata"] = {}
            cell["outputs"] = [one for output in cell["outputs"] if (one := _kept(output, count)) is not None]
    return notebook | {"cells": [dict(cell) for cell in run["cells"]]}


def _kept(output: Any, count: int) -> dict[str, Any] | None:
    """Return an output as it is written; words on stderr tell of waits, which differ from run to run."""
    if output["output_type"] == "stream":
        return None if output["name"] == "stderr" else dict(output) | {"text": _lines(output["text"])}
    data = {
        kind: _small(content) if kind == "image/png" else _lines(content) for kind, content in output["data"].items()
    }
    told = {"execution_count": count} if output["output_type"] == "execute_result" else {}
    return {"data": data, "metadata": {}, "output_type": output["output_type"], **told}


def _small(picture: str) -> str:
    """Return a picture of lines and letters in 64 colours, a third of its size."""
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(picture))) as drawn:
        few = drawn.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, format="png", optimize=True)
    return base64.b64encode(packed.getvalue()).decode("ascii")


def text_of(notebook: dict[str, Any]) -> str:
    """Return a notebook as it is written: a line of text is a line of the file."""
    cells = [cell | {"source": _lines(cell["source"])} for cell in notebook["cells"]]
    return json.dumps(notebook | {"cells": cells}, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def differences(there: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return where two notebooks differ: numbers by three digits, pictures by whether they are there."""
    return list(difflib.unified_diff(*(list(_told(one)) for one in (there, now)), "there", "now", lineterm="", n=1))


def _told(notebook: dict[str, Any]) -> Iterator[str]:
    for cell in notebook["cells"]:
        yield f"[{cell['cell_type']}]"
        yield from "".join(cell["source"]).splitlines()
        for output in cell.get("outputs", ()):
            for kind, content in sorted(output.get("data", {"stream": output.get("text", "")}).items()):
                yield f"<{kind}>"
                if not kind.startswith("image/") and "<svg" not in (text := "".join(content)):
                    yield from _NUMBER.sub(lambda found: _rounded(float(found[0])), text).splitlines()


def _rounded(number: float) -> str:
    """Return a number by three digits; what may be rounding is zero."""
    return "0" if abs(number) < 1e-7 else f"{number:.2e}"


def page_of(name: str, notebook: dict[str, Any], folder: Path) -> str:
    """Return a notebook as a page of Markdown for MyST; pictures are written into a folder beside it."""
    parts = []
    for number, cell in enumerate(notebook["cells"], 1):
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for k, output in enumerate(cell.get("outputs", ()), 1):
            parts.append(_shown(output, folder, f"{name}_{number}_{k}"))
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any], folder: Path, name: str) -> str:
    """Return one output of a page."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    kind = next(one for one in _SEEN if one in data)
    content = "".join(data[kind])
    if kind == "image/png":
        (folder / f"{name}.png").write_bytes(base64.b64decode(content))
        return f"![Output of the cell above]({name}.png)"
    if kind == "image/svg+xml":
        (folder / f"{name}.svg").write_text(content, encoding="utf-8")
        return f"![Output of the cell above]({name}.svg)"
    if kind == "text/html":
        return f'```{{raw}} html\n<div class="output">{content}</div>\n```'
    return f"```text\n{content.rstrip()}\n```"


def _lines(text: str | list[str]) -> list[str]:
    return "".join(text).splitlines(keepends=True)


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all by default")
    parser.add_argument("--check", action="store_true", help="compare with the notebooks that are there")
    parser.add_argument("--pages", type=Path, metavar="DIR", help="write pages there")
    options = parser.parse_args()
    failed = 0
    for name in options.names or NAMES:
        path = FOLDER / f"{name}.ipynb"
        if options.pages:
            options.pages.mkdir(parents=True, exist_ok=True)
            page = page_of(name, json.loads(path.read_text(encoding="utf-8")), options.pages)
            (options.pages / f"{name}.md").write_text(page, encoding="utf-8")
            continue
        made = executed(notebook_of((FOLDER / f"{name}.markdown").read_text(encoding="utf-8")))
        if not options.check:
            path.write_text(text_of(made), encoding="utf-8")
        elif found := differences(json.loads(path.read_text(encoding="utf-8")), made):
            print(f"{name}: outputs differ; python docs/notebooks/make.py {name} writes them anew", *found, sep="\n")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
