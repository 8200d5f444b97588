"""Where KaTeX is; asked before Sphinx is there, whose extension katex.py is."""

from __future__ import annotations

import os
from pathlib import Path

PLACES = (os.environ.get("EOMC_KATEX", ""), "/usr/share/javascript/katex", "/usr/share/nodejs/katex/dist")


def find_katex() -> Path | None:
    """Return the folder of katex.js, katex.min.css and the fonts, which Debian has in a package of their own."""
    folders = (Path(place) for place in PLACES if place)
    return next((folder for folder in folders if _is_whole(folder)), None)


def _is_whole(folder: Path) -> bool:
    files = folder / "katex.js", folder / "katex.min.css"
    return all(map(Path.is_file, files)) and any((folder / "fonts").glob("*.woff2"))
