"""Formulas set while the pages are built, by KaTeX in node: the pages need no script and no network for them."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from katex_folder import find_katex
from sphinx.application import Sphinx
from sphinx.util import logging

HERE = Path(__file__).resolve().parent
logger = logging.getLogger(__name__)


@cache
def _setter() -> subprocess.Popen[str]:
    """Return the process that sets formulas; it ends when its input does."""
    folder = find_katex()
    assert folder is not None, "build.py asks for KaTeX before it starts"
    command = ["node", str(HERE / "katex.js"), str(folder / "katex.js")]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


@cache
def typeset(tex: str, display: bool) -> tuple[str, str]:
    """Return a formula as HTML, and what KaTeX has against it."""
    process = _setter()
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps({"tex": tex, "display": display}), file=process.stdin, flush=True)
    answer = json.loads(process.stdout.readline())
    return answer.get("html", ""), answer.get("error", "")


def _set(self: Any, node: nodes.Element, display: bool) -> None:
    """Put a formula into the page."""
    html, error = typeset(node.astext(), display)
    if error:
        logger.warning("KaTeX: %s in %r", error, node.astext()[:200], location=node, type="katex")
    self.body.append(f'<div class="formula">{html}</div>' if display else html)
    raise nodes.SkipNode


def _inline(self: Any, node: nodes.Element) -> None:
    _set(self, node, display=False)


def _display(self: Any, node: nodes.Element) -> None:
    _set(self, node, display=True)


def _copy(app: Sphinx, error: Exception | None) -> None:
    """Put the style sheet and the fonts beside the pages."""
    folder = find_katex()
    if error is not None or folder is None:
        return
    target = Path(app.outdir, "_static", "katex")
    shutil.rmtree(target, ignore_errors=True)
    (target / "fonts").mkdir(parents=True)
    shutil.copy(folder / "katex.min.css", target / "katex.min.css")
    for font in (folder / "fonts").glob("*.woff2"):  # what every browser of today takes first
        shutil.copy(font, target / "fonts" / font.name)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer."""
    app.add_html_math_renderer("katex", (_inline, None), (_display, None))
    app.add_css_file("katex/katex.min.css")
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
