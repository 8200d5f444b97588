"""Build the documentation: `python docs/site/build.py [FOLDER]`; `make docs` sets up what it needs and calls this.

The pages are those of docs/ and of the repository's READMEs (places.py), and what is made of the program itself: a page
for each shipped model (gallery.py), each public name (objects.py), each command (commands.py). Warnings are errors.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from checks import faults_of
from katex_folder import find_katex
from places import stage, write_notebooks

HERE = Path(__file__).resolve().parent
PACKAGES = ("sphinx", "myst_parser", "numpydoc", "furo", "PIL")
_MADE = re.compile(r"^<!-- made: (?P<maker>\w+)(?P<what>(?: [\w-]+)*) -->$", flags=re.MULTILINE)


def missing() -> list[str]:
    """Return a line for each thing that is needed and not there."""
    lacking = [name for name in PACKAGES if not importlib.util.find_spec(name)]
    lines = [f"{', '.join(lacking)}: pip install 'eomc[docs]' (make docs does so)"] if lacking else []
    if shutil.which("node") is None:
        lines.append("node, in which KaTeX sets the formulas: apt-get install nodejs")
    if find_katex() is None:
        lines.append(
            "KaTeX, by which formulas are set: apt-get install libjs-katex fonts-katex, or let EOMC_KATEX name the "
            "folder of its katex.js"
        )
    return lines


def write_sources(source: Path, extra: Path, models: list[str]) -> None:
    """Write what Sphinx reads, and what it copies."""
    from gallery import write_gallery
    from objects import write_objects

    stage(source)
    write_notebooks(source / "notebooks")
    write_objects(source / "reference" / "python")
    write_gallery(source / "gallery", extra / "gallery", models)
    for path in source.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        made = _MADE.sub(_made, text)
        if made != text:
            path.write_text(made, encoding="utf-8")


def _made(found: re.Match[str]) -> str:
    """Return what a page asks the program for."""
    import makers

    return str(getattr(makers, found["maker"])(*found["what"].split()))


def main(folder: str = "build/docs", *models: str) -> int:
    """Build into a folder; return 1 where a page is at fault, 2 where something is missing."""
    begin = time.monotonic()
    lines = missing()
    for line in lines:
        print(f"make docs: missing: {line}", file=sys.stderr)
    if lines:
        return 2
    place = Path(folder).resolve()
    source, extra, html = place / "source", place / "extra", place / "html"
    for old in (source, extra, html):
        shutil.rmtree(old, ignore_errors=True)
    write_sources(source, extra, list(models))
    print(f"{len(list(source.rglob('*.md')))} pages written in {time.monotonic() - begin:.0f} s", flush=True)
    options = ["-q", "-W", "--keep-going", "-E", "-c", HERE, "-D", f"html_extra_path={extra}", "-d", place / "doctrees"]
    done = subprocess.run([sys.executable, "-m", "sphinx", *map(str, options), str(source), str(html)], check=False)
    if done.returncode:
        return 1
    faults, outside = faults_of(html)
    (place / "outside.txt").write_text("".join(f"{to}  {name}\n" for to, name in sorted(outside.items())))
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{html / 'index.html'}: {time.monotonic() - begin:.0f} s; {len(outside)} addresses outside in outside.txt")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
